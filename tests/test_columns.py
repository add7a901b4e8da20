"""From records to columns: what is aligned, joined, listed or left out, each on the smallest page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from generated import trees
from list_columns import columns, names, region_of
from peneira.columns.builder import with_columns
from peneira.page import ZERO_WIDTH
from peneira.reasons import ReasonCode
from peneira.result import Record, Region
from peneira.sources.html import read_page

JOBS = (
    '<li><b class="role">Cook</b><i class="city">Recife</i><u class="pay">R$ 10</u>',
    '<li><b class="role">Baker</b><i class="city">Olinda</i><u class="pay">R$ 20</u>',
    '<li><b class="role">Miller</b><i class="city">Belém</i><u class="pay">R$ 30</u>',
)


def shown(html: str, tag: str = "li", **how: object) -> set[tuple[str, ...]]:
    """Return the texts of each default column, whatever its name and place."""
    return set(map(tuple, columns(html, tag, **how).values()))


def everything(region: Region) -> set[tuple[str, ...]]:
    """Return the texts of each column, shown or not."""
    return {
        tuple(record.fields[column.name].text if column.name in record.fields else "" for record in region.records)
        for column in region.all_columns
    }


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (
            '<b class="role">Baker</b>',
            {("Cook", "", "Miller"), ("Recife", "Olinda", "Belém"), ("R$ 10", "R$ 20", "R$ 30")},
        ),
        (
            '<i class="city">Olinda</i>',
            {("Cook", "Baker", "Miller"), ("Recife", "", "Belém"), ("R$ 10", "R$ 20", "R$ 30")},
        ),
        (
            '<u class="pay">R$ 20</u>',
            {("Cook", "Baker", "Miller"), ("Recife", "Olinda", "Belém"), ("R$ 10", "", "R$ 30")},
        ),
    ],
    ids=["first", "middle", "last"],
)
def test_a_missing_field_is_empty_and_shifts_nothing(missing: str, expected: set[tuple[str, ...]]):
    assert shown("".join(JOBS).replace(missing, "")) == expected


def test_a_record_without_three_optional_fields_keeps_every_other_value_in_its_column():
    full = [
        f"<li><h3>Job {k}</h3><p class=firm>Firm {k}</p><p class=city>City {k}</p><p class=pay>R$ {k}0</p>"
        f"<p class=type>Type {k}</p><time>2024-0{k}-01</time>"
        for k in (1, 2, 3)
    ]
    bare = "<li><h3>Job 4</h3><p class=city>City 4</p><time>2024-04-01</time>"
    assert shown("".join([full[0], bare, *full[1:]])) == {
        ("Job 1", "Job 4", "Job 2", "Job 3"),
        ("Firm 1", "", "Firm 2", "Firm 3"),
        ("City 1", "City 4", "City 2", "City 3"),
        ("R$ 10", "", "R$ 20", "R$ 30"),
        ("Type 1", "", "Type 2", "Type 3"),
        ("2024-01-01", "2024-04-01", "2024-02-01", "2024-03-01"),
    }


def test_without_class_words_values_are_distinguished_by_their_patterns():
    table = columns(
        "<li><span>Cook</span><span>R$ 10</span><span>01/02/2024</span>"
        "<li><span>Baker</span><span>02/02/2024</span>"
        "<li><span>Miller</span><span>R$ 30</span><span>03/02/2024</span>"
    )
    assert table == {
        "title": ["Cook", "Baker", "Miller"],
        "price": ["R$ 10", "", "R$ 30"],
        "date": ["01/02/2024", "02/02/2024", "03/02/2024"],
    }


def test_two_variants_keep_their_common_fields_in_common_columns():
    plain = "<li><h3>Plain {k}</h3><p class=price>R$ {k}</p>"
    offer = "<li class=offer><b class=badge>-{k}%</b><h3>Offer {k}</h3><p class=was>R$ 9{k}<p class=price>R$ {k}</p>"
    html = "".join(variant.format(k=k) for k, variant in enumerate((plain, offer, plain, offer, plain), start=1))
    assert shown(html) == {
        ("", "-2%", "", "-4%", ""),
        ("Plain 1", "Offer 2", "Plain 3", "Offer 4", "Plain 5"),
        ("", "R$ 92", "", "R$ 94", ""),
        ("R$ 1", "R$ 2", "R$ 3", "R$ 4", "R$ 5"),
    }


def test_a_field_does_not_move_into_the_column_of_a_missing_neighbour():
    both = "<li><h3>T {k}</h3><p class=price>R$ {k}</p><p class=was>R$ 9{k}</p>"
    html = "".join([both.format(k=1), both.format(k=2), "<li><h3>T 3</h3><p class=was>R$ 93</p>", both.format(k=4)])
    assert {("R$ 1", "R$ 2", "", "R$ 4"), ("R$ 91", "R$ 92", "R$ 93", "R$ 94")} <= shown(html)


def flagged(amounts: list[str], *others: str) -> str:
    """Return articles with a flag of their discount, and behind it what ``others`` says."""
    articles = []
    for k, amount in enumerate(amounts):
        flags = f"<li class='tag tag-off'>{amount}" + (others[k] if k < len(others) else "")
        articles.append(f"<article><h3>Grill {k}</h3><ul class=flags>{flags}</ul><p class=price>R$ {k}9</p></article>")
    return "".join(articles)


def test_a_flag_keeps_its_column_where_others_stand_beside_it():
    new, gift, back = (f"<li class='tag tag-{name.lower()}'>{name}" for name in ("New", "Gift", "Cashback"))
    found = columns(flagged([f"-1{k},00 €" for k in range(6)], "", "", new + gift, "", back), "article")
    assert [f"-1{k},00 €" for k in range(6)] in found.values()


def test_a_flag_of_another_form_keeps_its_column_beside_one_whose_class_all_flags_have():
    page = flagged(["R$ -10", "R$ -20", "-30%", "-40%", "R$ -50"], "", "", "<li class=tag>Up to 11 back")
    found = columns(page, "article")
    assert ["R$ -10", "R$ -20", "-30%", "-40%", "R$ -50"] in found.values()


def test_class_words_that_change_from_record_to_record_do_not_split_a_column():
    html = "".join(f"<li><h3>T {k}</h3><p class={'odd' if k % 2 else 'even'}>value {k}</p>" for k in (1, 2, 3, 4))
    assert [len(set(values)) for values in columns(html).values()] == [4, 4]


def test_records_whose_roots_differ_align():
    html = "<div class=hot><h3>One</h3><p>a b</div><div><h3>Two</h3><p>c d</div><div id=x><h3>Three</h3><p>e f</div>"
    assert columns(html, "div") == {"title": ["One", "Two", "Three"], "text": ["a b", "c d", "e f"]}


def test_a_link_around_a_value_in_some_records_only_does_not_move_it():
    table = columns("<li><p><a href=/1>One</a></p><li><p>Two</p><li><p><a href=/3>Three</a></p>")
    assert table == {"title": ["One", "Two", "Three"], "url": ["/1", "", "/3"]}


def test_a_block_of_one_or_two_texts_shares_the_column_of_the_first():
    region = region_of(
        "<li><div class=where><b class=city>Recife</b></div>"
        "<li><div class=where><b class=city>Olinda</b> <i class=state>PE</i></div>"
        "<li><div class=where><b class=city>Natal</b> <i class=state>RN</i></div>"
    )
    assert everything(region) >= {("Recife", "Olinda", "Natal"), ("", "PE", "RN")}


def test_an_inline_element_around_several_elements_is_several_columns():
    region = region_of(
        "".join(
            f"<li><span class=line><time>{k} May</time> <a href='/{k}'>Bicycle {k}</a> "
            f"<span class=price>${k}5</span> <small class=hood>(Town {k})</small></span>"
            for k in range(1, 6)
        )
    )
    assert everything(region) >= {
        tuple(f"{k} May" for k in range(1, 6)),
        tuple(f"Bicycle {k}" for k in range(1, 6)),
        tuple(f"${k}5" for k in range(1, 6)),
        tuple(f"(Town {k})" for k in range(1, 6)),
    }


def test_the_cents_of_a_price_stand_apart_and_are_cents():
    region = region_of(
        "".join(
            f"<li><h3>Camera {k}</h3><span class=price><span>$</span><span>{k}49</span><sup class=cents>90</sup></span>"
            for k in range(1, 6)
        )
    )
    price = region.records[0].price
    assert price is not None
    assert (price.text, str(price.value)) == ("$149 90", "149.90 $")


def test_texts_of_elements_without_a_space_between_them_are_set_apart():
    region = region_of(
        "".join(
            f"<li><h3>House {k}</h3><p><span class=beds>{k} beds</span><span class=baths>{k} baths</span></p>"
            for k in range(1, 5)
        )
    )
    assert tuple(f"{k} beds {k} baths" for k in range(1, 5)) in everything(region)


def test_repeated_parts_are_items_of_one_cell():
    region = region_of(
        "<ol><li><h3>One</h3><ul><b class=tag>red</b> <b class=tag>big</b></ul>"
        "<li><h3>Two</h3><ul><b class=tag>blue</b></ul>"
        "<li><h3>Three</h3><ul><b class=tag>red</b> <b class=tag>old</b> <b class=tag>dry</b></ul></ol>"
    )
    cells = [record.fields["tags"] for record in region.records]
    assert [cell.items for cell in cells] == [("red", "big"), ("blue",), ("red", "old", "dry")]
    assert cells[0].text == "red, big"


def test_the_items_of_a_nested_list_keep_their_parts_together():
    author = "<div class=author><b class=name>{0}</b><i class=role>{1}</i></div>"
    people = [
        [("Ana", "text")],
        [("Bia", "text"), ("Caio", "art")],
        [("Davi", "art"), ("Eva", "text"), ("Fabio", "ink")],
    ]
    html = "".join(
        f"<li><h3>Book {k}</h3>{''.join(author.format(*person) for person in group)}" for k, group in enumerate(people)
    )
    authors = [record["author"].table.to_dicts() for record in region_of(html).records]
    assert [[tuple(author.values()) for author in group] for group in authors] == people


def test_a_fixed_number_of_parts_are_columns_and_not_a_list():
    table = columns("".join(f"<li><ul><p>a{k} a<p>b{k} b<p>c{k} c</ul>" for k in (1, 2, 3)))
    assert list(table.values()) == [[f"{name}{k} {name}" for k in (1, 2, 3)] for name in "abc"]


@pytest.mark.parametrize(("records", "is_list"), [(10, False), (11, True)])
def test_texts_are_no_list_where_one_record_in_five_has_a_label_among_them(records: int, is_list: bool):
    items = ["".join(f"<p>word {j} {k}</p>" for j in range(1 + k % 3)) for k in range(records)]
    items[:2] = [f"{texts}<p>Size: {k} cm</p>" for k, texts in enumerate(items[:2])]
    table = columns("".join(f"<li><ul>{texts}</ul>" for texts in items))
    assert (len(table) == 1) == is_list


def test_inline_formatting_joins_into_one_value():
    table = columns("".join(f"<li><h3>T {k}</h3><p class=price>R$ <b>1{k}</b>,<sup>90</sup></p>" for k in (1, 2, 3)))
    assert table["price"] == ["R$ 11,90", "R$ 12,90", "R$ 13,90"]


def test_digits_in_elements_without_space_between_are_one_number():
    cents = "<span class=whole>{k}2</span><span class=dot>,</span><span class=cents>90</span>"
    table = columns("".join(f"<li><h3>T {k}</h3><p class=price>{cents.format(k=k)}</p>" for k in (1, 2, 3)))
    assert table["price"] == ["12,90", "22,90", "32,90"]


def test_prose_with_elements_scattered_through_it_is_one_text():
    table = columns(
        "<li><p>Sold in <b>red</b> and <a href=/b>blue</a> today"
        "<li><p>Nothing to say"
        "<li><p><i>All</i> gone <b>by</b> noon in <a href=/c>town</a> and <a href=/d>port</a>"
    )
    assert table["title"] == ["Sold in red and blue today", "Nothing to say", "All gone by noon in town and port"]


@pytest.mark.parametrize(("texts", "count"), [(6, 6), (7, 1)])
def test_a_line_of_more_than_six_texts_is_prose(texts: int, count: int):
    tags = ("b", "i", "u", "em", "s", "q", "code")[:texts]
    html = "".join(f"<li><p>{' '.join(f'<{tag}>{tag} {k}</{tag}>' for tag in tags)}" for k in "xyz")
    columns = region_of(html).all_columns
    assert len(columns) - (len(columns) > 1) == count  # and the whole line beside its parts


def test_a_text_of_the_template_is_not_shown_but_stays_reachable():
    region = region_of("".join(f"<li><h3>Kettle {k}</h3><button>Buy now</button>" for k in range(5)))
    assert names(region) == ("title",)
    assert [(column.name, column.is_template) for column in region.all_columns] == [("title", False), ("text", True)]
    assert region.records[4].fields["text"].text == "Buy now"


@pytest.mark.parametrize(("records", "expected"), [(5, 2), (6, 1)])
def test_a_text_that_more_than_four_records_in_five_have_is_of_the_template(records: int, expected: int):
    cities = ["Recife", *["Olinda"] * (records - 1)]
    html = "".join(f"<li><h3>Kettle {k}</h3><p class=city>{city}</p>" for k, city in enumerate(cities))
    assert len(columns(html)) == expected


def test_equal_columns_are_shown_once_and_kept():
    html = "".join(f"<li><a href=/p{k}><img src=/i{k}.png></a><h3><a href=/p{k}>Kettle {k}</a></h3>" for k in (1, 2, 3))
    region = region_of(html)
    assert names(region) == ("title", "url", "image")
    kept = [column.name for column in region.all_columns if column.is_template]
    assert [[record.fields[name].text for name in kept] for record in region.records] == [["/p1"], ["/p2"], ["/p3"]]


# --- records of several siblings, hidden records ------------------------------------------------------------------


def test_a_record_of_two_rows_has_the_columns_of_both():
    body = "".join(
        f"<tr class=top><td>{k}.<td class=title>Story {k}</tr><tr class=low><td><td class=points>{k}0 points</tr>"
        for k in (1, 2, 3)
    )
    assert shown(f"<table>{body}</table>", "tr", span=2) == {
        ("1.", "2.", "3."),
        ("Story 1", "Story 2", "Story 3"),
        ("10 points", "20 points", "30 points"),
    }


def test_records_without_a_wrapper_are_aligned_by_the_roles_of_siblings():
    page = read_page(
        "".join(f"<h3>Story {k}</h3><p class=by>Ana {k}</p>" + "<p class=note>late</p>" * (k == 2) for k in (1, 2, 3))
    )
    starts = [i for i in range(len(page)) if page.name(i) == "h3"]
    ends = [*starts[1:], int(page.end[page.body])]
    records = tuple(Record(((a, b),), page.text_of(a, b), page.xpath(a)) for a, b in zip(starts, ends, strict=True))
    region = with_columns(page, Region("", records, 1.0))
    assert everything(region) == {("Story 1", "Story 2", "Story 3"), ("Ana 1", "Ana 2", "Ana 3"), ("", "late", "")}


def test_a_heading_is_a_value_of_every_record_up_to_the_next():
    days = (("May 1", ("Ana", "Bia")), ("May 2", ("Caio", "Davi", "Eva")))
    html = ""
    for day, people in days:
        html += f"<h3>{day}</h3><ul>{''.join(f'<li><p>{name} {day}' for name in people)}</ul>"
    assert ("May 1", "May 1", "May 2", "May 2", "May 2") in shown(html)


def test_a_text_that_stands_only_between_records_is_not_a_heading():
    people = [f"<li>{name} b</li>" for name in ("Ana", "Bia", "Caio", "Davi", "Eva")]
    html = "".join([*people[:2], "<h3>one</h3>", *people[2:4], "<h3>two</h3>", people[4]])
    assert everything(region_of(html)) == {("Ana b", "Bia b", "Caio b", "Davi b", "Eva b")}


def is_heading_shown(heading: str, *sizes: int) -> bool:
    """Return whether a list with a heading before each group of records has them as a column; ``sizes``: of groups."""
    html, k = "", 0
    headings: list[str] = []
    for number, size in enumerate(sizes):
        html += heading.format(number) + "<ul>"
        headings += [re.sub("<[^>]+>", "", heading.format(number))] * size
        for _ in range(size):
            k += 1
            html += f"<li><p>Person {chr(96 + k)} of the list"
        html += "</ul>"
    return tuple(headings) in shown(html)


@pytest.mark.parametrize(("chars", "is_heading"), [(120, True), (121, False)])
def test_a_heading_has_at_most_120_characters(chars: int, is_heading: bool):
    assert is_heading_shown(f"<h3>{'x' * (chars - 1)}{{}}</h3>", 2, 2) == is_heading


def test_two_texts_above_records_are_headings_only_with_a_heading_tag():
    assert is_heading_shown("<h3>day {}</h3>", 2, 2)
    assert not is_heading_shown("<div>day {}</div>", 2, 2)
    assert is_heading_shown("<div>day {}</div>", 2, 2, 2)


def test_headings_above_more_than_six_records_in_ten_are_not_headings():
    assert is_heading_shown("<h3>day {}</h3>", 2, 2, 1)
    assert not is_heading_shown("<h3>day {}</h3>", 2, 1, 1, 1)


def test_numbers_between_records_are_headings_only_if_they_are_years():
    assert is_heading_shown("<h3>202{}</h3>", 2, 2)
    assert not is_heading_shown("<h3>1{}</h3>", 2, 2)


def test_hidden_records_have_the_columns_that_they_would_show():
    html = "".join(f"<li hidden><h3>Story {k}</h3><p class=by>Ana {k}</p>" for k in (1, 2))
    assert shown(html) == {("Story 1", "Story 2"), ("Ana 1", "Ana 2")}


def test_hidden_text_inside_a_visible_record_is_not_a_value():
    html = "".join(f"<li><h3>Story {k}</h3><p hidden>secret {k}</p>" for k in (1, 2))
    assert columns(html) == {"title": ["Story 1", "Story 2"]}


# --- cells --------------------------------------------------------------------------------------------------------


def test_every_cell_has_an_xpath_and_a_confidence():
    region = region_of("<li><h3>One</h3><p class=by>Ana</p><li><h3>Two</h3><p class='by late'>Bia</p>")
    cells = [cell for record in region.records for cell in record.fields.values() if cell.text in ("Ana", "Bia")]
    assert [cell.xpath for cell in cells] == ["/html[1]/body[1]/li[1]/p[1]", "/html[1]/body[1]/li[2]/p[1]"]
    assert all(0 < cell.confidence <= 1 for cell in cells)


# --- any page -----------------------------------------------------------------------------------------------------


def squeeze(text: str) -> str:
    """Return the text without white space, characters of no width, and case."""
    return re.sub(rf"[\s{ZERO_WIDTH}]+", "", text).lower()


@given(trees())
def test_no_page_breaks_the_columns_and_every_value_is_on_the_page(html: str):
    page = read_page(html)
    shown = squeeze("".join(page.text[i] for i in range(len(page)) if not page.silent[i]))
    attributes = {" ".join(value.split()) for attrs in page.attrs for value in attrs.values()}
    for region in peneira.extract(page).regions:
        assert {column.name for column in region.columns} <= {column.name for column in region.all_columns}
        for record in region.records:
            assert record.fields.keys() <= {column.name for column in region.all_columns}
            for cell in record.fields.values():
                assert cell.xpath.startswith("/")
                assert all(
                    text and (squeeze(text) in shown or text in attributes) for text in cell.items or (cell.text,)
                )


@given(
    st.lists(
        st.sampled_from(["<p class=a>x 1", "<p class=b>y 2", "<b>z</b>", "<img src=/i>", "<ul><li>q<li>r</ul>"]),
        max_size=6,
    )
)
def test_equal_records_give_equal_columns_in_any_number(parts: list[str]):
    three = region_of("".join(f"<section><i>{k}</i>{''.join(parts)}</section>" for k in range(3)), "section")
    five = region_of("".join(f"<section><i>{k}</i>{''.join(parts)}</section>" for k in range(5)), "section")
    assert [replace(column, confidence=1.0) for column in three.all_columns] == [
        replace(column, confidence=1.0) for column in five.all_columns
    ]
    assert all(few.confidence <= more.confidence for few, more in zip(three.all_columns, five.all_columns, strict=True))


def test_a_list_of_a_thousand_differing_records_is_aligned_in_time():
    words = [f"w{chr(97 + k % 26)}{chr(97 + k // 26)}" for k in range(400)]
    html = "".join(
        f"<li><h3>T {k}</h3>" + "".join(f"<p class={words[(k * 7 + j * 13) % 400]}>v {k} {j}</p>" for j in range(12))
        for k in range(400)
    )
    assert columns(html)["title"][399] == "T 399"


def test_a_list_has_at_most_300_columns():
    cells = "".join(f"<p class=w{chr(97 + k // 26)}{chr(97 + k % 26)}y>{k} {{}}</p>" for k in range(301))
    region = region_of("".join(f"<li>{cells.format(*[row] * 301)}" for row in ("a", "b")))
    assert len(region.all_columns) == 300


def test_columns_beyond_the_maximum_are_left_out_and_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("peneira.columns.builder.MAX_COLUMNS", 2)
    third = ["", "now and then"]
    rows = "".join(
        f"<tr><td><a>Kettle number {k}</a><td>{k},90<td>{third[k % 2]} {k if k % 2 else ''}" for k in range(6)
    )
    region = peneira.extract(f"<table>{rows}</table>").main
    assert [str(reason) for reason in region.reasons if reason.code == ReasonCode.COLUMNS_LEFT_OUT] == [
        "the 2 fullest columns of 3; the others were left out"
    ]
    assert len(region.all_columns) == 2
