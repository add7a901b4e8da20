"""What is kept from page to page has bounded size: no cache holds a long text of a page that is gone."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper

import pytest

import peneira
from peneira.lists import page_features
from peneira.short_text_cache import MAX_CHARS, cache_of_short_texts

LONG = 4 * MAX_CHARS
# The standard library keeps the parts of 128 addresses
OTHERS = {"urllib.parse"}


def test_long_texts_are_computed_each_time():
    calls = []

    @cache_of_short_texts(8)
    def length(text: str) -> int:
        calls.append(len(text))
        return len(text)

    long = "x" * (MAX_CHARS + 1)
    assert [length("a"), length("a"), length(long), length(long)] == [1, 1, len(long), len(long)]
    assert calls == [1, len(long), len(long)]


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list, frozenset)):
        for entry in value:
            yield from texts(entry)


def caches() -> list[_lru_cache_wrapper]:
    modules = [module for name, module in sys.modules.items() if name.startswith("peneira")]
    named = [value for module in modules for value in vars(module).values()]
    inner = [cell.cell_contents for value in named for cell in getattr(value, "__closure__", None) or ()]
    found = {id(cache): cache for cache in [*named, *inner] if isinstance(cache, _lru_cache_wrapper)}
    return [cache for cache in found.values() if cache.__module__ not in OTHERS]


def kept_texts(cache: _lru_cache_wrapper) -> Iterator[str]:
    for held in gc.get_referents(cache):
        if isinstance(held, dict):
            yield from texts(list(held))


@pytest.mark.parametrize("text", ["1" * LONG, "x" * LONG, "ab " * LONG, "in stock " * LONG, "next page " * LONG])
def test_no_cache_keeps_a_long_text_of_a_page(text: str):
    rows = "".join(
        f"<li class='{k}{text}' id='{k}{text}' data-{'x' * LONG}{k}='{text}'><a href='/{text}?page={k}'>{k}{text}</a>"
        f" <b>R$ {k}{text}</b><p><span>Price {text}</span> <i>R$ {k}.99</i></p>"
        f"<img src='{k}{text}' alt='{text}'><x-{'y' * LONG}{k}>z</x-{'y' * LONG}{k}></li>"
        for k in range(5)
    )
    links = "".join(f"<a class='pager {k}{text}' href='?page={k}{text}'>{k}</a>" for k in range(4))
    html = f"<base href='/{text}/'><title>{text}</title><ul>{rows}</ul><nav>{links}</nav><dl><dt>{text}<dd>{text}</dl>"
    result = peneira.extract(html, url="http://shop.example/")
    assert [region.full_table for region in result.regions] and result.paging is not None
    for verb in (peneira.text, peneira.item, peneira.content, peneira.segment, peneira.clean):
        verb(html)
    peneira.learn([html, html.replace("z", "q")]).extract(html)
    assert len(caches()) > 30
    assert [cache.__name__ for cache in caches() if any(len(kept) > MAX_CHARS for kept in kept_texts(cache))] == []


# What their arguments can be is given by peneira itself: names of its own lists, sections and models
OF_OWN_NAMES = {
    "word_lists", "_words", "_class_pattern", "process_beside", "_column_numbers", "_columns_of",
    "_shipped_forest", "_finalist_names", "_made_signs", "_edges", "_class_search", "_pattern",
}  # fmt: skip


def test_caches_without_a_bound_are_of_names_of_our_own():
    for info in pkgutil.walk_packages(peneira.__path__, "peneira."):
        if not info.name.endswith("__main__"):
            importlib.import_module(info.name)
    unbounded = [cache for cache in caches() if cache.cache_parameters()["maxsize"] is None]
    with_arguments = {cache.__name__ for cache in unbounded if cache.__wrapped__.__code__.co_argcount}
    assert with_arguments <= OF_OWN_NAMES


def test_the_vectors_of_a_page_of_a_million_nodes_are_not_kept():
    page_features._kept_signs.cache_clear()
    small, large = page_features._signs(1024), page_features._signs(2 * page_features.MAX_KEPT_SIGNS)
    assert (small == large[:1024]).all()
    assert page_features._kept_signs.cache_info().currsize == 1
