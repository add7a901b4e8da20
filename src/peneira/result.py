"""What an extraction is made of: an ``Extraction`` has regions, a ``Region`` records, a ``Record`` cells.

All are values: frozen, comparable, hashable, free of the page they were cut from; except regions whose columns nobody
has asked for yet (``Regions``), and cells of columns that are not shown, which keep the page until then. Regions,
records and cells know their ``node``, and make their XPath of it when it is asked for; pickled, they have the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, overload

from peneira.kernels import compiled
from peneira.limits import Cut, Status, status_of
from peneira.node_paths import OWN_XPATH, PageNode, keep_node_alone, with_xpath_of_node
from peneira.preview import counted, shortened
from peneira.reasons import Reason as Reason
from peneira.reasons import ReasonCode
from peneira.table import Cell as Cell
from peneira.table import Column, RecordDict, Table

if TYPE_CHECKING:
    from pandas import DataFrame

cell_making = compiled("cell_making")

# What a page that could be read is; "other": neither a list nor an article, nor about one thing
PageType = Literal["list", "article", "detail", "other"]
PAGE_TYPES: tuple[PageType, ...] = get_args(PageType)
# "other-template": the page does not fit the wrapper that read it
Verdict = Literal["list", "article", "detail", "other", "empty", "blocked", "script-shell", "other-template"]
# Pages that could not be read as intended
FAILED_VERDICTS: frozenset[Verdict] = frozenset({"empty", "blocked", "script-shell", "other-template"})
# What a detail page is about; "thing": one thing of no kind that is known
ItemKind = Literal["product", "article", "recipe", "job", "event", "person", "place", "film", "book", "thing"]
ITEM_KINDS: tuple[ItemKind, ...] = get_args(ItemKind)
# How a page leads to the other pages of its list: links, numbered links, a button that adds records, scrolling, buttons
# that only a script follows
PagingKind = Literal["link", "numbered", "load-more", "scroll", "script", "none"]
Range = tuple[int, int]


@with_xpath_of_node
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
    node: PageNode | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        keep_node_alone(self)

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


# In the order of the fields
RECORD_SLOTS = tuple(Record.__dict__[OWN_XPATH if item.name == "xpath" else item.name] for item in fields(Record))
_SET_RANGES, _SET_TEXT, _SET_XPATH, _SET_CONFIDENCE, _SET_FIELDS, _SET_RECORDS, _SET_NODE = (
    cast("Callable[[Record, object], None]", slot.__set__) for slot in RECORD_SLOTS
)


def node_record(
    rows: Range, text: str, confidence: float, node: PageNode, cells: Mapping[str, Cell] | None = None
) -> Record:
    """Return a record of one range that begins with a node of the page: as ``Record(...)``, in half of the time."""
    cells = {} if cells is None else cells
    if cell_making is not None:
        made: Record = cell_making.filled(Record, RECORD_SLOTS, ((rows,), text, "", confidence, cells, (), node))
        return made
    record = object.__new__(Record)
    _SET_RANGES(record, (rows,))
    _SET_TEXT(record, text)
    _SET_XPATH(record, "")
    _SET_CONFIDENCE(record, confidence)
    _SET_FIELDS(record, cells)
    _SET_RECORDS(record, ())
    _SET_NODE(record, node)
    return record


def deferred_columns(make: Callable[[], tuple[Column, ...]]) -> tuple[Column, ...]:
    """Return what a region may be given as ``all_columns``, so that they are made when they are first read."""
    return cast("tuple[Column, ...]", _Deferred(make))


class _Deferred:
    __slots__ = ("make",)

    def __init__(self, make: Callable[[], tuple[Column, ...]]) -> None:
        self.make = make


def _with_deferred_columns(owner: type[Region]) -> type[Region]:
    """Return the class, which makes ``all_columns`` when they are first read: a property stands in front of the slot,
    so that comparing, pickling and ``dataclasses.replace`` see the columns."""
    slot: Any = owner.__dict__["all_columns"]

    def all_columns(region: Region) -> tuple[Column, ...]:
        """The columns, and those that are not shown: template text, fragments, what repeats another column."""
        columns = slot.__get__(region)
        if isinstance(columns, _Deferred):
            columns = columns.make()
            slot.__set__(region, columns)
        return cast("tuple[Column, ...]", columns)

    setattr(owner, "all_columns", property(all_columns, slot.__set__))  # noqa: B010
    return owner


@_with_deferred_columns
@with_xpath_of_node
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
    reasons: Sequence[Reason] = ()
    all_columns: tuple[Column, ...] = ()
    node: PageNode | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        keep_node_alone(self)

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
        names = [column.name for column in columns]
        return Table(columns, tuple([_row(record.fields, names) for record in self.records]))


def _row(cells: Mapping[str, Cell], names: Sequence[str]) -> tuple[Cell | None, ...]:
    """Return the cells of a record in the order of names; cells that are made on demand know a quicker way."""
    row_of: Callable[[Sequence[str]], tuple[Cell | None, ...]] | None = getattr(cells, "row_of", None)
    return tuple(map(cells.get, names)) if row_of is None else row_of(names)


class Regions(Sequence[Region]):
    """The lists of a page, each with its columns, which are computed when the list is first asked for.

    Most users look at the main list only, and columns cost about as much as finding the lists.
    """

    __slots__ = ("_fill", "_filled", "_regions")

    def __init__(self, regions: Sequence[Region], fill: Callable[[Region], Region]) -> None:
        self._regions, self._fill = regions, fill
        self._filled: dict[int, Region] = {}

    def __len__(self) -> int:
        return len(self._regions)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Region, ...]: ...
    def __getitem__(self, index: int | slice) -> Region | tuple[Region, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        number = range(len(self))[index]
        if number not in self._filled:
            self._filled[number] = self._fill(self._regions[number])
        return self._filled[number]

    @property
    def unfilled(self) -> tuple[Region, ...]:
        """The lists as they are, those that nobody has asked for without their columns."""
        return tuple(self._filled.get(number, region) for number, region in enumerate(self._regions))

    def with_main(self, main: Region) -> Regions:
        """Return the lists with another in place of the first, whose columns are filled in."""
        regions = Regions(self._regions, self._fill)
        regions._filled = self._filled | {0: main}
        return regions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<Regions {counted(len(self), 'list')}>"

    def __reduce__(self) -> tuple[type[tuple[Region, ...]], tuple[tuple[Region, ...]]]:
        return tuple, (tuple(self),)  # without the page, which another process need not get


@dataclass(frozen=True, slots=True)
class Paging:
    """The other pages of the list that a page shows a part of, as absolute addresses where the page has one.

    ``next`` and ``previous`` are what the page itself calls so. ``onward`` is the one to follow for the records not
    seen yet: mostly ``next``; on a blog whose "older posts" are its previous page, that; without such links, the number
    after the current one. ``pages`` are the numbered pages that are linked.
    """

    next: str | None = None
    previous: str | None = None
    onward: str | None = None
    pages: Mapping[int, str] = field(default_factory=dict, hash=False)
    kind: PagingKind = "none"
    confidence: float = 1.0
    reasons: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the same as JSON has it: numbers of pages are keys, reasons are texts."""
        return {
            "kind": self.kind,
            "confidence": self.confidence,
            "next": self.next,
            "previous": self.previous,
            "onward": self.onward,
            "pages": {str(number): url for number, url in self.pages.items()},
            "reasons": [str(reason) for reason in self.reasons],
        }


