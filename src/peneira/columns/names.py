"""Column names, made from what the page's author wrote about a column and never from the values of one record.

This is the only module that names columns: those of lists and wrappers (``name_columns``) and those of templates
(``name_template_columns``). A column with a role is called by it. Any other is called by its label, its header, its
property or the class words that carry a meaning (``peneira.columns.vocabulary``), else by its type. A name depends on
the column alone, so that it is the same on every page of a site; a number follows only where names are equal.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from peneira.columns.role_words import ROLES_OF_WORD, named_roles, words_of
from peneira.columns.vocabulary import class_words, naming_words
from peneira.late_patterns import late_pattern
from peneira.short_text_cache import cache_of_short_texts
from peneira.values import Role

_NAME_OF_TAG = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "title"),
    "time": "date",
    "address": "address",
    "figcaption": "caption",
    "blockquote": "quote",
}
UNIT_PRICE = "unit_price"
# What a column without any words is called, by its type or the pattern of its values
_NAME_OF_PATTERN = {
    **{
        name: name
        for name in ("code", "duration", "email", "number", "percent", "phone", "quantity", "rating", "time", "year")
    },
    "date": "date",
    "datetime": "date",
    "money": "price",
    "integer": "number",
    "url": "link",
    UNIT_PRICE: UNIT_PRICE,
}
# What follows the name: "author_url", "brand_image"; and the name without any words
_SUFFIX_OF_ATTRIBUTE = {"href": "url", "src": "image", "datetime": "date"}
_NAME_OF_ATTRIBUTE = {"href": "link", "src": "image", "datetime": "date", "group": "group"}
# Words that name an address or an image, never a text
_ADDRESS_ROLES: frozenset[Role] = frozenset(("url", "image"))
_ABBREVIATIONS = {"img": "image"}
# What has one of these roles is in words, and the box around it holds numbers too
_WORDY_ROLES: frozenset[str] = frozenset(
    ("author", "company", "brand", "location", "description", "summary", "category")
)
_PROSE_ROLES: frozenset[str] = frozenset(("description", "summary"))
_NUMBERS = frozenset(("integer", "number", "percent", "rating", "money"))
# The pattern of texts of many words; what classes call a size or a color is then how they are shown
PROSE = "prose"
_LOOKS = frozenset(("size", "color", "colour"))
_WORDS = frozenset(("", "text", PROSE))
# What is beside the name of an author in the box that is called so: a rank, a number of posts
_BESIDE_AUTHOR = "author_details"
_WORD = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER_SUFFIX = late_pattern(r"_\d+$")
# Longer names are sentences, which nobody types as a key
MAX_NAME_WORDS = 5
MAX_CLASS_WORDS = 3
MAX_NAME_CHARS = 48
# Elements with classes further out hold other columns too
MAX_CLASSED_ELEMENTS = 3
# A word of this share of the columns that class words name is that of their block, if there are enough of them
MIN_BLOCK_SHARE = 0.7
MIN_BLOCK_COLUMNS = 4
# The property of so many elements is that of a thing, not of a value: itemprop="suggestedAnswer"
MIN_ELEMENTS_OF_THING = 4
# A column that a smaller share of the records has leaves the plain name to others of its name
MIN_USUAL_SHARE = 0.3

# Columns of templates are named by simpler rules: words as written, no list of layout words
_TEMPLATE_NAME_OF_TAG = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date"}
_TEMPLATE_NAME_OF_ATTRIBUTE = {"href": "url", "src": "image"}
_TEMPLATE_WORD = late_pattern(r"[A-Za-z][A-Za-z]+")
MAX_TEMPLATE_LABEL_WORDS = 4
MAX_TEMPLATE_CLASS_WORDS = 3
# Elements further out hold other columns too
MAX_TEMPLATE_ELEMENTS = 3


class NameSources(NamedTuple):
    """What a name can be made of: everything known about a column except its values.

    ``header``: the header of a table column; ``prop``: a microdata or RDFa property; ``label``: the words before the
    values; ``attribute``: the attribute that holds the values, "" for text. ``part``: the kind of a part of a text,
    "" for a whole text; ``pattern``: the type of the column, or the pattern that most values match; ``unit``: the words
    that follow a number in nearly all of them. ``stem``: the name of the text that this is a part or the link of.
    ``elements``: tag and class words of the elements around a value, innermost first; ``path``: the word of its link
    that says where it leads; ``block``: class words of the record itself. ``is_shown``, ``priority``: of columns with
    equal names, one with a role keeps the name without a number, then one that is shown, then the one that sorts first.
    """

    role: str = ""
    header: str = ""
    prop: str = ""
    label: str = ""
    attribute: str = ""
    part: str = ""
    pattern: str = ""
    unit: str = ""
    stem: str = ""
    elements: tuple[tuple[str, tuple[str, ...]], ...] = ()
    path: str = ""
    block: tuple[str, ...] = ()
    is_shown: bool = True
    priority: tuple[bool, ...] = ()


class ColumnName(NamedTuple):
    """The name of a column, and the words of the page that it was made of, "" if there are none."""

    name: str
    caption: str


def name_columns(columns: Sequence[NameSources]) -> list[ColumnName]:
    """Return a name and a caption for each column; names are unique, in snake case and ASCII."""
    return name_shown_columns(columns, range(len(columns)))


def name_shown_columns(columns: Sequence[NameSources], shown: Sequence[int]) -> list[ColumnName]:
    """Return the names of some columns, given by number: those that they have if all are named, as long as the others
    have no role and are not shown. Of these, what their values look like is not asked for."""
    columns = _without_things(columns)
    of_elements: dict[tuple[int, str], tuple[str, ...]] = {}  # the columns of an element have the same ones
    by_class = []
    for sources in columns:
        key = (id(sources.elements), sources.attribute)
        words = of_elements.get(key)
        if words is None:
            words = of_elements[key] = _class_name(sources)
        by_class.append(words)
    shared = _shared_words(by_class)
    wanted, classes = [columns[k] for k in shown], [by_class[k] for k in shown]
    captions = [_caption(*pair, shared) for pair in zip(wanted, classes, strict=True)]
    bases = [
        sources.role or _base_name(sources, _written_name(sources), _without(words, {*shared, *_block_words(sources)}))
        for sources, words in zip(wanted, classes, strict=True)
    ]
    taken = {sources.role for sources in columns}
    bases = [_mended_name(base, sources, taken) for base, sources in zip(bases, wanted, strict=True)]
    order = sorted(
        range(len(wanted)), key=lambda n: (not wanted[n].role, not wanted[n].is_shown, wanted[n].priority, shown[n])
    )
    reserved = [base for base, sources in zip(bases, wanted, strict=True) if sources.is_shown]
    return [ColumnName(*pair) for pair in zip(_numbered(bases, order, reserved), captions, strict=True)]


def _without_things(columns: Sequence[NameSources]) -> Sequence[NameSources]:
    """Return the columns without properties that many elements share, as the thing has one whose parts they are."""
    elements: dict[str, set[int]] = {}
    for sources in columns:
        if sources.prop and not (sources.role or sources.attribute or sources.part):
            elements.setdefault(sources.prop, set()).add(id(sources.elements))
    things = {prop for prop, own in elements.items() if len(own) >= MIN_ELEMENTS_OF_THING and not named_roles(prop)}
    if not things:
        return columns
    return [sources._replace(prop="") if sources.prop in things else sources for sources in columns]


def name_template_columns(columns: Sequence[NameSources]) -> list[str]:
    """Return unique names for the columns of a template.

    A name is the label, or the class words nearest to the value as the author wrote them: layout words and letters
    outside ASCII are kept. Only ``label``, ``attribute`` and ``elements`` are used.
    """
    names = [_label_name(sources.label) or _nearest_words(sources) for sources in columns]
    return _numbered(names, range(len(names)), names)


def base_name(name: str) -> str:
    """Return a column name without the number that distinguishes it from equal names."""
    return _NUMBER_SUFFIX.sub("", name)


@lru_cache(maxsize=2048)
def snake_case(words: str) -> str:
    """Return words as an ASCII name: "Preço à vista" gives "preco_a_vista"; "" if no letter or digit is left."""
    ascii_words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    parts = [word.lower() for word in _WORD.findall(ascii_words)][:MAX_NAME_WORDS]
    while len(parts) > 1 and len("_".join(parts)) > MAX_NAME_CHARS:
        parts.pop()
    name = "_".join(parts)[:MAX_NAME_CHARS]
    return f"n{name}" if name[:1].isdigit() else name


@lru_cache(maxsize=2048)
def written_name(text: str) -> str:
    """Return the name that a header or label gives: "Title Sort Sort by year" is "title"; "" if it gives none.

    Words from the first one that recurs are controls. What is not in Latin letters is named by the role it stands for.
    """
    words = text.split()
    counts = Counter(word.lower() for word in words)
    cut = next((k for k, word in enumerate(words) if k and counts[word.lower()] > 1), len(words))
    name = snake_case(" ".join(words[:cut]))
    letters = sum(map(str.isalpha, unicodedata.normalize("NFKD", text)))
    if 2 * sum(char.isalpha() for char in text if char.isascii()) >= letters or not letters:
        return name
    return min(((-points, role) for role, points in named_roles(text).items()), default=(0.0, ""))[1] or _latin(text)


def _latin(text: str) -> str:
    """Return the name of a text in Latin letters with accents, "" for another script."""
    return snake_case(text) if all(ord(char) < 0x250 for char in text if char.isalpha()) else ""


def _written_name(sources: NameSources) -> str:
    """Return the name that label, header or property give; a sentence only if there is nothing shorter."""
    label = sources.label if any(map(str.isalpha, sources.label)) else ""
    for text in (label, sources.header):
        if len(text.split()) <= MAX_NAME_WORDS and (name := written_name(text)):
            return name
    prop = re.split(r"[:/#]", sources.prop)[-1]
    if prop and (sources.attribute in _SUFFIX_OF_ATTRIBUTE or not _is_address(words_of(prop))):
        return snake_case(prop)
    return written_name(sources.header) or ("" if sources.attribute else written_name(label))


def _class_name(sources: NameSources) -> tuple[str, ...]:
    """Return the meaningful class words nearest to the values, or the usual name of a tag.

    An attribute for scripts is named by its own words, and only if the last of them says what it holds.
    """
    if sources.attribute.startswith("data-"):
        attribute = sources.attribute.removeprefix("data-")
        words = naming_words(attribute)
        return words if words and words[-1] == class_words(attribute)[-1] else ()
    is_address = sources.attribute in _SUFFIX_OF_ATTRIBUTE
    return next((words for words in _named_elements(sources) if is_address or not _is_address(words)), ())


def _named_elements(sources: NameSources) -> Iterator[tuple[str, ...]]:
    """Yield the words of each element near the values: those of a role first, else those that come first."""
    classed = 0
    for tag, names in sources.elements:
        words = _words_of_element(names) if names else ()
        if words:
            yield words
        elif tag in _NAME_OF_TAG:
            yield (_NAME_OF_TAG[tag],)
        classed += bool(names)
        if classed == MAX_CLASSED_ELEMENTS:
            return


@cache_of_short_texts(2048, lambda names: sum(map(len, names)))
def _words_of_element(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of the class of an element that says most, () if none says anything."""
    found = [words for words in map(naming_words, names) if words]
    if not found:
        return ()
    chosen = next((words for words in found if not ROLES_OF_WORD.keys().isdisjoint(words)), found[0])
    return tuple(dict.fromkeys(_ABBREVIATIONS.get(word, word) for word in chosen))[-MAX_CLASS_WORDS:]


