"""A wrapper for other tools: its selectors as XPath or CSS, or a module for Scrapy that reads pages without peneira."""

from __future__ import annotations

from pathlib import Path
from pprint import pformat
from textwrap import indent

from peneira.columns.outline import SEPARATORS
from peneira.errors import ArgumentError
from peneira.page import INLINE_TAGS, SILENT_TAGS
from peneira.wrappers.record_finder import MAX_SKIP_CHARS, OPTIONS, RecordFinder, RecordSpec
from peneira.wrappers.record_shapes import MAX_COUNTED
from peneira.wrappers.wrapper import Wrapper
from peneira.xpath.selectors import Selector

FORMS = ("xpath", "css", "scrapy")
_RECORDS = "records"
# The line of ``exported_reader.py`` that the data of the wrapper replace
_NO_DATA = "SITE = Site()\n"
_MAX_LINE_CHARS = 110


def exported(wrapper: Wrapper, form: str) -> str:
    """Return the wrapper in one of the forms; selectors alone cannot put the pieces of records together."""
    _check_in_one_piece(wrapper)
    return scrapy_module(wrapper) if form == "scrapy" else "\n".join(_lines(wrapper, form)) + "\n"


def _check_in_one_piece(wrapper: Wrapper) -> None:
    if wrapper.arrangement is not None:
        raise ArgumentError(
            "the records of this wrapper are in pieces (its file says how, under arrangement), which selectors alone "
            "cannot put together; read its pages with `peneira apply` or Wrapper.extract"
        )


def _lines(wrapper: Wrapper, form: str) -> list[str]:
    """Return a line per selector: the name of the column, a tab, the selector; empty where CSS cannot express it."""
    named = [(column.name, column.selector) for column in wrapper.fields]
    if wrapper.records is not None:
        named.insert(0, (_RECORDS, wrapper.records.selector))
    return [f"{name}\t{_written(selector, form)}" for name, selector in named]


def _written(selector: Selector, form: str) -> str:
    return str(selector) if form == "xpath" else selector.css or ""


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
        "columns": [(column.name, str(column.selector), column.label, column.is_list) for column in wrapper.fields],
        "core": [column.name for column in wrapper.core],
        "min_core": wrapper.min_fit,
        "separators": "".join(sorted(SEPARATORS)),
        "inline_tags": sorted(INLINE_TAGS),
        "silent_tags": sorted(SILENT_TAGS),
        **({} if wrapper.records is None else _record_data(wrapper, wrapper.records)),
    }


def _record_data(wrapper: Wrapper, spec: RecordSpec) -> dict[str, object]:
    return {
        "records": [str(spec.selector), *map(str, spec.alternatives)],
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
    }
