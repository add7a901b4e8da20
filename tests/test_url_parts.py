from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.columns.link_paths import url_parts


def parts_of_urlsplit(url: str) -> tuple[str, str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    return parts.netloc, parts.path, parts.query


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/b/c?d=e#f",
        "http://a.example?d#e?f",
        "https://a.example#b/c?d",
        "https://[::1]/a",
        "https://[a/b",
        "https://a.example/b\tc",
        "HTTPS://a.example/b",
        "//a.example/b",
        "mailto:a@b.example",
    ],
)
def test_addresses_are_split_as_urlsplit_does(url: str):
    assert url_parts(url) == parts_of_urlsplit(url)


@given(st.sampled_from(("https://", "http://", "http:", "")), st.text(alphabet="ab/?#:@[].%\t é", max_size=20))
def test_any_address_is_split_as_urlsplit_does(scheme: str, rest: str):
    assert url_parts(scheme + rest) == parts_of_urlsplit(scheme + rest)
