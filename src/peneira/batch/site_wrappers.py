"""The wrappers of many sites: a folder with a file for each, named after its host (``example.org.json``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from peneira.batch.page_input import PageInput
from peneira.batch.site_names import wrapper_name
from peneira.columns.site_groups import host_of
from peneira.errors import PeneiraError
from peneira.limits import Limits
from peneira.page import Page
from peneira.sources.fetch_options import FetchOptions
from peneira.wrappers.learning import learn
from peneira.wrappers.wrapper import Wrapper

# Wrappers that a worker keeps in memory; a crawl mostly has the pages of a site next to each other
_KEPT = 64


@dataclass(frozen=True, slots=True)
class SiteWrappers:
    """The wrappers of a folder, or one wrapper file for all pages; no path, no wrappers."""

    path: str = ""

    def wrapper_of(self, page: Page) -> Wrapper | None:
        """Return the wrapper for a page, None if there is none for its site."""
        if not self.path:
            return None
        if Path(self.path).is_file():
            return _loaded(self.path)
        file = self.file_of(host_of(page))
        return _loaded(str(file)) if file is not None and file.is_file() else None

    def file_of(self, site: str) -> Path | None:
        """Return where the wrapper of a site is, None for pages whose site is not known."""
        return Path(self.path) / wrapper_name(site) if site else None


NO_WRAPPERS = SiteWrappers()


@lru_cache(_KEPT)
def _loaded(path: str) -> Wrapper:
    return Wrapper.load(path)


def site_of(given: PageInput, limits: Limits, fetching: FetchOptions) -> str:
    """Return the site of a page, "" where it is not known or the page cannot be read. A job of a worker."""
    try:
        return host_of(given.read(limits, fetching))
    except PeneiraError:
        return ""


def learn_wrapper(pages: Sequence[PageInput], limits: Limits, fetching: FetchOptions, path: str) -> int:
    """Learn a wrapper from pages of one site, save it and return how many columns it has. A job of a worker."""
    wrapper = learn([page.read(limits, fetching) for page in pages], limits=limits)
    wrapper.save(path)
    return len(wrapper.columns)
