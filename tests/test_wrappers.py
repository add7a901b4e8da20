"""Wrappers of selectors: learned without labels, saved, checked, healed, exported."""

from __future__ import annotations

import json
from dataclasses import fields
from decimal import Decimal
from pathlib import Path

import parsel
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import peneira
from generated import soup
from peneira.errors import InputError, WrapperError
from peneira.types.notation import Notation
from peneira.values import Money
from peneira.wrappers.export import exported, scrapy_module
from peneira.wrappers.saved_columns import stats_of
from peneira.wrappers.store import dumps, loads
from peneira.wrappers.wrapper import Wrapper
from peneira.xpath.class_words import is_stable

FILMS = [
    ("Up", "2009", "$12.50", ("Animation", "Drama")),
    ("Her", "2013", "$9.90", ("Drama", "Romance", "Sci-Fi")),
    ("Big", "1988", "$7.00", ("Comedy",)),
    ("Alien", "1979", "$11.20", ("Horror", "Sci-Fi")),
    ("Jaws", "1975", "$8.75", ("Thriller", "Drama")),
]


def film(title: str, year: str, price: str, genres: tuple[str, ...], *, heading: str = "title") -> str:
    items = "".join(f"<li>{genre}</li>" for genre in genres)
    return f"""<html lang="en-US"><body><div id="menu"><a href="/">Home</a> <a href="/films">All films</a></div>
    <div class="film"><h1 class="{heading}">{title}</h1><table><tr><th>Year</th><td>{year}</td></tr>
    <tr><th>Price</th><td>{price}</td></tr></table><h2>Genres</h2><ul class="genres">{items}</ul></div>
    <p>Write to us about our films</p></body></html>"""


def shop(items: list[tuple[str, str]], *, item: str = "offer", name: str = "name") -> str:
    rows = "".join(
        f'<li class="{item}"><a class="{name}" href="/p/{k}">{title}</a> <b>{price}</b>'
        f"<p>Ships in {k + 1} days</p></li>"
        for k, (title, price) in enumerate(items)
    )
    return f"<html><body><ul id=nav><li>Home<li>Help</ul><div id=results><ul>{rows}</ul></div></body></html>"


OFFERS = [(f"Lamp number {k} of the shop", f"${k}.50") for k in range(1, 9)]
DETAIL = peneira.learn([film(*row) for row in FILMS], kind="detail")
LIST = peneira.learn([shop(OFFERS)], kind="list")


def values(wrapper: Wrapper, page: str) -> list[dict[str, object]]:
    main = wrapper.extract(page).main
    records = main.records if main else ()
    return [{name: list(cell.items) or cell.text for name, cell in record.fields.items()} for record in records]


def test_what_differs_between_detail_pages_is_data_under_its_label():
    result = DETAIL.extract(film("Heat", "1995", "$10.00", ("Crime", "Drama")))
    assert result.verdict == "detail" and result.main is not None
    (record,) = result.main.records
    assert {name: list(cell.items) or cell.text for name, cell in record.fields.items()} == {
        "title": "Heat",
        "year": "1995",
        "price": "$10.00",
        "genres": ["Crime", "Drama"],
    }
    assert record.fields["price"].value == Money(Decimal("10.00"), "$")


def test_at_most_three_images_of_a_detail_page_are_columns():
    pages = [
        f"<h1>{title}</h1>" + "".join(f"<div class={name}><img src=/{name}/{year}.jpg></div>" for name in "abcd")
        for title, year, *_ in FILMS
    ]
    columns = peneira.learn(pages, kind="detail").fields
    assert [column.typing.type for column in columns].count("image") == 3


@pytest.mark.parametrize(("width_px", "images"), [(40, 1), (39, 0)])
def test_an_image_of_less_than_40_pixels_is_an_icon(width_px: int, images: int):
    pages = [f"<h1>{title}</h1><div class=a><img src=/{year}.jpg width={width_px}></div>" for title, year, *_ in FILMS]
    columns = peneira.learn(pages, kind="detail").fields
    assert [column.selector.attribute for column in columns].count("src") == images


