"""The tag path sequence of pages as a drawing: path code over position (Velloso 2014, Section 4.3, Figure 7)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Literal

import numpy as np

from peneira.errors import MissingExtra
from peneira.page import Codes, Page
from peneira.texts.tps import tag_path_sequence

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

Format = Literal["svg", "png"]

MAX_PANELS = 40  # at 150 dpi a PNG of 180 panels is past the 65,536 pixels that Agg can draw
MAX_VECTOR_DOTS = 4000  # a dot is about 95 bytes of SVG: more than this are drawn as one bitmap
EMPTY_PAGE = "nothing in the body of this page"

# Okabe and Ito's palette, whose colours differ for the colour-blind too
_DOTS, _SHADE, _STARTS = "#0072B2", "#E69F00", "#D55E00"
_WIDTH_IN, _PANEL_IN, _FRAME_IN = 9.0, 2.5, 0.7
_MAX_NAME_CHARS = 76  # characters that fit over a panel, in bold
_LABEL_PT, _LINE_PT = 9.0, 12.0
_CHARACTER_SHARE = 0.62 * _LABEL_PT / 72 / (_WIDTH_IN - 1)  # of the width of a panel, a little generous
_STYLE: dict[RcKeyType, object] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10.5,
    "figure.constrained_layout.h_pad": 0.08,
    "figure.constrained_layout.w_pad": 0.1,
    "font.size": 10.0,
    "savefig.dpi": 150.0,
    "svg.fonttype": "none",  # labels stay text: found, read aloud, restyled
    "svg.hashsalt": "peneira",
    "text.parse_math": False,  # a page may be called "$1$.html"
}
# Neither the clock nor the version goes into the file
_METADATA: dict[Format, dict[str, None]] = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


@dataclass(frozen=True, slots=True)
class Panel:
    """One page to draw: its symbols; regions ``(start, end, label)`` and record starts as positions among them."""

    name: str
    symbols: Codes
    regions: tuple[tuple[int, int, str], ...] = ()
    record_starts: tuple[int, ...] = ()


def panel_of(
    page: Page, name: str, regions: Sequence[tuple[int, int, str]], record_starts: Sequence[int] = ()
) -> Panel:
    """Return the panel of a page. Regions ``(start, end, label)`` and record starts are given as rows of the page.

    A region that holds no row of the sequence (only scripts, or outside the body) is left out.
    """
    sequence = tag_path_sequence(page)
    position = np.searchsorted(sequence.rows, np.arange(len(page) + 1)).tolist()
    spans = ((position[start], position[end], label) for start, end, label in regions)
    return Panel(
        name,
        sequence.symbols,
        tuple((start, end, label) for start, end, label in spans if start < end),
        tuple(position[row] for row in record_starts if position[row] < len(sequence)),
    )


def draw(panels: Sequence[Panel], file: BinaryIO, *, format: Format, title: str | None = None) -> None:
    """Draw the panels under each other, on one scale of positions. Equal input gives equal bytes.

    Raises ``MissingExtra`` without matplotlib, ``ValueError`` for no panel or more than ``MAX_PANELS``.
    """
    if not 1 <= len(panels) <= MAX_PANELS:
        raise ValueError(f"a drawing holds 1 to {MAX_PANELS} panels, not {len(panels)}")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plot", "drawing") from error
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()  # the style of the reader's own matplotlibrc would change the bytes
        matplotlib.rcParams.update(_STYLE)
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # a name in a script the font lacks
        figure = Figure(figsize=(_WIDTH_IN, _FRAME_IN + _PANEL_IN * len(panels)), layout="constrained")
        _fill(figure, panels, title)
        figure.savefig(file, format=format, metadata=_METADATA[format])


def _fill(figure: Figure, panels: Sequence[Panel], title: str | None) -> None:
    rows = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
    longest = max(len(panel.symbols) for panel in panels)
    margin = max(longest / 100, 1)
    rows[0].set_xlim(-margin, longest + margin)
    legend: dict[str, Artist] = {}
    for axes, panel in zip(rows, panels, strict=True):
        legend |= _draw_panel(axes, panel)
    rows[-1].set_xlabel("position in the tag path sequence")
    rows[-1].locator_params(axis="x", integer=True)
    if title:
        figure.suptitle(_printable(title), fontweight="bold")
    if legend:
        figure.legend(
            list(legend.values()),
            list(legend),
            loc="outside lower center",
            ncols=len(legend),
            frameon=False,
            markerscale=1.5,
        )


def _draw_panel(axes: Axes, panel: Panel) -> dict[str, Artist]:
    """Draw one page and return the entries it needs in the legend."""
    axes.set_ylabel("path code")
    if len(panel.symbols) < 2:  # the body itself is a symbol
        axes.set_title(_printable(panel.name), loc="left", fontweight="bold")
        axes.set_yticks([])
        axes.text(0.5, 0.5, EMPTY_PAGE, transform=axes.transAxes, ha="center", va="center", color="0.4")
        return {}
    labels = _label_positions(panel.regions, *axes.get_xlim())
    lines = max((line + 1 for _, line in labels), default=0)
    axes.set_title(_printable(panel.name), loc="left", pad=5 + _LINE_PT * lines, fontweight="bold")
    legend = {"tag path": _draw_dots(axes, panel.symbols)}
    for (start, end, label), (middle, line) in zip(panel.regions, labels, strict=True):
        legend["region"] = axes.axvspan(start, end, facecolor=_SHADE, alpha=0.22, linewidth=0, zorder=0)
        axes.vlines([start, end], 0, 1, transform=axes.get_xaxis_transform(), color=_SHADE, linewidth=0.8, zorder=1)
        _write_label(axes, label, middle, line)
    if panel.record_starts:
        legend["record start"] = _draw_starts(axes, panel.record_starts)
    return legend


def _draw_dots(axes: Axes, symbols: Codes) -> Artist:
    highest = int(symbols.max())
    axes.set_ylim(-0.09 * highest, 1.04 * highest)  # room below for the record starts
    axes.locator_params(axis="y", integer=True, nbins=5)
    (dots,) = axes.plot(
        np.arange(len(symbols)),
        symbols,
        linestyle="none",
        marker="o",
        markersize=2.2,
        markeredgewidth=0,
        color=_DOTS,
        rasterized=len(symbols) > MAX_VECTOR_DOTS,
    )
    return dots


def _draw_starts(axes: Axes, starts: Sequence[int]) -> Artist:
    (ticks,) = axes.plot(
        starts,
        [0.03] * len(starts),
        transform=axes.get_xaxis_transform(),
        linestyle="none",
        marker="|",
        markersize=6,
        markeredgewidth=1.1,
        color=_STARTS,
    )
    return ticks


def _write_label(axes: Axes, label: str, middle: float, line: int) -> None:
    axes.annotate(
        _printable(label),
        (middle, 1),
        xycoords=axes.get_xaxis_transform(),
        xytext=(0, 2 + _LINE_PT * line),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=_LABEL_PT,
        color="0.25",
    )


def _label_positions(regions: Sequence[tuple[int, int, str]], low: float, high: float) -> list[tuple[float, int]]:
    """Return for each label its middle, and the line over the panel, counted from below, on which it meets no other.

    A label stands over the middle of its region, moved in from the edges ``low`` and ``high`` of the panel as needed.
    """
    half_widths = [len(_printable(label)) * _CHARACTER_SHARE * (high - low) / 2 for _, _, label in regions]
    middles = [
        max(min((start + end) / 2, high - half), low + half)
        for (start, end, _), half in zip(regions, half_widths, strict=True)
    ]
    lines = [0] * len(regions)
    taken: list[float] = []  # how far each line is written
    for k in sorted(range(len(regions)), key=lambda k: middles[k] - half_widths[k]):
        lines[k] = next((line for line, right in enumerate(taken) if right <= middles[k] - half_widths[k]), len(taken))
        taken[lines[k] : lines[k] + 1] = [middles[k] + half_widths[k]]
    return list(zip(middles, lines, strict=True))


def _printable(name: str) -> str:
    """Return a name on one line that SVG can hold, its middle left out where it is too long for the drawing."""
    name = "".join(character if character.isprintable() else " " for character in name)
    if len(name) <= _MAX_NAME_CHARS:
        return name
    half = _MAX_NAME_CHARS // 2
    return f"{name[:half]}…{name[-half + 1 :]}"
