"""One JSON document per verb: what the command prints when it is piped, and what the HTTP API answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from peneira.limits import Cut
from peneira.output.json_objects import objects_of
from peneira.reasons import Reason
from peneira.result import Extraction, Item, Region
from peneira.table import Column, Table

if TYPE_CHECKING:
    from peneira.texts.content import Content
    from peneira.texts.main_text import MainText
    from peneira.wrappers.drift import CheckReport
    from peneira.wrappers.healing import Healing

Document = dict[str, object]


def text_document(found: MainText, url: str | None) -> Document:
    """Return the main text of a page."""
    fields = {key: value for key, value in asdict(found).items() if key != "cuts"}
    return {"url": url, **fields, "cuts": cut_documents(found.cuts)}


def content_document(contents: Iterable[Content], url: str | None, model: str, cuts: Iterable[Cut]) -> Document:
    """Return the content of a page."""
    return {
        "url": url,
        "model": model,
        "contents": [asdict(content) for content in contents],
        "cuts": cut_documents(cuts),
    }


def check_document(name: str, report: CheckReport) -> Document:
    """Return what a check of a wrapper found."""
    return {"source": name, **asdict(report)}


def healing_document(healing: Healing) -> Document:
    """Return what became of a wrapper that was learned again."""
    return {
        "accepted": healing.accepted,
        "reason": str(healing.reason),
        "check": asdict(healing.report),
        "changes": [asdict(change) for change in healing.changes],
        "cuts": cut_documents(healing.cuts),
    }


def extraction_document(name: str, result: Extraction, region: Region | None, table: Table | None) -> Document:
    """Return what was found on a page: ``region`` is the list that was chosen, ``table`` what is shown of it."""
    # before the status, which tells whether a limit was hit by them
    lists = [
        {"number": number, "records": len(found), "confidence": found.confidence, "xpath": found.xpath}
        for number, found in enumerate(result.regions, start=1)
    ]
    paging = result.paging.to_dict()
    return {
        "source": name,
        "url": result.url,
        "verdict": result.verdict,
        "verdict_confidence": result.verdict_confidence,
        "status": result.status,
        "method": result.method,
        "confidence": None if region is None else region.confidence,
        "columns": [column_document(column) for column in table.columns] if table else [],
        "records": objects_of(table) if table else [],
        "lists": lists,
        "paging": paging,
        "reasons": reason_documents(result.reasons),
        "cuts": cut_documents(result.cuts),
    }


def item_document(name: str, found: Item) -> Document:
    """Return the one thing that a page is about."""
    return {
        "source": name,
        "url": found.url,
        "kind": found.kind,
        "confidence": found.confidence,
        "status": found.status,
        "fields": objects_of(found.table)[0] if found.columns else {},
        "evidence": {
            field: {"source": cell.source, "confidence": cell.confidence} for field, cell in found.fields.items()
        },
        "reasons": reason_documents(found.reasons),
        "cuts": cut_documents(found.cuts),
    }


def column_document(column: Column) -> Document:
    """Return what is known of a column."""
    return {"name": column.name, "type": column.type, "role": column.role, "fill": round(column.fill, 4)}


def cut_documents(cuts: Iterable[Cut]) -> list[Document]:
    """Return the limits that were hit."""
    return [asdict(cut) for cut in cuts]


def reason_documents(reasons: Sequence[Reason]) -> list[Document]:
    """Return reasons as their code and what they say."""
    return [{"code": reason.code.value, "message": str(reason)} for reason in reasons]
