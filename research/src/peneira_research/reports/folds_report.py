"""The tables of ``bench folds`` for a reader, and its JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.training.folds import Group


def folds_table(groups: Sequence[Group[str]], fold_of: Mapping[str, int]) -> Table:
    """Return a row per corpus: its pages in each fold."""
    pages: dict[str, Counter[int]] = {}
    for group in groups:
        for corpus, count in group.pages.items():
            pages.setdefault(corpus, Counter())[fold_of[group.sites[0]]] += count
    folds = sorted(set(fold_of.values()))
    table = plain_table("pages of", *(f"fold {fold + 1}" for fold in folds), left=("pages of",))
    for corpus in sorted(pages):
        table.add_row(corpus, *(str(pages[corpus][fold]) for fold in folds))
    return table


def groups_table(groups: Sequence[Group[str]], fold_of: Mapping[str, int]) -> Table:
    """Return a row per group with its members."""
    table = plain_table("pages", "sites", "fold", "members", left=("members",))
    for group in groups:
        fold = str(fold_of[group.sites[0]] + 1)
        table.add_row(str(group.size), str(len(group.sites)), fold, ", ".join(group.sites))
    return table


def folds_document(groups: Sequence[Group[str]], fold_of: Mapping[str, int]) -> dict[str, object]:
    """Return each group with its sites, its pages by corpus and its fold."""
    return {
        "groups": [
            {"sites": group.sites, "pages": dict(group.pages), "fold": fold_of[group.sites[0]]} for group in groups
        ]
    }
