"""Everything peneira raises on purpose.

    PeneiraError
    ├── InputError          the page cannot be read: no such file, a folder, not HTML
    ├── FetchError          the URL cannot be fetched; carries .url
    │   └── RefusedAddress  the URL leads to an address that the rules forbid
    ├── RenderError         the browser cannot show the page; carries .url
    ├── MissingBrowser      no Chromium is found, or it does not start; says how to get one
    ├── StoreError          the history of records cannot be read or written; carries .target
    ├── SiteChanged         the pages of a site no longer are what they were; carries .site
    ├── OutputError         the table cannot be written there; carries .target
    ├── MissingExtra        an optional package is needed; carries .extra and says what to install
    ├── ColumnError         the table has no such column, or would have two of one name; carries .name
    ├── ArgumentError       an argument is not usable; says what to write instead; also a ValueError
    │   └── UnknownMethod   no extraction method of that name
    ├── WrapperError        the file is not a wrapper that can be read; carries .where
    ├── SelectorError       the selector is not of the language of wrappers; carries .selector
    ├── LimitExceeded       a limit was hit and no partial result makes sense; carries .limit and .allowed
    ├── ModelError          a trained model cannot be read
    └── CorpusError         a benchmark corpus is missing or broken

Each message says what is wrong, where, and what to do next. Hitting a limit mostly is no error but a partial result:
see ``peneira.limits``.
"""

from __future__ import annotations

from os import PathLike, fspath

_MAX_QUOTED_CHARS = 120


class PeneiraError(Exception):
    """The base of every error that peneira raises on purpose."""


class InputError(PeneiraError):
    """The page cannot be read."""


class FetchError(PeneiraError):
    """The URL cannot be fetched."""

    def __init__(self, url: str, message: str) -> None:
        super().__init__(f"{url}: {message}")
        self.url = url


class RefusedAddress(FetchError):
    """The URL leads to an address that the rules forbid."""


class RenderError(PeneiraError):
    """The browser cannot show the page."""

    def __init__(self, url: str, message: str) -> None:
        super().__init__(f"{url}: {message}")
        self.url = url


class MissingBrowser(PeneiraError):
    """No Chromium is found, or it does not start."""


class StoreError(PeneiraError):
    """The history of records cannot be read or written."""

    def __init__(self, target: str, message: str) -> None:
        super().__init__(f"{target}: {message}")
        self.target = target


class SiteChanged(PeneiraError):
    """The pages of a site no longer are what they were when it was first read."""

    def __init__(self, site: str, message: str) -> None:
        super().__init__(f"{site}: {message}")
        self.site = site


class OutputError(PeneiraError):
    """The table cannot be written there."""

    def __init__(self, target: str | PathLike[str], message: str) -> None:
        super().__init__(f"{fspath(target)}: {message}")
        self.target = target


class MissingExtra(PeneiraError):
    """An optional package is not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f'{purpose} needs an optional package: pip install "peneira[{extra}]"')
        self.extra = extra


class ColumnError(PeneiraError):
    """The table has no such column, or would have two of one name."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


class ArgumentError(PeneiraError, ValueError):
    """An argument is not usable; the message says what to write instead."""


class UnknownMethod(ArgumentError):
    """No extraction method has that name."""


class WrapperError(PeneiraError):
    """The file is not a wrapper that can be read."""

    def __init__(self, where: str | PathLike[str], message: str) -> None:
        super().__init__(f"{fspath(where)}: {message}")
        self.where = where


class SelectorError(PeneiraError):
    """The selector is not of the language of wrappers."""

    def __init__(self, selector: str, message: str) -> None:
        quoted = selector if len(selector) <= _MAX_QUOTED_CHARS else f"{selector[:_MAX_QUOTED_CHARS]}…"
        super().__init__(f"selector {quoted!r}: {message}")
        self.selector = selector


class LimitExceeded(PeneiraError):
    """A limit was hit, and there is no result without what lies beyond it."""

    def __init__(self, limit: str, allowed: float, left_out: str = "") -> None:
        super().__init__(f"the limit of {allowed:g} {limit.replace('_', ' ')} was hit{left_out and ': '}{left_out}")
        self.limit, self.allowed = limit, allowed

    def __reduce__(self) -> tuple[type[LimitExceeded], tuple[str, float]]:
        return LimitExceeded, (self.limit, self.allowed)


class ModelError(PeneiraError):
    """A trained model cannot be read."""


class CorpusError(PeneiraError):
    """A benchmark corpus is missing or broken."""
