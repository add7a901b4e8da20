from __future__ import annotations

from time import process_time

import pytest

import peneira

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
@pytest.mark.parametrize("html", ["<p>{}</p>", "<body><noscript><p>{}</p></noscript><script></script>"])
def test_a_page_of_one_repeated_word_takes_seconds_at_most(html: str, word: str):
    begin = process_time()
    peneira.extract(html.format(word * 20_000))
    assert process_time() - begin < 5


def test_a_long_page_that_asks_for_javascript_is_not_a_shell():
    assert peneira.extract(f"<noscript>Please enable JavaScript.</noscript>{PROSE}").verdict == "article"
