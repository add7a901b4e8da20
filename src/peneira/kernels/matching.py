"""Tree matching on shapes: the hot loops, in plain Python. Where a compiler is found, ``setup.py`` compiles this very
file with the C types of ``matching.pxd``; the tests hold both equal, and both equal to recursive definitions.

Trees are the shapes of a forest: ``labels``, ``children`` and ``sizes`` by shape, children before their parents. Equal
pairs of shapes are matched once. No function recurses: what a pair needs is kept on a stack of our own.
"""

from __future__ import annotations

from collections.abc import Mapping

Match = tuple[float, float, float]

# A pair (a, b) with a >= b is the number (a << SHIFT) | b
SHIFT = 32
MASK = 0xFFFFFFFF
# What a pair costs besides its matrix, in cells of a matrix
PAIR_CELLS = 8


def pair_of(a: int, b: int) -> int:
    """Return the number of an unordered pair of shapes."""
    return (a << SHIFT) | b if a >= b else (b << SHIFT) | a


def push_missing(
    labels: list[int], ones: tuple[int, ...], others: tuple[int, ...], known: Mapping[int, object], stack: list[int]
) -> None:
    """Push the pairs of different shapes of one label that are not known yet."""
    for c in ones:
        for d in others:
            if c != d and labels[c] == labels[d]:
                key = pair_of(c, d)
                if key not in known:
                    stack.append(key)


def simple_match(
    labels: list[int],
    children: list[tuple[int, ...]],
    sizes: list[int],
    scores: dict[int, int],
    a: int,
    b: int,
    left: list[int],
) -> int:
    """Return how many nodes of two trees match (simple tree matching, Yang 1991); every pair on the way is kept.

    ``left`` holds how many cells of matrices may still be filled; beyond that only the roots of a pair are matched, and
    such pairs are not kept.
    """
    if a == b:
        return sizes[a]
    if labels[a] != labels[b]:
        return 0
    stack = [pair_of(a, b)]
    opened: set[int] = set()
    while stack:
        key = stack[len(stack) - 1]
        one = key >> SHIFT
        other = key & MASK
        ones = children[one]
        others = children[other]
        if key in scores:
            stack.pop()
        elif key in opened:
            stack.pop()
            scores[key] = 1 + best_alignment(labels, sizes, scores, ones, others)
        else:
            cells = PAIR_CELLS + len(ones) * len(others)
            if cells > left[0]:
                left[1] += 1
                stack.pop()
            else:
                left[0] -= cells
                opened.add(key)
                push_missing(labels, ones, others, scores, stack)
    return scores.get(pair_of(a, b), 1)


def best_alignment(
    labels: list[int], sizes: list[int], scores: dict[int, int], ones: tuple[int, ...], others: tuple[int, ...]
) -> int:
    """Return the best sum of scores over pairs of children that keep their order (m of Liu 2011, figure 6)."""
    above = [0] * (len(others) + 1)
    for c in ones:
        row = [0]
        best = 0
        for j in range(len(others)):
            d = others[j]
            matched = above[j]
            if c == d:
                matched += sizes[c]
            elif labels[c] == labels[d]:
                matched += scores.get(pair_of(c, d), 1)
            if above[j + 1] > best:
                best = above[j + 1]
            if matched > best:
                best = matched
            row.append(best)
        above = row
    return above[len(others)]


def repeated_symbols(string: list[int]) -> set[int]:
    """Return the symbols of a string that lie in a repetition of its grammar.

    The grammar grows as in ``peneira.templates.grammar``: a new symbol is put on the level that comes next, a symbol of
    an earlier level is a jump back to it, and all levels between are repeated.
    """
    level_of: dict[int, int] = {}
    levels: list[list[int]] = []
    lowest: list[int] = []  # by level: where the jumps back from behind it lead
    state = 0
    for symbol in string:
        level = level_of.get(symbol, -1)
        if level < 0:
            level = state
            level_of[symbol] = level
            if level == len(levels):
                levels.append([symbol])
                lowest.append(level + 1)
            else:
                levels[level].append(symbol)
        elif level < state and level < lowest[state - 1]:
            lowest[state - 1] = level
        state = level + 1
    found: set[int] = set()
    reach = len(levels)
    for k in range(len(levels) - 1, -1, -1):
        if lowest[k] < reach:
            reach = lowest[k]
        if reach <= k:
            found.update(levels[k])
    return found


def root_of(links: dict[int, int], shape: int) -> int:
    """Return the symbol of a shape: the smallest shape it is linked to. Paths are shortened on the way."""
    root = shape
    while links[root] != root:
        root = links[root]
    while links[shape] != root:
        following = links[shape]
        links[shape] = root
        shape = following
    return root


