"""All pages of a run, one after the other, in an order that is the same in every run.

A name is a page, a folder, a glob, a URL, an archive, or a list of pages. Nothing is held in memory but where the
reading is.
"""

from __future__ import annotations

import glob
import io
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from peneira.batch.archives import CRAWL_ENDINGS, Archive, ArchiveOptions, reader_of
from peneira.batch.page_input import PageInput, is_address, listed_page
from peneira.errors import ArgumentError, InputError, MissingExtra
from peneira.sources.inputs import PAGE_ENDINGS, STDIN

LIST_ENDINGS = (".txt", ".lst", ".urls", ".jsonl", ".ndjson")
_FOLDER_ENDINGS = (*PAGE_ENDINGS, *CRAWL_ENDINGS)


class PageInputs:
    """The pages that the user names. ``passed_over``: what in archives is no page, counted by reason."""

    def __init__(self, names: Sequence[str], options: ArchiveOptions) -> None:
        if STDIN in names:
            raise ArgumentError("a run that can be resumed reads no standard input: write the list to a file, as .txt")
        self.names, self.options = tuple(names), options
        self.passed_over: Counter[str] = Counter()
        self._read_bytes = 0

    def __iter__(self) -> Iterator[PageInput]:
        self.passed_over.clear()
        self._read_bytes = 0
        for name in self.files():
            yield from self.pages(name)

    def share_read(self, total_bytes: int) -> float:
        """Return which share of all files has been read, 0..1, as an estimate."""
        return min(self._read_bytes / total_bytes, 1.0) if total_bytes else 0.0

    def total_bytes(self) -> int:
        """Return the size of all files that are named. A URL counts as one byte."""
        return sum(_size(name) for name in self.files())

    def files(self) -> Iterator[str]:
        """Yield the names with folders and globs as the files in them."""
        for name in self.names:
            if is_address(name):
                yield name
            elif Path(name).is_dir():
                yield from _or_name(_walk(name), name)
            elif glob.has_magic(name) and not Path(name).exists():
                found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - a pattern may start anywhere
                yield from _or_name(iter([path for path in found if Path(path).is_file()]), name)
            else:
                yield name

    def pages(self, name: str) -> Iterator[PageInput]:
        """Yield the pages of one file; those of an archive that a list names, too."""
        for page in self.units(name):
            if page.is_archive:
                yield from self._guarded(page.path, self._archive_pages)
            else:
                yield page

    def units(self, name: str) -> Iterator[PageInput]:
        """Yield what one file is, or what it lists: pages, and archives that are still to be read."""
        if is_address(name):
            self._read_bytes += 1
            yield PageInput(name, url=name)
        elif Path(name).is_dir():
            yield PageInput(name, error=f"{name}: no page and no WARC in this folder")
        elif reader_of(name) is None and name.lower().endswith(LIST_ENDINGS):
            yield from self._guarded(name, _listed)
        else:
            page = _unit(PageInput(name, path=name))
            self._read_bytes += 0 if page.is_archive else _size(name)
            yield page

    def _guarded(self, name: str, read: Callable[[str, BinaryIO], Iterator[PageInput]]) -> Iterator[PageInput]:
        """Yield the pages of a file; that it cannot be read any further is a page that failed."""
        try:
            with self._opened(name) as file:
                yield from read(name, file)
        except MissingExtra:
            raise
        except (InputError, OSError) as error:
            message = f"{name}: {error.strerror or error}" if isinstance(error, OSError) else str(error)
            yield PageInput(f"{name}:end", error=message)

    def _archive_pages(self, name: str, file: BinaryIO) -> Iterator[PageInput]:
        reader = reader_of(name)
        assert reader is not None
        return reader(Archive(name, file, self.options, self.passed_over))

    def _opened(self, name: str) -> BinaryIO:
        return cast("BinaryIO", io.BufferedReader(_CountedFile(name, self), 256 * 1024))

    def count_bytes(self, count: int) -> None:
        """Note that so many bytes more have been read."""
        self._read_bytes += count


class _CountedFile(io.FileIO):
    """A file that tells how much of it has been read."""

    def __init__(self, name: str, inputs: PageInputs) -> None:
        super().__init__(name)
        self._inputs = inputs

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = super().readinto(buffer) or 0
        self._inputs.count_bytes(count)
        return count


def _listed(name: str, file: BinaryIO) -> Iterator[PageInput]:
    folder = Path(name).parent
    for number, line in enumerate(file, start=1):
        text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
        if text and not text.startswith("#"):
            yield _unit(listed_page(text, name, number, folder))


def _unit(page: PageInput) -> PageInput:
    """Return the page, or the archive that its path leads to."""
    return PageInput(page.path, path=page.path, is_archive=True) if reader_of(page.path) is not None else page


def _walk(folder: str) -> Iterator[str]:
    """Yield the pages and WARCs below a folder in order of their paths; a link to a folder is not followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield folder
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        elif entry.name.lower().endswith(_FOLDER_ENDINGS) and entry.is_file():
            yield entry.path


def _or_name(paths: Iterator[str], name: str) -> Iterator[str]:
    """Yield the paths; the name itself where there are none, so that this is reported."""
    is_empty = True
    for path in paths:
        is_empty = False
        yield path
    if is_empty:
        yield name


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except (OSError, ValueError):
        return 1
