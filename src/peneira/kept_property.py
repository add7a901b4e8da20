"""Properties that are computed when they are first read, and then kept.

``functools.cached_property`` of Python 3.11 takes a lock for it, a microsecond each time: a page of a millisecond has
fifty of them. Python 3.12 does without the lock, as here: two threads may compute the same value, of which one is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as kept_property
else:

    class kept_property:  # noqa: N801
        """The property of a method; the instance must have a ``__dict__``."""

        def __init__(self, func: Callable[[Any], Any]) -> None:
            self.func, self.__doc__ = func, func.__doc__
            self.name = func.__name__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.func(instance)
            return value


__all__ = ["kept_property"]
