"""The pages and options of an API request: raw HTML, JSON, or an upload."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from fastapi import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile

from peneira.errors import InputError
from peneira.service.reading import PageInput
from peneira.sources.encoding import decode
from peneira.sources.rendering import Render
from peneira.studio.page_forms import MAX_PART_BYTES

_HTML_TYPES = ("text/html", "application/xhtml+xml", "text/plain")
_MAX_URL_CHARS = 8000


class UnreadableRequest(InputError):
    """The body of a request is not of a form that is read."""


class UnknownMediaType(InputError):
    """The body of a request is of a type that is not read."""


class OnePage(BaseModel):
    """A page: its HTML, the URL to fetch it from, or both: then the URL is where the HTML came from."""

    model_config = ConfigDict(extra="forbid")
    html: str | None = Field(None, description="The HTML of the page.")
    url: str | None = Field(
        None, max_length=_MAX_URL_CHARS, description="Where to fetch the page, or where its HTML came from."
    )
    name: str = Field("", max_length=300, description="What answers call the page.")


class PageOptions(OnePage):
    """What every verb takes: one page, or several in ``pages``."""

    pages: list[OnePage] | None = Field(None, description="Several pages: the answer is one line of JSON for each.")
    render: Render = Field(
        "never", description="Whether to render the page in a browser; auto: only where it needs it."
    )


class ExtractOptions(PageOptions):
    """What ``extract`` takes."""

    method: str = Field("auto", description="How to find records; see `peneira methods`.")
    region: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Take this list of the page, not the main one."
    )
    all_columns: bool = Field(False, description="Also columns that are left out by default.")
    format: Annotated[
        Literal["json", "jsonl", "csv", "tsv", "md", "xlsx", "parquet", "arrow", "sqlite"] | None,
        BeforeValidator(lambda name: "md" if name == "markdown" else name),
    ] = Field(None, description="Answer with the records alone, as a file of this format.")


class TextOptions(PageOptions):
    """What ``text`` takes."""

    markdown: bool = Field(False, description="With links, emphasis and tables, as Markdown.")


class ContentOptions(PageOptions):
    """What ``content`` takes."""

    min_probability: Annotated[float | None, Field(ge=0, le=1)] = Field(
        None, description="Texts from this probability on; without it, those that are probably content."
    )


class LearnOptions(PageOptions):
    """What ``learn`` takes."""

    kind: Literal["list", "detail"] | None = Field(None, description="What each page shows; decided by default.")
    save_as: str | None = Field(None, max_length=200, description="Save the wrapper in the library, as site/name.")


class WrapperOptions(PageOptions):
    """What ``check`` takes: pages and a wrapper."""

    wrapper: str | dict[str, Any] = Field(description="The name of a saved wrapper, site/name, or a whole wrapper.")


class ApplyOptions(WrapperOptions):
    """What ``apply`` takes."""

    otherwise: Literal["nothing", "auto"] = Field("nothing", description="How to read a page of another template.")


class HealOptions(WrapperOptions):
    """What ``heal`` takes."""

    save: bool = Field(False, description="Save the healed wrapper as the next version of the saved one.")


Options = TypeVar("Options", bound=PageOptions)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Options]):
    """A request: its options and its pages; ``is_many`` where the caller sent a list of pages."""

    options: Options
    pages: list[PageInput]
    is_many: bool


async def parsed(request: Request, model: type[Options], *, max_pages: int) -> Parsed[Options]:
    """Return what a request asks for; raises ``UnreadableRequest`` that says what is wrong with it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    given: dict[str, Any] = dict(request.query_params)
    uploads: list[PageInput] = []
    if kind in _HTML_TYPES:
        uploads = [PageInput(_html(request, await request.body()))]
    elif kind == "application/json":
        given |= _json_object(await request.body())
    elif kind == "multipart/form-data":
        uploads, fields = await _uploads(request)
        given |= fields
    else:
        raise UnknownMediaType(
            f"{kind or 'a body without a type'} is not read; send text/html, application/json or multipart/form-data"
        )
    try:
        options = model.model_validate(given)
    except ValidationError as error:
        raise UnreadableRequest(_in_words(error)) from None
    many = options.pages is not None or len(uploads) > 1
    pages = _pages(options, uploads)
    if not pages:
        raise UnreadableRequest("there is no page: send html, a url, or pages")
    if len(pages) > max_pages:
        raise UnreadableRequest(f"{len(pages)} pages are more than the {max_pages} that one request may have")
    return Parsed(options, pages, many)


def _pages(options: PageOptions, uploads: list[PageInput]) -> list[PageInput]:
    if uploads:
        return [PageInput(page.html, options.url, page.name or options.name, options.render) for page in uploads]
    if options.pages is not None:
        return [PageInput(page.html, page.url, page.name, options.render) for page in options.pages]
    if options.html is None and options.url is None:
        return []
    return [PageInput(options.html, options.url, options.name, options.render)]


def _html(request: Request, body: bytes) -> bytes | str:
    """Return the HTML of a raw body; a charset in its type decides, as it does for a page from a server."""
    _, _, charset = request.headers.get("content-type", "").lower().partition("charset=")
    charset = charset.partition(";")[0].strip(' "')
    return decode(body, charset=charset)[0] if charset else body


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableRequest("the body is not valid JSON") from None
    if not isinstance(given, dict):
        raise UnreadableRequest("the body is not a JSON object")
    return given


async def _uploads(request: Request) -> tuple[list[PageInput], dict[str, Any]]:
    from starlette.exceptions import HTTPException
    from starlette.formparsers import MultiPartException

    try:
        async with request.form(max_files=1000, max_fields=100, max_part_size=MAX_PART_BYTES) as form:
            fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
            files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
            return [PageInput(await file.read(), name=file.filename or "") for file in files], fields
    except (HTTPException, MultiPartException, KeyError, ValueError) as error:
        message = getattr(error, "detail", None) or getattr(error, "message", None) or "it has no boundary"
        raise UnreadableRequest(f"the upload cannot be read: {message}") from None


def _in_words(error: ValidationError) -> str:
    parts = [f"{'.'.join(map(str, entry['loc'])) or 'the request'}: {entry['msg']}" for entry in error.errors()[:5]]
    return "; ".join(parts)
