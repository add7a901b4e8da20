"""The node table back as HTML."""

from __future__ import annotations

from peneira.page import TEXT, Page

VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
RAW_TEXT_TAGS = frozenset("script style xmp iframe noembed noframes plaintext".split())
# The parser drops one newline right after these start tags
NEWLINE_EATING_TAGS = frozenset({"pre", "textarea", "listing"})
# Keeps two neighbouring texts apart when the page is parsed again
SEAM = "<!---->"

_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;", "\r": "&#13;"})
_VALUE_ESCAPES = str.maketrans(
    {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;", "\r": "&#13;"}
)


def serialise(page: Page, root: int, *, doctype: str = "") -> str:
    """Return the subtree of ``root`` as HTML, after ``doctype``."""
    out = [doctype]
    open_tags: list[tuple[int, str]] = []
    after_text = False
    for i in range(root, int(page.end[root])):
        while open_tags and open_tags[-1][0] <= i:
            out.append(f"</{open_tags.pop()[1]}>")
            after_text = False
        name = page.name(i)
        if page.spaced[i] and i != root:
            out.append(f"{SEAM if after_text else ''} {SEAM if name == TEXT else ''}")
        elif after_text and name == TEXT:
            out.append(SEAM)
        if name == TEXT:
            out.append(_text(page, i))
            after_text = True
            continue
        after_text = False
        out.append(_start_tag(page, i, name))
        if name not in VOID_TAGS or int(page.end[i]) > i + 1:
            open_tags.append((int(page.end[i]), name))
    out.extend(f"</{name}>" for _, name in reversed(open_tags))
    return "".join(out)


def _start_tag(page: Page, i: int, name: str) -> str:
    values = "".join(f' {key}="{value.translate(_VALUE_ESCAPES)}"' for key, value in page.attrs[i].items())
    return f"<{name}{values}>"


def _text(page: Page, i: int) -> str:
    parent = int(page.parent[i])
    around = page.name(parent) if parent >= 0 else ""
    text = page.text[i]
    if around in RAW_TEXT_TAGS:
        return text
    eaten = around in NEWLINE_EATING_TAGS and i == parent + 1 and text.startswith("\n")
    return ("\n" if eaten else "") + text.translate(_TEXT_ESCAPES)
