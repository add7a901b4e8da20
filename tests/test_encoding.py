from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.sources.encoding import decode
from peneira.sources.html import read_page

META = '<meta charset="{}"><p>{}</p>'
HTTP_EQUIV = '<meta http-equiv="Content-Type" content="text/html; charset={}"><p>{}</p>'


@pytest.mark.parametrize(
    ("body", "charset", "encoding", "text"),
    [
        ("\ufeffolá".encode(), "iso-8859-1", "utf-8", "olá"),
        ("\ufeffolá".encode("utf-16-le"), None, "utf-16-le", "olá"),
        ("olá, São Paulo".encode("cp1252"), "iso-8859-1", "cp1252", "olá, São Paulo"),
        ("olá, São Paulo".encode(), None, "utf-8", "olá, São Paulo"),
        ("olá “aspas” €".encode("cp1252"), None, "cp1252", "olá “aspas” €"),
        (b"plain", None, "utf-8", "plain"),
        (b"", None, "utf-8", ""),
        ("olá".encode(), "no-such-charset", "utf-8", "olá"),
        ("olá".encode(), '"UTF-8"', "utf-8", "olá"),
        (b"\x81\x8d", "windows-1252", "cp1252", "\x81\x8d"),
        ("日本語のページ".encode("cp932"), "Shift_JIS", "cp932", "日本語のページ"),
    ],
)
def test_bytes_without_a_meta_tag(body: bytes, charset: str | None, encoding: str, text: str):
    found, name, _ = decode(body, charset=charset)
    assert (found, name) == (text, encoding)


@pytest.mark.parametrize("template", [META, HTTP_EQUIV])
@pytest.mark.parametrize(
    ("label", "stored", "encoding"),
    [
        ("utf-8", "utf-8", "utf-8"),
        ("iso-8859-1", "cp1252", "cp1252"),
        ("windows-1251", "cp1251", "cp1251"),
        ("gb2312", "gb18030", "gb18030"),
        ("euc-jp", "euc_jp", "euc_jp"),
        ("utf-16", "utf-8", "utf-8"),
        ("utf-7", "utf-8", "utf-8"),
    ],
)
def test_a_meta_tag_that_fits_is_believed(template: str, label: str, stored: str, encoding: str):
    word = {"cp1252": "ação, não", "cp1251": "привет", "gb18030": "中文网页", "euc_jp": "日本語"}.get(stored, "né 中")
    body = template.format(label, word).encode(stored)
    text, name, _ = decode(body)
    assert (word in text, name) == (True, encoding)


def test_a_label_that_plainly_does_not_fit_gives_way_to_utf8():
    body = META.format("iso-8859-1", "não é windows").encode()
    text, name, reason = decode(body)
    assert ("não é windows" in text, name) == (True, "utf-8")
    assert reason == "the meta tag says cp1252, which does not fit the bytes"


def test_a_utf8_label_on_windows_bytes_gives_way():
    text, name, _ = decode(META.format("utf-8", "promoção válida").encode("cp1252"))
    assert ("promoção válida" in text, name) == (True, "cp1252")


def test_a_utf8_page_with_one_broken_character_stays_utf8():
    body = META.format("utf-8", "ação é à toa").encode() + b"\xff caf\xc3\xa9"
    text, name, _ = decode(body)
    assert name == "utf-8"
    assert text.endswith("\ufffd café")


def test_a_page_cut_in_the_middle_of_a_character_stays_utf8():
    text, name, _ = decode("ação".encode()[:-2])
    assert (text, name) == ("aç\ufffd", "utf-8")


def test_the_http_header_comes_before_the_meta_tag():
    body = META.format("windows-1251", "привет").encode("koi8-r")
    text, name, reason = decode(body, charset="koi8-r")
    assert ("привет" in text, name, reason) == (True, "koi8-r", "HTTP header")


def test_the_page_tells_how_it_was_decoded():
    page = read_page("olá".encode("cp1252"))
    assert (page.encoding, page.encoding_reason) == ("cp1252", "nothing declared and not UTF-8")


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "latin1", "gbk", "utf-16", "hex", "rot13", "x" * 50]))
def test_any_bytes_decode(body: bytes, charset: str | None):
    text, _, reason = decode(body, charset=charset)
    assert isinstance(text, str)
    assert reason


def test_decoding_agrees_with_the_corpora(corpora):
    import json

    wrong = total = 0
    for index in ("lists/lists.jsonl", "modern/modern.jsonl"):
        folder = (corpora / index).parent
        for line in (corpora / index).read_text().splitlines():
            entry = json.loads(line)
            body = (folder / entry["file"]).read_bytes()
            text, _, _ = decode(body)
            total += 1
            wrong += any(anchor.replace(" ", "") not in squeezed(text) for anchor in sampled(entry))
    assert wrong <= 0.01 * total


def sampled(entry) -> list[str]:
    return [anchor for anchor in entry["anchors"] or [] if not anchor.isascii() and "&" not in anchor][:1]


def squeezed(html: str) -> str:
    page = read_page(html)
    return "".join("".join(page.text).split())


@pytest.mark.parametrize(("characters", "encoding"), [(2, "gb18030"), (3, "utf-8")])
def test_three_characters_of_utf8_outweigh_a_label_of_chinese(characters: int, encoding: str):
    assert decode("é".encode() * characters, charset="gb18030")[1] == encoding


@pytest.mark.parametrize(("characters", "encoding"), [(19, "euc_jp"), (18, "cp1252")])
def test_a_label_of_japanese_fits_with_at_most_one_error_in_twenty_bytes(characters: int, encoding: str):
    body = "日".encode("euc-jp") * characters + b" \x80 \x80 "
    assert decode(body, charset="euc-jp")[1] == encoding
