"""The tables of ``bench content`` and the learning curve of ``train content``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from peneira.errors import MissingExtra
from peneira_research.reports.console import plain_table
from peneira_research.studies.content_protocols import ProtocolResult
from peneira_research.training.content_calibration import ReliabilityBand

TITLES = {
    "i, contents": "(i) SWDE, sites seen in training: 70/20/10 of the unique pages, seed 1; contents, as in the thesis",
    "i, texts": "(i) the same; single texts",
    "ii": "(ii) SWDE, sites not seen: cross-validation by site; texts, shipped threshold",
    "iii": "(iii) SWDE, verticals not seen; texts, shipped threshold",
    "iv, by site": "(iv) modern detail pages, sites not seen: cross-validation by site, trained on both; elements",
    "iv, from SWDE": "(iv) modern detail pages, trained on SWDE alone; elements",
}
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "i, contents": ("pages", "precision", "recall", "f1", "macro_f1", "weighted_f1", "thesis_f1"),
    "i, texts": ("pages", "precision", "recall", "f1", "macro_f1", "weighted_f1", "thesis_f1"),
    "ii": ("pages", "auc", "gold_kept", "texts_kept", "texts_at_90", "precision", "f1"),
    "iii": ("pages", "auc", "gold_kept", "texts_kept", "texts_at_90", "precision", "f1"),
    "iv, by site": ("pages", "sites", "auc", "precision", "recall", "f1", "f1_by_site"),
    "iv, from SWDE": ("pages", "sites", "auc", "precision", "recall", "f1", "f1_by_site"),
}


def content_tables(results: Sequence[ProtocolResult]) -> Iterator[tuple[str, Table]]:
    """Yield a title and a table per protocol, with a row per part and variant."""
    for protocol in dict.fromkeys(result.protocol for result in results):
        columns = COLUMNS[protocol]
        table = plain_table("part", "variant", *(name.replace("_", " ") for name in columns), left=("part", "variant"))
        for result in results:
            if result.protocol == protocol:
                table.add_row(result.part, result.variant, *(_cell(result.metrics.get(name)) for name in columns))
        yield TITLES[protocol], table


def reliability_table(bands: Sequence[ReliabilityBand]) -> Table:
    """Return a row per corpus and band of stated probabilities."""
    table = plain_table("corpus", "stated", "texts", "mean stated", "share of gold", left=("corpus", "stated"))
    for band in bands:
        table.add_row(
            band.corpus, f"{band.low:.2f} to {band.high:.2f}", str(band.texts), f"{band.stated:.3f}", f"{band.gold:.3f}"
        )
    return table


def _cell(value: float | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def draw_curve(losses: Sequence[float], classifier: Sequence[float], path: Path) -> None:
    """Write the learning curves of the language model and of the classifier, epoch by epoch."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plot", "drawing a learning curve") from error
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    for axes, values, title in zip(
        figure.subplots(1, 2), (losses, classifier), ("language model", "classifier"), strict=True
    ):
        axes.plot(range(1, len(values) + 1), values, marker="o" if len(values) < 20 else None)
        axes.set(title=title, xlabel="epoch", ylabel="loss")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
