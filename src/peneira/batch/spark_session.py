"""What every use of Spark needs: a session, schemas from Arrow to Spark and back, and the process beside a worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from peneira.errors import MissingExtra
from peneira.worker import WorkerLimits, WorkerPool

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

# Pages are large: what Spark hands over at a time must fit into the memory of a worker
_BATCH_ROWS = "64"


@dataclass(frozen=True, slots=True)
class ArrowConversions:
    """Schemas of Spark as those of Arrow, and back."""

    to_arrow: Callable[[StructType], pyarrow.Schema]
    to_spark: Callable[[pyarrow.Schema], StructType]


def arrow_conversions() -> ArrowConversions:
    """Return how schemas are converted. Raises ``MissingExtra`` without pyspark."""
    try:
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
    except ImportError as error:
        raise MissingExtra("spark", "running on Spark") from error
    return ArrowConversions(to_arrow_schema, from_arrow_schema)


def spark_session(master: str | None) -> SparkSession:
    """Return the session of this program: that of ``spark-submit`` where there is one, unless a master is named."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtra("spark", "running on Spark") from error
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("peneira batch")
    if master is not None:
        builder = builder.master(master)
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", _BATCH_ROWS)
    return builder.getOrCreate()


@cache
def process_beside(limits: WorkerLimits) -> WorkerPool[int]:
    """Return the process beside this worker of Spark, which lives as long as it does: starting one takes a second."""
    return WorkerPool(1, limits, ahead=1)
