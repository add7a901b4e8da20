"""Regular expressions over symbols, as immutable trees."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """A single symbol."""

    name: int | str

    def __str__(self) -> str:
        return str(self.name)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All items in order."""

    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return expression_text(self)


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Exactly one of the items."""

    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return expression_text(self)


@dataclass(frozen=True, slots=True)
class Repeat:
    """The item, one or more times."""

    item: Expression

    def __str__(self) -> str:
        return expression_text(self)


@dataclass(frozen=True, slots=True)
class Optional:
    """The item or nothing."""

    item: Expression

    def __str__(self) -> str:
        return expression_text(self)


Expression = Symbol | Conjunction | Disjunction | Repeat | Optional

_SIGNS: dict[type, str] = {Repeat: "+", Optional: "?"}


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of an expression."""
    if isinstance(expression, Symbol):
        return ()
    return (expression.item,) if isinstance(expression, Repeat | Optional) else expression.items


def expression_text(expression: Expression) -> str:
    """Return the expression as text: ``a b? (c d)+ (e|f)``."""
    tokens: list[str] = []
    stack: list[Expression | str] = [expression]
    while stack:
        part = stack.pop()
        if isinstance(part, str | Symbol):
            tokens.append(str(part))
        elif isinstance(part, Repeat | Optional):
            # a sequence and an item with a sign of its own need parentheses; alternatives already have them
            is_closed = isinstance(part.item, Symbol | Disjunction)
            item = [part.item] if is_closed else ["(", part.item, ")"]
            stack.extend(reversed([*item, _SIGNS[type(part)]]))
        else:
            stack.extend(reversed(_joined(part)))
    return "".join(tokens)


def _joined(part: Conjunction | Disjunction) -> list[Expression | str]:
    separator = " " if isinstance(part, Conjunction) else "|"
    items: list[Expression | str] = [token for item in part.items for token in (separator, item)][1:]
    return items if isinstance(part, Conjunction) else ["(", *items, ")"]
