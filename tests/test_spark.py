"""Spark: the rows of the local engine, in a session on this machine and on a master with a worker of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from batch_pages import database_rows, files, packed, rows, run, save_pages, shop_page, warc_record
from peneira.batch.chunk_writer import Target
from peneira.batch.spark_run import shared_units
from spark_session import environment, require_java, standalone_master


def spark_rows(folder: Path, table: str) -> list[str]:
    """Return the rows of a table of JSON Lines, sorted."""
    paths = [*(folder / table).glob("*.json"), *(folder / table).glob("*.jsonl")]
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines)


def batch_by_spark(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``peneira batch`` with Spark, as a program of its own: one process holds one session."""
    command = [sys.executable, "-m", "peneira", "batch", *map(str, args), "--engine", "spark"]
    settings = (
        "--conf spark.ui.enabled=false --conf spark.executor.memory=512m --conf spark.driver.memory=512m pyspark-shell"
    )
    env = environment() | {"PYSPARK_SUBMIT_ARGS": settings}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Saved pages, one of them damaged, and a WARC."""
    pages = save_pages(tmp_path / "pages", 6)
    (pages / "bad.html.gz").write_bytes(b"not packed")
    records = [warc_record(f"https://a.example/{k}", shop_page(k, host="a.example")) for k in range(6)]
    other = warc_record("https://a.example/x.png", b"\x89PNG", media_type="image/png")
    (pages / "crawl.warc.gz").write_bytes(packed([*records, other]))
    return pages


def test_a_local_session_gives_the_rows_of_the_local_engine(inputs: Path, tmp_path: Path):
    require_java()
    run(inputs, tmp_path / "local")
    done = batch_by_spark(inputs, "-o", tmp_path / "spark", "--format", "jsonl", "--master", "local[2]")
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-2:] == [
        "passed over: 1 WARC records that are no HTML page",
        f"{tmp_path}/spark: 13 pages: 12 complete, 0 partial, 1 failed; 36 rows",
    ]
    for table in ("pages", "records"):
        assert spark_rows(tmp_path / "spark", table) == spark_rows(tmp_path / "local", table)
    again = batch_by_spark(inputs, "-o", tmp_path / "spark", "--format", "jsonl", "--master", "local[2]")
    assert again.stderr.splitlines()[-1] == done.stderr.splitlines()[-1]


def test_the_pages_of_one_archive_are_shared_out_among_the_cores(inputs: Path, tmp_path: Path):
    require_java()
    warc, target = inputs / "crawl.warc.gz", tmp_path / "spark"
    run(warc, tmp_path / "local")
    done = batch_by_spark(warc, "-o", target, "--format", "jsonl", "--master", "local[2]")
    assert done.stderr.splitlines()[-2:] == [
        "passed over: 1 WARC records that are no HTML page",
        f"{target}: 6 pages: 6 complete, 0 partial, 0 failed; 18 rows",
    ]
    for table in ("pages", "records"):
        assert spark_rows(target, table) == spark_rows(tmp_path / "local", table)


def test_archives_have_shares_where_there_are_fewer_than_cores():
    page, archive = (False, "a.html", None, "a.html", ""), (True, "b.warc", None, "b.warc", "")
    rows = list(shared_units([page, archive], 4))
    assert [row[:5] for row in rows] == [
        (0, 0, 1, False, "a.html"),
        (1, 0, 2, True, "b.warc"),
        (1, 1, 2, True, "b.warc"),
    ]
    assert [row[:3] for row in shared_units([archive] * 4, 4)] == [(k, 0, 1) for k in range(4)]


def test_a_standalone_cluster_gives_the_tables_of_the_local_engine(inputs: Path, tmp_path: Path):
    require_java()
    run(inputs, tmp_path / "local", target=Target(tmp_path / "local", "extract", "parquet", by_site=True))
    with standalone_master(tmp_path / "work") as master:
        where = ("-o", tmp_path / "spark", "--by-site", "--chunk", "4", "--master", master)
        done = batch_by_spark(inputs, *where)
    assert done.stderr.splitlines()[-1:] == [
        f"{tmp_path}/spark: 13 pages: 12 complete, 0 partial, 1 failed; 36 rows"
    ], done.stderr
    assert files(tmp_path / "spark") == files(tmp_path / "local")


DATA_FRAME = """
import json
from pyspark.sql import SparkSession
import peneira.spark
from batch_pages import MEGABYTE, shop_page
from peneira.worker import WorkerLimits
session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
huge = b"<ul>" + b"<li><a href=x>one</a> <b>two</b></li>" * 400_000
pages = [(1, shop_page(1), "https://a.example/1"), (2, None, None), (3, shop_page(3), None), (4, huge, None)]
df = session.createDataFrame(pages, "id int, html binary, url string").repartition(2)
found = peneira.spark.extract(df, keep=["id"], worker=WorkerLimits(600, 250 * MEGABYTE))
assert found.schema["records"].dataType.elementType["title"].dataType.simpleString() == "string"
rows = [row.asDict(recursive=True) for row in found.orderBy("id").collect()]
titles = [[record["title"] for record in row["records"]] for row in rows[:3]]
print(json.dumps([[row["id"], row["status"]] for row in rows]))
print(json.dumps(titles))
session.stop()
"""


def test_a_data_frame_of_pages_becomes_one_of_records():
    require_java()
    command = [sys.executable, "-c", DATA_FRAME]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    statuses, titles = done.stdout.splitlines() or ["", done.stderr]
    assert json.loads(statuses) == [[1, "complete"], [2, "failed"], [3, "complete"], [4, "failed"]], done.stderr
    assert json.loads(titles) == [[f"Thing {n}-{k}" for k in range(3)] if n != 2 else [] for n in (1, 2, 3)]


def test_sqlite_and_files_that_spark_reads_itself(inputs: Path, tmp_path: Path):
    require_java()
    (inputs / "bad.html.gz").unlink()
    warc = f"file://{inputs}/crawl.warc.gz"
    done = batch_by_spark(warc, "-o", tmp_path / "spark", "--format", "sqlite", "--master", "local[1]")
    assert done.returncode == 0, done.stderr
    found = database_rows(tmp_path / "spark" / "data.sqlite", "SELECT page_url, title FROM records ORDER BY 1, 2")
    run(inputs / "crawl.warc.gz", tmp_path / "local")
    assert found == sorted((row["page_url"], row["title"]) for row in rows(tmp_path / "local", "records"))
