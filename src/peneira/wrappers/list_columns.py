"""Learning the columns of list pages: for each column of the table, how its cells are read again.

The columns are those that ``peneira.extract`` shows, with their names, roles and types. A column that cannot be read
again is left out, and a reason says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from peneira.columns.builder import language_of
from peneira.columns.names import base_name
from peneira.columns.raw_columns import GROUP
from peneira.kept_property import kept_property
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.table import Column
from peneira.types.column_types import InferredType, infer_type, read_as
from peneira.wrappers.list_cells import ColumnCells, column_cells, element_of, may_join, rows_by_xpath
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.reading_search import FoundReadings, RecordKey, Search, Texts, agreement, search
from peneira.wrappers.record_finder import TopRows
from peneira.wrappers.record_paths import paths_by_siblings, paths_in_record
from peneira.wrappers.saved_columns import IMAGE_ATTRIBUTES, ColumnStats, FoundValues, Reading, SavedColumn, stats_of
from peneira.wrappers.table_headers import TableHeader, header_of, headers_over, is_cell_by_position
from peneira.xpath.anchors import Anchors
from peneira.xpath.proposals import Proposer, Steps
from peneira.xpath.selectors import TEXT, Selector, Step
from peneira.xpath.stability import stability


@dataclass(frozen=True, slots=True)
class ListColumnOptions:
    """When a column is kept; ``peneira bench wrappers --lists`` measures the effect."""

    # A column is left out if its cells are not read in this share of the records
    min_agreement: float = 0.6
    # Columns are joined if one reading gives this share of the cells of both
    min_joined_agreement: float = 0.95
    # A selector that tests what stands beside the value reads this share of the cells, where others read fewer
    min_beside_agreement: float = 0.95
    # Selectors are proposed from the cells of this many records
    max_sampled_records: int = 12
    # Columns that are not shown: from how many records selectors are proposed, and when a column is kept
    max_sampled_hidden: int = 4
    min_hidden_agreement: float = 0.8
    max_hidden: int = 60
    # A spare selector, of tags and positions alone, agrees in this share of the records
    min_spare_agreement: float = 0.8
    # Records under one header of a table: the column has this header in this share of them
    min_header_share: float = 0.9


OPTIONS = ListColumnOptions()
_TEXT = InferredType("text", 1.0)
_ANY = Selector((), is_relative=True)
PathsInRecord = Callable[[ListPage, Anchors, TopRows, int], Iterator[Steps]]


@dataclass(frozen=True, slots=True)
class LearnedColumns:
    """The columns that can be read again, why others, or some of their cells, cannot, and those that are not shown."""

    columns: tuple[SavedColumn, ...]
    reasons: tuple[Reason, ...] = ()
    hidden: tuple[SavedColumn, ...] = ()


def learn_columns(pages: Sequence[ListPage], anchors: Anchors) -> LearnedColumns:
    """Return the columns of the lists that can be read again, in the order of the table."""
    learner = _Learner(pages, anchors)
    page_rows = [rows_by_xpath(page) for page in pages]
    found, reasons = learner.joined(column_cells(pages, page_rows))
    columns: list[SavedColumn] = []
    for cells in found:
        saved, reason = learner.saved(cells)
        same = next((column for column in columns if saved is not None and _read_the_same(column, saved)), None)
        if same is not None and not learner.has_both(cells, same.name):
            saved, reason = None, _read_as(cells.column, same)
        columns += [saved] if saved is not None else []
        reasons += [reason] if reason is not None else []
    known = {column.name for column in columns}
    for column in _embedded_columns(pages):
        if column.name in known:  # the page shows it elsewhere
            detail = f"column {column.name} is read from the page; {column.source} that has it on other pages is not"
            reasons.append(Reason(ReasonCode.COLUMNS, detail))
        else:
            columns.append(_embedded(column, pages))
    order = _order(pages)
    columns.sort(key=lambda column: order.get(column.name, len(order)))
    return LearnedColumns(tuple(columns), tuple(reasons), _hidden_columns(learner, columns, page_rows))


def _hidden_columns(
    learner: _Learner, columns: Sequence[SavedColumn], page_rows: Sequence[Mapping[str, int]]
) -> tuple[SavedColumn, ...]:
    """Return the columns that ``extract`` does not show here, as far as one selector reads them again.

    A column may be the same in all records of one page, or say what another says there, and not on other pages.
    """
    taken = {column.name for column in columns}
    read = {column.selector for column in columns}
    hidden: dict[Selector, SavedColumn] = {}
    for cells in column_cells(learner.pages, page_rows, are_hidden=True):
        if len(hidden) >= OPTIONS.max_hidden:
            break
        if cells.column.name in taken or cells.column.columns or cells.column.part or cells.attribute == GROUP:
            continue
        column = learner.quickly_saved(cells)
        if column is not None and column.selector not in read:
            hidden.setdefault(column.selector, column)
    return tuple(hidden.values())


def _order(pages: Sequence[ListPage]) -> dict[str, int]:
    names = dict.fromkeys(column.name for page in pages for column in page.region.columns)
    return {name: k for k, name in enumerate(names)}


def _read_the_same(column: SavedColumn, other: SavedColumn) -> bool:
    """Return whether two columns have the same readings."""
    return (column.readings, column.columns, column.is_above) == (other.readings, other.columns, other.is_above)


def _read_as(column: Column, other: SavedColumn) -> Reason:
    detail = f"the column {column.name} is read as {other.name}: they are in the same place, and in no record together"
    return Reason(ReasonCode.COLUMNS, detail)


def _embedded_columns(pages: Sequence[ListPage]) -> list[Column]:
    columns = {column.name: column for page in pages for column in page.region.columns if column.source != "page"}
    return list(columns.values())


def _embedded(column: Column, pages: Sequence[ListPage]) -> SavedColumn:
    cells = [record.fields[column.name] for page in pages for record in page.region if column.name in record.fields]
    records = sum(len(page.region.records) for page in pages)
    typing = _typing(column, [cell.text for cell in cells], "en", is_list=False)
    stats = stats_of([(cell.text,) for cell in cells], records)
    return SavedColumn(column.name, column.caption, (), typing, stats, role=column.role, source=column.source)


class _Learner:
    """Learns columns from the cells of the lists of some pages."""

    def __init__(self, pages: Sequence[ListPage], anchors: Anchors) -> None:
        self.pages, self.anchors = pages, anchors
        self.records = sum(len(page.records) for page in pages)
        self.language = language_of(pages[0].page)
        self._read: dict[tuple[Selector, bool, bool], Texts] = {}

    def joined(self, columns: Sequence[ColumnCells]) -> tuple[list[ColumnCells], list[Reason]]:
        """Return the columns; those of the same name are joined if no record has both and one reading gives all.

        Columns of a list differ by the elements around them, which may only reflect the state of a record. With them
        come reasons that say which were joined.
        """
        joined: list[ColumnCells] = []
        reasons: list[Reason] = []
        for column in columns:
            alike = [k for k, other in enumerate(joined) if may_join(other, column, self.records)]
            if alike:
                # many columns may be called "text": the one in the same element is the likeliest
                k = next((k for k in alike if element_of(joined[k]) == element_of(column)), alike[0])
                other = joined[k]
                both = replace(other, rows={**other.rows, **column.rows}, cells={**other.cells, **column.cells})
                if self._direct_agreement(both) >= OPTIONS.min_joined_agreement:
                    # the name without a number stays
                    first, second = sorted((other, column), key=_is_numbered)
                    joined[k] = replace(both, column=first.column)
                    reasons.append(_joined(second.column, first.column))
                    continue
            joined.append(column)
        return joined, reasons

    def has_both(self, cells: ColumnCells, name: str) -> bool:
        """Return whether most records with a cell of a column have one in the column of this name too."""
        both = sum(name in self.pages[k].region.records[r].fields for k, r in cells.cells)
        return 2 * both > len(cells.cells)

    def _direct_agreement(self, column: ColumnCells) -> float:
        wanted, is_list = column.wanted, column.is_list
        return max(
            (
                agreement(self.texts(selector, is_list=is_list), wanted)
                for selector in self._proposed(column, list(wanted))
            ),
            default=0.0,
        )

    def saved(self, column: ColumnCells) -> tuple[SavedColumn | None, Reason | None]:
        """Return the column with its readings, None if it cannot be read; and a reason if some cells are not."""
        if column.column.columns:
            return self._nested(column)
        is_above = column.attribute == GROUP
        found = search(
            Search(
                column.wanted,
                lambda selector: self.texts(selector, is_list=column.is_list, is_above=is_above),
                lambda keys: self._proposed(column, keys),
                column.is_list,
                bool(column.attribute) and not is_above,
                ambiguity=self._ambiguity(column, is_above=is_above),
            )
        )
        if found.agreement < OPTIONS.min_beside_agreement and not (column.is_list or column.attribute):
            beside = self._read_by_siblings(column)
            found = beside if beside.agreement >= OPTIONS.min_beside_agreement else found
        if found.agreement < OPTIONS.min_agreement:
            return None, _left_out(column.column, found.agreement)
        texts = list(found.texts.values())
        typing = _typing(column.column, [own[0] for own in texts if own], self.language, is_list=column.is_list)
        saved = SavedColumn(
            column.column.name,
            column.column.caption,
            found.readings,
            typing,
            stats_of(texts, self.records),
            column.is_list,
            column.column.role,
            is_above,
            spares=() if is_above else self._spares(column, found),
            header=self._header(column, found),
        )
        return saved, None

    def quickly_saved(self, column: ColumnCells) -> SavedColumn | None:
        """Return a column that is not shown with its best selector, None if that does not read most of its cells."""
        task = Search(
            column.wanted,
            lambda selector: self.texts(selector, is_list=column.is_list),
            lambda keys: self._proposed(column, keys, OPTIONS.max_sampled_hidden),
            column.is_list,
            bool(column.attribute),
            is_quick=True,
            ambiguity=self._ambiguity(column),
        )
        found = search(task)
        if found.agreement < OPTIONS.min_hidden_agreement:
            return None
        texts = list(found.texts.values())
        typing = _typing(column.column, [own[0] for own in texts if own], self.language, is_list=column.is_list)
        stats = stats_of(texts, self.records)
        return SavedColumn(
            column.column.name,
            column.column.caption,
            found.readings,
            typing,
            stats,
            column.is_list,
            column.column.role,
            header=self._header(column, found),
        )

    def _read_by_siblings(self, column: ColumnCells) -> FoundReadings:
        """Return how a text that only some records have is read by what stands beside it."""
        if len(column.wanted) == self.records:
            return FoundReadings()
        return search(
            Search(
                column.wanted,
                lambda selector: self.texts(selector, is_list=False),
                lambda keys: self._selectors({key: column.rows[key] for key in keys}, "", paths=paths_by_siblings),
                is_quick=True,
                ambiguity=self._ambiguity(column),
            )
        )

    def _ambiguity(self, column: ColumnCells, *, is_above: bool = False) -> Callable[[Selector], float]:
        """Return in which share of the records a selector finds several nodes, where a column has one value."""
        if column.is_list or is_above:
            return lambda _selector: 0.0
        sample = _spread(list(column.rows), OPTIONS.max_sampled_records)
        known: dict[Selector, float] = {}

        def ambiguity(selector: Selector) -> float:
            if selector not in known:
                found = (self.pages[k].reader.finder.rows_in(self.pages[k].records[r], selector) for k, r in sample)
                known[selector] = sum(len(rows) > 1 for rows in found) / max(len(sample), 1)
            return known[selector]

        return ambiguity

    def _spares(self, column: ColumnCells, found: FoundReadings) -> tuple[Selector, ...]:
        """Return the best selector of tags and positions alone, if it reads most of the cells."""
        wanted, first = column.wanted, found.readings[0]
        ranked = []
        for selector in self._proposed(column, list(wanted)):
            if selector == first.selector or not _has_tags_only(selector):
                continue
            read = self.texts(selector, is_list=column.is_list)
            values = {key: own for key, texts in read.items() if (own := tuple(filter(None, map(first.value, texts))))}
            share = agreement(values, wanted)
            if share >= OPTIONS.min_spare_agreement:
                ranked.append((round(share, 2), stability(selector), str(selector), selector))
        return (max(ranked)[3],) if ranked and not _has_tags_only(first.selector) else ()

    def _header(self, column: ColumnCells, found: FoundReadings) -> TableHeader | None:
        """Return the header of the table over a column whose cells are found by their position."""
        if not any(map(is_cell_by_position, found.readings[0].selector.steps)):
            return None
        counts = Counter(
            header_of(self.pages[k].page, self._headers[k], self.pages[k].records[r][0], row)
            for (k, r), row in column.rows.items()
        )
        header, count = max(counts.items(), key=lambda item: item[1])
        return header if count >= OPTIONS.min_header_share * len(column.rows) else None

    @kept_property
    def _headers(self) -> list[tuple[str, ...]]:
        """The texts over the cells of the records, by page; () where the records are no table rows."""
        return [
            headers_over(page.page, page.records[0][0]) if all(len(rows) == 1 for rows in page.records) else ()
            for page in self.pages
        ]

    def _nested(self, column: ColumnCells) -> tuple[SavedColumn | None, Reason | None]:
        """Return a column of nested records, whose readings find the items and whose columns are read inside them."""
        items = self._items(column)
        found = search(
            Search(
                {key: tuple(map(str, rows)) for key, (rows, _) in items.items()},
                self._item_rows,
                lambda keys: self._selectors({key: items[key][0][0] for key in keys if items[key][0]}, ""),
                is_list=True,
                is_attribute=True,
            )
        )
        if found.agreement < OPTIONS.min_agreement:
            return None, _left_out(column.column, found.agreement)
        inner_pages = []
        for k, page in enumerate(self.pages):
            own = [items[key] for key in items if key[0] == k]
            records = tuple(record for _, records in own for record in records)
            if records:
                tops = tuple((row,) for rows, _ in own for row in rows)
                inner_pages.append(ListPage(page.reader, Region("", records, 1.0, column.column.columns), tops))
        inner = learn_columns(inner_pages, self.anchors)
        if not inner.columns:
            return None, _left_out(column.column, 0.0)
        cells = column.cells.values()
        saved = SavedColumn(
            column.column.name,
            column.column.caption,
            found.readings,
            InferredType("records", 1.0),
            stats_of([cell.items for cell in cells], self.records),
            is_list=True,
            role=column.column.role,
            columns=inner.columns,
        )
        return saved, inner.reasons[0] if inner.reasons else None

    def _items(self, column: ColumnCells) -> dict[RecordKey, tuple[tuple[int, ...], tuple[Record, ...]]]:
        """Return the rows and the records of the items of each record that has the column."""
        items: dict[RecordKey, tuple[tuple[int, ...], tuple[Record, ...]]] = {}
        for k, page in enumerate(self.pages):
            nested = [other.name for other in page.region.all_columns or page.region.columns if other.columns]
            for r, record in enumerate(page.region.records):
                start = 0
                for name in nested:
                    cell = record.fields.get(name)
                    count = len(cell.table) if cell is not None and cell.table is not None else 0
                    own = record.records[start : start + count]
                    start += count
                    if name == column.column.name and own:
                        items[k, r] = (tuple(item.ranges[0][0] for item in own), own)
        return items

    def _item_rows(self, selector: Selector) -> Texts:
        """Return the rows that a selector finds in each record, as texts."""
        return {
            (k, r): tuple(map(str, found))
            for k, page in enumerate(self.pages)
            for r, top_rows in enumerate(page.records)
            if (found := page.reader.finder.rows_in(top_rows, selector))
        }

    def texts(self, selector: Selector, *, is_list: bool, is_above: bool = False) -> Texts:
        """Return what a selector reads in each record."""
        key = (selector, is_list, is_above)
        if key not in self._read:
            column = SavedColumn("", "", (Reading(selector),), _TEXT, ColumnStats(1.0), is_list, is_above=is_above)
            texts = {}
            for k, page in enumerate(self.pages):
                for r, top_rows in enumerate(page.records):
                    values: FoundValues | None = page.reader.values(column, top_rows)
                    if values is not None:
                        texts[k, r] = values.texts
            self._read[key] = texts
        return self._read[key]

    def _proposed(
        self, column: ColumnCells, keys: Sequence[RecordKey], max_records: int = OPTIONS.max_sampled_records
    ) -> list[Selector]:
        """Return the selectors that could read the cells of some records, proposed from at most so many of them."""
        rows = {key: column.rows[key] for key in keys if key in column.rows}
        if column.attribute == GROUP:
            return self._selectors_above(rows)
        selectors = self._selectors(rows, column.attribute, max_records)
        if column.is_list and not column.attribute:
            selectors += self._selectors_of_items({key: column.cells[key].items for key in rows})
        return selectors

    def _selectors(
        self,
        rows: Mapping[RecordKey, int],
        attribute: str,
        max_records: int = OPTIONS.max_sampled_records,
        *,
        paths: PathsInRecord = paths_in_record,
    ) -> list[Selector]:
        """Return selectors, relative to the record, of some of the rows or of their attribute."""
        selectors: dict[Selector, None] = {}
        for k, r in _spread(list(rows), max_records):
            page, row = self.pages[k], rows[k, r]
            ends = _attribute_steps(page.page.attrs[row], attribute)
            for steps in paths(page, self.anchors, page.records[r], row):
                for end in ends:
                    selectors[Selector((*steps, *end), is_relative=True)] = None
        return list(selectors)

    def _selectors_of_items(self, items: Mapping[RecordKey, tuple[str, ...]]) -> list[Selector]:
        """Return selectors of all that stands below the element that holds the items of a list."""
        selectors: dict[Selector, None] = {}
        for k, r in _spread([key for key in items if len(items[key]) > 1], OPTIONS.max_sampled_records):
            page = self.pages[k].page
            rows = _rows_of_texts(self.pages[k], self.pages[k].records[r], items[k, r])
            if len(rows) < 2:
                continue
            holder = page.lists.parent[rows[0]]
            while page.lists.end[holder] <= rows[-1]:
                holder = page.lists.parent[holder]
            tags = {page.name(row) for row in rows if not page.is_text(row)}
            ends = [Step("descendant", tag) for tag in sorted(tags)] + [Step("child", "*"), Step("descendant", TEXT)]
            for steps in paths_in_record(self.pages[k], self.anchors, self.pages[k].records[r], holder):
                for end in ends:
                    selectors[Selector((*steps, end), is_relative=True)] = None
        return list(selectors)

    def _selectors_above(self, rows: Mapping[RecordKey, int]) -> list[Selector]:
        """Return selectors, from the document, of some of the rows."""
        selectors: dict[Selector, None] = {}
        for k, r in _spread(list(rows), OPTIONS.max_sampled_records):
            proposer = Proposer(self.pages[k].reader.finder, self.anchors)
            for steps in proposer.paths_to_element(rows[k, r]):
                selectors[Selector(steps)] = None
                selectors[Selector(tuple(replace(step, position=0) for step in steps))] = None
        return list(selectors)


def _has_tags_only(selector: Selector) -> bool:
    """Return whether a selector tests tags and positions alone."""
    return all(step.is_tag_only and not step.table_depth for step in selector.steps)


def _attribute_steps(attrs: Mapping[str, str], attribute: str) -> list[tuple[Step, ...]]:
    """Return the last steps to an attribute; the address of an image may be in several."""
    if not attribute:
        return [()]
    names = [name for name in IMAGE_ATTRIBUTES if name in attrs] if attribute == "src" else [attribute]
    return [(Step("child", f"@{name}"),) for name in names]


def _rows_of_texts(list_page: ListPage, top_rows: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Return the outermost rows of a record with these texts, in order; [] if one is not there."""
    page = list_page.page
    rows: list[int] = []
    at, end = top_rows[0], page.lists.end[top_rows[-1]]
    for text in texts:
        while at < end and (page.silent[at] or list_page.reader.text(_ANY, at) != text):
            at += 1
        if at >= end:
            return []
        rows.append(at)
        at = page.lists.end[at]
    return rows


