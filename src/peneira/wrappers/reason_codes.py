"""The codes of the reasons that wrappers give: ``Reason.name`` of what ``extract``, ``check`` and ``heal`` return."""

from __future__ import annotations

from enum import StrEnum


class ReasonCode(StrEnum):
    """Why a page fits a wrapper or not, what a check found, and whether a healed wrapper is accepted."""

    FIT = "fit"
    OTHER_TEMPLATE = "other template"
    PAGES = "pages"
    RECORDS = "records"
    COLUMNS = "columns"
    SHAPE = "shape"
    EMPTY_COLUMN = "empty"
    SPARSE_COLUMN = "sparse"
    CHANGED_TYPE = "type"
    ACCEPTED = "accepted"
    REFUSED = "refused"
