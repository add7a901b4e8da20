"""``peneira bench render``: the cost of rendering on top of Chromium's, and its memory over many pages."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, open_corpora, output_option, write_results

EXAMPLES = """\b
Examples:
  peneira bench render --limit 20
  peneira bench render --memory 300
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--corpus", "name", default="tpsf", show_default=True, help="Corpus whose pages are rendered.")
@click.option("--limit", type=click.IntRange(min=1), help="Time only the first N pages.", metavar="N")
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Runs; the best counts.")
@click.option(
    "--memory", type=click.IntRange(min=0), default=0, metavar="N", help="Render N pages and measure memory instead."
)
@output_option
def render(root: Path | None, name: str, limit: int | None, repeat: int, memory: int, output: Path | None) -> None:
    """Time the rendering of pages against bare playwright: tab, load and snapshot, and nothing else.

    Scripts and network are off. With --memory, the megabytes in use while N pages are rendered one after the other.
    """
    from peneira_research.reports.console import console, plain_table, progress
    from peneira_research.studies.render_speed import medians, time_rendering, watch_memory

    corpora = open_corpora(root)
    bodies = [(page.id, page.body()) for page in corpora.pages([name])][:limit]
    out = console(sys.stdout)
    document: dict[str, object] = {"corpus": name, "pages": len(bodies)}
    if memory:
        table = plain_table("pages", "own MB", "browser MB")
        rows = list(watch_memory([body for _, body in bodies], pages=memory, every=max(memory // 10, 1)))
        for row in rows:
            table.add_row(str(row.pages), f"{row.own_mb:.0f}", f"{row.browser_mb:.0f}")
        document["memory"] = [asdict(row) for row in rows]
    else:
        timings = list(progress(time_rendering(bodies, repeat=repeat), len(bodies), "render"))
        median_times = medians(timings)
        table = plain_table("median", "value", left=["median"])
        for name, label in _LABELS.items():
            table.add_row(label, f"{median_times[name]:.3f}")
        document |= {"medians": median_times, "timings": [asdict(timing) for timing in timings]}
    out.print(table)
    if output:
        write_results(document, output, corpora, (name,))


_LABELS = {
    "tab_s": "Chromium: a fresh tab, s",
    "load_s": "Chromium: load and snapshot, s",
    "total_s": "ours: page in, node table out, s",
    "reading_s": "of that, reading the snapshot, s",
    "total_ratio": "ours over load and snapshot",
    "reading_share": "reading over load and snapshot",
}
