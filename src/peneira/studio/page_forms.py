"""The form with which a user names pages: an address, files, or pasted HTML."""

from __future__ import annotations

from fastapi import Request
from starlette.datastructures import UploadFile

from peneira.errors import ArgumentError
from peneira.service.reading import PageInput
from peneira.sources.rendering import Render

MAX_URLS = 20
# The guard has refused longer bodies already
MAX_PART_BYTES = 64 * 1024 * 1024


async def inputs_of(request: Request) -> tuple[list[PageInput], str]:
    """Return the pages that a form names, and the address as it was written."""
    async with request.form(max_part_size=MAX_PART_BYTES) as form:
        is_rendered = bool(form.get("render"))
        url, html = str(form.get("url") or "").strip(), str(form.get("html") or "")
        chosen = [value for value in form.getlist("files") if isinstance(value, UploadFile) and value.filename]
        files = [(await file.read(), file.filename or "") for file in chosen]
    given: Render = "always" if is_rendered else "never"
    if files:
        return [PageInput(body, name=name, render=given) for body, name in files], url
    if html.strip():
        return [PageInput(html, with_scheme(url) if url else None, render=given)], url
    fetched: Render = "always" if is_rendered else "auto"
    return [PageInput(url=with_scheme(address), render=fetched) for address in url.split()[:MAX_URLS]], url


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form that are texts."""
    async with request.form() as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


def with_scheme(address: str) -> str:
    """Return an address as people write it as a URL."""
    return address if "://" in address else f"https://{address}"


def checked(inputs: list[PageInput]) -> list[PageInput]:
    """Return the pages of a form; raises ``ArgumentError`` if there are none."""
    if not inputs:
        raise ArgumentError("name a page: write its address, choose a file, or paste its HTML")
    return inputs
