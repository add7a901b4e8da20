"""The verbs of the API: what each makes of the pages of a request. They run in worker threads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from peneira.errors import ArgumentError, InputError
from peneira.items.builder import item_of
from peneira.output.documents import (
    Document,
    check_document,
    content_document,
    extraction_document,
    healing_document,
    item_document,
    text_document,
)
from peneira.page import Page
from peneira.result import Extraction, Region
from peneira.service.reading import PageInput
from peneira.service.service import Service
from peneira.studio.page_requests import (
    ApplyOptions,
    ContentOptions,
    ExtractOptions,
    HealOptions,
    LearnOptions,
    PageOptions,
    TextOptions,
    WrapperOptions,
)
from peneira.table import Table
from peneira.texts.cleaning import clean
from peneira.texts.content import content
from peneira.texts.content_model import DEFAULT_MODEL
from peneira.texts.main_text import main_text
from peneira.wrappers.learning import learn
from peneira.wrappers.store import dumps, loads
from peneira.wrappers.wrapper import Wrapper


def extract_page(service: Service, page: PageInput, options: ExtractOptions) -> Document:
    """Return the records of a page, and what is known about them."""
    result, region, table = _extracted(service, page, options)
    return extraction_document(_name(page), result, region, table)


def extract_table(service: Service, page: PageInput, options: ExtractOptions) -> Table:
    """Return the records of a page alone; raises ``InputError`` if there are none."""
    result, _, table = _extracted(service, page, options)
    if table is None:
        raise InputError(f"no list of records: {result.reasons[0] if result.reasons else result.verdict}")
    return table


def _extracted(
    service: Service, page: PageInput, options: ExtractOptions
) -> tuple[Extraction, Region | None, Table | None]:
    result = service.reader.extract(page, method=options.method).result
    region = chosen_region(result, options.region)
    if region is None:
        return result, None, None
    return result, region, region.full_table if options.all_columns else region.table


def chosen_region(result: Extraction, number: int | None) -> Region | None:
    """Return the list of that number, the main one without; raises ``ArgumentError`` if there are not so many."""
    if number is None:
        return result.main
    if number > len(result.regions):
        raise ArgumentError(f"region={number} is not on this page, which has {len(result.regions)} lists")
    return result.regions[number - 1]


def item_page(service: Service, page: PageInput, options: PageOptions) -> Document:
    """Return the one thing that a page is about."""
    return item_document(_name(page), item_of(service.reader.read(page).page))


def text_page(service: Service, page: PageInput, options: TextOptions) -> Document:
    """Return the main text of a page."""
    read = service.reader.read(page).page
    return {"source": _name(page), **text_document(main_text(read, markdown=options.markdown), read.url)}


def clean_page(service: Service, page: PageInput, options: PageOptions) -> Document:
    """Return a page without its noise."""
    read = service.reader.read(page).page
    html = clean(read)
    cuts = [{"limit": cut.limit, "allowed": cut.allowed, "left_out": cut.left_out} for cut in html.cuts]
    return {"source": _name(page), "url": read.url, "html": str(html), "status": html.status, "cuts": cuts}


def content_page(service: Service, page: PageInput, options: ContentOptions) -> Document:
    """Return the texts of a page that are its content."""
    read = service.reader.read(page).page
    contents = content(read, min_probability=options.min_probability)
    return {"source": _name(page), **content_document(contents, read.url, DEFAULT_MODEL, contents.cuts)}


def apply_page(service: Service, page: PageInput, options: ApplyOptions) -> Document:
    """Return the records of a page, read with a wrapper."""
    wrapper = wrapper_of(service, options.wrapper)
    result = wrapper.extract(service.reader.read(page).page, otherwise=options.otherwise)
    return extraction_document(_name(page), result, result.main, result.main.table if result.main else None)


def learn_pages(service: Service, pages: Sequence[PageInput], options: LearnOptions) -> Document:
    """Return a wrapper learned from pages, as its file has it; saved in the library if that is wanted."""
    read = _read_all(service, pages)
    wrapper = learn(read, kind=options.kind)
    if options.save_as is not None:
        sample = wrapper.extract(read[0]).main
        service.library.save(options.save_as, wrapper, "learned through the API", sample.table if sample else None)
    return wrapper_document(wrapper)


def check_pages(service: Service, pages: Sequence[PageInput], options: WrapperOptions) -> Document:
    """Return whether pages still fit a wrapper; kept in the library for a saved one."""
    report = wrapper_of(service, options.wrapper).check(_read_all(service, pages))
    name = _name(pages[0]) if len(pages) == 1 else f"{len(pages)} pages"
    if isinstance(options.wrapper, str):
        service.library.note_check(options.wrapper, name, report)
    return check_document(name, report)


def heal_pages(service: Service, pages: Sequence[PageInput], options: HealOptions) -> Document:
    """Return a wrapper learned again from changed pages; saved as the next version if it is accepted and wanted."""
    if options.save and not isinstance(options.wrapper, str):
        raise ArgumentError("save needs the name of a saved wrapper, not a whole one")
    healing = wrapper_of(service, options.wrapper).heal(_read_all(service, pages))
    if options.save and healing.accepted and isinstance(options.wrapper, str):
        service.library.save(options.wrapper, healing.wrapper, "healed through the API")
    return {**healing_document(healing), "wrapper": wrapper_document(healing.wrapper) if healing.accepted else None}


def wrapper_of(service: Service, given: str | dict[str, object]) -> Wrapper:
    """Return the wrapper that a caller names or sends."""
    if isinstance(given, str):
        return service.library.load(given)
    return loads(json.dumps(given), "wrapper")


def wrapper_document(wrapper: Wrapper) -> Document:
    """Return a wrapper as its file has it."""
    document: Document = json.loads(dumps(wrapper))
    return document


def _read_all(service: Service, pages: Sequence[PageInput]) -> list[Page]:
    return [service.reader.read(page).page for page in pages]


def _name(page: PageInput) -> str:
    from peneira.credentials import checked_url

    return page.name or checked_url(page.url or None) or "the page"


