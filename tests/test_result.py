"""Results are pleasant to use: short to look at, records by position, cells by name, plain dictionaries."""

from __future__ import annotations

import pickle
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

import peneira
from peneira import Cell, Column, Extraction, Money, Page, Reason, Record, Region, Table
from peneira.budget import Budget, check_budget
from peneira.errors import LimitExceeded
from peneira.findings import DeferredRegions, Findings, confidence_of
from peneira.limits import Limits
from peneira.node_paths import own_xpath
from peneira.preview import MAX_COLUMNS, MAX_ROWS

SHOP = "<ul>" + "".join(f"<li><h3>Lamp {k}</h3> <b class=price>R$ 1{k},50</b>" for k in range(4)) + "</ul>"
PROSE = "<h1>One thing</h1>" + "<p>Said once, at some length, so that it is clear that this is prose and no list.</p>"


@pytest.fixture(scope="module")
def region() -> Region:
    main = peneira.extract(SHOP).main
    assert main is not None
    return main


def test_a_region_is_a_sequence_of_records(region: Region):
    assert len(region) == 4
    assert [record.text for record in region] == [record.text for record in region.records]
    assert region[-1] is region.records[-1]
    assert region[1:3] == region.records[1:3]
    assert region.index(region[2]) == 2
    assert region[0] in region


def test_a_record_gives_its_cells_by_name(region: Region):
    assert region[0]["price"].text == "R$ 10,50"
    assert "price" in region[0] and "colour" not in region[0]
    assert region[0].get("colour") is None
    with pytest.raises(KeyError, match=r"'colour'; this record has .*price"):
        region[0]["colour"]


def test_a_typed_cell_has_a_value_and_a_text_its_text(region: Region):
    assert region[0]["price"].value == Money(Decimal("10.50"), "BRL")
    assert Cell("Lamp", xpath="/p").value == "Lamp"
    assert str(region[0]["price"]) == "R$ 10,50"


def test_dictionaries_have_values_by_column_and_none_where_there_is_no_cell(region: Region):
    title = region.columns[0].name
    assert region.to_dicts()[3] == {title: "Lamp 3", "price": Money(Decimal("13.50"), "BRL")}
    columns = (Column("a", caption="a", fill=1.0), Column("b", caption="b", fill=0.5))
    assert Table(columns, ((Cell("x", xpath=""), None),)).to_dicts() == [{"a": "x", "b": None}]


def test_a_frame_has_a_row_per_record(region: Region):
    assert list(region.to_pandas()["price"]) == [10.5, 11.5, 12.5, 13.5]


def test_every_repr_of_the_demo_fits_on_two_lines(sample: Path):
    result = peneira.extract(sample)
    assert result.main is not None
    cell = next(iter(result.main[0].fields.values()))
    for value in (result, result.main, result.main[0], result.main.table, result.regions, cell):
        assert len(repr(value)) <= 240


def test_a_repr_says_what_was_found(region: Region):
    assert repr(peneira.extract(SHOP)).startswith("<Extraction list, complete, ")
    assert "4 records, 2 columns, confidence" in repr(region)
    assert repr(peneira.extract(PROSE)).endswith("no main list>")
    assert repr(Cell("R$ 10,50", "/b", "money", Money(Decimal("10.50"), "BRL"))) == (
        "<Cell 'R$ 10,50', money 10.50 BRL>"
    )


def test_a_notebook_shows_a_small_table(region: Region):
    html = peneira.extract(SHOP)._repr_html_()
    assert html == region._repr_html_() == region.table._repr_html_()
    assert "<th>price</th>" in html and "<td>R$ 13,50</td>" in html


def test_a_notebook_shows_the_first_rows_and_says_how_many_more_there_are():
    columns = tuple(Column(f"c{k}", caption="", fill=1.0) for k in range(MAX_COLUMNS + 2))
    row = tuple(Cell("<b>", xpath="") for _ in columns)
    html = Table(columns, (row,) * (MAX_ROWS + 1))._repr_html_()
    assert html.count("<tr>") == MAX_ROWS + 1
    assert html.count("<th>") == MAX_COLUMNS
    assert "<b>" not in html and "&lt;b&gt;" in html
    assert html.endswith("<p>1 row more, 2 columns more</p>")


