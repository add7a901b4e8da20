"""The pages of the TPS thesis, as its author counted them."""

from __future__ import annotations

import json
from importlib.resources import files

from peneira.page import Page
from peneira.sources.html import read_page


def counted_nodes(page: Page) -> int:
    """Return the number of elements and non-blank texts in body, without script, style and noscript."""
    return int((~page.silent[page.body : int(page.end[page.body])]).sum())


def test_node_counts_are_the_thesis_author_s(corpora):
    rows = json.loads((files("peneira_research") / "data" / "published.json").read_text(encoding="utf-8"))["thesis"][
        "rows"
    ]
    close = 0
    for row in rows:
        nodes = counted_nodes(read_page(corpora / "lists" / "pages" / "tpsf" / f"{row['page']}.html"))
        close += abs(nodes - row["nodes"]) <= 0.03 * row["nodes"]
    assert len(rows) == 51
    assert close >= 45
