"""The outputs of peneira for the pages of the corpora, written to a file so that two versions can be compared.

A line of JSON per page: verdict, records, columns, cells, values and reasons of every list, for all pages of ``lists``,
``modern`` and ``modern2`` and a sample of ``swde`` and ``detail``. On every tenth page also the other methods,
``clean``, ``segment`` and ``content``. Then a line per wrapper, learned from some pages and applied to all of a site.
Only the public API is used, so that the same module runs on both versions.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peneira
from peneira.errors import CorpusError
from peneira_research.corpora.archives import archive_members
from peneira_research.workers import in_processes

METHODS = ("mdr", "tps+mdr", "autorm", "gstm", "gstm-published", "xpath-rank")
FOLDERS_OF_LISTS = ("lists", "modern", "modern2")
FOLDERS_OF_ARCHIVES = ("swde", "detail")
PAGES_PER_FOLDER = 200  # of archives, evenly spaced
EVERY = 10  # pages on which all methods run
EVERY_LEARNED = 8  # pages of modern that a wrapper is learned from
LEARNING_PAGES = 4
MIN_SITE_PAGES = 3
URL = "https://www.example.com/a/b.html"

Output = dict[str, Any]
NamedPage = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two files of outputs: (equal, different) counts by kind of output, which outputs differ, how much was compared.

    ``differing``: pairs of page and output. ``records`` and ``cells`` count those of the default method.
    """

    counts: Mapping[str, tuple[int, int]]
    differing: tuple[tuple[str, str], ...]
    records: int
    cells: int


def write_outputs(root: Path, target: Path, *, jobs: int) -> Iterator[str]:
    """Write the outputs for the corpora in ``root`` to a gzipped file of JSON Lines; yield the name of each line."""
    archived = list(_archived_pages(root))
    pages = [*_list_pages(root), *archived]
    numbered = [(k, name, body) for k, (name, body) in enumerate(pages)]
    single = [(name, [body]) for name, body in pages if name.startswith("modern/")][::EVERY_LEARNED]
    with gzip.GzipFile(target, "wb", 1, mtime=0) as file:  # no time in it: equal outputs give equal files
        for name, output in in_processes(_page_output, numbered, jobs=jobs):
            file.write(_line(name, output))
            yield name
        for name, output in in_processes(_site_output, [*_sites(archived), *single], jobs=jobs):
            file.write(_line(name, output))
            yield name


def _line(name: str, output: Output) -> bytes:
    return (json.dumps({"page": name, **output}, ensure_ascii=False) + "\n").encode("utf-8")


def _list_pages(root: Path) -> Iterator[NamedPage]:
    for folder in FOLDERS_OF_LISTS:
        for index in sorted((root / folder).glob("*.jsonl")):
            for entry in map(json.loads, index.read_text(encoding="utf-8").splitlines()):
                yield f"{folder}/{entry['id']}", (root / folder / entry["file"]).read_bytes()


