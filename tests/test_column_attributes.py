"""Attributes of elements as columns: URLs, images, machine-readable values."""

from __future__ import annotations

from datetime import UTC, date, datetime
from urllib.parse import urljoin

import pytest

from list_columns import columns, region_of, rows
from peneira.columns.absolute_urls import absolute_url
from peneira.result import Region


def everything(region: Region) -> set[tuple[str, ...]]:
    """Return the texts of each column, shown or not."""
    return {
        tuple(record.fields[column.name].text for record in region.records if column.name in record.fields)
        for column in region.all_columns
    }


def test_urls_are_resolved_against_the_base_and_the_page_url():
    html = "<base href=/shop/>" + "".join(f"<li><a href=p{k}>Kettle {k}</a>" for k in (1, 2))
    assert columns(html, url="https://a.example/x/y")["url"] == [f"https://a.example/shop/p{k}" for k in (1, 2)]


@pytest.mark.parametrize("href", ["#", "#top", "javascript:void(0)", "data:text/plain,x", " "])
def test_a_link_that_leads_nowhere_is_not_a_value(href: str):
    html = "".join(f'<li><a href="{href}{k if href == "#top" else ""}">Kettle {k}</a>' for k in (1, 2))
    assert everything(region_of(html)) == {("Kettle 1", "Kettle 2")}


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/blank.gif data-src=/{k}.jpg>",
        "<img src=data:image/gif;base64,R0lGOD data-original=/{k}.jpg>",
        '<img srcset="/{k}-s.jpg 100w, /{k}.jpg 900w, /{k}-m.jpg 400w">',
        '<picture><source srcset="/{k}.jpg 2x, /{k}-s.jpg 1x"><img src=data:,></picture>',
        "<span><img src=/placeholder.png><noscript><img src=/{k}.jpg></noscript></span>",
        "<img src=/{k}.jpg>",
    ],
    ids=["data-src", "data-original", "srcset", "picture", "noscript", "src"],
)
def test_the_url_of_an_image_is_that_of_the_picture_a_reader_sees(image: str):
    html = "".join(f"<li><h3>T {k}</h3>{image.format(k=k)}" for k in (1, 2))
    assert columns(html, url="https://a.example/")["image"] == ["https://a.example/1.jpg", "https://a.example/2.jpg"]


def test_a_list_of_images_alone_has_a_column():
    region = region_of("".join(f"<li><img src=/{k}.jpg alt='Photo {k}'>" for k in (1, 2, 3)))
    assert [column.type for column in region.columns] == ["text", "image"]
    assert rows(region) == (("Photo 1", "/1.jpg"), ("Photo 2", "/2.jpg"), ("Photo 3", "/3.jpg"))


def test_machine_readable_values_are_columns():
    html = "".join(
        f'<li data-sku="K-{k}"><h3>T {k}</h3><time datetime="2024-01-0{k}">{k} days</time>'
        f'<span title="{k} of 5"></span><meta itemprop=price content="{k}.90">'
        for k in (1, 2)
    )
    assert everything(region_of(html)) == {
        ("K-1", "K-2"),
        ("T 1", "T 2"),
        ("1 days", "2 days"),
        ("2024-01-01", "2024-01-02"),
        ("1 of 5", "2 of 5"),
        ("1.90", "2.90"),
    }


def test_a_date_for_programs_is_the_value_of_the_text_beside_it():
    region = region_of("".join(f'<li><h3>T {k}</h3><time datetime="2024-01-0{k}">{k} days</time>' for k in (1, 2)))
    assert [(record["date"].text, record["date"].value) for record in region] == [
        ("1 days", date(2024, 1, 1)),
        ("2 days", date(2024, 1, 2)),
    ]
    assert [column.type for column in region.columns if column.name.startswith("date")] == ["date"]


def test_a_property_that_only_machines_see_is_shown_where_readers_see_none():
    html = "".join(f'<li><h3>Kettle {k}</h3><meta itemprop=price content="{k}.90">' for k in (1, 2, 3))
    assert columns(html)["price"] == ["1.90", "2.90", "3.90"]


def test_attributes_for_readers_are_kept_unchanged():
    html = "".join(f'<li><h3>T {k}</h3><img src=/{k}.png alt="[{k}] {"long " * 60}">' for k in (1, 2))
    assert tuple(f"[{k}] {'long ' * 60}".strip() for k in (1, 2)) in everything(region_of(html))


