"""Tree matching on shapes: the hot loops in plain Python. Where a compiler is found, ``setup.py`` compiles this same
file with the C types of ``matching.pxd``; tests check that both versions agree with each other and with recursive
definitions.

Trees are the shapes of a subtree index: ``labels``, ``children`` and ``sizes`` are indexed by shape, and children come
before their parents. Equal pairs of shapes are matched once. No function is recursive: pairs wait on an explicit stack.
"""

from __future__ import annotations

from collections.abc import Mapping

# Score, nodes of the first tree, nodes of the second
MatchScore = tuple[float, float, float]

# A pair (a, b) with a >= b is the integer (a << SHIFT) | b
SHIFT = 32
MASK = 0xFFFFFFFF
# Fixed cost of a pair besides its matrix, in cells
PAIR_CELLS = 8


def pair_of(a: int, b: int) -> int:
    """Return an unordered pair of shapes as one integer."""
    return (a << SHIFT) | b if a >= b else (b << SHIFT) | a


def push_missing(
    labels: list[int],
    shapes_a: tuple[int, ...],
    shapes_b: tuple[int, ...],
    known: Mapping[int, object],
    stack: list[int],
) -> None:
    """Push the pairs of different shapes with equal labels that have no score yet."""
    for c in shapes_a:
        for d in shapes_b:
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
    budget: list[int],
) -> int:
    """Return the number of matching nodes of two trees (simple tree matching, Yang 1991), and cache it in ``scores``.

    ``budget`` holds the number of matrix cells that may still be filled, and the number of pairs refused for lack of
    cells. Of a refused pair only the roots are matched, and it is not cached.
    """
    if a == b:
        return sizes[a]
    if labels[a] != labels[b]:
        return 0
    stack = [pair_of(a, b)]
    opened: set[int] = set()
    while stack:
        key = stack[len(stack) - 1]
        larger = key >> SHIFT
        smaller = key & MASK
        children_a = children[larger]
        children_b = children[smaller]
        if key in scores:
            stack.pop()
        elif key in opened:
            stack.pop()
            scores[key] = 1 + best_alignment(labels, sizes, scores, children_a, children_b)
        else:
            cells = PAIR_CELLS + len(children_a) * len(children_b)
            if cells > budget[0]:
                budget[1] += 1
                stack.pop()
            else:
                budget[0] -= cells
                opened.add(key)
                push_missing(labels, children_a, children_b, scores, stack)
    return scores.get(pair_of(a, b), 1)


def best_alignment(
    labels: list[int],
    sizes: list[int],
    scores: dict[int, int],
    children_a: tuple[int, ...],
    children_b: tuple[int, ...],
) -> int:
    """Return the largest sum of scores over pairs of children in order (matrix m of Liu 2011, figure 6)."""
    above = [0] * (len(children_b) + 1)
    for c in children_a:
        row = [0]
        best = 0
        for j in range(len(children_b)):
            d = children_b[j]
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
    return above[len(children_b)]


def repeated_symbols(string: list[int]) -> set[int]:
    """Return the symbols of a string that are inside a repetition of its grammar.

    The grammar is built as in ``peneira.templates.nfa``: a new symbol is added to the next level; a symbol of an
    earlier level is a jump back to that level, and all levels in between are repeated.
    """
    level_of: dict[int, int] = {}
    levels: list[list[int]] = []
    jump_target: list[int] = []  # by level: the lowest level that a jump back from its end leads to
    state = 0
    for symbol in string:
        level = level_of.get(symbol, -1)
        if level < 0:
            level = state
            level_of[symbol] = level
            if level == len(levels):
                levels.append([symbol])
                jump_target.append(level + 1)
            else:
                levels[level].append(symbol)
        elif level < state and level < jump_target[state - 1]:
            jump_target[state - 1] = level
        state = level + 1
    repeated: set[int] = set()
    loop_start = len(levels)
    for k in range(len(levels) - 1, -1, -1):
        if jump_target[k] < loop_start:
            loop_start = jump_target[k]
        if loop_start <= k:
            repeated.update(levels[k])
    return repeated


