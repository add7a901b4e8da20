"""Columns that embedded data adds to the records of a page."""

from __future__ import annotations

import json
from datetime import date

import pytest

from peneira import learn
from peneira.columns.builder import with_columns
from peneira.columns.embedded_columns import MAX_JOINED_COLUMNS, EmbeddedColumns, visible_part
from peneira.embedded.embedded_data import described_lists
from peneira.embedded.items import EmbeddedList
from peneira.page import Page
from peneira.reasons import ReasonCode
from peneira.result import Record, Region

NAMES = ("Oak table", "Pine chair", "Reading lamp", "Steel shelf")
URL = "https://shop.example/list"


def products(**properties: list[object]) -> list[dict[str, object]]:
    """Return four products as JSON-LD has them, with further properties."""
    return [
        {"@type": "Product", "name": name, "url": f"/p/{k}", **{key: values[k] for key, values in properties.items()}}
        for k, name in enumerate(NAMES)
    ]


def json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def state(value: object) -> str:
    return f'<script type="application/json" id="state">{json.dumps(value)}</script>'


def joined(data: str, *, item: str = '<li><a href="/p/{k}">{name}</a> <b>{price}</b></li>', names=NAMES) -> Region:
    """Return the list of a page of four products, with what the data adds to it."""
    rows = "".join(item.format(k=k, name=name, price=f"${k + 10}.50") for k, name in enumerate(names))
    page = Page.from_html(f"<body>{data}<ul>{rows}</ul>", url=URL)
    return EmbeddedColumns(page).join(with_columns(page, Region("//ul", records_of(page), 1.0)))


def records_of(page: Page) -> tuple[Record, ...]:
    """Return the items of the list of a page."""
    rows = [i for i in range(len(page)) if page.name(i) == "li"]
    return tuple(Record(((i, int(page.end[i])),), page.visible_text(i), page.xpath(i)) for i in rows)


def added(region: Region) -> dict[str, list[object]]:
    """Return the values of the columns that embedded data added."""
    return {
        column.name: [cell and cell.value for cell in (record.get(column.name) for record in region)]
        for column in region.columns
        if column.source != "page"
    }


def test_properties_of_a_list_join_the_records_it_matches_by_address():
    region = joined(json_ld(products(sku=["A1", "A2", "007", "A4"], validThrough=["2024-05-0" + d for d in "1234"])))
    assert added(region) == {
        "sku": ["A1", "A2", "007", "A4"],
        "end_date": [date(2024, 5, day) for day in (1, 2, 3, 4)],
    }
    sku = next(column for column in region.columns if column.name == "sku")
    assert (sku.source, sku.role, sku.fill, region[0]["sku"].source) == ("json-ld", "sku", 1.0, "json-ld")


def test_the_order_of_the_items_does_not_matter():
    assert added(joined(json_ld(products(sku=["A1", "A2", "A3", "A4"])[::-1]))) == {"sku": ["A1", "A2", "A3", "A4"]}


def test_items_without_address_match_by_title():
    items = [{"@type": "Product", "name": name.upper(), "sku": f"S{k}"} for k, name in enumerate(NAMES)]
    assert added(joined(json_ld(items))) == {"sku": ["S0", "S1", "S2", "S3"]}


def test_items_match_by_an_identifier_in_the_address():
    items = [{"id": f"abc10{k}", "brand": f"Maker {k}"} for k in range(4)]
    item = '<li><a href="/product/abc10{k}-x.html">{name}</a> {price}</li>'
    assert added(joined(state({"items": items}), item=item)) == {"brand": [f"Maker {k}" for k in range(4)]}


def test_a_list_of_other_things_does_not_join():
    items = [{"@type": "Product", "name": f"Other {k}", "url": f"/q/{k}", "sku": f"S{k}"} for k in range(4)]
    assert added(joined(json_ld(items))) == {}


def test_a_list_that_matches_fewer_records_does_not_join():
    assert added(joined(json_ld(products(sku=["A1", "A2", "A3", "A4"])[:2]))) == {}


def test_records_that_share_an_address_are_not_told_apart_by_it():
    items = [{"@type": "Product", "url": "/p/same", "sku": f"S{k}"} for k in range(4)]
    assert added(joined(json_ld(items), item='<li><a href="/p/same">{name}</a> {price}</li>')) == {}


def test_what_the_page_shows_does_not_become_another_column():
    offers = [{"price": f"{k + 10}.5", "priceCurrency": "USD"} for k in range(4)]
    region = joined(json_ld(products(offers=offers)))
    assert added(region) == {"currency": ["USD"] * 4}
    assert not any(reason.code == ReasonCode.CONTRADICTION for reason in region.reasons)


