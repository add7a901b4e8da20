"""Trees for tests, written as nested tuples: ("ul", "li", ("li", "a")); a string is a leaf."""

from __future__ import annotations

from hypothesis import strategies as st

from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_matching import TreeMatcher

Tree = str | tuple["Tree", ...]

trees = st.recursive(
    st.sampled_from("abc"),
    lambda inner: st.builds(
        lambda name, children: (name, *children), st.sampled_from("abc"), st.lists(inner, max_size=5)
    ),
    max_leaves=14,
).map(lambda tree: ("r", tree) if isinstance(tree, str) else ("r", *tree))


def shape(subtrees: SubtreeIndex, tree: Tree) -> int:
    """Return the shape of a tree."""
    if isinstance(tree, str):
        return subtrees.shape(tree)
    name = tree[0]
    assert isinstance(name, str)
    return subtrees.shape(name, tuple(shape(subtrees, child) for child in tree[1:]))


def name_and_children(tree: Tree) -> tuple[str, tuple[Tree, ...]]:
    """Return the tag of a tree and its children."""
    if isinstance(tree, str):
        return tree, ()
    assert isinstance(tree[0], str)
    return tree[0], tree[1:]


def matcher_of(*tuples: Tree) -> tuple[TreeMatcher, list[int]]:
    """Return a matcher of the trees, and their shapes."""
    subtrees = SubtreeIndex()
    shapes = [shape(subtrees, tree) for tree in tuples]
    return TreeMatcher(subtrees), shapes