def root_of(links: dict[int, int], shape: int) -> int:
    """Return the symbol of a shape: the smallest shape that it is linked to. Compresses the path."""
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
    root_a = root_of(links, a)
    root_b = root_of(links, b)
    if root_a < root_b:
        links[root_b] = root_a
    else:
        links[root_a] = root_b


def score_of(matches: dict[int, MatchScore], a: int, b: int) -> float:
    """Return the score of two different shapes with equal labels; 1, for the roots, if they were not matched."""
    match = matches.get(pair_of(a, b))
    return 1.0 if match is None else match[0]


def similarity_of(own: list[float], matches: dict[int, MatchScore], a: int, b: int) -> float:
    """Return the normalised score of two different shapes with equal labels: score / larger number of nodes."""
    match = matches.get(pair_of(a, b))
    if match is None:
        return 1.0 / max(own[a], own[b])
    score, nodes_a, nodes_b = match
    return min(1.0, score / max(nodes_a, nodes_b))


def group_children(
    labels: list[int], own: list[float], matches: dict[int, MatchScore], kinds: tuple[int, ...], min_similarity: float
) -> dict[int, int]:
    """Return a symbol for each distinct child of a node; children of at least ``min_similarity`` share a symbol."""
    links = {c: c for c in kinds}
    for i in range(len(kinds)):
        for j in range(i):
            c = kinds[i]
            d = kinds[j]
            if labels[c] == labels[d] and similarity_of(own, matches, c, d) >= min_similarity:
                link(links, c, d)
    return {c: root_of(links, c) for c in kinds}


def own_nodes(children: tuple[int, ...], symbol_of: dict[int, int], own: list[float]) -> float:
    """Return the number of nodes of a tree where each list counts as one item of mean size."""
    repeated = repeated_symbols([symbol_of[c] for c in children])
    nodes = 1.0
    sums: dict[int, float] = {}
    counts: dict[int, int] = {}
    for c in children:
        symbol = symbol_of[c]
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
    child_symbols: list[dict[int, int]],
    matches: dict[int, MatchScore],
    a: int,
    b: int,
    tau1: float,
    tau2: float,
    budget: list[int],
) -> MatchScore:
    """Return (score, nodes of a, nodes of b) of two different shapes with equal labels (G-STM, Jindal and Liu 2010).

    By shape, ``kinds`` are the distinct children, ``own`` the result of ``own_nodes`` and ``child_symbols`` that of
    ``group_children``. All pairs are cached in ``matches``, larger shape first.
    """
    stack = [pair_of(a, b)]
    opened: set[int] = set()
    while stack:
        key = stack[len(stack) - 1]
        larger = key >> SHIFT
        smaller = key & MASK
        if key in matches:
            stack.pop()
        elif key in opened:
            stack.pop()
            links = detect_lists(labels, kinds, own, child_symbols, matches, larger, smaller, tau1, tau2)
            matches[key] = matched_lists(labels, children, own, matches, links, larger, smaller, budget)
        else:
            cells = (
                PAIR_CELLS + len(kinds[larger]) * len(kinds[smaller]) + len(children[larger]) + len(children[smaller])
            )
            if cells > budget[0]:
                budget[1] += 1
                stack.pop()
            else:
                budget[0] -= cells
                opened.add(key)
                push_missing(labels, kinds[larger], kinds[smaller], matches, stack)
    match = matches.get(pair_of(a, b))
    if match is None:
        return 1.0, own[a], own[b]
    score, nodes_a, nodes_b = match
    return (score, nodes_a, nodes_b) if a >= b else (score, nodes_b, nodes_a)