NO_PAGING = Paging(reasons=(Reason(ReasonCode.PAGING, "no link leads to another page of a list"),))


class DeferredPaging:
    """The paging of a page, found when it is first asked for; until then it keeps the page."""

    __slots__ = ("_find", "_paging")

    def __init__(self, find: Callable[[], Paging]) -> None:
        self._find: Callable[[], Paging] | None = find
        self._paging = NO_PAGING

    @property
    def value(self) -> Paging:
        """The paging."""
        if self._find is not None:
            self._paging, self._find = self._find(), None
        return self._paging

    @classmethod
    def known(cls, paging: Paging) -> DeferredPaging:
        """Return one that was found already."""
        return cls(lambda: paging)

    def __reduce__(self) -> tuple[Callable[[Paging], DeferredPaging], tuple[Paging]]:
        return DeferredPaging.known, (self.value,)  # without the page, which another process need not get


def _with_later_cuts(owner: type[Extraction]) -> type[Extraction]:
    """Return the class with a property in front of the slot ``cuts``, which adds those that came since."""
    slot: Any = owner.__dict__["cuts"]

    def cuts(result: Extraction) -> tuple[Cut, ...]:
        """The limits that were hit so far."""
        known: tuple[Cut, ...] = slot.__get__(result)
        return tuple(dict.fromkeys((*known, *result.later_cuts))) if result.later_cuts else known

    setattr(owner, "cuts", property(cuts, slot.__set__))  # noqa: B010
    return owner


