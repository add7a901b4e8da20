"""Check an installed wheel: its kernels are compiled, lexbor's nodes are read, and a page gives its records."""

from __future__ import annotations

import sys

import peneira
from peneira.kernels import compiled
from peneira.sources import lexbor_tree

KERNELS = (
    "lexbor_nodes node_columns page_facts page_parts list_features candidate_table list_candidates list_members "
    "line_search markup_scan markup_survey forest_walk forest_masks word_scan column_values role_tables text_scan "
    "outline_scan record_texts record_values page_lines phrase_scan text_lines text_tables block_tables cell_making "
    "region_tables text_cuts"
)
PAGE = "<ul>" + "".join(f"<li><a href=/{k}>Thing {k}</a> ${k}.50</li>" for k in range(1, 6)) + "</ul>"


def main() -> None:
    """Print what was found; end with an error if a kernel or a record is missing."""
    missing = [name for name in KERNELS.split() if compiled(name) is None]
    result = peneira.extract(PAGE)
    records = len(result.main) if result.main is not None else 0
    way = "lexbor's nodes" if lexbor_tree._checked_kernel() is not None else "the plain walk"
    print(f"{peneira.__file__}: {records} records, pages read by {way}, missing kernels: {missing or 'none'}")
    sys.exit(1 if missing or records != 5 else 0)


if __name__ == "__main__":
    main()
