"""A wrapper of what is on the screen: the list that the user chose, with the corrections made to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from peneira.errors import InputError
from peneira.page import Page
from peneira.result import Region
from peneira.studio.workspaces import Workspace
from peneira.wrappers.corrections import Corrections, Show

if TYPE_CHECKING:
    from peneira.wrappers.list_page import FoundList
    from peneira.wrappers.wrapper import Wrapper


def wrapper_of_screen(workspace: Workspace, index: int, number: int) -> Wrapper:
    """Return a wrapper learned from the list on the screen, and from the same list of the other open pages."""
    from peneira.wrappers.list_pages import learn_lists  # imports all that learns wrappers

    corrections = workspace.corrections_of(index, number)
    lists = [
        found
        for k in workspace.pages_with(index, number)
        if (found := _found(workspace.pages[k].page, workspace.raw_region(k, number), corrections)) is not None
    ]
    if not lists:
        raise InputError("there is no list on this page that a wrapper could be learned from")
    return replace(learn_lists(lists), corrections=corrections)


def _found(page: Page, region: Region | None, corrections: Corrections) -> FoundList | None:
    from peneira.columns.embedded_columns import visible_part
    from peneira.wrappers.list_page import found_list

    visible = None if region is None else visible_part(_with_shown(region, corrections))
    return None if visible is None else found_list(page, visible)


def _with_shown(region: Region, corrections: Corrections) -> Region:
    """Return a list with the hidden columns that the user has taken in: a wrapper learns those that are shown."""
    wanted = {step.column for step in corrections.steps if isinstance(step, Show)}
    shown = {column.name for column in region.columns}
    more = [column for column in region.all_columns if column.name in wanted - shown]
    return replace(region, columns=(*region.columns, *more))
