"""Pages with their main text: the development pages of WCXB, all of them, with the words and snippets of the gold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from peneira.errors import CorpusError
from peneira_research.corpora.archives import archive_members
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.page_origin import host_owner
from peneira_research.corpora.typed_pages import PageType, json_entry, type_of_word

_GOLD_FOLDER, _PAGE_FOLDER = "ground-truth", "html"


@dataclass(frozen=True, slots=True)
class MainTextPage:
    """A page, its type and its main text; the text must hold the snippets ``wanted`` and none of ``unwanted``.

    ``site``: as in the other corpora, for folds. ``facts``: title, author and date, "" where the gold has none.
    """

    id: str
    site: str
    url: str | None
    body: bytes
    type: PageType
    reference: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    facts: Mapping[str, str] = field(default_factory=dict)


def main_text_archive(root: Path) -> Path:
    """Return the archive of the pages with a main text."""
    return root / "wcxb" / "dev.tar.xz"


def main_text_digest(root: Path) -> str:
    """Return a hash of the pages with a main text."""
    return hashlib.sha256(main_text_archive(root).read_bytes()).hexdigest()


def main_text_pages(corpora: Corpora) -> Iterator[MainTextPage]:
    """Yield the pages of WCXB straight from the archive, each after its gold."""
    archive = main_text_archive(corpora.root)
    if not archive.is_file():
        raise CorpusError(f"{archive}: no such corpus; the main texts of pages are in it")
    site_of_url = {gold.page_url: gold.site for gold in corpora.all_pages() if gold.page_url}
    entries: dict[str, Mapping[str, Any]] = {}
    for name, body in archive_members(archive):
        path = PurePosixPath(name)
        if path.parent.name == _GOLD_FOLDER and path.suffix == ".json":
            entries[path.stem] = json_entry(body, name)
        elif path.parent.name == _PAGE_FOLDER and path.stem in entries:
            yield _page(path.stem, entries[path.stem], body, site_of_url)


def _page(stem: str, entry: Mapping[str, Any], body: bytes, site_of_url: Mapping[str, str]) -> MainTextPage:
    url, id = entry.get("url") or None, f"wcxb-{stem}"
    gold = entry.get("ground_truth") or {}
    page_type = type_of_word(entry.get("_internal", {}).get("page_type", {}).get("primary", ""))
    site = site_of_url.get(url or "") or host_owner(url or "") or id
    wanted, unwanted = (tuple(gold.get(name) or ()) for name in ("with", "without"))
    keys = {"title": "title", "author": "author", "date": "publish_date"}
    facts = {name: str(gold.get(key) or "") for name, key in keys.items()}
    return MainTextPage(id, site, url, body, page_type, gold.get("main_content") or "", wanted, unwanted, facts)
