"""What one call may use of each limit, and what it had to leave out.

A call makes one ``Budget`` from its ``Limits`` and runs below it (``with budget.running()``). Loops and kernels tell
the budget of the call that they are part of what they do (``check_budget``, ``spend``), wherever they stand; one that
is used up raises ``LimitExceeded``, and the step of the call that cannot go on notes what it left out (``attempt``). So
a result is partial, and says so, at most one unit of work later.

Seconds are CPU seconds of the thread that runs the call: a busy machine changes no result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic, thread_time
from typing import Literal, TypeVar, cast

from peneira.errors import LimitExceeded
from peneira.limits import Cut, Limits

Result = TypeVar("Result")
# What is counted while a call runs: comparisons of two nodes or values, cells of tables, texts that are returned
Counted = Literal["pairs", "cells", "output_bytes"]


class Budget:
    """What is left of the limits of one call. ``cuts``: the limits that were hit, and what was left out for them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.cuts: list[Cut] = []
        self._spent: dict[str, int] = {"pairs": 0, "cells": 0, "output_bytes": 0}
        self._outer: Budget | None = None
        self._depth = 0
        self._used_s = self._started_s = 0.0
        # The thread cannot use more seconds than pass: before this time, no seconds of the call can be used up
        self.next_look = 0.0

    @contextmanager
    def running(self) -> Iterator[Budget]:
        """Make this the budget of what runs in the block; the seconds of the block count.

        Inside the block of another budget, what this one uses is taken from both.
        """
        outer = _running.get()
        if self._depth:  # already running: the block is part of it
            self._depth += 1
        else:
            self._depth, self._started_s = 1, thread_time()
            self._outer = outer
            if outer is not None:  # it may have less left
                self.next_look = 0.0
        token = _running.set(self)
        try:
            yield self
        finally:
            _running.reset(token)
            self._depth -= 1
            if not self._depth:
                self._used_s += thread_time() - self._started_s
                self._outer = None

    def used_s(self, now_s: float | None = None) -> float:
        """Return the CPU seconds that were used. ``now_s``: those of the thread, if they are known."""
        if not self._depth:
            return self._used_s
        return self._used_s + (thread_time() if now_s is None else now_s) - self._started_s

    def left_s(self) -> float:
        """Return the CPU seconds that are left, of the budgets around this one too; below zero if there are none."""
        left = self.limits.seconds - self.used_s()
        return left if self._outer is None else min(left, self._outer.left_s())

    def check(self) -> None:
        """Raise ``LimitExceeded`` if there is no time left."""
        now = monotonic()
        if now < self.next_look:
            return
        # one look for all of them: the system takes longer to tell it than the time that passes
        left, budget, now_s = inf, cast("Budget | None", self), thread_time()
        while budget is not None:
            own = budget.limits.seconds - budget.used_s(now_s)
            if own < 0:
                raise LimitExceeded("seconds", budget.limits.seconds)
            left, budget = min(left, own), budget._outer
        self.next_look = now + left

    def spend(self, counted: Counted, count: int) -> None:
        """Note the use of so many, and raise ``LimitExceeded`` if there are not so many, or no time, left."""
        self._spent[counted] += count
        allowed = getattr(self.limits, counted)
        if self._spent[counted] > allowed:
            raise LimitExceeded(counted, allowed)
        if self._outer is not None:
            self._outer.spend(counted, count)
        self.check()

    def attempt(self, step: Callable[[], Result], otherwise: Result, left_out: str) -> Result:
        """Return the result of a step; where a limit is hit, ``otherwise``, and note what was left out."""
        with self.running():
            try:
                self.check()
                return step()
            except LimitExceeded as error:
                self.cuts.append(Cut(error.limit, error.allowed, left_out))
                return otherwise


_running: ContextVar[Budget | None] = ContextVar("running budget", default=None)


@contextmanager
def no_budget() -> Iterator[None]:
    """Let what runs in the block come to its end, whichever budget is running; its seconds count all the same."""
    token = _running.set(None)
    try:
        yield
    finally:
        _running.reset(token)


def check_budget() -> None:
    """Raise ``LimitExceeded`` if the call that is running has no time left. Costs a fifth of a microsecond."""
    running = _running.get()
    if running is not None and monotonic() >= running.next_look:
        running.check()


def spend(counted: Counted, count: int) -> None:
    """Note the use of so many by the call that is running; raise ``LimitExceeded`` if that is too many."""
    running = _running.get()
    if running is not None:
        running.spend(counted, count)


def has_used(share: float) -> Callable[[], bool]:
    """Return what tells, when it is asked, whether this share of the seconds that are left now has been used since."""
    left_s, start_s = seconds_left(), monotonic()
    allowed_s = share * left_s

    def is_used() -> bool:
        # no more seconds are used than pass, which takes a twentieth of the time to tell
        return monotonic() - start_s > allowed_s and seconds_left() < left_s - allowed_s

    return is_used


def seconds_left() -> float:
    """Return the CPU seconds that the call that is running has left; without end where none is running."""
    running = _running.get()
    return running.left_s() if running is not None else inf
