"""A heading above the only group of a list: a date or one of several categories, never the title of the list."""

from __future__ import annotations

import pytest

from list_columns import columns

PEOPLE = "".join(
    f"<li><b class=who>{name}</b><i class=what>plays the {what}</i></li>"
    for name, what in (("Ana", "harp"), ("Bia", "flute"), ("Cid", "drum"))
)


def headings(html: str) -> list[str]:
    """Return the values of the columns that are the same in all records."""
    return [values[0] for values in columns(html).values() if len(set(values)) == 1]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<section><h2>Monday, 6 May 2024</h2><ul>{PEOPLE}</ul></section>", ["Monday, 6 May 2024"]),
        (f"<div><p><b>x</b></p><div><h3>6 May 2024</h3></div><ul>{PEOPLE}</ul></div>", ["6 May 2024"]),
        (
            f"<section><h2>Music</h2><ul>{PEOPLE}</ul></section><section><h2>Sports</h2><ul><p>none</p></ul></section>",
            ["Music"],
        ),
        (f"<h2>Music</h2><ul>{PEOPLE}</ul><h2>Sports</h2><ul><p>none</p></ul>", ["Music"]),
    ],
    ids=["date", "wrapped date", "section beside another", "heading beside another"],
)
def test_a_heading_above_the_only_group_is_a_column(html: str, expected: list[str]):
    assert headings(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        f"<section><h2>Search results</h2><ul>{PEOPLE}</ul></section>",
        f"<h1>6 May 2024</h1><ul>{PEOPLE}</ul>",
        f"<h2>6 May 2024</h2><p>All people of the day</p><ul>{PEOPLE}</ul>",
        f"<section><h2>Music</h2><ul>{PEOPLE}</ul></section><section><h2>About us</h2><p>none</p></section>",
    ],
    ids=["title of the list", "title of the page", "not directly above", "section of another kind"],
)
def test_a_title_above_the_list_is_not_a_column(html: str):
    assert headings(html) == []


def test_of_what_stands_between_records_the_text_that_differs_is_the_heading():
    groups = [
        f"<div><div class=day>{day} May 2024</div><section><span class=head>Name, instrument</span>"
        + "".join(f"<li><b>{name} {day}</b><i>harp {day}</i></li>" for name in ("Ana", "Bia", "Cid"))
        + "</section></div>"
        for day in (6, 7, 8)
    ]
    days = [f"{day} May 2024" for day in (6, 7, 8) for _ in range(3)]
    assert days in columns(f"<main>{''.join(groups)}</main>").values()
