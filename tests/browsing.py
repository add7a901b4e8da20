"""A browser that renders with other options for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from peneira.sources.browser import Browser


@contextmanager
def options(browser: Browser, **changes: object) -> Iterator[None]:
    """Render with other options while the block runs."""
    before = browser.options
    browser.options = replace(before, **changes)  # type: ignore[arg-type]
    try:
        yield
    finally:
        browser.options = before


def patience(browser: Browser, **changes: object) -> AbstractContextManager[None]:
    """Render with time for scripts that run late because other programs keep the machine busy."""
    return options(browser, patience_s=4.0, settle_s=60.0, **changes)
