"""Column names, made from what the page's author wrote about a column and never from the values of one record.

This is the only module that names columns: those of lists and wrappers (``name_columns``) and those of templates
(``name_template_columns``).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from peneira.xpath.class_words import is_generated, is_hash

# Class words about layout or style, and words that any element of a list could have
LAYOUT_WORDS = frozenset(
    """
    a active align alt and animated area aria article auto bar base bg big black block blue body bold border bottom
    box btn bubble button c card cards cell cells center class clear clearfix cls col collapse color cols column
    columns com component container content cover css d dark data dd default desktop details display div dl dt
    ellipsis even expand fade field fields first fit fixed flex float font footer for fs full fw gray green grey
    grid gridlet group gutter h half has head header headline hidden hide holder hover href html icon id img in info
    inline inner is item itemprop items js large last layout lead left lg li light line link linked list listing
    lower m main margin mask max mb md media medium middle min ml mobile module mr mt muted mx my neutral new ng nil
    no none normal nowrap odd off ol on one open or outer output overflow p pad padding panel part pb pl post pr
    primary pt pull px py react red region relative responsive result results right round rounded row rows s sc
    search secondary section sep separator serp shadow show single sm small space spacing span static strong style
    styled sub subtle table tablet target tbody td text th the thumb tile tiny to toggle toolbar top tr truncate tt
    two txt ui ul unit upper uppercase v val value values var view views visible w weight white wide widget width
    with wrap wrapped wrapper x xl xs xxl y
    """.split()
)
# Names of fields on any site: of an element's class words, the first that contains one of these names the column
FIELD_WORDS = frozenset(
    """
    abstract address adresse agency amount area artist author authors autor availability bairro baths bedrooms beds
    brand by byline caption categoria category cidade citation city code comments company condition country court
    currency data date datum day deadline department descricao description discount distance docket duration email
    employer endereco excerpt fecha from genre hora image isbn issue job journal judge keywords language lieu local
    locality location logo manufacturer marca model month name names nombre nome note number organization owner
    parcela phone photo place points position precio preco preis price prices prix product publication published
    publisher quantity rating reference region review reviews role salario salary score seller shipping size sku
    snippet source stars start state status stock subject subtitle summary tag tags team tel telephone time titel
    title titre titulo topic type user valor vendor venue version views volume year zip
    """.split()
)
_NAME_OF_TAG = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "title"),
    "time": "date",
    "address": "address",
    "figcaption": "caption",
    "blockquote": "quote",
}
_NAME_OF_PATTERN = {"date": "date", "money": "price", "number": "number", "code": "code"}
_SUFFIX_OF_PART = {"date": "date", "code": "code", "label": "label"}
_SUFFIX_OF_ATTRIBUTE = {"href": "url", "src": "image", "datetime": "datetime", "aria-label": "label"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER_SUFFIX = re.compile(r"_\d+$")
# Longer names are sentences, which nobody types as a key
MAX_NAME_WORDS = 5
MAX_NAME_CHARS = 48
# A column that a smaller share of the records has leaves the plain name to others of its name
MIN_USUAL_SHARE = 0.3

# Columns of templates are named by simpler rules: words as written, no list of layout words
_TEMPLATE_NAME_OF_TAG = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date"}
_TEMPLATE_NAME_OF_ATTRIBUTE = {"href": "url", "src": "image"}
_TEMPLATE_WORD = re.compile(r"[A-Za-z][A-Za-z]+")
MAX_TEMPLATE_LABEL_WORDS = 4
MAX_TEMPLATE_CLASS_WORDS = 3
# Elements further out hold other columns too
MAX_TEMPLATE_ELEMENTS = 3


@dataclass(frozen=True, slots=True)
class NameSources:
    """What a name can be made of: everything known about a column except its values.

    ``header``: the header of a table column; ``prop``: a microdata or RDFa property; ``label``: the words before the
    values; ``attribute``: the attribute that holds the values, "" for text. ``part``: the kind of a part of a text,
    "" for a whole text; ``pattern``: the pattern that most values match; ``is_linked``: the values are texts of links.
    ``elements``: tag and class words of the elements around a value, innermost first. ``priority``: of columns with
    equal names, the one that sorts first keeps the name without a number.
    """

    role: str = ""
    header: str = ""
    prop: str = ""
    label: str = ""
    attribute: str = ""
    part: str = ""
    pattern: str = ""
    is_linked: bool = False
    elements: tuple[tuple[str, tuple[str, ...]], ...] = ()
    priority: tuple[bool, ...] = ()


class ColumnName(NamedTuple):
    """The name of a column, and the words of the page that it was made of, "" if there are none."""

    name: str
    caption: str


def name_columns(columns: Sequence[NameSources]) -> list[ColumnName]:
    """Return a name and a caption for each column; names are unique, in snake case and ASCII."""
    captions = [_caption(sources) for sources in columns]
    defaults = _default_names(columns, captions)
    bases = [
        sources.role or _with_suffix(snake_case(caption) or default, sources)
        for caption, default, sources in zip(captions, defaults, columns, strict=True)
    ]
    order = sorted(range(len(columns)), key=lambda k: columns[k].priority)
    return [ColumnName(*pair) for pair in zip(_numbered(bases, order), captions, strict=True)]


def name_template_columns(columns: Sequence[NameSources]) -> list[str]:
    """Return unique names for the columns of a template.

    A name is the label, or the class words nearest to the value as the author wrote them: layout words and letters
    outside ASCII are kept. Only ``label``, ``attribute`` and ``elements`` are used.
    """
    names = [_label_name(sources.label) or _nearest_words(sources) for sources in columns]
    return _numbered(names, range(len(names)))


def base_name(name: str) -> str:
    """Return a column name without the number that distinguishes it from equal names."""
    return _NUMBER_SUFFIX.sub("", name)


@lru_cache(maxsize=2048)
def snake_case(words: str) -> str:
    """Return words as an ASCII name: "Preço à vista" gives "preco_a_vista"; "" if no letter or digit is left."""
    ascii_words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    parts = [word.lower() for word in _WORD.findall(ascii_words)]
    name = "_".join(parts[:MAX_NAME_WORDS])[:MAX_NAME_CHARS].strip("_")
    return f"n{name}" if name[:1].isdigit() else name


@lru_cache(maxsize=2048)
def naming_words(class_word: str) -> tuple[str, ...]:
    """Return the words of a class that name its element: "job-card__title--big" gives "title".

    Layout words are left out; a generated class gives nothing.
    """
    element = class_word.rpartition("__")[2].partition("--")[0]
    if is_hash(element) or is_generated(element):
        return ()
    parts = [part.lower() for part in _WORD.findall(element)]
    kept = tuple(part for part in parts if part not in LAYOUT_WORDS)
    return kept if any(len(part) > 2 or part in FIELD_WORDS for part in kept) else ()


def _caption(sources: NameSources) -> str:
    """Return the first source that gives a name: label, header, property, class words, or the usual name of a tag."""
    for words in (sources.label, sources.header, sources.prop):
        if snake_case(words):
            return words
    return next(_element_captions(sources), "")


def _element_captions(sources: NameSources) -> Iterator[str]:
    for tag, class_words in sources.elements:
        candidates = [words for words in map(naming_words, class_words) if words]
        if candidates:
            yield " ".join(next((words for words in candidates if not FIELD_WORDS.isdisjoint(words)), candidates[0]))
        elif tag in _NAME_OF_TAG:
            yield _NAME_OF_TAG[tag]


def _default_names(columns: Sequence[NameSources], captions: Sequence[str]) -> list[str]:
    """Return names for columns without a caption: that of their pattern, or "title" for the first linked text."""
    has_title = "title" in map(snake_case, captions)
    defaults = []
    for sources, caption in zip(columns, captions, strict=True):
        default = "" if caption or sources.attribute else _NAME_OF_PATTERN.get(sources.pattern, "")
        if not caption and not default and sources.is_linked and not has_title:
            default, has_title = "title", not sources.attribute
        defaults.append(default)
    return defaults


def _with_suffix(base: str, sources: NameSources) -> str:
    """Return the name with the attribute or text part that the column holds: "title_url", "case_date"."""
    suffix = _SUFFIX_OF_ATTRIBUTE.get(sources.attribute, snake_case(sources.attribute.removeprefix("data-")))
    if sources.part and not sources.label:
        suffix = _SUFFIX_OF_PART.get(sources.part, "part")
    if not base:
        return suffix or "text"
    return base if not suffix or base == suffix or base.endswith(f"_{suffix}") else f"{base}_{suffix}"


def _label_name(label: str) -> str:
    return "_".join(re.findall(r"\w+", label.lower())[:MAX_TEMPLATE_LABEL_WORDS])


def _nearest_words(sources: NameSources) -> str:
    """Return the name of the nearest element that has class words or a tag with a usual name, else of the attribute."""
    attribute = sources.attribute
    suffix = _TEMPLATE_NAME_OF_ATTRIBUTE.get(attribute, attribute.removeprefix("data-")) or "text"
    for tag, class_words in sources.elements[:MAX_TEMPLATE_ELEMENTS]:
        words = _TEMPLATE_WORD.findall(" ".join(class_words))[:MAX_TEMPLATE_CLASS_WORDS]
        base = "_".join(words).lower() or _TEMPLATE_NAME_OF_TAG.get(tag, "")
        if base:
            return base if not attribute or base == suffix else f"{base}_{suffix}"
    return suffix


def _numbered(names: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return the names with a number on equal ones; the first in the order keeps the name without a number."""
    counts: Counter[str] = Counter()
    taken = set(names)
    result = list(names)
    for k in order:
        name = names[k]
        counts[name] += 1
        while counts[name] > 1 and (numbered := f"{name}_{counts[name]}") in taken:
            counts[name] += 1
        if counts[name] > 1:
            result[k] = numbered
            taken.add(numbered)
    return result
