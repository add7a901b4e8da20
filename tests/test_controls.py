"""Texts in records that are no values: buttons, pagers, counters of pictures, icons, markup."""

from __future__ import annotations

import pytest

import peneira
from peneira.result import Region

TITLES = ("A tale of two rivers", "The clock of the north", "Bread and salt", "On small islands", "The last ferry home")

ABOUT = (
    "Two brothers leave the valley.", "A watchmaker looks for his daughter.", "Recipes of a village in the hills.",
    "Letters from a lighthouse.", "What became of the last crossing.",
)  # fmt: skip


def main_list(*extras: str) -> Region:
    """Return the list of five cards, each with a title and its extra markup."""
    cards = [
        f"<article><h2><a href='/b/{k}'>{title}</a></h2><p>{ABOUT[k]}</p>{extra}</article>"
        for k, (title, extra) in enumerate(zip(TITLES, extras, strict=True))
    ]
    region = peneira.extract(f"<html><body>{''.join(cards)}</body></html>", url="https://books.example/").main
    assert region is not None
    return region


def shown(region: Region) -> set[str]:
    return {cell.text for record in region for column in region.columns if (cell := record.fields.get(column.name))}


def kept(region: Region) -> set[str]:
    return {cell.text for record in region for column in region.all_columns if (cell := record.fields.get(column.name))}


@pytest.mark.parametrize(
    "extras",
    [
        ("<a href='/p/1'>View profile</a>", "", "<a href='/p/3'>View profile</a>", "", ""),
        tuple(f"<a href='/c?p={k}' title='Add to compare'><span>Compare</span></a>" for k in range(5)),
        ("<button>Quick shop</button>", "<button>Quick shop</button>", "", "", ""),
        tuple(
            f"<button>{words}</button>"
            for words in ("Add to cart", "Pre-order", "Add to cart", "Notify me", "Pre-order")
        ),
        tuple(f"<object><p>Your browser cannot draw picture {k}</p></object>" for k in range(5)),
        tuple(f"<div>1 / {k + 4}</div>" for k in range(5)),
        tuple(f"<span class=ball>{letter}</span>" for letter in "ACDAB"),
        tuple(f"<p>Embed &lt;iframe src='https://books.example/{k}'&gt;&lt;/iframe&gt;</p>" for k in range(5)),
        tuple(f"<p>1 2 3 ... {k + 6} {k + 7}</p>" for k in range(5)),
    ],
)
def test_what_no_person_would_copy_is_kept_aside(extras: tuple[str, ...]):
    region = main_list(*extras)
    plain = main_list("", "", "", "", "")
    assert shown(region) == shown(plain)
    assert len(kept(region)) > len(kept(plain))


def test_links_that_every_record_has_are_a_menu_and_not_tags():
    menu = "<ul><li><a href='/b/{0}/code'>Code</a><li><a href='/b/{0}/issues'>Issues</a>{1}</ul>"
    more = "<li><a href='/b/{0}/talk'>Talk</a>"
    region = main_list(*(menu.format(k, more.format(k) if k % 2 else "") for k in range(5)))
    assert shown(region) == shown(main_list("", "", "", "", ""))


def test_a_badge_that_some_records_have_is_shown():
    region = main_list("<b>Sold out</b>", "", "<b>Sold out</b>", "", "")
    assert "Sold out" in shown(region)


def test_the_same_date_in_all_records_is_shown_though_it_is_a_link():
    region = main_list(*("<a href='/2024/05/03'>3 May 2024</a>" for _ in TITLES))
    assert "3 May 2024" in shown(region)


def test_a_link_of_some_cells_is_no_field_of_its_own_under_their_header():
    rows = [
        f"<tr><td>{title} [<a href='/{k}.txt'>ada</a>].</td><td>{k} May 2024</td></tr>"
        if k % 2
        else f"<tr><td>{title}</td><td>{k} May 2024</td></tr>"
        for k, title in enumerate(TITLES, 1)
    ]
    head = "<tr><th>Case</th><th>Date</th></tr>"
    page = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    region = peneira.extract(page, url="https://books.example/").main
    assert region is not None
    assert not {"ada", "]."} & shown(region)


def test_links_that_look_like_buttons_are_no_values_though_they_say_two_things():
    extras = [
        f"<a class='btn btn-primary' href='/t/{k}'>{'More info' if k % 2 else 'Get tickets'}</a>" for k in range(5)
    ]
    assert shown(main_list(*extras)).isdisjoint({"More info", "Get tickets"})


def test_letters_that_are_scattered_over_elements_are_no_values():
    extras = [f"<div><span class=sep>{letter}\u2063</span></div>" for letter in "Sp3ns"]
    assert not any("\u2063" in text for text in shown(main_list(*extras)))


def test_links_like_buttons_that_lead_to_a_page_for_each_word_are_categories():
    words = ("Garden", "Kitchen", "Bedroom", "Garden", "Kitchen")
    assert set(words) <= shown(main_list(*(f"<a class='btn' href='/c/{word}'>{word}</a>" for word in words)))
    buttons = (f"<a class='btn' href='/{k}'>{word}</a>" for k, word in enumerate(words))
    assert not set(words) & shown(main_list(*buttons))


def test_a_title_that_says_the_number_before_it_is_shown():
    cards = "".join(f"<li><i aria-hidden=true>{k}</i><a href=/{k}>Chapter {k}</a><p>{ABOUT[k]}</p>" for k in range(5))
    region = peneira.extract(f"<ul>{cards}</ul>").main
    assert region is not None and "Chapter 3" in shown(region)


def test_a_word_about_the_price_that_only_some_records_have_is_shown():
    badges = [f"<span class=badge>Sale</span> <b>${k}0.00</b>" if k % 2 else f"<b>${k}0.00</b>" for k in range(2, 7)]
    assert "Sale" in shown(main_list(*(f"<div class=price>{badge}</div>" for badge in badges)))
    words = [f"<div class=price><span class=badge>Sale price</span> <b>${k}0.00</b></div>" for k in range(2, 7)]
    assert "Sale price" not in shown(main_list(*words))


def test_a_letter_in_place_of_a_face_and_a_word_are_no_author():
    face = "<a href=/u/{0}><span class=avatar>{0}</span><span class=status>Offline</span></a>"
    assert "author" not in [column.name for column in main_list(*map(face.format, "JBCDE")).columns]
