"""Signs that a page shows a list of things, and is about none of them: what it declares, controls to sort, counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from peneira.items.lines import has_digit
from peneira.items.page_view import PageView
from peneira.items.prices import shown_prices
from peneira.items.word_lists import word_lists
from peneira.lists.page_type_features import declared_features
from peneira.phrase_search import PhraseSearch, part_search

# With this many signs a page that describes no thing is a list: of 119 product pages of WCXB 2 have them, of 117
# collections 51
MIN_SIGNS = 2
MAX_CONTROL_CHARS = 40
# One button "Filter" belongs to a search form; a price beside the item may stand in a list of sizes
MIN_CONTROLS, MIN_LISTED_PRICES = 2, 6
_COUNT = re.compile(
    r"\b\d[\d,.]* ?(?:results?|products?|items?|styles?|produkte?|artikel|produits?|résultats?|productos?|resultados?|"
    r"produtos?|prodotti|risultati|producten|товар\w*)\b|\bshowing \d|\b\d+ ?[-–] ?\d+ (?:of|von|sur|de|di|van) \d",
    re.IGNORECASE,
)


def list_signs(view: PageView) -> list[str]:
    """Return the signs that a page shows a list of things, each in words."""
    return list(_signs(view))


def _signs(view: PageView) -> Iterator[str]:
    declared = declared_features(view.page)
    if declared["declares_list"] > declared["declares_item"]:
        yield "it declares a list"
    if declared["path_list"] > declared["path_item"]:
        yield "its address is that of a list"
    if declared["body_list"] > declared["body_item"]:
        yield "its frame is named after a list"
    short = [line.text for line in view.lines if len(line.text) <= MAX_CONTROL_CHARS]
    plain = list(filter(str.isascii, short))
    with_words = [plain[place] for place in _control_search().which(plain)]
    with_words += [text for text in short if not text.isascii()]
    if sum(text.casefold().strip(" :▾▼+") in _controls() for text in with_words) >= MIN_CONTROLS:
        yield "it has controls to sort and filter"
    if _COUNT.search("\n".join(filter(has_digit, short))):  # which matches across no line break
        yield "it counts results"
    if sum(bool(view.listed[price.line.start]) for price in shown_prices(view)) >= MIN_LISTED_PRICES:
        yield "it has prices in a list"


@cache
def _control_search() -> PhraseSearch:
    """Return a search for what the texts of controls have in them."""
    return part_search({word.split()[0][:3] for word in word_lists("list_words")["sort"]})


@cache
def _controls() -> frozenset[str]:
    return frozenset(word_lists("list_words")["sort"])
