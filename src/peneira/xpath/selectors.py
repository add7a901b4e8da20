"""Selectors: the paths of a wrapper, a small part of XPath that every XPath engine reads alike.

A selector is a row of steps. A step goes to children, to descendants, to the n-th node after a sibling or to all after
it, and says what it wants there: a tag, an id, an ``itemprop``, one class, the words of a label, a position. The last
step may be texts or an attribute. What is written in a wrapper file is the XPath itself; what this language lacks is
refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from peneira.errors import SelectorError
from peneira.xpath.predicates import has_class, has_id, quoted

Axis = Literal["child", "descendant", "next", "after"]
TEXT = "text()"
MAX_CHARS = 10_000
MAX_POSITION = 100_000

_NODES = "node()[self::* or self::text()[normalize-space()]]"
_SIMPLE = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``name`` is a tag, ``*``, ``text()`` or ``@attribute``; what is empty or 0 is not asked for.

    ``words``: its text is just this, white space apart; ``lead``: its text starts so; ``tables``: it is in so many.
    ``position`` counts, from 1, the siblings that the step wants; on the axis "next" all nodes but blank texts.
    """

    axis: Axis
    name: str
    id: str = ""
    itemprop: str = ""
    class_name: str = ""
    text: str = ""
    text_prefix: str = ""
    table_depth: int = 0
    position: int = 0

    @property
    def is_tag_only(self) -> bool:
        """Whether it asks for no more than a tag."""
        return not (self.id or self.itemprop or self.class_name or self.text or self.text_prefix)


@dataclass(frozen=True, slots=True)
class Selector:
    """Steps from the document, or from a record where ``is_relative``."""

    steps: tuple[Step, ...]
    is_relative: bool = False

    def __str__(self) -> str:
        return ("." if self.is_relative else "") + "".join(map(_xpath_step, self.steps))

    @property
    def attribute(self) -> str:
        """The attribute it ends in, "" if it ends in texts or elements."""
        return self.steps[-1].name[1:] if self.steps and self.steps[-1].name.startswith("@") else ""

    @property
    def is_text(self) -> bool:
        """Whether it ends in texts."""
        return bool(self.steps) and self.steps[-1].name == TEXT

    @property
    def css(self) -> str | None:
        """The selector as CSS, with the ``::text`` and ``::attr()`` of parsel; None where CSS cannot say it."""
        parts: list[str] = []
        for step in self.steps:
            part = _css_step(step)
            if part is None:
                return None
            sign = "" if part.startswith("::") else " > " if step.axis == "child" else " "
            if part.startswith("::") and step.axis == "descendant":
                sign = " "
            parts.append(sign + part)
        css = "".join(parts).strip()
        return css.removeprefix("> ") if not self.is_relative else css or None

    @property
    def label(self) -> str:
        """The words of the label that it starts from, "" if there is none."""
        return next(
            (step.text or step.text_prefix for step in reversed(self.steps) if step.text or step.text_prefix), ""
        )


def _xpath_step(step: Step) -> str:
    if step.axis == "next":
        wanted = f"self::{step.name}"
        return f"/following-sibling::{_NODES}[{step.position}][{wanted}]"
    if step.axis == "after":
        return f"/following-sibling::{step.name}"
    text = step.name
    if text == TEXT and not step.text:
        text += "[normalize-space()]"
    if step.id:
        text += has_id(step.id)
    if step.itemprop:
        text += f"[@itemprop={quoted(step.itemprop)}]"
    if step.class_name:
        text += has_class(step.class_name)
    if step.text:
        text += f"[normalize-space()={quoted(step.text)}]"
    if step.text_prefix:
        text += f"[starts-with(normalize-space(), {quoted(step.text_prefix)})]"
    if step.table_depth:
        text += f"[count(ancestor::table)={step.table_depth}]"
    if step.position:
        text += f"[{step.position}]"
    return ("/" if step.axis == "child" else "//") + text


