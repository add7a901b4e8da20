"""Tables 1 to 7 of the thesis behind G-STM (Moura 2018, chapter 2), each beside what can be measured here.

Record tables pool the records of all pages: P is the share of the records found that are right, R the share of the true
ones that were found. The publications do not say how a region is chosen among those that a method finds; so there are
two figures: of the first region, and of the best one by F1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from peneira.extraction import extract
from peneira.methods import method as method_named
from peneira.methods.depta import MAX_ALIGNED, Alignment
from peneira.page import Page
from peneira.result import Record, Region
from peneira.sources.html import read_page
from peneira.templates.template_schema import Schema, schema_of
from peneira.wrappers.learning import learn
from peneira_research.corpora.gold_pages import GoldPage, value_texts
from peneira_research.corpora.made_templates import MadeSite
from peneira_research.scores.item_set_score import Counts, f_bounds
from peneira_research.scores.record_score import match
from peneira_research.squeezed_text import squeeze
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults

# Published precision and recall in percent, by table and column
PUBLISHED: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "Table 1, G-STM and RoadRunner": {"gstm": (93.9, 95.4), "RoadRunner": (91.5, 70.0)},
    "Table 2, G-STM and EXALG": {"gstm": (100.0, 100.0), "EXALG": (100.0, 90.0)},
    "G-STM and MSE, public pages": {"gstm": (100.0, 96.5), "MSE": (100.0, 98.0)},
    "Table 3, records": {"depta": (91.1, 53.9), "fivatech": (98.0, 95.7)},
    "Table 3, alignment": {"depta": (48.4, 48.9), "fivatech": (90.1, 89.1)},
    "Schemas": {"fivatech": (90.6, 95.1), "EXALG": (90.6, 75.8)},
    "Table 4, One-DR-F1": {"ViDE": (100.0, 100.0), "autorm": (100.0, 100.0), "depta": (100.0, 100.0)},
    "Table 4, One-DR-F2": {"ViDE": (99.2, 98.3), "autorm": (99.8, 99.6), "depta": (98.9, 99.6)},
    "Table 5, One-DR-F1": {"ViDE": (88.6, 85.4), "autorm": (95.4, 96.9), "depta": (82.8, 73.3)},
    "Table 5, One-DR-F2": {"ViDE": (97.8, 91.5), "autorm": (99.6, 98.5), "depta": (96.9, 89.9)},
    "Table 6, One-ASO-F1": {"depta": (100.0, 100.0), "autorm": (100.0, 100.0)},
    "Table 6, One-ASO-F2": {"depta": (100.0, 60.0), "autorm": (100.0, 100.0)},
    "Table 7, One-ASO-F1": {"depta": (97.6, 71.4), "autorm": (98.2, 96.0)},
    "Table 7, One-ASO-F2": {"depta": (97.7, 82.0), "autorm": (100.0, 99.6)},
}
TBDW = ("yamada",)
# What stands for the pages of AutoRM's authors, which are not public: other result pages
OTHER_PAGES = ("zhao1", "zhao3")
RECORD_METHODS = ("autorm", "depta", "gstm", "auto")
TREE_METHODS = ("gstm", "fivatech")
LEARNING_PAGES = 2
# A column is a node of the schema if the F1 of its values is at least this
MIN_VALUES_F = 0.95
# The forms of AutoRM's pages: one data region, or records inside larger objects; with separators, or without
FORMS = ("One-DR-F1", "One-DR-F2", "One-ASO-F1", "One-ASO-F2")
OTHER_FORM = "other"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table: the system, what was counted, the figures of the publication, in percent.

    ``bounds``: the interval of 95 % of the F-score of ``counts``, 0..1.
    """

    table: str
    system: str
    pages: int
    counts: Counts | None
    best: Counts | None = None
    published: tuple[float, float] | None = None
    note: str = ""
    bounds: tuple[float, float] | None = None

    @classmethod
    def pooled(
        cls, table: str, system: str, parts: Sequence[Counts], best: Sequence[Counts] = (), note: str = ""
    ) -> TableRow:
        """Return the line of counts by page, taken together, with the interval of their F-score (over pages)."""
        total, total_best = (sum(counts, Counts()) if counts else None for counts in (parts, best))
        published = PUBLISHED[table].get(system)
        return cls(table, system, len(parts), total, total_best, published, note, f_bounds(parts))


# --- records, Tables 3 to 7 -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PageRecords:
    """What a method finds on a page: the counts of its first region and of its best one."""

    corpus: str
    form: str
    system: str
    first: Counts
    best: Counts


