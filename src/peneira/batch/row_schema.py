"""The tables of a run and their columns: the same for every page of every site, known before the first page is read.

``pages`` has a row per page, also for those that failed. Beside it is the table of the task: ``records``,
``items``, ``texts`` or ``contents``; its rows begin with the page that they are from.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

from peneira.batch.cell_form import CELL_FIELDS, NESTED_FIELDS
from peneira.errors import MissingExtra
from peneira.items.builder import ROLES as ITEM_ROLES
from peneira.values import Role

if TYPE_CHECKING:
    import pyarrow

TaskName = Literal["extract", "item", "text", "content", "apply"]
TASKS: tuple[TaskName, ...] = get_args(TaskName)
Kind = Literal["text", "integer", "number", "cells"]
FieldSpec: TypeAlias = tuple[str, Kind]

PAGES = "pages"
PAGE_KEY: tuple[FieldSpec, ...] = (("source", "text"), ("page_url", "text"), ("site", "text"))
PAGE_FIELDS: tuple[FieldSpec, ...] = (
    *PAGE_KEY,
    ("time", "text"),
    ("status", "text"),
    ("reason", "text"),
    ("verdict", "text"),
    ("confidence", "number"),
    ("rows", "integer"),
)


@dataclass(frozen=True, slots=True)
class TaskTable:
    """The table of a task: its name, and its columns after those that tell the page."""

    name: str
    fields: tuple[FieldSpec, ...]
    has_cells: bool = False

    @property
    def all_fields(self) -> tuple[FieldSpec, ...]:
        """All columns of the table."""
        return (*PAGE_KEY, *self.fields)


def _texts(names: tuple[str, ...] | list[str]) -> tuple[FieldSpec, ...]:
    return tuple((name, "text") for name in names)


_RECORDS = TaskTable("records", (("record", "integer"), *_texts(get_args(Role)), ("cells", "cells")), has_cells=True)
TASK_TABLES: dict[TaskName, TaskTable] = {
    "extract": _RECORDS,
    "apply": _RECORDS,
    "item": TaskTable("items", (("kind", "text"), *_texts(ITEM_ROLES), ("cells", "cells")), has_cells=True),
    "text": TaskTable("texts", (*_texts(["type", "title", "text", "comments"]),)),
    "content": TaskTable(
        "contents", (("number", "integer"), *_texts(["text", "xpath", "block"]), ("probability", "number"))
    ),
}


def arrow_schema(fields: tuple[FieldSpec, ...]) -> pyarrow.Schema:
    """Return the columns as Arrow has them. Raises ``MissingExtra`` without pyarrow."""
    pyarrow = _pyarrow()
    return pyarrow.schema([(name, _arrow_type(kind)) for name, kind in fields])


def row_struct(task: TaskName) -> pyarrow.DataType:
    """Return the type of one row of a task's table, without the columns that tell the page."""
    pyarrow = _pyarrow()
    return pyarrow.struct([(name, _arrow_type(kind)) for name, kind in TASK_TABLES[task].fields])


def _arrow_type(kind: Kind) -> pyarrow.DataType:
    pyarrow = _pyarrow()
    if kind == "cells":
        text = pyarrow.string()
        nested = pyarrow.struct([(name, text) for name in NESTED_FIELDS])
        lists = [("items", pyarrow.list_(text)), ("records", pyarrow.list_(pyarrow.list_(nested)))]
        return pyarrow.list_(pyarrow.struct([*((name, text) for name in CELL_FIELDS), *lists]))
    return {"text": pyarrow.string(), "integer": pyarrow.int32(), "number": pyarrow.float64()}[kind]


def _pyarrow() -> ModuleType:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("parquet", "writing Parquet or Arrow") from error
    return cast("ModuleType", pyarrow)
