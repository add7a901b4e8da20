"""Results of functions of short texts, kept for the next pages.

Class names, labels and addresses recur on the pages of a site. A page may also have names of megabytes, which must not
stay in memory when the page is gone: what a function gives for those is computed each time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Longer than nearly all names and addresses of real pages
MAX_CHARS = 500


def cache_of_short_texts(
    maxsize: int, chars: Callable[..., int] = len
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Return a decorator that keeps as many results; ``chars`` tells how long the texts of a call are."""

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        kept = cast("Callable[Arguments, Result]", lru_cache(maxsize)(function))

        @wraps(function)
        def looked_up_text(text: str) -> Result:
            return kept(text) if len(text) <= MAX_CHARS else function(text)  # type: ignore[call-arg, arg-type]

        @wraps(function)
        def looked_up(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Result:
            is_short = chars(*arguments, **keywords) <= MAX_CHARS
            return kept(*arguments, **keywords) if is_short else function(*arguments, **keywords)

        # most are functions of one text, which takes a third of the time
        wrapper = cast("Callable[Arguments, Result]", looked_up_text if chars is len else looked_up)
        # as of functools, so that what measures cold caches finds them
        for name in ("cache_clear", "cache_info", "cache_parameters"):
            setattr(wrapper, name, getattr(kept, name))
        return wrapper

    return decorate
