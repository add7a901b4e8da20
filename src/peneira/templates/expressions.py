"""Regular expressions over symbols, as values: symbols, sequences, alternatives, repetitions, options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol."""

    name: int | str

    def __str__(self) -> str:
        return str(self.name)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All items, in order."""

    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return written(self)


@dataclass(frozen=True, slots=True)
class Disjunction:
    """One of the items."""

    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return written(self)


@dataclass(frozen=True, slots=True)
class Repeat:
    """The item once or more."""

    item: Expression

    def __str__(self) -> str:
        return written(self)


@dataclass(frozen=True, slots=True)
class Optional:
    """The item or nothing."""

    item: Expression

    def __str__(self) -> str:
        return written(self)


Expression = Symbol | Conjunction | Disjunction | Repeat | Optional

_SIGNS: dict[type, str] = {Repeat: "+", Optional: "?"}


def below(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of an expression."""
    if isinstance(expression, Symbol):
        return ()
    return (expression.item,) if isinstance(expression, Repeat | Optional) else expression.items


def written(expression: Expression) -> str:
    """Return the expression as text: ``a b? (c d)+ (e|f)``."""
    out: list[str] = []
    waiting: list[Expression | str] = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str | Symbol):
            out.append(str(part))
        elif isinstance(part, Repeat | Optional):
            # braces around a sequence, and around a sign that another follows; alternatives have their own
            bare = isinstance(part.item, Symbol | Disjunction)
            pieces = [part.item] if bare else ["(", part.item, ")"]
            waiting.extend(reversed([*pieces, _SIGNS[type(part)]]))
        else:
            waiting.extend(reversed(_joined(part)))
    return "".join(out)


def _joined(part: Conjunction | Disjunction) -> list[Expression | str]:
    between = " " if isinstance(part, Conjunction) else "|"
    pieces: list[Expression | str] = [piece for item in part.items for piece in (between, item)][1:]
    return pieces if isinstance(part, Conjunction) else ["(", *pieces, ")"]
