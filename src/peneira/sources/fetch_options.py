"""How pages are fetched; apart from the fetcher, which imports ssl and http."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.version import __version__

MAX_TIMEOUT_S = 24 * 3600.0
USER_AGENT = f"peneira/{__version__} (+https://pypi.org/project/peneira/)"


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How a page is fetched. ``timeout_s`` holds for the whole fetch, from the first look-up to the last byte.

    ``public_only``: private addresses are refused too where no page leads there, for URLs that a stranger names.
    """

    timeout_s: float = 30.0
    max_redirects: int = 10
    allow_private: bool = False
    public_only: bool = False
    user_agent: str = USER_AGENT

    def __post_init__(self) -> None:
        if not 0 < self.timeout_s <= MAX_TIMEOUT_S:
            raise ValueError(f"timeout_s must be above 0 and at most {MAX_TIMEOUT_S:g}, not {self.timeout_s!r}")
        if self.max_redirects < 0:
            raise ValueError(f"max_redirects must be 0 or more, not {self.max_redirects!r}")


DEFAULT_OPTIONS = FetchOptions()
