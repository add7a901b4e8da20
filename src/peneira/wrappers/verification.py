"""Verification: a wrapper reads its own learning pages, and what does not come back is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from peneira.errors import InputError
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.wrapper import Wrapper, fit_of


def verified(wrapper: Wrapper, pages: Sequence[ListPage]) -> Wrapper:
    """Return a wrapper of lists with a note for records of its pages that it does not read, or reads besides.

    A wrapper that reads nothing of its own pages is an ``InputError``.
    """
    wanted = read = extra = 0
    for page in pages:
        found = wrapper.found_records(page.reader)
        if not found or fit_of(wrapper, found).code == ReasonCode.OTHER_TEMPLATE:
            wanted += len(page.records)
            continue
        heads = {record.top_rows[0] for record in found}
        right = sum(not heads.isdisjoint(rows) for rows in page.records)
        wanted, read, extra = wanted + len(page.records), read + right, extra + max(len(found) - right, 0)
    if not read:
        raise InputError(
            "the records of these pages cannot be told apart by selectors, so no wrapper reads them; "
            "use `peneira extract` for such pages"
        )
    notes = list(wrapper.notes)
    if read < wanted:
        missing = f"{wanted - read} of {counted(wanted, 'record')} of the learning pages are not read"
        notes.insert(0, Reason(ReasonCode.RECORDS, missing, round(read / wanted, 3)))
    if extra:
        besides = f"{counted(extra, 'record')} more than the {wanted} of the learning pages are read"
        notes.insert(0, Reason(ReasonCode.RECORDS, besides, float(extra)))
    return replace(wrapper, notes=tuple(notes))
