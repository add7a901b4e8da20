"""Wrapper files of version 1, in which a column had one selector: read as what version 2 says."""

from __future__ import annotations

from peneira.columns.data_attributes import LAZY_SOURCES
from peneira.wrappers.json_reader import JsonObject

_COLUMN = (
    "name",
    "caption",
    "type",
    "xpath",
    "css",
    "stability",
    "label",
    "list",
    "notation",
    "confidence",
    "fill",
    "distinct",
    "shapes",
    "samples",
)
_READING = frozenset({"xpath", "css", "stability", "label"})
_SOURCE = "/@src"


def upgraded(top: JsonObject) -> dict[str, object]:
    """Return the document of a wrapper of version 1 as one of version 2; values are checked when that is read."""
    document = top.document()
    document["version"] = 2
    records = document.get("records")
    if isinstance(records, dict):
        document["records"] = {**records, "further": []}
    columns = top.get("columns", list)
    document["columns"] = [_column(JsonObject(f"{top.where}: columns[{k}]", row)) for k, row in enumerate(columns)]
    return document


def _column(part: JsonObject) -> dict[str, object]:
    part.only(_COLUMN)
    xpath = part.get("xpath", str)
    # the address of an image was also taken from where lazy loaders keep it
    names = (*LAZY_SOURCES, "src") if xpath.endswith(_SOURCE) else ()
    xpaths = [f"{xpath.removesuffix(_SOURCE)}/@{name}" for name in names] or [xpath]
    reading = {"css": part.get("css", (str, type(None))), "stability": part.share("stability")}
    readings = [{"xpath": each, **reading, "label": part.get("label", str), "cut": None} for each in xpaths]
    kept = {
        name: value for name, value in part.document().items() if name not in ("xpath", "css", "stability", "label")
    }
    return {**kept, "role": "", "source": "page", "above": False, "columns": [], "readings": readings, "spares": []}
