"""Addresses of detail pages: which images and links belong to the item, and which to the site."""

from __future__ import annotations

import parsel

import peneira
from peneira.wrappers.export import scrapy_module

FILMS = [("Up", "Docter", "up.example"), ("Her", "Jonze", "her.example"), ("Big", "Marshall", "big.example")]


def film(title: str, director: str, site: str, *, session: int = 1) -> str:
    return f"""<html><body><img src="/logo.png"><img class="sign" src="/{session}.gif" width="16" height="16">
    <div class="film"><h1 class="title">{title}</h1><img id="poster" src="/posters/{title}.jpg">
    <p>Directed by: <a class="director" href="/people/{director}">{director}</a></p>
    <a href="http://{site}/">Official site</a></div>
    <a href="http://films.example/jobs?session={session}">Careers</a></body></html>"""


def learned() -> peneira.Wrapper:
    return peneira.learn([film(*row, session=k) for k, row in enumerate(FILMS)], kind="detail")


def fields(wrapper: peneira.Wrapper, page: str) -> dict[str, tuple[str, str]]:
    main = wrapper.extract(page, url="http://films.example/7").main
    assert main is not None
    return {name: (cell.text, cell.type) for name, cell in main.records[0].fields.items()}


def test_images_and_links_of_the_item_are_columns_and_links_of_the_site_are_not():
    assert fields(learned(), film("Heat", "Mann", "heat.example", session=9)) == {
        "title": ("Heat", "text"),
        "film_image": ("http://films.example/posters/Heat.jpg", "image"),
        "director": ("Mann", "text"),
        "directed_by_url": ("http://films.example/people/Mann", "url"),
        "official_site_url": ("http://heat.example/", "url"),
    }


def test_equal_images_and_links_belong_to_the_template():
    pages = [film(title, "Docter", "same.example") for title, _, _ in FILMS]
    assert sorted(column.name for column in peneira.learn(pages, kind="detail").fields) == [
        "director",
        "film_image",
        "title",
    ]


def test_the_links_of_a_list_are_a_list():
    def page(names: list[str]) -> str:
        items = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in names)
        return f"<html><body><h1>{names[0]} and more</h1><ul class=cast>{items}</ul></body></html>"

    wrapper = peneira.learn([page(["Ana", "Bia", "Cid"]), page(["Eva", "Gil"]), page(["Hugo", "Ivo"])], kind="detail")
    main = wrapper.extract(page(["Lia", "Max"])).main
    assert main is not None
    assert (main.records[0].fields["cast"].items, main.records[0].fields["cast_url"].items) == (
        ("Lia", "Max"),
        ("/Lia", "/Max"),
    )


def test_the_exported_module_reads_addresses_as_peneira_does():
    wrapper = learned()
    page = film("Heat", "Mann", "heat.example")
    space: dict[str, object] = {}
    exec(scrapy_module(wrapper), space)
    (row,) = space["read"](parsel.Selector(text=page), "http://films.example/7")  # type: ignore[operator]
    assert row == {name: text for name, (text, _) in fields(wrapper, page).items()}
