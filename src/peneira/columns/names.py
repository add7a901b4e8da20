"""Names of columns: from what the page's author wrote about them, never from the values of one record."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from peneira.xpath.class_words import is_generated, is_hash

# Words that say how something is laid out or styled, or that every element of a list could have
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
# Words that are names of fields on any site: where an element has several words, one with these wins
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
_ROLE_OF_TAG = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "title"),
    "time": "date",
    "address": "address",
    "figcaption": "caption",
    "blockquote": "quote",
}
_PART_SUFFIXES = {"date": "date", "code": "code", "label": "label"}
_ROLE_OF_LOOK = {"date": "date", "money": "price", "number": "number", "code": "code"}
_SUFFIXES = {"href": "url", "src": "image", "datetime": "datetime", "aria-label": "label"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
MAX_NAME_WORDS = 5
MAX_NAME_CHARS = 48


@dataclass(frozen=True, slots=True)
class NameSources:
    """What is known of a column beside its values.

    ``part``: the kind of a part of a text, else ""; ``look``: what most of its values look like; ``is_linked``: the
    text is that of a link. ``steps``: tag and class words of the elements around the value, from the value outwards.
    ``standing``: of columns with equal names, the one with the least keeps the name as it is.
    """

    header: str = ""
    prop: str = ""
    label: str = ""
    attribute: str = ""
    part: str = ""
    look: str = ""
    is_linked: bool = False
    steps: tuple[tuple[str, tuple[str, ...]], ...] = ()
    standing: tuple[bool, ...] = ()


def names(columns: Sequence[NameSources]) -> list[tuple[str, str]]:
    """Return a name and a caption for each column; names are unique, snake case, ASCII."""
    captions = [_caption(evidence) for evidence in columns]
    roles = _roles(columns, captions)
    bases = [
        _with_suffix(snake(caption) or role, evidence)
        for caption, role, evidence in zip(captions, roles, columns, strict=True)
    ]
    order = sorted(range(len(columns)), key=lambda k: columns[k].standing)
    return list(zip(_unique(bases, order), captions, strict=True))


def _roles(columns: Sequence[NameSources], captions: Sequence[str]) -> list[str]:
    """Return what each column is where no words tell: the first linked text is the title, a price a price."""
    is_titled = "title" in map(snake, captions)
    roles = []
    for evidence, caption in zip(columns, captions, strict=True):
        role = "" if caption or evidence.attribute else _ROLE_OF_LOOK.get(evidence.look, "")
        if not caption and not role and evidence.is_linked and not is_titled:
            role, is_titled = "title", not evidence.attribute
        roles.append(role)
    return roles


@lru_cache(maxsize=2048)
def snake(words: str) -> str:
    """Return the words as an ASCII name in snake case: "Preço à vista" is "preco_a_vista". "" if no letter is left."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    found = [word.lower() for word in _WORD.findall(plain)]
    name = "_".join(found[:MAX_NAME_WORDS])[:MAX_NAME_CHARS].strip("_")
    return f"n{name}" if name[:1].isdigit() else name


def _caption(evidence: NameSources) -> str:
    """Return the words that name the column: header, property, label, class words, or the tag's usual role."""
    for words in (evidence.label, evidence.header, evidence.prop):
        if snake(words):
            return words
    return next(_from_steps(evidence), "")


def _from_steps(evidence: NameSources) -> Iterator[str]:
    for tag, words in evidence.steps:
        told = [found for found in map(telling_words, words) if found]
        if told:
            yield " ".join(next((found for found in told if not FIELD_WORDS.isdisjoint(found)), told[0]))
        elif tag in _ROLE_OF_TAG:
            yield _ROLE_OF_TAG[tag]


@lru_cache(maxsize=2048)
def telling_words(word: str) -> tuple[str, ...]:
    """Return what a class word says of its element: "job-card__title--big" says "title". Nothing if it is generated."""
    element = word.rpartition("__")[2].partition("--")[0]
    if is_hash(element) or is_generated(element):
        return ()
    parts = [part.lower() for part in _WORD.findall(element)]
    kept = tuple(part for part in parts if part not in LAYOUT_WORDS)
    return kept if any(len(part) > 2 or part in FIELD_WORDS for part in kept) else ()


def _with_suffix(base: str, evidence: NameSources) -> str:
    suffix = _SUFFIXES.get(evidence.attribute, snake(evidence.attribute.removeprefix("data-")))
    if evidence.part and not evidence.label:
        suffix = _PART_SUFFIXES.get(evidence.part, "part")
    if not base:
        return suffix or "text"
    return base if not suffix or base == suffix or base.endswith(f"_{suffix}") else f"{base}_{suffix}"


def _unique(bases: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return the names, equal ones numbered: the first in the order keeps the plain name."""
    turns: Counter[str] = Counter()
    taken = set(bases)
    result = list(bases)
    for k in order:
        base = bases[k]
        turns[base] += 1
        while turns[base] > 1 and (chosen := f"{base}_{turns[base]}") in taken:
            turns[base] += 1
        if turns[base] > 1:
            result[k] = chosen
            taken.add(chosen)
    return result
