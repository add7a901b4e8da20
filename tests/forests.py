"""Trees for tests, written as nested tuples: ("ul", "li", ("li", "a")); a bare word is a leaf."""

from __future__ import annotations

from hypothesis import strategies as st

from peneira.trees.shapes import SubtreeIndex

Tree = str | tuple["Tree", ...]

trees = st.recursive(
    st.sampled_from("abc"),
    lambda below: st.builds(lambda name, parts: (name, *parts), st.sampled_from("abc"), st.lists(below, max_size=5)),
    max_leaves=14,
).map(lambda tree: ("r", tree) if isinstance(tree, str) else ("r", *tree))


def shape(forest: SubtreeIndex, tree: Tree) -> int:
    """Return the shape of a tree."""
    if isinstance(tree, str):
        return forest.shape(tree)
    name = tree[0]
    assert isinstance(name, str)
    return forest.shape(name, tuple(shape(forest, part) for part in tree[1:]))


def name_and_parts(tree: Tree) -> tuple[str, tuple[Tree, ...]]:
    """Return the tag of a tree and its children."""
    if isinstance(tree, str):
        return tree, ()
    assert isinstance(tree[0], str)
    return tree[0], tree[1:]