def link(links: dict[int, int], a: int, b: int) -> None:
    """Give two shapes the same symbol."""
    one = root_of(links, a)
    other = root_of(links, b)
    if one < other:
        links[other] = one
    else:
        links[one] = other


def score_of(matches: dict[int, Match], a: int, b: int) -> float:
    """Return the score of two different shapes of one label; that of their roots where they were not matched."""
    found = matches.get(pair_of(a, b))
    return 1.0 if found is None else found[0]


def share_of(own: list[float], matches: dict[int, Match], a: int, b: int) -> float:
    """Return the normalised score of two different shapes of one label: the score over the larger number of nodes."""
    found = matches.get(pair_of(a, b))
    if found is None:
        return 1.0 / max(own[a], own[b])
    score, ones, others = found
    return min(1.0, score / max(ones, others))


def group_children(
    labels: list[int], own: list[float], matches: dict[int, Match], kinds: tuple[int, ...], least: float
) -> dict[int, int]:
    """Return a symbol for each kind of child of one node: children that match at least so well have one symbol."""
    links = {c: c for c in kinds}
    for i in range(len(kinds)):
        for j in range(i):
            c = kinds[i]
            d = kinds[j]
            if labels[c] == labels[d] and share_of(own, matches, c, d) >= least:
                link(links, c, d)
    return {c: root_of(links, c) for c in kinds}


def own_nodes(children: tuple[int, ...], groups: dict[int, int], own: list[float]) -> float:
    """Return how many nodes a tree has where a list counts once, as the mean of its items."""
    repeated = repeated_symbols([groups[c] for c in children])
    nodes = 1.0
    sums: dict[int, float] = {}
    counts: dict[int, int] = {}
    for c in children:
        symbol = groups[c]
        if symbol in repeated:
            sums[symbol] = sums.get(symbol, 0.0) + own[c]
            counts[symbol] = counts.get(symbol, 0) + 1
        else:
            nodes += own[c]
    for symbol in sums:
        nodes += sums[symbol] / counts[symbol]
    return nodes


def generalised_match(
    labels: list[int],
    children: list[tuple[int, ...]],
    kinds: list[tuple[int, ...]],
    own: list[float],
    groups: list[dict[int, int]],
    matches: dict[int, Match],
    a: int,
    b: int,
    tau1: float,
    tau2: float,
    left: list[int],
) -> Match:
    """Return (score, nodes of a, nodes of b) of two different shapes of one label (G-STM, Jindal and Liu 2010).

    ``kinds`` are the distinct children of each shape, ``own`` and ``groups`` what ``own_nodes`` and ``group_children``
    gave for each. Every pair on the way is kept in ``matches``, larger shape first.
    """
    stack = [pair_of(a, b)]
    opened: set[int] = set()
    while stack:
        key = stack[len(stack) - 1]
        one = key >> SHIFT
        other = key & MASK
        if key in matches:
            stack.pop()
        elif key in opened:
            stack.pop()
            links = detect_lists(labels, kinds, own, groups, matches, one, other, tau1, tau2)
            matches[key] = matched_lists(labels, children, own, matches, links, one, other, left)
        else:
            cells = PAIR_CELLS + len(kinds[one]) * len(kinds[other]) + len(children[one]) + len(children[other])
            if cells > left[0]:
                left[1] += 1
                stack.pop()
            else:
                left[0] -= cells
                opened.add(key)
                push_missing(labels, kinds[one], kinds[other], matches, stack)
    found = matches.get(pair_of(a, b))
    if found is None:
        return 1.0, own[a], own[b]
    score, ones, others = found
    return (score, ones, others) if a >= b else (score, others, ones)


def detect_lists(
    labels: list[int],
    kinds: list[tuple[int, ...]],
    own: list[float],
    groups: list[dict[int, int]],
    matches: dict[int, Match],
    a: int,
    b: int,
    tau1: float,
    tau2: float,
) -> dict[int, int]:
    """Return links that give similar children of two nodes one symbol (DetectLists).

    Similar: the normalised score is above tau1, and at least tau2 of the best that either child has.
    """
    links: dict[int, int] = {}
    for shape in (a, b):
        for c, symbol in groups[shape].items():
            links.setdefault(c, c)
            links.setdefault(symbol, symbol)
            link(links, c, symbol)
    best: dict[int, float] = {}
    shares: dict[int, float] = {}
    for c in kinds[a]:
        for d in kinds[b]:
            if labels[c] == labels[d]:
                share = 1.0 if c == d else share_of(own, matches, c, d)
                shares[(c << SHIFT) | d] = share
                if share > best.get(c, 0.0):
                    best[c] = share
                if share > best.get(-1 - d, 0.0):
                    best[-1 - d] = share
    for key, share in shares.items():
        c = key >> SHIFT
        d = key & MASK
        if share > tau1 and share >= tau2 * best[c] and share >= tau2 * best[-1 - d]:
            link(links, c, d)
    return links


