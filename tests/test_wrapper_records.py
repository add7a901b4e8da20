"""Which nodes of a list page are records to a wrapper: known by shape and columns, wherever they stand."""

from __future__ import annotations

import parsel
from hypothesis import given, settings

import peneira
from generated import soup
from peneira.sources.html import read_page
from peneira.wrappers.export import scrapy_module
from peneira.wrappers.record_finder import start_of_text
from peneira.wrappers.record_shapes import element_counts, record_shape, shape_similarity
from peneira.wrappers.wrapper import Wrapper

CASES = [(f"A-{k}", f"Case of the {name} against the town", f"{k} May 2024") for k, name in enumerate("abcdefgh", 1)]


def rows_of(cases: list[tuple[str, str, str]]) -> str:
    return "".join(
        f"<tr><td>{code}</td><td><a href='/{code}'>{title}</a></td><td>{day}</td></tr>" for code, title, day in cases
    )


def docket(cases: list[tuple[str, str, str]], *, inside: str = "<div id=cases><table>{}</table></div>") -> str:
    head = "<tr><td>Number</td><td>Style of the case</td><td>Day</td></tr>"
    return f"<html><body><p>Court of the town</p>{inside.format(head + rows_of(cases))}</body></html>"


def texts(wrapper: Wrapper, page: str) -> list[str]:
    main = wrapper.extract(page).main
    return [record.text for record in main.records] if main else []


def by_parsel(wrapper: Wrapper, page: str) -> list[dict[str, object]]:
    names: dict[str, object] = {}
    exec(scrapy_module(wrapper), names)
    return list(names["read"](parsel.Selector(text=page)))  # type: ignore[operator]


DOCKET = peneira.learn([docket(CASES)], kind="list")


def test_a_row_of_headings_is_no_record_on_any_page():
    found = texts(DOCKET, docket(CASES[:3]))
    assert found == [f"{code} {title} {day}" for code, title, day in CASES[:3]]
    assert DOCKET.records is not None and DOCKET.records.skips == ("Number Style of the case Day",)


def test_the_shape_of_a_record_is_how_many_of_each_element_it_has():
    assert DOCKET.records is not None
    assert DOCKET.records.shape == {"tr": (1, 1), "tr/td": (3, 3), "tr/td/a": (1, 1)}


def test_records_are_found_elsewhere_and_the_table_around_them_is_no_record():
    def page(inside: str) -> str:
        items = "".join(
            f"<table><tr><td class=name><a href='/{code}'>{title}</a></td><td class=day>{day}</td></tr></table>"
            for code, title, day in CASES
        )
        return f"<html><body>{inside.format(items)}</body></html>"

    wrapper = peneira.learn([page("<div><p>Cases</p></div><div>{}</div>")], kind="list")
    moved = page("<table><tr><td><p>Cases of our town</p>{}</td></tr></table>")
    assert texts(wrapper, moved) == [f"{title} {day}" for _, title, day in CASES]
    assert len(by_parsel(wrapper, moved)) == len(CASES)


def test_rows_that_are_parts_of_records_are_another_template():
    def page(rows: str) -> str:
        return f"<html><body><p>Court</p><div id=cases><table>{rows}</table></div></body></html>"

    whole = ("".join(f"<td><a href='/{case[0]}'>{value}</a></td>" for value in case) for case in CASES)
    wrapper = peneira.learn([page("".join(f"<tr>{cells}</tr>" for cells in whole))], kind="list")
    parts = page(
        "".join(
            f"<tr><td>{label}</td><td>{value}</td></tr>"
            for code, title, day in CASES
            for label, value in (("Number", code), ("Style", title), ("Day", day), ("Judge", "Doe"))
        )
    )
    result = wrapper.extract(parts)
    assert result.main is None and str(result.reasons[0]).startswith("another template")
    assert by_parsel(wrapper, parts) == []
    assert wrapper.check(parts).verdict == "other-template"


def test_columns_that_differ_only_by_the_state_of_the_record_are_joined():
    def game(k: int) -> str:
        states = ("winner", "loser") if k % 2 else ("loser", "winner")
        link = f"<td class=report><a href='/games/{k}'>Report of game number {k}</a></td>"
        return (
            f"<div class=game><table><tr class={states[0]}><td>Team {k}</td>{link}</tr>"
            f"<tr class={states[1]}><td>Rivals of {k}</td><td></td></tr></table></div>"
        )

    page = f"<html><body><div id=games>{''.join(map(game, range(10, 22)))}</div></body></html>"
    wrapper = peneira.learn([page], kind="list")
    texts = [column for column in wrapper.fields if not column.selector.attribute]
    reports = [column for column in texts if "report" in str(column.selector)]
    assert [(column.stats.fill, "winner" in str(column.selector)) for column in reports] == [(1.0, False)]


@given(soup)
@settings(max_examples=50)
def test_a_record_is_like_its_own_shape(html: str):
    page = read_page(html)
    if len(page):
        counts = element_counts(page, (page.body,))
        assert shape_similarity(counts, record_shape([counts])) == 1.0


def test_what_is_skipped_is_known_by_the_first_120_characters_of_its_text():
    page = read_page(f"<p>{'x' * 121}</p>")
    assert start_of_text(page, (page.text.index("x" * 121) - 1,)) == "x" * 120


TWO_ROWS = (
    '<tr><td><a href="/{n}">2 CA 2013-{n}</a></td><td>STATE v. {word}</td><td>{n} May 2014</td></tr>'
    "<tr><td colspan=3><p>Did the court err when it denied the motion of {word} to dismiss the case?</p></td></tr>"
)


def two_row_page(words: str) -> str:
    rows = "".join(TWO_ROWS.format(n=n, word=word) for n, word in enumerate(words.split(), 11))
    return f"<h1>Opinions</h1><table>{rows}</table>"


def test_records_of_two_rows_without_classes_are_told_apart_by_their_cells():
    wrapper = peneira.learn([two_row_page("Adams Baker Clark Davis Evans Foster")], kind="list")
    assert str(wrapper.records.selector).endswith("[count(*)=3]")
    question = "Did the court err in its judgment when it denied the motion of {} to dismiss?"
    assert texts(wrapper, two_row_page("Young Zeller Quinn Price"))[:2] == [
        f"2 CA 2013-11 STATE v. Young 11 May 2014 {question.format('Young')}",
        f"2 CA 2013-12 STATE v. Zeller 12 May 2014 {question.format('Zeller')}",
    ]
