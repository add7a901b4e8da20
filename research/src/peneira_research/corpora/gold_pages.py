"""Real pages with gold, read from a folder that is not part of the repository.

corpora/
  lists/    lists.jsonl, negatives.jsonl, pages/    classic list pages, and articles without a list
  modern/   modern.jsonl, pages/                    list pages of 2015-2026, with fields
  modern2/  modern2.jsonl, negatives.jsonl, pages/  more of them, and pages without a main list
  swde/     <vertical>.tar.xz                       detail pages, see ``peneira_research.corpora.archives``
  detail/   dev.tar.xz                              modern detail pages, as above

The corpora of ``lists`` and ``modern`` are the default ones: what training means by all pages. ``modern2`` is read
only where it is named, or where a run asks for all corpora.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from peneira.errors import CorpusError
from peneira_research.corpora.archives import DetailPage, SwdePage, read_detail, read_swde

# The value of a gold field, or its values where a record has several
FieldValue: TypeAlias = str | list[str]

NEXT_STEP = "pass --corpora DIR or set PENEIRA_CORPORA to the folder that holds lists/ and modern/"


@dataclass(frozen=True, slots=True)
class _Index:
    """A file of entries: its folder, the corpus of entries that name none, and what its pages are."""

    folder: str
    name: str
    corpus: str
    is_negative: bool = False
    is_default: bool = True


_INDEXES = (
    _Index("lists", "lists.jsonl", "lists"),
    _Index("modern", "modern.jsonl", "modern"),
    _Index("lists", "negatives.jsonl", "unstructured", is_negative=True),
    _Index("modern2", "modern2.jsonl", "modern2", is_default=False),
    _Index("modern2", "negatives.jsonl", "modern2", is_negative=True, is_default=False),
)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and its gold.

    ``anchors``: a string per true record, None where they are not known. ``expected``: how many records there are.
    ``is_partial``: the gold misses records that the page has. ``is_negative``: the page has no list of records.
    ``page_url``: where the page was found, "" where that is not known.
    """

    id: str
    corpus: str
    site: str
    file: Path
    anchors: tuple[str, ...] | None = None
    expected: int | None = None
    fields: tuple[Mapping[str, FieldValue], ...] = ()
    is_partial: bool = False
    is_negative: bool = False
    layout: str = ""
    kind: str = ""
    platform: str = ""
    page_url: str = ""

    @property
    def url(self) -> str | None:
        """An address on the page's site, as who fetched it had one; None where not even the host is known."""
        host = self.site.split(" ")[0]  # "www.google.com (mobile)" is a site of its own
        return self.page_url or (f"https://{host}/" if "." in host else None)

    @property
    def has_fields(self) -> bool:
        """Whether the gold has the fields of all records."""
        return bool(self.fields and self.anchors and not self.is_partial)

    def body(self) -> bytes:
        """Return the bytes of the page as they were saved."""
        try:
            return self.file.read_bytes()
        except OSError as error:
            raise CorpusError(f"{self.file}: page {self.id} of the corpus cannot be read: {error.strerror}") from error

    def gold(self) -> str:
        """Return what scores depend on, as canonical JSON."""
        gold = {
            "anchors": self.anchors,
            "expected": self.expected,
            "fields": [dict(field) for field in self.fields],
            "negative": self.is_negative,
            "partial": self.is_partial,
        }
        return json.dumps(gold, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def value_texts(value: FieldValue) -> list[str]:
    """Return the texts of a gold field."""
    return [str(text) for text in value] if isinstance(value, list) else [str(value)]


class Corpora:
    """The corpora in a folder. Corpora whose subfolder is missing are left out; a missing index is an error."""

    def __init__(self, root: Path) -> None:
        self.root = root
        if not any((root / index.folder).is_dir() for index in _INDEXES):
            raise CorpusError(f"{root}: no corpora here; {NEXT_STEP}")

    @cached_property
    def _pages(self) -> Mapping[str, Sequence[GoldPage]]:
        """The pages of the default corpora."""
        return self._read(is_default=True)

    @cached_property
    def _further_pages(self) -> Mapping[str, Sequence[GoldPage]]:
        """The pages of the corpora that are used only where they are named."""
        return self._read(is_default=False)

    def _read(self, *, is_default: bool) -> Mapping[str, Sequence[GoldPage]]:
        by_corpus: dict[str, list[GoldPage]] = {}
        for index in _INDEXES:
            if index.is_default is is_default and (self.root / index.folder).is_dir():
                for page in _read_index(self.root / index.folder, index):
                    by_corpus.setdefault(page.corpus, []).append(page)
        return by_corpus

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the default corpora of list pages, in the order of their files."""
        return tuple(self._pages)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names of all corpora of list pages, those that are read only where they are named last."""
        return (*self._pages, *self._further_pages)

    @property
    def classic_names(self) -> tuple[str, ...]:
        """The names of the corpora of the folder ``lists``."""
        folder = self.root / "lists"
        return tuple(name for name, pages in self._pages.items() if folder in pages[0].file.parents)

    def has(self, name: str) -> bool:
        """Return whether there is a corpus of that name."""
        return name in self.all_names

    def pages(self, names: Sequence[str] = ()) -> list[GoldPage]:
        """Return the pages of the named corpora, or of all default ones, in the order of the index."""
        return [page for name in names or self.names for page in self._corpus(name)]

    def all_pages(self) -> list[GoldPage]:
        """Return the pages of all corpora, also of those that are used only where they are named."""
        corpora = (*self._pages.values(), *self._further_pages.values())
        return [page for corpus in corpora for page in corpus]

    def page(self, id: str) -> GoldPage:
        """Return the page of that id, of whatever corpus."""
        for page in self.all_pages():
            if page.id == id:
                return page
        raise CorpusError(f"{self.root}: no page {id!r}")

    def digest(self, name: str) -> str:
        """Return a hash of a corpus that changes with any page or gold and with nothing else. Reads every page.

        Corpora of other pages than lists (swde, wcxb, detail) are hashed by their archives.
        """
        if archives := self.archives(name):
            hashes = [hashlib.sha256(archive.read_bytes()).hexdigest() for archive in archives]
            return hashlib.sha256(" ".join(hashes).encode()).hexdigest()
        pages = sorted((page.id, hashlib.sha256(page.body()).hexdigest(), page.gold()) for page in self._corpus(name))
        return hashlib.sha256(json.dumps(pages, ensure_ascii=False).encode()).hexdigest()

    def archives(self, name: str) -> list[Path]:
        """Return the archives of a corpus, none if it is one of list pages or not there."""
        return sorted((self.root / name).glob("*.tar.xz"))

    def swde(self) -> Iterator[SwdePage]:
        """Yield the pages of SWDE, vertical after vertical, straight from the archives."""
        archives = sorted((self.root / "swde").glob("*.tar.xz"))
        if not archives:
            raise CorpusError(f"{self.root / 'swde'}: no .tar.xz here; {NEXT_STEP}")
        for archive in archives:
            yield from read_swde(archive)

    @property
    def _detail_archive(self) -> Path:
        return self.root / "detail" / "dev.tar.xz"

    @property
    def has_detail(self) -> bool:
        """Whether the modern detail pages are there."""
        return self._detail_archive.is_file()

    def detail(self) -> Iterator[DetailPage]:
        """Yield the modern detail pages, straight from the archive."""
        archive = self._detail_archive
        if not self.has_detail:
            raise CorpusError(f"{archive}: no such archive; {NEXT_STEP}")
        return read_detail(archive)

    def detail_digest(self) -> str:
        """Return a hash of the modern detail pages that changes with their archive."""
        return hashlib.sha256(self._detail_archive.read_bytes()).hexdigest()

    def _corpus(self, name: str) -> Sequence[GoldPage]:
        if name in self._pages:
            return self._pages[name]
        if name not in self._further_pages:
            raise CorpusError(f"{self.root}: no corpus {name!r}; there are: {', '.join(self.all_names)}")
        return self._further_pages[name]


def _read_index(folder: Path, index: _Index) -> Iterator[GoldPage]:
    path = folder / index.name
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CorpusError(f"{path}: the index of the corpus cannot be read; {NEXT_STEP}") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield _gold_page(json.loads(line), folder, index)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CorpusError(f"{path}:{number}: not an entry of a corpus index: {error!r}") from error


def _gold_page(entry: Mapping[str, Any], folder: Path, index: _Index) -> GoldPage:
    anchors = entry.get("anchors")
    return GoldPage(
        id=entry["id"],
        corpus=entry.get("corpus") or index.corpus,
        site=entry.get("site") or entry["id"],
        file=folder / entry["file"],
        anchors=None if anchors is None else tuple(anchors),
        expected=entry.get("expected"),
        fields=tuple(entry.get("fields") or ()),
        is_partial=bool(entry.get("partial")),
        is_negative=index.is_negative,
        layout=entry.get("layout") or "",
        kind=entry.get("kind") or "",
        platform=entry.get("platform") or "",
        page_url=entry.get("page_url") or "",
    )
