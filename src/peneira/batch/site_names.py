"""What the folder, the wrapper file and the SQLite table of a site are called: no two sites share a name.

A page says itself of which site it is, so the name of a site may be anything that a host can be: also too long for a
file system.
"""

from __future__ import annotations

import hashlib
import re

# File systems allow 255 bytes; this leaves room for what is put before and behind
_MAX_BYTES = 200
_DIGEST_DIGITS = 8
_PLAIN_HOST = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_TABLE_CHARACTERS = str.maketrans({".": "_", "-": "__"})
_NOT_A_WORD = re.compile(r"\W+")


def folder_name(site: str) -> str:
    """Return the folder of a site as readers of partitioned tables expect it: ``site=example.org``."""
    return f"site={_fitting(site.replace(':', '%3A'))}"


def wrapper_name(site: str) -> str:
    """Return the name of the wrapper file of a site: ``example.org.json``."""
    return f"{_fitting(site.replace(':', '_'))}.json"


def table_name(table: str, site: str) -> str:
    """Return the SQLite table of a site: ``records_example_org``; of my-shop.org ``records_my__shop_org``."""
    if _PLAIN_HOST.fullmatch(site):
        return f"{table}_{site.translate(_TABLE_CHARACTERS)}"
    return f"{table}_{_NOT_A_WORD.sub('_', site)}_{_digest(site)}"


def _fitting(name: str) -> str:
    """Return a name that is not too long: the start of one that is, with a digest of all of it."""
    encoded = name.encode("utf-8", "surrogatepass")
    if len(encoded) <= _MAX_BYTES:
        return name
    return f"{encoded[:_MAX_BYTES].decode('utf-8', 'ignore')}-{_digest(name)}"


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_DIGITS]
