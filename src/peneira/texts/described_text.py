"""The text that a page says of itself to programs: what is left to read where scripts fill the page."""

from __future__ import annotations

import html
import re

from peneira.embedded.embedded_data import described_data
from peneira.page import Page
from peneira.texts.word_counts import word_counts

# Properties of schema.org and of meta elements that hold text, the fullest first
_PROPERTIES = ("articleBody", "text", "og:description", "description", "twitter:description")
# Fewer words are a motto
MIN_WORDS = 12
_TAG = re.compile(r"<[a-zA-Z/][^<>]*>")


def described_text(page: Page) -> str:
    """Return the longest text by which the page describes itself, a line per paragraph; "" if it has none."""
    items = described_data(page).items
    texts = [str(item.properties[name]) for name in _PROPERTIES for item in items if name in item.properties]
    written = [_plain(text) for text in texts]
    counts = word_counts(written)
    if not len(counts) or counts.max() < MIN_WORDS:
        return ""
    return written[int(counts.argmax())]


def _plain(text: str) -> str:
    """Return a text without tags and entities, which programs often leave in it."""
    lines = _TAG.sub("\n", html.unescape(text)).splitlines()
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)
