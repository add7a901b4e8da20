"""The wrapper library: saved wrappers by site as plain files in one folder, which can be compared and committed.

    library/
      shop.example/
        products/
          wrapper.json        the current version: `peneira apply` reads it
          versions/0001.json  every version, the first one first
          notes.json          when versions were saved and why, the last check, sample rows

Names come from callers: only short names of letters, digits, dots, dashes and underscores are taken, and never a path.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from threading import RLock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from peneira.errors import InputError, OutputError, WrapperError
from peneira.files import OwnPath, text_file
from peneira.preview import shortened
from peneira.table import Table

if TYPE_CHECKING:
    from peneira.wrappers.drift import CheckReport
    from peneira.wrappers.wrapper import Wrapper

FORMAT, VERSION = "peneira-library", 1
LOCAL_SITE = "local"
MAX_SAMPLES = 5
MAX_SAMPLE_CHARS = 120
MAX_NAME_CHARS = 80
MAX_PATH_NAME_CHARS = 40
_NAME = re.compile(rf"[a-z0-9_][a-z0-9._-]{{0,{MAX_NAME_CHARS - 1}}}", re.ASCII)
_NOT_IN_NAMES = re.compile(r"[^a-z0-9._-]+", re.ASCII)
_WRAPPER, _NOTES, _VERSIONS = "wrapper.json", "notes.json", "versions"


class UnknownWrapper(InputError):
    """There is no saved wrapper of that name."""


@dataclass(frozen=True, slots=True)
class SavedVersion:
    """One version of a saved wrapper: its number, when it was saved, and why."""

    number: int
    saved: str
    reason: str
    columns: int


@dataclass(frozen=True, slots=True)
class LastCheck:
    """What the last check of a saved wrapper found."""

    verdict: str
    checked: str
    page: str
    records: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved wrapper: its site and name, its versions, its last check, and some of its rows."""

    site: str
    name: str
    versions: tuple[SavedVersion, ...] = ()
    last_check: LastCheck | None = None
    sample_columns: tuple[str, ...] = ()
    samples: tuple[tuple[str, ...], ...] = ()

    @property
    def key(self) -> str:
        """What the API and the tools call it."""
        return f"{self.site}/{self.name}"


@dataclass(slots=True)
class Library:
    """The saved wrappers of one folder."""

    folder: Path
    clock: type[datetime.datetime] = field(default=datetime.datetime)
    _changing: RLock = field(default_factory=RLock, init=False, repr=False, compare=False)

    def entries(self) -> list[Entry]:
        """Return all saved wrappers by site and name; what is in the folder and is none is passed over."""
        found = sorted(self.folder.glob(f"*/*/{_WRAPPER}")) if self.folder.is_dir() else []
        keys = [(path.parent.parent.name, path.parent.name) for path in found]
        return [self.entry(f"{site}/{name}") for site, name in keys if _is_name(site) and _is_name(name)]

    def entry(self, key: str) -> Entry:
        """Return what is known of a saved wrapper; raises ``UnknownWrapper`` if there is none of that name."""
        folder = self._existing(key)
        empty = Entry(folder.parent.name, folder.name)
        try:
            notes = json.loads((folder / _NOTES).read_text(encoding="utf-8"))
            return _entry_of(empty, notes)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return empty  # notes that are lost or broken take no wrapper with them

    def last_number(self, key: str) -> int:
        """Return the number of the last version of that name, 0 where nothing is saved under it."""
        return max(_numbers_in(self._folder(key) / _VERSIONS), default=0)

    def load(self, key: str, number: int | None = None) -> Wrapper:
        """Return a saved wrapper, or one of its versions."""
        from peneira.wrappers.wrapper import Wrapper  # imports much, which listing wrappers does not need

        folder = self._existing(key)
        path = folder / _WRAPPER if number is None else folder / _VERSIONS / _version_file(number)
        if not path.is_file():
            raise InputError(f"{key} has no version {number}; it has {len(self.entry(key).versions)}")
        try:
            return Wrapper.load(path)
        except WrapperError as error:  # the caller of a service is not told where its folders are
            raise InputError(f"{key}: {str(error).removeprefix(f'{path}: ')}") from error

    def text(self, key: str, number: int | None = None) -> str:
        """Return a saved wrapper, or one of its versions, as its file has it."""
        from peneira.wrappers.store import dumps

        return dumps(self.load(key, number))

    def save(self, key: str, wrapper: Wrapper, reason: str, sample: Table | None = None) -> Entry:
        """Save a wrapper as the next version of that name, and return its entry."""
        from peneira.wrappers.store import dumps

        folder = self._folder(key)
        text = dumps(wrapper)
        with self._changing:
            with _told(key, "saved"):
                (folder / _VERSIONS).mkdir(parents=True, exist_ok=True)
                on_disk = _numbers_in(folder / _VERSIONS)
            before = self.entry(key) if (folder / _WRAPPER).is_file() else Entry(folder.parent.name, folder.name)
            # notes may be lost: a version that is there is never overwritten
            number = max((*on_disk, *(version.number for version in before.versions)), default=0) + 1
            for path in (folder / _VERSIONS / _version_file(number), folder / _WRAPPER):
                with text_file(OwnPath(path)) as file:
                    file.write(text)
            version = SavedVersion(number, self._now(), shortened(reason, 200), len(wrapper.columns))
            entry = replace(before, versions=(*before.versions, version))
            return self._noted(entry if sample is None else with_sample(entry, sample))

    def note_check(self, key: str, page: str, report: CheckReport, sample: Table | None = None) -> Entry:
        """Keep what a check found, and rows that were read with it; return the entry."""
        reasons = tuple(shortened(str(reason), 200) for reason in report.reasons)
        check = LastCheck(str(report.verdict), self._now(), shortened(page, 200), report.records, reasons)
        with self._changing:
            entry = replace(self.entry(key), last_check=check)
            return self._noted(entry if sample is None else with_sample(entry, sample))

    def delete(self, key: str) -> None:
        """Remove a saved wrapper with its versions."""
        with self._changing:
            folder = self._existing(key)
            with _told(key, "removed"):
                rmtree(folder)
            with suppress(OSError):  # other wrappers of the site are there
                folder.parent.rmdir()

    def check_key(self, key: str) -> None:
        """Raise ``InputError`` if a wrapper cannot be saved under this name."""
        self._folder(key)

    def _noted(self, entry: Entry) -> Entry:
        notes = {"format": FORMAT, "version": VERSION, **asdict(entry)}
        with text_file(OwnPath(self._folder(entry.key) / _NOTES)) as file:
            file.write(json.dumps(notes, ensure_ascii=False, indent=2) + "\n")
        return entry

    def _existing(self, key: str) -> Path:
        folder = self._folder(key)
        if not (folder / _WRAPPER).is_file():
            raise UnknownWrapper(f"there is no saved wrapper {key}")
        return folder

    def _folder(self, key: str) -> Path:
        site, _, name = key.partition("/")
        if not (_is_name(site) and _is_name(name)):
            raise InputError(
                "a saved wrapper is named site/name, in small letters, digits, dots, dashes and underscores"
            )
        return self.folder / site / name

    def _now(self) -> str:
        return self.clock.now(datetime.UTC).isoformat(timespec="seconds")


