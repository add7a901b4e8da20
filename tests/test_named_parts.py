"""Parts of threads and cards that are known by what web authors call them."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.sources.html import read_page
from peneira.texts import attribute_keywords
from peneira.texts.block_model import of_type
from peneira.texts.block_selection import log_odds
from peneira.texts.named_parts import MAX_ATTRIBUTION_WORDS, of_card_parts, of_thread_parts
from peneira.texts.text_blocks import TextBlocks

POST = """
<div class="post">
  <div class="post-author"><a>Ann Moreno</a></div> <p><time>May 2, 2025</time></p>
  <div class="bbQuote"><p>Does the pump leak?</p></div>
  <p>Only since the frost.</p>
  <div class="userSignature"><p>The best things in life are slow</p></div>
</div>
"""


def in_thread(html: str, words: float = 4.0) -> dict[str, float]:
    blocks = TextBlocks(read_page(html))
    found = of_thread_parts(np.full(len(blocks), 0.5), np.full(len(blocks), words), blocks)
    return dict(zip(blocks.strings, np.round(found, 2).tolist(), strict=True))


@pytest.mark.parametrize("has_kernel", [True, False])
def test_a_post_is_read_with_its_author_date_and_quote_and_without_its_signature(
    has_kernel: bool, monkeypatch: pytest.MonkeyPatch
):
    if not has_kernel:
        monkeypatch.setattr(attribute_keywords, "text_tables", None)
    assert in_thread(POST) == {
        "Ann Moreno": 0.73,
        "May 2, 2025": 0.73,
        "Does the pump leak?": 0.73,
        "Only since the frost.": 0.5,
        "The best things in life are slow": 0.0,
    }


def test_an_aside_of_a_post_is_read_only_if_it_quotes():
    html = "<aside><p>Pumps, the shop</p></aside><aside class=quote><p>It leaks</p></aside><p>So it does</p><p>Why?</p>"
    assert in_thread(html) == {"Pumps, the shop": 0.0, "It leaks": 0.73, "So it does": 0.5, "Why?": 0.5}


def test_an_aside_that_names_the_author_of_a_post_is_read():
    author = "<aside class='ipsComment_author cAuthorPane'><h3><strong><a>Ann Moreno</a></strong></h3><p>{}</p></aside>"
    rank = "Many words of an author on what this and other pumps are"
    html = author.format("Member") + "".join(f"<p>It leaks {k}</p>" for k in range(6))
    assert in_thread(html)["Ann Moreno"] == 0.5
    html = author.format(rank) + "".join(f"<p>It leaks {k}</p>" for k in range(6))
    assert in_thread(html, MAX_ATTRIBUTION_WORDS + 1)[rank] == 0.0


@pytest.mark.parametrize(
    "thread",
    [
        "<div class='cPost has-signature'>{}</div>",
        "<div class='post--has-signature'>{}</div>",
        "<div class='show-signatures'>{}</div>",
        "<div class='noSignature'>{}</div>",
        "<div class='signatures'>{}</div>",
        "<aside class=comments>{}</aside>",
    ],
)
def test_what_holds_the_posts_is_the_thread_whatever_its_name(thread: str):
    posts = {"It leaks", "Since the frost?", "Yes, since then"}
    signature = "<div class=signature>Slow is good</div>" if "aside" in thread else ""
    found = in_thread(thread.format("".join(f"<p>{post}</p>" for post in posts) + signature))
    assert {text for text, probability in found.items() if probability} == posts


@pytest.mark.parametrize("name", ["has-signature", "show-signatures", "post--with-signature", "noSignature"])
def test_what_an_element_has_or_shows_is_not_what_it_is(name: str):
    assert in_thread(f"<p class='{name}'>It leaks</p><p>Why?</p><p>Frost</p>")["It leaks"] == 0.5


def test_the_long_signature_of_a_short_thread_is_left_out():
    html = "<p>It leaks</p><p>Why?</p><div class=signature><p>Slow</p><p>is</p><p>good</p></div>"
    assert in_thread(html) == {"It leaks": 0.5, "Why?": 0.5, "Slow": 0.0, "is": 0.0, "good": 0.0}


def test_what_holds_the_author_of_a_post_is_no_signature():
    html = "<div class='post signature-on'><b class=author>Ann</b><p>It leaks</p><p class=sig>Slow is good</p></div>"
    html += "<p>Why?</p><p>Frost</p>"
    assert in_thread(html) == {"Ann": 0.73, "It leaks": 0.5, "Slow is good": 0.0, "Why?": 0.5, "Frost": 0.5}


def test_an_attribution_in_a_quote_is_the_likelier_for_both():
    assert in_thread("<blockquote><cite class=author>Ann wrote:</cite></blockquote>") == {"Ann wrote:": 0.88}


def test_a_long_text_is_not_who_wrote_it():
    assert in_thread("<p class=posted>A tale", MAX_ATTRIBUTION_WORDS + 1) == {"A tale": 0.5}


def test_words_of_the_body_say_nothing_of_its_parts():
    assert in_thread("<body class='signature'><p>Petition</p>") == {"Petition": 0.5}


@pytest.mark.parametrize(
    "name",
    ["sr-only", "visually-hidden", "screen-reader-text", "u-srOnly", "u-text-sr-only b", "label visually-hidden"],
)
def test_what_only_screen_readers_hear_of_a_card_is_no_text(name: str):
    blocks = TextBlocks(read_page(f"<div><p>$36</p><p><span class='{name}'>Regular price $36</span></p></div>"))
    assert of_card_parts(np.array([0.9, 0.9]), blocks).tolist() == [0.9, 0.0]


@pytest.mark.parametrize("name", ["sr-item", "not-sr-only", "screen", "field--label-visually_hidden"])
def test_what_is_shown_of_a_card_is_text(name: str):
    blocks = TextBlocks(read_page(f"<div class='{name}'><p>Boots</p></div>"))
    assert of_card_parts(np.array([0.9]), blocks).tolist() == [0.9]


@pytest.mark.parametrize(
    ("page_type", "expected"), [("article", 0.9), ("forum", 0.9), ("listing", 0.0), ("collection", 0.0)]
)
def test_texts_for_screen_readers_are_read_on_pages_without_cards(page_type: str, expected: float):
    blocks = TextBlocks(read_page("<p class='sr-only'>Five stars</p>"))
    assert of_type(page_type, np.array([0.9]), np.array([2.0]), blocks).tolist() == [expected]


def test_what_is_in_doubt_on_a_collection_is_left_out_more_often():
    blocks = TextBlocks(read_page("<p>Boots for every day"))
    assert of_type("collection", np.array([0.5]), np.array([4.0]), blocks).tolist() == pytest.approx([0.4256], abs=1e-4)


@pytest.mark.parametrize(
    ("page_type", "is_drawn"),
    [
        *((name, True) for name in ("product", "forum", "collection", "listing")),
        *((name, False) for name in ("article", "documentation", "service")),
    ],
)
def test_long_texts_of_one_form_are_alike_on_pages_of_things_and_threads(page_type: str, is_drawn: bool):
    blocks = TextBlocks(read_page("<p>A</p><p>B</p><p>C</p>"))
    before = np.array([0.2, 0.6, 0.7])
    after = of_type(page_type, before, np.full(3, 40.0), blocks)
    assert bool(np.ptp(log_odds(after)) < 0.9 * np.ptp(log_odds(before))) == is_drawn
