"""Tree edit distance: the hot loops, in plain Python. Where a compiler is found, ``setup.py`` compiles this very file
with the C types of ``editing.pxd``; the tests hold both equal.

The recursion of Zhang and Shasha (1989) over the shapes of a forest. It works along the leftmost paths of both trees,
or along the rightmost ones where that is less work (as RTED and APTED choose, but only between these two), and pairs
of equal subtrees are never looked at twice. No function recurses.
"""

from __future__ import annotations

SHIFT = 32


def pair_of(a: int, b: int) -> int:
    """Return the number of an ordered pair of shapes."""
    return (a << SHIFT) | b


def post_order(children: list[tuple[int, ...]], root: int, mirrored: bool) -> tuple[list[int], list[int]]:
    """Return the shapes of a tree in post-order, and for each node where its first leaf stands.

    ``mirrored``: the tree with the children of every node in reverse order.
    """
    order: list[int] = []
    turned: list[int] = [root]
    while turned:  # root, last child ... first child: the reverse of post-order
        shape = turned.pop()
        order.append(shape)
        below = children[shape]
        if mirrored:
            turned.extend(below[::-1])
        else:
            turned.extend(below)
    order.reverse()
    firsts: list[int] = []
    stack: list[int] = []
    for i in range(len(order)):
        many = len(children[order[i]])
        first = i
        if many:
            first = firsts[stack[len(stack) - many]]
            del stack[len(stack) - many :]
        firsts.append(first)
        stack.append(i)
    return order, firsts


def key_roots(firsts: list[int]) -> list[int]:
    """Return the nodes that are the highest with their first leaf: the roots of the paths that the tree falls into."""
    highest: dict[int, int] = {}
    for i in range(len(firsts)):
        highest[firsts[i]] = i
    return sorted(highest.values())


def path_work(firsts: list[int], roots: list[int]) -> int:
    """Return how many nodes the subtrees of the key roots have together: the work for a tree is in proportion."""
    total = 0
    for i in roots:
        total += i - firsts[i] + 1
    return total


def fill_distances(
    labels: list[int],
    ones: list[int],
    others: list[int],
    firsts_a: list[int],
    firsts_b: list[int],
    roots_a: list[int],
    roots_b: list[int],
    known: dict[int, int],
    rename: int,
    remove: int,
) -> int:
    """Return the distance of two trees in post-order; those of all pairs of subtrees on the way are kept in ``known``.

    ``remove`` is what a removed or an added node costs.
    """
    width = len(others)
    trees = [-1] * (len(ones) * width)
    for i in roots_a:
        for j in roots_b:
            if not recall(ones, others, firsts_a, firsts_b, i, j, known, trees, width):
                fill_forests(labels, ones, others, firsts_a, firsts_b, i, j, known, trees, width, rename, remove)
    return trees[len(trees) - 1]


def recall(
    ones: list[int],
    others: list[int],
    firsts_a: list[int],
    firsts_b: list[int],
    i: int,
    j: int,
    known: dict[int, int],
    trees: list[int],
    width: int,
) -> bool:
    """Fill in the distances along the paths below two key roots, if all of them are known."""
    a = i
    while a >= firsts_a[i]:
        if firsts_a[a] == firsts_a[i]:
            b = j
            while b >= firsts_b[j]:
                if firsts_b[b] == firsts_b[j]:
                    found = known.get(pair_of(ones[a], others[b]), -1)
                    if found < 0:
                        return False
                    trees[a * width + b] = found
                b -= 1
        a -= 1
    return True


def fill_forests(
    labels: list[int],
    ones: list[int],
    others: list[int],
    firsts_a: list[int],
    firsts_b: list[int],
    i: int,
    j: int,
    known: dict[int, int],
    trees: list[int],
    width: int,
    rename: int,
    remove: int,
) -> None:
    """Fill in the distances along the paths below two key roots by those of all forests that start at their leaves."""
    first_a = firsts_a[i]
    first_b = firsts_b[j]
    wide = j - first_b + 2
    above = [0] * wide
    for y in range(1, wide):
        above[y] = above[y - 1] + remove
    forests = [above]
    for a in range(first_a, i + 1):
        row = [0] * wide
        row[0] = above[0] + remove
        on_path_a = firsts_a[a] == first_a
        before = forests[firsts_a[a] - first_a]
        for b in range(first_b, j + 1):
            y = b - first_b + 1
            best = above[y] + remove
            if row[y - 1] + remove < best:
                best = row[y - 1] + remove
            if on_path_a and firsts_b[b] == first_b:
                kept = above[y - 1]
                if labels[ones[a]] != labels[others[b]]:
                    kept += rename
                if kept < best:
                    best = kept
                trees[a * width + b] = best
                known[pair_of(ones[a], others[b])] = best
            else:
                kept = before[firsts_b[b] - first_b] + trees[a * width + b]
                if kept < best:
                    best = kept
            row[y] = best
        forests.append(row)
        above = row
