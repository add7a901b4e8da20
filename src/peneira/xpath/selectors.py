"""Selectors: the XPaths of a wrapper, a small subset of XPath that every engine evaluates in the same way.

A selector is a sequence of steps. A step goes to children, to descendants, to the n-th following sibling or to all
following siblings of a tag, and tests what it finds there: a tag, an id, an ``itemprop``, one class, the text of a
label, its children, a position. The last step may be a text or an attribute. Wrapper files hold the XPath itself;
XPath outside this subset is rejected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from peneira.errors import SelectorError

Axis = Literal["child", "descendant", "nth-sibling", "following-sibling"]
TEXT = "text()"
# Both are far beyond what a learned wrapper holds; they bound the cost of an edited or hostile file
MAX_XPATH_CHARS = 10_000
MAX_POSITION = 100_000

_NOT_BLANK = "[normalize-space()]"
_SIBLING_NODES = f"following-sibling::node()[self::* or self::text(){_NOT_BLANK}]"
_HAS_CLASS = "[contains(concat(' ', normalize-space(@class), ' '), {})]"
_NAME = r"[A-Za-z][\w.:-]*"
_NODE_TEST = re.compile(rf"\*|text\(\)|@?{_NAME}")
_CSS_IDENTIFIER = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``name`` is a tag, ``*``, ``text()`` or ``@attribute``; an empty or zero field is not tested.

    ``text``: the whole text, with white space collapsed; ``text_prefix``: how the text starts; ``table_depth``: the
    number of tables around the node; ``child_class``: a class of one of its children; ``child_count``: how many
    elements its children are. ``position`` counts from 1 among the siblings that pass the other tests; on the
    axis "nth-sibling" it counts all following nodes except blank texts.
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
    child_class: str = ""
    child_count: int = 0

    def __post_init__(self) -> None:
        if not _NODE_TEST.fullmatch(self.name):  # broken markup has tags such as ``b<div``, which XPath cannot name
            object.__setattr__(self, "name", "*")

    @property
    def is_tag_only(self) -> bool:
        """Whether it tests only a tag, and perhaps a position."""
        tests = (self.id, self.itemprop, self.class_name, self.text, self.text_prefix, self.child_class)
        return not (any(tests) or self.child_count)

    @property
    def label(self) -> str:
        """The text that it tests, whole or as a prefix; "" if it tests none."""
        return self.text or self.text_prefix


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
        """The selector as CSS, with the ``::text`` and ``::attr()`` of parsel; None where CSS cannot express it."""
        parts: list[str] = []
        for step in self.steps:
            part = _css_step(step)
            if part is None:
                return None
            combinator = "" if part.startswith("::") else " > " if step.axis == "child" else " "
            if part.startswith("::") and step.axis == "descendant":
                combinator = " "
            parts.append(combinator + part)
        css = "".join(parts).strip()
        return css.removeprefix("> ") if not self.is_relative else css or None

    @property
    def label(self) -> str:
        """The text of the label that it starts from, "" if there is none."""
        return next((step.label for step in reversed(self.steps) if step.label), "")


def quoted(text: str) -> str:
    """Return a text as an XPath literal. XPath has no escapes: a text with both kinds of quotes has no literal."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    raise SelectorError(text, "a text with both kinds of quotes cannot be written in XPath")


def can_quote(text: str) -> bool:
    """Return whether a text can be written as an XPath literal."""
    return "'" not in text or '"' not in text


def _xpath_step(step: Step) -> str:
    if step.axis == "nth-sibling":
        return f"/{_SIBLING_NODES}[{step.position}][self::{step.name}]"
    if step.axis == "following-sibling":
        return f"/following-sibling::{step.name}"
    predicates = [_NOT_BLANK] if step.name == TEXT and not step.text else []
    predicates += [template.format(quoted(value)) for value, template in _attribute_tests(step) if value]
    predicates += [f"[count(ancestor::table)={step.table_depth}]"] * bool(step.table_depth)
    predicates += [f"[*{_HAS_CLASS.format(quoted(f' {step.child_class} '))}]"] * bool(step.child_class)
    predicates += [f"[count(*)={step.child_count}]"] * bool(step.child_count)
    predicates += [f"[{step.position}]"] * bool(step.position)
    return ("/" if step.axis == "child" else "//") + step.name + "".join(predicates)


def _attribute_tests(step: Step) -> tuple[tuple[str, str], ...]:
    """Return what a step requires of attributes and text, each with the predicate that tests it."""
    return (
        (step.id, "[@id={}]"),
        (step.itemprop, "[@itemprop={}]"),
        (f" {step.class_name} " if step.class_name else "", _HAS_CLASS),
        (step.text, "[normalize-space()={}]"),
        (step.text_prefix, "[starts-with(normalize-space(), {})]"),
    )


