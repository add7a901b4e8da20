"""Pages about one product with the values that the product benchmark accepts, streamed from their archive."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from peneira.errors import CorpusError
from peneira_research.corpora.archives import archive_members
from peneira_research.corpora.gold_pages import NEXT_STEP

ATTRIBUTES = ("price", "sku", "availability", "brand", "gtin", "mpn")


@dataclass(frozen=True, slots=True)
class ProductPage:
    """A page about one product: for each attribute the values that are accepted, none where the page has no gold."""

    id: str
    site: str
    url: str | None
    body: bytes
    values: Mapping[str, tuple[str, ...]]


def product_archive(root: Path) -> Path:
    """Return the archive of the product pages."""
    return root / "products" / "dev.tar.xz"


def read_products(root: Path) -> Iterator[ProductPage]:
    """Yield the product pages of the corpora, in the order of their archive. The index comes first."""
    archive = product_archive(root)
    if not archive.is_file():
        raise CorpusError(f"{archive}: no such archive; {NEXT_STEP}")
    pages: dict[str, ProductPage] = {}
    for name, body in archive_members(archive):
        if name.endswith(".jsonl"):
            for line in body.splitlines():
                file, page = _entry(line, name)
                pages[file] = page
        elif name in pages:
            yield replace(pages[name], body=body)


def product_digest(root: Path) -> str:
    """Return a hash of the product pages that changes with their archive."""
    return hashlib.sha256(product_archive(root).read_bytes()).hexdigest()


def _entry(line: bytes, member: str) -> tuple[str, ProductPage]:
    try:
        entry = json.loads(line)
        values = {name: tuple(map(str, entry.get(name) or ())) for name in ATTRIBUTES}
        return entry["file"], ProductPage(str(entry["id"]), entry.get("site") or "", entry.get("url"), b"", values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{member}: not an entry of the product pages: {error!r}") from error
