"""Tree edit distance: the hot loops in plain Python. Where a compiler is distance, ``setup.py`` compiles this same file
with the C types of ``editing.pxd``; tests check that both versions give equal results.

The algorithm of Zhang and Shasha (1989) on the shapes of a subtree index. It follows the leftmost paths of both trees,
or the rightmost paths if that is less work (RTED and APTED choose among more kinds of paths), and it computes each pair
of subtrees once. No function is recursive.
"""

from __future__ import annotations

SHIFT = 32


def pair_of(a: int, b: int) -> int:
    """Return an ordered pair of shapes as one integer."""
    return (a << SHIFT) | b


def post_order(children: list[tuple[int, ...]], root: int, mirrored: bool) -> tuple[list[int], list[int]]:
    """Return the shapes of a tree in post-order, and the index of each node's first leaf.

    ``mirrored`` reverses the children of every node.
    """
    order: list[int] = []
    pending: list[int] = [root]
    while pending:  # root, last child, ..., first child: the reverse of post-order
        shape = pending.pop()
        order.append(shape)
        own_children = children[shape]
        if mirrored:
            pending.extend(own_children[::-1])
        else:
            pending.extend(own_children)
    order.reverse()
    firsts: list[int] = []
    stack: list[int] = []
    for i in range(len(order)):
        child_count = len(children[order[i]])
        first = i
        if child_count:
            first = firsts[stack[len(stack) - child_count]]
            del stack[len(stack) - child_count :]
        firsts.append(first)
        stack.append(i)
    return order, firsts


def key_roots(firsts: list[int]) -> list[int]:
    """Return the key roots: for each first leaf, the highest node that has it."""
    highest: dict[int, int] = {}
    for i in range(len(firsts)):
        highest[firsts[i]] = i
    return sorted(highest.values())


def path_work(firsts: list[int], roots: list[int]) -> int:
    """Return the total size of the subtrees of the key roots, to which the running time is proportional."""
    total = 0
    for i in roots:
        total += i - firsts[i] + 1
    return total


def fill_distances(
    labels: list[int],
    order_a: list[int],
    order_b: list[int],
    firsts_a: list[int],
    firsts_b: list[int],
    roots_a: list[int],
    roots_b: list[int],
    known: dict[int, int],
    rename: int,
    remove: int,
) -> int:
    """Return the distance of two trees in post-order, and cache the distances of all pairs of subtrees in ``known``.

    ``remove`` is the cost of removing or adding a node.
    """
    width = len(order_b)
    trees = [-1] * (len(order_a) * width)
    for i in roots_a:
        for j in roots_b:
            if not recall(order_a, order_b, firsts_a, firsts_b, i, j, known, trees, width):
                fill_forests(labels, order_a, order_b, firsts_a, firsts_b, i, j, known, trees, width, rename, remove)
    return trees[len(trees) - 1]


def recall(
    order_a: list[int],
    order_b: list[int],
    firsts_a: list[int],
    firsts_b: list[int],
    i: int,
    j: int,
    known: dict[int, int],
    trees: list[int],
    width: int,
) -> bool:
    """Copy the distances along the paths below two key roots from ``known``; return False if any is missing."""
    a = i
    while a >= firsts_a[i]:
        if firsts_a[a] == firsts_a[i]:
            b = j
            while b >= firsts_b[j]:
                if firsts_b[b] == firsts_b[j]:
                    distance = known.get(pair_of(order_a[a], order_b[b]), -1)
                    if distance < 0:
                        return False
                    trees[a * width + b] = distance
                b -= 1
        a -= 1
    return True


def fill_forests(
    labels: list[int],
    order_a: list[int],
    order_b: list[int],
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
    """Compute the distances along the paths below two key roots from those of all forests starting at their leaves."""
    first_a = firsts_a[i]
    first_b = firsts_b[j]
    row_length = j - first_b + 2
    above = [0] * row_length
    for y in range(1, row_length):
        above[y] = above[y - 1] + remove
    forests = [above]
    for a in range(first_a, i + 1):
        row = [0] * row_length
        row[0] = above[0] + remove
        on_path_a = firsts_a[a] == first_a
        row_before = forests[firsts_a[a] - first_a]
        for b in range(first_b, j + 1):
            y = b - first_b + 1
            best = above[y] + remove
            if row[y - 1] + remove < best:
                best = row[y - 1] + remove
            if on_path_a and firsts_b[b] == first_b:
                matched = above[y - 1]
                if labels[order_a[a]] != labels[order_b[b]]:
                    matched += rename
                if matched < best:
                    best = matched
                trees[a * width + b] = best
                known[pair_of(order_a[a], order_b[b])] = best
            else:
                matched = row_before[firsts_b[b] - first_b] + trees[a * width + b]
                if matched < best:
                    best = matched
            row[y] = best
        forests.append(row)
        above = row
