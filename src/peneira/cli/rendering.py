"""Inputs of the command line read as they were sent or as a browser shows them, whichever is needed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

import click

from peneira.cli.inputs import is_url, local_body, static_page
from peneira.errors import PeneiraError
from peneira.extraction import extracted
from peneira.files import binary_file
from peneira.limits import DEFAULT_LIMITS
from peneira.methods import Method
from peneira.output.report import report
from peneira.page import Page
from peneira.rendering import RENDER_MODES, Render, Renderer, Source
from peneira.result import Extraction
from peneira.sources.chromium import RenderOptions
from peneira.sources.fetch import FetchOptions
from peneira.sources.html import read_page

Command = TypeVar("Command", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Rendering:
    """What the user said on rendering."""

    mode: Render = "auto"
    scrolls: int = 0

    def renderer(self, options: FetchOptions) -> Renderer:
        """Return a renderer for a run with these options on URLs."""
        timeout_s, allow_private = options.timeout_s, options.allow_private
        return Renderer(
            self.mode, RenderOptions(timeout_s=timeout_s, allow_private=allow_private, scrolls=self.scrolls)
        )


def render_options(command: Command) -> Command:
    """Give a command the options on rendering; it gets them as ``rendering``."""

    @functools.wraps(command)
    def with_rendering(*args: object, render: Render, scrolls: int, **others: object) -> object:
        if scrolls and render == "never":
            raise click.UsageError("--scroll needs a browser: it does not go with --render never")
        return command(*args, rendering=Rendering("always" if scrolls else render, scrolls), **others)

    made = click.option(
        "--scroll",
        "scrolls",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Show pages in a browser and scroll to the end up to N times, while that brings new records.",
    )(with_rendering)
    made = click.option(
        "--render",
        type=click.Choice(RENDER_MODES),
        default="auto",
        show_default=True,
        help="Show pages in a browser first; auto: where they are shells that scripts fill.",
    )(made)
    return cast("Command", made)


@dataclass(frozen=True, slots=True)
class Read:
    """One input: its name, its page and what was found on it, or the error that stood in the way."""

    name: str
    page: Page | None = None
    result: Extraction | None = None
    error: PeneiraError | None = None


@dataclass(slots=True)
class Reader:
    """Reads inputs one after the other. ``screenshot``: pages that a browser shows carry their picture."""

    renderer: Renderer
    method: Method
    url: str | None
    options: FetchOptions
    screenshot: bool = False

    def read(self, names: Sequence[str]) -> Iterator[Read]:
        """Yield each input with what was found on it."""
        for name in names:
            try:
                yield self._read(name)
            except PeneiraError as error:
                yield Read(name, error=error)

    def _read(self, name: str) -> Read:
        pages: list[Page] = []

        def extract(page: Page) -> Extraction:
            pages.append(page)
            return extracted(page, self.method)

        source = self._web(name) if is_url(name) else self._local(name)
        result = self.renderer.extraction(source, extract, needs_boxes=self.method.needs_boxes)
        return Read(name, pages[-1], result)

    def _local(self, name: str) -> Source:
        body = local_body(name)
        told = "standard input" if name == "-" else name
        return Source(
            self.url,
            lambda: read_page(body, url=self.url, limits=DEFAULT_LIMITS),
            lambda browser: browser.read(body, url=self.url, screenshot=self.screenshot, name=told),
        )

    def _web(self, name: str) -> Source:
        return Source(
            name,
            lambda: static_page(name, url=self.url, options=self.options),
            lambda browser: browser.open(name, screenshot=self.screenshot),
        )


@dataclass(slots=True)
class Reports:
    """The reports of one run, written into the current folder, each under a name of its own."""

    _names: set[str] = field(default_factory=set)

    def write(self, read: Read) -> None:
        """Write the report on a page that a browser has shown, and say where."""
        if read.page is None or read.result is None or read.page.layout is None:
            return
        path = Path(self._name(read.name))
        with binary_file(path) as file:
            file.write(report(read.page, read.result, read.name).encode())
        click.echo(f"{read.name}: report written to {path}", err=True)

    def _name(self, source: str) -> str:
        stem = "".join(char if char.isalnum() else "-" for char in source).strip("-")[-60:].strip("-") or "page"
        name, number = f"{stem}-report.html", 1
        while name in self._names:
            number += 1
            name = f"{stem}-report-{number}.html"
        self._names.add(name)
        return name
