"""Finding a column again after the markup around it changed: its old selectors, tested less strictly.

Renamed classes are survived by a selector of tags alone, new elements around a value by one that skips any number of
levels. What such a selector reads is the column only if the values have the old type and patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from peneira.wrappers.record_finder import TopRows
from peneira.wrappers.saved_columns import ColumnReader, SavedColumn, stats_of, varies_less
from peneira.xpath.selectors import TEXT, Selector, Step

# A record of a list, or a page (None) that is one record
Place = tuple[ColumnReader, TopRows | None]
# A relocated column is filled at least this much as before, and this share of its values has the old type and patterns
MIN_FILL_SHARE = 0.8
MIN_ALIKE_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Relocation:
    """A column with the readings that find it now, and the texts that they read."""

    column: SavedColumn
    texts: tuple[str, ...]


def column_fits(
    column: SavedColumn, places: Sequence[Place], alike: Callable[[SavedColumn, Sequence[str]], float]
) -> bool:
    """Return whether a column is read in as many places as before, with values of its type and patterns."""
    found = [values for reader, rows in places if (values := reader.values(column, rows)) is not None]
    is_full = bool(found) and len(found) >= MIN_FILL_SHARE * column.stats.fill * len(places)
    return is_full and alike(column, [values.texts[0] for values in found]) >= MIN_ALIKE_SHARE


def relocated(
    column: SavedColumn, places: Sequence[Place], alike: Callable[[SavedColumn, Sequence[str]], float]
) -> Relocation | None:
    """Return a column as a less strict selector finds it; None if none reads enough values like the old ones.

    ``alike``: the share of texts that have the type and the patterns of a column.
    """
    best: tuple[float, Relocation] | None = None
    for reading in column.readings:
        for selector in (*column.spares, *_loosened(reading.selector)):
            candidate = replace(column, readings=(replace(reading, selector=selector),))
            found = [values for reader, rows in places if (values := reader.values(candidate, rows)) is not None]
            texts = [values.texts[0] for values in found]
            fill = len(texts) / max(len(places), 1)
            if (
                not texts
                or fill < MIN_FILL_SHARE * column.stats.fill
                or varies_less(column, [values.texts for values in found])
            ):
                continue
            share = alike(column, texts)
            if share >= MIN_ALIKE_SHARE and (best is None or share > best[0]):
                stats = replace(stats_of([values.texts for values in found], len(places)), samples=column.stats.samples)
                best = (share, Relocation(replace(candidate, stats=stats), tuple(texts)))
    return best[1] if best is not None else None


def _loosened(selector: Selector) -> Iterator[Selector]:
    """Yield a selector, and the same without names, without levels, and without both."""
    bare = Selector(tuple(map(_without_names, selector.steps)), selector.is_relative)
    variants = (
        bare if selector.is_relative or selector.label else selector,
        _without_levels(selector),
        _without_levels(bare) if selector.is_relative or selector.label else selector,
    )
    yield from dict.fromkeys(variant for variant in variants if variant != selector)


def _without_names(step: Step) -> Step:
    return replace(step, id="", class_name="", itemprop="", child_class="")


def _without_levels(selector: Selector) -> Selector:
    """Return a selector whose steps to children go to any descendants; texts and attributes stay where they are."""
    steps = tuple(
        replace(step, axis="descendant") if step.axis == "child" and step.name[0] != "@" and step.name != TEXT else step
        for step in selector.steps
    )
    return Selector(steps, selector.is_relative)