def test_a_missing_value_does_not_shift_the_others():
    page = film("Heat", "1995", "$10.00", ("Crime",)).replace("<tr><th>Year</th><td>1995</td></tr>", "")
    (row,) = values(DETAIL, page)
    assert (row.get("year"), row["price"]) == (None, "$10.00")


def test_a_list_is_read_by_what_its_records_share():
    more = [("Desk of oak", "$80.00"), ("Chair of pine", "$31.99"), ("Shelf of steel", "$12.00")]
    rows = values(LIST, shop(more))
    assert [(row["title"], row["url"]) for row in rows] == [(title, f"/p/{k}") for k, (title, _) in enumerate(more)]
    assert LIST.records is not None and "offer" in str(LIST.records.selector)


def test_records_of_several_siblings_are_read_whole():
    def page(names: list[str]) -> str:
        rows = "".join(
            f"<tr class=head><td><a href='/{n}'>{n} the great</a></td></tr>"
            f"<tr class=more><td>Said to be {len(n)} years old, born in {n}ville</td></tr>"
            for n in names
        )
        return f"<table id=people>{rows}</table>"

    wrapper = peneira.learn([page(["Ana", "Bia", "Cid", "Dora", "Eva", "Filipe"])], kind="list")
    result = wrapper.extract(page(["Gil", "Hugo"]))
    assert result.main is not None
    assert [record.text.split()[0] for record in result.main.records] == ["Gil", "Hugo"]


def test_the_pages_decide_what_kind_they_are():
    assert peneira.learn([film(*row) for row in FILMS]).kind == "detail"
    more = [(f"Table number {k} from the workshop", f"${k}0.00") for k in range(3, 12)]
    assert peneira.learn([shop(OFFERS), shop(more)]).kind == "list"


def test_pages_without_a_list_cannot_be_learned_as_list_pages():
    with pytest.raises(InputError, match="no list of records"):
        peneira.learn(["<p>Just a sentence.</p>"], kind="list")


def test_equal_pages_have_nothing_to_learn():
    with pytest.raises(InputError, match="no text differs between these pages"):
        peneira.learn(["<p>Down for repairs.</p>"] * 3, kind="detail")


def test_a_page_of_another_template_is_named_and_not_read():
    result = DETAIL.extract(shop(OFFERS))
    assert (result.verdict, result.regions, result.main) == ("other-template", (), None)
    assert str(result.reasons[0]).startswith("another template: 0% of the")
    assert LIST.extract(film(*FILMS[0])).reasons[0].detail.startswith("another template: no record")


def test_a_page_of_another_template_can_be_read_without_the_wrapper():
    result = DETAIL.extract(shop(OFFERS), otherwise="auto")
    assert result.main is not None
    assert (len(result.main.records), str(result.reasons[0])[:16]) == (8, "another template")


