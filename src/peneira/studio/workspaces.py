"""What a user of the studio has open: pages, what was found on them, and the corrections made so far.

Workspaces live in memory, under names that nobody guesses; the ones that were used longest ago are dropped first.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from peneira.errors import InputError
from peneira.page import Page
from peneira.reasons import Reason
from peneira.result import Extraction, Region
from peneira.service.reading import PageInput, ServiceReader
from peneira.service.service import Service
from peneira.table import Table, stack
from peneira.wrappers.corrections import NO_CORRECTIONS, Correction, Corrections

MAX_WORKSPACES = 24
# Rows of all pages that are open together; older workspaces are dropped for new ones
MAX_OPEN_ROWS = 3_000_000


_ListKey = tuple[int, tuple[str, ...]]


class UnknownWorkspace(InputError):
    """The workspace is not open any more."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that is open: what was found on it, how it was read, and whether it was fetched from its address."""

    name: str
    page: Page
    result: Extraction
    reading: tuple[Reason, ...] = ()
    is_fetched: bool = False


@dataclass(slots=True)
class Workspace:
    """Pages with the corrections of their lists.

    Lists of the same number and the same columns are one list on several pages, and have the same corrections.
    """

    id: str
    pages: tuple[OpenPage, ...]
    _corrections: dict[_ListKey, Corrections] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many rows its pages have."""
        return sum(len(opened.page) for opened in self.pages)

    def default_list(self, index: int) -> int:
        """Return the number of the list that is shown first: the main one, else the best; 0 if there is none."""
        return 1 if self.pages[index].result.regions else 0

    def raw_region(self, index: int, number: int) -> Region | None:
        """Return a list of a page as it was found."""
        regions = self.pages[index].result.regions
        return regions[number - 1] if 1 <= number <= len(regions) else None

    def region(self, index: int, number: int) -> Region | None:
        """Return a list of a page as it was corrected."""
        found = self.raw_region(index, number)
        return None if found is None else self.corrections_of(index, number).apply(found)

    def corrections_of(self, index: int, number: int) -> Corrections:
        """Return the corrections of a list."""
        return self._corrections.get(self._key(index, number), NO_CORRECTIONS)

    def pages_with(self, index: int, number: int) -> list[int]:
        """Return the pages that have the same list, by their indexes."""
        key = self._key(index, number)
        return [k for k in range(len(self.pages)) if self._key(k, number) == key]

    def _key(self, index: int, number: int) -> _ListKey:
        found = self.raw_region(index, number)
        columns = () if found is None else found.all_columns or found.columns
        return number, tuple(column.name for column in columns)

    def correct(self, index: int, number: int, correction: Correction) -> None:
        """Add a correction; raises ``ColumnError`` if it does not fit."""
        found = self.raw_region(index, number)
        if found is None:
            raise InputError("there is no such list on this page")
        self._corrections[self._key(index, number)] = self.corrections_of(index, number).add(correction, found)

    def undo(self, index: int, number: int) -> None:
        """Take back the last correction of a list."""
        self._corrections[self._key(index, number)] = self.corrections_of(index, number).undo()

    def table(self, index: int, number: int, *, all_pages: bool = False) -> Table:
        """Return the corrected table of a list; that of all pages has a column that says where a row is from."""
        if not all_pages or len(self.pages) == 1:
            region = self.region(index, number)
            return Table((), ()) if region is None else region.table
        tables = [
            ((opened.name,), region.table)
            for k, opened in enumerate(self.pages)
            if (region := self.region(k, number)) is not None
        ]
        return stack(("source",), tables)


async def open_pages(service: Service, inputs: Sequence[PageInput]) -> tuple[OpenPage, ...]:
    """Return pages with what was found on them; those of one site have the same columns."""
    if len(inputs) == 1:
        [given] = inputs
        queue = service.queue if given.html is not None and given.render == "never" else service.fetches
        return await queue.run(lambda: (_opened(service.reader, given),))
    readings = await service.read_pages(inputs, screenshots=True)
    rows = sum(len(reading.page) for reading in readings)
    if rows > MAX_OPEN_ROWS:
        raise InputError(f"{len(inputs)} pages with {rows:,} elements and texts are too many to open; open fewer")
    pages = [reading.page for reading in readings]
    from peneira.extraction import extract_all  # imports all that finds and reads lists

    results = await service.queue.run(lambda: extract_all(pages, limits=service.settings.limits))
    return tuple(
        OpenPage(_name(page, reading.page), reading.page, result, reading.reasons, page.html is None)
        for page, reading, result in zip(inputs, readings, results, strict=True)
    )


def _opened(reader: ServiceReader, given: PageInput) -> OpenPage:
    extracted = reader.extract(given, screenshot=given.render != "never")
    page = extracted.reading.page
    return OpenPage(_name(given, page), page, extracted.result, is_fetched=given.html is None)


def _name(given: PageInput, page: Page) -> str:
    return given.name or page.url or "Pasted page"


class Workspaces:
    """All open workspaces, in any thread."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Workspace] = OrderedDict()
        self._lock = Lock()

    def add(self, pages: tuple[OpenPage, ...]) -> Workspace:
        """Open a workspace; the ones that were used longest ago are dropped if there are too many."""
        workspace = Workspace(secrets.token_urlsafe(12), pages)
        with self._lock:
            self._open[workspace.id] = workspace
            while len(self._open) > 1 and (
                len(self._open) > MAX_WORKSPACES or sum(each.rows for each in self._open.values()) > MAX_OPEN_ROWS
            ):
                self._open.popitem(last=False)
        return workspace

    def get(self, workspace_id: str) -> Workspace:
        """Return an open workspace; raises ``UnknownWorkspace``."""
        with self._lock:
            if workspace_id not in self._open:
                raise UnknownWorkspace("this page is not open any more; open it again")
            self._open.move_to_end(workspace_id)
            return self._open[workspace_id]
