"""How likely a selector is to survive a redesign: positions and long paths break first, labels and ids last."""

from __future__ import annotations

from peneira.xpath.selectors import TEXT, Selector, Step

# The probability that a step survives a change of the page: estimates, checked on mutated pages (docs/wrappers.md)
_ID, _ITEMPROP, _LABEL, _CLASS, _TAG, _SIBLING = 0.97, 0.98, 0.97, 0.95, 0.94, 0.96
_LATER_SIBLING = _SIBLING * 0.97
_FIRST_POSITION, _LATER_POSITION = 0.97, 0.85
_LATER_TEXT = 0.93
_TABLE_DEPTH = 0.93
_CHILD_CLASS, _CHILD_COUNT = 0.95, 0.93


def stability(selector: Selector) -> float:
    """Return the stability of a selector, 0..1."""
    score = 1.0
    for step in selector.steps:
        score *= _step_stability(step)
    return round(score, 3)


def _step_stability(step: Step) -> float:
    if step.name == TEXT and step.axis != "nth-sibling":
        if step.label:
            return _LABEL
        return _LATER_TEXT if step.position > 1 else 1.0
    if step.name.startswith("@"):
        return 1.0
    if step.axis == "nth-sibling":
        return _SIBLING if step.position == 1 else _LATER_SIBLING
    if step.axis == "following-sibling":
        return _SIBLING
    score = _test_stability(step)
    if step.table_depth:
        score *= _TABLE_DEPTH
    score *= (_CHILD_CLASS if step.child_class else 1.0) * (_CHILD_COUNT if step.child_count else 1.0)
    return score * (1.0 if not step.position else _FIRST_POSITION if step.position == 1 else _LATER_POSITION)


def _test_stability(step: Step) -> float:
    """Return the stability of the strongest test of a step."""
    if step.id:
        return _ID
    if step.itemprop:
        return _ITEMPROP
    if step.label:
        return _LABEL
    return _CLASS if step.class_name else _TAG
