"""Detail pages to learn from and to be judged on: the figures of their texts, their tag paths, and which are gold."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from peneira.errors import CorpusError
from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.edrew import Entries
from peneira.texts.page_texts import PageTexts
from peneira.texts.retps import number_runs, text_paths
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import feature_table, text_features
from peneira_research.corpora.archives import DetailPage, SwdePage
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.gold_texts import GoldTexts, detail_gold, elements_of, swde_gold, values_gold
from peneira_research.studies.peers import PEERS, kept_by
from peneira_research.studies.workers import in_processes

Small = NDArray[np.float32]
Whole = NDArray[np.int64]

# Pages of each site of SWDE, evenly taken: more are more of the same
PAGES_PER_SITE = 15
# Pages of a site that are given, the judged page among them
GIVEN = (2, 5)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page of the user's own with the values that are its content."""

    id: str
    site: str
    body: bytes
    values: tuple[str, ...]


Gold = SwdePage | DetailPage | Labelled


@dataclass(frozen=True, slots=True)
class Example:
    """A page with gold: the figures of its texts (alone, and with so many pages of the site given), and their labels.

    ``runs``, ``elements`` and ``path_of`` say to which content, element and tag path each text belongs.
    """

    corpus: str
    group: str
    site: str
    id: str
    digest: str
    names: tuple[str, ...]
    figures: Small
    site_names: tuple[str, ...]
    site_figures: Mapping[int, Small]
    gold: GoldTexts
    runs: Whole
    elements: Whole
    lengths: Whole
    paths: tuple[Entries, ...]
    path_of: Whole
    kept: Mapping[str, Flags]


def examples(
    corpora: Corpora | None, own: Sequence[Labelled] = (), *, jobs: int, peers: bool = False
) -> Iterator[list[Example]]:
    """Yield the examples of each site: of SWDE, of the modern detail pages, and of the user's own labels."""
    sites = [*(_sites(corpora) if corpora else ()), *_own_sites(own)]
    yield from in_processes(_Reader(peers), sites, jobs=jobs, chunk=1)


@dataclass(frozen=True, slots=True)
class _Reader:
    peers: bool

    def __call__(self, golds: Sequence[Gold]) -> list[Example]:
        pages = [read_page(gold.body) for gold in golds]
        found = [_example(k, golds, pages, peers=self.peers) for k in range(len(pages))]
        return [example for example in found if example is not None]


def _sites(corpora: Corpora) -> list[list[Gold]]:
    swde: dict[tuple[str, str], list[Gold]] = defaultdict(list)
    for page in corpora.swde():
        swde[page.vertical, page.site].append(page)
    detail: dict[str, list[Gold]] = defaultdict(list)
    for modern in corpora.detail() if corpora.has_detail else ():
        detail[modern.site].append(modern)
    return [*([pages[k] for k in _evenly(len(pages))] for pages in swde.values()), *detail.values()]


def _evenly(count: int) -> list[int]:
    wanted = min(count, PAGES_PER_SITE)
    return [k * count // wanted for k in range(wanted)]


def _own_sites(own: Sequence[Labelled]) -> list[list[Gold]]:
    sites: dict[str, list[Gold]] = defaultdict(list)
    for page in own:
        sites[page.site].append(page)
    return list(sites.values())


def read_labels(path: Path) -> list[Labelled]:
    """Return the pages of a JSON Lines file: {"file": "page.html", "values": ["...", ...], "site": "..."}.

    A file is named from the folder of the JSON Lines file; without a site, each page is a site of its own.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not a text in UTF-8") from error
    found = [_labelled(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise CorpusError(f"{path}: no labelled page in it")
    return found


def _labelled(path: Path, number: int, line: str) -> Labelled:
    where = f"{path}:{number}"
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{where}: not a line of JSON: {error}") from error
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise CorpusError(f'{where}: not a labelled page: "file" must be the name of one')
    values = entry.get("values")
    if not isinstance(values, list) or not all(isinstance(value, str | int | float) for value in values):
        raise CorpusError(f'{where}: not a labelled page: "values" must be a list of what the page shows')
    file = entry["file"]
    try:
        body = (path.parent / file).read_bytes()
    except (OSError, ValueError) as error:
        raise CorpusError(f"{where}: {file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return Labelled(file, str(entry.get("site") or file), body, tuple(map(str, values)))


def _example(turn: int, golds: Sequence[Gold], pages: Sequence[Page], *, peers: bool) -> Example | None:
    gold, page = golds[turn], pages[turn]
    texts = PageTexts(page)
    if not len(texts):
        return None
    figures = text_features(texts)
    others = [pages[(turn + step) % len(pages)] for step in range(1, min(len(pages), max(GIVEN)))]
    site = {n: SitePages(others[: n - 1]).features(texts) for n in GIVEN if len(others) >= n - 1}
    site_names = tuple(next(iter(site.values()))) if site else ()
    corpus, group = _kind(gold)
    paths, path_of = _paths(texts)
    return Example(
        corpus,
        group,
        gold.site,
        gold.id,
        page_digest(page),
        tuple(figures),
        feature_table(figures, tuple(figures)).astype(np.float32),
        site_names,
        {n: feature_table(those, site_names).astype(np.float32) for n, those in site.items()},
        _labels(texts, gold),
        number_runs(page, texts.rows)[1],
        elements_of(texts),
        texts.lengths,
        paths,
        path_of,
        {name: kept_by(name, gold.body, texts) for name in PEERS} if peers else {},
    )


def _kind(gold: Gold) -> tuple[str, str]:
    if isinstance(gold, SwdePage):
        return "swde", gold.vertical
    return ("detail", gold.source) if isinstance(gold, DetailPage) else ("own", "own")


def _labels(texts: PageTexts, gold: Gold) -> GoldTexts:
    if isinstance(gold, SwdePage):
        return swde_gold(texts, gold)
    return detail_gold(texts, gold) if isinstance(gold, DetailPage) else values_gold(texts, gold.values)


def _paths(texts: PageTexts) -> tuple[tuple[Entries, ...], Whole]:
    by_row = {row: path.entries for path in text_paths(texts.page) for row in path.texts}
    places: dict[Entries, int] = {}
    path_of = [places.setdefault(by_row[row], len(places)) for row in texts.rows.tolist()]
    return tuple(places), np.array(path_of, dtype=np.int64)


def page_digest(page: Page) -> str:
    """Return a hash of a page's elements: two pages with equal tag paths in equal order count as one."""
    tags = page.lists.tag
    parents = page.lists.parent
    told = ",".join(f"{page.tag_names[tag]}<{parent}" for tag, parent in zip(tags, parents, strict=True) if tag)
    return hashlib.md5(told.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
