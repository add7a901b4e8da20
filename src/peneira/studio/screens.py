"""What the screens of the studio show, as plain values for the templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from peneira.kept_property import kept_property
from peneira.preview import counted, shortened
from peneira.result import Extraction, Item, Region
from peneira.studio.correction_forms import in_words, record_mark
from peneira.studio.framed_page import is_cut
from peneira.studio.page_forms import MAX_URLS
from peneira.studio.workspaces import OpenPage, Workspace
from peneira.table import Cell, Column
from peneira.values import ColumnType

if TYPE_CHECKING:
    from peneira.texts.main_text import MainText

View = Literal["list", "item", "text"]
VIEWS: tuple[View, ...] = ("list", "item", "text")
COLOURS = 8
MAX_SHOWN_ROWS = 200
MAX_CELL_CHARS = 400
MAX_TITLE_CHARS = 120
_NUMBER_TYPES: frozenset[ColumnType] = frozenset({"integer", "number", "money", "percent", "quantity", "duration"})
_VERDICTS = {
    "list": "a list",
    "article": "an article",
    "detail": "a page about one thing",
    "other": "neither a list nor an article",
    "empty": "an empty page",
    "blocked": "a blocked page",
    "script-shell": "a page that its scripts fill",
}
SURE, FAIRLY_SURE = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as it is shown: its text, the rows of nested records, and whether it could not be read as its type."""

    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    heads: tuple[str, ...] = ()
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column as it is shown."""

    column: Column
    colour: int
    is_number: bool

    @property
    def fill(self) -> str:
        """The share of records that have it, in words."""
        return "in all records" if self.column.fill >= 0.995 else f"in {self.column.fill:.0%} of the records"


@dataclass(frozen=True, slots=True)
class ShownList:
    """One of the ranked lists of a page."""

    number: int
    count: int
    confidence: float
    first: str
    is_main: bool


@dataclass(frozen=True)
class Screen:
    """The workspace as it is shown: one page of it, in one view."""

    workspace: Workspace
    index: int
    number: int
    view: View
    is_full: bool = False

    @property
    def opened(self) -> OpenPage:
        """The page that is shown."""
        return self.workspace.pages[self.index]

    @kept_property
    def region(self) -> Region | None:
        """The list that is shown, as corrected."""
        return self.workspace.region(self.index, self.number)

    @property
    def is_picture(self) -> bool:
        """Whether the page is shown as a browser rendered it."""
        layout = self.opened.page.layout
        return layout is not None and layout.screenshot is not None

    @property
    def is_page_cut(self) -> bool:
        """Whether only the beginning of the page is shown."""
        return not self.is_picture and is_cut(self.opened.page)

    @property
    def title(self) -> str:
        """What the page calls itself, else its address or the name of its file."""
        page = self.opened.page
        if "title" in page.tag_names and self.opened.is_fetched:
            row = int((page.tag == page.tag_names.index("title")).argmax())
            text = " ".join(page.text[k] for k in range(row, page.lists.end[row]) if page.text[k])
            return shortened(text, MAX_TITLE_CHARS) or self.opened.name
        return self.opened.name

    @property
    def onward(self) -> str:
        """The address of the next page of the list, "" where it is not known or the page was not fetched."""
        onward = self.opened.result.paging.onward or ""
        return onward if self.opened.is_fetched and onward.startswith(("http://", "https://")) else ""

    @property
    def all_addresses(self) -> list[str]:
        """The addresses of this page and of the numbered pages of its list, as many as can be opened at once."""
        if not self.onward or len(self.workspace.pages) > 1:
            return []
        paging = self.opened.result.paging
        found = [self.opened.page.url or "", *(url for _, url in sorted(paging.pages.items())), self.onward]
        return list(dict.fromkeys(found))[:MAX_URLS]

    @property
    def query(self) -> str:
        """The state of the screen in its address."""
        return f"page={self.index}&list={self.number}&view={self.view}"

    @property
    def summary(self) -> str:
        """What the page is, in words."""
        result = self.opened.result
        words = _VERDICTS.get(result.verdict, result.verdict)
        return f"{words}, {result.verdict_confidence:.0%} likely" if result.verdict_confidence is not None else words

    @kept_property
    def lists(self) -> list[ShownList]:
        """The ranked lists of the page."""
        result = self.opened.result
        regions = getattr(result.regions, "unfilled", result.regions)
        return [
            ShownList(
                k, len(found), found.confidence, shortened(found.records[0].text, 90) if len(found) else "",
                is_main=result.main is not None and k == 1,
            )
            for k, found in enumerate(regions, start=1)
        ]  # fmt: skip

    @kept_property
    def columns(self) -> list[ShownColumn]:
        """The columns of the list."""
        region = self.region
        return [
            ShownColumn(column, k % COLOURS, column.type in _NUMBER_TYPES)
            for k, column in enumerate(region.columns if region else ())
        ]

    @property
    def hidden_columns(self) -> list[Column]:
        """The columns that are not shown."""
        region = self.region
        if region is None:
            return []
        shown = {column.name for column in region.columns}
        return [column for column in region.all_columns if column.name not in shown]

    @kept_property
    def rows(self) -> list[list[ShownCell | None]]:
        """The rows of the list, the first ones unless all are wanted."""
        region = self.region
        if region is None:
            return []
        rows = region.table.rows if self.is_full else region.table.rows[:MAX_SHOWN_ROWS]
        types = [column.type for column in region.columns]
        return [[shown_cell(cell, type_) for cell, type_ in zip(row, types, strict=True)] for row in rows]

    @kept_property
    def marks(self) -> list[str]:
        """A mark of each row's record."""
        region = self.region
        return [] if region is None else [record_mark(record.text) for record in region.records[: len(self.rows)]]

    @property
    def size(self) -> str:
        """How large the table is, in words."""
        region = self.region
        if region is None:
            return "no records"
        return f"{counted(len(region), 'record')}, {counted(len(region.columns), 'column')}"

    @property
    def more_rows(self) -> int:
        """How many rows are not shown."""
        region = self.region
        return 0 if region is None or self.is_full else max(len(region) - MAX_SHOWN_ROWS, 0)

    @property
    def changes(self) -> list[str]:
        """The corrections of the list, in words."""
        return [in_words(step) for step in self.workspace.corrections_of(self.index, self.number).steps]

    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Why this list, and why its columns: names and words."""
        region = self.workspace.raw_region(self.index, self.number)
        own = region.reasons if region is not None and self.number != 1 else ()
        every = (*self.opened.reading, *self.opened.result.reasons, *own)
        return [(reason.name.replace("_", " "), str(reason)) for reason in dict.fromkeys(every)]

    @property
    def cuts(self) -> list[str]:
        """The limits that were hit."""
        return [str(cut) for cut in self.opened.result.cuts]

    def item(self) -> Item:
        """Return the one thing that the page is about."""
        from peneira.items.builder import item_of

        return item_of(self.opened.page)

    def text(self) -> MainText:
        """Return the main text of the page."""
        from peneira.texts.main_text import main_text

        return main_text(self.opened.page)


def default_view(result: Extraction) -> View:
    """Return how a page is shown first: a page without a main list that is an article or about one thing, as that."""
    if result.main is not None:
        return "list"
    by_verdict: dict[str, View] = {"article": "text", "detail": "item"}
    return by_verdict.get(result.verdict, "list")


def shown_cell(cell: Cell | None, type_: ColumnType) -> ShownCell | None:
    """Return a cell as it is shown."""
    if cell is None:
        return None
    if cell.table is not None:
        rows = tuple(tuple("" if inner is None else inner.text for inner in row) for row in cell.table.rows)
        return ShownCell(shortened(cell.text, MAX_CELL_CHARS), rows, cell.table.names)
    is_unread = cell.type == "text" and type_ not in ("text", "list", "url", "image")
    return ShownCell(shortened(cell.text, MAX_CELL_CHARS), is_unread=is_unread)


def sureness(confidence: float) -> str:
    """Return a confidence in a word."""
    return "sure" if confidence >= SURE else "fairly sure" if confidence >= FAIRLY_SURE else "unsure"
