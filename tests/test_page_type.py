from __future__ import annotations

import pytest

import peneira
from peneira.sources.html import read_page
from peneira.texts.page_type import verdict_without_list
from peneira.texts.script_shell import NEEDS_JAVASCRIPT

PROSE = "".join(f"<p>{'The river rose again in the night and nobody slept. ' * 5}{n}</p>" for n in "abcde")


@pytest.mark.parametrize(
    ("html", "verdict"),
    [
        ("", "empty"),
        ("<html><body></body></html>", "empty"),
        ("<div id=root></div><script src=app.js></script>", "script-shell"),
        ("<noscript>Please enable JavaScript to continue.</noscript><div id=app></div>", "script-shell"),
        ("<p>Loading</p><div id=app></div><script>go()</script>", "script-shell"),
        ("<h1>Access Denied</h1><p>You don't have permission to access this page.</p>", "blocked"),
        ("<title>Just a moment...</title><p>Checking your browser before you proceed.</p>", "blocked"),
        ("<h1>One more step</h1><p>Please complete the CAPTCHA.</p>", "blocked"),
        ("<h2>We value your privacy</h2><button>Accept all cookies</button>", "blocked"),
        ("<h1>Acesso negado</h1>", "blocked"),
        (f"<h1>The flood</h1>{PROSE}", "article"),
        (f"<h1>The flood</h1>{PROSE}{PROSE}<p>We never saw a captcha then.</p>", "article"),
        ("<h1>A kettle</h1><p>Red.</p>", "detail"),
    ],
)
def test_the_type_of_a_page_without_a_list(html: str, verdict: str):
    result = peneira.extract(html)
    assert (result.verdict, result.main) == (verdict, None)
    assert result.reasons


@pytest.mark.parametrize("word", ["activ", "javascript ", "javascript!", "need a "])
@pytest.mark.parametrize(
    ("html", "verdict"),
    [("<p>{}</p>", "detail"), ("<body><noscript><p>{}</p></noscript><script></script>", "script-shell")],
)
def test_a_page_of_one_word_over_and_over_has_a_verdict(html: str, word: str, verdict: str):
    assert peneira.extract(html.format(word * 20_000)).verdict == verdict


@pytest.mark.parametrize("text", ["Please enable it {} JavaScript", "JavaScript {} required", "enable{} JavaScript"])
def test_words_far_apart_do_not_ask_for_scripts(text: str):
    assert NEEDS_JAVASCRIPT.search(text.format(""))
    for between in ("x" * 30, "a b c d e f", "!" * 30):
        assert not NEEDS_JAVASCRIPT.search(text.format(between))


def test_a_long_page_that_asks_for_javascript_is_not_a_shell():
    assert peneira.extract(f"<noscript>Please enable JavaScript.</noscript>{PROSE}").verdict == "article"


def verdict(html: str) -> str:
    return verdict_without_list(read_page(html))[0]


@pytest.mark.parametrize(("chars", "expected"), [(2500, "blocked"), (2501, "detail")])
def test_a_page_that_refuses_access_has_at_most_2500_characters(chars: int, expected: str):
    assert verdict(f"<p>{'captcha '.ljust(chars, 'x')}</p>") == expected


@pytest.mark.parametrize(("chars", "expected"), [(400, "script-shell"), (401, "detail")])
def test_a_page_that_scripts_fill_has_at_most_400_characters(chars: int, expected: str):
    assert verdict(f"<p>{'x' * chars}</p><div id=app></div><script>go()</script>") == expected


@pytest.mark.parametrize(
    ("paragraphs", "chars", "expected"),
    [(3, 80, "article"), (3, 79, "detail"), (2, 200, "detail"), (3, 200, "article")],
)
def test_an_article_has_three_paragraphs_of_80_characters(paragraphs: int, chars: int, expected: str):
    prose = "The river rose again in the night and nobody slept, for the bridge was gone. " * 3
    assert verdict(f"<h1>Flood</h1>{f'<p>{prose[: chars - 1]}.</p>' * paragraphs}") == expected
