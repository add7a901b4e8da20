"""The pages of a list that come one by one when a button without an address is pressed, in one browser tab.

A crawl keeps them together, as one response: a later one cannot be fetched without those before it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from peneira.extraction import extract
from peneira.limits import Cut
from peneira.lists.paging import find_scripted_pager
from peneira.lists.scripted_pagers import ScriptedPager
from peneira.page import Page
from peneira.result import Region
from peneira.scrapy.novelty import Novelty

CONTENT_TYPE = "application/json"
HTML_TYPE = "text/html; charset=utf-8"
# Joins the key of a response and the number of a page in it
KEY_SEPARATOR = "#"


@dataclass(slots=True)
class PageTurner:
    """Says what is to be pressed for the next page of a list, until none is there or one brings no new records.

    ``novelty``: pages in a row whose records differ from earlier ones in numbers alone, after which it stops.
    ``pages``: how many brought new records; one without any may come after them, as the last button leads nowhere.
    """

    novelty: int
    pages: int = 0
    cuts: list[Cut] = field(default_factory=list)
    _seen: Novelty = field(init=False)

    def __post_init__(self) -> None:
        self._seen = Novelty(self.novelty)

    def __call__(self, page: Page) -> int | None:
        """Return the row of the button to the next page, None where the list ends."""
        main = extract(page).main
        pager = find_scripted_pager(page, main) if main is not None else None
        if main is None or _is_pager(page, main, pager) or not self._seen.note("", main.records):
            return None
        self.pages += 1
        row = pager.button_after(self.pages) if pager else None
        if row is not None and self._seen.is_spent(""):
            self.cuts.append(Cut("novelty", self.novelty, "the last pages brought nothing new but numbers (--novelty)"))
            return None
        return row


def _is_pager(page: Page, main: Region, pager: ScriptedPager | None) -> bool:
    """Return whether the records of a list are the buttons of the pager, as on a page without records."""
    buttons = {page.visible_text(row) for row in pager.rows} if pager else set()
    return any(record.text in buttons for record in main.records)


def dump_pages(pages: Sequence[Page], cuts: Sequence[Cut]) -> bytes:
    """Return the pages, and what was left out after them, as the body of one response."""
    document = {
        "pages": [{"url": page.url or "", "html": page.html()} for page in pages],
        "cuts": [str(cut) for cut in cuts],
    }
    return json.dumps(document, ensure_ascii=False).encode(errors="replace")


def load_pages(body: bytes) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Return the addresses and the HTML of the pages in a body, and what was left out."""
    document = json.loads(body)
    return [(each["url"], each["html"].encode()) for each in document["pages"]], document["cuts"]
