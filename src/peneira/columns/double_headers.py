"""Headers that name two fields: under "Short Title/District", "Ann v. Bob - Western District" is one of each."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.columns.raw_columns import RawColumn

# The share of the cells that have both parts
MIN_FILL = 0.9
_SIGN = "/"


def headers_of_parts(columns: Sequence[RawColumn], headers: Sequence[str]) -> dict[int, str]:
    """Return the headers of the two parts of cells whose header has two names, by the number of the part."""
    if not any(_SIGN in header for header in headers):
        return {}
    number_of = {id(column): k for k, column in enumerate(columns)}
    parts: dict[int, list[int]] = {}
    for k, column in enumerate(columns):
        if column.part and column.container is not None:
            parts.setdefault(number_of[id(column.container)], []).append(k)
    found: dict[int, str] = {}
    for k, own in parts.items():
        names = [name.strip() for name in headers[k].split(_SIGN)]
        if columns[k].slot.column < 0 or len(own) != 2 or len(names) != 2:
            continue
        least = MIN_FILL * len(columns[k].values)
        are_words = all(any(map(str.isalpha, name)) for name in names)
        if are_words and all(len(columns[part].values) >= least for part in own):
            found.update(zip(own, names, strict=True))
    return found
