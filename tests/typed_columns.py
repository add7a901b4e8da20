"""Columns of texts, read as the type that is inferred for them."""

from __future__ import annotations

from peneira.types.column_types import infer_type


def read(texts: list[str], **hints: str) -> tuple[str, list[object]]:
    """Return the type of a column and the values of its cells."""
    inferred = infer_type(texts, **hints)
    return inferred.type, [inferred.value(text) for text in texts]
