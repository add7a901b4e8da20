"""The verbs of the API: what each takes, how it is done, and what its answer has."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from peneira.errors import ArgumentError
from peneira.output.documents import Document
from peneira.service import verbs
from peneira.service.reading import PageInput
from peneira.service.service import Service
from peneira.studio.api_description import EXAMPLE_HTML
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


@dataclass(frozen=True, slots=True)
class PageVerb:
    """A verb that answers page by page; ``keys`` are in every answer."""

    summary: str
    model: type[PageOptions]
    answer: Callable[[Service, PageInput, Any], Awaitable[Document]]
    keys: tuple[str, ...]
    example: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PagesVerb:
    """A verb that looks at all pages together."""

    summary: str
    model: type[PageOptions]
    answer: Callable[[Service, Sequence[PageInput], Any], Awaitable[Document]]
    keys: tuple[str, ...]
    example: dict[str, Any]


async def _extract(service: Service, page: PageInput, options: ExtractOptions) -> Document:
    return await service.on_page(verbs.extract_page, page, options.method, options.region, options.all_columns)


async def _item(service: Service, page: PageInput, options: PageOptions) -> Document:
    return await service.on_page(verbs.item_page, page)


async def _text(service: Service, page: PageInput, options: TextOptions) -> Document:
    return await service.on_page(verbs.text_page, page, options.markdown)


async def _clean(service: Service, page: PageInput, options: PageOptions) -> Document:
    return await service.on_page(verbs.clean_page, page)


async def _content(service: Service, page: PageInput, options: ContentOptions) -> Document:
    return await service.on_page(verbs.content_page, page, options.min_probability)


async def _apply(service: Service, page: PageInput, options: ApplyOptions) -> Document:
    wrapper = await wrapper_text(service, options.wrapper)
    return await service.on_page(verbs.apply_page, page, wrapper, options.otherwise)


async def _learn(service: Service, pages: Sequence[PageInput], options: LearnOptions) -> Document:
    key = options.save_as
    if key is not None:
        service.library.check_key(key)
    wrapper, sample = await service.on_pages(verbs.learn_pages, pages, options.kind)
    if key is not None:
        await service.queue.run(lambda: service.library.save(key, wrapper, "learned through the API", sample))
    return verbs.wrapper_document(wrapper)


async def _check(service: Service, pages: Sequence[PageInput], options: WrapperOptions) -> Document:
    key = options.wrapper
    document, report = await service.on_pages(verbs.check_pages, pages, await wrapper_text(service, key))
    if isinstance(key, str):
        await service.queue.run(lambda: service.library.note_check(key, str(document["source"]), report))
    return document


async def _heal(service: Service, pages: Sequence[PageInput], options: HealOptions) -> Document:
    key = options.wrapper
    if options.save and not isinstance(key, str):
        raise ArgumentError("save needs the name of a saved wrapper, not a whole one")
    document, healed = await service.on_pages(verbs.heal_pages, pages, await wrapper_text(service, key))
    if options.save and healed is not None and isinstance(key, str):
        await service.queue.run(lambda: service.library.save(key, healed, "healed through the API"))
    return document


async def wrapper_text(service: Service, given: str | dict[str, Any]) -> str:
    """Return the wrapper that a caller names or sends as its file has it; raises an error if it is none."""
    if isinstance(given, str):
        return await service.queue.run(lambda: service.library.text(given))
    from peneira.wrappers.store import loads  # imports all kinds of wrappers

    text = json.dumps(given)
    loads(text)
    return text


_HTML = {"html": EXAMPLE_HTML}
_WRAPPED = {"wrapper": "shop.example/products", "url": "https://shop.example/products?page=2"}
_FOUND = ("source", "url", "verdict", "status", "records", "columns", "lists", "paging", "reasons", "cuts")
PAGE_VERBS = {
    "extract": PageVerb("Find the main list of records of a page.", ExtractOptions, _extract, _FOUND, _HTML),
    "item": PageVerb(
        "Read the one thing that a page is about.",
        PageOptions,
        _item,
        ("source", "kind", "fields", "evidence"),
        {"url": "https://shop.example/products/42"},
    ),
    "text": PageVerb("Read the main text of a page.", TextOptions, _text, ("source", "text", "type"), _HTML),
    "clean": PageVerb("Prune the noise from a page.", PageOptions, _clean, ("source", "html", "cuts"), _HTML),
    "content": PageVerb("Find the texts that are content.", ContentOptions, _content, ("source", "contents"), _HTML),
    "apply": PageVerb("Read a page with a wrapper.", ApplyOptions, _apply, _FOUND, _WRAPPED),
}
PAGES_VERBS = {
    "learn": PagesVerb(
        "Learn a wrapper from pages of one site.",
        LearnOptions,
        _learn,
        ("format", "version", "kind"),
        {"pages": [_HTML, _HTML]},
    ),
    "check": PagesVerb(
        "Check whether pages still fit a wrapper.",
        WrapperOptions,
        _check,
        ("source", "verdict", "reasons", "records", "pages"),
        _WRAPPED,
    ),
    "heal": PagesVerb(
        "Learn a wrapper again from changed pages.",
        HealOptions,
        _heal,
        ("accepted", "reason", "check", "changes", "wrapper"),
        _WRAPPED,
    ),
}