def record_tables(
    pages: Sequence[GoldPage], *, jobs: int = 1, keep: KeptResults = NOTHING_KEPT
) -> Iterator[list[PageRecords]]:
    """Yield for each page with gold what each method finds on it."""
    used = [page for page in pages if page.anchors and not page.is_partial]
    return keep.each("records", list[PageRecords], page_records, used, key=attrgetter("id"), jobs=jobs)


def page_records(gold: GoldPage) -> list[PageRecords]:
    """Return what each method finds on a page."""
    anchors, page = gold.anchors or (), read_page(gold.body())
    form = page_form(page, anchors)
    found = []
    for name in RECORD_METHODS:
        regions = _regions(page, name)
        counted = [record_counts(region.records, anchors) for region in regions] or [Counts(0, 0, len(anchors))]
        best = max(counted, key=lambda counts: counts.f_score)
        found.append(PageRecords(gold.corpus, form, name, counted[0], best))
    return found


def _regions(page: Page, name: str) -> list[Region]:
    try:
        return list(method_named(name).findings(page).regions)
    except Exception:  # a failure on one page must not stop the others; it has found nothing
        return []


def record_counts(records: Sequence[Record], anchors: Sequence[str]) -> Counts:
    """Return how many records are right, wrong and missing."""
    right = len(match([record.text for record in records], anchors).right)
    return Counts(right, len(records) - right, len(anchors) - right)


# Elements that only separate; a record of ``auto`` may end with the one after it
SEPARATORS = ("hr", "br")


def page_form(page: Page, anchors: Sequence[str]) -> str:
    """Return AutoRM's type of a page, by the records that ``auto`` finds where these are all right; else "other".

    One-DR: the records are below one node. F1: nodes without content stand between two of them.
    """
    main = extract(page).main
    if main is None or record_counts(main.records, anchors) != Counts(len(anchors), 0, 0):
        return OTHER_FORM
    starts = [record.ranges[0][0] for record in main.records]
    parents = {int(page.parent[row]) for row in starts}
    ends = [record.ranges[-1][1] for record in main.records]
    gaps = [
        row
        for end, start in zip(ends, starts[1:], strict=False)
        for row in range(end, start)
        if int(page.parent[row]) in parents and not page.silent[row]
    ]
    last = [list(page.top_rows(*record.ranges))[-1] for record in main.records[:-1]]
    is_separated = any(not page.text_chars[row] for row in gaps) or any(page.name(row) in SEPARATORS for row in last)
    return f"One-{'DR' if len(parents) == 1 else 'ASO'}-F{1 if is_separated else 2}"


def tabled(found: Sequence[PageRecords]) -> Iterator[TableRow]:
    """Yield the rows of Tables 4 to 7 and of the record figures of Table 3."""
    for number, corpora in ((4, TBDW), (5, OTHER_PAGES), (6, TBDW), (7, OTHER_PAGES)):
        for form in FORMS[:2] if number in (4, 5) else FORMS[2:]:
            note = "pages on which auto is right, which tells their form"
            note += "" if corpora == TBDW else "; other pages: theirs are not public"
            # the form of a page is known where auto is right: its own figures would say nothing
            chosen = [row for row in found if row.corpus in corpora and row.form == form and row.system != "auto"]
            yield from _rows(f"Table {number}, {form}", chosen, note)
    chosen = [row for row in found if row.corpus in TBDW]
    yield from _rows("G-STM and MSE, public pages", [*chosen, *(r for r in found if r.corpus in OTHER_PAGES)], "")
    yield from _rows("Table 3, records", chosen, "TBDW has one page a site, and fivatech needs several: see Table 1")


def _rows(table: str, found: Sequence[PageRecords], note: str) -> Iterator[TableRow]:
    published = PUBLISHED.get(table, {})
    for name in dict.fromkeys((*published, *(row.system for row in found))):
        of_system = [row for row in found if row.system == name]
        yield TableRow.pooled(table, name, [row.first for row in of_system], [row.best for row in of_system], note)


# --- several pages, Tables 1 and 2 ------------------------------------------------------------------------------------


def learned_tables(
    sites: Sequence[Sequence[GoldPage]], *, jobs: int = 1, keep: KeptResults = NOTHING_KEPT
) -> Iterator[list[tuple[str, str, Counts]]]:
    """Yield for each site with more pages than are learned from: corpus, method, counts on the other pages."""
    used = [site for site in sites if len(site) > LEARNING_PAGES]
    return keep.each(
        "sites", list[tuple[str, str, Counts]], learned_counts, used, key=lambda site: site[0].id, jobs=jobs, chunk=1
    )