def _is_address(words: Sequence[str], roles: frozenset[Role] = _ADDRESS_ROLES) -> bool:
    """Return whether all words name an address or an image."""
    return all(not roles.isdisjoint(ROLES_OF_WORD.get(word, ())) for word in words)


def _shared_words(names: Sequence[Sequence[str]]) -> set[str]:
    """Return the words that nearly all columns with class words have: those of their block."""
    named = [set(words) for words in names if words]
    counts = Counter(word for words in named for word in words)
    is_many = len(named) >= MIN_BLOCK_COLUMNS
    return {word for word, count in counts.items() if is_many and count >= MIN_BLOCK_SHARE * len(named)}


def _block_words(sources: NameSources) -> set[str]:
    """Return the words of the record itself, with which sites begin the classes of all that is in it."""
    return {word for class_word in sources.block for word in naming_words(class_word)}


def _without(words: Sequence[str], block: Collection[str]) -> str:
    """Return the words as a name, without those of the block if others are left."""
    return snake_case(" ".join([word for word in words if word not in block] or words))


def _caption(sources: NameSources, by_class: Sequence[str], shared: Collection[str]) -> str:
    """Return the words of the page that name a column, as they are written."""
    for words in (sources.label, sources.header, sources.prop):
        if written_name(words):
            return words
    return " ".join([word for word in by_class if word not in shared] or by_class)


