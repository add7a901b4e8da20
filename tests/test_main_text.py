"""``peneira.text`` and its command: the main text of pages, plain and in Markdown."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import compress

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

import peneira
from generated import soup
from peneira.cli.text import text as text_command
from peneira.sources.html import read_page
from peneira.texts.block_model import decide
from peneira.texts.main_text import _read_once, main_text
from peneira.texts.region_filter import ScoredRegions

PROSE = "The river rose twice in that year, and nobody in the valley slept until the new bridge was built. "
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in "Home News Sport Money Travel Weather".split())
ARTICLE = (
    "<!DOCTYPE html><title>The flood of the valley</title>"
    f"<header><nav class=menu><ul>{MENU}</ul></nav></header><main><article class=post><h1>The flood of the valley</h1>"
    f"<p>{PROSE}</p><h2>The bridge</h2><p>Much later {PROSE}It was <b>long</b> and <a href=/bridge>well built</a>.</p>"
    f"<p>Once more {PROSE}</p><p>At last {PROSE}</p></article>"
    "<section id=comments class=comments><h3>2 comments</h3>"
    f"<div class=comment><p>I was there. {PROSE}</p></div></section>"
    "</main><footer class=footer><a href=/t>Terms</a> <a href=/p>Privacy</a></footer>"
)


def test_an_article_has_its_headings_and_paragraphs_and_no_menu():
    found = peneira.text(ARTICLE)
    assert "The river rose twice" in found
    assert "\n\nThe bridge\n\n" in found
    assert "It was long and well built." in found
    assert not any(word in found for word in ("Sport", "Privacy"))


def test_markdown_has_headings_emphasis_and_absolute_links():
    found = peneira.text(ARTICLE, url="https://valley.example/flood", markdown=True)
    assert found.startswith("# The flood of the valley\n\nThe river rose")
    assert "It was **long** and [well built](https://valley.example/bridge)." in found


def test_a_paragraph_that_the_page_repeats_is_written_once():
    page = ARTICLE.replace("</article>", f"<blockquote><p>Once more {PROSE}</p></blockquote></article>")
    assert peneira.text(page).count("Once more") == 1


def test_comments_are_kept_apart():
    found = main_text(read_page(ARTICLE))
    assert "I was there" not in found.text
    assert "I was there" in found.comments


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<body></body>",
        "<frameset><frame src=a></frameset>",
        "<script>let a = 'text'</script>",
        "<style>p{}</style>",
    ],
)
def test_a_page_without_text_gives_an_empty_text_and_says_why(html: str):
    found = main_text(read_page(html))
    assert found.text == ""
    assert "no visible text" in found.reason


def test_a_page_that_refuses_access_has_no_main_text():
    found = main_text(
        read_page("<title>Just a moment...</title><p>Checking your browser before accessing the site</p>")
    )
    assert (found.text, found.reason.startswith("captcha")) == ("", True)


def test_a_single_text_is_the_main_text():
    assert peneira.text("hello") == "hello"


def test_content_in_noscript_is_read_where_the_page_shows_nothing_else():
    posts = "".join(f"<div class=post><p>Post {k}. {PROSE}</p></div>" for k in range(5))
    found = peneira.text(f"<title>Thread</title><body><div id=app></div><noscript><h1>Floods</h1>{posts}</noscript>")
    assert found.count("The river rose") == 5


FIRST_POST = "I read that *all* rivers rise in spring. Is that so in the valley too, and how high do they get there?"


@pytest.mark.parametrize(
    "head",
    [
        f'<meta property="og:description" content="{FIRST_POST}">',
        f'<meta name=description content="{FIRST_POST[:60]}"><meta property="og:description" content="{FIRST_POST}">',
        f'<script type="application/ld+json">{json.dumps({"@type": "Comment", "text": FIRST_POST})}</script>',
    ],
)
@pytest.mark.parametrize("body", ["<div id=app></div><script src=a.js></script>", "<a href=/>Valley forum</a>"])
def test_a_page_that_scripts_fill_has_no_text_but_what_it_says_of_itself(head: str, body: str):
    found = main_text(read_page(f"<head><title>Rivers</title>{head}</head><body>{body}</body>"))
    assert (found.text, bool(found.reason), found.confidence) == ("", True, 0.0)
    assert found.description == FIRST_POST


@pytest.mark.parametrize(
    ("document", "headings", "title"),
    [
        ("The flood - River news", ["River news", "The flood", "Menu"], "The flood"),
        ("River news: The flood of 1931", ["Search", "The flood of 1931"], "The flood of 1931"),
        ("Introduction — River manual", ["River manual", "Introduction¶"], "Introduction¶"),
        ("Home", ["The flood", "Weirs"], "The flood"),
        ("The flood | River news", ["Weirs"], "Weirs"),
        ("The flood | River news", [], "The flood | River news"),
    ],
)
def test_the_title_is_the_heading_that_the_title_of_the_document_names(document: str, headings: list[str], title: str):
    page = f"<title>{document}</title>{''.join(f'<h1>{heading}</h1>' for heading in headings)}<p>{PROSE}"
    assert main_text(read_page(page)).title == title


@pytest.mark.parametrize(
    ("document", "meta", "title"),
    [
        ("The flood - Valley - River news", 'property="og:title" content="The flood"', "The flood"),
        ("The flood - River news", 'property="og:site_name" content="River news"', "The flood"),
        ("River news", 'property="og:site_name" content="River news"', "River news"),
        ("All River news", 'property="og:site_name" content="River news"', "All River news"),
        ("The flood - River news", 'property="og:title" content=""', "The flood - River news"),
        ("The flood", 'property="og:title" content="Rain"', "The flood"),
    ],
)
def test_the_title_of_a_page_without_headings_has_no_name_of_the_site(document: str, meta: str, title: str):
    assert main_text(read_page(f"<title>{document}</title><meta {meta}><p>{PROSE}")).title == title


def test_a_motto_is_not_the_text_of_a_page():
    page = '<head><meta name=description content="Your forum for rivers"></head><body><div id=app></div></body>'
    assert main_text(read_page(page)).text == ""


def test_a_page_that_refuses_access_has_no_text_even_if_it_describes_itself():
    head = f'<title>Just a moment...</title><meta name=description content="{FIRST_POST}">'
    assert main_text(read_page(f"<head>{head}</head><p>Checking your browser before accessing the site")).text == ""


def test_a_form_with_a_captcha_below_the_text_does_not_refuse_access():
    form = "<form class=contact><label>Name</label><input><label>CAPTCHA</label><input><button>Send</button></form>"
    found = peneira.text(ARTICLE.replace("</main>", f"</main>{form}"))
    assert "The river rose twice" in found


@given(soup)
def test_any_markup_gives_text(html: str):
    assert isinstance(peneira.text(html), str)
    assert isinstance(peneira.text(html, markdown=True), str)


def test_the_command_prints_the_text(tmp_path):
    page = tmp_path / "flood.html"
    page.write_text(ARTICLE, encoding="utf-8")
    result = CliRunner().invoke(text_command, [str(page)])
    assert result.exit_code == 0
    assert result.stdout == peneira.text(ARTICLE) + "\n"


def test_the_command_adds_comments_when_asked(tmp_path):
    page = tmp_path / "flood.html"
    page.write_text(ARTICLE, encoding="utf-8")
    result = CliRunner().invoke(text_command, [str(page), "--comments"])
    assert "\n\nComments\n\n" in result.stdout
    assert "I was there" in result.stdout


def test_json_has_the_type_of_the_page_and_a_confidence(tmp_path):
    page = tmp_path / "flood.html"
    page.write_text(ARTICLE, encoding="utf-8")
    result = CliRunner().invoke(text_command, [str(page), "--format", "json"])
    document = json.loads(result.stdout)
    assert (document["title"], document["type"]) == ("The flood of the valley", "article")
    assert 0.5 < document["confidence"] <= 1
    assert set(document) == {"url", "text", "comments", "title", "type", "confidence", "reason", "description", "cuts"}


def test_several_pages_are_a_line_of_json_each(tmp_path):
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(ARTICLE, encoding="utf-8")
    result = CliRunner().invoke(text_command, [str(tmp_path), "--format", "json"])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["source"].rpartition("/")[2] for line in lines] == ["a.html", "b.html"]


def test_an_empty_page_is_declared_on_standard_error(tmp_path):
    page = tmp_path / "empty.html"
    page.write_text("<body></body>", encoding="utf-8")
    result = CliRunner().invoke(text_command, [str(page)])
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no main text: no visible text" in result.stderr


def test_a_page_of_menus_alone_has_no_main_text():
    menus = "".join(f"<nav class=menu><ul>{MENU}</ul></nav>" for _ in range(12))
    found = main_text(read_page(f"<title>Shop</title><header>{menus}</header><footer class=footer>{menus}</footer>"))
    assert (found.text, found.reason) == ("", "none of 144 blocks of text looks like content")


SAID = (
    "Mine never stopped",
    "Mine stopped after a week",
    "Try another valve",
    "Is it the old model",
    "Thanks, that was it",
)


def test_posts_of_a_thread_are_told_apart_in_markdown():
    posts = "".join(
        f"<article class='message message--post' id=post-{k}><div class=message-user><h4>"
        f"<a class=username href=/u/{k}>user{k}</a></h4><h5>Member</h5><dl><dt>Joined<dd>Jan {k}, 2019</dl></div>"
        f"<div class=message-main><header><time>May {k}, 2024</time><a href=#post-{k}>#{k}</a></header>"
        f"<div class='message-body bbWrapper'>{text}, {PROSE}</div>"
        f"<footer><a href=/reply/{k}>Reply</a> <a href=/quote/{k}>Quote</a></footer></div></article>"
        for k, text in enumerate(SAID, 1)
    )
    page = (
        f"<title>Pump stops | Garden forum</title><body class=thread><nav class=p-nav>{MENU}</nav>"
        "<h1 class=p-title>Pump stops</h1><p>Thread starter user1, start date May 1, 2024</p>"
        f"<div class=block-body>{posts}</div><p>You must log in to reply here.</p>"
    )
    assert main_text(read_page(page)).type == "forum"
    parts = peneira.text(page, markdown=True).split("\n\n---\n\n")
    assert [[said for said in SAID if said in part] for part in parts] == [[said] for said in SAID]


def read_once(html: str, page_type: str) -> list[str]:
    """Return the texts of a page of a type of which all is kept but what it repeats; its ``ul`` is its main list."""
    decision = decide(read_page(html))
    page = decision.blocks.page
    lists = page.rows_of("ul")
    regions = ScoredRegions(lists + 1, page.end[lists], lists, np.ones(len(lists)))
    every = np.ones(len(decision.blocks), dtype=np.bool_)
    flags = _read_once(replace(decision, types={page_type: 1.0}, kept=every, regions=regions))
    return list(compress(decision.blocks.strings, flags.tolist()))


@pytest.mark.parametrize(
    ("page_type", "count"),
    [
        *((name, 2) for name in ("article", "documentation")),
        *((name, 1) for name in ("service", "product", "forum", "collection", "listing")),
    ],
)
def test_short_texts_are_said_again_on_purpose_in_prose_and_manuals(page_type: str, count: int):
    html = "<p>We were never late</p><p>It rained</p><div class=again>We were never late</div>"
    assert read_once(html, page_type).count("We were never late") == count


@pytest.mark.parametrize(("page_type", "count"), [("service", 2), ("product", 2), ("listing", 1), ("forum", 1)])
def test_a_section_keeps_its_heading_below_a_list_of_contents(page_type: str, count: int):
    html = "<p>Plan for six people</p><p>Plan for ten people</p><h3>Plan for six people</h3><p>It costs more</p>"
    assert read_once(html, page_type).count("Plan for six people") == count


@pytest.mark.parametrize(("page_type", "count"), [("forum", 0), ("service", 1), ("listing", 1)])
def test_quotes_of_posts_are_left_out_of_threads_alone(page_type: str, count: int):
    quote = f"Click to expand: {PROSE}"
    html = f"<p>It is so. {quote}</p><div class=quote><p>{quote}</p></div>"
    assert read_once(html, page_type).count(quote.strip()) == count


def test_a_post_below_its_quote_is_kept():
    html = f"<div class=post><blockquote>{PROSE}</blockquote><p>So it did</p></div><div class=post><p>{PROSE}</p></div>"
    assert read_once(html, "forum") == ["So it did", PROSE.strip()]


@pytest.mark.parametrize("page_type", ["listing", "collection", "forum", "service"])
def test_what_several_records_say_is_read_in_each(page_type: str):
    said = ("<b>Senior engineer in Berlin</b>", "<p>Senior engineer in Berlin</p>")
    jobs = "".join(f"<li>{said[k % 2]}<p>Firm {k}</p></li>" for k in range(6))
    assert read_once(f"<ul>{jobs}</ul>", page_type).count("Senior engineer in Berlin") == 6


@pytest.mark.parametrize("page_type", ["listing", "collection", "forum", "service"])
def test_what_one_record_says_in_two_places_is_read_once(page_type: str):
    jobs = "".join(f"<li><h3>Engineer in city number {k}</h3><p>Engineer in city number {k}</p></li>" for k in "abc")
    assert read_once(f"<ul>{jobs}</ul>", page_type) == [f"Engineer in city number {k}" for k in "abc"]


@pytest.mark.parametrize("page_type", ["listing", "forum", "service"])
def test_fields_that_are_alike_are_read_where_no_list_is_known(page_type: str):
    plans = "".join(f"<div class=plan><h3>Plan {k}</h3><p>Phone support at any time</p></div>" for k in range(8))
    assert read_once(plans, page_type).count("Phone support at any time") == 8


@pytest.mark.parametrize(("page_type", "count"), [("forum", 1), ("listing", 4)])
def test_the_headings_of_posts_that_name_the_thread_are_read_once(page_type: str, count: int):
    posts = "".join(
        f"<li><h3>Re: My pump has stopped</h3><p>Thanks, that was it</p><p>Post {k}</p></li>" for k in range(4)
    )
    found = read_once(f"<ul>{posts}</ul>", page_type)
    assert (found.count("Re: My pump has stopped"), found.count("Thanks, that was it")) == (count, 4)
