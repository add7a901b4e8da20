"""How long a selector may be expected to live: positions and long ways break first, labels and ids last."""

from __future__ import annotations

from peneira.xpath.selectors import TEXT, Selector, Step

# The chance that a step outlives a change of the page, guessed once and checked on mutated pages (docs/wrappers.md)
_ID, _PROP, _WORDS, _CLASS, _TAG, _NEXT = 0.97, 0.98, 0.97, 0.95, 0.94, 0.96
_FIRST, _COUNTED = 0.97, 0.85
_TEXT_COUNTED = 0.93
_TABLES = 0.93


def stability(selector: Selector) -> float:
    """Return the stability of a selector, 0..1."""
    score = 1.0
    for step in selector.steps:
        score *= _of_step(step)
    return round(score, 3)


def _of_step(step: Step) -> float:
    if step.name == TEXT and step.axis != "next":
        if step.text or step.text_prefix:
            return _WORDS
        return _TEXT_COUNTED if step.position > 1 else 1.0
    if step.name.startswith("@"):
        return 1.0
    if step.axis == "next":
        return _NEXT if step.position == 1 else _NEXT * 0.97
    if step.axis == "after":
        return _NEXT
    held = (
        _ID
        if step.id
        else _PROP
        if step.itemprop
        else _WORDS
        if step.text or step.text_prefix
        else _CLASS
        if step.class_name
        else _TAG
    )
    if step.table_depth:
        held *= _TABLES
    return held * (1.0 if not step.position else _FIRST if step.position == 1 else _COUNTED)
