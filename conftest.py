"""Shared fixtures: the corpora where they are found, a real Chromium, generated pages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions

ROOT = Path(__file__).resolve().parent

settings.register_profile("peneira", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("peneira")


def corpora_root() -> Path | None:
    """Return the folder of the corpora, if it is here."""
    named = os.environ.get("PENEIRA_CORPORA")
    folder = Path(named) if named else ROOT.parent / "shared" / "corpora"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The corpora, or a skipped test."""
    folder = corpora_root()
    if folder is None:
        pytest.skip("the corpora are not here")
    return folder


@pytest.fixture(scope="session")
def corpus_files(corpora: Path) -> list[Path]:
    """All list pages of the corpora."""
    return sorted(corpora.glob("*/pages/*/*.html"))


@pytest.fixture(scope="session")
def sample() -> Path:
    """The page that ships with peneira."""
    return ROOT / "demo" / "jobs.html"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests, as starting it takes longer than most of them."""
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(chromium: Browser) -> Browser:
    """A browser that waits no longer than pages of tests need; a test may set other options and must set them back."""
    chromium.options = RenderOptions(timeout_s=120, quiet_s=0.1, patience_s=0.4)
    return chromium