def _base_name(sources: NameSources, written: str, by_class: str) -> str:
    """Return the name of a column without a role, before it gets a number."""
    own_words = written if sources.label or not sources.stem else ""
    if sources.pattern == UNIT_PRICE and not own_words:
        return UNIT_PRICE
    base = own_words or sources.stem or written or by_class
    suffix = _suffix(sources)
    if not base:
        return f"{_name_of_values(sources)}_label" if suffix == "label" else _name_of_values(sources)
    is_told = (
        not suffix
        or suffix in base.split("_")
        or (suffix == "image" and _is_address(base.split("_")[-1:], frozenset(("image",))))
    )
    return base if is_told else f"{base}_{suffix}"


def _name_of_values(sources: NameSources) -> str:
    """Return what a column is called that no words name: by its attribute, or by what its values look like."""
    by_pattern = _NAME_OF_PATTERN.get(sources.pattern, "text")
    by_unit = snake_case(sources.unit) if by_pattern in ("text", "number") else ""
    by_path = snake_case(sources.path) if by_pattern == "text" else ""
    return _NAME_OF_ATTRIBUTE.get(sources.attribute) or by_unit or by_path or by_pattern


def _mended_name(base: str, sources: NameSources, taken: Collection[str]) -> str:
    """Return the name of a column, or another one where its class says what it is not. ``taken``: the roles."""
    if (base in taken and _is_other_field(base, sources)) or _is_none_of_name(base, sources):
        return _name_of_values(sources)
    if base == "author" and base in taken and not (sources.role or sources.stem or sources.label or sources.header):
        return base if sources.attribute else _BESIDE_AUTHOR
    return base