def learned_counts(pages: Sequence[GoldPage]) -> list[tuple[str, str, Counts]]:
    """Return what wrappers of a site's first two pages find on its other pages."""
    found = []
    for name in TREE_METHODS:
        for gold, records in _learned(pages, name):
            found.append((gold.corpus, name, record_counts(records, gold.anchors or ())))
    return found


def _learned(pages: Sequence[GoldPage], name: str) -> Iterator[tuple[GoldPage, Sequence[Record]]]:
    try:
        wrapper = learn([page.body() for page in pages[:LEARNING_PAGES]], method=name, kind="list")
    except Exception:  # as above
        yield from ((gold, ()) for gold in pages[LEARNING_PAGES:])
        return
    for gold in pages[LEARNING_PAGES:]:
        try:
            main = wrapper.extract(gold.body()).main
        except Exception:
            main = None
        yield gold, main.records if main else ()


def learned_rows(found: Sequence[tuple[str, str, Counts]]) -> Iterator[TableRow]:
    """Yield the rows of Tables 1 and 2: exalg has pages of EXALG's sites, the others stand for those of Table 1."""
    tables: tuple[tuple[str, Callable[[str], bool], str], ...] = (
        ("Table 1, G-STM and RoadRunner", lambda corpus: corpus != "exalg", "other sites: clustvx, modern, alvarez"),
        ("Table 2, G-STM and EXALG", lambda corpus: corpus == "exalg", "two pages learned, the others read"),
    )
    for table, is_of_table, note in tables:
        published = PUBLISHED[table]
        for name in dict.fromkeys((*published, *TREE_METHODS)):
            counts = [row for corpus, system, row in found if system == name and is_of_table(corpus)]
            yield TableRow.pooled(table, name, counts, note=note)


# --- alignment, Table 3 -----------------------------------------------------------------------------------------------

# Columns by name: the text of each record's cell, None where it has none
Columns = Mapping[str, Sequence[str | None]]


def alignment_table(
    pages: Sequence[GoldPage], *, jobs: int = 1, keep: KeptResults = NOTHING_KEPT
) -> Iterator[list[tuple[str, Counts]]]:
    """Yield for each page with gold fields: the system, and how its columns hold their values."""
    used = [page for page in pages if page.has_fields]
    return keep.each("alignment", list[tuple[str, Counts]], alignment_counts, used, key=attrgetter("id"), jobs=jobs)


def alignment_counts(gold: GoldPage) -> list[tuple[str, Counts]]:
    """Return how many values each system has in the column of their field."""
    readers: Mapping[str, Callable[[GoldPage], tuple[Sequence[Record], Columns]]] = {
        "depta": _depta_columns,
        **{name: partial(_wrapper_columns, method=name) for name in TREE_METHODS},
        "auto": _auto_columns,
    }
    found = []
    for name, read in readers.items():
        try:
            records, columns = read(gold)
        except Exception:  # as above
            records, columns = (), {}
        found.append((name, field_counts(gold, records, columns)))
    return found


def field_counts(gold: GoldPage, records: Sequence[Record], columns: Columns) -> Counts:
    """Return the counts over all fields: each has the column that agrees with it best, no column serves two."""
    paired = match([record.text for record in records], gold.anchors or ()).paired
    wanted = _gold_values(gold)
    cells = {name: [squeeze(text) if text else "" for text in texts] for name, texts in columns.items()}
    agreeing = {
        (field, name): sum(bool(texts[row]) and texts[row] in values.get(anchor, ()) for row, anchor in paired.items())
        for field, values in wanted.items()
        for name, texts in cells.items()
    }
    total, used_fields, used_columns = Counts(), set(), set()
    for field, name in sorted(agreeing, key=lambda pair: (-agreeing[pair], pair)):
        if agreeing[field, name] and field not in used_fields and name not in used_columns:
            used_fields.add(field)
            used_columns.add(name)
            right = agreeing[field, name]
            shown = sum(bool(text) for text in cells[name])
            total += Counts(right, max(shown - right, 0), len(wanted[field]) - right)
    return total + Counts(0, 0, sum(len(values) for field, values in wanted.items() if field not in used_fields))


def _gold_values(gold: GoldPage) -> dict[str, dict[int, frozenset[str]]]:
    """Return the squeezed texts of each field by record, where it has any."""
    values: dict[str, dict[int, frozenset[str]]] = {}
    for record, fields in enumerate(gold.fields):
        for field, value in fields.items():
            if texts := frozenset(filter(None, map(squeeze, value_texts(value)))):
                values.setdefault(field, {})[record] = texts
    return values