def test_a_notebook_shows_why_there_is_no_list():
    html = peneira.extract(PROSE)._repr_html_()
    assert html.startswith("<p>no main list (detail)</p><ul><li>")


def test_results_are_values_that_hash_and_travel():
    one, two = peneira.extract(SHOP), peneira.extract(SHOP)
    assert len({one, two}) == 1
    travelled: Extraction = pickle.loads(pickle.dumps(one))
    assert (travelled, hash(travelled)) == (one, hash(one))
    assert len({one.main, travelled.main}) == 1
    assert isinstance(one.main and one.main[0], Record) and isinstance(one.reasons[0], Reason)


def test_a_page_is_made_from_html_or_from_a_file(tmp_path: Path):
    (tmp_path / "shop.html").write_text(SHOP)
    pages = [Page.from_html(SHOP), Page.from_html(SHOP.encode()), Page.from_file(tmp_path / "shop.html")]
    assert {page.visible_text(0) for page in pages} == {pages[0].visible_text(0)}
    assert Page.from_file(str(tmp_path / "shop.html"), url="https://shop.example/").url == "https://shop.example/"


@pytest.mark.parametrize("call", [peneira.extract, peneira.clean, peneira.segment, peneira.content])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("page.html", r"'page.html' is the name of a file, not HTML: write pathlib.Path\('page.html'\)"),
        ("pages/one.htm.gz", "is the name of a file"),
        ("https://example.com/jobs", "is a URL, and nothing is fetched here: give the HTML and url="),
        ("www.example.com/jobs", r"Browser\(\).open\('https://www.example.com/jobs'\)"),
        ("example.com/jobs", "is a URL"),
        ("pages/*.html", r"write the paths of pathlib.Path\(\).glob\('pages/\*.html'\)"),
    ],
)
def test_the_name_of_a_page_in_place_of_its_html_says_what_to_write(call, name: str, message: str):
    with pytest.raises(ValueError, match=message) as error:
        call(name)
    assert isinstance(error.value, peneira.PeneiraError)


def test_a_file_of_any_name_is_noticed(tmp_path: Path):
    (tmp_path / "page").write_text(SHOP)
    with pytest.raises(ValueError, match="is the name of a file"):
        peneira.extract(str(tmp_path / "page"))


@pytest.mark.parametrize(
    "text", ["", "  ", "Ana, 31", "see https://example.com for more", "a\nb.html", "See index.html"]
)
def test_plain_text_is_a_page(text: str):
    assert peneira.extract(text).main is None


def test_an_unknown_method_says_which_there_are():
    with pytest.raises(ValueError, match="no method 'magic'; there are: auto, mdr, "):
        peneira.extract(SHOP, method="magic")


@pytest.mark.parametrize("pages", [SHOP, SHOP.encode(), Path("shop.html"), Page.from_html(SHOP)])
def test_one_page_in_place_of_a_list_of_pages_says_what_to_write(pages):
    with pytest.raises(ValueError, match=r"learn takes a list of pages of one site: write learn\(\[page1, page2\]\)"):
        peneira.learn(pages)


def test_a_record_lists_its_columns_and_has_defaults(region: Region):
    assert list(region[0]) == [column.name for column in region.all_columns if column.name in region[0]]
    assert region[0].get("colour", Cell("none", xpath="")) == Cell("none", xpath="")


LAMPS = [
    "<ul>" + "".join(f"<li><b class=t>Lamp {k * j}</b> <i class=p>$ {k}.5{j}</i>" for k in range(1, 9)) + "</ul>"
    for j in (1, 2, 3)
]


def test_wrappers_healings_blocks_and_contents_are_short_to_look_at_and_hash():
    wrapper = peneira.learn(LAMPS)
    healing = wrapper.heal(LAMPS)
    values = (wrapper, healing, peneira.learn(LAMPS, method="gstm"), peneira.segment(LAMPS[0]))
    assert all(len(repr(value)) <= 240 and hash(value) == hash(value) for value in values)
    assert repr(wrapper) == "<Wrapper of list pages, 2 columns: title, price>"
    assert all(len(repr(content)) <= 100 for content in peneira.content(LAMPS[0], min_probability=0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: peneira.extract(SHOP, method=None), "no method None; there are: auto"),  # type: ignore[arg-type]
        (lambda: peneira.learn(LAMPS, kind="x"), "kind='x' is not a kind of page; write one of list, detail"),
        (lambda: peneira.learn(LAMPS).extract(SHOP, otherwise="x"), "otherwise='x' is unknown"),
        (lambda: peneira.clean(SHOP, faithful="x"), "faithful='x' is not a variant"),
        (lambda: peneira.content(SHOP, min_probability=5), "min_probability=5 is not a probability from 0 to 1"),
        (lambda: peneira.content(SHOP, site_pages=SHOP), "site_pages takes a list of pages"),
    ],
)
def test_an_argument_that_cannot_be_used_says_what_to_write(call, message: str):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_page_of_another_template_has_a_verdict_of_its_own():
    assert peneira.learn(LAMPS).extract("<h1>Contact</h1><p>Write to us").verdict == "other-template"


