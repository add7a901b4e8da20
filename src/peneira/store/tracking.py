"""From the pages of a list to its records: read by the wrapper of the first visit, checked, healed where asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from peneira.account import Tally
from peneira.errors import ArgumentError, SiteChanged
from peneira.output.characters import WITHOUT_NUL
from peneira.output.schema import spelled
from peneira.page import Page
from peneira.result import Region
from peneira.scrapy.details import DetailReader, Details
from peneira.scrapy.record_rows import RecordRows, record_rows
from peneira.store.history import SeenCell, Tracker
from peneira.table import Cell, Table
from peneira.wrappers.drift import CheckReport, CheckVerdict
from peneira.wrappers.learning import learn
from peneira.wrappers.store import dumps, loads
from peneira.wrappers.wrapper import Wrapper

# How many pages a wrapper is learned from
LEARNING_PAGES = 8
# How many pages are checked together; a check of some hundred records is as sure as one of thousands
MAX_CHECKED_PAGES = 60
# The columns that tell records apart, the best first, where the user names none
_KEY_COLUMNS = ("url", "id", "sku", "title")
# Parameters of addresses that say where a visitor is from, not which page it is
_TRACKING_PARAMETERS = ("utm_", "gclid", "fbclid", "mc_cid", "mc_eid", "msclkid")
# Fewer pages of records that fit their wrapper are pages of another template
MIN_FITTING_SHARE = 0.5

ReadDetails = Callable[[Sequence[str], DetailReader], Mapping[str, Details]]


@dataclass(frozen=True, slots=True)
class ReadList:
    """The records of a list by key, how it was read, and what is to be said about that."""

    tracker: Tracker
    records: dict[str, dict[str, SeenCell]]
    repeated: int
    notes: tuple[str, ...] = ()


def read_list(
    tracker: Tracker | None,
    pages: Sequence[tuple[str, Page]],
    *,
    name: str,
    key: Sequence[str] = (),
    heal: bool = False,
    read_details: ReadDetails | None = None,
) -> ReadList:
    """Return the records of the pages of a list, which are read as the tracker says; without one, that is learned.

    Raises ``SiteChanged`` where the pages no longer are what they were, unless ``heal`` finds the old columns again.
    """
    notes: list[str] = []
    if tracker is None:
        wrapper = learn([page for _, page in pages[:LEARNING_PAGES]], kind="list")
        tracker = Tracker(name, dumps(wrapper), key=tuple(key))
        notes.append(f"learned how to read it: {len(wrapper.columns)} columns")
    else:
        if key and tuple(key) != tracker.key:
            raise ArgumentError(f"{name} is tracked by {', '.join(tracker.key)}; it cannot be by {', '.join(key)} now")
        wrapper, healing_notes = _checked(loads(tracker.wrapper, name), pages, name, heal=heal)
        notes += healing_notes
        tracker = replace(tracker, wrapper=dumps(wrapper))
    lists = [(url, region) for url, page in pages if (region := _region(wrapper, page)) is not None]
    rows = record_rows(lists)
    if read_details is not None:
        reader = DetailReader(loads(tracker.detail_wrapper, name) if tracker.detail_wrapper else None)
        addresses = [each for each in rows.addresses if each]
        details = read_details(addresses, reader)
        if not _fit(details) and heal:
            notes.append("the pages of the records were of another template: learned again")
            reader.wrapper = None
            details = read_details(addresses, reader)
        elif not _fit(details):
            message = "the pages of most records are of another template; nothing was recorded. Try --heal"
            raise SiteChanged(name, message)
        tracker = replace(tracker, detail_wrapper=dumps(reader.wrapper) if reader.wrapper is not None else "")
        rows = rows.joined(details)
    if not tracker.key:
        tracker = replace(tracker, key=_key_columns(rows.table))
    records, repeated = _keyed(rows, tracker.key)
    return ReadList(tracker, records, repeated, tuple(notes))


def _region(wrapper: Wrapper, page: Page) -> Region | None:
    return wrapper.extract(page).main


def _checked(
    wrapper: Wrapper, pages: Sequence[tuple[str, Page]], name: str, *, heal: bool
) -> tuple[Wrapper, list[str]]:
    """Return the wrapper, healed where the pages no longer fit it and the user asks for that."""
    report = next((report for report in _reports(wrapper, pages) if report.verdict is not CheckVerdict.OK), None)
    if report is None:
        return wrapper, []
    reasons = "; ".join(map(str, report.reasons))
    if not heal:
        raise SiteChanged(name, f"the site has changed ({report.verdict}: {reasons}); nothing was recorded. Try --heal")
    healing = wrapper.heal([page for _, page in pages[:LEARNING_PAGES]])
    if not healing.accepted:
        raise SiteChanged(name, f"the site has changed ({reasons}), and healing failed: {healing.reason}")
    return healing.wrapper, [f"healed: {change}" for change in healing.changes]


def _reports(wrapper: Wrapper, pages: Sequence[tuple[str, Page]]) -> Iterator[CheckReport]:
    """Yield what a check says of the pages: parts of equal size, so that few of them are in memory at once."""
    parts = -(-len(pages) // MAX_CHECKED_PAGES)
    bounds = [len(pages) * k // parts for k in range(parts + 1)]
    for start, end in pairwise(bounds):
        yield wrapper.check([page for _, page in pages[start:end]])


def _fit(details: Mapping[str, Details]) -> bool:
    return sum(each.fits for each in details.values()) >= MIN_FITTING_SHARE * len(details)


def _key_columns(table: Table) -> tuple[str, ...]:
    """Return the column that tells the records apart: nearly all records have it, and it differs between them."""
    for name in _KEY_COLUMNS:
        if name in table.names:
            column = table.select([name])
            texts = [row[0].text for row in column.rows if row[0] is not None]
            if len(set(texts)) >= 0.9 * len(table.rows) and texts:
                return (name,)
    raise ArgumentError("no column tells these records apart; name one or several with --key")


def _keyed(rows: RecordRows, names: Sequence[str]) -> tuple[dict[str, dict[str, SeenCell]], int]:
    table = rows.table
    indexes = [table.names.index(name) for name in table.select(names).names]
    records: dict[str, dict[str, SeenCell]] = {}
    repeated = rows.repeated
    for row in table.rows:
        key = WITHOUT_NUL.replace_forbidden(" ".join(_key_part(row[k]) for k in indexes).strip(), Tally())
        if not key:
            continue
        repeated += key in records
        seen = {name: _seen(cell) for name, cell in zip(table.names, row, strict=True) if cell is not None}
        seen.pop("source", None)
        records.setdefault(key, seen)
    return records, repeated


def _key_part(cell: Cell | None) -> str:
    if cell is None:
        return ""
    text = str(cell.value) if cell.type == "url" and cell.value else cell.text
    return plain_address(text) if cell.type == "url" or text.startswith(("http://", "https://")) else text


def _seen(cell: Cell) -> SeenCell:
    value = None if cell.value is None or cell.type == "text" else spelled(cell.value)
    text = WITHOUT_NUL.replace_forbidden(cell.text, Tally())
    if cell.type == "url":  # where a visitor is from is no change of the record
        text, value = plain_address(text), value and plain_address(value)
    return SeenCell(text, value and WITHOUT_NUL.replace_forbidden(value, Tally()), cell.type)


def plain_address(url: str) -> str:
    """Return an address without its fragment and without parameters that say where a visitor is from."""
    try:
        parts = urlsplit(url)
    except ValueError:  # a link of a page may be anything
        return url
    query = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(name, value) for name, value in query if not name.lower().startswith(_TRACKING_PARAMETERS)]
    text = parts.query if len(kept) == len(query) else urlencode(kept)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, text, ""))
