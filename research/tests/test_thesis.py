"""The pages of the TPS thesis and paper: their nodes, and the share of them that the filters keep."""

from __future__ import annotations

from pathlib import Path

from peneira.page import Page
from peneira.sources.html import read_page
from peneira.texts.tps import filtered_rows
from peneira_research.studies.published_tables import published


def counted_nodes(page: Page) -> int:
    """Return the number of elements and non-blank texts in body, without script, style and noscript."""
    return int((~page.silent[page.body : int(page.end[page.body])]).sum())


def test_node_counts_are_the_thesis_author_s(corpora: Path):
    rows = published()["thesis"]["rows"]
    close = 0
    for row in rows:
        nodes = counted_nodes(read_page(corpora / "lists" / "pages" / "tpsf" / f"{row['page']}.html"))
        close += abs(nodes - row["nodes"]) <= 0.03 * row["nodes"]
    assert len(rows) == 51
    assert close >= 45


def kept_share(page: Page, variant: str) -> float:
    body = slice(page.body, int(page.end[page.body]))
    counted = ~page.silent[body]
    return float((filtered_rows(page, variant)[body] & counted).sum() / counted.sum())


def test_the_kept_shares_of_both_documents_are_reproduced(corpora: Path):
    folder = corpora / "lists" / "pages" / "tpsf"
    for table, variant, least in (("thesis", "scan-on", 44), ("paper", "first-split", 22)):
        near = 0
        for row in published()[table]["rows"]:
            share = kept_share(read_page(folder / f"{row['page']}.html"), variant)
            near += abs(share - row["kept_nodes"] / row["nodes"]) <= 0.05
        assert near >= least