def test_generated_class_names_are_no_anchors():
    assert [is_stable(word) for word in ("price", "css-1x2y3z9", "dheQRw", "item-1042", "odd")] == [
        True,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize("wrapper", [DETAIL, LIST])
def test_a_saved_and_loaded_wrapper_is_byte_equal(wrapper: Wrapper, tmp_path: Path):
    wrapper.save(tmp_path / "one.json")
    again = peneira.Wrapper.load(tmp_path / "one.json")
    again.save(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert again == wrapper


def test_the_file_has_exactly_the_keys_of_the_schema():
    import importlib.resources

    text = importlib.resources.files("peneira.wrappers").joinpath("wrapper.schema.json").read_text()
    schema = json.loads(text)
    document = json.loads(dumps(LIST))
    optional = ("arrangement", "method", "template", "hidden", "templates", "notes", "corrections")
    assert list(document) == schema["required"] == [key for key in schema["properties"] if key not in optional]
    column, reading = schema["$defs"]["column"], schema["$defs"]["reading"]
    assert list(document["columns"][0]["readings"][0]) == reading["required"] == list(reading["properties"])
    assert (
        [*document["columns"][0], "slot", "header"]
        == [*column["required"], "slot", "header"]
        == list(column["properties"])
    )
    assert list(document["records"]) == schema["properties"]["records"]["oneOf"][1]["required"]
    assert list(document["baseline"]) == schema["properties"]["baseline"]["required"]
    assert [each.name for each in fields(Notation)] == list(column["properties"]["notation"]["properties"])


def edited(**changes: object) -> str:
    return json.dumps({**json.loads(dumps(DETAIL)), **changes})


def edited_reading(**changes: object) -> str:
    document = json.loads(dumps(DETAIL))
    document["columns"][0]["readings"][0].update(changes)
    return json.dumps(document)


def edited_mark(**changes: object) -> str:
    mark = {"kind": "text", "text": ",", "index": 0, "inside": False, **changes}
    return edited_reading(cut={"start": mark, "end": None, "trimmed": True})


def edited_column(**changes: object) -> str:
    document = json.loads(dumps(DETAIL))
    document["columns"][0].update(changes)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (dumps(DETAIL)[:200], "is not whole JSON"),
        ("[]", "must be an object, not a list"),
        ('{"format": "other"}', "is not a wrapper"),
        (edited(version=3), "version 3 is made by a newer peneira"),
        (edited(surprise=1), "surprise: is not known here"),
        (edited(kind="magic"), "kind: 'magic' is not one of"),
        (edited(columns=[]), "at least one column"),
        (edited(records={}), "records: xpath: is missing"),
        (edited_reading(xpath="//h1[last()]"), r"columns\[0\]: readings\[0\]: xpath: .* wrappers do not know"),
        (edited_reading(xpath=".//h1"), "must begin with a slash"),
        (edited_column(fill=7), "fill: must be from 0 to 1"),
        (edited_column(name="price"), "two columns are named 'price'"),
        (edited_column(list="yes"), "list: must be true or false, not a text"),
        (edited_column(notation={"best": "many"}), "best: must be a decimal number"),
        (edited_column(code="import os"), "code: is not known here"),
        (edited_column(readings=[]), "a column of the page has readings"),
        (edited_column(source="json-ld"), "one of embedded data or a template has none"),
        (edited_column(type="records"), "a column of records has columns"),
        (edited_column(role="king"), "role: 'king' is not one of"),
        (edited_reading(cut={"start": None}), "cut: end: is missing"),
        (edited_reading(cut={"start": None, "end": {}, "trimmed": True}), "end: kind: is missing"),
        (edited_mark(kind="regex"), "'regex' is not one of"),
        (edited_mark(text=""), "a mark of the kind text has one"),
        (edited_mark(index=10**6), "index: is beyond 1,000"),
    ],
)
def test_an_invalid_file_raises_an_error_that_states_what_is_wrong(text: str, message: str):
    with pytest.raises(WrapperError, match=message):
        loads(text)


def test_unreadable_files_raise_wrapper_errors(tmp_path: Path):
    with pytest.raises(WrapperError, match="cannot be read"):
        peneira.Wrapper.load(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrapperError, match="not UTF-8"):
        peneira.Wrapper.load(tmp_path / "binary.json")


def test_a_file_of_more_than_5000000_bytes_is_refused(tmp_path: Path):
    path = tmp_path / "large.json"
    path.write_bytes(b" " * 5_000_000)
    with pytest.raises(WrapperError, match="JSON"):
        peneira.Wrapper.load(path)
    path.write_bytes(b" " * 5_000_001)
    with pytest.raises(WrapperError, match="larger than 5,000,000 bytes"):
        peneira.Wrapper.load(path)