def _archived_pages(root: Path) -> Iterator[NamedPage]:
    for folder in FOLDERS_OF_ARCHIVES:
        pages = [
            (f"{folder}/{archive.name}/{name}", body)
            for archive in sorted((root / folder).glob("*.tar.xz"))
            for name, body in archive_members(archive)
            if name.endswith((".htm", ".html"))
        ]
        yield from pages[:: max(1, len(pages) // PAGES_PER_FOLDER)][:PAGES_PER_FOLDER]


def _sites(pages: Sequence[NamedPage]) -> list[tuple[str, list[bytes]]]:
    """Return the pages of each site of SWDE that has enough of them."""
    by_site: dict[str, list[bytes]] = {}
    for name, body in pages:
        if name.startswith("swde/"):
            by_site.setdefault(name.rsplit("/", 1)[0], []).append(body)
    return [(site, bodies) for site, bodies in sorted(by_site.items()) if len(bodies) >= MIN_SITE_PAGES]


def _page_output(numbered: tuple[int, str, bytes]) -> tuple[str, Output]:
    number, name, body = numbered
    output: Output = {"auto": _extraction(peneira.extract(body, url=URL))}
    if number % EVERY == 0:
        for method in METHODS:
            output[method] = _extraction(peneira.extract(body, method=method))
        output["clean"] = peneira.clean(body)
        output["faithful"] = peneira.clean(body, faithful="scan-on")
        output["segment"] = _block(peneira.segment(body))
        for model in ("light", "edrew"):
            output[f"content {model}"] = [
                [c.text, c.xpath, c.probability, c.block] for c in peneira.content(body, model=model)
            ]
    return name, output


def _site_output(site: tuple[str, list[bytes]]) -> tuple[str, Output]:
    name, bodies = site
    wrapper = peneira.learn(bodies[:LEARNING_PAGES])
    return f"learn {name}", {"auto": [_extraction(wrapper.extract(body)) for body in bodies]}


def _extraction(result: peneira.Extraction) -> Output:
    return {
        "verdict": result.verdict,
        "status": result.status,
        "has_main": result.main is not None,
        "regions": [_region(region) for region in result.regions],
        "reasons": [reason.value for reason in result.reasons],
    }


def _region(region: peneira.Region) -> Output:
    return {
        "xpath": region.xpath,
        "confidence": region.confidence,
        "columns": _columns(region.columns),
        "all_columns": _columns(region.all_columns),
        "records": [
            [r.text, r.xpath, r.confidence, [list(x) for x in r.ranges], {k: _cell(v) for k, v in r.fields.items()}]
            for r in region.records
        ],
        "reasons": [reason.value for reason in region.reasons],
    }


def _columns(columns: Sequence[Any]) -> list[list[Any]]:
    return [[c.name, c.caption, c.type, c.fill, c.confidence] for c in columns]


def _cell(cell: Any) -> list[Any]:
    # the value of a text was None in older versions and is the text now
    value = None if cell.type == "text" or cell.value is None else str(cell.value)
    kind = type(cell.value).__name__ if value else None
    return [cell.text, cell.type, value, kind, list(cell.items), cell.xpath, cell.confidence]


def _block(block: Any) -> list[Any]:
    children = [_block(child) for child in block.children]
    return [block.start, block.end, block.role, block.share, block.text, block.xpath, children]


def compare_outputs(before: Path, after: Path) -> Comparison:
    """Return which outputs of two files are equal, by corpus and kind of output."""
    old, new = _read(before), _read(after)
    counts: dict[str, tuple[int, int]] = {}
    differing = []
    for page in sorted(old.keys() | new.keys()):
        corpus = "learn" if page.startswith("learn ") else page.split("/")[0]
        old_outputs, new_outputs = old.get(page, {}), new.get(page, {})
        for name in sorted(old_outputs.keys() | new_outputs.keys()):
            is_equal = old_outputs.get(name) == new_outputs.get(name)
            equal, different = counts.get(f"{corpus} {name}", (0, 0))
            counts[f"{corpus} {name}"] = (equal + is_equal, different + (not is_equal))
            if not is_equal:
                differing.append((page, name))
    records = [record for outputs in old.values() for record in _records(outputs.get("auto"))]
    cells = sum(len(record[4]) for record in records)
    return Comparison(dict(sorted(counts.items())), tuple(differing), len(records), cells)


def _records(output: object) -> list[Any]:
    """Return the records of an extraction; none for the outputs of a wrapper, which are several extractions."""
    return [record for region in output["regions"] for record in region["records"]] if isinstance(output, dict) else []


def _read(path: Path) -> dict[str, Output]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            entries = [json.loads(line) for line in lines]
        return {entry.pop("page"): entry for entry in entries}
    except (OSError, EOFError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise CorpusError(f"{path}: not a file of `peneira bench outputs`: {error}") from error
