"""Cells and records that do not keep their page in memory: without nodes and XPaths, which a crawl writes nowhere."""

from __future__ import annotations

from dataclasses import replace

from peneira.result import Record
from peneira.table import Cell, Table


def light_cell(cell: Cell) -> Cell:
    """Return a cell without its node."""
    table = cell.table
    if table is not None:
        rows = tuple(tuple(None if each is None else light_cell(each) for each in row) for row in table.rows)
        table = Table(table.columns, rows)
    return replace(cell, xpath="", node=None, table=table)


def light_record(record: Record) -> Record:
    """Return a record without its nodes; its text is kept where no address tells it from others."""
    return Record(
        (),
        "" if record.url is not None else record.text,
        "",
        record.confidence,
        {name: light_cell(cell) for name, cell in record.fields.items()},
        tuple(map(light_record, record.records)),
    )
