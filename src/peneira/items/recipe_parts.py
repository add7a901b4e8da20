"""The ingredients and the steps that a page shows, found by its headings and by the names of its elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from peneira.items.claims import Claim, normal_form
from peneira.items.lines import Line
from peneira.items.page_view import PageView, once_per_view
from peneira.items.typed_claims import claim_of
from peneira.items.word_lists import word_lists
from peneira.phrase_search import PhraseSearch, part_search

MAX_HEADING_CHARS = 45
# Letters of a heading after and before the word for the part: "Ingredients for 4 people", "The ingredients"
MAX_MORE, MAX_BEFORE = 18, 6
MIN_INGREDIENTS, MAX_INGREDIENTS = 2, 120
MAX_INGREDIENT_CHARS, MAX_STEP_CHARS = 220, 3000
MIN_STEP_CHARS = 12
MAX_STEPS = 80
# Ingredients of more lines than this have their amounts in lines of their own
MAX_LINES_EACH = 1.5
_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
# Set by hand: how often what a heading or a class names is the list
PROBABILITY = 0.7
_NUMBERED = re.compile(
    r"^(?:step|schritt|étape|paso|passo|stap|krok|steg|trin|шаг)?\s*\d{1,2}\s*[.):]?$", re.IGNORECASE
)
_LEADING_NUMBER = re.compile(r"^\d{1,2}[.)]\s+")
_AMOUNT = re.compile(r"[\d½¼¾⅓⅔⅛⅜⅝⅞]|(?:a|an|one|two|ein|eine|une|un|una|een|en|et) ", re.IGNORECASE)
# Without steps, a list with this many amounts is that of a recipe
MIN_AMOUNTS = 4
_CHECKBOX = "▢☐□✓•·-– \u00a0"


def recipe_claims(view: PageView) -> Iterator[Claim]:
    """Yield the ingredients and the steps that the page shows."""
    for role, lines in (("ingredients", ingredient_lines(view)), ("steps", step_lines(view))):
        texts = tuple(_clean(line.text, role) for line in lines)
        if texts:
            yield claim_of(role, "\n".join(texts), "page", PROBABILITY, lines[0].start, items=texts)


def with_shown_amounts(view: PageView, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims; ingredients of a script without their amounts are replaced by those that the page shows."""
    return [_with_amounts(view, claim) if claim.role == "ingredients" else claim for claim in claims]


def _with_amounts(view: PageView, claim: Claim) -> Claim:
    if claim.source == "page" or not _lacks_amounts(claim.items):
        return claim
    lines = ingredient_lines(view)
    texts = tuple(_clean(line.text, "ingredients") for line in lines)
    names = normal_form(" ".join(texts))
    shown = sum(normal_form(item) in names for item in claim.items)
    if 3 * shown < 2 * len(claim.items) or len(texts) > 4 * len(claim.items):
        return claim
    if len(texts) > MAX_LINES_EACH * len(claim.items):
        texts = _paired(texts, claim.items)
    if _lacks_amounts(texts):
        return claim
    return claim_of("ingredients", "\n".join(texts), "page", claim.probability, lines[0].start, items=texts)


