"""Words of addresses that say what a link leads to."""

from __future__ import annotations

import pytest

import peneira
from peneira.columns.link_paths import named_by_path, path_words, roles_of_path

TITLES = ("A tale of two rivers", "The clock of the north", "Bread and salt", "On small islands", "The last ferry home")


@pytest.mark.parametrize(
    ("urls", "words"),
    [
        (["https://a.example/authors/17", "https://a.example/authors/18/"], {"authors"}),
        (["https://a.example/user?id=ann", "https://a.example/user?id=bob"], {"user"}),
        (["https://a.example/tag/x", "https://a.example/author/y"], set()),
        (["https://a.example/ann"], set()),
        (["http://[bad"], set()),
        ([], set()),
    ],
)
def test_words_that_all_addresses_have_in_front_of_their_end(urls: list[str], words: set[str]):
    assert path_words(urls) == words


@pytest.mark.parametrize(
    ("word", "roles"),
    [
        ("authors", {"author"}),
        ("members", {"author"}),
        ("u", {"author"}),
        ("companies", {"company"}),
        ("categories", {"category"}),
        ("story", set()),
        ("us", set()),
    ],
)
def test_a_word_of_a_path_stands_for_a_role(word: str, roles: set[str]):
    assert set(roles_of_path([word])) == roles
    assert named_by_path([word]) == (word if roles else "")


@pytest.mark.parametrize("names", [["fox1", "kim20", "bo7", "ada99", "lu3"], ["Kim", "rosa", "bo.lee", "ada", "Lu"]])
def test_the_text_of_a_link_to_a_member_is_the_author(names: list[str]):
    rows = [
        f"<div><h3><a href='/t/{k}-{title[:4]}'>{title}</a></h3><p><a href='/members/{k + 40}'>{names[k]}</a></p></div>"
        for k, title in enumerate(TITLES)
    ]
    region = peneira.extract(f"<main>{''.join(rows)}</main>", url="https://talk.example/").main
    assert region is not None
    assert {column.role: region.records[0][column.name].text for column in region.columns}["author"] == names[0]
