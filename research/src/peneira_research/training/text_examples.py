"""Pages with a main text as examples of blocks: how much of each block is in the reference text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from peneira.ml.forest import Numbers
from peneira.ml.running_sums import RunningSums
from peneira.sources.html import read_page
from peneira.texts.block_model import BlockEvidence
from peneira.texts.region_filter import scored_regions
from peneira.texts.text_blocks import TextBlocks
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.main_texts import MainTextPage, main_text_pages
from peneira_research.corpora.typed_pages import PageType
from peneira_research.scores.word_alignment import aligned_words
from peneira_research.scores.word_score import words_of
from peneira_research.workers import in_processes

# A block of at least this many words is also content if its runs of words are in the reference in another place
MIN_MOVED_WORDS = 6
RUN_WORDS = 4


@dataclass(frozen=True, slots=True)
class TextExample:
    """A page: what is known of its blocks, and how much of each is content, 0..1."""

    id: str
    site: str
    type: PageType
    reference: str
    strings: tuple[str, ...]
    labels: Numbers
    evidence: BlockEvidence


def text_examples(corpora: Corpora, *, jobs: int) -> Iterator[TextExample]:
    """Yield the examples of all pages with a main text, in order."""
    pages = main_text_pages(corpora)
    examples = map(text_example, pages) if jobs == 1 else in_processes(text_example, list(pages), jobs=jobs)
    yield from (example for example in examples if example is not None)


def text_example(page: MainTextPage) -> TextExample | None:
    """Return the example of a page, None if it shows no text."""
    read = read_page(page.body, url=page.url)
    blocks = TextBlocks(read)
    if not len(blocks):
        return None
    evidence = BlockEvidence.of(blocks, scored_regions(read, RunningSums(read)))
    small = {name: np.asarray(column, dtype=np.float32) for name, column in evidence.columns.items()}
    labels = block_labels(blocks.strings, page.reference)
    return TextExample(
        page.id,
        page.site,
        page.type,
        page.reference,
        tuple(blocks.strings),
        labels,
        replace(evidence, columns=small, words=evidence.words.without_page()),
    )


def block_labels(strings: Sequence[str], reference: str) -> Numbers:
    """Return the share of each block's words that are in the reference, in order, or as runs of words elsewhere."""
    words = [words_of(text) for text in strings]
    expected = words_of(reference)
    flags = np.array(aligned_words([word for own in words for word in own], expected), dtype=np.float64)
    sizes = np.array([len(own) for own in words], dtype=np.int64)
    ends = np.cumsum(sizes)
    sums = np.concatenate(([0.0], np.cumsum(flags)))
    labels = (sums[ends] - sums[ends - sizes]) / np.maximum(sizes, 1)
    best: dict[str, float] = {}
    for text, label in zip(strings, labels.tolist(), strict=True):
        best[text] = max(best.get(text, 0.0), label)
    runs = _runs(expected)
    for k, own in enumerate(words):
        # of two equal blocks, one is enough
        if len(own) >= MIN_MOVED_WORDS and best[strings[k]] < 0.5:
            mine = _runs(own)
            labels[k] = max(float(labels[k]), len(mine & runs) / len(mine))
    return np.asarray(labels)


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[k : k + RUN_WORDS]) for k in range(len(words) - RUN_WORDS + 1)}
