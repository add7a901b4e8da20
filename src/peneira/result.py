"""What an extraction is made of: an ``Extraction`` has regions, a ``Region`` records, a ``Record`` cells.

All are values: frozen, comparable, hashable, free of the page they were cut from; except regions whose columns nobody
has asked for yet (``Regions``), and cells of columns that are not shown, which keep the page until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Literal, get_args, overload

from peneira.limits import Cut, Status, status_of
from peneira.preview import counted, shortened
from peneira.reasons import Reason as Reason
from peneira.table import Cell as Cell
from peneira.table import Column, RecordDict, Table

if TYPE_CHECKING:
    from pandas import DataFrame

# What a page that could be read is; "other": neither a list nor an article, nor about one thing
PageType = Literal["list", "article", "detail", "other"]
PAGE_TYPES: tuple[PageType, ...] = get_args(PageType)
# "other-template": the page does not fit the wrapper that read it
Verdict = Literal["list", "article", "detail", "other", "empty", "blocked", "script-shell", "other-template"]
Range = tuple[int, int]


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One record: the rows ``start:end`` of each of its ranges, which may be several siblings.

    ``record["title"]`` is the cell of the column ``title``; a record that lacks it raises ``KeyError``. What most lists
    have are attributes too, None where it is missing: ``record.title``, ``url``, ``image``, ``price``. ``records`` are
    the nested records of all its cells: the offers of a product, the actors of a film.
    """

    ranges: tuple[Range, ...]
    text: str
    xpath: str
    confidence: float = 1.0
    fields: Mapping[str, Cell] = field(default_factory=dict, hash=False)
    records: tuple[Record, ...] = ()

    def __getitem__(self, name: str) -> Cell:
        try:
            return self.fields[name]
        except KeyError:
            raise KeyError(f"{name!r}; this record has {', '.join(self.fields) or 'no columns'}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    @property
    def title(self) -> Cell | None:
        """What the record is called, None if no column says it."""
        return self.fields.get("title")

    @property
    def url(self) -> Cell | None:
        """The address of the record's own page."""
        return self.fields.get("url")

    @property
    def image(self) -> Cell | None:
        """The address of its picture."""
        return self.fields.get("image")

    @property
    def price(self) -> Cell | None:
        """Its price."""
        return self.fields.get("price")

    def get(self, name: str, default: Cell | None = None) -> Cell | None:
        """Return the cell of a column, or the default where the record has none."""
        return self.fields.get(name, default)

    def __repr__(self) -> str:
        return f"<Record {shortened(self.text)!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Region(Sequence[Record]):
    """A list of records: a sequence of them, with the XPath of the element that holds them, and why it is a list.

    ``all_columns`` also has the columns that were left out of ``columns`` (template text, repetitions); the fields of
    the records have the cells of all of them.
    """

    xpath: str
    records: tuple[Record, ...]
    confidence: float
    columns: tuple[Column, ...] = ()
    reasons: tuple[Reason, ...] = ()
    all_columns: tuple[Column, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        return self.records[index]

    def __repr__(self) -> str:
        names = shortened(", ".join(column.name for column in self.columns))
        size = f"{counted(len(self.records), 'record')}, {counted(len(self.columns), 'column')}"
        return f"<Region {size}, confidence {self.confidence:.2f}{': ' if names else ''}{names}>"

    def _repr_html_(self) -> str:
        """Return the first records as an HTML table, which notebooks show."""
        return self.table._repr_html_()

    @property
    def table(self) -> Table:
        """The records as a table: one row per record, one column per field, None where a field is missing."""
        return self._table(self.columns)

    @property
    def full_table(self) -> Table:
        """The same with all columns."""
        return self._table(self.all_columns or self.columns)

    def to_dicts(self) -> list[RecordDict]:
        """Return the records as dictionaries of values by column name."""
        return self.table.to_dicts()

    def to_pandas(self) -> DataFrame:
        """Return the records as a pandas frame (extra ``pandas``)."""
        return self.table.to_pandas()

    def _table(self, columns: tuple[Column, ...]) -> Table:
        rows = tuple(tuple(record.fields.get(column.name) for column in columns) for record in self.records)
        return Table(columns, rows)


class Regions(Sequence[Region]):
    """The lists of a page, each with its columns, which are computed when the list is first asked for.

    Most users look at the main list only, and columns cost about as much as finding the lists.
    """

    __slots__ = ("_fill", "_is_filled", "_regions")

    def __init__(self, regions: Sequence[Region], fill: Callable[[Region], Region]) -> None:
        self._regions, self._fill = list(regions), fill
        self._is_filled = [False] * len(self._regions)

    def __len__(self) -> int:
        return len(self._regions)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Region, ...]: ...
    def __getitem__(self, index: int | slice) -> Region | tuple[Region, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        if not self._is_filled[index]:
            self._regions[index] = self._fill(self._regions[index])
            self._is_filled[index] = True
        return self._regions[index]

    def with_main(self, main: Region) -> Regions:
        """Return the lists with another in place of the first, whose columns are filled in."""
        regions = Regions((main, *self._regions[1:]), self._fill)
        regions._is_filled = [True, *self._is_filled[1:]]
        return regions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<Regions {counted(len(self), 'list')}>"

    def __reduce__(self) -> tuple[type[tuple[Region, ...]], tuple[tuple[Region, ...]]]:
        return tuple, (tuple(self),)  # without the page, which another process need not get


@dataclass(frozen=True, slots=True, repr=False)
class Extraction:
    """The result for one page. ``status`` is "partial" when a limit was hit: ``cuts`` says which, and what is missing.

    ``main`` is the main list of the page, None where the page has none; ``regions`` are all lists, best first.
    ``probability``: that of the verdict, where it was learned: list, article, detail, other; None for the others.
    """

    verdict: Verdict
    regions: Sequence[Region]
    main: Region | None
    method: str
    url: str | None = None
    cuts: tuple[Cut, ...] = ()
    reasons: tuple[Reason, ...] = ()
    probability: float | None = None

    @property
    def status(self) -> Status:
        """Whether the whole page was read."""
        return status_of(self.cuts)

    def __repr__(self) -> str:
        main = repr(self.main).strip("<>") if self.main is not None else "no main list"
        return f"<Extraction {self.verdict}, {self.status}, {counted(len(self.regions), 'list')}; {main}>"

    def _repr_html_(self) -> str:
        """Return the main list as a small HTML table, which notebooks show; or why there is none."""
        if self.main is None:
            lines = "".join(f"<li>{escape(str(reason))}</li>" for reason in self.reasons)
            return f"<p>no main list ({self.verdict})</p><ul>{lines}</ul>"
        return self.main._repr_html_()
