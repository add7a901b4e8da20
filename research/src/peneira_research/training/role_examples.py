"""Examples for the models of column roles: the candidate columns of pages with gold fields, and what each of them is.

A gold field is in the column whose cells are its values. The columns of a page are examples only for the roles that the
page has gold for: gold does not name every field, so that a column without gold is not wrong. Where a page has anchors
alone, and these are the cells of one column, that column is the title: the corpora take their anchors from titles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.columns.builder import ColumnBuilder
from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import RawColumn
from peneira.columns.roles import LEARNED_ROLES, ROLE_FEATURES, can_have, interest_table, role_table
from peneira.methods import DEFAULT_METHOD
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.result import Region
from peneira.sources.html import read_page
from peneira.values import Role
from peneira_research.corpora.gold_pages import Corpora, FieldValue, GoldPage, value_texts
from peneira_research.scores.record_score import match
from peneira_research.squeezed_text import squeeze
from peneira_research.training.whole_examples import WholeExample, whole_example
from peneira_research.workers import in_processes

# Fields of the gold that are a role under another name
ROLE_OF_FIELD: Mapping[str, Role] = {
    **{role: role for role in LEARNED_ROLES},
    "name": "title",
    "authors": "author",
    "artist": "author",
    "excerpt": "summary",
    "teaser": "summary",
    "snippet": "summary",
    "desc": "summary",
    "hood": "location",
    "where": "location",
    "date_received": "date",
    "date_filed": "date",
    "docket": "id",
    "council_reference": "id",
    "document_number": "id",
    "cve": "id",
    "number": "id",
    "replies": "count",
    "stars": "count",
    "cited": "count",
    "score": "count",
}
URL_FIELDS = frozenset({"url", "image", "itemurl"})
# How many times as long as the value a cell may be that holds it
MAX_LENGTH = 1.7
# The share of a field's values that its column must hold
MIN_HELD = 0.4
MIN_HELD_ANCHORS = 0.8
# A column that holds nearly as many values as the best may be as right
NEARLY_BEST = 0.97
UNKNOWN = -1
FURTHER_CORPUS = "modern2"


@dataclass(frozen=True, slots=True)
class RoleExample:
    """The columns of a page: features of pairs of column and role and whether they are right; features of columns and
    whether a person made them, ``UNKNOWN`` where the gold does not tell; texts with parts that the gold tells about."""

    id: str
    site: str
    pairs: list[tuple[int, Role]]
    pair_features: NDArray[np.float32]
    pair_labels: NDArray[np.int8]
    features: NDArray[np.float32]
    labels: NDArray[np.int8]
    wholes: WholeExample | None = None


def role_pages(corpora: Corpora) -> list[GoldPage]:
    """Return the pages that roles are learned from: those of the default corpora and of modern2 with all their gold."""
    pages = corpora.pages((*corpora.names, FURTHER_CORPUS))
    return [page for page in pages if not page.is_partial and not page.is_negative]


def role_examples(pages: Sequence[GoldPage], *, jobs: int = 1) -> Iterator[RoleExample]:
    """Yield the examples of the pages with gold fields whose main list was found."""
    found = map(role_example, pages) if jobs == 1 else in_processes(role_example, pages, jobs=jobs)
    return (example for example in found if example is not None)


def role_example(gold: GoldPage) -> RoleExample | None:
    """Return the example of one page, None where nothing can be learned from it."""
    fields = gold.fields or tuple({"title": anchor} for anchor in gold.anchors or ())
    if not fields:
        return None
    page = read_page(gold.body(), url=gold.url)
    found = method_named(DEFAULT_METHOD).findings(page).regions
    if not found or not found[0].records:
        return None
    region = found[0]
    candidates = ColumnBuilder(page).candidates(region)
    held = _held_shares(page, gold, fields, region, candidates.columns)
    if not gold.fields:
        held = {field: shares for field, shares in held.items() if len(shares) and shares.max() >= MIN_HELD_ANCHORS}
    return _labelled(gold, candidates, held) if held else None


def _held_shares(
    page: Page, gold: GoldPage, fields: Sequence[Mapping[str, FieldValue]], region: Region, columns: Sequence[RawColumn]
) -> dict[str, NDArray[np.float64]]:
    """Return for each field the share of its values that each column holds; a value that is not alone counts half."""
    matching = match([record.text for record in region.records], gold.anchors or ())
    record_of = {matching.paired[k]: k for k in matching.right}
    cells = [
        {record: [squeeze(value.text) for value in values] for record, values in column.values.items()}
        for column in columns
    ]
    base = base_url(page)
    points: dict[str, NDArray[np.float64]] = {}
    totals: dict[str, int] = {}
    for k, row in enumerate(fields):
        record = record_of.get(k)
        if record is None:
            continue
        for field, text in _texts(row):
            wanted = squeeze(absolute_url(base, text) if field in URL_FIELDS else text)
            if not wanted:
                continue
            totals[field] = totals.get(field, 0) + 1
            own = points.setdefault(field, np.zeros(len(columns)))
            for c, by_record in enumerate(cells):
                texts = by_record.get(record, ())
                if wanted in texts:
                    own[c] += 1.0
                elif field in URL_FIELDS:
                    own[c] += any(text.endswith(wanted.lstrip("./")) for text in texts)
                elif any(wanted in text and len(text) <= MAX_LENGTH * len(wanted) for text in texts):
                    own[c] += 0.5
    return {field: own / totals[field] for field, own in points.items()}


def _texts(row: Mapping[str, FieldValue]) -> Iterator[tuple[str, str]]:
    return ((field, text) for field, value in row.items() for text in value_texts(value))


def _labelled(gold: GoldPage, candidates: CandidateColumns, held: Mapping[str, NDArray[np.float64]]) -> RoleExample:
    columns = candidates.columns
    usable = candidates.judged
    right: dict[Role, set[int]] = {}
    ties: dict[Role, set[int]] = {}
    labels = np.zeros(len(columns), dtype=np.int8)
    for field, shares in held.items():
        best = float(max(shares[k] for k in usable))
        if best < MIN_HELD:
            continue
        holders = [k for k in usable if shares[k] >= NEARLY_BEST * best]
        first = min(
            holders,
            key=lambda k: (-shares[k], bool(columns[k].part), columns[k].attribute not in ("", "href", "src"), k),
        )
        for k in holders:
            labels[k] = 1 if k == first else UNKNOWN if labels[k] == 0 else labels[k]
        if not gold.fields:
            labels[:] = UNKNOWN
        role = ROLE_OF_FIELD.get(field)
        if role is not None and (role not in right or field == role):
            right[role] = {first}
            ties[role] = set(holders) - {first}
    pairs: list[tuple[int, Role]] = []
    pair_labels: list[int] = []
    known = set().union(*right.values()) if right else set()
    for n, k in enumerate(usable):
        for role in LEARNED_ROLES:
            if not can_have(role, columns[k], candidates.types[k], candidates.evidence[n]):
                continue
            if role in right and k not in ties[role]:
                pairs.append((n, role))
                pair_labels.append(int(k in right[role]))
            elif role not in right and k in known:
                pairs.append((n, role))
                pair_labels.append(0)
    return RoleExample(
        gold.id,
        gold.site,
        pairs,
        role_table(candidates.evidence, pairs).astype(np.float32).reshape(len(pairs), len(ROLE_FEATURES)),
        np.array(pair_labels, dtype=np.int8),
        interest_table(candidates.evidence).astype(np.float32),
        labels[usable],
        whole_example(candidates, held, has_fields=bool(gold.fields)),
    )
