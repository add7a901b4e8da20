"""Times as people write them: yesterday, 3 days, 2026-11-01, 2026-11-01 08:00."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from peneira.errors import ArgumentError

_SPAN = re.compile(r"(\d{1,6})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)(?:\s+ago)?", re.IGNORECASE)
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def moment(text: str, now: datetime) -> datetime:
    """Return the time that a text means; a day means its beginning, a time without a zone that of ``now``."""
    text = text.strip()
    today = datetime.combine(now.date(), time(), tzinfo=now.tzinfo)
    if text.lower() in ("today", "yesterday"):
        return today if text.lower() == "today" else today - timedelta(days=1)
    try:
        if span := _SPAN.fullmatch(text):
            return now - int(span[1]) * _UNITS[span[2][0].lower()]
        found = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise ArgumentError(
            f"{text!r} is no time; write yesterday, 3 days, 2 hours, 2026-11-01 or 2026-11-01T08:00"
        ) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=now.tzinfo)
