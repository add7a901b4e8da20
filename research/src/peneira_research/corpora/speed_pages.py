"""The pages of a corpus whose reading is timed, whatever archive they are in."""

from __future__ import annotations

from itertools import islice

from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.main_texts import main_text_pages

ARCHIVED = ("swde", "wcxb")


def speed_pages(corpora: Corpora, name: str, *, every: int = 1) -> list[tuple[str, bytes]]:
    """Return name and bytes of every so many pages of a corpus of lists, of SWDE, or of WCXB."""
    if name == "swde":
        return [(f"{page.site}/{page.id}", page.body) for page in islice(corpora.swde(), 0, None, every)]
    if name == "wcxb":
        return [(page.id, page.body) for page in islice(main_text_pages(corpora), 0, None, every)]
    return [(page.id, page.body()) for page in corpora.pages([name])[::every]]
