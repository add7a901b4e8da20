from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from peneira.sources.html import read_page
from peneira.texts.blocked_pages import BLOCK_MESSAGES, MAX_PUZZLE_CHARS, blocked_reason, has_block_fragment

PUZZLE = """<title>shop.example</title><h4>To protect your account</h4>
<form action=/errors/validateCaptcha><img src=a.jpg><input type=text name=letters><input type=hidden name=t value=1>
<button>Continue</button></form><a href=#>See new characters</a><a href=#>Hear the characters</a>{}"""


def says(text: str) -> str:
    return str(blocked_reason(read_page(f"<p>{text}</p>")) or "")


@pytest.mark.parametrize(
    "text",
    [
        "Verifying you are human. This may take a few seconds.",
        "Pardon Our Interruption",
        "Подтвердите, что вы не робот",
        "Ich bin kein Roboter",
        "私はロボットではありません",
        "人机验证",
    ],
)
def test_a_page_that_asks_for_a_human_says_captcha(text: str):
    assert says(text).startswith("captcha: the page says ")


@pytest.mark.parametrize(
    "text", ["Sorry, you have been blocked", "Доступ запрещён", "The requested URL was rejected.", "访问被拒绝"]
)
def test_a_page_that_refuses_says_denied(text: str):
    assert says(text).startswith("denied: the page says ")


def test_a_form_of_a_puzzle_alone_is_a_blocked_page():
    result = peneira.extract(PUZZLE.format(""))
    assert (result.verdict, result.main) == ("blocked", None)
    assert str(result.reasons[0]) == "captcha: the page has a form called '/errors/validateCaptcha' and little else"


def test_a_page_with_more_text_than_a_puzzle_is_not_blocked_by_its_form():
    words = "river " * (MAX_PUZZLE_CHARS // 6)
    assert blocked_reason(read_page(PUZZLE.format(f"<p>{words}</p>"))) is None


@pytest.mark.parametrize(
    "field", ["<input type=email>", "<input type=password>", "<textarea name=message></textarea>", "<input name=who>"]
)
def test_a_form_to_write_or_to_sign_in_may_have_a_puzzle(field: str):
    html = f"<form><input name=you>{field}<div class=g-recaptcha></div><button>Send</button></form>"
    assert blocked_reason(read_page(html)) is None


def test_the_answer_that_scripts_fill_in_is_no_field():
    html = "<form><div class=h-captcha><textarea name=h-captcha-response></textarea></div></form>"
    assert blocked_reason(read_page(html)) is not None


def test_a_note_that_a_form_is_protected_refuses_nothing():
    assert not says("Our trails. This site is protected by reCAPTCHA and the privacy policy applies.")


MESSAGES = st.one_of(
    st.from_regex(re.compile(pattern.pattern, re.IGNORECASE), fullmatch=True) for pattern in BLOCK_MESSAGES.values()
)


@given(MESSAGES)
def test_every_message_has_a_fragment_that_is_searched_for_first(message: str) -> None:
    assert has_block_fragment(f"Shop. {message}!")


def test_a_page_about_something_has_no_fragment() -> None:
    assert not has_block_fragment("A table of oak, 120 cm wide. Delivery in three weeks.")