def _is_other_field(base: str, sources: NameSources) -> bool:
    """Return whether a class names a column by what another is: a second title, a number in the box of the author."""
    if sources.role or sources.stem or sources.label or sources.header:
        return False
    if base == "title":
        return not sources.prop
    return base in _WORDY_ROLES and (sources.pattern not in _WORDS or sources.unit != "")


def _is_none_of_name(base: str, sources: NameSources) -> bool:
    """Return whether the values are none of what a class calls them: words no phone, as classes also say what is shown
    on phones, a number no description, a time of the day no date, and a sentence no size."""
    if sources.role or sources.label or sources.header or sources.prop or sources.attribute:
        return False
    if base == "phone":
        return sources.pattern in _WORDS or sources.pattern in ("date", "datetime")
    if base == "date":
        return sources.pattern == "time"
    if base in _LOOKS and sources.pattern == PROSE:
        return True
    return base in (_PROSE_ROLES if base == "size" else _PROSE_ROLES | _LOOKS) and sources.pattern in _NUMBERS


def _suffix(sources: NameSources) -> str:
    """Return what the column holds of what its words name: an address, an image, or a typed part of a text."""
    if sources.part == "label":
        return "label"
    if sources.part and not sources.label:
        return _NAME_OF_PATTERN.get(sources.pattern, "")
    return _SUFFIX_OF_ATTRIBUTE.get(sources.attribute, "")


def _label_name(label: str) -> str:
    return "_".join(re.findall(r"\w+", label.lower())[:MAX_TEMPLATE_LABEL_WORDS])


def _nearest_words(sources: NameSources) -> str:
    """Return the name of the nearest element that has class words or a tag with a usual name, else of the attribute."""
    attribute = sources.attribute
    suffix = _TEMPLATE_NAME_OF_ATTRIBUTE.get(attribute, attribute.removeprefix("data-")) or "text"
    for tag, names in sources.elements[:MAX_TEMPLATE_ELEMENTS]:
        words = _TEMPLATE_WORD.findall(" ".join(names))[:MAX_TEMPLATE_CLASS_WORDS]
        base = "_".join(words).lower() or _TEMPLATE_NAME_OF_TAG.get(tag, "")
        if base:
            return base if not attribute or base == suffix else f"{base}_{suffix}"
    return suffix


def _numbered(names: Sequence[str], order: Sequence[int], reserved: Collection[str]) -> list[str]:
    """Return the names with a number on equal ones; the first in the order keeps the name without a number.

    ``reserved``: names that no number may make.
    """
    counts: Counter[str] = Counter()
    taken: set[str] = set()
    avoided = set(reserved)
    result = list(names)
    for k in order:
        name, number = names[k], counts[names[k]] + 1
        numbered = name if number == 1 else f"{name}_{number}"
        while numbered in taken or (number > 1 and numbered in avoided):
            number += 1
            numbered = f"{name}_{number}"
        counts[name] = number
        taken.add(numbered)
        result[k] = numbered
    return result
