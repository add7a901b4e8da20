"""Work that never ends, for tests of what ends it."""

from __future__ import annotations

import signal


def for_ever(*given: object) -> None:
    while True:
        signal.pause()
