"""Bylines as authors, titles in headings, and names of values with digits."""

from __future__ import annotations

import pytest

import peneira
from peneira.result import Region

NAMES = ("Ann Moreno", "Bob Lee", "Eve Stone", "Ida Berg", "Max Ode")
TITLES = ("A new bridge", "Rain in May", "Two old mills", "The long road", "Night trains")


def news(form: str) -> Region:
    items = [
        form.format(k=k, name=name, slug=name.partition(" ")[0].lower(), title=title)
        for k, (name, title) in enumerate(zip(NAMES, TITLES, strict=True), 1)
    ]
    region = peneira.extract(f"<main>{''.join(items)}</main>", url="https://news.example/").main
    assert region is not None
    return region


def texts(region: Region, name: str) -> list[str]:
    return [record[name].text for record in region.records]


@pytest.mark.parametrize(
    "byline",
    [
        "By {name}",
        "By <a href=/people/{slug}>{name}</a>",
        "<span>By <a href=/people/{slug}> {name} </a> •</span> <span>Dec. 1{k}, 2025</span>",
    ],
)
def test_the_word_before_an_author_is_none_of_the_name(byline):
    region = news(f"<article><h3><a href=/n/{{k}}>{{title}}</a></h3><p>{byline}</p><img src=/{{k}}.jpg></article>")
    assert texts(region, "author") == list(NAMES)


def test_the_text_in_a_heading_is_the_title_rather_than_the_kind_above_it():
    kinds = ("Resources", "Courses and badge", "3 courses and 4 badges", "Lessons and badge", "Educator resource")
    titles = ["Data Science: Getting Started", "Data Fundamentals", "Data Science Foundations", "Open Data", "Maps"]
    cards = [
        f"<li><a href=/x/{k}><div><p>{kind}</p><h3>{title}</h3></div></a></li>"
        for k, (kind, title) in enumerate(zip(kinds, titles, strict=True))
    ]
    region = peneira.extract(f"<ul>{''.join(cards)}</ul>", url="https://learn.example/").main
    assert region is not None and texts(region, "title") == titles


@pytest.mark.parametrize("value", ["{k}0-inch", "{k}コメント", "199{k}/199{k}", "@user{k}"])
def test_words_with_numbers_are_not_called_code(value):
    region = news(f"<article><h3><a href=/n/{{k}}>{{title}}</a></h3><p>{value}</p><img src=/{{k}}.jpg></article>")
    assert not [column.name for column in region.columns if column.name.startswith("code")]


def test_a_name_that_begins_like_the_label_is_whole():
    names = ("Ann Lee", "Bob Ray", "Cid Fox", "Dee Kay", "Eve Poe", "Flo Day", "Gus Orr")
    lines = [*(f"By {name}" for name in names), "Byron White"]
    items = "".join(
        f"<li><h3><a href=/n/{k}>News of the {k}th team</a></h3><p class=author>{line}</p></li>"
        for k, line in enumerate(lines)
    )
    region = peneira.extract(f"<ul>{items}</ul>", url="https://a.example/").main
    assert region is not None
    assert [record["author"].text for record in region][-2:] == ["Gus Orr", "Byron White"]
