"""The list of a page that shows none: records that its scripts or its JSON-LD carry, which a browser would show.

Most arrays of objects in the state of a page are menus, translations, filters and settings. Records have a title of
their own each, and something to say beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from peneira.columns.absolute_urls import base_url
from peneira.columns.embedded_cells import EmbeddedColumn, embedded_column_list, typed
from peneira.embedded.embedded_data import embedded_data
from peneira.embedded.items import EmbeddedData, EmbeddedList
from peneira.late_patterns import late_pattern
from peneira.node_paths import PageNode
from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.table import Cell, Column

MIN_RECORDS = 3
MAX_COLUMNS = 16
MAX_OTHER_COLUMNS = 40
# The share of records that have a title, and that of different ones among all
MIN_TITLES = 0.8
MIN_DISTINCT_TITLES = 0.7
MIN_TITLE_CHARS = 4
# A fact is a column that this share of records has, and not the same in all of them
MIN_FACT_FILL = 0.3
# Nobody has checked what the scripts would show: less sure than a list that is visible
MIN_CONFIDENCE, MAX_CONFIDENCE = 0.6, 0.85
_CONFIDENCE_PER_FACT = 0.05
# Longer texts count no more
_MAX_COUNTED_CHARS = 100
# Another list that is nearly as large makes the choice less sure
RIVAL_SHARE = 0.7
_RIVAL_PENALTY = 0.1
# What arrays of objects are about that are no records, as words of their paths
_NO_RECORDS = late_pattern(
    r"menu|nav(?!er)|footer|header|breadcrumb|social|locale|language|countr|currenc|translat|i18n|messages|config|"
    r"setting|option|facet|filter|sort|refine|route|experiment|feature_?flag|cookie|consent|track|analytic|pixel|"
    r"widget|script|stylesheet|font|icon|theme|form|field|seo|meta|link|sponsor|advert|banner|faq|logo|brands?$|"
    r"recommend|related|similar|more_?[a-z]|carousel|slide|testimonial|hero|recent(?:ly)?_?viewed|tooltip|modal|tabs?$|variant|categor|tags?$|authors?$|users?$|image|media|photo|schema|column",
    re.IGNORECASE,
)
_PATH_WORDS = 3
# Types of JSON-LD that are parts of something
_PART_TYPES = frozenset(
    "ListItem Offer Question Answer ImageObject ContactPoint OpeningHoursSpecification Review Rating PostalAddress "
    "PropertyValue HowToStep SearchAction ReadAction EntryPoint Organization WebSite WebPage Person Country".split()
)
# A page that describes one of these is about it, and lists on it are beside the point
_SINGLE_TYPES = frozenset(
    "Product Article NewsArticle BlogPosting Recipe JobPosting Event Movie Book VideoObject RealEstateListing "
    "QAPage FAQPage ProfilePage ProductGroup product article video.movie video.other book profile".split()
)
_LAST_COLUMNS = {"url": 1, "image": 2}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A list that may be that of the page: its columns for readers, title first, and the others."""

    embedded: EmbeddedList
    columns: tuple[EmbeddedColumn, ...]
    others: tuple[EmbeddedColumn, ...]
    facts: int

    @property
    def size(self) -> int:
        """How much there is to read."""
        return sum(min(len(text), _MAX_COUNTED_CHARS) for column in self.columns for text in column.texts.values())


def records_from_state(page: Page, data: EmbeddedData | None = None) -> Region | None:
    """Return the list of records that the embedded data of a page carries, None if there is no such list."""
    data = embedded_data(page) if data is None else data
    base = base_url(page)
    candidates = [
        candidate
        for embedded in data.lists
        if embedded.source in ("json-ld", "script-state") and _may_be_records(embedded)
        if (candidate := _candidate(embedded, base)) is not None
    ]
    if not candidates or _is_about_one_thing(data):
        return None
    candidates.sort(key=lambda candidate: -candidate.size)
    return _region(page, candidates[0], has_rival=_has_rival(candidates))


def _may_be_records(embedded: EmbeddedList) -> bool:
    if len(embedded.items) < MIN_RECORDS or embedded.items[0].type in _PART_TYPES:
        return False
    words = embedded.path.split(".")[-_PATH_WORDS:]
    return embedded.source == "json-ld" or not any(map(_NO_RECORDS.search, words))


