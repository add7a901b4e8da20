"""Detail pages as examples of content and noise: the features of their texts, their tag paths, and which are gold."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from peneira.page import Flags, Page
from peneira.sources.html import read_page
from peneira.texts.edrew import Entries
from peneira.texts.page_texts import PageTexts
from peneira.texts.retps import DEFAULT_VOCABULARY, Vocabulary, number_runs, text_paths
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import feature_table, text_features
from peneira_research.corpora.archives import DetailPage, SwdePage
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.gold_texts import GoldTexts, detail_gold, elements_of, swde_gold, values_gold
from peneira_research.corpora.labelled_pages import LabelledPage
from peneira_research.corpora.page_origin import Origin, page_origin
from peneira_research.peers import PEERS, kept_by
from peneira_research.workers import in_processes

Small = NDArray[np.float32]
Whole = NDArray[np.int64]

# Pages of each site of SWDE, evenly spaced: more of them add little, as a site has one template
PAGES_PER_SITE = 15
# How many pages of a site a model may see at once, the page itself included
SITE_PAGE_COUNTS = (2, 5)


GoldSource = SwdePage | DetailPage | LabelledPage


@dataclass(frozen=True, slots=True)
class ContentExample:
    """A page with gold: the features and the labels of its texts.

    ``features`` are those of the page alone; ``site_features`` those in view of other pages of the site, by the number
    of pages seen. ``content_ids``, ``element_ids`` and ``path_ids`` number the content, element and tag path of each
    text. ``kept_by_peers``: which texts other extractors keep, by extractor. ``origin``: of the page.
    """

    corpus: str
    group: str
    site: str
    id: str
    digest: str
    feature_names: tuple[str, ...]
    features: Small
    site_feature_names: tuple[str, ...]
    site_features: Mapping[int, Small]
    gold: GoldTexts
    content_ids: Whole
    element_ids: Whole
    lengths: Whole
    paths: tuple[Entries, ...]
    path_ids: Whole
    kept_by_peers: Mapping[str, Flags]
    origin: Origin = field(default_factory=Origin)


def content_examples(
    corpora: Corpora | None,
    labelled: Sequence[LabelledPage] = (),
    *,
    jobs: int,
    peers: bool = False,
    vocabulary: Vocabulary = DEFAULT_VOCABULARY,
    every: int = 1,
) -> Iterator[list[ContentExample]]:
    """Yield the examples of each site: of SWDE, of the modern detail pages, and of the user's own labels.

    ``vocabulary``: the tokens of the tag paths. ``every``: take every so many sites of the corpora.
    """
    sites = [*(_corpus_sites(corpora)[::every] if corpora else ()), *_labelled_sites(labelled)]
    yield from in_processes(SiteExamples(peers, vocabulary), sites, jobs=jobs, chunk=1)


@dataclass(frozen=True, slots=True)
class SiteExamples:
    """Makes the examples of one site; an object, so that it can be sent to other processes."""

    peers: bool
    vocabulary: Vocabulary = DEFAULT_VOCABULARY

    def __call__(self, sources: Sequence[GoldSource]) -> list[ContentExample]:
        """Return an example of each page that has texts."""
        pages = [read_page(source.body) for source in sources]
        examples = [_example(k, sources, pages, self) for k in range(len(pages))]
        return [example for example in examples if example is not None]


def _corpus_sites(corpora: Corpora) -> list[list[GoldSource]]:
    swde: dict[tuple[str, str], list[GoldSource]] = defaultdict(list)
    for page in corpora.swde():
        swde[page.vertical, page.site].append(page)
    detail: dict[str, list[GoldSource]] = defaultdict(list)
    for modern in corpora.detail() if corpora.has_detail else ():
        detail[modern.site].append(modern)
    return [*([pages[k] for k in _evenly_spaced(len(pages))] for pages in swde.values()), *detail.values()]


def _evenly_spaced(count: int) -> list[int]:
    wanted = min(count, PAGES_PER_SITE)
    return [k * count // wanted for k in range(wanted)]


def _labelled_sites(labelled: Sequence[LabelledPage]) -> list[list[GoldSource]]:
    sites: dict[str, list[GoldSource]] = defaultdict(list)
    for page in labelled:
        sites[page.site].append(page)
    return list(sites.values())


def _example(
    index: int, sources: Sequence[GoldSource], pages: Sequence[Page], options: SiteExamples
) -> ContentExample | None:
    source, page = sources[index], pages[index]
    texts = PageTexts(page)
    if not len(texts):
        return None
    features = text_features(texts)
    others = [pages[(index + step) % len(pages)] for step in range(1, min(len(pages), max(SITE_PAGE_COUNTS)))]
    by_count = {n: SitePages(others[: n - 1]).features(texts) for n in SITE_PAGE_COUNTS if len(others) >= n - 1}
    site_feature_names = tuple(next(iter(by_count.values()))) if by_count else ()
    corpus, group = _corpus_and_group(source)
    paths, path_ids = _paths(texts, options.vocabulary)
    return ContentExample(
        corpus,
        group,
        source.site,
        source.id,
        page_digest(page),
        tuple(features),
        feature_table(features, tuple(features)).astype(np.float32),
        site_feature_names,
        {n: feature_table(columns, site_feature_names).astype(np.float32) for n, columns in by_count.items()},
        _gold_texts(texts, source),
        number_runs(page, texts.rows)[1],
        elements_of(texts),
        texts.lengths,
        paths,
        path_ids,
        {name: kept_by(name, source.body, texts) for name in PEERS} if options.peers else {},
        page_origin(page, source.body, corpus=corpus, url=source.url if isinstance(source, DetailPage) else None),
    )


def _corpus_and_group(source: GoldSource) -> tuple[str, str]:
    if isinstance(source, SwdePage):
        return "swde", source.vertical
    return ("detail", source.source) if isinstance(source, DetailPage) else ("own", "own")


def _gold_texts(texts: PageTexts, source: GoldSource) -> GoldTexts:
    if isinstance(source, SwdePage):
        return swde_gold(texts, source)
    return detail_gold(texts, source) if isinstance(source, DetailPage) else values_gold(texts, source.values)


def _paths(texts: PageTexts, vocabulary: Vocabulary) -> tuple[tuple[Entries, ...], Whole]:
    by_row = {row: path.entries for path in text_paths(texts.page, vocabulary) for row in path.texts}
    ids: dict[Entries, int] = {}
    path_ids = [ids.setdefault(by_row[row], len(ids)) for row in texts.rows.tolist()]
    return tuple(ids), np.array(path_ids, dtype=np.int64)


def page_digest(page: Page) -> str:
    """Return a hash of a page's elements: pages with equal tag paths in equal order have equal hashes."""
    tags = page.lists.tag
    parents = page.lists.parent
    elements = ",".join(f"{page.tag_names[tag]}<{parent}" for tag, parent in zip(tags, parents, strict=True) if tag)
    return hashlib.md5(elements.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
