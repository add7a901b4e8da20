"""Corpora of detail pages, streamed from their .tar.xz archives: nothing is unpacked to disk."""

from __future__ import annotations

import html
import json
import lzma
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peneira.errors import CorpusError

# Labels that SWDE cuts short: "P" for "PG", surnames only. They cannot be compared by equality
SWDE_BROKEN = frozenset({("movie", "allmovie", "mpaa_rating"), ("movie", "amctv", "director")})

_NO_VALUE = "<NULL>"
_SWDE_PAGE = re.compile(r"(?P<vertical>[^/]+)/(?P=vertical)-(?P<site>[^/(]+)\(\d+\)/(?P<id>[^/]+)\.htm")
_DETAIL_INDEX = "detail.jsonl"

# The values of one attribute of one site, by page
Labels = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SwdePage:
    """A page of SWDE and its values by attribute, HTML entities resolved.

    An attribute that is not labelled on this site is no key; one that this page lacks has an empty tuple.
    """

    vertical: str
    site: str
    id: str
    body: bytes
    values: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DetailPage:
    """A modern detail page: one entity and the values that its visible text shows, by attribute.

    ``occurrences``, ``whole_element`` and ``single_node`` have the shape of ``values``: for each value how often it
    occurs, how often as the whole text of an element, and whether inside one text node. ``coverage`` is
    (values found, values expected).
    """

    id: str
    source: str
    site: str
    url: str | None
    body: bytes
    values: Mapping[str, tuple[str, ...]]
    occurrences: Mapping[str, tuple[int, ...]]
    whole_element: Mapping[str, tuple[int, ...]]
    single_node: Mapping[str, tuple[bool, ...]]
    coverage: Mapping[str, tuple[int, int]]


def read_swde(archive: Path) -> Iterator[SwdePage]:
    """Yield the pages of one vertical. The groundtruth files come first in the archive."""
    labels: dict[str, dict[str, Labels]] = {}
    for name, body in archive_members(archive):
        if name.startswith("groundtruth/"):
            site, attribute, values = _labels(name, body)
            if any(values.values()):
                labels.setdefault(site, {})[attribute] = values
        elif match := _SWDE_PAGE.fullmatch(name):
            site, id = match["site"], match["id"]
            values = {attribute: pages.get(id, ()) for attribute, pages in labels.get(site, {}).items()}
            yield SwdePage(match["vertical"], site, id, body, values)


def read_detail(archive: Path) -> Iterator[DetailPage]:
    """Yield the pages of the archive, in its order. The index comes first."""
    entries: dict[str, Mapping[str, Any]] = {}
    for name, body in archive_members(archive):
        if name == _DETAIL_INDEX:
            entries = {entry["file"]: entry for entry in map(json.loads, body.decode().splitlines())}
        elif name in entries:
            yield _detail_page(entries[name], body)


def archive_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file of an archive, in its order."""
    try:
        with tarfile.open(archive, "r|xz") as tar:
            for member in tar:
                file = tar.extractfile(member)
                if file is not None:
                    yield member.name, file.read()
    except (OSError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
        raise CorpusError(f"{archive}: cannot be read: {error}") from error


def _labels(name: str, body: bytes) -> tuple[str, str, Labels]:
    """Return site, attribute and values of one groundtruth file: a line of names, a line of counts, a line per page."""
    try:
        (_, site, attribute), _, *rows = (line.split("\t") for line in body.decode("utf-8-sig").splitlines())
        return site, attribute, {id: _values(cells) for id, _, *cells in rows}
    except ValueError as error:
        raise CorpusError(f"{name}: not a groundtruth file of SWDE: {error}") from error


def _values(cells: list[str]) -> tuple[str, ...]:
    return tuple(html.unescape(cell) for cell in cells if cell != _NO_VALUE)


def _detail_page(entry: Mapping[str, Any], body: bytes) -> DetailPage:
    def tuples(key: str) -> dict[str, Any]:
        return {attribute: tuple(values) for attribute, values in entry[key].items()}

    return DetailPage(
        id=entry["id"],
        source=entry["source"],
        site=entry["site"],
        url=entry.get("url"),
        body=body,
        values=tuples("values"),
        occurrences=tuples("occurrences"),
        whole_element=tuples("whole_element"),
        single_node=tuples("single_node"),
        coverage=tuples("coverage"),
    )