def test_a_file_of_more_than_1000_columns_is_refused():
    wrapper = json.loads(dumps(LIST))
    wrapper["columns"] = [{**wrapper["columns"][0], "name": f"c{k}"} for k in range(1000)]
    assert len(loads(json.dumps(wrapper)).fields) == 1000
    wrapper["columns"].append({**wrapper["columns"][0], "name": "last"})
    with pytest.raises(WrapperError, match="at most 1,000 columns, not 1,001"):
        loads(json.dumps(wrapper))


def test_a_file_with_records_of_more_than_100000_nodes_is_refused():
    wrapper = json.loads(dumps(LIST))
    wrapper["records"]["nodes"] = 100_000
    assert loads(json.dumps(wrapper)).kind == "list"
    wrapper["records"]["nodes"] = 100_001
    with pytest.raises(WrapperError, match="1 to 100,000 nodes, not 100,001"):
        loads(json.dumps(wrapper))


def test_a_wrapper_keeps_the_first_three_values_of_a_column_each_up_to_80_characters():
    stats = stats_of([["x" * 80], ["y" * 81], ["z"], ["last"]], 4)
    assert stats.samples == ("x" * 80, "y" * 80, "z")


def test_a_wrapper_keeps_the_four_most_frequent_patterns_of_a_column_each_up_to_24_characters():
    stats = stats_of([[text] for text in ("a", "9", "a9", "9a", "9a9")], 5)
    assert stats.patterns == ("9", "9a", "9a9", "a")
    assert stats_of([["-" * 24], ["+" * 25]], 2).patterns == ("+" * 24, "-" * 24)


@given(st.text(max_size=300))
def test_any_text_that_is_no_wrapper_raises_a_wrapper_error(text: str):
    with pytest.raises(WrapperError):
        loads(text)


def test_own_pages_are_ok():
    assert DETAIL.check(film("Heat", "1995", "$10.00", ("Crime",))).verdict == "ok"
    assert LIST.check(shop(OFFERS[:6])).verdict == "ok"


def test_fewer_records_are_reported():
    report = LIST.check(shop(OFFERS[::2]))
    assert (report.verdict, [str(reason) for reason in report.reasons]) == (
        "degraded",
        ["4 records a page, where there were 8"],
    )


def test_a_lost_column_is_reported_over_several_pages():
    pages = [film(*row).replace("<th>Price</th>", "<th>Cost</th>") for row in FILMS]
    report = DETAIL.check(pages)
    assert report.verdict == "degraded"
    assert [str(reason) for reason in report.reasons] == ["column price has no value; 100% of the records had one"]


def test_a_column_of_another_type_is_reported():
    report = DETAIL.check([film(title, year, "call us", genres) for title, year, _, genres in FILMS])
    assert (report.verdict, report.reasons[0].name) == ("degraded", "changed type")


def test_two_values_are_too_few_to_show_another_type():
    pages = [film(title, year, "call us", genres) for title, year, _, genres in FILMS]
    assert DETAIL.check(pages[:2]).verdict == "ok"
    assert DETAIL.check(pages[:3]).verdict == "degraded"


def test_pages_of_another_template_have_their_own_verdict():
    assert DETAIL.check(shop(OFFERS)).verdict == LIST.check(film(*FILMS[0])).verdict == "other-template"
    assert DETAIL.check(shop(OFFERS)).reasons[0].name == "other template"


def test_empty_pages_are_broken():
    assert DETAIL.check("").verdict == "broken"
    assert DETAIL.check(["", "", film(*FILMS[0]), shop(OFFERS)]).verdict == "broken"
    assert DETAIL.check(["", shop(OFFERS)]).verdict == "other-template"


def test_a_few_pages_of_another_template_degrade_the_others():
    report = DETAIL.check([*(film(*row) for row in FILMS), shop(OFFERS)])
    assert (report.verdict, str(report.reasons[0])) == (
        "degraded",
        "1 of 6 pages are empty or of another template",
    )


def test_a_check_without_pages_is_broken():
    assert str(DETAIL.check([])) == "broken\n  there is no page to check"


