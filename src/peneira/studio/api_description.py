"""What the OpenAPI document says about requests and answers, with an example for each verb."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

EXAMPLE_HTML = "<ul><li>Ana, 31</li><li>Bia, 27</li><li>Cid, 45</li></ul>"
ANY_OBJECT: dict[str, Any] = {"type": "object"}
ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        }
    },
}
_REFUSALS = {
    400: "The request is malformed.",
    401: "The server needs its token.",
    403: "The request comes from another site, or names an address that the rules forbid.",
    404: "There is no such wrapper or job.",
    408: "The request did not arrive in time.",
    413: "The body is too long.",
    415: "The body is of a type that is not read, or compressed.",
    421: "The server does not answer to that name.",
    422: "The request, or the page that it names, cannot be read; the message says why.",
    429: "Too many requests.",
    503: "Too many requests wait already.",
}


def object_of(*names: str) -> dict[str, Any]:
    """Return the schema of an object with these keys."""
    return {"type": "object", "required": list(names)}


def answers(schema: dict[str, Any], *, status: int = 200, lines: bool = False, files: bool = False) -> dict[Any, Any]:
    """Return the answers of an operation: what it gives, and every way in which it is refused."""
    content: dict[str, Any] = {"application/json": {"schema": schema}}
    if lines:
        content["application/x-ndjson"] = {"schema": {"type": "string"}}
    if files:
        content |= {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _file_types()}
    refused = {
        code: {"description": text, "content": {"application/json": {"schema": ERROR}}}
        for code, text in _REFUSALS.items()
    }
    return {status: {"description": "The answer.", "content": content}, **refused}


def _file_types() -> list[str]:
    from peneira.service.table_files import FORMATS

    return sorted({format_.media_type for format_ in FORMATS.values()} - {"application/json"})


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with its definitions in place of the references to them, as the document has no others."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    return {key: _inlined(value, definitions) for key, value in schema.items()}


def body(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    """Return the three forms in which a request may come."""
    schema = model.model_json_schema()
    schema = _inlined(schema, schema.pop("$defs", {}))
    upload = {
        "type": "object",
        "required": ["page"],
        "properties": {"page": {"type": "array", "items": {"type": "string", "format": "binary"}}},
    }
    return {
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": schema, "example": example},
                "text/html": {"schema": {"type": "string"}, "example": EXAMPLE_HTML},
                "multipart/form-data": {"schema": upload},
            },
        }
    }
