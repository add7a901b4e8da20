"""Learning from the pages of a site: templates, choices of lists and columns, and what is said about the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import peneira
from peneira.cli.main import cli
from peneira.errors import ArgumentError, ColumnError, InputError
from peneira.wrappers.store import dumps, loads

NAMES = ["Blue mug", "Red plate", "Green bowl", "Old kettle", "Big spoon", "Tin cup"]


def shop(first: int) -> str:
    items = "".join(
        f'<li class="card"><a class="card-title" href="/p/{first + k}">{name} {first + k}</a>'
        f'<span class="card-price">{first + k}.50 EUR</span></li>'
        for k, name in enumerate(NAMES)
    )
    return f'<header class="top"><a href="/">Shop</a></header><main class="list"><ul class="cards">{items}</ul></main>'


def product(k: int) -> str:
    return (
        f'<header class="top"><a href="/">Shop</a></header><article class="product"><h1 class="name">{NAMES[k]}</h1>'
        f'<p class="price">{k}.75 EUR</p><table class="specs"><tr><th>Maker</th><td>Maker {k}</td></tr>'
        f"<tr><th>Weight</th><td>{k}00 g</td></tr><tr><th>Colour</th><td>white</td></tr></table>"
        f'<div class="text"><p>The {NAMES[k].lower()} is number {k} of our things.</p></div></article>'
    )


def test_pages_of_two_templates_give_a_wrapper_of_both_which_reads_each_page():
    wrapper = loads(dumps(peneira.learn([shop(1), product(0), shop(11), product(1), product(2)])))
    assert sorted(template.kind for template in wrapper.templates) == ["detail", "list"]
    assert "2 templates" in str(wrapper.notes[0])
    listed, single = wrapper.extract(shop(21)), wrapper.extract(product(4))
    assert listed.verdict == "list" and listed.main is not None and len(listed.main) == len(NAMES)
    assert single.verdict == "detail" and single.main is not None
    assert single.main[0]["title"].text == "Big spoon"
    assert wrapper.check([shop(31), product(5)]).verdict == "ok"
    assert wrapper.extract("<p>Something else</p>").verdict == "other-template"


def test_columns_of_detail_pages_are_named_by_role_and_label_and_constants_after_a_label_stay():
    wrapper = peneira.learn([product(k) for k in range(4)], kind="detail")
    names = {column.name for column in wrapper.columns}
    assert names == {"title", "price", "maker", "weight", "color", "description"}
    region = wrapper.extract(product(5)).main
    assert region is not None
    assert (region[0]["color"].text, region[0]["title"].text) == ("white", "Tin cup")


def test_the_same_page_twice_is_said():
    wrapper = peneira.learn([shop(1), shop(1)])
    assert str(wrapper.notes[0]) == "1 page repeated others and told nothing more"


def test_one_detail_page_is_said_to_be_one():
    assert "learned from one page" in str(peneira.learn([product(1)], kind="detail").notes[-1])


def test_a_list_is_chosen_by_number_or_by_a_text_in_it():
    other = "".join(f'<tr class="row"><td>Town {k}</td><td>{k}00 people</td></tr>' for k in range(8))
    page = shop(1) + f'<section><table class="towns">{other}</table></section>'
    near = peneira.learn([page], near="Town 3").extract(page).main
    assert near is not None and len(near) == 8
    numbered = [peneira.learn([page], region=number).extract(page).main for number in (1, 2)]
    assert sorted(len(region) for region in numbered if region is not None) == [6, 8]
    with pytest.raises(InputError, match="Nowhere"):
        peneira.learn([page], near="Nowhere")


def test_columns_are_chosen_by_name():
    wrapper = peneira.learn([shop(1)], kind="list", fields=["price", "title"])
    assert [column.name for column in wrapper.columns] == ["price", "title"]
    with pytest.raises(ColumnError, match="no such column"):
        peneira.learn([shop(1)], kind="list", fields=["nothing"])


def test_a_list_is_not_chosen_on_detail_pages():
    with pytest.raises(ArgumentError, match="choose a list"):
        peneira.learn([product(1)], kind="detail", region=1)


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_the_command_says_templates_and_notes(tmp_path: Path):
    pages = [tmp_path / f"{k}.html" for k in range(4)]
    for path, html in zip(pages, [shop(1), shop(11), product(0), product(1)], strict=True):
        path.write_text(html)
    learned = invoke("learn", *pages, "-o", tmp_path / "site.json")
    assert learned.exit_code == 0
    assert all(said in learned.stderr for said in ("list pages", "detail pages", "2 templates"))
    applied = invoke("apply", tmp_path / "site.json", pages[0], pages[3])
    assert applied.exit_code == 0
    assert "Blue mug 1" in applied.stdout and "Red plate" in applied.stdout


def test_a_book_with_a_list_of_offers_that_have_pages_of_their_own_is_a_detail_page():
    def book(number: int) -> str:
        offers = "".join(
            f"<li class=offer><a href='/o/{number}/{k}'>Book {number} at shop {k}</a> <b>${number + k}.50</b> new</li>"
            for k in range(8)
        )
        return (
            f"<h1>Book {number}</h1><table><tr><td>ISBN:</td><td>978030726999{number}</td></tr><tr><td>Author:</td>"
            f"<td>Ana Writer {number}</td></tr><tr><td>Publisher:</td><td>House {number}</td></tr></table>"
            f"<ul>{offers}</ul>"
        )

    wrapper = peneira.learn([book(k) for k in range(1, 5)])
    assert [template.kind for template in wrapper.templates] == ["detail"]