DEEP_LIST = "<div>" * 600 + "<ul>" + "".join(f"<li><a href=/{k}>Film {k}</a> {1990 + k}</li>" for k in range(8))


def test_records_and_cells_keep_no_text_of_an_xpath():
    region = peneira.extract(DEEP_LIST).main
    assert region is not None
    assert region[0].xpath.startswith("/html[1]/body[1]/div[1]/div[1]")
    for result in (replace(region[0], text="x"), region[0], pickle.loads(pickle.dumps(region[0]))):
        assert result.xpath == region[0].xpath
        assert own_xpath(result) == ("" if result.node else region[0].xpath)


def test_an_xpath_that_is_given_is_kept_beside_a_node():
    region = peneira.extract(DEEP_LIST).main
    assert region is not None
    assert replace(region[0], xpath="/other").xpath == "/other"


def test_a_result_with_its_page_equals_and_hashes_as_one_that_was_pickled():
    region = peneira.extract(DEEP_LIST).main
    copy = pickle.loads(pickle.dumps(region))
    assert copy == region
    assert hash(copy) == hash(region)
    assert [[cell.xpath for cell in record.fields.values()] for record in copy] == [
        [cell.xpath for cell in record.fields.values()] for record in region or ()
    ]


def test_regions_beside_the_first_are_made_once_and_when_they_are_asked_for():
    first, second = Region("/a", (), 0.9), Region("/b", (), 0.5)
    made: list[str] = []

    def make_others() -> list[Region]:
        made.append("others")
        return [second]

    regions = DeferredRegions(first, [0.9, 0.5], make_others)
    assert (len(regions), regions[0], confidence_of(regions, 1), made) == (2, first, 0.5, [])
    assert [*regions, regions[-1]] == [first, second, second]
    assert made == ["others"]
    assert regions == [first, second]


def test_regions_that_could_not_be_made_are_made_when_they_are_asked_for_again():
    first, second = Region("/a", (), 0.9), Region("/b", (), 0.5)
    results = iter([None, [second]])

    def make_others() -> list[Region]:
        made = next(results)
        if made is None:
            raise KeyboardInterrupt
        return made

    regions = DeferredRegions(first, [0.9, 0.5], make_others)
    with pytest.raises(KeyboardInterrupt):
        regions[1]
    assert list(regions) == [first, second]


def test_a_region_that_was_counted_is_made_whatever_budget_runs():
    first, second = Region("/a", (), 0.9), Region("/b", (), 0.5)

    def make_others() -> list[Region]:
        check_budget()
        return [second]

    with Budget(Limits(seconds=1e-9)).running():
        with pytest.raises(LimitExceeded):
            check_budget()
        assert list(DeferredRegions(first, [0.9, 0.5], make_others)) == [first, second]


def test_regions_that_are_read_while_others_read_them_are_all_there():
    first, second = Region("/a", (), 0.9), Region("/b", (), 0.5)
    seen: list[list[Region]] = []

    def make_others() -> list[Region]:
        if not seen:
            seen.append([])
            seen.append(list(regions))  # as another thread would
        return [second]

    regions = DeferredRegions(first, [0.9, 0.5], make_others)
    assert list(regions) == [first, second]
    assert seen == [[], [first, second]]


def test_findings_are_pickled_with_all_their_regions():
    first, second = Region("/a", (), 0.9), Region("/b", (), 0.5)
    findings = Findings(DeferredRegions(first, [0.9, 0.5], lambda: [second]))
    assert pickle.loads(pickle.dumps(findings)) == Findings([first, second])
