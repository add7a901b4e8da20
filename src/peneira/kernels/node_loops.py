"""Loops over the nodes of a page, in plain Python. Where a compiler is found, ``setup.py`` compiles this same file with
the C types of ``node_loops.pxd``; tests check that both versions give equal results.

Columns are parallel lists with one entry per row; a parent comes before its children, and a root has parent -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

# lexbor's tag ids: 2 is text, 4 a comment, ids up to 5 are the document and its doctype; elements follow
TEXT_ID = 2
LAST_SPECIAL_ID = 5

StyleAttributes = tuple[tuple[str, str], ...]


def walk(
    nodes: Iterator[Any],
    names: list[str],
    tags: list[int],
    parents: list[int],
    texts: list[str],
    all_attrs: list[Mapping[str, str]],
    spaced: list[bool],
    no_attrs: Mapping[str, str],
    check_every: int,
    is_over: Callable[[], bool],
) -> None:
    """Append a row per element and non-blank text of lexbor's ``nodes``, calling ``is_over`` at intervals of rows.

    White space alone in a ``pre``, between the coloured words of code, begins the next text there.
    """
    codes: dict[int, int] = {}
    row_of: dict[int, int] = {}
    run = 0  # the parent of the previous text, 0 once another node follows it
    space = False
    stop = check_every
    template = pre_code = pre = -1  # ``pre``: the row of the last one that began
    blank = ""
    for node in nodes:
        kind = node.tag_id
        if kind == TEXT_ID:
            if node.is_empty_text_node:
                space = True
                if pre >= 0 and is_inside(parents, row_of[node.parent.mem_id], pre):
                    blank += node.text_content or ""
                continue
            parent_id = node.parent.mem_id
            if parent_id == run and not space:  # other parsers merge neighbouring texts
                texts[-1] += node.text_content or ""
                continue
            run = parent_id
            tags.append(0)
            parents.append(row_of[parent_id])
            if blank and not is_inside(parents, row_of[parent_id], pre):
                blank = ""
            texts.append(blank + (node.text_content or ""))
            blank = ""
            all_attrs.append(no_attrs)
        elif kind > LAST_SPECIAL_ID:
            run = 0
            row = len(tags)
            row_of[node.mem_id] = row
            code = codes.get(kind)
            if code is None:
                code = codes[kind] = len(names)
                names.append(node.tag or "unknown")
                if names[code] == "template":
                    template = code
                elif names[code] == "pre":
                    pre_code = code
            if code == pre_code:
                pre, blank = row, ""
            if code == template:
                for part in node.template_fragments():
                    row_of[part.mem_id] = row
            attrs = node.attributes
            if attrs:
                if None in attrs.values():
                    attrs = {key: value or "" for key, value in attrs.items()}
                all_attrs.append(attrs)
            else:
                all_attrs.append(no_attrs)
            tags.append(code)
            parents.append(row_of.get(node.parent.mem_id, -1) if row else -1)
            texts.append("")
        else:
            run = 0
            continue
        spaced.append(space)
        space = False
        if len(tags) >= stop:
            if is_over():
                break
            stop = len(tags) + check_every


def is_inside(parents: list[int], row: int, element: int) -> bool:
    """Return whether a row is an element or lies in it."""
    while row > element:
        row = parents[row]
    return row == element


def depths_of(parents: list[int]) -> list[int]:
    """Return the number of ancestors of each row."""
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths


def ends_of(parents: list[int]) -> list[int]:
    """Return, for each row, one past the last row of its subtree."""
    ends = list(range(1, len(parents) + 1))
    for i in range(len(parents) - 1, 0, -1):
        parent = parents[i]
        end = ends[i]
        if parent >= 0 and end > ends[parent]:
            ends[parent] = end
    return ends


def style_codes(all_attrs: Sequence[Mapping[str, str]], style_attributes: frozenset[str]) -> list[int]:
    """Return a code per row, equal for equal style attributes in any order; 0 means no style."""
    as_written: dict[StyleAttributes, int] = {(): 0}
    column: list[int] = []
    for attrs in all_attrs:
        if attrs:
            pairs = [pair for pair in attrs.items() if pair[0] in style_attributes]
            column.append(as_written.setdefault(tuple(pairs), len(as_written)) if pairs else 0)
        else:
            column.append(0)
    by_name: dict[StyleAttributes, int] = {}
    codes = [by_name.setdefault(tuple(sorted(style)), len(by_name)) for style in as_written]
    return column if len(by_name) == len(as_written) else [codes[style] for style in column]


def label_codes(all_attrs: Sequence[Mapping[str, str]]) -> tuple[list[int], list[tuple[str, str]]]:
    """Return a code per row, equal for equal class and id, and the (class, id) of each code; 0 means neither."""
    labels: dict[tuple[str, str], int] = {("", ""): 0}
    column: list[int] = []
    for attrs in all_attrs:
        if attrs:
            column.append(labels.setdefault((attrs.get("class", ""), attrs.get("id", "")), len(labels)))
        else:
            column.append(0)
    return column, list(labels)


def path_codes(tags: list[int], parents: list[int], styles: list[int] | None) -> list[int]:
    """Return a code per row, equal for equal tags (and styles, if given) on the path from the root to the row."""
    codes: dict[int, int] = {}
    column: list[int] = []
    width = max(tags, default=0) + 1
    height = max(styles, default=0) + 1 if styles is not None else 1
    for i in range(len(tags)):
        parent = parents[i]
        key = ((column[parent] + 1 if parent >= 0 else 0) * width + tags[i]) * height
        if styles is not None:
            key += styles[i]
        column.append(codes.setdefault(key, len(codes)))
    return column


def shape_ids(tags: list[int], parents: list[int]) -> list[int]:
    """Return an id per row, equal for equal subtrees of tags. A row with parent -1 is part of no other shape."""
    ids: dict[Any, int] = {}
    column = [0] * len(tags)
    shapes_below: list[list[int] | None] = [None] * len(tags)
    for i in range(len(tags) - 1, -1, -1):
        children = shapes_below[i]
        key = tags[i] if children is None else (tags[i], tuple(children))
        shape = ids.setdefault(key, len(ids))
        column[i] = shape
        parent = parents[i]
        if parent >= 0:
            siblings = shapes_below[parent]
            if siblings is None:
                shapes_below[parent] = [shape]
            else:
                siblings.append(shape)
    return column


# An empty comment keeps two neighbouring texts separate when the page is parsed again
SEAM = "<!---->"


def write_rows(
    rows: list[int],
    tags: list[int],
    ends: list[int],
    parents: list[int],
    spaced: list[bool],
    texts: list[str],
    names: list[str],
    void: frozenset[str],
    special: frozenset[str],
    out: list[str],
    as_text: Callable[[str, str, bool], str],
    as_escaped: Callable[[str], str],
    as_attributes: Callable[[int], str],
) -> None:
    """Append the rows as HTML to ``out``: start tags, texts and end tags.

    ``as_text`` writes a text of a ``special`` element, ``as_escaped`` any other. White space that ``walk`` put before a
    text of a ``pre`` is written where it stood, a character for each row that has space before it.
    """
    open_ends: list[int] = []
    open_tags: list[str] = []
    after_text = False
    root = rows[0] if rows else 0
    pre = names.index("pre") if "pre" in names else -1
    pre_end = next_text = -1
    taken = 0
    after = root  # the row after the last one that was written
    above = parents[root] if rows and pre >= 0 else -1
    while above >= 0 and tags[above] != pre:
        above = parents[above]
    if above >= 0:
        pre_end = ends[root]
    for i in rows:
        while open_ends and open_ends[-1] <= i:
            open_ends.pop()
            out.append(open_tags.pop())
            after_text = False
        tag = tags[i]
        # the space before rows that are left out is one before the next
        is_spaced = i != root and (spaced[i] or (after < i and spaced[after]))
        after = i + 1
        if is_spaced:
            space = " "
            if i < pre_end:
                if next_text < i:
                    next_text, taken = i, 0
                    while next_text < pre_end and tags[next_text] != 0 and tags[next_text] != pre:
                        next_text += 1
                start = texts[next_text][taken : taken + 1] if next_text < pre_end else ""
                if start and start in " \t\n\f\r":
                    # the parser takes a line break that begins a `pre` away
                    is_eaten = start == "\n" and i == parents[i] + 1 and tags[parents[i]] == pre
                    space = "\n\n" if is_eaten else as_escaped(start)
                    taken += 1
            out.append((SEAM if after_text else "") + (space + SEAM if tag == 0 else space))
        elif after_text and tag == 0:
            out.append(SEAM)
        if tag == 0:
            parent = parents[i]
            name = names[tags[parent]] if parent >= 0 else ""
            text = texts[i][taken:] if i == next_text else texts[i]
            out.append(as_text(text, name, i == parent + 1 and not is_spaced) if name in special else as_escaped(text))
            after_text = True
            continue
        after_text = False
        name = names[tag]
        out.append("<" + name + as_attributes(i) + ">")
        end = ends[i]
        if tag == pre:
            pre_end = end
        if end > i + 1 or name not in void:
            open_ends.append(end)
            open_tags.append("</" + name + ">")
    if "</plaintext>" not in open_tags:  # a plaintext element has no end
        open_tags.reverse()
        out.extend(open_tags)
