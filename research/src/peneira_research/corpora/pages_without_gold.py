"""The pages of all corpora without their gold, a few of each host: for what is learned from markup alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from peneira.errors import CorpusError
from peneira_research.corpora.archives import archive_members
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.page_origin import host_owner

# Pages of one site that are read
PAGES_PER_SITE = 3
# Corpora that are archives with an index, or a file of gold beside each page
ARCHIVES = ("detail", "paging", "products", "wcxb")
_WCXB_GOLD = "ground-truth/"


@dataclass(frozen=True, slots=True)
class BarePage:
    """A page, the site that its corpus gives it, and its address where that is known."""

    corpus: str
    site: str
    url: str | None
    body: bytes


def bare_pages(corpora: Corpora, *, pages_per_site: int = PAGES_PER_SITE) -> Iterator[BarePage]:
    """Yield the first pages of each site of all corpora, in the order of the corpora. Missing corpora are left out."""
    taken: Counter[tuple[str, str]] = Counter()
    for page in _all_pages(corpora):
        taken[page.corpus, page.site] += 1
        if taken[page.corpus, page.site] <= pages_per_site:
            yield page


def _all_pages(corpora: Corpora) -> Iterator[BarePage]:
    for gold in corpora.all_pages():
        yield BarePage(gold.corpus, gold.site, gold.url, gold.body())
    for name in ARCHIVES:
        archive = corpora.root / name / "dev.tar.xz"
        if archive.is_file():
            yield from _archived(name, archive)
    if (corpora.root / "swde").is_dir():
        for swde in corpora.swde():
            yield BarePage("swde", f"{swde.vertical}-{swde.site}", None, swde.body)


def _archived(corpus: str, archive: Path) -> Iterator[BarePage]:
    """Yield the pages of an archive; the index, or the file of gold, comes before the pages it describes."""
    urls: dict[str, str] = {}
    sites: dict[str, str] = {}
    try:
        for name, body in archive_members(archive):
            if name.endswith(".jsonl"):
                for entry in map(json.loads, body.decode().splitlines()):
                    urls[entry["file"]] = entry.get("url") or ""
                    sites[entry["file"]] = entry.get("site") or host_owner(entry.get("url") or "") or entry["file"]
            elif name.startswith(_WCXB_GOLD):
                file = name.replace(_WCXB_GOLD, "html/").replace(".json", ".html")
                urls[file] = json.loads(body).get("url") or ""
                sites[file] = host_owner(urls[file]) or file
            elif name in urls:
                yield BarePage(corpus, sites[name], urls[name] or None, body)
    except (ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{archive}: not an archive of pages with an index: {error!r}") from error
