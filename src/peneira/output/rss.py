"""Entries as an RSS 2.0 feed, which feed readers and chat programs take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from html import escape

from peneira.account import Tally
from peneira.output.characters import XML


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry: what a reader sees, where it leads ("" for nowhere), and when it was. ``key`` tells entries apart."""

    title: str
    link: str
    at: datetime
    key: str


def rss_feed(title: str, entries: Sequence[FeedEntry]) -> str:
    """Return the feed as a document; equal entries give equal text."""
    parts = ['<?xml version="1.0" encoding="utf-8"?>', '<rss version="2.0"><channel>']
    parts += [f"<title>{_text(title)}</title><link>https://pypi.org/project/peneira/</link>"]
    parts.append(f"<description>{_text(title)}</description>")
    for entry in entries:
        link = f"<link>{_text(entry.link)}</link>" if entry.link else ""
        guid = sha256(entry.key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        parts.append(
            f'<item><title>{_text(entry.title)}</title>{link}<guid isPermaLink="false">{guid}</guid>'
            f"<pubDate>{format_datetime(entry.at)}</pubDate></item>"
        )
    parts.append("</channel></rss>")
    return "\n".join(parts) + "\n"


def _text(text: str) -> str:
    return escape(str(XML.replace_forbidden(text, Tally())), quote=False)
