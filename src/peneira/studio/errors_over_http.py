"""Errors as answers: a status, a code and the message that the command line would print."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from peneira.errors import PeneiraError, RefusedAddress
from peneira.safe_text import safe_lines
from peneira.service.library import UnknownWrapper
from peneira.service.work_queue import ServiceBusy, WorkCrashed
from peneira.studio.jobs import UnknownJob, error_code
from peneira.studio.page_requests import UnknownMediaType

# Everything else that peneira raises on purpose is about the request or the page it names
_STATUS: dict[type[PeneiraError], int] = {
    UnknownMediaType: 415,
    UnknownWrapper: 404,
    UnknownJob: 404,
    RefusedAddress: 403,
    ServiceBusy: 503,
    WorkCrashed: 500,
}


def status_of(error: PeneiraError) -> int:
    """Return the status with which an error is answered."""
    return next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 422)


def add_error_answers(app: FastAPI) -> None:
    """Answer the errors of the API as JSON; what is a defect of ours is a 500 without any detail."""

    @app.exception_handler(PeneiraError)
    async def known(request: Request, error: PeneiraError) -> Response:
        headers = {"retry-after": "2"} if isinstance(error, ServiceBusy) else None
        return error_answer(status_of(error), error_code(error), str(error), headers)

    @app.exception_handler(HTTPException)
    async def by_status(request: Request, error: HTTPException) -> Response:
        return error_answer(error.status_code, _name(error.detail), str(error.detail), error.headers)


def error_answer(status: int, code: str, message: str, headers: object = None) -> Response:
    """Return an error as JSON."""
    extra = dict(headers) if isinstance(headers, dict) else None
    document = {"error": {"code": code, "message": safe_lines(message)}}
    return JSONResponse(document, status_code=status, headers=extra)


def _name(detail: object) -> str:
    return str(detail).lower().replace(" ", "-")