def test_what_contradicts_the_page_is_reported_and_the_page_wins():
    offers = [{"price": price} for price in ("10.50", "9.99", "12.50", "13.50")]
    region = joined(json_ld(products(offers=offers)))
    reasons = [reason for reason in region.reasons if reason.code == ReasonCode.CONTRADICTION]
    shown = next(column.name for column in region.columns if column.type == "money")
    assert [(str(reason), reason.value) for reason in reasons] == [
        (f"json-ld contradicts the column {shown} in 1 record: '$11.50' against '9.99'", 1.0)
    ]
    assert added(region) == {}
    assert region[1][shown].text == "$11.50"
    assert "9.99" in [cell.text for cell in region[1].fields.values()]  # kept in all_columns


def test_microdata_joins_the_record_that_it_marks():
    item = '<div itemscope itemtype="http://schema.org/Offer"><meta itemprop="gtin13" content="400{k}"><li>{name}</div>'
    region = joined("", item=item)
    assert added(region) == {"gtin": ["4000", "4001", "4002", "4003"]}
    assert region[0]["gtin"].source == "microdata"


def test_what_says_nothing_to_a_reader_is_left_to_all_columns():
    items = [
        {"url": f"/p/{k}", "internalRef": f"x{k}", "isNew": k > 1, "brand": "Acme", "color": "#ff000" + str(k)}
        for k in range(4)
    ]
    region = joined(state(items))
    others = {column.name for column in region.all_columns if column.source == "script-state"}
    assert added(region) == {}
    assert others == {"internal_ref", "is_new", "brand", "color"}


def test_at_most_so_many_columns_join():
    wanted = "sku mpn gtin isbn brand price currency condition material color size duration rating reviews city country"
    items = [{"url": f"/p/{k}", **{key: f"{key} value {k}" for key in wanted.split()}} for k in range(4)]
    assert len(added(joined(state(items)))) == MAX_JOINED_COLUMNS


def test_times_in_seconds_are_read_as_times():
    items = [{"url": f"/p/{k}", "publishedAt": 1_700_000_000_000 + k * 86_400_000} for k in range(4)]
    region = joined(state(items))
    assert [record["date_published"].text for record in region] == [f"2023-11-{14 + k}T22:13:20Z" for k in range(4)]


def test_a_page_without_data_is_unchanged():
    assert {column.source for column in joined("").all_columns} == {"page"}


@pytest.mark.parametrize(
    "hostile", [[[]] * 4, [{}] * 4, [{"url": None}] * 4, [{"url": "http://["}] * 4, [{"url": "/p/1", "sku": "1"}] * 4]
)
def test_odd_items_add_nothing(hostile):
    assert added(joined(json_ld(hostile))) == {}


def test_descriptions_are_read_twice_at_most_however_many_lists_a_page_has(monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []

    def counted_lists(page: Page, *, min_items: int = 0) -> list[EmbeddedList]:
        asked.append(min_items)
        return described_lists(page, min_items=min_items)

    monkeypatch.setattr("peneira.columns.embedded_columns.described_lists", counted_lists)
    names = [f"{name} no. {k}" for k in range(5) for name in NAMES]
    things = [{"@type": "Product", "name": name, "sku": f"A{k}"} for k, name in enumerate(names[:8])]
    page = Page.from_html(f"<body>{json_ld(things)}<ul>" + "".join(f"<li><b>{name}</b></li>" for name in names))
    records = records_of(page)
    embedded = EmbeddedColumns(page)
    found = []
    for count in (20, 16, 12, 8, 6, 4):
        region = embedded.join(with_columns(page, Region("//ul", records[:count], 1.0)))
        found.append(added(region).get("sku", [])[:1])
    assert found == [[], [], ["A0"], ["A0"], ["A0"], ["A0"]]
    assert asked == [12, 0]


def test_the_visible_part_of_a_region_has_no_embedded_columns():
    data = json_ld(products(sku=["A1", "A2", "A3", "A4"]))
    shown = visible_part(joined(data))
    assert shown is not None
    assert shown == joined("<script>1</script>")


def test_a_wrapper_reads_the_embedded_data_of_the_page_it_is_given():
    rows = "".join(f'<li><a href="/p/{k}">{name}</a> <b>${k + 10}.50</b></li>' for k, name in enumerate(NAMES))
    first, second = (json_ld(products(sku=[f"{letter}{k}" for k in range(4)])) for letter in "AB")
    wrapper = learn([f"<body>{first}<ul>{rows}</ul>"], kind="list")
    assert "sku" in [column.name for column in wrapper.columns]
    read = wrapper.extract(f"<body>{second}<ul>{rows}</ul>").main
    assert read is not None
    assert [record["sku"].text for record in read] == ["B0", "B1", "B2", "B3"]
    bare = wrapper.extract(f"<body><ul>{rows}</ul>").main
    assert bare is not None
    assert [(record["title"].text, "sku" in record.fields) for record in bare] == [(name, False) for name in NAMES]
