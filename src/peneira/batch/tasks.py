"""What is done with each page of a run, and its outcome as plain data. This runs in the workers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from peneira.batch.cell_form import Json, JsonObject, cell_form, column_form, short_value
from peneira.batch.page_input import PageInput
from peneira.batch.row_schema import TaskName
from peneira.batch.site_wrappers import NO_WRAPPERS, SiteWrappers
from peneira.budget import Budget
from peneira.columns.site_groups import host_of
from peneira.credentials import without_credentials
from peneira.errors import PeneiraError
from peneira.extraction import lists_of
from peneira.items.builder import item_of
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.methods import DEFAULT_METHOD
from peneira.methods import method as method_named
from peneira.output.characters import REPLACEMENT
from peneira.page import Page
from peneira.result import FAILED_VERDICTS, Extraction
from peneira.sources.fetch_options import DEFAULT_OPTIONS, FetchOptions
from peneira.table import Cell, Column
from peneira.texts.content import content
from peneira.texts.main_text import main_text

# What no format holds: half a surrogate pair, and NUL, at which many readers stop
_UNWRITABLE = re.compile("[\ud800-\udfff\x00]")


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """What is done with each page. ``wrappers``: those for the sites that have one."""

    task: TaskName = "extract"
    method: str = DEFAULT_METHOD
    limits: Limits = DEFAULT_LIMITS
    fetching: FetchOptions = DEFAULT_OPTIONS
    wrappers: SiteWrappers = NO_WRAPPERS


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What came of a page: its row of the table ``pages``, the rows of the task's table, and their columns."""

    page: JsonObject
    rows: list[JsonObject]
    columns: list[JsonObject]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a task found on a page."""

    verdict: str
    rows: list[JsonObject]
    cuts: Sequence[Cut] = ()
    confidence: float | None = None
    failure: str = ""
    columns: Sequence[Column] = ()


def outcome_of(given: PageInput, options: TaskOptions) -> PageOutcome:
    """Return what comes of a page; an error of ours is an outcome too."""
    try:
        budget = Budget(options.limits)
        with budget.running():
            page = given.read(options.limits, options.fetching)
            found = _TASKS[options.task](page, options, budget)
    except PeneiraError as error:
        return failed_outcome(given, str(error))
    reason = found.failure or "; ".join(map(str, found.cuts))
    status = "failed" if found.failure else "partial" if found.cuts else "complete"
    row: JsonObject = {
        "source": given.name,
        "page_url": page.url,
        "site": host_of(page) or None,
        "time": given.time or None,
        "status": status,
        "reason": reason or None,
        "verdict": found.verdict or None,
        "confidence": found.confidence,
        "rows": len(found.rows),
    }
    return _writable(PageOutcome(row, found.rows, [column_form(column) for column in found.columns]))


def failed_outcome(given: PageInput, reason: str) -> PageOutcome:
    """Return the outcome of a page that could not be read."""
    url = without_credentials(given.url) if given.url else None
    names = ("source", "page_url", "site", "time", "status", "reason", "verdict", "confidence", "rows")
    values = (given.name, url, None, given.time or None, "failed", reason, None, None, 0)
    return _writable(PageOutcome(dict(zip(names, values, strict=True)), [], []))


def _records(page: Page, options: TaskOptions, budget: Budget) -> _Found:
    """Read the main list by the wrapper of the site, where there is one, else by the method."""
    wrapper = options.wrappers.wrapper_of(page)
    if wrapper is None and options.task == "apply":
        site = host_of(page) or "this page, whose site is not known"
        return _Found("", [], failure=f"no wrapper for {site}")
    if wrapper is None:
        result = lists_of(page, method_named(options.method), budget)
    else:
        result = wrapper.extract(page, otherwise="nothing" if options.task == "apply" else "auto")
    return _found_records(result)


def _found_records(result: Extraction) -> _Found:
    main = result.main
    failure = str(result.reasons[0]) if result.verdict in FAILED_VERDICTS and result.reasons else ""
    if main is None:
        return _Found(result.verdict, [], result.cuts, result.verdict_confidence, failure)
    numbers = count(1)
    rows = [
        _row("record", next(numbers), main.columns, [record.fields.get(column.name) for column in main.columns])
        for record in main.records
    ]
    return _Found(result.verdict, rows, result.cuts, round(main.confidence, 4), failure, main.columns)


def _item(page: Page, _options: TaskOptions, _budget: Budget) -> _Found:
    item = item_of(page)
    if item.kind is None:
        return _Found("", [], item.cuts, failure=f"no item: {item.reasons[0] if item.reasons else 'nothing to read'}")
    # the role of a field of an item is its name
    columns = [replace(column, role=column.name) for column in item.columns]  # type: ignore[arg-type]
    row = _row("kind", item.kind, columns, [item.fields.get(column.name) for column in columns])
    return _Found(item.kind, [row], item.cuts, round(item.confidence, 4), columns=columns)


def _row(key: str, value: int | str, columns: Sequence[Column], cells: Iterable[Cell | None]) -> JsonObject:
    """Return a row: its key, the value of each role, and all cells."""
    forms = [cell_form(column, cell) for column, cell in zip(columns, cells, strict=True) if cell is not None]
    row: JsonObject = {key: value}
    for form in forms:
        if "role" in form:
            row.setdefault(str(form["role"]), short_value(form))
        if form["type"] == "money" and form.get("role") in ("price", "salary") and form.get("unit"):
            row.setdefault("currency", form["unit"])
    return {**row, "cells": [*forms]}


def _text(page: Page, _options: TaskOptions, _budget: Budget) -> _Found:
    found = main_text(page)
    row: JsonObject = {"type": found.type, "title": found.title, "text": found.text, "comments": found.comments}
    rows = [] if found.reason else [row]
    return _Found(found.type, rows, found.cuts, found.confidence, found.reason and f"no main text: {found.reason}")


def _content(page: Page, options: TaskOptions, _budget: Budget) -> _Found:
    found = content(page, limits=options.limits)
    rows: list[JsonObject] = [
        {"number": n, "text": each.text, "xpath": each.xpath, "block": each.block, "probability": each.probability}
        for n, each in enumerate(found, start=1)
    ]
    return _Found("", rows, found.cuts)


_TASKS = {"extract": _records, "apply": _records, "item": _item, "text": _text, "content": _content}


def _writable(outcome: PageOutcome) -> PageOutcome:
    """Return the outcome without characters that no format holds; that some were replaced is a reason."""
    replaced = [0]

    def clean(value: Json) -> Json:
        if isinstance(value, str):
            text, times = _UNWRITABLE.subn(REPLACEMENT, value)
            replaced[0] += times
            return text
        if isinstance(value, list):
            return [clean(each) for each in value]
        return {str(clean(key)): clean(each) for key, each in value.items()} if isinstance(value, dict) else value

    def clean_object(value: JsonObject) -> JsonObject:
        return {str(clean(key)): clean(each) for key, each in value.items()}

    page, rows, columns = (
        clean_object(outcome.page),
        [clean_object(row) for row in outcome.rows],
        [clean_object(column) for column in outcome.columns],
    )
    if replaced[0]:
        note = f"{replaced[0]:,} characters that no format holds became {REPLACEMENT}"
        page["reason"] = f"{page['reason']}; {note}" if page["reason"] else note
        page["status"] = "partial" if page["status"] == "complete" else page["status"]
    return PageOutcome(page, rows, columns)
