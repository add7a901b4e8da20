"""``peneira bench content`` from archives to tables."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from labelled import product
from peneira.cli.main import cli
from test_bench_corpora import write_archive


def write_swde(root: Path) -> Path:
    """Write two verticals of three sites of two pages each, and return the folder of the corpora."""
    (root / "lists").mkdir(parents=True)
    for number, vertical in enumerate(("book", "movie")):
        members: dict[str, str] = {}
        pages: dict[str, str] = {}
        for site in range(3):
            made = [product(3 * number + site, page) for page in range(2)]
            for k, attribute in enumerate(("title", "price", "made")):
                rows = "".join(f"000{page}\t1\t{values[k]}\n" for page, (_, values) in enumerate(made))
                text = f"\ufeff{vertical}\tsite{site}\t{attribute}\n2\t2\t2\t2\n{rows}"
                members[f"groundtruth/{vertical}/{vertical}-site{site}-{attribute}.txt"] = text
            folder = f"{vertical}/{vertical}-site{site}(2)"
            pages |= {f"{folder}/000{page}.htm": html for page, (html, _) in enumerate(made)}
        write_archive(root / "swde" / f"{vertical}.tar.xz", members | pages)
    return root


def test_the_protocols_are_run_and_written(tmp_path: Path):
    output = tmp_path / "content.json"
    arguments = ["--corpora", str(write_swde(tmp_path / "corpora")), "--no-edrew", "--no-peers", "--jobs", "1"]
    result = CliRunner().invoke(cli, ["bench", "content", *arguments, "--repeat", "1", "-o", str(output)])
    assert result.exit_code == 0, result.output
    assert "(ii) SWDE, sites not seen" in result.stdout
    document = json.loads(output.read_text())
    assert {row["protocol"] for row in document["rows"]} == {"i, contents", "i, texts", "ii", "iii"}
    assert set(document["speed"]) == {"swde page", "swde light", "swde edrew"}
    everything = [
        row["metrics"] for row in document["rows"] if (row["protocol"], row["variant"]) == ("ii", "everything")
    ]
    assert (everything[0]["gold_kept"], everything[0]["texts_kept"]) == (1.0, 1.0)
