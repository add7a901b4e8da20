"""Types on real columns: the gold values of each field of each page of the ``modern`` corpus."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from peneira.types.column_types import InferredType, infer_type
from peneira.types.notation import language_with_region

LANGUAGE = re.compile(rb"<html[^>]*\blang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
FULL_DATE = re.compile(r"\d.*\d{4}|\d{4}.*\d|\d\D\d+\D\d\d$")
NEVER_A_DATE_OR_PRICE = re.compile(r"name|title|docket|reference|address|citation|court")


@pytest.fixture(scope="module")
def columns(corpora: Path) -> list[tuple[str, str, InferredType, list[str]]]:
    """The source, field, type and cells of every column."""
    return list(_columns(corpora / "modern"))


def _columns(root: Path) -> Iterator[tuple[str, str, InferredType, list[str]]]:
    for line in (root / "modern.jsonl").read_text("utf-8").splitlines():
        page = json.loads(line)
        match = LANGUAGE.search((root / page["file"]).read_bytes()[:20_000])
        language = language_with_region(match[1].decode() if match else "", page["site"])
        cells: dict[str, list[str]] = defaultdict(list)
        for record in page["fields"] or []:
            for name, text in record.items():
                cells[name].append(str(text))
        for name, texts in cells.items():
            yield page["source"], name, infer_type(texts, language=language), texts


def test_full_dates_are_read(columns):
    read = [
        inferred.type in ("date", "datetime") and inferred.value(text) is not None
        for _, name, inferred, texts in columns
        if "date" in name
        for text in texts
        if FULL_DATE.search(text)
    ]
    assert len(read) > 4000
    assert sum(read) / len(read) >= 0.98


def test_names_references_and_addresses_are_not_dates_or_prices(columns):
    kinds = {(name, inferred.type) for _, name, inferred, _ in columns if NEVER_A_DATE_OR_PRICE.search(name)}
    assert {kind for _, kind in kinds} <= {"text", "integer", "list"}


def test_american_courts_write_the_month_first_and_australian_councils_the_day(columns):
    orders = {(source, inferred.notation.order) for source, _, inferred, _ in columns if inferred.type == "date"}
    assert ("juriscraper", "dmy") not in orders
    assert ("planningalerts", "mdy") not in orders
