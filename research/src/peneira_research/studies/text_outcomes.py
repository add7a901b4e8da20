"""How much of the main text of pages is found: by peneira, and by other extractors on the same pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from peneira.sources.html import read_page
from peneira.texts.block_model import BlockModels
from peneira.texts.main_text import main_text
from peneira_research.corpora.main_texts import MainTextPage
from peneira_research.corpora.typed_pages import PageType
from peneira_research.peers import text_by
from peneira_research.scores.word_score import WordScore, word_score
from peneira_research.studies.kept_results import NOTHING_KEPT, KeptResults

OURS = "peneira"


@dataclass(frozen=True, slots=True)
class TextOutcome:
    """A page: its type, how sure we are of its text, the score of each system, and its site."""

    id: str
    type: PageType
    confidence: float
    scores: Mapping[str, WordScore]
    site: str = ""


def text_outcomes(
    pages: Sequence[MainTextPage],
    *,
    models: BlockModels | None = None,
    peers: Sequence[str] = (),
    jobs: int = 1,
    keep: KeptResults = NOTHING_KEPT,
) -> Iterator[TextOutcome]:
    """Yield the outcome of each page. ``models``: None for those that ship."""
    outcome = partial(text_outcome, models=models, peers=tuple(peers))
    return keep.each("text", TextOutcome, outcome, pages, key=attrgetter("id"), jobs=jobs)


def text_outcome(page: MainTextPage, *, models: BlockModels | None, peers: Sequence[str]) -> TextOutcome:
    """Return the outcome of a page."""
    found = main_text(read_page(page.body, url=page.url), models=models, with_comments=False)
    texts = {OURS: found.text, **{name: text_by(name, page.body) for name in peers}}
    scores = {name: word_score(text, page.reference, page.wanted, page.unwanted) for name, text in texts.items()}
    return TextOutcome(page.id, page.type, found.confidence, scores, page.site)
