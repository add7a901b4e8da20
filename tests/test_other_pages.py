"""Wrappers on other pages of a site than those learned from: hidden columns, spare selectors, headers, variants."""

from __future__ import annotations

import parsel

import peneira
from peneira.wrappers.export import site_data
from peneira.wrappers.exported_reader import Site, read
from peneira.wrappers.store import dumps, loads

NAMES = ("Blue mug", "Red plate", "Green bowl", "White cup", "Black pan", "Grey pot")


def table(headers: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{header}</th>" for header in headers)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<h1>Cases</h1><table id=cases><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cases(*headers: str) -> str:
    cells = {
        "Date": lambda k: f"{k + 10}/03/2024",
        "Number": lambda k: f"2024-{k:03d}",
        "Title": lambda k: f"{name} v. State" if (name := NAMES[k].title()) else "",
        "County": lambda k: f"County {NAMES[k]}",
    }
    return table(list(headers), [[cells[header](k) for header in headers] for k in range(6)])


CASES = cases("Date", "Number", "Title")


def texts(wrapper: peneira.Wrapper, html: str) -> list[dict[str, str]]:
    region = wrapper.extract(html).main
    assert region is not None
    return [
        {column.name: record[column.name].text for column in region.columns if column.name in record}
        for record in region
    ]


def exported_texts(wrapper: peneira.Wrapper, html: str) -> list[dict[str, str]]:
    rows = read(parsel.Selector(text=html), site=Site(**site_data(wrapper)))  # type: ignore[arg-type]
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def test_columns_of_a_table_move_with_their_headers():
    wrapper = loads(dumps(peneira.learn([CASES], kind="list")))
    other = cases("Date", "County", "Number", "Title")
    assert texts(wrapper, other) == texts(wrapper, CASES)
    assert exported_texts(wrapper, other) == texts(wrapper, other)


def test_a_column_whose_header_is_gone_is_not_read_from_its_neighbour():
    wrapper = peneira.learn([CASES], kind="list")
    without = cases("Date", "Title")
    wanted = texts(wrapper, without)
    number = next(column.name for column in wrapper.columns if column.caption == "Number")
    assert len(wanted) == 6 and all(number not in row for row in wanted)
    assert exported_texts(wrapper, without) == wanted


def test_a_table_with_other_headers_is_of_another_template():
    wrapper = peneira.learn([CASES], kind="list")
    foreign = CASES.replace("Date", "Day").replace("Number", "Points").replace("Title", "Team")
    assert wrapper.extract(foreign).verdict == "other-template"
    assert exported_texts(wrapper, foreign) == []


def products(section: str, seller: str = "") -> str:
    items = "".join(
        f"<li class=item><h2 class={section}-name>{name}</h2><p class={section}-price>{k + 1}.50 €</p>"
        f"<div class=about><span>{len(name)} pieces left</span>"
        f"<em class=seller>{seller or name + ' Ltd'}</em></div></li>"
        for k, name in enumerate(NAMES)
    )
    return f"<html lang=en><h1>Shop</h1><ul>{items}</ul></html>"


def test_a_column_that_is_empty_on_a_whole_page_is_read_by_its_spare_selector():
    wrapper = loads(dumps(peneira.learn([products("kitchen")], kind="list")))
    other = products("garden")
    read_again = texts(wrapper, other)
    assert [row["price"] for row in read_again] == [f"{k + 1}.50 €" for k in range(6)]
    assert exported_texts(wrapper, other) == read_again


def test_hidden_columns_are_read_when_asked_for_and_shown_by_a_correction():
    wrapper = loads(dumps(peneira.learn([products("kitchen", seller="Mugs and more")], kind="list")))
    hidden = [column.name for column in wrapper.hidden if "Mugs and more" in column.stats.samples]
    assert hidden
    region = wrapper.extract(products("kitchen", seller="Plates and co")).main
    assert region is not None
    assert hidden[0] not in [column.name for column in region.columns]
    assert region[0][hidden[0]].text == "Plates and co"
    assert hidden[0] in [column.name for column in region.all_columns]


def film(k: int, form: str) -> str:
    title, year, director = f"Film {NAMES[k]}", 1980 + 3 * k, f"{NAMES[k - 1].title()} Smith"
    if form == "old":
        return (
            f"<div class=page><h1 class=title>{title}</h1><table class=facts><tr><th>Year</th><td>{year}</td></tr>"
            f"<tr><th>Director</th><td>{director}</td></tr></table><p class=plot>{title} is about {director}.</p></div>"
        )
    return (
        f"<main><header class=top><h1 class=headline>{title}</h1></header><section class=box><div class=inner>"
        f"<dl class=data><dt>Year</dt><dd>{year}</dd><dt>Director</dt><dd>{director}</dd></dl></div></section>"
        f"<article class=text><p class=story>{title} is about {director}.</p></article></main>"
    )


def test_pages_of_a_new_variant_are_learned_beside_the_old_ones():
    wrapper = peneira.learn([film(k, "old") for k in range(6)], kind="detail")
    pages = [film(k, "old" if k % 2 else "new") for k in range(6)]
    healing = wrapper.heal(pages)
    assert healing.accepted, healing.reason
    for page in pages:
        record = healing.wrapper.extract(page).main[0]  # type: ignore[index]
        assert record["director"].text in page and record["title"].text.startswith("Film ")


def test_check_reports_values_that_no_longer_look_alike():
    def job(k: int, reference: str) -> str:
        return (
            f"<h1>Cook {NAMES[k]}</h1><p><b>Reference</b> <i>{reference}</i></p><p><b>Place</b> <i>{NAMES[k]}</i></p>"
        )

    wrapper = peneira.learn([job(k % 6, f"AB-{k}{k + 3}") for k in range(12)], kind="detail")
    assert wrapper.check([job(k, f"AB-{k}7") for k in range(6)]).verdict == "ok"
    report = wrapper.check([job(k, f"ask the {NAMES[k].lower()} office") for k in range(6)])
    assert report.verdict == "degraded"
    assert [reason.code for reason in report.reasons] == ["changed values"]
