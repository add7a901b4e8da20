"""Pages whose type is known, with or without gold records: to learn and to measure when a page has no main list."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias, get_args

from peneira.errors import CorpusError
from peneira_research.corpora.archives import archive_members
from peneira_research.corpora.gold_pages import Corpora, GoldPage
from peneira_research.corpora.page_origin import host_owner

# The types of WCXB; ``detail``: one thing that is neither sold nor an article, as a recipe, a job, a film; ``other``:
# what a person would give none of these names, as a login, a bot wall, a search without results
PageType: TypeAlias = Literal[
    "article", "documentation", "service", "product", "detail", "forum", "collection", "listing", "other"
]
PAGE_TYPES: tuple[PageType, ...] = get_args(PageType)

# Words of a corpus for its pages. All that is not named is ``other``
_TYPE_OF_WORD: Mapping[str, PageType] = {
    **{page_type: page_type for page_type in PAGE_TYPES},
    "category": "collection",
    "article (scientific)": "article",
    "service page": "service",
    "product detail": "product",
    "property detail": "detail",
    "film detail": "detail",
    "job detail": "detail",
    "recipe": "detail",
}
_TYPE_OF_SOURCE: Mapping[str, PageType] = {"fundus": "article", "recipe-scrapers": "detail"}
# The corpus of classic pages without a list says nothing of each page; they are articles
_ARTICLES = "unstructured"
_GOLD_FOLDER, _PAGE_FOLDER = "ground-truth", "html"


@dataclass(frozen=True, slots=True)
class TypedPage:
    """A page and its type.

    ``site``: as in the other corpora, for folds. ``gold_id``: the id of the same page among the gold pages, "" where
    it is not one of them. Each page comes once, also those that stand in two corpora.
    """

    id: str
    corpus: str
    site: str
    url: str | None
    body: bytes
    type: PageType
    gold_id: str = ""


def typed_pages(corpora: Corpora) -> Iterator[TypedPage]:
    """Yield the pages of known type, corpus after corpus, straight from the archives. Missing corpora are left out."""
    gold_pages = corpora.all_pages()
    yield from (_negative(gold) for gold in gold_pages if gold.is_negative)
    yield from _detail(corpora)
    yield from _products(corpora)
    yield from _wcxb(corpora, {gold.page_url: gold for gold in gold_pages if gold.page_url})


def sample(pages: Iterable[TypedPage], *, per_type: int) -> list[TypedPage]:
    """Return at most so many pages of each type, always the same: those whose ids have the lowest hashes.

    Only the pages chosen so far are kept in memory.
    """
    chosen: dict[PageType, list[TypedPage]] = {}
    for page in pages:
        of_type = sorted([*chosen.get(page.type, ()), page], key=_hash)
        chosen[page.type] = of_type[:per_type]
    return [page for page_type in PAGE_TYPES for page in chosen.get(page_type, ())]


def digest(pages: Iterable[TypedPage]) -> str:
    """Return a hash of pages that changes with any of them, and with nothing else."""
    rows = sorted((page.id, page.type, hashlib.sha256(page.body).hexdigest()) for page in pages)
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def _hash(page: TypedPage) -> str:
    return hashlib.sha256(page.id.encode()).hexdigest()


def _negative(gold: GoldPage) -> TypedPage:
    page_type = "article" if gold.corpus == _ARTICLES else type_of_word(gold.kind)
    return TypedPage(gold.id, gold.corpus, gold.site, gold.url, gold.body(), page_type, gold.id)


def _detail(corpora: Corpora) -> Iterator[TypedPage]:
    for page in corpora.detail() if corpora.has_detail else ():
        page_type = _TYPE_OF_SOURCE.get(page.source, "other")
        yield TypedPage(page.id, "detail", page.site, page.url, page.body, page_type)


def _products(corpora: Corpora) -> Iterator[TypedPage]:
    entries: dict[str, Mapping[str, Any]] = {}
    for name, body in _members(corpora, "products"):
        if name.endswith(".jsonl"):
            entries = {entry["file"]: entry for entry in (json_entry(line, name) for line in body.splitlines())}
        elif entry := entries.get(name):
            id, url = f"products-{entry['id']}", entry.get("url") or None
            yield TypedPage(id, "products", entry.get("site") or _site(url, id), url, body, "product")


def _wcxb(corpora: Corpora, gold_of_url: Mapping[str, GoldPage]) -> Iterator[TypedPage]:
    """Yield the pages of WCXB, but those that are negatives of another corpus. Each page follows its gold."""
    entries: dict[str, Mapping[str, Any]] = {}
    for name, body in _members(corpora, "wcxb"):
        path = PurePosixPath(name)
        if path.parent.name == _GOLD_FOLDER and path.suffix == ".json":
            entries[path.stem] = json_entry(body, name)
        elif path.parent.name == _PAGE_FOLDER and path.stem in entries:
            entry = entries[path.stem]
            gold = gold_of_url.get(entry.get("url") or "")
            if gold is None or not gold.is_negative:
                yield _wcxb_page(f"wcxb-{path.stem}", entry, body, gold)


def _wcxb_page(id: str, entry: Mapping[str, Any], body: bytes, gold: GoldPage | None) -> TypedPage:
    url = entry.get("url") or None
    page_type = type_of_word(entry.get("_internal", {}).get("page_type", {}).get("primary", ""))
    site = gold.site if gold else _site(url, id)
    return TypedPage(id, "wcxb", site, url, body, page_type, gold.id if gold else "")


def _members(corpora: Corpora, name: str) -> Iterator[tuple[str, bytes]]:
    archive = corpora.root / name / "dev.tar.xz"
    return archive_members(archive) if archive.is_file() else iter(())


def json_entry(line: bytes, member: str) -> Mapping[str, Any]:
    """Return the gold of a page; ``member``: the file that it is in, for the error."""
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise CorpusError(f"{member}: not an entry of a corpus of typed pages: {error}") from error
    if not isinstance(entry, dict):
        raise CorpusError(f"{member}: not an entry of a corpus of typed pages: {line[:80]!r}")
    return entry


def type_of_word(word: str) -> PageType:
    """Return the type that a word of a corpus stands for."""
    return _TYPE_OF_WORD.get(word, "other")


def _site(url: str | None, id: str) -> str:
    return host_owner(url or "") or id
