"""A browser that renders with other options for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from peneira.sources.browser import Browser


@contextmanager
def options(browser: Browser, **changes: object) -> Iterator[None]:
    """Render with other options while the block runs."""
    before = browser.options
    browser.options = replace(before, **changes)  # type: ignore[arg-type]
    yield
    browser.options = before