def library_key(url: str | None, name: str) -> str:
    """Return the name under which a wrapper of a page is saved: its host, and a name made of what the user wrote."""
    host = (urlsplit(url).hostname or "") if url else ""
    return f"{_as_name(host.removeprefix('www.'), LOCAL_SITE)}/{_as_name(name, 'list')}"


def path_name(url: str) -> str:
    """Return the words of an address's path, which tell the lists of a host apart; "list" where it has none."""
    segments = [segment.rpartition(".")[0] or segment for segment in urlsplit(url).path.split("/") if segment]
    words = [segment for segment in segments if any(char.isalpha() for char in segment)]
    return "-".join(words)[:MAX_PATH_NAME_CHARS] or "list"


def with_sample(entry: Entry, table: Table) -> Entry:
    """Return an entry with the first rows of a table."""
    rows = (["" if cell is None else cell.text for cell in row] for row in table.rows[:MAX_SAMPLES])
    samples = tuple(tuple(shortened(text, MAX_SAMPLE_CHARS) for text in row) for row in rows)
    return replace(entry, sample_columns=table.names, samples=samples)


def _as_name(text: str, otherwise: str) -> str:
    name = _NOT_IN_NAMES.sub("-", text.lower()).strip("-._")[:MAX_NAME_CHARS].strip("-._")
    return name if _is_name(name) else otherwise


def _is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text)) and ".." not in text


def _version_file(number: int) -> str:
    return f"{number:04}.json"


def is_version_number(text: str) -> bool:
    """Whether a text can be the number of a version."""
    return text.isascii() and text.isdigit() and len(text) < 7


def _numbers_in(folder: Path) -> list[int]:
    """Return the numbers of the versions in a folder."""
    return [int(path.stem) for path in folder.glob("*.json") if is_version_number(path.stem)]


@contextmanager
def _told(key: str, done: str) -> Iterator[None]:
    """Raise errors of the file system as ours, which do not tell where the folders are."""
    try:
        yield
    except OSError as error:
        raise OutputError(key, f"cannot be {done}: {error.strerror or error}") from error


def _entry_of(empty: Entry, notes: dict[str, object]) -> Entry:
    if notes.get("format") != FORMAT or notes.get("version") != VERSION:
        return empty
    check = notes.get("last_check")
    return replace(
        empty,
        versions=tuple(_version_of(version) for version in _objects(notes["versions"])),
        last_check=_check_of(check) if isinstance(check, dict) else None,
        sample_columns=_texts(notes["sample_columns"]),
        samples=tuple(_texts(row) for row in _list(notes["samples"])),
    )


def _version_of(version: dict[str, object]) -> SavedVersion:
    return SavedVersion(
        int(str(version["number"])), str(version["saved"]), str(version["reason"]), int(str(version["columns"]))
    )


def _check_of(check: dict[str, object]) -> LastCheck:
    return LastCheck(
        str(check["verdict"]), str(check["checked"]), str(check["page"]), int(str(check["records"])),
        _texts(check["reasons"]),
    )  # fmt: skip


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(text) for text in _list(value))


def _objects(value: object) -> list[dict[str, object]]:
    return [entry for entry in _list(value) if isinstance(entry, dict)]