def detect_lists(
    labels: list[int],
    kinds: list[tuple[int, ...]],
    own: list[float],
    child_symbols: list[dict[int, int]],
    matches: dict[int, MatchScore],
    a: int,
    b: int,
    tau1: float,
    tau2: float,
) -> dict[int, int]:
    """Return links that give similar children of two nodes the same symbol (DetectLists).

    Two children are similar if their similarity is above tau1 and at least tau2 of the best of either child.
    """
    links: dict[int, int] = {}
    for shape in (a, b):
        for c, symbol in child_symbols[shape].items():
            links.setdefault(c, c)
            links.setdefault(symbol, symbol)
            link(links, c, symbol)
    best: dict[int, float] = {}
    similarities: dict[int, float] = {}
    for c in kinds[a]:
        for d in kinds[b]:
            if labels[c] == labels[d]:
                similarity = 1.0 if c == d else similarity_of(own, matches, c, d)
                similarities[(c << SHIFT) | d] = similarity
                if similarity > best.get(c, 0.0):
                    best[c] = similarity
                if similarity > best.get(-1 - d, 0.0):
                    best[-1 - d] = similarity
    for key, similarity in similarities.items():
        c = key >> SHIFT
        d = key & MASK
        if similarity > tau1 and similarity >= tau2 * best[c] and similarity >= tau2 * best[-1 - d]:
            link(links, c, d)
    return links


def matched_lists(
    labels: list[int],
    children: list[tuple[int, ...]],
    own: list[float],
    matches: dict[int, MatchScore],
    links: dict[int, int],
    a: int,
    b: int,
    budget: list[int],
) -> MatchScore:
    """Return the score and nodes of two trees where each list counts once (UpdateW, then the best alignment)."""
    symbols_a = [root_of(links, c) for c in children[a]]
    symbols_b = [root_of(links, d) for d in children[b]]
    repeated = repeated_symbols(symbols_a) | repeated_symbols(symbols_b)
    averages = list_averages(labels, own, matches, children[a], children[b], symbols_a, symbols_b, repeated)
    nodes_a = 1.0
    nodes_b = 1.0
    for symbol in sorted(repeated):
        _, in_a, in_b = averages[symbol]
        nodes_a += in_a
        nodes_b += in_b
    firsts_a: list[int] = []
    firsts_b: list[int] = []
    nodes_a += without_repeats(children[a], symbols_a, repeated, own, firsts_a)
    nodes_b += without_repeats(children[b], symbols_b, repeated, own, firsts_b)
    budget[0] -= len(firsts_a) * len(firsts_b)
    above = [0.0] * (len(firsts_b) + 1)
    for i in firsts_a:
        c = children[a][i]
        row = [0.0]
        best = 0.0
        for k in range(len(firsts_b)):
            j = firsts_b[k]
            d = children[b][j]
            matched = above[k]
            if symbols_a[i] == symbols_b[j] and symbols_a[i] in repeated:
                matched += averages[symbols_a[i]][0]
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
    """Append the indexes of children outside lists and of each list's first item; return the nodes of the former."""
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
    matches: dict[int, MatchScore],
    children_a: tuple[int, ...],
    children_b: tuple[int, ...],
    symbols_a: list[int],
    symbols_b: list[int],
    repeated: set[int],
) -> dict[int, MatchScore]:
    """Return for each repeated symbol the mean score of pairs of its items, and the mean nodes of an item per tree."""
    counts_a = item_counts(children_a, symbols_a, repeated)
    counts_b = item_counts(children_b, symbols_b, repeated)
    averages: dict[int, MatchScore] = {}
    for symbol in repeated:
        items_a = counts_a.get(symbol, {})
        items_b = counts_b.get(symbol, {})
        total = 0.0
        pairs = 0
        for c, count_a in items_a.items():
            for d, count_b in items_b.items():
                pairs += count_a * count_b
                if c == d:
                    total += own[c] * count_a * count_b
                elif labels[c] == labels[d]:
                    total += score_of(matches, c, d) * count_a * count_b
        score = total / pairs if pairs else 0.0
        averages[symbol] = (score, mean_nodes(items_a, own), mean_nodes(items_b, own))
    return averages


def item_counts(children: tuple[int, ...], string: list[int], repeated: set[int]) -> dict[int, dict[int, int]]:
    """Return the number of children of each shape, by repeated symbol."""
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
    for shape, item_count in items.items():
        total += own[shape] * item_count
        count += item_count
    return total / count if count else 0.0
