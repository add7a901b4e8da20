"""Which records of two files are the same thing, one to one, with a score.

Records with the same exact key are pairs at once. Of the others, each is compared with the few that share the most with
it, which an index finds, so that two files of 100,000 records are feasible. The score is the share of their terms that
both have, weighted by how rare each is (the geometric mean of Dice's and of the overlap coefficient, with inverse
document frequencies), less where quantities, model numbers or prices contradict each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from peneira.joins.record_index import RecordIndex
from peneira.joins.record_terms import RecordTerms

# What is left of the score where both records have quantities of one unit, or model numbers, and share none
OTHER_QUANTITY = 0.45
OTHER_UNIT = 0.8
OTHER_CODE = 0.6
# The same for columns such as brand and author that have no word in common
OTHER_MAKER = 0.6
OTHER_KEY = 0.0
# Prices of one thing differ between sites, but seldom by more than this ratio; what is left of the score beyond it
MIN_PRICE_RATIO = 0.7
OTHER_PRICE = 0.85
# A misspelt word counts for less
TYPO_WEIGHT = 0.8
MIN_TYPO_CHARS = 5
MIN_SCORE = 0.7


@dataclass(frozen=True, slots=True)
class Match:
    """A pair: the numbers of the records in their files, the score from 0 to 1, and what speaks for it."""

    left: int
    right: int
    score: float
    why: str


def match(left: Sequence[RecordTerms], right: Sequence[RecordTerms], *, min_score: float = MIN_SCORE) -> list[Match]:
    """Return the pairs of at least this score, best first; no record is in two of them."""
    exact = _exact_pairs(left, right)
    taken_left, taken_right = {pair.left for pair in exact}, {pair.right for pair in exact}
    free_left = [k for k in range(len(left)) if k not in taken_left]
    free_right = [k for k in range(len(right)) if k not in taken_right]
    pairs = _similar_pairs(left, right, free_left, free_right, min_score)
    return [*exact, *_one_to_one(pairs)]


def _exact_pairs(left: Sequence[RecordTerms], right: Sequence[RecordTerms]) -> list[Match]:
    """Return the records that alone have an exact key on both sides."""
    found: list[Match] = []
    used_left: set[int] = set()
    used_right: set[int] = set()
    names = sorted({name for record in (*left, *right) for name in record.keys})
    for name in names:
        own, other = _by_key(left, name), _by_key(right, name)
        for key, k in own.items():
            n = other.get(key)
            if k is not None and n is not None and k not in used_left and n not in used_right:
                used_left.add(k)
                used_right.add(n)
                found.append(Match(k, n, 1.0, f"same {name}"))
    return sorted(found, key=lambda pair: pair.left)


def _by_key(records: Sequence[RecordTerms], name: str) -> dict[str, int | None]:
    """Return the records by key, None for a key that several have."""
    found: dict[str, int | None] = {}
    for k, record in enumerate(records):
        key = record.keys.get(name)
        if key:
            found[key] = None if key in found else k
    return found


def _similar_pairs(
    left: Sequence[RecordTerms],
    right: Sequence[RecordTerms],
    free_left: Sequence[int],
    free_right: Sequence[int],
    min_score: float,
) -> list[Match]:
    left_terms = [left[k].all for k in free_left]
    right_terms = [right[k].all for k in free_right]
    spelling = _corrections(left_terms, right_terms)
    weights = _weights([*left_terms, *right_terms])
    index = RecordIndex(right_terms, weights)
    pairs = []
    for k, record in enumerate(left_terms):
        # a correct spelling is as rare as the word is, and counts for less where it is shared
        total = sum(weights[spelling.get(term, term)] for term in sorted(record))
        shared = _shared_weights(record, weights, spelling)
        for n, similarity in index.most_similar(shared, total, min_score):
            score = similarity * _agreement(left[free_left[k]], right[free_right[n]])
            if score > 0 and score >= min_score:
                pairs.append(Match(free_left[k], free_right[n], round(score, 4), "similar"))
    return pairs


def _weights(records: Iterable[frozenset[str]]) -> dict[str, float]:
    """Return how much each term tells: the logarithm of the number of records over those that have it."""
    counts: Counter[str] = Counter()
    total = 0
    for terms in records:
        counts.update(terms)
        total += 1
    return {term: math.log((total + 1) / count) for term, count in counts.items()}


def _shared_weights(
    record: frozenset[str], weights: Mapping[str, float], spelling: Mapping[str, str]
) -> dict[str, float]:
    """Return what each term of the other side counts that a record has, some of them misspelt."""
    shared = {term: weights[term] for term in record if term not in spelling}
    for term in record & spelling.keys():
        shared.setdefault(spelling[term], TYPO_WEIGHT * weights[spelling[term]])
    return shared


def _agreement(first: RecordTerms, second: RecordTerms) -> float:
    """Return a factor: less than 1 where quantities, model numbers or keys of two records contradict each other."""
    factor = 1.0
    for unit in first.quantities.keys() & second.quantities.keys():
        if not first.quantities[unit] & second.quantities[unit]:
            factor *= OTHER_QUANTITY
    if first.quantities and second.quantities and not first.quantities.keys() & second.quantities.keys():
        factor *= OTHER_UNIT
    for name in first.makers.keys() & second.makers.keys():
        if not first.makers[name] & second.makers[name]:
            factor *= OTHER_MAKER
    if first.codes and second.codes and not first.codes & second.codes:
        factor *= OTHER_CODE
    if first.price and second.price:
        ratio = min(first.price, second.price) / max(first.price, second.price)
        factor *= 1.0 if ratio >= MIN_PRICE_RATIO else OTHER_PRICE
    for name in first.keys.keys() & second.keys.keys():
        if first.keys[name] != second.keys[name]:
            factor *= OTHER_KEY
    return factor


def _one_to_one(pairs: Iterable[Match]) -> list[Match]:
    """Return the best pairs in which each record is once."""
    used_left: set[int] = set()
    used_right: set[int] = set()
    kept = []
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.left, pair.right)):
        if pair.left not in used_left and pair.right not in used_right:
            used_left.add(pair.left)
            used_right.add(pair.right)
            kept.append(pair)
    return kept


def _corrections(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]]) -> dict[str, str]:
    """Return words that only one side has, with the word of the other side that differs in one letter, if one does."""
    own = {term for terms in left for term in terms}
    counts = Counter(term for terms in right for term in terms)
    by_form: dict[str, str] = {}
    for term in sorted(counts, key=lambda term: (counts[term], term)):  # the most frequent word of a form stays
        for form in _forms(term):
            by_form[form] = term
    found = {}
    for term in sorted(own - counts.keys()):
        known = {by_form[form] for form in _forms(term) if form in by_form}
        if known:
            found[term] = max(known, key=lambda other: (counts[other], other))
    return found


def _forms(term: str) -> Iterator[str]:
    """Yield a word, and it without each of its letters; two words that differ in one letter share a form."""
    if len(term) >= MIN_TYPO_CHARS and term.isalpha():
        yield term
        for k in range(len(term)):
            yield term[:k] + term[k + 1 :]
