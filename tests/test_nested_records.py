"""Lists inside records: their items are nested records where they have fields of their own, else they stay flat."""

from __future__ import annotations

import copy
import json
import pickle
from decimal import Decimal
from pathlib import Path

import pytest

import peneira
from command import peneira as run
from list_columns import names, region_of
from peneira.result import Region
from peneira.values import Money
from peneira.wrappers.store import dumps, loads

Items = list[tuple[str, ...]]


def item(*fields: str, classes: tuple[str, ...], tag: str = "li") -> str:
    """Return an item with a span for each field; an empty field is missing."""
    spans = "".join(f"<span class={name}>{text}</span>" for name, text in zip(classes, fields, strict=True) if text)
    return f"<{tag}>{spans}</{tag}>"


def page(titles: list[str], lists: list[Items], classes: tuple[str, ...], list_class: str = "") -> str:
    """Return a page of articles, each with a title and a list of items."""
    return "".join(
        f"<article><h3>{title}</h3><ul class='{list_class}'>"
        + "".join(item(*fields, classes=classes) for fields in items)
        + "</ul></article>"
        for title, items in zip(titles, lists, strict=True)
    )


FILMS = page(
    ["Alien", "Heat", "Fargo"],
    [
        [("Sigourney Weaver", "Ripley")],
        [("Al Pacino", "Hanna"), ("Robert De Niro", "McCauley"), ("Val Kilmer", "Chris")],
        [("Frances McDormand", "Marge"), ("William H. Macy", "Jerry")],
    ],
    ("name", "role"),
    "cast",
)


def nested(region: Region, name: str) -> list[list[dict[str, object]] | None]:
    """Return the nested records of a column as dictionaries, None where a record has none."""
    return [record[name].table.to_dicts() if name in record else None for record in region]  # type: ignore[union-attr, misc]


def rows(region: Region, name: str) -> list[list[list[object]] | None]:
    """Return the values of the nested records of a column, None where a record has none."""
    return [items and [list(item.values()) for item in items] for items in nested(region, name)]


def test_the_actors_of_a_film_are_records_with_a_name_and_a_role():
    region = region_of(FILMS, "article")
    assert names(region) == ("title", "cast")
    cast = region.columns[1]
    assert (cast.type, [column.caption for column in cast.columns]) == ("records", ["name", "role"])
    assert nested(region, "cast")[2] == [
        {"title": "Frances McDormand", "role": "Marge"},
        {"title": "William H. Macy", "role": "Jerry"},
    ]


def test_a_cell_of_nested_records_has_their_texts():
    cell = region_of(FILMS, "article")[2]["cast"]
    assert cell.items == ("Frances McDormand, Marge", "William H. Macy, Jerry")
    assert cell.text == "Frances McDormand, Marge; William H. Macy, Jerry"
    assert repr(cell) == "<Cell 'Frances McDormand, Marge; William H. Macy, Jerry', 2 records>"


def test_a_record_has_its_nested_records():
    film = region_of(FILMS, "article")[2]
    assert [actor["role"].text for actor in film.records] == ["Marge", "Jerry"]
    assert [actor.xpath.rpartition("/")[2] for actor in film.records] == ["li[1]", "li[2]"]
    assert film.records[0].records == ()


def test_nested_records_are_values():
    region = region_of(FILMS, "article")
    assert pickle.loads(pickle.dumps(region)) == region
    assert hash(copy.deepcopy(region)) == hash(region)
    assert region.table.distinct() == region.table


@pytest.mark.parametrize(
    "offers",
    [
        [("Anvil", "$10.50"), ("Forge", "$11")],
        [("Anvil", ""), ("Forge", "$11")],
        [("", "$10.50"), ("Forge", "$11")],
    ],
    ids=["whole", "without a price", "without a seller"],
)
def test_an_offer_without_one_of_its_fields_shifts_nothing(offers: Items):
    others: list[Items] = [
        [("Hammer", "$7"), ("Anvil", "$8"), ("Nail", "$9")],
        [("Forge", "$12")],
        [("Nail", "$3")] * 2,
    ]
    html = page(["Axe", "Saw", "Rake", "Hoe"], [offers, *others], ("seller", "price"), "offers")
    expected = [[seller or None, Money(Decimal(price[1:]), "$") if price else None] for seller, price in offers]
    assert rows(region_of(html, "article"), "offers")[0] == expected


def test_a_day_has_its_games_and_a_day_without_games_has_none():
    games: list[Items] = [
        [("Lions", "Bears", "2:1"), ("Cats", "Dogs", "0:3")],
        [],
        [("Bears", "Dogs", "1:1"), ("Lions", "Cats", "4:2"), ("Owls", "Crows", "2:0")],
    ]
    html = page(["Monday", "Tuesday", "Friday"], games, ("home", "guest", "score"), "games")
    region = region_of(html, "article")
    assert rows(region, "games") == [[list(game) for game in day] or None for day in games]
    assert [column.name for column in region.columns[1].columns][-1] == "score"


