"""Pages that scripts fill, and that carry their content in ``noscript`` for readers without scripts."""

from __future__ import annotations

import pytest

import peneira
from peneira.page import Page

TOPICS = "".join(
    f"<tr class=topic><td><a href=/t/{n}>How often do I water my {plant} in a dry winter?</a>"
    f"<td class=replies>{n + 3}<td>May {n}, 2026"
    for n, plant in enumerate(["ferns", "orchids", "cacti", "lemons", "olives", "ivy", "palms", "mint"], 1)
)
SHELL = "<body><section id=app></section><noscript>{}</noscript><script src=app.js></script>"


def test_records_in_noscript_are_the_list_of_a_page_that_shows_nothing_else():
    result = peneira.extract(SHELL.format(f"<table>{TOPICS}</table>"))
    assert result.verdict == "list"
    assert [record["title"].text for record in result.main][:2] == [
        "How often do I water my ferns in a dry winter?",
        "How often do I water my orchids in a dry winter?",
    ]
    assert "/noscript[1]/" in result.main[0].xpath


def test_a_wrapper_reads_records_in_noscript():
    page = SHELL.format(f"<table>{TOPICS}</table>")
    wrapper = peneira.learn([page])
    assert wrapper.extract(page).main.to_dicts() == peneira.extract(page).main.to_dicts()


@pytest.mark.parametrize(
    "noscript",
    [
        pytest.param("<p>" + "Please turn JavaScript on to read this page. " * 12, id="a long message without links"),
        pytest.param("<a href=/1>One</a><a href=/2>Two</a><a href=/3>Three</a>", id="a short text with links"),
    ],
)
def test_a_message_in_noscript_is_not_read(noscript: str):
    assert peneira.extract(SHELL.format(noscript)).verdict == "script-shell"


def test_noscript_is_not_read_beside_more_text():
    prose = f"<p>{'The river rose again in the night and nobody slept. ' * 40}</p>"
    page = Page.from_html(f"<body>{prose}<noscript><table>{TOPICS}</table></noscript>")
    assert "orchids" not in page.visible_text(page.body)
