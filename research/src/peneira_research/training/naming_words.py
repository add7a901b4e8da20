"""The words of class names that may name a column, learned from how the hosts of all corpora use them.

A logistic regression scores each word by how it is used: on what kind of element, with how many other classes, inside
or beside elements that share it, and in how many hosts' labels and schema.org properties it stands. It learns from
words whose meaning is known: those of the role lexicon name a value, those of style sheets and of frameworks do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from peneira.columns.role_words import ROLES_OF_WORD
from peneira.columns.vocabulary import Vocabulary
from peneira_research.training.word_uses import KINDS, HostUses, WordUse

Floats = NDArray[np.float64]

# Words of style sheets, of frameworks, of page parts and of controls: the examples of words that name no value. A word
# with a dash names none in front of other words ("size-small")
STYLE_WORDS = frozenset(
    """
    about absolute accent active add align also and animation any are arrow article aside auto avia background banner
    bar base before between bg big black block blog blue body bold border bottom box break btn button card carousel
    cell center centering circle clear clearfix click clickable closed col collapse color- column columns com component
    container content core cover css cursor custom dark default desktop direction disabled display div double dropdown
    element elementor ellipsis empty entry even expand fade fancy field fill first fixed flex fluid focus font footer
    for full gap global green grid gray gutter half has head header height hidden hide holder horizontal hover icon
    inactive inline inner input inset instance internal invisible is italic item items js justify large last layout left
    lg light line link list loading local loop main margin mask max md media medium menu middle min mobile modal module
    mt mb ml mr muted nav new next none normal nowrap null odd off on opacity open outer outline overflow overlay pad
    padding page panel parent part pb pl popup pos position post pr pre primary pt pull px py reader read relative
    responsive reset result results right rotate round rounded row rows screen scroll secondary section select selected
    separator shadow show shrink sidebar simple single site size- slide slider sm small solid space spacing sr static
    sticky stretch strong style sub submit tab table tablet target template tertiary text the theme tile to toggle
    toolbar tooltip top track transition transparent truncate txt type- underline uppercase ui unit upper url val value
    vertical view visible visually weight- white whitespace widget width wide wp wrap wrapper xl xs xxl yellow
    accessibility ahead browse build buy call clean context cookie decorator detail download drop error explore faded
    feedback find follow found help href img important info join label lines meta multi only option paragraph prefix
    redirect safe says setting share since sitemap sort suffix through thumb try use widgettitle with word words you
    your begin start blurb feature product property story
    """.split()
)
# Words of the role lexicon that class names use for something else too: no examples
AMBIGUOUS_WORDS = frozenset(
    """
    area begin branch case channel classification condition current data delivery detail details development end event
    features final game grade group homepage id image index labels land length mobile nature no num number nr off offer
    old original outcome owner party pay place posts premises promo property proposed ranking reference region regular
    resume save size special stage star start state status strike studio subject surface tag theme themes thread track
    type until update variant via website where zone
    """.split()
)
# Names of lists inside records, of which the corpora have too few to learn them
NESTED_LIST_WORDS = frozenset(
    "actors cast chapters episodes games matches players roles sessions songs tracks variants versions".split()
)


@dataclass(frozen=True, slots=True)
class VocabularyOptions:
    """Which words are kept."""

    # A word of fewer hosts may be made by a program, or be the name of a site
    min_hosts: int = 4
    # A word of as many hosts needs no labels or properties; any other has to be in those of this many hosts
    many_hosts: int = 50
    min_label_hosts: int = 2
    # The least probability of a word, of one with many hosts, and of one that the role lexicon has
    min_score: float = 0.65
    min_common_score: float = 0.5
    min_ambiguous_score: float = 0.45
    min_lexicon_score: float = 0.05
    # and of one that is the whole class name
    min_alone_score: float = 0.3
    # Shorter words are abbreviations
    min_letters: int = 3
    # The strength of the regularisation of the regression
    penalty: float = 3.0


OPTIONS = VocabularyOptions()
FEATURES = (
    *KINDS, "values", "divergence", "classes", "in_block", "beside", "labels", "properties", "hosts", "is_before",
    "values_and_hosts", "values_and_labels", "hosts_and_labels",
)  # fmt: skip
_VALUE_KINDS = tuple(KINDS.index(kind) for kind in ("money", "date", "number", "short", "long", "heading"))


def learned_vocabulary(uses: HostUses, options: VocabularyOptions = OPTIONS) -> Vocabulary:
    """Return the words that may name a column: those that the corpora teach, and those of the role lexicon."""
    terms = sorted(
        term
        for term, own in uses.by_word.items()
        if len(own) >= options.min_hosts and len(_word(term)) >= options.min_letters
    )
    scores = word_scores(terms, uses, options)
    kept = {term for term in terms if _is_kept(term, scores[term], uses, options)}
    for word in sorted(ROLES_OF_WORD):
        if word.isascii() and len(word) >= options.min_letters:
            kept.update(term for term in (word, f"{word}-") if term not in scores and not _is_style(term))
    words = {term for term in kept if not term.endswith("-")}
    everywhere = frozenset(word for word in words if f"{word}-" in kept) | NESTED_LIST_WORDS
    alone = {
        term for term in terms if scores[term] >= options.min_alone_score and not _is_style(term) and term not in words
    }
    return Vocabulary(everywhere, frozenset(words - everywhere), frozenset(term for term in alone if term.isalpha()))


def _is_kept(term: str, score: float, uses: HostUses, options: VocabularyOptions) -> bool:
    word = _word(term)
    if _is_style(term):
        return False
    if word in ROLES_OF_WORD:
        return score >= (options.min_ambiguous_score if word in AMBIGUOUS_WORDS else options.min_lexicon_score)
    if len(uses.by_word[term]) >= options.many_hosts:
        return score >= options.min_common_score
    is_label = uses.label_hosts[word] + uses.property_hosts[word] >= options.min_label_hosts
    return is_label and score >= options.min_score


def word_scores(terms: list[str], uses: HostUses, options: VocabularyOptions = OPTIONS) -> dict[str, float]:
    """Return the probability that each word names a value."""
    if not terms:
        return {}
    features = word_features(terms, uses)
    is_style = np.array([_is_style(term) for term in terms])
    names_value = np.array([_names_value(term) for term in terms])
    # half of the weight is that of words that name a value, a quarter that of style, a quarter that of all others,
    # of which most name nothing
    weights = np.select(
        [names_value, is_style], [0.5 / max(names_value.mean(), 1e-9), 0.25 / max(is_style.mean(), 1e-9)], 0.25
    )
    coefficients = _fit(features, names_value.astype(np.float64), weights, options.penalty)
    return dict(zip(terms, _probabilities(features, coefficients).tolist(), strict=True))


def word_features(terms: list[str], uses: HostUses) -> Floats:
    """Return a row of standardised features for each word, with a constant."""
    kinds = np.array([_kind_shares(uses.by_word[term]) for term in terms])
    base = kinds.mean(axis=0)
    rows = [
        [*own, own[list(_VALUE_KINDS)].sum(), _divergence(own, base), *_habits(term, uses)]
        for term, own in zip(terms, kinds, strict=True)
    ]
    table = np.array(rows)
    table = (table - table.mean(axis=0)) / np.maximum(table.std(axis=0), 1e-9)
    values, labels, hosts = (table[:, FEATURES.index(name)] for name in ("values", "labels", "hosts"))
    return np.column_stack([table, values * hosts, values * labels, hosts * labels, np.ones(len(table))])


def _word(term: str) -> str:
    return term.rstrip("-")


def _is_style(term: str) -> bool:
    return term in STYLE_WORDS or _word(term) in STYLE_WORDS


def _names_value(term: str) -> bool:
    """Return whether the word is known to name a value."""
    word = _word(term)
    return word in ROLES_OF_WORD and word not in AMBIGUOUS_WORDS and not _is_style(term)


def _kind_shares(uses: list[WordUse]) -> Floats:
    """Return the mean share of each kind over hosts."""
    return np.asarray(np.mean([[use.kinds[kind] / use.uses for kind in KINDS] for use in uses], axis=0))


def _divergence(shares: Floats, base: Floats) -> float:
    """Return how far the use of a word is from that of all words (Kullback and Leibler)."""
    return float(sum(p * log(p / q) for p, q in zip(shares, base, strict=True) if p > 0))


def _habits(term: str, uses: HostUses) -> list[float]:
    own, word = uses.by_word[term], _word(term)
    return [
        float(np.mean([log1p(use.classes / use.uses) for use in own])),
        float(np.mean([use.in_block / use.uses for use in own])),
        float(np.mean([use.beside / use.uses for use in own])),
        log1p(uses.label_hosts[word]),
        log1p(uses.property_hosts[word]),
        log(len(own)),
        float(term.endswith("-")),
    ]


def _fit(features: Floats, labels: Floats, weights: Floats, penalty: float, rounds: int = 30) -> Floats:
    """Return the coefficients of a weighted logistic regression, by Newton's method."""
    coefficients = np.zeros(features.shape[1])
    ridge = penalty * np.eye(features.shape[1])
    ridge[-1, -1] = 1e-6  # the constant
    for _ in range(rounds):
        p = _probabilities(features, coefficients)
        gradient = features.T @ (weights * (p - labels)) + ridge @ coefficients
        hessian = (features * (weights * p * (1 - p))[:, None]).T @ features + ridge
        coefficients -= np.linalg.solve(hessian, gradient)
    return coefficients


def _probabilities(features: Floats, coefficients: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(features @ coefficients, -30, 30))))
