"""A wrapper for other tools: its selectors, a schema for tools that read one, or a module for Scrapy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from pprint import pformat
from textwrap import indent

from peneira.columns.element_signatures import FORMATTING_TAGS
from peneira.columns.outline import SEPARATORS
from peneira.errors import ArgumentError
from peneira.page import INLINE_TAGS, SILENT_TAGS
from peneira.types.locales import month_names
from peneira.wrappers.record_finder import MAX_SKIP_CHARS, OPTIONS, RecordFinder, RecordSpec
from peneira.wrappers.record_shapes import MAX_COUNTED
from peneira.wrappers.saved_columns import MAX_PATTERNS, Reading, SavedColumn
from peneira.wrappers.spare_readings import has_spares
from peneira.wrappers.table_headers import TableHeader, is_cell_by_position
from peneira.wrappers.text_cuts import EDGE, Cut
from peneira.wrappers.wrapper import Wrapper
from peneira.xpath.selectors import Selector

FORMS = ("xpath", "css", "scrapy", "json")
_RECORDS = "records"
# The line of ``exported_reader.py`` that the data of the wrapper replace
_NO_DATA = "SITE = Site()\n"
_MAX_LINE_CHARS = 110


def exported(wrapper: Wrapper, form: str) -> str:
    """Return the wrapper in one of the forms; selectors alone cannot put the pieces of records together."""
    _check_in_one_piece(wrapper)
    if wrapper.others:
        raise ArgumentError(
            f"this wrapper is of {len(wrapper.templates)} templates; save the one to export by itself: "
            "wrapper.templates[0].save(...)"
        )
    if form == "json":
        return json.dumps(extraction_schema(wrapper), ensure_ascii=False, indent=2) + "\n"
    return scrapy_module(wrapper) if form == "scrapy" else "\n".join(_lines(wrapper, form)) + "\n"


def _check_in_one_piece(wrapper: Wrapper) -> None:
    if wrapper.tree is not None:
        raise ArgumentError(
            f"a wrapper by {wrapper.tree.method} reads pages by a template of trees, which no selectors can express; "
            "read its pages with `peneira apply` or Wrapper.extract, or learn one by the default method"
        )
    if wrapper.arrangement is not None:
        raise ArgumentError(
            "the records of this wrapper are in pieces (its file says how, under arrangement), which selectors alone "
            "cannot put together; read its pages with `peneira apply` or Wrapper.extract"
        )


def _lines(wrapper: Wrapper, form: str) -> list[str]:
    """Return a line per selector: the name of the column, a tab, the selector; empty where CSS cannot express it."""
    named = [(column.name, reading.selector) for column in wrapper.fields for reading in column.readings]
    if wrapper.records is not None:
        named[:0] = [(_RECORDS, selector) for selector in (wrapper.records.selector, *wrapper.records.further)]
    return [f"{name}\t{_written(selector, form)}" for name, selector in named]


def _written(selector: Selector, form: str) -> str:
    return str(selector) if form == "xpath" else selector.css or ""


def extraction_schema(wrapper: Wrapper) -> dict[str, object]:
    """Return the wrapper as a schema for tools that extract by one (crawl4ai's ``JsonXPathExtractionStrategy``).

    Such tools know one selector per field and no cuts: a field has its first reading, and what is cut from its text is
    said under ``cut``, the type under ``value_type``.
    """
    base = (
        "//body"
        if wrapper.records is None
        else " | ".join(map(str, (wrapper.records.selector, *wrapper.records.further)))
    )
    fields = [_schema_field(column) for column in wrapper.fields if column.readings and not column.is_above]
    return {"name": wrapper.url or wrapper.kind, "baseSelector": base, "fields": fields}


def _schema_field(column: SavedColumn) -> dict[str, object]:
    reading = column.readings[0]
    attribute = reading.selector.attribute
    steps = reading.selector.steps[:-1] if attribute else reading.selector.steps
    document: dict[str, object] = {"name": column.name, "selector": str(replace(reading.selector, steps=steps)) or "."}
    if column.columns:
        return {**document, "type": "nested_list", "fields": [_schema_field(inner) for inner in column.columns]}
    document |= {"type": "attribute", "attribute": attribute} if attribute else {"type": "text"}
    document["value_type"] = column.typing.type
    if reading.cut is not None:
        document["cut"] = _cut_data(reading.cut)
    return document


def scrapy_module(wrapper: Wrapper) -> str:
    """Return ``exported_reader.py`` with the data of a wrapper: a module that reads its pages with parsel."""
    _check_in_one_piece(wrapper)
    source = Path(__file__).with_name("exported_reader.py").read_text(encoding="utf-8")
    return source.replace(_NO_DATA, _site_text(site_data(wrapper)), 1)


def _site_text(data: dict[str, object]) -> str:
    lines = []
    for name, value in data.items():
        text = pformat(value, width=_MAX_LINE_CHARS, compact=True, sort_dicts=False)
        lines.append(indent(f"{name}={text},\n", " " * 4))
    return f"SITE = Site(\n{''.join(lines)})\n"


def site_data(wrapper: Wrapper) -> dict[str, object]:
    """Return the fields of ``exported_reader.Site`` for a wrapper."""
    return {
        "columns": [_column_data(column) for column in wrapper.fields if column.readings],
        "types": {column.name: column.typing.type for column in wrapper.fields if column.readings},
        "left_out": [column.name for column in wrapper.fields if not column.readings],
        "core": [column.name for column in wrapper.core],
        "min_core": wrapper.min_fit,
        "separators": "".join(sorted(SEPARATORS)),
        "inline_tags": sorted(INLINE_TAGS),
        "silent_tags": sorted(SILENT_TAGS),
        "formatting_tags": sorted(FORMATTING_TAGS),
        "months": sorted(month_names()) if _has_dates(wrapper.fields) else [],
        **({} if wrapper.records is None else _record_data(wrapper, wrapper.records)),
    }


def _spare_data(column: SavedColumn) -> tuple[object, ...]:
    """Return the spare readings of a column, and what its values looked like."""
    first, stats = column.readings[0], column.stats
    patterns = list(stats.patterns) if len(stats.patterns) < MAX_PATTERNS and not column.selector.attribute else []
    readings = [(str(selector), first.label, _cut_data(first.cut)) for selector in column.spares]
    return readings, column.is_list, patterns, stats.fill, stats.distinct


def _header_data(column: SavedColumn, header: TableHeader) -> tuple[object, ...]:
    """Return the header of a column, its number, and the readings around the position of the cell."""
    return header.text, header.column, [(*_around_cell(reading), *_rest(reading)) for reading in column.readings]


def _rest(reading: Reading) -> tuple[object, ...]:
    return reading.label, _cut_data(reading.cut)


def _around_cell(reading: Reading) -> tuple[str, int, str]:
    """Return the XPath of a reading before the position of the cell, the position, 0 for none, and the rest of it."""
    selector = reading.selector
    for k, step in enumerate(selector.steps):
        if is_cell_by_position(step):
            before = str(Selector((*selector.steps[:k], replace(step, position=0)), selector.is_relative))
            return before, max(step.position, 1), str(Selector(selector.steps[k + 1 :]))
    return str(selector), 0, ""


def _column_data(column: SavedColumn) -> tuple[object, ...]:
    readings = [(str(reading.selector), reading.label, _cut_data(reading.cut)) for reading in column.readings]
    return column.name, readings, column.is_list, column.is_above, [_column_data(inner) for inner in column.columns]


def _cut_data(cut: Cut | None) -> tuple[object, ...] | None:
    if cut is None:
        return None
    marks = [
        None if mark == EDGE else (mark.kind, mark.text, mark.index, mark.is_inside) for mark in (cut.start, cut.end)
    ]
    return *marks, cut.is_trimmed


def _has_dates(columns: Sequence[SavedColumn]) -> bool:
    """Return whether any column is cut at dates, for which the names of months are needed."""
    return any(
        _has_dates(column.columns)
        or any(
            reading.cut is not None and "date" in (reading.cut.start.kind, reading.cut.end.kind)
            for reading in column.readings
        )
        for column in columns
    )


def _record_data(wrapper: Wrapper, spec: RecordSpec) -> dict[str, object]:
    return {
        "records": [[str(spec.selector), *map(str, spec.further)], *([str(other)] for other in spec.alternatives)],
        "max_nodes": spec.max_nodes,
        "shape": dict(spec.shape),
        "min_score": spec.min_score,
        "skips": list(spec.skips),
        "max_skip_chars": MAX_SKIP_CHARS,
        "keys": [column.name for column in RecordFinder(spec, wrapper.fields).keys],
        "few_records": OPTIONS.few_records * wrapper.baseline.min_records,
        "min_core_elsewhere": OPTIONS.min_core_elsewhere,
        "min_shape_elsewhere": OPTIONS.min_shape_elsewhere,
        "min_parts": OPTIONS.min_parts,
        "min_distinct": OPTIONS.min_distinct,
        "min_mean_shape": OPTIONS.min_mean_shape,
        "max_counted": MAX_COUNTED,
        "spares": {column.name: _spare_data(column) for column in filter(has_spares, wrapper.fields)},
        "headers": {
            column.name: _header_data(column, column.header) for column in wrapper.fields if column.header is not None
        },
    }
