"""Mutations: pages changed as sites change, which a wrapper should survive, report, or be healed from.

Each mutation takes a page and the wrapper of its site and returns HTML, the same on every run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from zlib import crc32

from peneira.page import Page
from peneira.texts.cleaning import pruned_html
from peneira.wrappers.saved_columns import SavedColumn
from peneira.wrappers.wrapper import Wrapper, column_reader

Mutate = Callable[[Page, Wrapper], str]

_NAMES = re.compile(r' (class|id)="([^"]*)"')
_WRAPPED_TAGS = ("h1", "h2", "p", "ul", "table", "dl")
_LETTERS = 7
_CELL_TAGS = frozenset({"td", "th"})


def renamed_classes(page: Page, _wrapper: Wrapper) -> str:
    """Return the page with every class and id renamed, as by a new build of a style sheet."""
    return _NAMES.sub(lambda match: f' {match[1]}="{_renamed(match[2])}"', page.html())


def _renamed(words: str) -> str:
    return " ".join(_letters(crc32(word.encode())) for word in words.split())


def _letters(number: int) -> str:
    """Return a pronounceable word: consonants and vowels in turn."""
    return "".join("bdfgklmnprst"[(number >> k) % 12] + "aeiou"[(number >> k) % 5] for k in range(0, 4 * _LETTERS, 4))


def wrapped_elements(page: Page, _wrapper: Wrapper) -> str:
    """Return the page with headings, paragraphs, lists and tables wrapped in an extra element."""
    html = page.html()
    for tag in _WRAPPED_TAGS:
        html = re.sub(rf"<{tag}(?=[ >])", f'<div class="wrapped"><{tag}', html)
        html = html.replace(f"</{tag}>", f"</{tag}></div>")
    return html


def reordered_blocks(page: Page, _wrapper: Wrapper) -> str:
    """Return the page with the blocks of its body in reverse order."""
    children = list(page.children(page.body))
    inner = "".join(page.html(child) for child in children)
    return page.html().replace(inner, "".join(page.html(child) for child in reversed(children)))


def removed_column(page: Page, wrapper: Wrapper) -> str:
    """Return the page without the values of one column; unchanged if there is no other column of texts."""
    return _without(page, removed_rows(page, wrapper))


def removed_rows(page: Page, wrapper: Wrapper) -> list[int]:
    """Return the rows of the removed values, and of the headings over them if they are cells of a table."""
    column = column_to_remove(wrapper)
    if column is None:
        return []
    rows = [
        row.values[column.name].row for row in wrapper.found_records(column_reader(page)) if column.name in row.values
    ]
    return sorted({*rows, *(heading for row in rows[:1] if (heading := _heading(page, row)) is not None)})


def _heading(page: Page, row: int) -> int | None:
    """Return the cell over a cell in the first row of its table, if that row has as many cells."""
    parents = page.lists.parent
    table = next((above for above in page.ancestors(row) if page.name(above) == "table"), None)
    if page.name(row) not in _CELL_TAGS or table is None:
        return None
    first = next((i for i in range(table, page.lists.end[table]) if page.name(i) == "tr"), table)
    cells, heads = (_cells(page, i) for i in (parents[row], first))
    return heads[cells.index(row)] if first != parents[row] and len(cells) == len(heads) else None


def _cells(page: Page, row: int) -> list[int]:
    return [i for i in page.children(row) if page.name(i) in _CELL_TAGS]


def column_to_remove(wrapper: Wrapper) -> SavedColumn | None:
    """Return the fullest column of texts, among equals that with the shortest; None if there is only one."""
    texts = [f for f in wrapper.fields if f.selector.steps and not f.selector.attribute and not f.is_list]
    if len(texts) < 2:
        return None
    return max(texts, key=lambda f: (f.stats.fill, -sum(map(len, f.stats.samples)), f.name))


def halved_list(page: Page, wrapper: Wrapper) -> str:
    """Return the page without every second record; a detail page unchanged."""
    if wrapper.records is None:
        return page.html()
    return _without(page, [root for row in wrapper.found_records(column_reader(page))[1::2] for root in row.top_rows])


def _without(page: Page, rows: Sequence[int]) -> str:
    return pruned_html(page, ~page.flags_below(rows))


MUTATIONS: dict[str, Mutate] = {
    "renamed classes": renamed_classes,
    "wrapped elements": wrapped_elements,
    "reordered blocks": reordered_blocks,
    "removed column": removed_column,
    "halved list": halved_list,
}
