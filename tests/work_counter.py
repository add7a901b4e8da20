"""The cost of a call as a count of work, which is the same on a busy machine as on an idle one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def lines_executed(call: Callable[[], object]) -> int:
    """Return how many lines of Python a call executes, each turn of a loop counted.

    Compiled loops and regular expressions count as the line that calls them.
    """
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