def test_attributes_for_scripts_are_not_columns():
    html = "".join(
        f'<li data-v-{k}1 data-ved="2ahUKEwi{k}" data-toggle=t{k} data-json="{{{k}}}"><h3>T {k}</h3>' for k in (1, 2)
    )
    assert list(columns(html)) == ["title"]


@pytest.mark.parametrize(("chars", "expected"), [(200, ["title", "note"]), (201, ["title"])])
def test_a_data_attribute_of_more_than_200_characters_is_for_scripts(chars: int, expected: list[str]):
    html = "".join(f'<li data-note="{letter * chars}"><h3>T {letter}</h3>' for letter in "abc")
    assert [column.name for column in region_of(html).all_columns] == expected


@pytest.mark.parametrize(
    "base", ["https://shop.example:8080/a/b;v=1?q", "HTTP://Shop.example/x", "/", "//shop.example/a/", "", "page.html"]
)
@pytest.mark.parametrize(
    "target",
    [
        *("/a/b-c.html?q=1#top", "/a/../b", "//cdn.example/i.png", "/a//b", "/a;b", "/a?", "/.well-known/x", "/", "#x"),
        *(
            "https://other.example/x?y",
            "http://Other.example",
            "https://o.example/a/./b",
            "x/y",
            "x.php?a=1&b=/c#d",
            "./x",
            "x:y",
            "x;y",
            " /a b ",
            "/ä/ö?ü",
        ),
    ],
)
def test_plain_addresses_are_resolved_as_by_the_standard_library(base: str, target: str):
    assert absolute_url(base, target) == urljoin(base, target.strip())


NAMED = [(1, "River"), (2, "Stone"), (3, "Harbour")]


@pytest.mark.parametrize("moment", ["17000{k}0000", "17000{k}0000000"])
def test_a_number_of_seconds_or_milliseconds_in_a_time_attribute_is_a_date(moment: str):
    html = "".join(f"<li data-timestamp={moment.format(k=k)}><a href=/{k}>Kettle {k}</a>" for k in (1, 2, 3))
    region = region_of(html)
    assert [column.type for column in region.columns if column.role == "date"] == ["datetime"]
    assert region[0]["date"].value == datetime(2023, 11, 15, 1, 0, tzinfo=UTC)
    assert region[0]["date"].text == "2023-11-15T01:00:00+00:00"


def test_a_moment_for_programs_is_the_value_of_the_text_beside_it():
    html = "".join(f"<li><a href=/{k}>Kettle {k}</a><i data-time=17000{k}0000>{k}h ago</i>" for k in (1, 2, 3))
    cell = region_of(html)[0]["date"]
    assert (cell.text, cell.value) == ("1h ago", datetime(2023, 11, 15, 1, 0, tzinfo=UTC))


def test_a_title_stays_a_text_where_its_element_has_the_moment_of_the_item():
    html = "".join(f"<li><h2 data-published=17000{k}0000><a href=/{k}>{name} opens</a></h2>" for k, name in NAMED)
    region = region_of(html)
    assert [record["title"].value for record in region] == ["River opens", "Stone opens", "Harbour opens"]
    assert region[0]["date"].value == datetime(2023, 11, 15, 1, 0, tzinfo=UTC)


def test_several_moments_on_one_line_are_all_dates():
    html = "".join(
        f"<li><h4><a href=/{k}>{name}</a></h4>"
        f"<p><abbr data-time=17088{k}0002>May {k}</abbr><abbr data-time=17088{k}8002>May {k + 1}</abbr></p>"
        for k, name in NAMED
    )
    assert region_of(html)[0]["date"].items == ("2024-02-24T21:26:42+00:00", "2024-02-24T23:40:02+00:00")


def test_moments_of_an_element_and_of_one_inside_do_not_date_its_text():
    html = "".join(
        f"<li><a href=/{k}>{name}</a><div data-time=17000{k}0000><span data-time=17034{k}0000>yesterday</span></div>"
        for k, name in NAMED
    )
    assert all(cell.text != "yesterday" or cell.value == "yesterday" for cell in region_of(html)[0].fields.values())


@pytest.mark.parametrize("name", ["item", "candidate", "candidate-id", "update-id", "timeline", "posted-by"])
def test_a_long_number_in_another_attribute_is_no_date(name: str):
    html = "".join(f"<li data-{name}=17000{k}0000><a href=/{k}>Kettle {k}</a>" for k in (1, 2, 3))
    assert all(column.type != "datetime" for column in region_of(html).all_columns)
