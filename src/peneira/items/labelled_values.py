"""Labels and their values on one page: property tables, definition lists, and lines of the form "Label: value"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from peneira.columns.labels import MAX_LABEL_WORDS, is_bare_label, leading_label
from peneira.columns.role_words import words_of
from peneira.items.claims import Claim, normal_form
from peneira.items.lines import Line, has_digit
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of
from peneira.items.word_lists import word_lists
from peneira.late_patterns import late_pattern
from peneira.ml.running_sums import is_tag
from peneira.types.money import may_have_prices

MAX_LABEL_CHARS = 50
MAX_VALUE_CHARS = 300
# Rows that are built alike make a property table from this number on; fewer are a coincidence
MIN_ROWS = 3
# Larger elements are more than a row
MAX_ROW_NODES = 24
# Lines with longer values are told, not listed
MAX_RUN_CHARS = 100
MAX_PAIRS = 300
MIN_SENTENCE_WORDS = 6
# Cells of a row that has several labels, each with its value behind it
MAX_ROW_CELLS = 8
_CREDITS = frozenset({"director", "author"})
_BRACKETS = "〈〉<>()[]{}【】「」《》 "
_SURE = "+"
MAX_CODE_WORDS = 4
_CODE_WORDS = frozenset(
    "id code codigo cod kod kods kodas koodi nr no num number nummer numero ref reference referenz referencia sifra "
    "cislo код номер numer nomer kodu kode".split()
)
# How these words begin, with and without accents: most labels have none that begins so
_CODE_STARTS = frozenset("id co có kó ko nr no nu nú re ré si ši ci čí ко но".split())
_PRODUCT_WORDS = frozenset(
    "product produto producto produit prodotto produkt produktu produkta artikel article articulo artigo articolo "
    "item stock style katalog catalog catalogue izdelka proizvoda zbozi tovaru товара товар изделия продукта urun "
    "tuote termek vare vara towaru prece prekes listing ad lot sku".split()
)
_MAKER_WORDS = frozenset(
    "manufacturer mfr mfg hersteller fabricante fabricant produttore producenta vyrobce vyrobcu fabrikant maker part "
    "производителя model modell modele modelo modello модели".split()
)
# Set by hand: how often the value of such a label is the one wanted
SURE_PROBABILITY, PROBABILITY = 0.9, 0.75
_CODES = frozenset({"sku", "mpn", "gtin", "isbn"})
# A code with spaces in it is more often a description
SPACED_SHARE = 0.5
# A label of these roles without such a value is a heading
ISBN_DIGITS = 13
_TYPED = frozenset("prep_time cook_time total_time duration date birth_date release_date".split())
# What may be a date although it is not said which: "12/07/2010", or a year alone
# Roles whose values are names, which do not repeat under other labels
_NAMED = frozenset("director author publisher company brand".split())
_ISBN = late_pattern(r"(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx]\b")
_DATES = frozenset({"date", "birth_date", "release_date"})
_DATE_LIKE = late_pattern(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?:[^\W\d_]+\.? )?(?:1[5-9]|20)\d\d")
# "Fax: n/a" behind a number of a phone
_FAX = late_pattern(r"\s*[/,|;(]?\s*(?:fax|f)\s*[:.].*$", re.IGNORECASE)


class Pair(NamedTuple):
    """A label, its value, the node of the value, and whether it stands in a table of such pairs."""

    label: str
    value: str
    row: int
    is_tabled: bool


@cache
def roles_of_labels() -> dict[str, tuple[str, float]]:
    """Return role and probability of each known label, by its normal form."""
    roles: dict[str, tuple[str, float]] = {}
    for section, labels in word_lists("label_words").items():
        probability = SURE_PROBABILITY if section.endswith(_SURE) else PROBABILITY
        for key in filter(None, map(normal_form, labels)):
            roles.setdefault(key, (section.removesuffix(_SURE), probability))
    return roles


@lru_cache(maxsize=4096)
def role_of_label(label: str) -> tuple[str, float]:
    """Return the role that a label names and how sure that is, ("", 0) for other labels.

    A label of two or three words, one for a product and one for a code, names its code in whatever order.
    """
    known = roles_of_labels().get(normal_form(label))
    if known is not None:
        return known
    if not any(part[:2].lower() in _CODE_STARTS for part in label.split()):
        return "", 0.0
    words = frozenset(words_of(label))
    if 2 <= len(words) <= MAX_CODE_WORDS and words & _CODE_WORDS:
        if words & _MAKER_WORDS:
            return "mpn", PROBABILITY
        if words & _PRODUCT_WORDS:
            return "sku", SURE_PROBABILITY
    return "", 0.0


def label_claims(pairs: list[Pair]) -> Iterator[Claim]:
    """Yield what labels say about the fields that they name; the first of a role counts most."""
    seen: dict[str, int] = {}
    headers = _column_headers(pairs)
    for pair in pairs:
        role, probability = role_of_label(pair.label)
        text = pair.value.strip()
        if role == "isbn" and (match := _ISBN.match(text)):  # two of them may share a line
            text = match[0]
        if not role or (role in _CODES and not _is_code(text)) or (role in _NAMED and text in headers):
            continue
        turn = seen[role] = seen.get(role, 0) + 1
        if role in _CODES:
            text = text.strip(_BRACKETS).rstrip(".,;")
            probability *= 1.0 if " " not in text else SPACED_SHARE
        if role == "isbn":  # of the two that books have, the longer one
            turn = 1 if sum(char.isdigit() for char in text) == ISBN_DIGITS else turn + 1
        if role == "phone":
            text = _FAX.sub("", text)
        claim = claim_of(role, text, "page", probability / turn, pair.row)
        if claim.value is not None or role not in _TYPED or (role in _DATES and _DATE_LIKE.fullmatch(text)):
            yield claim


def _column_headers(pairs: Sequence[Pair]) -> frozenset[str]:
    """Return values that stand behind several labels: headers of columns, as in tables of credits."""
    labels: dict[str, set[str]] = {}
    for pair in pairs:
        labels.setdefault(pair.value, set()).add(normal_form(pair.label))
    return frozenset(value for value, own in labels.items() if len(own) >= MIN_ROWS)


def is_told(value: str) -> bool:
    """Return whether a value is a sentence: what stands above it is a heading, no label."""
    return len(value.split()) >= MIN_SENTENCE_WORDS and value.rstrip("\"'”’)").endswith((".", "!", "?", "…", "。"))


def _is_code(text: str) -> bool:
    bare = text.strip(_BRACKETS)
    return len(bare) <= 40 and has_digit(bare) and len(bare.split()) <= 3


def page_pairs(view: PageView) -> list[Pair]:
    """Return the pairs of the page that are not about other things, in document order, each once."""
    found = [*_cells(view), *_definitions(view), *_with_runs(view, list(_lines(view))), *_rows_alike(view)]
    found.sort(key=lambda pair: pair.row)
    unique: dict[tuple[str, str], Pair] = {}
    for pair in found:
        key = normal_form(pair.label), normal_form(pair.value)
        if all(key) and (key not in unique or pair.is_tabled):
            unique[key] = pair
    return list(unique.values())[:MAX_PAIRS]


def _is_other(view: PageView, row: int) -> bool:
    return bool(view.around[row])


def _pair(view: PageView, label: str, value: str, row: int, *, is_tabled: bool) -> Iterator[Pair]:
    label, value = label.strip().rstrip(":：").strip(), value.strip().lstrip(":：").strip()
    value = value.removeprefix(f"{label}:").lstrip()
    if value.endswith((":", "：")):  # the next label
        return
    if not label or not value or len(label) > MAX_LABEL_CHARS or len(value) > MAX_VALUE_CHARS:
        return
    if len(label.split()) > MAX_LABEL_WORDS or not any(char.isalpha() for char in label) or _is_other(view, row):
        return
    if has_digit(label) and may_have_prices(label):  # an amount is a value itself
        return
    yield Pair(label, value, row, is_tabled)


def _cells(view: PageView) -> Iterator[Pair]:
    """Yield the labels and values of table rows: two cells, or several such pairs side by side.

    Credits have the value first: a name, and what the person did.
    """
    page, unread, tags = view.page, view.unread, view.page.lists.tag
    codes = {code for code, name in enumerate(page.tag_names) if name in ("td", "th")}
    for row in view.rows("tr"):
        if unread[row]:
            continue
        cells = [i for i in page.children(row) if tags[i] in codes]
        if not 2 <= len(cells) <= MAX_ROW_CELLS or len(cells) % 2:
            continue
        texts = [page.visible_text(cell) for cell in cells]
        if len(cells) > 2 and not all(is_bare_label(text) or not text for text in texts[::2]):
            continue
        is_reversed = _is_credit(*texts)
        for k in range(0, len(cells), 2):
            label, value, own = (k + 1, k, cells[k]) if is_reversed else (k, k + 1, cells[k + 1])
            if not _has_rows(view, own):
                yield from _pair(view, texts[label], texts[value], own, is_tabled=not is_reversed)


def _is_credit(*texts: str) -> bool:
    """Return whether a row is a name and what its owner did: "Ana Silva", "Director"."""
    return len(texts) == 2 and role_of_label(texts[1])[0] in _CREDITS and not role_of_label(texts[0])[0]


def _has_rows(view: PageView, cell: int) -> bool:
    """Return whether a cell holds a table or a list of its own: its label is a heading."""
    names = view.page.tag_names
    codes = set(view.page.lists.tag[cell + 1 : view.ends[cell]])
    return any(names[code] in ("tr", "dt", "li") for code in codes)


def _definitions(view: PageView) -> Iterator[Pair]:
    """Yield the terms of definition lists with what defines them."""
    page = view.page
    for row in view.rows("dt"):
        if not page.seen[row]:
            continue
        after = view.ends[row]
        while after < len(page) and page.is_text(after):
            after += 1
        if after < len(page) and page.parent[after] == page.parent[row] and page.name(after) == "dd":
            yield from _pair(view, page.visible_text(row), page.visible_text(after), after, is_tabled=True)


def _lines(view: PageView) -> Iterator[Pair]:
    """Yield lines with a label before a colon, labels with the line after them, and labels known by their words."""
    lines, page = view.lines, view.page
    other = view.elsewhere
    for number, line in enumerate(lines):
        text = line.text
        if other[line.start] or len(text) > MAX_LABEL_CHARS + MAX_VALUE_CHARS:
            continue
        has_colon = ":" in text or "：" in text
        match = leading_label(text.lstrip(_BRACKETS)) if has_colon else None
        if match is not None and len(match[1]) <= MAX_LABEL_CHARS:
            value = text.lstrip(_BRACKETS)[match.end() :]
            if value:
                yield from _pair(view, match[1], value, line.start, is_tabled=False)
            elif number + 1 < len(lines) and _are_close(view, line, lines[number + 1]):
                following = lines[number + 1]
                yield from _pair(view, match[1], following.text, following.start, is_tabled=False)
        elif has_colon:
            label, _, value = text.strip(_BRACKETS).replace("：", ":").partition(":")
            if role_of_label(label)[0]:
                yield from _pair(view, label, value, line.start, is_tabled=False)
        elif len(text) <= MAX_LABEL_CHARS + 40 and has_digit(text):
            yield from _known_label(view, line)
        if line.end - line.start > 1:
            yield from _labelled_parts(view, line)
        if number + 1 < len(lines) and len(text) <= MAX_LABEL_CHARS and role_of_label(text)[0]:
            following = lines[number + 1]
            if _are_close(view, line, following) and not page.name(line.block).startswith("h"):
                yield from _pair(view, text, following.text, following.start, is_tabled=False)


def _with_runs(view: PageView, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the pairs of lines; those of neighbouring lines with different labels are a table."""
    lines, page = view.lines, view.page
    number = [lines.first_at(pair.row) for pair in pairs]

    def follows(k: int) -> bool:
        before, own = lines[number[k - 1]], lines[number[k]] if number[k] < len(lines) else None
        return (
            own is not None
            and 0 < number[k] - number[k - 1] <= 2
            and page.name(before.block) == page.name(own.block)
            and (before.block == own.block or page.parent[before.block] == page.parent[own.block])
        )

    start = 0
    for k in range(1, len(pairs) + 1):
        if k < len(pairs) and follows(k):
            continue
        run = pairs[start:k]
        labels = {normal_form(pair.label) for pair in run}
        are_values = all(len(pair.value) <= MAX_RUN_CHARS and not is_told(pair.value) for pair in run)
        is_table = MIN_ROWS <= len(run) == len(labels) and are_values
        yield from (pair._replace(is_tabled=True) for pair in run) if is_table else run
        start = k


