"""The commands that this package adds to peneira's command line: ``peneira bench`` and ``peneira train``."""

from __future__ import annotations

from peneira_research.commands.bench import bench
from peneira_research.commands.bench_area import area
from peneira_research.commands.bench_batch import batch
from peneira_research.commands.bench_clean import clean, table2
from peneira_research.commands.bench_content import content
from peneira_research.commands.bench_edrew import edrew
from peneira_research.commands.bench_fields import fields
from peneira_research.commands.bench_folds import folds
from peneira_research.commands.bench_gate import gate
from peneira_research.commands.bench_gstm import gstm
from peneira_research.commands.bench_items import items
from peneira_research.commands.bench_join import join
from peneira_research.commands.bench_matrix import matrix
from peneira_research.commands.bench_outputs import outputs
from peneira_research.commands.bench_paging import paging
from peneira_research.commands.bench_render import render
from peneira_research.commands.bench_report import report
from peneira_research.commands.bench_speed import speed
from peneira_research.commands.bench_table import table
from peneira_research.commands.bench_text import text
from peneira_research.commands.bench_values import values
from peneira_research.commands.bench_wrappers import wrappers
from peneira_research.commands.train import train

__all__ = ["bench", "train"]

for command in (
    area, batch, clean, content, edrew, fields, folds, gate, gstm, items, join, matrix, outputs, paging, render, report,
    speed, table, table2, text, values, wrappers,
):  # fmt: skip
    bench.add_command(command)
