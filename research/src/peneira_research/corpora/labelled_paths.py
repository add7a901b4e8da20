"""The contents of SWDE's pages as EDREW sees them: a tag path each, and whether it is gold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from peneira.sources.html import read_page
from peneira.texts.edrew import Entries
from peneira.texts.page_texts import PageTexts
from peneira.texts.retps import DEFAULT_VOCABULARY, Vocabulary, number_runs, text_paths
from peneira_research.corpora.archives import SwdePage
from peneira_research.corpora.content_examples import page_digest
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.gold_texts import GOLD, LEFT_OUT, NOISE, Labels, swde_gold
from peneira_research.corpora.page_origin import Origin, page_origin
from peneira_research.workers import in_processes

Whole = NDArray[np.int64]

# Entries of the paths as they are read, so that shorter ones can be cut from them
LONGEST_PATH = 40


@dataclass(frozen=True, slots=True)
class PathPage:
    """A page: the number of the path of each content, and its label (gold if any text of the content is)."""

    vertical: str
    site: str
    id: str
    digest: str
    origin: Origin
    codes: Whole
    labels: Labels


@dataclass(frozen=True, slots=True)
class LabelledPaths:
    """Pages whose contents are numbers of paths."""

    pages: tuple[PathPage, ...]
    paths: tuple[Entries, ...]

    def cut(self, max_entries: int) -> LabelledPaths:
        """Return the same contents with paths of at most this many entries, counted from the text upwards."""
        codes: dict[Entries, int] = {}
        shorter = np.array([codes.setdefault(path[:max_entries], len(codes)) for path in self.paths], dtype=np.int64)
        return LabelledPaths(tuple(replace(page, codes=shorter[page.codes]) for page in self.pages), tuple(codes))

    def only(self, vertical: str) -> LabelledPaths:
        """Return the pages of one vertical."""
        return replace(self, pages=tuple(page for page in self.pages if page.vertical == vertical))

    def without_repetitions(self) -> LabelledPaths:
        """Return the pages without those whose elements equal those of an earlier page of the vertical, as EDREW."""
        unique = {(page.vertical, page.digest): page for page in reversed(self.pages)}
        return replace(self, pages=tuple(unique.values())[::-1])


def labelled_paths(
    corpora: Corpora, *, every: int = 1, vocabulary: Vocabulary = DEFAULT_VOCABULARY, jobs: int
) -> LabelledPaths:
    """Return all pages of SWDE, or every n-th; ``vocabulary`` has the tokens of attribute values."""
    sources = _sources(corpora, every)
    task = partial(_contents, vocabulary=replace(vocabulary, max_entries=LONGEST_PATH))
    read = map(task, sources) if jobs == 1 else in_processes(task, list(sources), jobs=jobs, chunk=16)
    codes: dict[Entries, int] = {}
    pages = []
    for page, entries in read:
        numbers = [codes.setdefault(path, len(codes)) for path in entries]
        pages.append(replace(page, codes=np.array(numbers, dtype=np.int64)))
    return LabelledPaths(tuple(page for page in pages if len(page.codes)), tuple(codes))


def _sources(corpora: Corpora, every: int) -> Iterator[SwdePage]:
    return (page for k, page in enumerate(corpora.swde()) if k % every == 0)


def _contents(source: SwdePage, vocabulary: Vocabulary) -> tuple[PathPage, Sequence[Entries]]:
    """Return a page without the numbers of its paths, and the paths."""
    page = read_page(source.body)
    texts = PageTexts(page)
    entries: list[Entries] = []
    labels = np.zeros(0, dtype=np.int8)
    if len(texts):
        by_row = {row: path.entries for path in text_paths(page, vocabulary) for row in path.texts}
        content = number_runs(page, texts.rows)[1]
        entries = [by_row[row] for row in texts.rows[np.flatnonzero(np.diff(content, prepend=-1))].tolist()]
        labels = np.full(len(entries), NOISE, dtype=np.int8)
        gold = swde_gold(texts, source).labels
        for label in (LEFT_OUT, GOLD):
            labels[content[gold == label]] = label
    origin = page_origin(page, source.body, corpus=source.vertical)
    blank = np.zeros(0, dtype=np.int64)
    return PathPage(source.vertical, source.site, source.id, page_digest(page), origin, blank, labels), entries
