"""The markup of a page as the studio shows it: how it looked, without anything that could act or load.

Only known elements and attributes are written, so what is not known is gone: scripts, frames, forms, links, event
handlers, addresses. Every element carries its row (``data-n``), by which outlines and clicks find it. The document is
served with a policy of its own that forbids scripts and loading, into a frame without scripts (``docs/security.md``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from peneira.page import Page

# A page is shown up to here; tables are always of the whole page
MAX_ROWS = 15_000
FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
_SHOWN_TAGS = frozenset(
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del "
    "details dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins "
    "kbd legend li main mark menu nav nobr ol p picture pre q rp rt ruby s samp section small span strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
_DROPPED_TAGS = frozenset(
    "script style noscript template iframe frame frameset noframes object embed applet meta base link title audio "
    "video source track param canvas svg math datalist option optgroup portal fencedframe input area map bgsound "
    "noembed".split()
)
# Elements that look like nothing without a browser behind them
_STOOD_FOR = {"button": "span", "label": "span", "select": "span", "textarea": "span", "form": "div", "dialog": "div"}
_VOID_TAGS = frozenset("br col hr img wbr".split())
_ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang nowrap "
    "reversed rowspan size start style title valign width".split()
)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_ADDRESS = re.compile(r"url(?=\s*\()|@import|image-set(?=\s*\()", re.IGNORECASE)
# What the browser's own styles do, weaker than any style of the page: links have no addresses here
_BASE_STYLE = (
    "a{color:#0b57d0;text-decoration:underline}img{min-width:16px;min-height:16px;background:#e8ebef;max-width:100%}"
    "body{font-family:system-ui,sans-serif}"
)


def framed_html(page: Page, max_rows: int = MAX_ROWS) -> str:
    """Return the page as a document in which nothing can act, at most so many rows of it."""
    out = ["<!doctype html>", f"<html{_written(_attrs_of(page, 'html'))}><head><meta charset='utf-8'>"]
    out.append(f"<style>{_BASE_STYLE}</style>")
    out += ["<style>" + _unlinked(text).replace("</", r"<\/") + "</style>" for text in _styles(page)]
    out.append("</head>")
    if len(page):
        _write_body(page, out, max_rows)
    out.append("</html>")
    return "".join(out)


def is_cut(page: Page, max_rows: int = MAX_ROWS) -> bool:
    """Return whether only the beginning of a page is shown."""
    return len(page) > max_rows


def _write_body(page: Page, out: list[str], max_rows: int) -> None:
    tags, ends, names = page.lists.tag, page.lists.end, page.tag_names
    body = page.body
    out.append(f"<body{_written(page.attrs[body])} data-n='{body}'>")
    open_tags: list[tuple[int, str]] = []
    i, end = body + 1, ends[body]
    last = min(end, body + max_rows)
    while i < last:
        while open_tags and open_tags[-1][0] <= i:
            out.append(f"</{open_tags.pop()[1]}>")
        if page.spaced[i]:
            out.append(" ")
        if tags[i] == 0:
            out.append(escape(page.text[i], quote=False))
            i += 1
            continue
        name = names[tags[i]]
        if name in _DROPPED_TAGS:
            i = ends[i]
            continue
        tag = name if name in _SHOWN_TAGS else _STOOD_FOR.get(name, "span")
        out.append(f"<{tag}{_written(page.attrs[i])}{_picture(name, page.attrs[i])} data-n='{i}'>")
        if tag not in _VOID_TAGS:
            open_tags.append((ends[i], tag))
        i += 1
    out += [f"</{tag}>" for _, tag in reversed(open_tags)]
    out.append("</body>")


def _styles(page: Page) -> list[str]:
    """Return the style sheets that are in the page, in order."""
    style = next((code for code, name in enumerate(page.tag_names) if name == "style"), None)
    if style is None:
        return []
    rows = (page.tag == style).nonzero()[0].tolist()
    return ["".join(page.text[child] for child in page.children(row)) for row in rows]


def _attrs_of(page: Page, name: str) -> Mapping[str, str]:
    return page.attrs[0] if len(page) and page.tag_names[page.lists.tag[0]] == name else {}


def _written(attrs: Mapping[str, str]) -> str:
    return "".join(
        f' {name}="{escape(_unlinked(value) if name == "style" else value)}"'
        for name, value in attrs.items()
        if name in _ATTRIBUTES
    )


def _unlinked(style: str) -> str:
    """Return styles without addresses, so that the browser does not even try what the policy forbids."""
    return _ADDRESS.sub("none-", style)


def _picture(tag: str, attrs: Mapping[str, str]) -> str:
    """Return the source of a picture that is in the page itself: no other is loaded."""
    source = attrs.get("src", "") if tag == "img" else ""
    return f' src="{escape(source)}"' if _PICTURE.fullmatch(source) else ""