def _labelled_parts(view: PageView, line: Line) -> Iterator[Pair]:
    """Yield the texts within a line that are a known label and its value: a code in small type in a heading."""
    for row in range(line.start, line.end):
        text = view.page.text[row]
        if 3 < len(text) <= MAX_LABEL_CHARS + 40 and (":" in text or "：" in text):
            label, _, value = " ".join(text.split()).replace("：", ":").partition(":")
            if role_of_label(label)[0]:
                yield from _pair(view, label, value, row, is_tabled=False)


def _known_label(view: PageView, line: Line) -> Iterator[Pair]:
    """Yield the value of a line with a digit that begins with the words of a known label: "Item no 4711".

    Words of neighbouring elements are two also where no space is between them: "Item Height" and "9 in".
    """
    words = line.spaced(view.page).split()
    for count in range(min(len(words) - 1, 4), 0, -1):
        label = " ".join(words[:count])
        role, probability = role_of_label(label)
        value = " ".join(words[count:]).lstrip(":#. ")
        starts_code = has_digit(words[count]) or words[count].isupper()
        if role in _CODES and probability and starts_code and _is_code(value):
            yield from _pair(view, label, value, line.start, is_tabled=False)
            return


def _are_close(view: PageView, line: Line, other: Line) -> bool:
    """Return whether a line and the one after it are in one small block."""
    page = view.page
    above = set()
    for _, i in zip(range(4), page.ancestors(line.start), strict=False):
        above.add(i)
    return any(i in above for _, i in zip(range(4), page.ancestors(other.start), strict=False))


