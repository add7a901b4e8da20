"""What went wrong between us and a web server, in words for the user, and what to do about it."""

from __future__ import annotations

import socket
import ssl
import zlib
from http import HTTPStatus
from http.client import HTTPException, IncompleteRead

from peneira.sources.urls import printable

# Content types that can hold a page; "" is that of a server that names none
PAGE_TYPES = ("", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")

_ADVICE = {
    401: "the page needs a user name and a password: https://user:password@host/",
    403: "the site refuses programs, or the page needs a login: save it with a browser and read the file",
    404: "check the address",
    410: "the page is gone for good",
    429: "the site wants fewer requests: wait and try again",
}


def explain_error(error: Exception, timeout_s: float) -> str:
    """Return what went wrong on the way to a page, and what to do."""
    match error:
        case socket.gaierror():
            return "unknown host; check the address and the network connection"
        case TimeoutError():
            return f"timed out, not done within {timeout_s:g} s; try again or set a longer timeout_s"
        case ssl.SSLCertVerificationError():
            problem = error.verify_message.rstrip(".")
            return (
                f"the TLS certificate is not trusted ({problem}); check the host name, or save the page with a browser"
            )
        case ssl.SSLError():
            problem = str(error.reason or error).replace("_", " ").lower()
            return f"no TLS connection ({problem}); check the port, or try http://"
        case ConnectionRefusedError():
            return "connection refused, nothing listens there; check the host and the port"
        case ConnectionError() | IncompleteRead():
            return "the connection was closed before the whole page had come; try again"
        case HTTPException():
            return f"the answer is not proper HTTP ({printable(str(error).strip())[:80]}); check the port"
        case zlib.error():
            return f"the compressed page is damaged ({error}); try again"
        case OSError():
            return f"no connection ({error.strerror or error}); check the address and the network connection"
    return f"the request cannot be sent ({printable(str(error))[:80]}); check the URL and the user agent"


def explain_status(status: int, default_advice: str) -> str:
    """Return what a status other than success means, and what to do: ``default_advice`` where we know no better."""
    advice = _ADVICE.get(status) or ("try again later" if status >= 500 else default_advice)
    return f"the server answered {status_line(status)}; {advice}"


def explain_type(content_type: str) -> str:
    """Return why an answer of this type is not read, and what to do."""
    return f"not a web page but {printable(content_type)}; give the URL of an HTML page"


def media_type(header: str) -> str:
    """Return the type that a Content-Type header names, without its parameters."""
    return header.partition(";")[0].strip().lower()


def status_line(status: int) -> str:
    """Return an HTTP status with its phrase."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