def _css_step(step: Step) -> str | None:
    if step.axis in ("nth-sibling", "following-sibling") or step.label or step.table_depth:
        return None
    if step.child_class or step.child_count:
        return None
    if step.name.startswith("@"):
        return f"::attr({step.name[1:]})"
    if step.name == TEXT:
        return None if step.position > 1 else "::text"
    css = "" if step.name == "*" and not step.is_tag_only else step.name
    if step.id:
        css += f"#{step.id}" if _CSS_IDENTIFIER.fullmatch(step.id) else f"[id={_css_string(step.id)}]"
    if step.class_name:
        is_identifier = _CSS_IDENTIFIER.fullmatch(step.class_name)
        css += f".{step.class_name}" if is_identifier else f"[class~={_css_string(step.class_name)}]"
    if step.itemprop:
        css += f"[itemprop={_css_string(step.itemprop)}]"
    if step.position:
        if not (step.is_tag_only and step.name != "*"):
            return None
        css += f":nth-of-type({step.position})"
    return css


def _css_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_LITERAL = r"""(?:'[^']*'|"[^"]*")"""
_COUNT = r"[1-9]\d{0,8}"  # Python refuses numbers of thousands of digits
_STEP = re.compile(
    rf"(?P<axis>//|/)(?P<name>\*|text\(\)|@{_NAME}|{_NAME})(?P<not_blank>{re.escape(_NOT_BLANK)})?"
    rf"(?:\[@id=(?P<id>{_LITERAL})\])?(?:\[@itemprop=(?P<itemprop>{_LITERAL})\])?"
    rf"(?:\[contains\(concat\(' ', normalize-space\(@class\), ' '\), (?P<class_name>{_LITERAL})\)\])?"
    rf"(?:\[normalize-space\(\)=(?P<text>{_LITERAL})\])?"
    rf"(?:\[starts-with\(normalize-space\(\), (?P<text_prefix>{_LITERAL})\)\])?"
    rf"(?:\[count\(ancestor::table\)=(?P<table_depth>{_COUNT})\])?"
    rf"(?:\[\*\[contains\(concat\(' ', normalize-space\(@class\), ' '\), (?P<child_class>{_LITERAL})\)\]\])?"
    rf"(?:\[count\(\*\)=(?P<child_count>{_COUNT})\])?(?:\[(?P<position>{_COUNT})\])?"
)
_FOLLOWING_SIBLING = re.compile(rf"/following-sibling::({_NAME})(?![\w.:()-])")
_NTH_SIBLING = re.compile(rf"/{re.escape(_SIBLING_NODES)}\[({_COUNT})\]\[self::(text\(\)|\*|{_NAME})\]")


@lru_cache(maxsize=4096)
def parse(xpath: str) -> Selector:
    """Return the selector that an XPath stands for; raise ``SelectorError`` where it leaves the subset of wrappers."""
    if len(xpath) > MAX_XPATH_CHARS:
        raise SelectorError(f"{xpath[:60]}...", f"longer than {MAX_XPATH_CHARS} characters")
    selector = parse_any_length(xpath)
    if any(step.position > MAX_POSITION for step in selector.steps):
        raise SelectorError(xpath, f"a position is beyond {MAX_POSITION}")
    return selector


def parse_any_length(xpath: str) -> Selector:
    """Return the selector of an XPath that this package wrote itself, such as ``Page.xpath`` of a deep node."""
    is_relative = xpath.startswith(".")
    offset = int(is_relative)
    steps: list[Step] = []
    while offset < len(xpath):
        match = (
            _NTH_SIBLING.match(xpath, offset) or _FOLLOWING_SIBLING.match(xpath, offset) or _STEP.match(xpath, offset)
        )
        if match is None:
            raise SelectorError(
                xpath, f"wrappers do not know {xpath[offset : offset + 40]!r}; write it as `peneira show` does"
            )
        if steps and (steps[-1].name == TEXT or steps[-1].name.startswith("@")) and match.re is _STEP:
            raise SelectorError(xpath, "nothing can follow a text or an attribute")
        steps.append(_STEP_PARSERS[match.re](match))
        offset = match.end()
    selector = Selector(tuple(steps), is_relative)
    if str(selector) != xpath or not (steps or is_relative):
        raise SelectorError(xpath, f"wrappers would write it as {str(selector)!r}")
    return selector


def _nth_sibling_step(match: re.Match[str]) -> Step:
    return Step("nth-sibling", match[2], position=int(match[1]))


def _following_sibling_step(match: re.Match[str]) -> Step:
    return Step("following-sibling", match[1])


def _tree_step(match: re.Match[str]) -> Step:
    def literal(group: str) -> str:
        return (match[group] or "''")[1:-1]

    return Step(
        "child" if match["axis"] == "/" else "descendant",
        match["name"],
        literal("id"),
        literal("itemprop"),
        literal("class_name").strip(),
        literal("text"),
        literal("text_prefix"),
        int(match["table_depth"] or 0),
        int(match["position"] or 0),
        literal("child_class").strip(),
        int(match["child_count"] or 0),
    )


_STEP_PARSERS = {_NTH_SIBLING: _nth_sibling_step, _FOLLOWING_SIBLING: _following_sibling_step, _STEP: _tree_step}
