"""XPaths with predicates, which stay valid when something is added before or around the element."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from peneira.page import Page
from peneira.xpath.class_words import is_stable
from peneira.xpath.selectors import Selector, Step, parse_any_length


def predicate_xpath(page: Page, i: int) -> str:
    """Return an XPath of element ``i`` that uses ids, landmark tags or class names instead of positions where possible.

    The path starts at the nearest element that is the only one with its id or class; from there steps are positional.
    """
    positional = parse_any_length(page.xpath(i)).steps
    counts = _counts(page)
    for depth, node in enumerate(chain((i,), page.ancestors(i))):
        if node > 0 and (step := _unique_step(page, node, counts)):
            return str(Selector((step, *positional[len(positional) - depth :])))
    return page.xpath(i)


def _unique_step(page: Page, i: int, counts: Counter[tuple[str, str, str]]) -> Step | None:
    """Return a step that only element ``i`` of the page matches, if its attributes allow one."""
    name = page.name(i)
    if name in ("body", "main"):
        return Step("descendant", name) if counts["tag", name, ""] == 1 else None
    attrs = page.attrs[i]
    identity = attrs.get("id", "")
    if identity and is_stable(identity) and counts["id", "", identity] == 1:
        return Step("descendant", name, id=identity)
    for word in attrs.get("class", "").split():
        if is_stable(word) and counts["class", name, word] == 1:
            return Step("descendant", name, class_name=word)
    return None


def _counts(page: Page) -> Counter[tuple[str, str, str]]:
    """Return how often each tag, each id, and each class name of a tag occurs on the page."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for i, attrs in enumerate(page.attrs):
        name = page.name(i)
        counts["tag", name, ""] += 1
        if "id" in attrs:
            counts["id", "", attrs["id"]] += 1
        for word in set(attrs.get("class", "").split()):
            counts["class", name, word] += 1
    return counts