def test_a_healed_wrapper_gives_the_old_values_under_the_old_names():
    renamed = shop(OFFERS, item="entry", name="caption")
    assert LIST.check(renamed).verdict == "other-template"
    healing = LIST.heal([renamed])
    assert healing.accepted
    assert values(healing.wrapper, renamed) == values(LIST, shop(OFFERS))
    assert {change.old for change in healing.changes if change.new} == {column.name for column in LIST.fields}


def test_a_column_that_moved_within_a_table_is_found_again_when_healing():
    def page(*heads: str) -> str:
        cells = {"No": "{0}1", "Name": "Person number {0}", "Town": "Town of {0}", "Born": "19{0}"}
        rows = "".join(
            "<tr>" + "".join(f"<td>{cells[head].format(k)}</td>" for head in heads) + "</tr>" for k in range(20, 30)
        )
        return f"<table id=people><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{rows}</table>"

    wrapper = peneira.learn([page("No", "Name", "Town", "Born")], kind="list")
    healing = wrapper.heal([page("No", "Town", "Born")])
    assert not healing.accepted and "lost or different: title" in str(healing.reason)
    moved = {change.old: bool(change.new) for change in healing.changes if change.old}
    assert moved == {"title": False, "id": True, "town": True, "born": True}


def test_healing_with_too_few_records_is_refused():
    healing = LIST.heal([shop(OFFERS[:2])])
    assert not healing.accepted


def test_columns_that_still_read_well_are_kept_when_healing():
    pages = [film(*row, heading="headline") for row in FILMS]
    healing = DETAIL.heal(pages)
    moved = [change.old for change in healing.changes if change.old_selector != change.new_selector]
    assert (healing.accepted, moved) == (True, ["title"])
    assert values(healing.wrapper, pages[0]) == values(DETAIL, film(*FILMS[0]))


def test_healing_from_pages_of_another_kind_is_refused():
    healing = LIST.heal(["<p>Down for repairs.</p>"])
    assert (healing.accepted, healing.wrapper) == (False, LIST)
    assert not DETAIL.heal(["<p>Down for repairs.</p>", "<p>Down for longer.</p>"]).accepted


def read_by_parsel(wrapper: Wrapper, page: str) -> list[dict[str, object]]:
    names: dict[str, object] = {}
    exec(scrapy_module(wrapper), names)
    rows = names["read"](parsel.Selector(text=page))  # type: ignore[operator]
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


@pytest.mark.parametrize(
    ("wrapper", "page"), [(DETAIL, film("Heat", "1995", "$10.00", ("Crime", "Drama"))), (LIST, shop(OFFERS[:5]))]
)
def test_the_module_for_scrapy_reads_the_same_values_with_parsel(wrapper: Wrapper, page: str):
    assert read_by_parsel(wrapper, page) == values(wrapper, page)


def test_selectors_are_exported_one_per_line():
    lines = exported(DETAIL, "css").splitlines()
    assert lines[0] == "title\th1.title::text"
    assert exported(LIST, "xpath").startswith("records\t//li[")


@pytest.mark.parametrize("kind", ["list", "detail"])
def test_pages_of_any_depth_are_learned_and_read(kind: str):
    deep = "<div>" * 900 + "<ul class=names><li><b>One</b> a<li><b>Two</b> b<li><b>Three</b> c</ul>" + "</div>" * 900
    wrapper = peneira.learn([deep, deep.replace("One", "Four")], kind=kind)
    assert loads(dumps(wrapper)) == wrapper
    wrapper.extract(deep)


@settings(max_examples=40)
@example(["b<b<div>x"], "<b<div>x")
@given(st.lists(soup, min_size=1, max_size=3), soup)
def test_any_pages_make_a_wrapper_that_can_be_saved_and_reads_any_page(pages: list[str], page: str):
    for kind in ("detail", "list"):
        try:
            wrapper = peneira.learn(pages, kind=kind)
        except InputError:
            continue
        assert loads(dumps(wrapper)) == wrapper
        wrapper.extract(page)
        wrapper.check([page, *pages])
