"""Gold pages, rendered by a browser. Snapshots are kept in a folder, so that a page is rendered once.

The pages of the corpora were saved without their style sheets, scripts and images. They are rendered with scripts off
and network off, so that the tree is that of the static page, and the gold is valid.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from peneira.errors import PeneiraError
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions
from peneira.sources.snapshot import VERSION, Snapshot, page_of
from peneira_research.corpora.gold_pages import GoldPage

OPTIONS = RenderOptions(scripts=False, timeout_s=60)
VARIABLE = "PENEIRA_SNAPSHOTS"


def default_folder() -> Path:
    """Return the default folder of snapshots."""
    configured = os.environ.get(VARIABLE)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (
        Path(configured) if configured else (Path(cache) if cache else Path.home() / ".cache") / "peneira" / "snapshots"
    )


class Snapshots:
    """A folder of snapshots, named by a hash of their pages' bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, body: bytes) -> Path:
        """Return where the snapshot of a page is kept."""
        return self.folder / f"{hashlib.sha256(body).hexdigest()}.v{VERSION}.json.gz"

    def page(self, body: bytes) -> Page:
        """Return the rendered page, which must have a snapshot."""
        return page_of(Snapshot.from_bytes(self.file(body).read_bytes()))

    def missing(self, pages: Sequence[GoldPage]) -> list[GoldPage]:
        """Return the pages without a snapshot."""
        return [page for page in pages if not self.file(page.body()).exists()]

    def render(self, pages: Sequence[GoldPage]) -> Iterator[tuple[GoldPage, PeneiraError | None]]:
        """Render pages and keep their snapshots; yield each with the error, if there was one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with Browser(OPTIONS) as browser:
            for page in pages:
                try:
                    self._keep(page.body(), browser)
                    yield page, None
                except PeneiraError as error:
                    yield page, error

    def _keep(self, body: bytes, browser: Browser) -> None:
        file = self.file(body)
        part = file.with_suffix(".part")
        part.write_bytes(browser.snapshot(body).to_bytes())
        part.replace(file)