def _spread(keys: Sequence[RecordKey], count: int) -> list[RecordKey]:
    """Return at most this many of the keys: half from the start, half from all over the list."""
    if len(keys) <= count:
        return list(keys)
    half = count // 2
    step = max(1, (len(keys) - half) // (count - half))
    return list(dict.fromkeys([*keys[:half], *keys[half::step]]))[:count]


def _typing(column: Column, texts: Sequence[str], language: str, *, is_list: bool) -> InferredType:
    """Return how values are read as the type that the table gives the column."""
    if is_list:
        return InferredType("list", 1.0)
    if column.type in ("url", "image", "text", "records"):
        return InferredType("text" if column.type == "records" else column.type, column.confidence)
    caption = column.label or column.caption
    inferred = infer_type(texts, caption=caption, language=language)
    if inferred.type == column.type:
        return inferred
    return replace(read_as(column.type, texts, caption=caption, language=language), confidence=column.confidence)


def _is_numbered(cells: ColumnCells) -> bool:
    return cells.column.name != base_name(cells.column.name)


def _joined(column: Column, other: Column) -> Reason:
    detail = f"the column {column.name} is read as {other.name}: one selector gives both, and no record has both"
    return Reason(ReasonCode.COLUMNS, detail)


def _left_out(column: Column, share: float) -> Reason:
    where = "no selector reads its values" if not share else f"selectors read it in {share:.0%} of the records only"
    return Reason(ReasonCode.COLUMNS_LEFT_OUT, f"the column {column.name} is left out: {where}", round(share, 3))
