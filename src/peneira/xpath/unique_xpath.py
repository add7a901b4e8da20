"""XPaths with predicates, which hold when something is added before or around the element."""

from __future__ import annotations

from collections import Counter

from peneira.page import Page
from peneira.xpath.class_words import is_stable
from peneira.xpath.predicates import has_class, has_id


def predicate_xpath(page: Page, i: int) -> str:
    """Return an XPath of element ``i`` by id, role or class words where these are told apart by them.

    The path starts at the nearest element that is the only one with its id or class; from there steps are positional.
    """
    steps: list[str] = []
    counts = _counted(page)
    node = i
    while node > 0:
        if step := _unique_step(page, node, counts):
            return "/".join((f"//{step}", *reversed(steps)))
        steps.append(page.xpath_step(node))
        node = int(page.parent[node])
    return page.xpath(i)


def _unique_step(page: Page, i: int, counts: Counter[tuple[str, str, str]]) -> str | None:
    """Return a step that only element ``i`` of the page fits, if its attributes allow one."""
    name = page.name(i)
    if name in ("body", "main"):
        return name if counts["tag", name, ""] == 1 else None
    attrs = page.attrs[i]
    identity = attrs.get("id", "")
    if identity and is_stable(identity) and counts["id", "", identity] == 1:
        return name + has_id(identity)
    for word in attrs.get("class", "").split():
        if is_stable(word) and counts["class", name, word] == 1:
            return name + has_class(word)
    return None


def _counted(page: Page) -> Counter[tuple[str, str, str]]:
    """Return how often each tag, id, and class word of a tag occurs on the page."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for i, attrs in enumerate(page.attrs):
        name = page.name(i)
        counts["tag", name, ""] += 1
        if "id" in attrs:
            counts["id", "", attrs["id"]] += 1
        for word in set(attrs.get("class", "").split()):
            counts["class", name, word] += 1
    return counts