def _css_step(step: Step) -> str | None:
    if step.axis in ("next", "after") or step.text or step.text_prefix or step.table_depth:
        return None
    if step.name.startswith("@"):
        return f"::attr({step.name[1:]})"
    if step.name == TEXT:
        return None if step.position > 1 else "::text"
    text = "" if step.name == "*" and not step.is_tag_only else step.name
    if step.id:
        text += f"#{step.id}" if _SIMPLE.fullmatch(step.id) else f'[id="{_css_string(step.id)}"]'
    if step.class_name:
        text += (
            f".{step.class_name}"
            if _SIMPLE.fullmatch(step.class_name)
            else f'[class~="{_css_string(step.class_name)}"]'
        )
    if step.itemprop:
        text += f'[itemprop="{_css_string(step.itemprop)}"]'
    if step.position:
        if not (step.is_tag_only and step.name != "*"):
            return None
        text += f":nth-of-type({step.position})"
    return text


def _css_string(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


_LITERAL = r"""(?:'[^']*'|"[^"]*")"""
_NAME = r"[A-Za-z][\w.:-]*"
_STEP = re.compile(
    rf"(?P<axis>//|/)(?P<name>\*|text\(\)|@{_NAME}|{_NAME})(?P<blank>\[normalize-space\(\)\])?"
    rf"(?:\[@id=(?P<id>{_LITERAL})\])?(?:\[@itemprop=(?P<prop>{_LITERAL})\])?"
    rf"(?:\[contains\(concat\(' ', normalize-space\(@class\), ' '\), (?P<cls>{_LITERAL})\)\])?"
    rf"(?:\[normalize-space\(\)=(?P<words>{_LITERAL})\])?"
    rf"(?:\[starts-with\(normalize-space\(\), (?P<lead>{_LITERAL})\)\])?"
    rf"(?:\[count\(ancestor::table\)=(?P<tables>[1-9]\d*)\])?(?:\[(?P<position>[1-9]\d*)\])?"
)
_AFTER = re.compile(rf"/following-sibling::({_NAME})(?![\w.:()-])")
_NEXT = re.compile(rf"/following-sibling::{re.escape(_NODES)}\[([1-9]\d*)\]\[self::(text\(\)|\*|{_NAME})\]")


@lru_cache(maxsize=4096)
def parse(xpath: str) -> Selector:
    """Return the selector that an XPath says; an error tells where it leaves the language of wrappers."""
    if len(xpath) > MAX_CHARS:
        raise SelectorError(f"{xpath[:60]}...", f"longer than {MAX_CHARS} characters")
    is_relative = xpath.startswith(".")
    place = int(is_relative)
    steps: list[Step] = []
    while place < len(xpath):
        found = _NEXT.match(xpath, place) or _AFTER.match(xpath, place) or _STEP.match(xpath, place)
        if found is None:
            raise SelectorError(
                xpath, f"wrappers do not know {xpath[place : place + 40]!r}; write it as `peneira show` does"
            )
        if steps and (steps[-1].name == TEXT or steps[-1].name.startswith("@")) and found.re is _STEP:
            raise SelectorError(xpath, "nothing can follow a text or an attribute")
        steps.append(_READERS[found.re](found))
        place = found.end()
    selector = Selector(tuple(steps), is_relative)
    if str(selector) != xpath or not (steps or is_relative) or any(step.position > MAX_POSITION for step in steps):
        raise SelectorError(xpath, f"wrappers would write it as {str(selector)!r}")
    return selector


def _read_next(found: re.Match[str]) -> Step:
    return Step("next", found[2], position=int(found[1]))


def _read_after(found: re.Match[str]) -> Step:
    return Step("after", found[1])


def _read_step(found: re.Match[str]) -> Step:
    def literal(group: str) -> str:
        return (found[group] or "''")[1:-1]

    return Step(
        "child" if found["axis"] == "/" else "descendant",
        found["name"],
        literal("id"),
        literal("prop"),
        literal("cls").strip(),
        literal("words"),
        literal("lead"),
        int(found["tables"] or 0),
        int(found["position"] or 0),
    )


_READERS = {_NEXT: _read_next, _AFTER: _read_after, _STEP: _read_step}
