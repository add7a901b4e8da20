"""The items of product pages, recipes and articles: one outcome per page, and what they come to per attribute."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from peneira.items.builder import item_of
from peneira.result import Item
from peneira.sources.html import read_page
from peneira.values import Money
from peneira_research.corpora.archives import DetailPage
from peneira_research.corpora.product_pages import ATTRIBUTES, ProductPage
from peneira_research.peers import PRODUCT_PEERS, product_by
from peneira_research.scores.item_score import Answers, Match, answers, equals, match
from peneira_research.workers import in_processes

# What the systems of the product benchmark reached on all its 140 pages (Zyte 2021)
PUBLISHED: Mapping[str, Mapping[str, float]] = {
    "Zyte": {"price": 0.918, "sku": 0.841, "availability": 0.957},
    "Diffbot": {"price": 0.824, "sku": 0.765, "availability": 0.943},
    "extruct": {"price": 0.685, "sku": 0.537, "availability": 0.626},
}
NEWS = "fundus"
# The field of an item for each gold attribute, by source
FIELDS: Mapping[str, Mapping[str, str]] = {
    "recipe-scrapers": {
        "title": "title",
        "author": "author",
        "ingredients": "ingredients",
        "instructions": "steps",
        "description": "description",
    },
    NEWS: {"title": "title", "authors": "author", "paragraphs": "body"},
}
BODY = "body"
INGREDIENTS = "ingredients"


@dataclass(frozen=True, slots=True)
class ProductOutcome:
    """The answers for one product page, "" for none, the values that are accepted, and the answers of others."""

    id: str
    site: str
    kind: str
    answers: Mapping[str, str]
    accepted: Mapping[str, tuple[str, ...]]
    peers: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DetailOutcome:
    """How the fields of one page compare with its gold, by field; ``exact``: those that equal a gold value.

    ``is_whole``: all expected values of the field are in the gold, so that its precision means something.
    """

    id: str
    source: str
    site: str
    kind: str
    matches: Mapping[str, Match]
    exact: frozenset[str]
    is_whole: frozenset[str]


@dataclass(frozen=True, slots=True)
class FieldScore:
    """A field over several pages: the share of gold values found, the share of pages where the field equals the gold,
    the precision on pages whose gold is whole, and the mean F1 of words."""

    pages: int
    values: int
    found: float
    exact: float
    precision: float
    word_f1: float


def product_outcome(page: ProductPage) -> ProductOutcome:
    """Return the answers for a product page."""
    item = item_of(read_page(page.body, url=page.url))
    given = {name: _answer(item, name) for name in ATTRIBUTES}
    found = {peer: product_by(peer, page.body) for peer in PRODUCT_PEERS}
    peers = {peer: {name: values.get(name, "") for name in ATTRIBUTES} for peer, values in found.items()}
    return ProductOutcome(page.id, page.site, item.kind or "", given, page.values, peers)


def _answer(item: Item, name: str) -> str:
    cell = item.get(name)
    if cell is None:
        return ""
    return str(cell.value.amount) if isinstance(cell.value, Money) else cell.text


def detail_outcome(page: DetailPage) -> DetailOutcome:
    """Return how the item of a recipe or an article compares with its gold."""
    item = item_of(read_page(page.body, url=page.url))
    matches: dict[str, Match] = {}
    exact, whole = set(), set()
    for attribute, field in FIELDS[page.source].items():
        values = page.values.get(attribute, ())
        if not values:
            continue
        text = cell.text if (cell := item.get(field)) else ""
        if field == INGREDIENTS:
            matches[field] = _ingredients_match(text, values)
        else:
            matches[field] = _body_match(text, page) if field == BODY else match(text, values)
        if equals(text, values):
            exact.add(field)
        found, expected = page.coverage.get(attribute, (0, 0))
        if found == expected:
            whole.add(field)
    return DetailOutcome(page.id, page.source, page.site, item.kind or "", matches, frozenset(exact), frozenset(whole))


def _ingredients_match(text: str, values: Sequence[str]) -> Match:
    """Return how ingredients compare: a recipe may take the same amount twice, of which the gold has one."""
    distinct = "\n".join(dict.fromkeys(text.split("\n")))
    return replace(match(distinct, values), found=match(text, values).found)


def _body_match(text: str, page: DetailPage) -> Match:
    """Return how a body compares with the paragraphs and headlines of an article; its summary may be part of it."""
    own = (*page.values.get("paragraphs", ()), *page.values.get("headlines", ()))
    both = (match(text, own), match(text, (*own, *page.values.get("summary", ()))))
    return max(both, key=lambda compared: compared.word_f1)


def product_outcomes(pages: Sequence[ProductPage], *, jobs: int) -> Iterator[ProductOutcome]:
    """Yield the outcome of each product page, in order."""
    return in_processes(product_outcome, pages, jobs=jobs)


def detail_outcomes(pages: Sequence[DetailPage], *, jobs: int) -> Iterator[DetailOutcome]:
    """Yield the outcome of each recipe and article, in order."""
    return in_processes(detail_outcome, pages, jobs=jobs)


def product_scores(outcomes: Iterable[ProductOutcome], peer: str | None = None) -> dict[str, Answers]:
    """Return the answers of all pages, ours or those of another extractor, by attribute."""
    rows = [(row.peers[peer] if peer else row.answers, row.accepted) for row in outcomes]
    return {name: answers([(given[name], accepted[name]) for given, accepted in rows], name) for name in ATTRIBUTES}


def field_scores(outcomes: Iterable[DetailOutcome]) -> dict[str, FieldScore]:
    """Return the score of each field over all pages that have gold for it."""
    rows = list(outcomes)
    fields = dict.fromkeys(field for row in rows for field in row.matches)
    return {field: _field_score(field, [row for row in rows if field in row.matches]) for field in fields}


def _field_score(field: str, rows: Sequence[DetailOutcome]) -> FieldScore:
    matches = [row.matches[field] for row in rows]
    values = sum(compared.values for compared in matches)
    whole = [row.matches[field].precision for row in rows if field in row.is_whole and row.matches[field].words]
    return FieldScore(
        len(rows),
        values,
        sum(compared.found for compared in matches) / values if values else 0.0,
        mean(field in row.exact for row in rows),
        mean(whole) if whole else 0.0,
        mean(compared.word_f1 for compared in matches),
    )
