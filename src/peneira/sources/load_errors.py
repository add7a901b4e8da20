"""Why a page could not be loaded in the browser, as reported by the server, our proxy or Chromium."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from peneira.credentials import text_without_credentials
from peneira.errors import FetchError, RefusedAddress
from peneira.sources.addresses import PUBLIC_ONLY
from peneira.sources.egress import FAILED, PROXY_HEADER, REFUSED
from peneira.sources.http_messages import PAGE_TYPES, explain_status, explain_type, media_type
from peneira.sources.render_job import RenderJob

if TYPE_CHECKING:
    from playwright.async_api import Response

# Chromium's words for network errors, and ours
_NETWORK_ERRORS = {
    "ERR_EMPTY_RESPONSE": "the server did not answer; check the host and the port",
    "ERR_TUNNEL_CONNECTION_FAILED": "no connection; check the address and the network connection",
    "ERR_INVALID_AUTH_CREDENTIALS": explain_status(401, ""),
    "ERR_CERT": "the TLS certificate is not trusted; check the host name",
    "ERR_TOO_MANY_REDIRECTS": "redirects in a circle",
    "ERR_UNSAFE_PORT": "browsers open no page on this port; check the address",
    "ERR_ABORTED": "not a web page, or the page loads another one at once",
    "Download is starting": "not a web page but a download; give the URL of an HTML page",
}
_MAX_ERROR_CHARS = 160


@dataclass(frozen=True, slots=True)
class DocumentResponse:
    """What the document of a page came with. ``proxy_answer`` is what our proxy answered in place of the server."""

    status: int = 200
    content_type: str = ""
    proxy_answer: str = ""

    @classmethod
    def of(cls, response: Response) -> DocumentResponse:
        """Return what matters of a response."""
        headers = response.headers
        return cls(response.status, media_type(headers.get("content-type", "")), headers.get(PROXY_HEADER, ""))


def check_document(job: RenderJob, url: str, response: DocumentResponse) -> None:
    """Raise ``FetchError`` where the tab has an error or a file in it and not a page; ``url`` is that of the tab."""
    if url.startswith("chrome-error:") or response.proxy_answer:
        raise load_error(job, response, None)
    if response.status >= 400:
        raise FetchError(job.display_name, explain_status(response.status, "check the address"))
    if response.content_type not in PAGE_TYPES:
        raise FetchError(job.display_name, explain_type(response.content_type))


def load_error(job: RenderJob, response: DocumentResponse, error: Exception | None) -> FetchError:
    """Return why the page cannot be reached; ``error`` is Chromium's, if it raised one."""
    if is_refused(job, response):
        last = job.policy.refused[-1]
        if last in job.policy.guarded:
            return RefusedAddress(job.display_name, job.policy.guarded[last])
        if job.options.public_only:
            return RefusedAddress(job.display_name, PUBLIC_ONLY)
        reason = f"this page leads to the private address {last}; if that is meant, open the "
        return RefusedAddress(job.display_name, f"{reason}address itself or set allow_private")
    return FetchError(job.display_name, _reason(job, response, error))


def is_refused(job: RenderJob, response: DocumentResponse) -> bool:
    """Return whether the page lies at a private address that the user did not ask for."""
    return bool(job.policy.refused) and response.proxy_answer in ("", REFUSED)


def _reason(job: RenderJob, response: DocumentResponse, error: Exception | None) -> str:
    last_failure = next(reversed(job.policy.failed.values()), None)
    if last_failure:
        return last_failure
    if response.proxy_answer == FAILED:
        return "the connection was closed before the whole page had come; try again"
    if error is None:
        return "it leads to a page that cannot be opened; check the address"
    message = str(error)
    known = next((ours for theirs, ours in _NETWORK_ERRORS.items() if theirs in message), None)
    return known or f"the browser cannot open it ({first_line(error)})"


def first_line(error: Exception) -> str:
    """Return the first line of an error's message without passwords, the name of its type where it has none."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return text_without_credentials(line)[:_MAX_ERROR_CHARS]
