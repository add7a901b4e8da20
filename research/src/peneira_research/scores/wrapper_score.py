"""The wrapper score: learn on a few pages of a site, extract from the others, compare with their gold.

On SWDE, the column of an attribute is the one that agrees best with the labels on the learning pages; its F1 on the
other pages is the score. A value is right if it equals a label, both unescaped and squeezed. On list sites with several
pages, the wrapper is learned on the first, and the record score on the others counts.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from statistics import fmean
from time import process_time

from peneira.extraction import extract
from peneira.page import Page
from peneira.result import Extraction
from peneira.sources.html import read_page
from peneira.wrappers.learning import learn
from peneira_research.corpora.archives import SWDE_BROKEN, SwdePage
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.accepted_names import is_accepted
from peneira_research.scores.record_score import score
from peneira_research.squeezed_text import page_text, squeeze
from peneira_research.workers import in_processes

# The values of a column, or of an attribute, page by page
ByPage = Sequence[frozenset[str]]


@dataclass(frozen=True, slots=True)
class SiteScore:
    """The scores of one site, F1 by attribute; ``column_of`` names the column of each attribute."""

    vertical: str
    site: str
    method: str
    learning_pages: int
    f1: Mapping[str, float]
    column_of: Mapping[str, str]
    columns: int
    learn_s: float
    page_s: float
    error: str | None = None

    @property
    def mean(self) -> float:
        """The mean F1 over the attributes."""
        return fmean(self.f1.values()) if self.f1 else 0.0


def named_share(scores: Sequence[SiteScore]) -> float:
    """Return the share of the attributes that have values whose column has a name that a person would accept."""
    pairs = [(score, name) for score in scores for name in score.f1]
    right = sum(is_accepted(score.vertical, name, score.column_of.get(name, "")) for score, name in pairs)
    return right / max(len(pairs), 1)


def sites(pages: Iterable[SwdePage], verticals: Sequence[str] = (), max_sites: int = 0) -> Iterator[list[SwdePage]]:
    """Yield the pages of each site, of the named verticals or all; at most ``max_sites`` of each, 0 for all."""
    for vertical, of_vertical in groupby(pages, key=lambda page: page.vertical):
        if verticals and vertical not in verticals:
            continue
        for number, (_, of_site) in enumerate(groupby(of_vertical, key=lambda page: page.site)):
            if max_sites and number >= max_sites:
                break
            yield sorted(of_site, key=lambda page: page.id)


def score_sites(
    site_pages: Sequence[Sequence[SwdePage]], method: str, learning_pages: int, *, jobs: int = 1
) -> Iterator[SiteScore]:
    """Yield the score of each site, in order."""
    task = partial(score_site, method=method, learning_pages=learning_pages)
    return map(task, site_pages) if jobs == 1 else in_processes(task, site_pages, jobs=jobs, chunk=1)


def score_site(pages: Sequence[SwdePage], *, method: str, learning_pages: int) -> SiteScore:
    """Return the score of one site. A method that fails scores 0 on every attribute."""
    first = pages[0]
    gold = _gold(pages)
    try:
        start = process_time()
        wrapper = learn([page.body for page in pages[:learning_pages]], method=method, kind="detail")
        learned = process_time()
        table = _table([wrapper.extract(page.body) for page in pages])
        done = process_time()
    except Exception as error:  # a failure on one site must not stop the others
        zero = dict.fromkeys(gold, 0.0)
        message = f"{type(error).__name__}: {error}"
        return SiteScore(first.vertical, first.site, method, learning_pages, zero, {}, 0, 0.0, 0.0, message)
    column_of = {name: _best_column(table, values, learning_pages) for name, values in gold.items()}
    f1 = {
        name: _f1(table[column][learning_pages:], gold[name][learning_pages:]) if column else 0.0
        for name, column in column_of.items()
        if any(gold[name][learning_pages:])  # else there is nothing to find
    }
    columns = {name: column for name, column in column_of.items() if column}
    times = (learned - start, (done - learned) / len(pages))
    return SiteScore(first.vertical, first.site, method, learning_pages, f1, columns, len(wrapper.columns), *times)


def _gold(pages: Sequence[SwdePage]) -> dict[str, list[frozenset[str]]]:
    first = pages[0]
    return {
        name: [frozenset(squeeze(html.unescape(value)) for value in page.values.get(name, ())) for page in pages]
        for name in sorted(first.values)
        if (first.vertical, first.site, name) not in SWDE_BROKEN
    }


def _table(results: Sequence[Extraction]) -> dict[str, list[frozenset[str]]]:
    """Return the values of each column, page by page."""
    names = dict.fromkeys(column.name for result in results for region in result.regions for column in region.columns)
    table: dict[str, list[frozenset[str]]] = {name: [] for name in names}
    for result in results:
        fields = result.main.records[0].fields if result.main else {}
        for name, values in table.items():
            cell = fields.get(name)
            texts = (cell.items or (cell.text,)) if cell else ()
            values.append(frozenset(squeeze(html.unescape(text)) for text in texts))
    return table


def _best_column(table: Mapping[str, ByPage], gold: ByPage, learning_pages: int) -> str:
    f1 = {name: _f1(values[:learning_pages], gold[:learning_pages]) for name, values in table.items()}
    best = max(f1, key=lambda name: f1[name], default="")
    return best if best and f1[best] else ""


def _f1(found: ByPage, gold: ByPage) -> float:
    """Return the F1 of the values; 0 where both are empty, so that no empty column is chosen."""
    right = sum(len(values & gold_values) for values, gold_values in zip(found, gold, strict=True))
    total = sum(map(len, found)) + sum(map(len, gold))
    return 2 * right / total if total else 0.0


def by_vertical(scores: Sequence[SiteScore]) -> dict[str, float]:
    """Return the mean over all site and attribute pairs of each vertical, and of all."""
    names = [*dict.fromkeys(score.vertical for score in scores), "all"]
    pairs = [(score.vertical, f1) for score in scores for f1 in score.f1.values()]
    return {name: fmean([f1 for vertical, f1 in pairs if name in (vertical, "all")] or [0.0]) for name in names}


@dataclass(frozen=True, slots=True)
class ListSiteScore:
    """The mean record F1 on all pages of a site but the first, of the wrapper and of the default method.

    ``fitting``: how many of the pages have the wrapper's template according to it, with the F1 of both on them.
    ``otherwise_f1``: of the wrapper with the default method on the pages of other templates. Seconds are CPU time per
    page without parsing. A page on which something fails scores 0, and ``error`` names the first such page.
    """

    corpus: str
    site: str
    method: str
    pages: int
    f1: float
    default_f1: float
    otherwise_f1: float = 0.0
    fitting: int = 0
    fitting_f1: float = 0.0
    fitting_default_f1: float = 0.0
    page_s: float = 0.0
    otherwise_page_s: float = 0.0
    default_page_s: float = 0.0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class _PageScore:
    """The result of a method on a page: the record F1, whether it found a list, CPU seconds, and what failed."""

    f1: float
    has_list: bool
    seconds: float
    error: str | None = None


def list_sites(pages: Iterable[GoldPage]) -> list[list[GoldPage]]:
    """Return the pages of each site that has several with complete gold."""
    by_site: dict[tuple[str, str], list[GoldPage]] = {}
    for page in pages:
        if page.anchors and not page.is_partial:
            by_site.setdefault((page.corpus, page.site), []).append(page)
    return [site_pages for site_pages in by_site.values() if len(site_pages) > 1]


def score_list_sites(
    site_pages: Sequence[Sequence[GoldPage]], method: str, *, jobs: int = 1
) -> Iterator[ListSiteScore]:
    """Yield the score of each list site, in order."""
    task = partial(score_list_site, method=method)
    return map(task, site_pages) if jobs == 1 else in_processes(task, site_pages, jobs=jobs, chunk=1)


def score_list_site(pages: Sequence[GoldPage], *, method: str) -> ListSiteScore:
    """Return the score of one list site; a page on which a method fails scores 0."""
    first, *others = pages
    defaults = [_scored(gold, lambda page: extract(page)) for gold in others]
    try:
        wrapper = learn([first.body()], method=method, kind="list")
    except Exception as error:  # as above
        failed = _PageScore(0.0, False, 0.0, f"{type(error).__name__}: {error}")
        return _site_score(first, method, [failed] * len(others), defaults, [failed] * len(others))
    learned = [_scored(gold, lambda page: wrapper.extract(page)) for gold in others]
    if wrapper.tree is not None:  # the published methods do not recognise other templates
        return _site_score(first, method, learned, defaults, learned)
    otherwise = [_scored(gold, lambda page: wrapper.extract(page, otherwise="auto")) for gold in others]
    return _site_score(first, method, learned, defaults, otherwise)


def _site_score(
    first: GoldPage,
    method: str,
    learned: Sequence[_PageScore],
    defaults: Sequence[_PageScore],
    otherwise: Sequence[_PageScore],
) -> ListSiteScore:
    pairs = [(score.f1, default.f1) for score, default in zip(learned, defaults, strict=True) if score.has_list]
    errors = [score.error for score in (*learned, *otherwise, *defaults) if score.error]
    return ListSiteScore(
        first.corpus,
        first.site,
        method,
        len(learned),
        fmean(score.f1 for score in learned),
        fmean(score.f1 for score in defaults),
        fmean(score.f1 for score in otherwise),
        len(pairs),
        fmean(f1 for f1, _ in pairs) if pairs else 0.0,
        fmean(f1 for _, f1 in pairs) if pairs else 0.0,
        fmean(score.seconds for score in learned),
        fmean(score.seconds for score in otherwise),
        fmean(score.seconds for score in defaults),
        errors[0] if errors else None,
    )


def _scored(gold: GoldPage, read: Callable[[Page], Extraction]) -> _PageScore:
    """Return the score of what ``read`` extracts from a page; the CPU time is the best of two."""
    seconds = []
    try:
        for _ in range(2):  # a page caches what is computed of it: parse it each time
            page = read_page(gold.body())
            start = process_time()
            result = read(page)
            seconds.append(process_time() - start)
        return _PageScore(_record_f1(gold, page, result), result.main is not None, min(seconds))
    except Exception as error:  # a failure on one page must not stop the others
        return _PageScore(0.0, False, 0.0, f"{gold.id}: {type(error).__name__}: {error}")


def _record_f1(gold: GoldPage, page: Page, result: Extraction) -> float:
    records = [record.text for record in result.main.records] if result.main else []
    return score(records, gold.anchors or (), page_text(page)).f1