def matched_lists(
    labels: list[int],
    children: list[tuple[int, ...]],
    own: list[float],
    matches: dict[int, Match],
    links: dict[int, int],
    a: int,
    b: int,
    left: list[int],
) -> Match:
    """Return score and nodes of two trees where each list counts once (UpdateW, then the best alignment)."""
    ones = [root_of(links, c) for c in children[a]]
    others = [root_of(links, d) for d in children[b]]
    repeated = repeated_symbols(ones) | repeated_symbols(others)
    averages = list_averages(labels, own, matches, children[a], children[b], ones, others, repeated)
    nodes_a = 1.0
    nodes_b = 1.0
    for symbol in sorted(repeated):
        _, in_a, in_b = averages[symbol]
        nodes_a += in_a
        nodes_b += in_b
    firsts_a: list[int] = []
    firsts_b: list[int] = []
    nodes_a += without_repeats(children[a], ones, repeated, own, firsts_a)
    nodes_b += without_repeats(children[b], others, repeated, own, firsts_b)
    left[0] -= len(firsts_a) * len(firsts_b)
    above = [0.0] * (len(firsts_b) + 1)
    for i in firsts_a:
        c = children[a][i]
        row = [0.0]
        best = 0.0
        for k in range(len(firsts_b)):
            j = firsts_b[k]
            d = children[b][j]
            matched = above[k]
            if ones[i] == others[j] and ones[i] in repeated:
                matched += averages[ones[i]][0]
            elif c == d:
                matched += own[c]
            elif labels[c] == labels[d]:
                matched += score_of(matches, c, d)
            if above[k + 1] > best:
                best = above[k + 1]
            if matched > best:
                best = matched
            row.append(best)
        above = row
    return min(1.0 + above[len(firsts_b)], nodes_a, nodes_b), nodes_a, nodes_b


def without_repeats(
    children: tuple[int, ...], string: list[int], repeated: set[int], own: list[float], firsts: list[int]
) -> float:
    """Append the places of the children that count, of each list the first; return the nodes of those in no list."""
    nodes = 0.0
    seen: set[int] = set()
    for i in range(len(children)):
        symbol = string[i]
        if symbol not in repeated:
            nodes += own[children[i]]
            firsts.append(i)
        elif symbol not in seen:
            seen.add(symbol)
            firsts.append(i)
    return nodes


def list_averages(
    labels: list[int],
    own: list[float],
    matches: dict[int, Match],
    children_a: tuple[int, ...],
    children_b: tuple[int, ...],
    ones: list[int],
    others: list[int],
    repeated: set[int],
) -> dict[int, Match]:
    """Return for each repeated symbol the mean score of its items in both trees, and their mean nodes in each."""
    counts_a = item_counts(children_a, ones, repeated)
    counts_b = item_counts(children_b, others, repeated)
    averages: dict[int, Match] = {}
    for symbol in repeated:
        items_a = counts_a.get(symbol, {})
        items_b = counts_b.get(symbol, {})
        total = 0.0
        weights = 0
        for c, many in items_a.items():
            for d, more in items_b.items():
                weights += many * more
                if c == d:
                    total += own[c] * many * more
                elif labels[c] == labels[d]:
                    total += score_of(matches, c, d) * many * more
        score = total / weights if weights else 0.0
        averages[symbol] = (score, mean_nodes(items_a, own), mean_nodes(items_b, own))
    return averages


def item_counts(children: tuple[int, ...], string: list[int], repeated: set[int]) -> dict[int, dict[int, int]]:
    """Return how often each shape occurs under each repeated symbol."""
    counts: dict[int, dict[int, int]] = {}
    for i in range(len(children)):
        if string[i] in repeated:
            items = counts.setdefault(string[i], {})
            items[children[i]] = items.get(children[i], 0) + 1
    return counts


def mean_nodes(items: dict[int, int], own: list[float]) -> float:
    """Return the mean number of nodes of the items, 0 if there are none."""
    total = 0.0
    count = 0
    for shape, many in items.items():
        total += own[shape] * many
        count += many
    return total / count if count else 0.0
