"""Claims that say nothing: words in place of a value, variables that a template did not fill in, accounts."""

from __future__ import annotations

import re

from peneira.items.claims import Claim

_NO_VALUE = re.compile(
    r"[-–—.?_]+|n/?\.?a\.?|none|null|nil|nan|undefined|unknown|not specified|not applicable|tbd|tba|default"
    r"|\{\{.*|\$\{.*|<%.*|\[object .*",
    re.IGNORECASE,
)
# Accounts of the software, no persons
_ACCOUNT = re.compile(r"(?:\w+[_-])?(?:admin|administrator|webmaster|wordpress|root|user)\d*", re.IGNORECASE)
# A code of one character counts the things of a page
_CODES = frozenset({"sku", "mpn", "gtin"})
MIN_CODE_CHARS = 2
# A description has words; shorter ones are left-overs of a template
MIN_DESCRIPTION_CHARS = 8


def is_no_value(text: str) -> bool:
    """Return whether a text stands in place of a value, as "N/A" does."""
    return _NO_VALUE.fullmatch(text.strip()) is not None


def is_placeholder(claim: Claim) -> bool:
    """Return whether a claim only fills a place."""
    if claim.items:
        return False
    text = claim.text.strip()
    if claim.role in _CODES and len(text) < MIN_CODE_CHARS:
        return True
    if claim.role == "author" and _ACCOUNT.fullmatch(text):
        return True
    return is_no_value(text) or (claim.role == "description" and len(text) < MIN_DESCRIPTION_CHARS)
