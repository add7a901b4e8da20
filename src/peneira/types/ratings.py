"""Ratings: stars, "4.5 out of 5", "9/10"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from peneira.late_patterns import late_pattern
from peneira.types.notation import Notation
from peneira.types.reading_marks import LONE_STARS, RATED_LETTERS
from peneira.values import Rating

# The best scores of rating scales; 1/2, 24/7 and 50/50 are not ratings
_SCALES = frozenset(map(Decimal, (4, 5, 6, 10, 20, 100)))
# Quarters and sixths are more often fractions than ratings
_FRACTIONS = frozenset(map(Decimal, (4, 6)))
_STARS = late_pattern(r"([★⭐🌟]{1,10})(½?)([☆✩]{0,10})")
_NUMBER = r"(\d{1,3}(?:[.,]\d{1,2})?)"
_STAR_WORDS = "(?:stars?|sternen?|estrelas|estrellas|étoiles|stelle|sterren|gwiazdek|stjärnor|stjerner|[★⭐☆])"
# "Rated 4.5 out of 5", and what screen readers hear: "4.5 out of 5 stars. 31 reviews"
_RATED = (
    "(?:(?:rated|rating|average rating|customer rating|valutato|bewertet mit|noté|valorado con|avaliado)[: ]{1,2})?"
)
_REVIEWS = r"(?:[.,;]? ?\(?\d[\d.,]* (?:customer )?(?:reviews?|ratings?|votes?)\)?\.?)?"
_OF = late_pattern(
    rf"{_RATED}{_NUMBER} ?(/|out of|of|von|sur|su|de|van|av|z|из) ?{_NUMBER}(?: ?{_STAR_WORDS})?{_REVIEWS}",
    re.IGNORECASE,
)
_WITH_STAR = late_pattern(rf"{_NUMBER} ?{_STAR_WORDS}|[★⭐] ?{_NUMBER}", re.IGNORECASE)
# "4.35 avg rating — 9,993,676 ratings"
_AVERAGE = late_pattern(
    rf"{_NUMBER} (?:avg\.?|average) rating(?: ?[-–—·•|,(] ?\d[\d.,]* (?:customer )?(?:reviews?|ratings?|votes?)\)?)?",
    re.IGNORECASE,
)
_RATING_CAPTION = late_pattern(
    r"rating|score|stars|review|note|nota|avaliaç|valoraci|calificaci|bewertung|voto|valutazion|beoordel|ocena|betyg"
    r"|оценка|рейтинг|評価|评分|평점",
    re.IGNORECASE,
)


def read_rating(text: str, notation: Notation) -> Rating | None:
    """Return the rating in a cell."""
    if not (text[:1].isdecimal() or text[:1] in LONE_STARS or text[:1] in RATED_LETTERS):
        return None
    if stars := _STARS.fullmatch(text):
        return _star_rating(stars, notation)
    if share := _OF.fullmatch(text):
        score, best = _decimal(share[1]), _decimal(share[3])
        return Rating(score, best) if best in _SCALES and score <= best else None
    if average := _AVERAGE.fullmatch(text):
        return Rating(_decimal(average[1]), None)
    if starred := _WITH_STAR.fullmatch(text):
        return Rating(_decimal(starred[1] or starred[2]), None)
    return None


def _star_rating(stars: re.Match[str], notation: Notation) -> Rating:
    """Return the rating of full, half and empty stars; without empty stars, the best score is that of the column."""
    full, half, empty = len(stars[1]), bool(stars[2]), len(stars[3])
    score = Decimal(full) + (Decimal("0.5") if half else 0)
    total = Decimal(full + half + empty)
    best = total if empty else notation.best
    return Rating(score, best if best is None or best >= score else None)


def _decimal(digits: str) -> Decimal:
    return Decimal(digits.replace(",", "."))


def star_scale(texts: Iterable[str]) -> Decimal | None:
    """Return the number of full and empty stars, if it is the same in all cells with empty stars."""
    matches = [stars for text in texts if (stars := _STARS.fullmatch(text)) and stars[3]]
    totals = {len(stars[1]) + bool(stars[2]) + len(stars[3]) for stars in matches}
    return Decimal(totals.pop()) if len(totals) == 1 else None


def ratings_are_plausible(texts: Iterable[str], repeated: bool, caption: str, notation: Notation) -> bool:
    """Return whether cells that read as ratings are ratings: 3/5 may be a date or a counter, one star a button.

    All must share one scale. Bare fractions need a caption, a decimal, or several scores that do not just count up as
    the pictures of a gallery do. ``repeated``: some cells are equal.
    """
    ratings = {text: rating for text in texts if (rating := read_rating(text, notation))}
    if len({rating.best for rating in ratings.values() if rating.best is not None}) > 1:
        return False
    if all(text in LONE_STARS for text in ratings):
        return False
    bare = {text: rating for text, rating in ratings.items() if (share := _OF.fullmatch(text)) and share[2] != "out of"}
    if len(bare) < len(ratings) or _RATING_CAPTION.search(caption):
        return True
    scores = sorted(rating.score for rating in bare.values())
    if any(score != int(score) for score in scores):
        return True
    if any(rating.best in _FRACTIONS for rating in bare.values()):
        return False
    counts_up = scores == list(range(int(scores[0]), int(scores[0]) + len(scores)))
    return len(scores) > 1 and (repeated or not counts_up)
