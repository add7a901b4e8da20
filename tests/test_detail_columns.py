"""Which columns a wrapper of detail pages has, how they are called, and where their values are looked for."""

from __future__ import annotations

import pytest

import peneira
from peneira.wrappers.address_lines import are_address_lines
from peneira.wrappers.label_evidence import label_stem, names_role

CITIES = ["Recife", "Natal", "Olinda", "Belem", "Manaus"]


def learned(bodies: list[str]) -> dict[str, object]:
    """Return the values of the last page, read by a wrapper of all pages."""
    pages = [f"<html lang=en><title>Page</title><body>{body}</body></html>" for body in bodies]
    main = peneira.learn(pages, kind="detail").extract(pages[-1]).main
    assert main is not None
    return {name: list(cell.items) or cell.text for name, cell in main.records[0].fields.items()}


def test_a_label_in_the_singular_or_in_the_plural_is_one_column():
    pages = [
        f"<h1>Film {city}</h1><p><b>Director:</b> <a>Ana {city}</a></p><p><b>Year:</b> {1990 + k}</p>"
        for k, city in enumerate(CITIES)
    ]
    for k in (1, 4):
        pages[k] = pages[k].replace("Director:", "Directors:").replace("</a>", f"</a>, <a>Rui {CITIES[k]}</a>")
    assert learned(pages)["director"] == ["Ana Manaus", "Rui Manaus"]


def test_the_lines_of_a_postal_address_are_one_value():
    pages = [
        f"<h1>Cafe {city}</h1><div class=address>{k + 1}20 Main Street<br>{city}, NY 1000{k}</div>"
        for k, city in enumerate(CITIES)
    ]
    assert learned(pages)["address"] == ["520 Main Street", "Manaus, NY 10004"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["12 Main St.", "Austin, TX 78701"], True),
        (["Hauptstr. 12", "10115 Berlin"], True),
        (["Pub. Date: Oct 12", "May 2010"], False),
        (["2010 Honda Fit", "28 mpg"], False),
        (["12 Main St., Austin, TX 78701"], False),
    ],
)
def test_an_address_has_a_street_with_a_number_and_a_town_with_a_code(lines: list[str], expected: bool):
    assert are_address_lines([lines]) is expected


def test_a_labelled_value_that_learning_pages_share_is_a_column_if_its_table_varies():
    pages = [
        f"<h1>Camera {city}</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Weight</td><td>{k} g</td></tr>"
        f"<tr><td>Zoom</td><td>{k + 2}x</td></tr></table>"
        for k, city in enumerate(CITIES)
    ]
    assert learned(pages)["brand"] == "Acme"


def test_a_label_whose_words_are_in_several_nodes_is_a_label():
    pages = [
        f"<h1>Film {city}</h1><div><h4>Rating (<a>MPAA</a>)</h4> Rated {city} for all</div>"
        f"<div><h4>Year</h4> {1980 + k}</div>"
        for k, city in enumerate(CITIES)
    ]
    assert learned(pages)["rating_mpaa"] == "Rated Manaus for all"


def test_a_value_of_a_block_is_called_by_what_it_is_and_not_by_the_label_of_the_block():
    pages = [
        f"<h1>School {city}</h1><table><tr><td>Contact:</td><td>Dean {city}<br>www.{city.lower()}.edu</td></tr></table>"
        for city in CITIES
    ]
    assert learned(pages)["website"] == "www.manaus.edu"


def test_a_second_column_with_the_title_is_called_title_too():
    pages = [f"<h1>Lamp {city}</h1><div><i>Lamp {city}</i></div><p>Price: ${k}.50</p>" for k, city in enumerate(CITIES)]
    assert [name for name, value in learned(pages).items() if value == "Lamp Manaus"] == ["title"]


@pytest.mark.parametrize(("label", "stem"), [("Directors:", "director"), ("Genre(s)", "genre"), ("Bus", "bus")])
def test_the_stem_of_a_label_has_no_signs_and_no_plural(label: str, stem: str):
    assert label_stem(label) == stem


def test_a_label_names_a_role_by_its_last_word_or_as_a_whole():
    assert [names_role(label) for label in ("Your price:", "Manufacturer", "Depth")] == [True, True, False]
