"""How every verb reads pages: the options about it, and the pages that the user names, one after the other."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, cast

import click

from peneira.cli.messages import say, say_partial
from peneira.errors import PeneiraError
from peneira.extraction import Extracted, Extractor, PageReader
from peneira.limits import Cut
from peneira.lists.paging_words import more_labels
from peneira.methods import Method
from peneira.page import Page
from peneira.reasons import Reason
from peneira.sources.chromium import RenderOptions
from peneira.sources.fetch_options import MAX_TIMEOUT_S, FetchOptions
from peneira.sources.inputs import Source, is_collection, named_sources
from peneira.sources.rendering import RENDER_MODES, Render, Renderer

Command = TypeVar("Command", bound=Callable[..., object])
Result = TypeVar("Result")

SOURCES = "FILE|FOLDER|URL|-"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user said about reading pages."""

    url: str | None = None
    timeout_s: float = 30.0
    allow_private: bool = False
    render: Render = "auto"
    scrolls: int = 0

    @property
    def fetching(self) -> FetchOptions:
        """How URLs are fetched."""
        return FetchOptions(timeout_s=self.timeout_s, allow_private=self.allow_private)

    def sources(self, names: Sequence[str]) -> list[Source]:
        """Return the sources that the user names."""
        return named_sources(names, url=self.url, options=self.fetching)

    def is_single(self, names: Sequence[str]) -> bool:
        """Return whether the user names one page; a folder of one page today may have two tomorrow."""
        return len(names) == 1 and not is_collection(names[0])

    def renderer(self, *, screenshot: bool = False, width_px: int | None = None) -> Renderer:
        """Return the renderer of this run."""
        options = RenderOptions(timeout_s=self.timeout_s, allow_private=self.allow_private, scrolls=self.scrolls)
        if self.scrolls:
            options = replace(options, more_labels=more_labels())
        if width_px is not None:
            options = replace(options, width_px=width_px)
        return Renderer(self.render, options, screenshot=screenshot)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """One source: its name, and what came of it or the error that stood in the way."""

    name: str
    result: Result | None = None
    error: PeneiraError | None = None


def read_options(command: Command) -> Command:
    """Give a command the options about reading pages; it gets them as ``reading``."""

    @functools.wraps(command)
    def with_reading(
        *args: object,
        url: str | None,
        timeout_s: float,
        allow_private: bool,
        render: Render,
        scrolls: int,
        **others: object,
    ) -> object:
        if scrolls and render == "never":
            raise click.UsageError("--scroll needs a browser: it does not go with --render never")
        mode: Render = "always" if scrolls else render
        return command(*args, reading=ReadOptions(url, timeout_s, allow_private, mode, scrolls), **others)

    decorated = functools.reduce(lambda made, option: option(made), reversed(_OPTIONS), with_reading)
    return cast("Command", decorated)


def read_pages(names: Sequence[str], reading: ReadOptions) -> Iterator[Outcome[Page]]:
    """Yield the page of each source, or its error; report on standard error how pages were rendered, and what was cut.

    Errors are reported too: what is left to the caller is to count them.
    """
    with PageReader(reading.renderer()) as reader:
        for outcome in _each(reading.sources(names), reader.read):
            if outcome.result is None:
                yield Outcome(outcome.name, error=outcome.error)
                continue
            report_reasons(outcome.name, outcome.result.reasons)
            report_cuts(outcome.name, outcome.result.page.cuts)
            yield Outcome(outcome.name, outcome.result.page)
        report_browser(reader)


def read_all(names: Sequence[str], reading: ReadOptions) -> tuple[list[tuple[str, Page]], bool]:
    """Return the pages that could be read by name, and whether there were others."""
    outcomes = list(read_pages(names, reading))
    pages = [(outcome.name, outcome.result) for outcome in outcomes if outcome.result is not None]
    return pages, len(pages) < len(outcomes)


def extract_each(
    names: Sequence[str], method: Method, reading: ReadOptions, *, screenshot: bool = False
) -> Iterator[Outcome[Extracted]]:
    """Yield what was found on the page of each source, or its error, which is reported on standard error."""
    with Extractor(method, reading.renderer(screenshot=screenshot)) as extractor:
        yield from _each(reading.sources(names), extractor.extract)
        report_browser(extractor)


def _each(sources: Sequence[Source], work: Callable[[Source], Result]) -> Iterator[Outcome[Result]]:
    for source in sources:
        try:
            yield Outcome(source.name, work(source))
        except PeneiraError as error:
            say(f"peneira: {error}")
            yield Outcome(source.name, error=error)


def report_reasons(name: str, reasons: Sequence[Reason]) -> None:
    """Say on standard error how a page was read."""
    for reason in reasons:
        say(f"{name}: {reason}")


def report_cuts(name: str, cuts: Sequence[Cut]) -> None:
    """Say on standard error what was left out of a page."""
    for cut in cuts:
        say_partial(name, cut)


def report_browser(reader: PageReader) -> None:
    """Say on standard error what is unusual about the browser of the run, if anything is."""
    if reader.renderer.note:
        say(f"note: {reader.renderer.note}")


def terminal_width() -> int:
    """Return how many characters fit in a line of the terminal."""
    from shutil import get_terminal_size  # imports lzma

    return get_terminal_size().columns


def _valid_timeout(_context: click.Context, _parameter: click.Parameter, timeout_s: float) -> float:
    if not 0 < timeout_s <= MAX_TIMEOUT_S:  # a range of click lets nan pass
        raise click.BadParameter(f"it must be above 0 and at most {MAX_TIMEOUT_S:g} seconds")
    return timeout_s


_OPTIONS = (
    click.option(
        "--render",
        type=click.Choice(RENDER_MODES),
        default="auto",
        show_default=True,
        help="Whether to render pages in a browser; auto: only pages that scripts fill.",
    ),
    click.option(
        "--scroll",
        "scrolls",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Render pages and scroll down or press a button that loads more, up to N times, while that adds records.",
    ),
    click.option("--url", help="The address of a local page, to make its links absolute."),
    click.option(
        "--timeout",
        "timeout_s",
        metavar="SECONDS",
        type=float,
        callback=_valid_timeout,
        default=30.0,
        show_default=True,
        help="Give up on a URL after this time.",
    ),
    click.option(
        "--allow-private",
        is_flag=True,
        help="Allow link-local addresses, and redirects and requests from public pages to private addresses.",
    ),
)
