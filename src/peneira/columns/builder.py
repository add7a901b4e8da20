"""From records to columns: what stands at the same place in every record is one column.

The records are read into outlines, equal outlines are aligned once, and every slot of the alignment that holds values
is a column: its texts, and each attribute that holds data. Columns that add nothing (a text of the template, values
that another column has already) are marked as template: they are kept, but not shown by default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from urllib.parse import urlsplit

from peneira.columns.absolute_urls import base_url
from peneira.columns.candidate_columns import CandidateColumns, candidate_columns
from peneira.columns.deferred_cells import NamedColumn, record_cells, records_with_cells
from peneira.columns.document_links import document_names
from peneira.columns.economy import ChosenColumns, choose_columns
from peneira.columns.icon_labels import set_icon_labels
from peneira.columns.label_pairs import common_unit
from peneira.columns.list_ends import with_list_ends
from peneira.columns.merged_roles import merge_by_role
from peneira.columns.names import (
    MIN_USUAL_SHARE,
    PROSE,
    UNIT_PRICE,
    ColumnName,
    NameSources,
    name_columns,
    name_shown_columns,
)
from peneira.columns.nested_records import nest, nested_cells, nested_name_sources, nested_region, set_item_texts
from peneira.columns.outline import OutlineBuilder
from peneira.columns.raw_columns import RECORDS, WHOLE, RawColumn, raw_columns
from peneira.columns.roles import RoleModels, score_columns, shipped_role_models
from peneira.columns.sibling_lists import join_siblings
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.table_grid import Grid, grid_of
from peneira.columns.value_patterns import (
    are_counts,
    are_mostly_years,
    are_unit_prices,
    are_words_with_numbers,
    common_pattern,
)
from peneira.late_patterns import late_pattern
from peneira.node_paths import own_xpath
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Cell, Record, Region, deferred_columns
from peneira.table import Column
from peneira.types.notation import language_with_region
from peneira.values import ColumnType, Role

# A list with more columns was misread; the fullest ones are kept, which bounds time and memory
MAX_COLUMNS = 300
# This many values show the pattern of a column
MAX_SAMPLED_VALUES = 50
# Texts of so many words on average are sentences
MIN_WORDS_OF_PROSE = 6
# and those of so many items with so few words each are none: "Black, white, navy"
MIN_ITEMS, MAX_WORDS_OF_ITEM = 3, 3
_BETWEEN_ITEMS = late_pattern(r"[,/;|•·،、，]")


def with_columns(page: Page, region: Region) -> Region:
    """Return the region with its columns and the fields of its records filled in."""
    return ColumnBuilder(page).fill(region)


def language_of(page: Page) -> str:
    """Return the language tag of the page, with the region that its host implies."""
    language = page.attrs[0].get("lang", "") if len(page) else ""
    try:
        host = urlsplit(page.url or "").hostname or ""
    except ValueError:  # not a URL
        host = ""
    return language_with_region(language, host)


class ColumnBuilder:
    """Builds the columns of the regions of one page; what is read of the page is shared between regions."""

    def __init__(self, page: Page, models: RoleModels | None = None) -> None:
        self.page, self.models = page, models
        self.base = base_url(page)
        self._outlines: OutlineBuilder | None = None

    def fill(self, region: Region) -> Region:
        """Return the region with its columns and the fields of its records filled in."""
        if not region.records:
            return region
        raw, grid = self.raw_columns(region)
        columns = _fullest(raw)
        if len(columns) < len(raw):
            message = f"the {len(columns)} fullest columns of {len(raw)}; the others were left out"
            region = replace(
                region, reasons=(*region.reasons, Reason(ReasonCode.COLUMNS_LEFT_OUT, message, float(len(raw))))
            )
        return self._filled(region, columns, grid)

    def raw_columns(self, region: Region) -> tuple[list[RawColumn], Grid]:
        """Return the raw columns of a region with records, and the grid of its tables."""
        if self._outlines is None:
            self._outlines = OutlineBuilder(self.page)
        grid = grid_of(self.page, [record.ranges[0][0] for record in region.records])
        columns = raw_columns(self._outlines, region.records, grid, self.base)
        set_icon_labels(self.page, columns)
        return with_list_ends(join_siblings(nest(columns))), grid

    def candidates(self, region: Region) -> CandidateColumns:
        """Return the candidate columns of a region with records."""
        raw, grid = self.raw_columns(region)
        return candidate_columns(_fullest(raw), grid, len(region.records), language_of(self.page))

    def _filled(self, region: Region, columns: Sequence[RawColumn], grid: Grid) -> Region:
        """Return the region with named and typed columns; nested records get theirs first."""
        nested = {id(column): self._filled_items(column) for column in columns if column.nested}
        candidates = candidate_columns(columns, grid, len(region.records), language_of(self.page))
        models = self.models or shipped_role_models()
        scored = score_columns(candidates, models)
        candidates, scored = merge_by_role(candidates, scored, language_of(self.page))
        chosen = choose_columns(candidates, scored, models.wholes, language_of(self.page))
        return _with_cells(self.page, region, candidates, chosen, nested)

    def _filled_items(self, column: RawColumn) -> Region:
        """Return the nested records of a column as a region of their own; the column gets their texts."""
        region = self._filled(nested_region(self.page, column), _fullest(column.nested), Grid())
        set_item_texts(column, region)
        return region


def _fullest(columns: list[RawColumn]) -> list[RawColumn]:
    """Return the columns, where there are too many without whole texts of blocks and without the emptiest ones."""
    if len(columns) <= MAX_COLUMNS:
        return columns
    # whole texts of blocks go first: what they hold is in the columns of their parts
    order = sorted(columns, key=lambda column: (column.attribute == WHOLE, -len(column.values)))
    kept = {id(column) for column in order[:MAX_COLUMNS]}
    return [column for column in columns if id(column) in kept]


def _with_cells(
    page: Page,
    region: Region,
    candidates: CandidateColumns,
    chosen: ChosenColumns,
    nested: Mapping[int, Region],
) -> Region:
    """Return the region with the chosen columns first, and the cells of all of them."""
    raw, shown = candidates.columns, chosen.shown
    hidden = sorted(set(range(len(raw))).difference(shown))
    made = _MadeColumns(candidates, chosen, nested, len(region.records))
    inner: list[tuple[Record, ...]] = [() for _ in region.records]
    for k in (*shown, *hidden):
        if raw[k].nested:
            cells = made.nested_cells[k] = {}
            for record, (cells[record], items) in nested_cells(page, raw[k], nested[id(raw[k])]).items():
                inner[record] += items
    names = name_shown_columns(made.sources, shown)
    columns = tuple([made.column(k, name, is_shown=True) for k, name in zip(shown, names, strict=True)])
    named = [made.named(k, name) for k, name in zip(shown, names, strict=True)]
    others = cache(lambda: made.names_of(hidden))
    fields = record_cells(
        page,
        named,
        (lambda: [made.named(k, name) for k, name in others().items()]) if hidden else None,
        len(region.records),
    )
    return replace(
        region,
        xpath=own_xpath(region),
        records=records_with_cells(region.records, fields, inner),
        columns=columns,
        all_columns=deferred_columns(
            lambda: (*columns, *[made.column(k, name, is_shown=False) for k, name in others().items()])
        ),
    )


class _MadeColumns:
    """Makes the columns of a region. Those that are not shown are named and made when they are asked for.

    ``sources``: what names each column; of those that are not shown, without what their values look like.
    """

    def __init__(
        self, candidates: CandidateColumns, chosen: ChosenColumns, nested: Mapping[int, Region], records: int
    ) -> None:
        self.raw, self.types, self.roles = candidates.columns, candidates.types, chosen.roles
        self.headers = [names.header for names in candidates.names]
        self.nested, self.records = nested, records
        self.nested_cells: dict[int, dict[int, Cell]] = {}
        self._elements = _Elements()
        shown, stems = set(chosen.shown), _stems(candidates.columns, chosen.roles)
        path_word = {k: each.path_word for k, each in zip(candidates.judged, candidates.evidence, strict=True)}
        said = document_names(candidates.columns)
        self.sources = [
            _name_sources(
                candidates,
                k,
                self._elements,
                chosen.roles[k],
                stems.get(k, ""),
                path_word.get(k, ""),
                said.get(k, ""),
                is_shown=k in shown,
            )
            for k in range(len(self.raw))
        ]

    def names_of(self, hidden: Sequence[int]) -> dict[int, ColumnName]:
        """Return the names of the columns that are not shown."""
        for k in hidden:
            if not self.raw[k].nested:
                self.sources[k] = _with_looks(self.sources[k], self.raw[k], self.types[k].type)
        names = name_columns(self.sources)
        return {k: names[k] for k in hidden}

    def named(self, k: int, name: ColumnName) -> NamedColumn:
        """Return a column as its cells are read."""
        return NamedColumn(name.name, self.raw[k], self.types[k], self.nested_cells.get(k, {}))

    def column(self, k: int, name: ColumnName, *, is_shown: bool) -> Column:
        """Return a column as users see it."""
        column, column_type = self.raw[k], self.types[k]
        return Column(
            name.name,
            caption=name.caption or name.name,
            fill=len(column.values) / self.records,
            path=self._elements.path(column),
            type=column_type.type,
            confidence=column_type.confidence,
            is_template=not is_shown,
            role=self.roles[k] or "",
            columns=self.nested[id(column)].columns if column.nested else (),
            label=column.label or self.headers[k],
            part="label" if column.is_label else column.part,
        )


def _stems(columns: Sequence[RawColumn], roles: Sequence[Role | None]) -> dict[int, str]:
    """Return the role of the text that a column is a part or the link of."""
    role_of = {id(column): role for column, role in zip(columns, roles, strict=True) if role is not None}
    role_of_link = {
        id(slot): roles[k]
        for k, column in enumerate(columns)
        if roles[k] is not None and column.attribute in ("", WHOLE)
        for slot in islice(with_ancestors(column.slot), 2)
    }
    stems: dict[int, str] = {}
    for k, column in enumerate(columns):
        if column.attribute == "href":
            stems[k] = role_of_link.get(id(column.slot)) or ""
        elif column.part and column.container is not None:
            stems[k] = role_of.get(id(column.container)) or ""
    return stems


class _Elements:
    """The elements around the values of columns, by slot: the columns of an element have the same ones."""

    def __init__(self) -> None:
        self._named: dict[tuple[int, int], tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]] = {}
        self._paths: dict[int, str] = {}

    def named(self, column: RawColumn) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]:
        """Return tag and class words of the elements that may name a column, and the class words of the outermost."""
        key = (id(column.slot), id(column.top))
        if key not in self._named:
            slots = list(with_ancestors(column.slot, column.top))
            inner = tuple(
                [(slot.features.tag, slot.features.ordered_words) for slot in slots if slot.parent is not None]
            )
            self._named[key] = inner, slots[-1].features.ordered_words
        return self._named[key]

    def path(self, column: RawColumn) -> str:
        """Return the elements from the record to the values of a column, and the attribute that holds these."""
        slot = column.slot
        if id(slot) not in self._paths:
            steps = [
                ".".join((outer.features.tag, *sorted(outer.features.words)))
                for outer in with_ancestors(slot)
                if outer.parent is not None
            ]
            self._paths[id(slot)] = "/".join(reversed(steps))
        path = self._paths[id(slot)]
        return f"{path}/@{column.attribute}" if column.attribute not in ("", WHOLE, RECORDS) else path


def _name_sources(
    candidates: CandidateColumns,
    k: int,
    around: _Elements,
    role: Role | None,
    stem: str,
    path: str,
    said: str,
    *,
    is_shown: bool,
) -> NameSources:
    column, names = candidates.columns[k], candidates.names[k]
    if column.nested:
        return nested_name_sources(column)._replace(path=path, is_shown=is_shown)
    is_rare = len(column.values) < MIN_USUAL_SHARE * candidates.records
    elements, block = around.named(column)
    sources = NameSources(
        role=role or "",
        header=names.header,
        prop=names.prop,
        label=column.label or said,
        attribute="" if column.attribute == WHOLE else column.attribute,
        part="label" if column.is_label else column.part,
        stem=stem,
        elements=elements,
        block=block,
        path=path,
        is_shown=is_shown,
        # columns that only some pages of a site have must not change the names of those that all have
        priority=(bool(column.part), is_rare),
    )
    # a column with a role is called by it
    return _with_looks(sources, column, candidates.types[k].type) if is_shown and not role else sources


def _with_looks(sources: NameSources, column: RawColumn, column_type: ColumnType) -> NameSources:
    """Return the sources of the name of a column with what its values look like."""
    texts = list(islice(column.first_texts().values(), MAX_SAMPLED_VALUES))
    return sources._replace(pattern=_pattern(column, column_type, texts), unit=common_unit(texts))


def _pattern(column: RawColumn, column_type: ColumnType, texts: Sequence[str]) -> str:
    """Return the type of a column, of one of texts the pattern that most of them match, of one of years "year"."""
    if column_type == "integer" and are_mostly_years(column.first_texts().values()):
        return "year"
    if column_type == "money" and are_unit_prices(column.first_texts().values()):
        return UNIT_PRICE
    if column_type != "text" or column.attribute:
        return column_type
    pattern = common_pattern(texts)
    if pattern == "code" and are_counts(texts):
        return "number"
    if pattern == "code" and are_words_with_numbers(texts):
        pattern = ""
    is_long = not pattern and sum(len(text.split()) for text in texts) >= MIN_WORDS_OF_PROSE * len(texts)
    return PROSE if is_long and 2 * sum(map(_is_enumeration, texts)) <= len(texts) else pattern


def _is_enumeration(text: str) -> bool:
    """Return whether a text is items of few words: "Black, white, navy", "S / M / L"."""
    items = [item for item in _BETWEEN_ITEMS.split(text) if item.strip()]
    return len(items) >= MIN_ITEMS and sum(len(item.split()) for item in items) <= MAX_WORDS_OF_ITEM * len(items)