def test_nested_records_are_named_by_the_heading_before_their_list():
    html = FILMS.replace("<ul class='cast'>", "<h4>Starring</h4><ul>")
    assert "starring" in names(region_of(html, "article"))


def test_nested_records_without_any_words_are_called_records():
    html = FILMS.replace(" class='cast'", "")
    assert names(region_of(html, "article")) == ("title", "records")


def test_a_list_inside_an_item_is_a_list_cell_of_the_nested_record():
    html = FILMS.replace(
        "<span class=role>Hanna</span>", "<span class=role>Hanna</span><i class=tag>a</i><i class=tag>b</i>"
    )
    html = html.replace("<span class=role>Chris</span>", "<span class=role>Chris</span><i class=tag>c</i>")
    html = html.replace("<span class=role>Marge</span>", "<span class=role>Marge</span>" + "<i class=tag>d</i>" * 3)
    actor = region_of(html, "article")[1].records[0]
    assert actor["tags"].items == ("a", "b")


BEDS_AND_BATHS: list[Items] = [
    [("3", "beds"), ("2", "baths")],
    [("1", "beds")],
    [("4", "beds"), ("2", "baths"), ("1", "cars")],
    [("2", "beds"), ("5", "cars")],
    [("6", "beds")],
]


@pytest.mark.parametrize(
    ("items", "classes"),
    [
        ([[("red",), ("big",)], [("blue",)], [("old",), ("dry",), ("red",)]], ("tag",)),
        (BEDS_AND_BATHS, ("n", "unit")),
        ([[("A", "new"), ("B", "new")], [("C", "new")], [("D", "new"), ("E", "new"), ("F", "old")]], ("name", "badge")),
        ([[("A", "x"), ("B", "")], [("C", "y")], [("D", ""), ("E", ""), ("F", "")]], ("name", "badge")),
    ],
    ids=["tags", "labels and values", "a field that hardly varies", "a field of few items"],
)
def test_a_list_stays_flat(items: list[Items], classes: tuple[str, ...]):
    region = region_of(page([f"Record {k}" for k in range(len(items))], items, classes), "article")
    assert not any(column.columns for column in region.columns)


def test_links_with_their_addresses_stay_a_list():
    links = ["".join(f"<li><a href=/t/{k}{j}>tag {k}{j}</a>" for j in range(k)) for k in (1, 2, 3)]
    region = region_of(
        "".join(f"<article><h3>{k}</h3><ul>{own}</ul></article>" for k, own in enumerate(links)), "article"
    )
    assert [record.records for record in region] == [(), (), ()]
    assert region[1]["text"].items == ("tag 20", "tag 21")


def test_rows_of_different_kinds_are_not_records():
    first = "<tr><td>Book {0}<td>{0} euros<td>{0} left"
    more = "<tr><td>Ana {0}<td>19{0}0"
    rows = [first.format(k) + more.format(k) * (1 + k % 2) for k in (1, 2, 3, 4)]
    region = region_of("".join(f"<article><table>{own}</table></article>" for own in rows), "article")
    assert not any(column.columns for column in region.columns)


def films_page() -> str:
    """Return a page whose main list is films with their actors."""
    story = "<p>What happens in this film takes some words to tell, which is why it stands here.</p></article>"
    others = page(
        ["Jaws", "Psycho", "Rope"],
        [
            [("Roy Scheider", "Brody"), ("Robert Shaw", "Quint")],
            [("Janet Leigh", "Marion")],
            [("James Stewart", "Rupert"), ("John Dall", "Brandon"), ("Farley Granger", "Phillip")],
        ],
        ("name", "role"),
        "cast",
    )
    return f"<html><body><main>{FILMS}{others}</main></body></html>".replace("</article>", story)


def test_a_wrapper_reads_nested_records():
    html = films_page()
    wrapper = loads(dumps(peneira.learn([html], kind="list")))
    films = wrapper.extract(html).main
    assert films is not None
    assert nested(films, "cast")[1] == [
        {"title": "Al Pacino", "role": "Hanna"},
        {"title": "Robert De Niro", "role": "McCauley"},
        {"title": "Val Kilmer", "role": "Chris"},
    ]


def test_types_have_the_columns_of_nested_records(tmp_path: Path):
    path = tmp_path / "films.html"
    path.write_text(films_page(), encoding="utf-8")
    cast = json.loads(run("extract", path, "--types", "--fields", "cast").stdout)[0]
    assert (cast["type"], [column["name"] for column in cast["columns"]]) == ("records", ["title", "role"])
    table = run("extract", path, "--types", "--format", "table").stdout
    assert "cast.role" in table