def _rows_alike(view: PageView) -> Iterator[Pair]:
    """Yield the rows of property tables without table markup: neighbours that are built alike, of two texts each."""
    page, parents = view.page, view.parents
    groups: dict[tuple[int, str, str], list[tuple[int, str, str]]] = {}
    ends = view.ends
    outside = view.unread
    filled = (page.tag != 0) & (page.text_chars > 0)
    has_two = np.bincount(page.parent[1:][filled[1:]], minlength=len(page)) == 2
    is_row = is_tag(page, ("li", "div", "p", "tr", "section")) & has_two
    for row in np.flatnonzero(is_row).tolist():
        if ends[row] - row > MAX_ROW_NODES or outside[row]:
            continue
        inside = list(page.children(row))
        if any(page.is_text(i) and page.text[i].strip() for i in inside):
            continue
        children = [i for i in inside if filled[i]]
        if view.is_linked_away(children[0]):
            continue
        label, value = page.visible_text(children[0]), page.visible_text(children[1])
        attrs = page.attrs[row]
        groups.setdefault((parents[row], page.name(row), attrs.get("class", "")[:40]), []).append(
            (children[1], label, value)
        )
    for members in _in_columns(view, groups):
        labels = {normal_form(label) for _, label, _ in members}
        if len(members) >= MIN_ROWS and len(labels) == len(members):
            for row, label, value in members:
                if not view.listed[row]:
                    yield from _pair(view, label, value, row, is_tabled=not is_told(value))


def _in_columns(
    view: PageView, groups: Mapping[tuple[int, str, str], list[tuple[int, str, str]]]
) -> Iterator[list[tuple[int, str, str]]]:
    """Yield the groups of rows; those of too few rows with the groups beside them, as in tables of two columns."""
    small: dict[tuple[int, str, str], list[tuple[int, str, str]]] = {}
    for (parent, name, named), members in groups.items():
        if len(members) >= MIN_ROWS or parent < 0:
            yield members
        else:
            small.setdefault((view.parents[parent], name, named), []).extend(members)
    yield from small.values()
