"""The hot loops, in plain Python. Where a compiler is found, ``setup.py`` compiles this very file (with the C types of
``kernels.pxd``) and Python imports the compiled twin in its place; the tests hold both equal.

Rows are parallel lists; a parent comes before its children, and the parent of a root is -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

# lexbor's numbers: 2 is text, 4 a comment, up to 5 document and doctype; elements come after
TEXT_ID = 2
LAST_SPECIAL_ID = 5

Look = tuple[tuple[str, str], ...]


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
    """Append one row per element and non-blank text of lexbor's ``nodes``; ask ``is_over`` every so many rows."""
    codes: dict[int, int] = {}
    row_of: dict[int, int] = {}
    run = 0  # the parent of the text seen last, while nothing else has come
    space = False
    stop = check_every
    template = -1
    for node in nodes:
        kind = node.tag_id
        if kind == TEXT_ID:
            if node.is_empty_text_node:
                space = True
                continue
            above = node.parent.mem_id
            if above == run and not space:  # neighbouring texts are one in every other tree
                texts[-1] += node.text_content or ""
                continue
            run = above
            tags.append(0)
            parents.append(row_of[above])
            texts.append(node.text_content or "")
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


def depths_of(parents: list[int]) -> list[int]:
    """Return how many ancestors each row has."""
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths


def ends_of(parents: list[int]) -> list[int]:
    """Return for each row one past the last row of its subtree."""
    ends = list(range(1, len(parents) + 1))
    for i in range(len(parents) - 1, 0, -1):
        parent = parents[i]
        end = ends[i]
        if parent >= 0 and end > ends[parent]:
            ends[parent] = end
    return ends


def style_codes(all_attrs: Sequence[Mapping[str, str]], style_attributes: frozenset[str]) -> list[int]:
    """Return a code per row: equal codes, equal style attributes in whatever order. 0 is no style."""
    written: dict[Look, int] = {(): 0}
    column: list[int] = []
    for attrs in all_attrs:
        if attrs:
            pairs = [pair for pair in attrs.items() if pair[0] in style_attributes]
            column.append(written.setdefault(tuple(pairs), len(written)) if pairs else 0)
        else:
            column.append(0)
    looks: dict[Look, int] = {}
    codes = [looks.setdefault(tuple(sorted(look)), len(looks)) for look in written]
    return column if len(looks) == len(written) else [codes[style] for style in column]


def label_codes(all_attrs: Sequence[Mapping[str, str]]) -> tuple[list[int], list[tuple[str, str]]]:
    """Return a code per row, equal for equal classes and ids, and the class and the id of each code. 0 is neither."""
    labels: dict[tuple[str, str], int] = {("", ""): 0}
    column: list[int] = []
    for attrs in all_attrs:
        if attrs:
            column.append(labels.setdefault((attrs.get("class", ""), attrs.get("id", "")), len(labels)))
        else:
            column.append(0)
    return column, list(labels)


def path_codes(tags: list[int], parents: list[int], styles: list[int] | None) -> list[int]:
    """Return a code per row: equal codes, equal tags (and styles, if given) from the root down to the row."""
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
    """Return an id per row: equal ids, equal subtrees over tags. A row with parent -1 counts in no other's shape."""
    ids: dict[Any, int] = {}
    column = [0] * len(tags)
    below: list[list[int] | None] = [None] * len(tags)
    for i in range(len(tags) - 1, -1, -1):
        children = below[i]
        key = tags[i] if children is None else (tags[i], tuple(children))
        shape = ids.setdefault(key, len(ids))
        column[i] = shape
        parent = parents[i]
        if parent >= 0:
            siblings = below[parent]
            if siblings is None:
                below[parent] = [shape]
            else:
                siblings.append(shape)
    return column


# Keeps two neighbouring texts apart when the page is parsed again
SEAM = "<!---->"


def write_rows(
    rows: list[int],
    tags: list[int],
    ends: list[int],
    parents: list[int],
    spaced: list[bool],
    texts: list[str],
    all_attrs: Sequence[Mapping[str, str]],
    names: list[str],
    void: frozenset[str],
    out: list[str],
    as_text: Callable[[str, str, bool], str],
    as_attributes: Callable[[Mapping[str, str]], str],
) -> None:
    """Append the rows as HTML to ``out``: start tags, texts, and end tags where subtrees end."""
    open_ends: list[int] = []
    open_tags: list[str] = []
    after_text = False
    root = rows[0] if rows else 0
    for i in rows:
        while open_ends and open_ends[-1] <= i:
            open_ends.pop()
            out.append(open_tags.pop())
            after_text = False
        tag = tags[i]
        if spaced[i] and i != root:
            out.append((SEAM if after_text else "") + (" " + SEAM if tag == 0 else " "))
        elif after_text and tag == 0:
            out.append(SEAM)
        if tag == 0:
            parent = parents[i]
            out.append(as_text(texts[i], names[tags[parent]] if parent >= 0 else "", i == parent + 1))
            after_text = True
            continue
        after_text = False
        name = names[tag]
        attrs = all_attrs[i]
        out.append("<" + name + (as_attributes(attrs) if attrs else "") + ">")
        end = ends[i]
        if end > i + 1 or name not in void:
            open_ends.append(end)
            open_tags.append("</" + name + ">")
    if "</plaintext>" not in open_tags:  # nothing ends a plaintext
        open_tags.reverse()
        out.extend(open_tags)
