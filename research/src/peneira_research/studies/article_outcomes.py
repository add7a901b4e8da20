"""Title, author and date of the articles of WCXB: one outcome per page, and what they come to per field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from peneira.items.builder import item_of
from peneira.sources.html import read_page
from peneira_research.corpora.main_texts import MainTextPage
from peneira_research.peers import ARTICLE_PEERS, article_by
from peneira_research.scores.item_score import Answers, bare
from peneira_research.workers import in_processes

FACTS = ("title", "author", "date")
DAY_CHARS = len("2026-01-31")
OURS = "peneira"


@dataclass(frozen=True, slots=True)
class ArticleOutcome:
    """The gold of one article, and by system the answers, "" for none."""

    id: str
    site: str
    gold: Mapping[str, str]
    answers: Mapping[str, Mapping[str, str]]


def article_outcome(page: MainTextPage) -> ArticleOutcome:
    """Return the answers for an article, ours and those of others that are installed."""
    item = item_of(read_page(page.body, url=page.url))
    cells = {name: cell for name in FACTS if (cell := item.get(name)) is not None}
    ours = {name: str(cell.value or cell.text) if name == "date" else cell.text for name, cell in cells.items()}
    others = {peer: article_by(peer, page.body, page.url) for peer in ARTICLE_PEERS}
    return ArticleOutcome(page.id, page.site, page.facts, {OURS: ours, **others})


def article_outcomes(pages: Sequence[MainTextPage], *, jobs: int) -> Iterator[ArticleOutcome]:
    """Yield the outcome of each article, in order."""
    return in_processes(article_outcome, pages, jobs=jobs)


def is_fact(name: str, answer: str, gold: str) -> bool:
    """Return whether an answer is that of the gold: the same day; a title or names of which one has the other."""
    if name == "date":
        return answer[:DAY_CHARS] == gold[:DAY_CHARS]
    ours, theirs = bare(answer), bare(gold)
    return bool(ours and theirs) and (ours in theirs or theirs in ours)


def article_scores(outcomes: Iterable[ArticleOutcome], system: str = OURS) -> dict[str, Answers]:
    """Return the answers of a system over all articles, by field; one about an article without gold counts as wrong."""
    rows = list(outcomes)
    return {name: _score(name, [(row.answers[system].get(name, ""), row.gold.get(name, "")) for row in rows])
            for name in FACTS}  # fmt: skip


def _score(name: str, rows: Sequence[tuple[str, str]]) -> Answers:
    right = sum(bool(gold) and bool(answer) and is_fact(name, answer, gold) for answer, gold in rows)
    return Answers(right, sum(bool(answer) for answer, _ in rows), sum(bool(gold) for _, gold in rows))
