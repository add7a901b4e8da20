"""Regular expressions that are compiled when they are first used.

A command needs a part of the patterns of the modules that it imports; compiling them all was an eighth of the time of
``peneira extract`` on a small page.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "groupindex", "groups")


class LatePattern:
    """A pattern whose methods are those of the compiled one, put in place by the first that is asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return self.__dict__[name]


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern, compiled at its first use: for constants of modules. A wrong one raises its error then."""
    return cast("re.Pattern[str]", LatePattern(pattern, flags))