def _depta_columns(gold: GoldPage) -> tuple[Sequence[Record], Columns]:
    page = read_page(gold.body())
    regions = method_named("depta").findings(page).regions
    records = regions[0].records[:MAX_ALIGNED] if regions else ()
    items = Alignment(page).items([tuple(start for start, _ in record.ranges) for record in records]) if records else []
    texts = {
        str(k): [page.text[node].strip() if node is not None else None for node in item.nodes]
        for k, item in enumerate(items)
    }
    return records, texts


def _wrapper_columns(gold: GoldPage, method: str) -> tuple[Sequence[Record], Columns]:
    main = learn([gold.body()], method=method, kind="list").extract(gold.body()).main
    return (main.records, _cells(main.records)) if main else ((), {})


def _auto_columns(gold: GoldPage) -> tuple[Sequence[Record], Columns]:
    main = extract(gold.body(), url=gold.url).main
    return (main.records, _cells(main.records)) if main else ((), {})


def _cells(records: Sequence[Record]) -> Columns:
    names = dict.fromkeys(name for record in records for name in record.fields)
    return {name: [cell.text if (cell := record.fields.get(name)) else None for record in records] for name in names}


def alignment_rows(found: Sequence[tuple[str, Counts]]) -> Iterator[TableRow]:
    """Yield the rows of the alignment figures of Table 3."""
    published = PUBLISHED["Table 3, alignment"]
    for name in dict.fromkeys((*published, *(system for system, _ in found))):
        counts = [row for system, row in found if system == name]
        note = "modern and modern2, one page each; theirs: result pages, several of a site"
        yield TableRow.pooled("Table 3, alignment", name, counts, note=note)


# --- schemas ----------------------------------------------------------------------------------------------------------


def schema_rows(sites: Sequence[MadeSite]) -> Iterator[TableRow]:
    """Yield the schema figures: nodes whose values are right, and those whose type is right as well."""
    published = PUBLISHED["Schemas"]
    for name in dict.fromkeys((*TREE_METHODS, *published)):
        counted = [schema_counts(site, name) for site in sites] if name in TREE_METHODS else []
        note = "made sites with known schemas, three pages each; second figure: with the right types around them"
        nodes, typed = [counts for counts, _ in counted], [counts for _, counts in counted]
        yield TableRow.pooled("Schemas", name, nodes, typed, note if counted else "")


def schema_counts(site: MadeSite, method: str) -> tuple[Counts, Counts]:
    """Return the counts of basic types with the right values, and of those with the right types around them too."""
    try:
        wrapper = learn([page.html for page in site.pages], method=method, kind="detail")
        results = [wrapper.extract(page.html) for page in site.pages]
    except Exception:  # as above
        return Counts(0, 0, len(site.schema)), Counts(0, 0, len(site.schema))
    columns: dict[str, list[list[str]]] = {}
    for number, result in enumerate(results):
        for name, cell in (result.main.records[0].fields if result.main else {}).items():
            pages = columns.setdefault(name, [[] for _ in results])
            pages[number] = [squeeze(text) for text in (cell.items or (cell.text,)) if text]
    kinds = kinds_of(schema_of(wrapper.tree)) if wrapper.tree else {}
    found = typed = 0
    free = dict(columns)
    for node in site.schema:
        values = [[squeeze(text) for text in page.values.get(node.name, ())] for page in site.pages]
        name = max(free, key=lambda column: _values_f(free[column], values), default="")
        if name and _values_f(free[name], values) >= MIN_VALUES_F:
            del free[name]
            found += 1
            typed += kinds.get(name) == node.kinds
    wrong, missing = len(columns) - found, len(site.schema) - found
    return Counts(found, wrong, missing), Counts(typed, wrong + found - typed, missing + found - typed)


def _values_f(found: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> float:
    right = sum(len(set(page) & set(wanted)) for page, wanted in zip(found, gold, strict=True))
    total = sum(len(set(page)) for page in (*found, *gold))
    return 2 * right / total if total else 0.0


def kinds_of(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return the sets and options around each basic type, from the page down."""
    found: dict[str, tuple[str, ...]] = {}
    stack: list[tuple[Schema, tuple[str, ...]]] = [(schema, ())]
    while stack:
        node, around = stack.pop()
        if node.type == "basic":
            found[node.name] = around
        inner = (*around, node.type) if node.type in ("set", "optional") else around
        stack.extend((part, inner) for part in node.parts)
    return found
