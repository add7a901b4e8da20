"""Batch runs over pages made from corpora, measured and killed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.batch.archives import ArchiveOptions
from peneira.batch.inputs import PageInputs
from peneira.limits import DEFAULT_LIMITS
from peneira_research.commands.entry import bench
from test_bench_corpora import write_corpora


@pytest.mark.parametrize("form", ["files", "warc"])
def test_pages_are_made_and_runs_are_equal_after_kills(tmp_path: Path, form: str):
    corpora = write_corpora(tmp_path / "corpora")
    options = [
        "--pages",
        "12",
        "--folder",
        tmp_path / "many",
        "--as",
        form,
        "--jobs",
        "2",
        "--task",
        "text",
        "--kills",
        "1",
    ]
    result = CliRunner().invoke(
        bench, ["batch", "--corpora", str(corpora), *map(str, options), "-o", str(tmp_path / "bench.json")]
    )
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "bench.json").read_text())
    assert document["killed_is_equal"] is True
    assert document["2 jobs"]["last_line"].startswith(f"{tmp_path}/many/run-2 jobs: 12 pages:")
    source = tmp_path / "many" / ("pages-12" if form == "files" else "pages-12.warc.gz")
    assert len(list(PageInputs([str(source)], ArchiveOptions(DEFAULT_LIMITS)))) == 12
