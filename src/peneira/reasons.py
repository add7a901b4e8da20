"""Why an extraction, a check or a healing came out as it did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast, overload


class ReasonCode(StrEnum):
    """What a reason is about. Programs compare codes, people read the text of the reason."""

    # the main list of a page
    CUT = "cut"
    PHASE = "phase"
    REARRANGED = "rearranged"
    LEFT_OUT = "left out"
    INTERRUPTED = "interrupted"
    NOT_RANKED = "not ranked"
    SCORE = "score"
    FEATURE = "feature"
    HIDDEN = "hidden"
    VISIBLE = "visible"
    QUALITY = "quality"
    RUNNER_UP = "runner-up"
    MARGIN = "margin"
    NO_LIST = "no list"
    COLUMNS_LEFT_OUT = "columns left out"
    CONTRADICTION = "contradiction"
    EMBEDDED = "embedded"
    # a page without a list
    EMPTY_PAGE = "empty"
    BLOCKED = "blocked"
    SCRIPT_SHELL = "script-shell"
    PROSE = "prose"
    PAGE_TYPE = "page type"
    # the other pages of a list
    PAGING = "paging"
    # rendering
    RENDERED = "rendered"
    NOT_RENDERED = "not rendered"
    KEPT_AS_SENT = "kept as sent"
    # the published methods
    SHARE = "share"
    SIMILARITY = "similarity"
    COMPONENTS = "components"
    XPATH = "xpath"
    AREA = "area"
    CANDIDATES = "candidates"
    CLIMBED = "climbed"
    LENGTH = "length"
    TEXTS = "texts"
    # wrappers: whether a page fits, what a check found, whether a healed wrapper is accepted
    FIT = "fit"
    OTHER_TEMPLATE = "other template"
    PAGES = "pages"
    RECORDS = "records"
    COLUMNS = "columns"
    SHAPE = "shape"
    EMPTY_COLUMN = "empty column"
    SPARSE_COLUMN = "sparse column"
    CHANGED_TYPE = "changed type"
    CHANGED_VALUES = "changed values"
    ACCEPTED = "accepted"
    REFUSED = "refused"


def _with_deferred_detail(owner: type[Reason]) -> type[Reason]:
    """Return the class with a property in front of the slot ``detail``, which makes a text that is still to be made."""
    slot: Any = owner.__dict__["detail"]

    def detail(reason: Reason) -> str:
        text: str | Callable[[], str] = slot.__get__(reason)
        if not isinstance(text, str):
            text = text()
            slot.__set__(reason, text)
        return text

    setattr(owner, "detail", property(detail, slot.__set__))  # noqa: B010
    return owner


@_with_deferred_detail
@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence: what it is about, what was found in words, and the number behind it if there is one.

    ``feature`` is the feature of the ranking that counted, where the code is FEATURE.
    """

    code: ReasonCode
    detail: str
    value: float | None = None
    feature: str = ""

    @classmethod
    def deferred(
        cls, code: ReasonCode, detail: Callable[[], str], value: float | None = None, feature: str = ""
    ) -> Reason:
        """Return a reason whose text is made when it is first read, as one with an XPath in it."""
        return cls(code, cast("str", detail), value, feature)

    @property
    def name(self) -> str:
        """What people call it: the feature that counted, else the code."""
        return self.feature or self.code.value

    def __str__(self) -> str:
        return self.detail


class DeferredReasons(Sequence[Reason]):
    """Reasons that are made when they are first read: most results are used without them. Equal to a tuple of them."""

    __slots__ = ("_make", "_reasons")

    def __init__(self, make: Callable[[], Sequence[Reason]]) -> None:
        self._make: Callable[[], Sequence[Reason]] | None = make
        self._reasons: tuple[Reason, ...] = ()

    def _made(self) -> tuple[Reason, ...]:
        make = self._make
        if make is not None:
            # in this order: another thread finds the reasons, or makes the same again
            self._reasons = tuple(make())
            self._make = None
        return self._reasons

    def __len__(self) -> int:
        return len(self._made())

    @overload
    def __getitem__(self, index: int) -> Reason: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Reason, ...]: ...
    def __getitem__(self, index: int | slice) -> Reason | tuple[Reason, ...]:
        return self._made()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, DeferredReasons)) and self._made() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._made())

    def __repr__(self) -> str:
        return repr(self._made())

    def __reduce__(self) -> tuple[type[tuple[Reason, ...]], tuple[tuple[Reason, ...]]]:
        return tuple, (self._made(),)  # without what they are made from, which another process need not get
