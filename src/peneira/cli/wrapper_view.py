"""A wrapper as a readable table of its columns."""

from __future__ import annotations

from typing import TextIO

from peneira.safe_text import safe_line
from peneira.templates.template_columns import Slot
from peneira.wrappers.saved_columns import SavedColumn
from peneira.wrappers.wrapper import Wrapper
from peneira.xpath.selectors import Selector, Step
from peneira.xpath.stability import stability

_WIDTH_OF_A_FILE = 160
_MAX_SAMPLE_CHARS = 40


def print_wrapper(wrapper: Wrapper, file: TextIO) -> None:
    """Print the kind of pages, where the records are, and a row per column."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=file, highlight=False, markup=False, width=None if file.isatty() else _WIDTH_OF_A_FILE)
    for line in _head(wrapper):
        console.print(safe_line(line), soft_wrap=True)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("column", no_wrap=True, max_width=28, overflow="ellipsis")
    table.add_column("type", no_wrap=True)
    table.add_column("fill", justify="right", no_wrap=True)
    table.add_column("stable", justify="right", no_wrap=True)
    table.add_column("sample", max_width=_MAX_SAMPLE_CHARS, no_wrap=True, overflow="ellipsis")
    table.add_column("selector", overflow="fold", ratio=1)
    for column in wrapper.fields:
        table.add_row(*(Text(safe_line(cell)) for cell in _cells(column)))
    console.print(table)


def _head(wrapper: Wrapper) -> list[str]:
    past = wrapper.baseline
    number = f"{past.pages} page{'s' if past.pages != 1 else ''}"
    size = f"{wrapper.kind} pages, {len(wrapper.fields)} columns, learned from {number}"
    lines = [f"{size} {wrapper.url}".rstrip()]
    if wrapper.records is not None:
        fewest = f"{past.min_records} to " if past.min_records < past.max_records else ""
        found = f"{fewest}{past.max_records} records a page"
        lines.append(
            f"{found}, at {short(wrapper.records.selector)} (stable {stability(wrapper.records.selector):.2f})"
        )
    if wrapper.tree is not None:
        lines.append(f"a template of {len(wrapper.tree.template.nodes)} nodes by {wrapper.tree.method}, not selectors")
    if wrapper.arrangement is not None:
        pieces = ", ".join(wrapper.arrangement.kinds)
        lines.append(f"the pieces of a record ({wrapper.arrangement.kind}: {pieces}) are put together first")
    return lines


def _cells(column: SavedColumn) -> tuple[str, ...]:
    sample = " ".join(column.stats.samples[0].split()) if column.stats.samples else ""
    return (
        column.name,
        column.typing.type,
        f"{column.stats.fill:.0%}",
        f"{stability(column.selector):.2f}" if column.readings else "",
        sample,
        short(column.selector) if column.slot is None else _slot(column.slot),
    )


def _slot(slot: Slot) -> str:
    """Return the place of a column in a template, in words."""
    node, attribute, label = slot
    return f"node {node}" + (f" @{attribute}" if attribute else "") + (f' "{label}"' if label else "")


def short(selector: Selector) -> str:
    """Return a readable form of a selector: CSS, with a label in quotes and ``+`` before what follows it."""
    return selector.css or "".join(map(_short_step, selector.steps)).strip()


def _short_step(step: Step) -> str:
    if step.axis in ("nth-sibling", "following-sibling"):
        return f" + {step.name}" if step.position < 2 else f" +{step.position} {step.name}"
    name = "" if step.name == "*" else step.name
    attributes = (
        f"#{step.id}" if step.id else "",
        f".{step.class_name}" if step.class_name else "",
        f"[{step.itemprop}]" if step.itemprop else "",
    )
    label = f'"{step.text}"' if step.text else f'"{step.text_prefix}..."' if step.text_prefix else ""
    position = f"[{step.position}]" if step.position else ""
    return (" > " if step.axis == "child" else " ") + name + "".join(attributes) + label + position