def _paired(texts: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of each ingredient as one: those before its name, or after it if the list begins with a name."""
    forms = {normal_form(name) for name in names}
    at = [k for k, text in enumerate(texts) if normal_form(text) in forms]
    if len(at) < 2:
        return ()
    amount_after = at[0] == 0 or not _AMOUNT.match(texts[at[0] - 1])
    ends = [*at[1:], len(texts)]
    if amount_after:
        return tuple(" ".join((*texts[k + 1 : end], texts[k])) for k, end in zip(at, ends, strict=True))
    starts = [max(at[0] - 1, 0), *(k + 1 for k in at[:-1])]
    return tuple(" ".join(texts[start : k + 1]) for start, k in zip(starts, at, strict=True))


def _lacks_amounts(texts: Sequence[str]) -> bool:
    return 3 * sum(any(char.isnumeric() for char in text) for text in texts) < len(texts)


def has_recipe(view: PageView) -> bool:
    """Return whether the page shows ingredients with amounts, and what to do with them or many of them."""
    ingredients = ingredient_lines(view)
    if len(ingredients) < MIN_INGREDIENTS:
        return False
    amounts = sum(_AMOUNT.match(line.text.strip(_CHECKBOX)) is not None for line in ingredients)
    return 3 * amounts >= len(ingredients) and (amounts >= MIN_AMOUNTS or bool(step_lines(view)))


@once_per_view
def ingredient_lines(view: PageView) -> list[Line]:
    """Return the lines of the list of ingredients."""
    return _part(view, "ingredients")


@once_per_view
def step_lines(view: PageView) -> list[Line]:
    """Return the lines of the steps."""
    return _part(view, "steps")


@cache
def _words(section: str) -> tuple[str, ...]:
    """Return what headings or classes call a part, in normal form."""
    return tuple(filter(None, map(normal_form, word_lists("recipe_words")[section])))


@lru_cache(maxsize=16)
def _edges(section: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return how the words of a section begin and end, which most texts do not."""
    words = _words(section)
    return frozenset(word[:2] for word in words), frozenset(word[-2:] for word in words)


@lru_cache(maxsize=16)
def _class_search(part: str) -> PhraseSearch:
    """Return a search for what attributes have that name a part, which most have not."""
    return part_search(_words(f"{part} classes"))


def _is_heading(text: str, part: str) -> bool:
    """Return whether a text names a part: it begins or ends with the word for it, and says little else."""
    if len(text) > MAX_HEADING_CHARS:
        return False
    form, words = normal_form(text), _words(part)
    beginnings, endings = _edges(part)
    if form[:2] not in beginnings and form[-2:] not in endings:
        return False
    if form.startswith(words):
        return any(
            form == word or (len(word) > 3 and form.startswith(word) and len(form) <= len(word) + MAX_MORE)
            for word in words
        )
    is_end = form.endswith(words)
    return is_end and any(
        len(word) > 3 and form.endswith(word) and len(form) <= len(word) + MAX_BEFORE for word in words
    )


def _part(view: PageView, part: str) -> list[Line]:
    by_class = _by_class(view, part)
    if len(by_class) > _least(part):
        return by_class
    return max(by_class, _by_heading(view, part), key=lambda lines: sum(len(line.text) for line in lines))


def _least(part: str) -> int:
    return MIN_INGREDIENTS if part == "ingredients" else 1


def _by_class(view: PageView, part: str) -> list[Line]:
    """Return the lines of the elements whose class or id names the part: one that holds all, or one for each."""
    names, search = frozenset(_words(f"{part} classes")), _class_search(part)
    best: list[Line] = []
    end = -1
    page = view.page
    groups: list[list[Line]] = []
    for row in sorted(view.rows_that_may_say(search)):
        attrs = page.attrs[row]
        if row < end or page.silent[row] or not ("class" in attrs or "id" in attrs or "itemprop" in attrs):
            continue
        if search(" ".join(attrs.values())) < 0 or names.isdisjoint(view.class_words(row)) or view.around[row]:
            continue
        lines = _cleaned(view, view.lines.within(row), part)
        if lines:
            groups.append(lines)
            end = view.ends[row]
    if not groups:
        return []
    several = [group for group in groups if len(group) >= _least(part) and len(group) > 1]
    if several and sum(map(len, several)) >= 2 * len(groups):
        best = max(several, key=len)
        if (
            len(several) > 1
            and {normal_form(line.text) for line in several[0]}.isdisjoint(
                {normal_form(line.text) for line in several[1]}
            )
            and len(several) <= 6
        ):
            best = [line for group in several for line in group]
        return best
    return [line for group in groups for line in group]


def _by_heading(view: PageView, part: str) -> list[Line]:
    """Return the lines after the heading of the part, up to the next heading that is not of a group within it."""
    lines = view.lines
    best: list[Line] = []
    for number, line in enumerate(lines):
        if not _is_heading(line.text, part) or view.around[line.start] or view.page.name(line.block) == "a":
            continue
        level = _level(view, line)
        after: list[Line] = []
        for following in lines[number + 1 : number + 1 + MAX_INGREDIENTS + 40]:
            other = _level(view, following)
            if view.around[following.start] or _ends(following.text, part) or (other and other <= (level or 4)):
                break
            after.append(following)
        found = _cleaned(view, after, part)
        if sum(len(line.text) for line in found) > sum(len(line.text) for line in best):
            best = found
    return best


def _level(view: PageView, line: Line) -> int:
    """Return the level of a heading, 0 for other lines."""
    page = view.page
    i = line.start
    for _ in range(4):
        i = view.parents[i]
        if i < 0:
            return 0
        if page.name(i) in _LEVELS:
            return _LEVELS[page.name(i)]
    return 0


def _ends(text: str, part: str) -> bool:
    others = ("steps", "end") if part == "ingredients" else ("ingredients", "end")
    return any(_is_heading(text, other) for other in others)


def _cleaned(view: PageView, lines: Sequence[Line], part: str) -> list[Line]:
    """Return the lines that can be of the part: no headings, no buttons, no numbers of steps."""
    kept: list[Line] = []
    for line in lines:
        text = line.text.strip(_CHECKBOX)
        name = view.page.name(line.block)
        if name in ("button", "figcaption", "label") and part == "steps":
            continue
        if _ends(line.text, part) and kept and len(kept) >= _least(part) + 1:
            break
        if _is_heading(line.text, part) or _is_heading(line.text, "end") or name == "button":
            continue
        if part == "steps" and _NUMBERED.match(text):
            continue
        is_long = len(text) > (MAX_INGREDIENT_CHARS if part == "ingredients" else MAX_STEP_CHARS)
        is_short = len(text) < (1 if part == "ingredients" else MIN_STEP_CHARS)
        if is_long or is_short or _level(view, line):
            continue
        kept.append(line)
    most = MAX_INGREDIENTS if part == "ingredients" else MAX_STEPS
    entries = _entries(view, kept)
    return entries if len(entries) <= most else []


def _entries(view: PageView, lines: Sequence[Line]) -> list[Line]:
    """Return the lines, those of one list item or table row as one: amounts are often in blocks of their own."""
    page = view.page
    entries: list[Line] = []
    for line in lines:
        holder = line.block
        for _, i in zip(range(6), page.ancestors(line.start), strict=False):
            if page.name(i) in ("li", "tr"):
                holder = i
                break
        if entries and entries[-1].block == holder and page.name(holder) in ("li", "tr"):
            text = f"{entries[-1].text} {line.text}"
            entries[-1] = Line(entries[-1].start, line.end, holder, text)
        else:
            entries.append(Line(line.start, line.end, holder, line.text))
    return entries


def _clean(text: str, role: str) -> str:
    bare = text.strip(_CHECKBOX)
    return _LEADING_NUMBER.sub("", bare) if role == "steps" else bare
