"""Pages that users labelled themselves, read from a JSON Lines file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from peneira.errors import CorpusError


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page of the user's own with the values that are its content."""

    id: str
    site: str
    body: bytes
    values: tuple[str, ...]


def read_labels(path: Path) -> list[LabelledPage]:
    """Return the pages of a JSON Lines file: {"file": "page.html", "values": ["...", ...], "site": "..."}.

    File names are relative to the folder of the JSON Lines file; without a site, each page is a site of its own.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not a text in UTF-8") from error
    pages = [_labelled_page(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not pages:
        raise CorpusError(f"{path}: no labelled page in it")
    return pages


def _labelled_page(path: Path, number: int, line: str) -> LabelledPage:
    where = f"{path}:{number}"
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{where}: not a line of JSON: {error}") from error
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise CorpusError(f'{where}: not a labelled page: "file" must be the name of one')
    values = entry.get("values")
    if not isinstance(values, list) or not all(isinstance(value, str | int | float) for value in values):
        raise CorpusError(f'{where}: not a labelled page: "values" must be a list of what the page shows')
    file = entry["file"]
    try:
        body = (path.parent / file).read_bytes()
    except (OSError, ValueError) as error:
        raise CorpusError(f"{where}: {file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return LabelledPage(file, str(entry.get("site") or file), body, tuple(map(str, values)))