def _is_about_one_thing(data: EmbeddedData) -> bool:
    """Return whether the page says that it is a product, an article or the like."""
    types = [item.type for item in data.items if item.source in ("json-ld", "opengraph")]
    return any(types.count(kind) == 1 for kind in _SINGLE_TYPES.intersection(types))


def _candidate(embedded: EmbeddedList, base: str) -> _Candidate | None:
    columns = embedded_column_list(dict(enumerate(embedded.items)), base)
    title = next((column for column in columns if column.property.name == "title"), None)
    records = len(embedded.items)
    if title is None or not _are_titles(title.texts, records):
        return None
    wanted = [
        column
        for column in columns
        if column.property.is_wanted and column is not title and not column.is_flag and _is_fact(column.texts, records)
    ]
    facts = [column for column in wanted if column.property.name not in _LAST_COLUMNS]
    has_address = len(wanted) > len(facts)
    if len(facts) < (1 if has_address else 2) and not (embedded.source == "json-ld" and has_address):
        return None
    ordered = (title, *sorted(wanted, key=lambda column: _LAST_COLUMNS.get(column.property.name, 0)))
    shown = ordered[:MAX_COLUMNS]
    others = [column for column in columns if column not in shown][:MAX_OTHER_COLUMNS]
    return _Candidate(embedded, shown, tuple(others), len(wanted))


def _are_titles(texts: Mapping[int, str], records: int) -> bool:
    values = list(texts.values())
    are_many = len(values) >= MIN_TITLES * records and len(set(values)) >= MIN_DISTINCT_TITLES * records
    return are_many and median(map(len, values)) >= MIN_TITLE_CHARS and any(map(str.isalpha, "".join(values)))


def _is_fact(texts: Mapping[int, str], records: int) -> bool:
    return len(texts) >= MIN_FACT_FILL * records and len(set(texts.values())) > 1


def _has_rival(candidates: list[_Candidate]) -> bool:
    """Return whether a list of other things is nearly as large; the same things often stand in several lists."""
    best = candidates[0]
    titles = set(best.columns[0].texts.values())
    for other in candidates[1:]:
        is_same = 2 * len(titles.intersection(other.columns[0].texts.values())) > len(other.columns[0].texts)
        if not is_same and other.size >= RIVAL_SHARE * best.size:
            return True
    return False


def _region(page: Page, candidate: _Candidate, *, has_rival: bool) -> Region:
    embedded = candidate.embedded
    records = len(embedded.items)
    nodes = {number: page.node(item.row) for number, item in enumerate(embedded.items)}
    fields: list[dict[str, Cell]] = [{} for _ in range(records)]
    columns = [_typed(column, nodes, fields, is_template=False) for column in candidate.columns]
    others = [_typed(column, nodes, fields, is_template=True) for column in candidate.others]
    confidence = min(MIN_CONFIDENCE + _CONFIDENCE_PER_FACT * candidate.facts, MAX_CONFIDENCE)
    confidence = round(confidence - _RIVAL_PENALTY * has_rival, 4)
    where = f"{embedded.source} at {embedded.path or 'the top'}"
    message = f"the page shows no list, but its {where} carries {counted(records, 'record')}"
    rows = tuple(((item.row, page.lists.end[item.row]),) for item in embedded.items)
    shown = [column.name for column in columns]
    return Region(
        page.xpath(embedded.row),
        tuple(
            Record(
                rows[k],
                " ".join(cells[name].text for name in shown if name in cells),
                "",
                confidence,
                cells,
                node=nodes[k],
            )
            for k, cells in enumerate(fields)
        ),
        confidence,
        tuple(columns),
        (Reason(ReasonCode.EMBEDDED, message, float(records)),),
        (*columns, *others),
    )


def _typed(
    embedded: EmbeddedColumn, nodes: Mapping[int, PageNode], fields: list[dict[str, Cell]], *, is_template: bool
) -> Column:
    """Return a column and put its cells into the fields of the records."""
    name = embedded.property.name
    column, cells = typed(embedded, name, embedded.property.role, nodes, len(fields), is_template=is_template)
    for record, cell in cells.items():
        fields[record][name] = cell
    return column
