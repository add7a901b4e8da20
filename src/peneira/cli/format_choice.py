"""The option for a format: Markdown has two names, and every command takes both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    TextChoice = click.Choice[str]
else:
    TextChoice = click.Choice  # before click 8.2 it has no type of its own

_OTHER_NAME = {"md": "markdown", "markdown": "md"}


class FormatChoice(TextChoice):
    """A choice of formats; a command that knows Markdown by one of its names is given that one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the format as the command calls it."""
        other = _OTHER_NAME.get(value, value)
        return super().convert(other if value not in self.choices and other in self.choices else value, param, ctx)
