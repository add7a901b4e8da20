"""Mutations: pages changed as sites change, which a wrapper should survive, report, or be healed from.

Each mutation takes a page and the wrapper of its site and returns HTML, the same on every run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import lxml.html

from peneira.page import Page
from peneira.sources.html import read_page
from peneira.texts.cleaning import pruned_html
from peneira.wrappers.saved_columns import SavedColumn
from peneira.wrappers.wrapper import Wrapper, column_reader
from peneira.xpath.finder import normalize_space

Mutate = Callable[[Page, Wrapper], str]

_NAMES = re.compile(r' (class|id)="([^"]*)"')
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
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


def renamed_labels(page: Page, wrapper: Wrapper) -> str:
    """Return the page with other words in place of the labels and table headers that the wrapper goes by; texts that
    are values too stay as they are."""
    labels = {
        normalize_space(text)
        for column in wrapper.fields
        for text in (column.selector.label, column.label, column.header.text if column.header else "")
        if text
    }
    found = wrapper.found_records(column_reader(page))
    values = [text for record in found for value in record.values.values() for text in value.texts]
    tree = _tree(page)
    for element in tree.iter():
        if isinstance(element.tag, str) and (text := _relabelled(element.text, labels, values)) is not None:
            element.text = text
        if (tail := _relabelled(element.tail, labels, values)) is not None:
            element.tail = tail
    return _html(tree)


def _relabelled(text: str | None, labels: set[str], values: Sequence[str]) -> str | None:
    """Return a text with another label, None if it starts with none of these or is a value."""
    bare = normalize_space(text or "")
    label = max((each for each in labels if bare.startswith(each)), key=len, default="")
    if not label or any(bare in value for value in values):
        return None
    end = label[-1] if label[-1] in ":：" else ""
    # lxml takes no control characters, which some pages have
    rest = _CONTROLS.sub("", bare.removeprefix(label))
    return f"{_letters(crc32(label.encode())).capitalize()}{end}{rest}"


def tables_to_lists(page: Page, _wrapper: Wrapper) -> str:
    """Return the page with tables of two cells a row as definition lists, and all other tables as plain blocks."""
    tree = _tree(page)
    for table in tree.iter("table"):
        rows = [row for row in table.iter("tr") if _around(row, "table") is table]
        are_pairs = bool(rows) and all(len(_cells_of(row)) == 2 for row in rows)
        table.tag = "dl" if are_pairs else "section"
        for row in rows:
            cells = _cells_of(row)
            for k, cell in enumerate(cells):
                cell.tag = ("dt", "dd")[k] if are_pairs else "div"
            row.tag = "div"
    for group in tree.xpath("//thead | //tbody | //tfoot"):
        group.tag = "div"
    return _html(tree)


def reordered_columns(page: Page, _wrapper: Wrapper) -> str:
    """Return the page with the rows of label/value tables and definition lists in reverse order, and so the columns of
    other tables but for the first."""
    tree = _tree(page)
    for table in tree.iter("table"):
        rows = [row for row in table.iter("tr") if _around(row, "table") is table]
        counts = {len(_cells_of(row)) for row in rows}
        if len(rows) > 1 and counts == {2}:
            _reverse(rows[0].getparent(), [row for row in rows if row.getparent() is rows[0].getparent()])
        elif len(rows) > 1 and len(counts) == 1 and min(counts) > 2:
            for row in rows:
                _reverse(row, _cells_of(row)[1:])
    for terms in tree.iter("dl"):
        pairs = [child for child in terms if child.tag in ("dt", "dd")]
        if len(pairs) > 2 and [child.tag for child in pairs] == ["dt", "dd"] * (len(pairs) // 2):
            groups = [pairs[k : k + 2] for k in range(0, len(pairs), 2)]
            _reverse(terms, pairs, [child for group in reversed(groups) for child in group])
    return _html(tree)


def new_variant(page: Page, wrapper: Wrapper) -> str:
    """Return the page as it is or, of every second page, in a new variant: classes renamed and elements wrapped."""
    if crc32(page.visible_text(page.body)[:2000].encode()) % 2:
        return page.html()
    return wrapped_elements(read_page(renamed_classes(page, wrapper), url=page.url), wrapper)


def _tree(page: Page) -> Any:
    return lxml.html.document_fromstring(page.html())


def _html(tree: Any) -> str:
    return str(lxml.html.tostring(tree, encoding="unicode"))


def _around(element: Any, tag: str) -> Any:
    return next(element.iterancestors(tag), None)


def _cells_of(row: Any) -> list[Any]:
    return [child for child in row if child.tag in _CELL_TAGS]


def _reverse(parent: Any, children: Sequence[Any], order: Sequence[Any] | None = None) -> None:
    """Put children of an element in reverse or another order, in the places of these children."""
    places = sorted(parent.index(child) for child in children)
    for child in children:
        child.tail = None
        parent.remove(child)
    for place, child in zip(places, order or list(reversed(children)), strict=True):
        parent.insert(place, child)


def _without(page: Page, rows: Sequence[int]) -> str:
    return pruned_html(page, ~page.flags_below(rows))


MUTATIONS: dict[str, Mutate] = {
    "renamed classes": renamed_classes,
    "wrapped elements": wrapped_elements,
    "reordered blocks": reordered_blocks,
    "removed column": removed_column,
    "halved list": halved_list,
    "renamed labels": renamed_labels,
    "tables to lists": tables_to_lists,
    "reordered columns": reordered_columns,
    "new variant": new_variant,
}