@_with_later_cuts
@dataclass(frozen=True, slots=True, repr=False)
class Extraction:
    """The result for one page. ``status`` is "partial" when a limit was hit: ``cuts`` says which, and what is missing.

    Both change where a limit is hit by what is only made when it is asked for, the columns of other lists and
    ``paging``: these cuts come to ``later_cuts``.

    ``main`` is the main list of the page, None where the page has none; ``regions`` are all lists, best first.
    ``verdict_confidence``: the probability of the verdict, where it was learned: list, article, detail, other; None for
    the others.
    """

    verdict: Verdict
    regions: Sequence[Region]
    main: Region | None
    method: str
    url: str | None = None
    cuts: tuple[Cut, ...] = ()
    reasons: Sequence[Reason] = ()
    verdict_confidence: float | None = None
    deferred_paging: DeferredPaging | None = field(default=None, compare=False)
    later_cuts: Sequence[Cut] = field(default=(), compare=False)

    @property
    def paging(self) -> Paging:
        """The next, previous and numbered pages of the list; computed when it is first asked for, and kept."""
        return self.deferred_paging.value if self.deferred_paging is not None else NO_PAGING

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


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """The one thing that a page is about. ``item["price"]`` is the cell of the field ``price``.

    ``kind`` is None where the page is about nothing that can be read; ``reasons`` then say why. ``confidence``: that of
    the kind. ``fields`` are the cells by name: first the roles (title, price, author...), then the label/value pairs of
    the page under the names of their labels. Each cell says where it is from (``source``) and how sure it is
    (``confidence``); what disagreed with it is among the reasons, with the code CONTRADICTION.
    """

    kind: ItemKind | None
    confidence: float
    fields: Mapping[str, Cell] = field(default_factory=dict, hash=False)
    columns: tuple[Column, ...] = ()
    url: str | None = None
    cuts: tuple[Cut, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def status(self) -> Status:
        """Whether the whole page was read."""
        return "partial" if self.cuts else "complete"

    def __getitem__(self, name: str) -> Cell:
        try:
            return self.fields[name]
        except KeyError:
            raise KeyError(f"{name!r}; this item has {', '.join(self.fields) or 'no fields'}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def get(self, name: str, default: Cell | None = None) -> Cell | None:
        """Return the cell of a field, or the default where the item has none."""
        return self.fields.get(name, default)

    @property
    def title(self) -> Cell | None:
        """What the thing is called."""
        return self.fields.get("title")

    @property
    def table(self) -> Table:
        """The item as a table of one row."""
        return Table(self.columns, (tuple(self.fields.get(column.name) for column in self.columns),))

    def to_dict(self) -> RecordDict:
        """Return the values by name."""
        return self.table.to_dicts()[0]

    def __repr__(self) -> str:
        title = f" {shortened(self.title.text, 60)!r}" if self.title else ""
        return f"<Item {self.kind or 'nothing'}{title}, {counted(len(self.fields), 'field')}>"

    def _repr_html_(self) -> str:
        """Return the fields as an HTML table, which notebooks show."""
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(shortened(cell.text, 300))}</td></tr>"
            for name, cell in self.fields.items()
        )
        return f"<p>{escape(self.kind or 'nothing')}</p><table>{rows}</table>"
