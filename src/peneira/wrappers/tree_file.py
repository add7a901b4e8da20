"""Templates of the published methods as JSON: shapes of subtrees, grammars and the places of columns, in short texts.

A shape is its tag and the numbers of its children; a grammar is an expression in postfix notation, ``0 1 & 2`` joined,
``+`` repeated, ``?`` optional. Everything is checked when it is read: numbers that lead nowhere are errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from peneira.templates.expressions import Conjunction, Disjunction, Expression, Optional, Repeat, Symbol, parts_of
from peneira.templates.grammar import Grammar
from peneira.templates.label_pairs import Labels
from peneira.templates.template import ChildModel, Template, TemplateNode
from peneira.templates.template_columns import Slot
from peneira.templates.tree_wrapper import TreeWrapper
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_matching import TreeMatcher
from peneira.wrappers.json_reader import JsonObject

_KEYS = ("shapes", "models", "nodes", "list", "labels", "lengths", "common", "fixed")
_MODEL = ("symbols", "expression", "count", "variants", "by_count")
_NODE = ("tag", "parent", "shapes", "model", "children", "selectors")
_LABEL, _LENGTH, _FIXED = ("list", "texts"), ("list", "length"), ("slot", "text")
# Far beyond what learning writes; they bound the cost of an edited or hostile file
MAX_SHAPES = 200_000
MAX_NODES = 200_000
MAX_TEXTS = 200_000


def tree_json(tree: TreeWrapper) -> dict[str, object]:
    """Return the template of a wrapper as a JSON object; its columns are elsewhere."""
    subtrees = tree.template.matcher.subtrees
    models: dict[int, int] = {}
    for node in tree.template.nodes:
        models.setdefault(id(node.child_model), len(models))
    by_number = {models[id(node.child_model)]: node.child_model for node in tree.template.nodes}
    selectors = tree.template.selectors or (frozenset(),) * len(tree.template.nodes)
    return {
        "shapes": [_joined((subtrees.name(k), *subtrees.children[k])) for k in range(len(subtrees))],
        "models": [_model_json(by_number[k]) for k in range(len(by_number))],
        "nodes": [
            {
                "tag": node.name,
                "parent": node.parent,
                "shapes": _joined(node.shapes),
                "model": models[id(node.child_model)],
                "children": _joined(node.children),
                "selectors": sorted(own),
            }
            for node, own in zip(tree.template.nodes, selectors, strict=True)
        ],
        "list": list(tree.list_repetition),
        "labels": [{"list": list(key), "texts": sorted(own)} for key, own in sorted(tree.labels.first_texts.items())],
        "lengths": [{"list": list(key), "length": own} for key, own in sorted(tree.labels.lengths.items())],
        "common": [list(pair) for pair in sorted(tree.common_texts)],
        "fixed": [{"slot": list(slot), "text": text} for slot, text in sorted(tree.fixed_texts.items())],
    }


def _joined(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def _model_json(model: ChildModel) -> dict[str, object]:
    return {
        "symbols": _joined(f"{shape}:{symbol}" for shape, symbol in model.symbol_of.items()),
        "expression": _joined(_postfix(model.grammar.expression)),
        "count": model.symbol_count,
        "variants": [_joined((symbol, *variants)) for symbol, variants in model.variants.items()],
        "by_count": model.variants_by_count,
    }


def _postfix(expression: Expression) -> list[str]:
    """Return an expression as tokens, each part before what is made of it."""
    tokens: list[str] = []
    stack: list[Expression] = [expression]
    while stack:
        part = stack.pop()
        parts = parts_of(part)
        if isinstance(part, Symbol):
            tokens.append(str(part.name))
        elif isinstance(part, Repeat | Optional):
            tokens.append("+" if isinstance(part, Repeat) else "?")
        else:
            tokens.append(f"{'&' if isinstance(part, Conjunction) else '|'}{len(parts)}")
        stack.extend(parts)
    return tokens[::-1]


def read_tree(part: JsonObject, method: str, kind: str, slots: tuple[Slot, ...]) -> TreeWrapper:
    """Return the template of a JSON object, without the names of its columns."""
    part.only(_KEYS)
    subtrees = _shapes(part)
    models = [
        _model(JsonObject(f"{part.where}: models[{k}]", entry), len(subtrees))
        for k, entry in enumerate(part.get("models", list))
    ]
    entries = [
        JsonObject(f"{part.where}: nodes[{k}]", entry) for k, entry in enumerate(part.get("nodes", list)[:MAX_NODES])
    ]
    if not entries:
        raise part.error("nodes", "a template has at least one node")
    nodes = tuple(_node(entry, k, len(entries), models, len(subtrees)) for k, entry in enumerate(entries))
    for slot in slots:
        if not 0 <= slot[0] < len(nodes):
            raise part.error("nodes", f"a column is at node {slot[0]}, of which there is none")
    matcher = TreeMatcher(subtrees)
    selectors = tuple(frozenset(entry.texts("selectors")) for entry in entries)
    template = Template(nodes, matcher, selectors)
    tree = TreeWrapper(
        method,
        "list" if kind == "list" else "detail",
        template,
        slots,
        (),
        _numbers(part, "list", len(nodes)),
        Labels(
            {
                _numbers(entry, "list", len(nodes)): frozenset(entry.texts("texts"))
                for entry in _entries(part, "labels", _LABEL)
            },
            {
                _numbers(entry, "list", len(nodes)): entry.count("length")
                for entry in _entries(part, "lengths", _LENGTH)
            },
        ),
        frozenset(_pair(part, entry) for entry in part.get("common", list)[:MAX_TEXTS]),
        {read_slot(entry): entry.get("text", str) for entry in _entries(part, "fixed", _FIXED)},
    )
    if kind == "list" and not tree.list_repetition:
        raise part.error("list", "a template of lists says which repetition the list is")
    matcher.prepare()
    matcher.save_state()
    return tree


def read_slot(part: JsonObject, key: str = "slot") -> Slot:
    """Return the place of a column: a node of the template, an attribute and a label."""
    values = part.get(key, list)
    if len(values) != 3 or type(values[0]) is not int or not all(isinstance(value, str) for value in values[1:]):
        raise part.error(key, "is the number of a node, an attribute and a label")
    return values[0], values[1], values[2]


def _entries(part: JsonObject, key: str, known: tuple[str, ...]) -> list[JsonObject]:
    entries = [
        JsonObject(f"{part.where}: {key}[{k}]", entry) for k, entry in enumerate(part.get(key, list)[:MAX_TEXTS])
    ]
    for entry in entries:
        entry.only(known)
    return entries


def _pair(part: JsonObject, entry: object) -> tuple[str, str]:
    if not isinstance(entry, list) or len(entry) != 2 or not all(isinstance(value, str) for value in entry):
        raise part.error("common", "is a list of pairs of attribute and text")
    return entry[0], entry[1]


def _numbers(part: JsonObject, key: str, nodes: int) -> tuple[int, ...]:
    values = part.get(key, list)
    if not all(type(value) is int and value >= 0 for value in values) or (values and values[0] >= nodes):
        raise part.error(key, "is a list of whole numbers, the first that of a node")
    return tuple(values)


def _shapes(part: JsonObject) -> SubtreeIndex:
    subtrees = SubtreeIndex()
    texts = part.texts("shapes")
    if len(texts) > MAX_SHAPES:
        raise part.error("shapes", f"has more than {MAX_SHAPES:,} entries")
    for k, text in enumerate(texts):
        name, _, rest = text.partition(" ")
        children = _integers(part, "shapes", rest, lambda child, shapes=k: 0 <= child < shapes)  # type: ignore[misc]
        if not name or subtrees.shape(name, children) != k:
            raise part.error("shapes", f"{text[:60]!r} is there twice, or has no tag")
    return subtrees


def _integers(part: JsonObject, key: str, text: str, is_known: Callable[[int], bool]) -> tuple[int, ...]:
    words = text.split()
    if not all(word.isascii() and word.isdigit() and len(word) < 10 and is_known(int(word)) for word in words):
        raise part.error(key, f"{text[:60]!r} has a number that leads nowhere")
    return tuple(map(int, words))


def _model(part: JsonObject, shapes: int) -> ChildModel:
    part.only(_MODEL)
    count = part.count("count")
    symbols: dict[int, int] = {}
    for word in part.get("symbols", str).split():
        shape, _, symbol = word.partition(":")
        numbers = _integers(part, "symbols", f"{shape} {symbol}", lambda number: number < max(shapes, count))
        if len(numbers) != 2 or numbers[0] >= shapes or numbers[1] >= count:
            raise part.error("symbols", f"{word[:40]!r} is not a shape and its symbol")
        symbols[numbers[0]] = numbers[1]
    variants: dict[int, tuple[int, ...]] = {}
    for text in part.texts("variants"):
        first, *others = _integers(part, "variants", text, lambda number: number < count) or (-1,)
        if first < 0 or not others:
            raise part.error("variants", f"{text[:40]!r} is not a symbol and its variants")
        variants[first] = tuple(others)
    expression = _expression(part, count)
    return ChildModel(symbols, Grammar(expression), count, variants, part.get("by_count", bool))


def _expression(part: JsonObject, count: int) -> Expression:
    """Return the expression of a text in postfix notation; each symbol occurs once at most."""
    text = part.get("expression", str)
    stack: list[Expression] = []
    seen: set[int] = set()
    for token in text.split():
        sign, rest = token[0], token[1:]
        if sign.isdigit():
            (number,) = _integers(part, "expression", token, lambda symbol: symbol < count and symbol not in seen)
            seen.add(number)
            stack.append(Symbol(number))
        elif sign in "+?" and not rest and stack:
            item = stack.pop()
            stack.append(Repeat(item) if sign == "+" else Optional(item))
        elif sign in "&|" and rest.isascii() and rest.isdigit() and int(rest) <= len(stack):
            size = int(rest)
            items = tuple(stack[len(stack) - size :])
            del stack[len(stack) - size :]
            stack.append(Conjunction(items) if sign == "&" else Disjunction(items))
        else:
            raise part.error("expression", f"{token[:20]!r} is no part of an expression")
    if len(stack) != 1:
        raise part.error("expression", "is not one whole expression")
    return stack[0]


def _node(part: JsonObject, number: int, nodes: int, models: Sequence[ChildModel], shapes: int) -> TemplateNode:
    part.only(_NODE)
    parent = part.get("parent", int)
    if not -1 <= parent < max(number, 1) or (parent < 0) != (number == 0):
        raise part.error("parent", "must be the number of a node before it, -1 for the first")
    model = part.count("model")
    if model >= len(models):
        raise part.error("model", "is the number of none of the models")
    children = _integers(part, "children", part.get("children", str), lambda child: number < child < nodes)
    if len(children) != models[model].symbol_count:
        raise part.error("children", "must be one node for each symbol")
    own = _integers(part, "shapes", part.get("shapes", str), lambda shape: shape < shapes)
    return TemplateNode(part.get("tag", str), parent, own, models[model], children)
