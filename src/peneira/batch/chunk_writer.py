"""How a finished part of a run becomes tables, in every format. A job of a worker."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from peneira.batch.journal import ordered_outcomes
from peneira.batch.row_schema import TASK_TABLES, TaskName
from peneira.batch.run_folder import STATE
from peneira.batch.site_writers import write_site_database, write_site_parts
from peneira.batch.sqlite_target import write_database
from peneira.batch.table_parts import write_parts
from peneira.batch.tasks import PageOutcome

BatchFormat = Literal["parquet", "jsonl", "sqlite"]
BATCH_FORMATS: tuple[BatchFormat, ...] = get_args(BatchFormat)


@dataclass(frozen=True, slots=True)
class Target:
    """Where and how a run is written."""

    folder: Path
    task: TaskName
    format: BatchFormat = "parquet"
    by_site: bool = False

    @property
    def has_site_tables(self) -> bool:
        """Whether each site gets a table with columns of its own."""
        return self.by_site and TASK_TABLES[self.task].has_cells


def write_chunk(target: Target, number: int, outcomes: Iterable[PageOutcome]) -> None:
    """Write the tables of one part of a run; written twice, it is the same."""
    table, state = TASK_TABLES[target.task], target.folder / STATE
    if target.has_site_tables:
        own = list(outcomes)
        if target.format == "sqlite":
            write_site_database(own, target.folder, number, table, state)
        else:
            write_site_parts(own, target.folder, number, table, target.format, state)
    elif target.format == "sqlite":
        write_database(outcomes, target.folder, number, table)
    else:
        write_parts(outcomes, target.folder, number, table, target.format)


def write_journal(target: Target, number: int, journal: Path, first: int, count: int) -> None:
    """Write the tables of the part of a run whose outcomes are in a journal."""
    write_chunk(target, number, ordered_outcomes(journal, first, count))
