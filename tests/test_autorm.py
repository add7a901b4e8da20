from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from peneira.methods import autorm, c_records, methods, sibling_clusters
from peneira.methods.autorm import find_regions
from peneira.methods.c_records import SEPARATOR, Nodes, Siblings, cg_regions, head_order_based, separator_based
from peneira.methods.sibling_clusters import MAX_SINGLE_PAIRS, Signatures, agglomerate, overlaps
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from work_counter import lines_executed


def mined(html: str) -> list[list[str]]:
    """Return the texts of the records of each region."""
    return [[record.text for record in region.records] for region in find_regions(read_page(html))]


def below(html: str) -> tuple[Page, Nodes, list[int]]:
    """Return the page, its nodes, and the children of its first div."""
    page = read_page(html)
    nodes = Nodes(page)
    div = next(i for i in range(len(page)) if page.name(i) == "div")
    return page, nodes, nodes.children(div)


def item(k: int) -> str:
    return f"<h3>Item number {k}</h3><img src=x><p>Some words on the thing, {'more ' * (k % 3)}and <b>{k} euros</b></p>"


# --- the paper's examples -----------------------------------------------------------------------------------------

# Figure 5: the children 3 to 17 are the CG-region, the records begin at children 6 and 14
FIGURE_5 = (
    "<div><h1>Books</h1><br>Two were found<br><br>"
    "Title: <a>The first one</a><br><span>Used, like new</span><br><font>Price: 12.00</font><br><br>"
    "Title: <a>The second one</a><br><font>Price: 9.50</font></div>"
)


def test_figure_4_the_cells_of_a_grid_are_records():
    cells = [f"<td>{item(k)}</td>" for k in range(4)]
    html = f"<table><tr>{cells[0]}{cells[1]}</tr><tr>{cells[2]}{cells[3]}</tr></table>"
    (region,) = find_regions(read_page(html))
    assert [record.xpath for record in region.records] == [
        f"/html[1]/body[1]/table[1]/tbody[1]/tr[{row}]/td[{cell}]" for row in (1, 2) for cell in (1, 2)
    ]
    assert [record.text.split(" Some")[0] for record in region.records] == [f"Item number {k}" for k in range(4)]


def film(place: int, title: str, year: int, stars: list[str], votes: str) -> str:
    cast = ", ".join(f"<a href=/name/{name}>{name}</a>" for name in stars)
    return (
        f"<div class=item><h3><span>{place}.</span> <a href=/title/{place}>{title}</a> <span>({year})</span></h3>"
        f"<p><span>144 min</span> | <span>Adventure, Drama, Sci-Fi</span></p><div><b>8.0</b> <i>Rate this</i></div>"
        f"<p>A few sentences on what happens to the people of {title}, and how they come home in the end.</p>"
        f"<p>Director: <a href=/name/d{place}>A. Director</a> | Stars: {cast}</p>"
        f"<p>Votes: <span>{votes}</span> | Gross: <span>$228.43M</span></p></div>"
    )


# Figure 1: films, each with a list of actors of its own
FIGURE_1 = "<!doctype html><h1>Films</h1><div class=list>{}{}</div>".format(
    film(11, "The Martian", 2015, ["Matt D.", "Jessica C.", "Kristen W.", "Kate M."], "614,227"),
    film(12, "Interstellar", 2014, ["Matthew M.", "Anne H.", "Jessica C.", "Mackenzie F."], "1,165,256"),
)


def test_figure_1_films_are_the_records_and_not_their_actors(browser: Browser):
    for page in (read_page(FIGURE_1), browser.read(FIGURE_1.encode())):
        region = find_regions(page)[0]
        assert [record.text[:16].strip() for record in region.records] == ["11. The Martian", "12. Interstellar"]


def test_on_a_rendered_page_the_region_of_most_pixels_is_first(browser: Browser):
    tall = "".join(f"<div class=t style='font-size:60px'><p>Lamp {k}</p><i>$ {k}</i></div>" for k in range(4))
    terms = "<div class=s style='font-size:6px'><p>Terms of use number {0}</p><i>ok {0}</i></div>"
    small = "".join(terms.format(k) for k in range(4))
    html = f"<!doctype html><section>{small}</section><main>{tall}</main>"
    assert find_regions(read_page(html))[0].records[0].text.startswith("Terms of use")
    assert find_regions(browser.read(html.encode()))[0].records[0].text.startswith("Lamp 0")


def test_figure_5_the_cg_region_of_clusters_whose_ranges_intersect():
    page, nodes, children = below(FIGURE_5)
    labels = Siblings(nodes, children).labels
    ((start, end),) = cg_regions(labels, 0, len(labels))
    assert [f"{page.name(children[k])}{k + 1}" for k in range(start, end)] == (
        "#text3 br4 br5 #text6 a7 br8 span9 br10 font11 br12 br13 #text14 a15 br16 font17".split()
    )


def test_figure_5_the_clusters_of_the_region():
    page, nodes, children = below(FIGURE_5)
    clusters: dict[int, list[str]] = {}
    for k, label in enumerate(Siblings(nodes, children).labels, start=1):
        clusters.setdefault(label, []).append(f"{page.name(children[k - 1])}{k}")
    del clusters[SEPARATOR]
    assert list(clusters.values()) == [
        ["h11"],
        ["#text3", "#text6", "#text14"],
        ["a7", "a15"],
        ["span9"],
        ["font11", "font17"],
    ]


def test_figure_5_is_cut_at_the_separators_between_records():
    assert mined(FIGURE_5) == [
        ["Title: The first one Used, like new Price: 12.00", "Title: The second one Price: 9.50"]
    ]


# --- the forms of C-records ---------------------------------------------------------------------------------------


def test_form_1_records_lie_between_rules():
    records = [f"<b>Name {k}</b><p>What is said of number {k}</p>{'<i>sold out</i>' * (k % 2)}" for k in range(4)]
    assert mined(f"<div>{'<hr>'.join(records)}</div>") == [
        [f"Name {k} What is said of number {k}{' sold out' * (k % 2)}" for k in range(4)]
    ]


def test_form_1_a_separator_may_be_any_node_without_content():
    records = [f"<h3>Name {k}</h3><p>About {k}</p><p>More about {k}</p>" for k in range(3)]
    assert mined(f"<div>{'<div><a name=x></a>&nbsp;</div>'.join(records)}</div>") == [
        [f"Name {k} About {k} More about {k}" for k in range(3)]
    ]


def test_form_2_records_of_several_siblings_with_nothing_between():
    html = "<dl>" + "".join(f"<dt>Term {k}</dt><dd>The meaning of {k}</dd>" for k in range(4)) + "</dl>"
    assert mined(html) == [[f"Term {k} The meaning of {k}" for k in range(4)]]


def test_form_2_a_part_may_be_missing_or_repeated():
    parts = ["<p>One</p>", "<p>One</p><p>Two</p>", "<p>One</p><ul><li>x</ul>", "<p>One</p>"]
    html = "<div>" + "".join(f"<h3>Head {k}</h3>{part}" for k, part in enumerate(parts)) + "</div>"
    assert mined(html) == [["Head 0 One", "Head 1 One Two", "Head 2 One x", "Head 3 One"]]


def test_c_records_of_form_1_and_form_2_from_a_start_node_on():
    _, nodes, children = below("<div><b>1</b><p>x</p><br><br><b>2</b><p>y</p><br><b>3</b></div>")
    siblings = Siblings(nodes, children)
    br = siblings.signatures[2]
    assert head_order_based(siblings, 0, 8) == [(0, 2), (4, 6), (7, 8)]
    assert separator_based(siblings, (br, br), 0, 8) == [(0, 2), (4, 8)]
    assert separator_based(siblings, (br,), 1, 8) == [(1, 2), (4, 6), (7, 8)]


def test_problem_1_a_header_before_the_first_record_is_left_out():
    items = "".join(f"<p>The first line of {k}</p><ul><li>what it costs and how to get it</ul>" for k in range(3))
    html = f"<div><p>Offers</p>{items}</div>"
    assert mined(html) == [[f"The first line of {k} what it costs and how to get it" for k in range(3)]]


def test_problem_2_what_follows_the_last_record_is_left_out():
    items = "".join(f"<h3>Head {k}</h3><p>Text of {k}</p>" for k in range(3))
    html = f"<div>{items}<form><input><b>Again</b></form><p>End</p></div>"
    assert mined(html) == [["Head 0 Text of 0", "Head 1 Text of 1", "Head 2 Text of 2"]]


def test_a_line_of_text_with_bold_words_is_no_list():
    assert mined("<p>Some <b>words</b> in this <b>line</b> are <b>bold</b> and some <b>are</b> not</p>") == []


# --- records inside C-records -------------------------------------------------------------------------------------


def test_the_only_cell_of_the_last_row_of_a_grid_is_a_record():
    rows = ["".join(f"<td>{item(k)}</td>" for k in row) for row in ((0, 1, 2), (3, 4, 5), (6,))]
    html = "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    assert [[text.split(" Some")[0] for text in found] for found in mined(html)] == [
        [f"Item number {k}" for k in range(7)]
    ]


def test_the_lists_of_several_sections_are_one_region():
    sections = [
        f"<div><h2>Part {s}</h2><ul>{''.join(f'<li>{item(k)}</li>' for k in range(s, s + 4))}</ul></div>"
        for s in (0, 4, 8)
    ]
    assert [len(records) for records in mined("<main>" + "".join(sections) + "</main>")] == [12]


def test_elements_that_are_left_open_do_not_make_later_records_different():
    records = "".join(
        f"<p><font>Wanted number {k}: words on a lost friend <a href=/{k}>Answer {k}</a> soon</p><hr>"
        for k in range(20)
    )
    assert [len(texts) for texts in mined(f"<div>{records}</div>")][:1] == [20]


def shelf(name: str, books: int) -> str:
    """Return a heading of two lines and a table of books with an empty row after each."""
    rows = "".join(f"<tr><td>{name}{k} is a book with words</td></tr><tr><td></td></tr>" for k in range(books))
    return f"<ul><li>Found all of them</li><li>Showing all reviews of {name}</li></ul><table>{rows}</table>"


def test_records_below_headings_whose_lines_are_columns_are_found():
    texts = mined(f"<div>{shelf('red', 3)}{shelf('blue', 5)}</div>")
    assert texts[0] == [
        f"{name}{k} is a book with words" for name, books in (("red", 3), ("blue", 5)) for k in range(books)
    ]


def group(name: str, sizes: list[int]) -> str:
    """Return a row of numbered results; each has a title and so many lines."""
    results = "".join(
        f"<table><tr><th>{k}.</th><td><a href=/{name}{k}>{name} title {k}</a></td></tr>"
        f"{''.join(f'<tr><td>{name} line {n} of a long text</td></tr>' for n in range(lines))}</table>"
        for k, lines in enumerate(sizes, start=1)
    )
    return f"<tr><td>{name}</td></tr><tr><td>{results}</td></tr>"


def test_records_of_all_groups_are_cut_at_one_level():
    page = "".join(
        group(name, sizes) for name, sizes in (("a", [1, 2, 1]), ("b", [1, 1, 2]), ("c", [6, 6]), ("d", [2, 1, 1]))
    )
    assert [text[:7] for text in mined(f"<table>{page}</table>")[0]] == [
        f"{k}. {name} ti" for name, count in (("a", 3), ("b", 3), ("c", 2), ("d", 3)) for k in range(1, count + 1)
    ]


def test_a_row_of_a_data_table_is_one_record():
    places = ["Lisbon", "Recife", "Maputo", "Luanda"]
    rows = "".join(
        f"<tr><td>{k + 3}/11/2026</td><td>A description of the matter at some length, {k}</td><td>{place}</td></tr>"
        for k, place in enumerate(places)
    )
    assert mined(f"<table>{rows}</table>") == [
        [f"{k + 3}/11/2026 A description of the matter at some length, {k} {p}" for k, p in enumerate(places)]
    ]


def test_short_lists_inside_records_do_not_replace_them():
    records = "".join(f"<li>{item(k)}<ul><li>a</li><li>b</li></ul></li>" for k in range(4))
    assert [len(found) for found in mined(f"<ul>{records}</ul>")] == [4]


@pytest.mark.parametrize(("chars", "records"), [(10, 12), (9, 4)])
def test_cells_of_at_least_ten_characters_are_the_records_of_a_grid(chars: int, records: int):
    row = "<tr>" + f"<td><b>{'x' * chars}</b></td>" * 3 + "</tr>"
    assert [len(found) for found in mined(f"<table>{row * 4}</table>")] == [records]


def test_lists_outside_records_are_found():
    menu = "<nav><ul>" + "".join(f"<li><a href=/{k}>Menu {k}</a></li>" for k in range(3)) + "</ul></nav>"
    items = "<main><section>" + "".join(f"<article>{item(k)}</article>" for k in range(5)) + "</section></main>"
    assert [len(found) for found in mined(menu + items)] == [5, 3]


# --- the whole method ---------------------------------------------------------------------------------------------


def test_the_method_can_be_called_by_name(sample):
    result = peneira.extract(sample, method="autorm")
    assert result.verdict == "list" and len(result.main.records) == 16
    assert "autorm" in methods()


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<body></body>",
        "text only",
        "<p>one</p>",
        "<script>x</script>",
        "<frameset><frame></frameset>",
        "<h1>A title</h1><p>One paragraph.</p><form><input><button>Go</button></form>",
        "<br><hr><br><hr><br>",
    ],
)
def test_pages_with_no_list(html: str):
    assert mined(html) == []


def test_hidden_records_come_after_visible_ones():
    hidden = "<div style='display:none'><ul>" + "".join(f"<li>{item(k)}</li>" for k in range(9)) + "</ul></div>"
    visible = "<ul>" + "".join(f"<li><b>{k}</b> apples</li>" for k in range(3)) + "</ul>"
    regions = find_regions(read_page(hidden + visible))
    assert [len(region.records) for region in regions] == [3, 9]
    assert regions[1].records[0].text.startswith("Item number 0")


def test_records_are_disjoint_and_in_order(sample):
    page = read_page(sample)
    ranges = sorted(record.ranges for region in find_regions(page) for record in region.records)
    assert all(before[-1][1] <= after[0][0] for before, after in pairwise(ranges))


def test_twenty_thousand_siblings_are_records():
    page = read_page("<ul>" + "<li><a>x</a><b>y</b></li>" * 20_000 + "</ul>")
    assert len(find_regions(page)[0].records) == 20_000


@pytest.mark.parametrize(
    "html",
    [
        "<div>" + "".join(f"<{t}><i>{k}</i></{t}>" for k in range(2_000) for t in ("p", "h2", "ul")) + "</div>",
        "<div>" + "".join(f"<p class=c{k}>{'<b>x</b>' * (k % 50)}{'<i>y</i>' * (k % 41)}</p>" for k in range(500)),
        "<div>" + "".join(f"<p>x{'<br>' * (k % 97)}" for k in range(500)),
        "<div>" + "".join(f"text {k}<{'br' if k % 3 else 'hr'}>" * 2 for k in range(3_000)),
        "<div><p>x</p>" * 2_000,
    ],
    ids=["alternating", "all different", "runs of separators", "texts and breaks", "deep"],
)
def test_work_on_pages_made_to_be_slow_is_linear_in_their_nodes(html: str):
    page = read_page(html)
    assert lines_executed(lambda: find_regions(page)) < 1_500 * len(page)


# --- clusters -----------------------------------------------------------------------------------------------------


def similarity(html: str) -> float:
    _, nodes, (first, second) = below(html)
    return round(nodes.similarity(first, second), 3)


def test_nodes_are_similar_by_tag_paths_kinds_of_content_and_classes():
    assert similarity("<div><p>a</p><p>b</p></div>") == 1.0
    assert similarity("<div><p>a</p><h2>b</h2></div>") == 0.4
    assert similarity("<div><p>a</p><p>12/11/2026</p></div>") == 0.8
    assert similarity("<div><p class='x y'>a</p><p class='x z'>b</p></div>") == 0.867
    assert similarity("<div><p>a<b>b</b></p><p>b</p></div>") == 0.8


def test_separators_are_nodes_without_visible_content():
    page = read_page("<div><hr><a name=x></a><p>&nbsp;</p><input type=hidden><img><input><p>x</p><p><svg/></p></div>")
    signatures = Signatures(page)
    div = next(i for i in range(len(page)) if page.name(i) == "div")
    assert [signatures.has_content(i) for i in page.children(div)] == [False] * 4 + [True] * 4


def slow_clusters(sims: np.ndarray, counts: list[int], min_similarity: float) -> list[list[int]]:
    """Join the two most similar clusters until none are similar enough."""
    clusters = [[k] for k in range(len(counts))]

    def average(left: list[int], right: list[int]) -> float:
        pairs = [(sims[a, b], counts[a] * counts[b]) for a in left for b in right]
        return sum(value * weight for value, weight in pairs) / sum(weight for _, weight in pairs)

    while len(clusters) > 1:
        best, a, b = max((average(clusters[a], clusters[b]), -a, -b) for a in range(len(clusters)) for b in range(a))
        if best < min_similarity:
            break
        clusters[-b] += clusters.pop(-a)
    return sorted(sorted(cluster) for cluster in clusters)


@given(st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_the_nearest_neighbour_chain_finds_the_clusters_of_the_plain_algorithm(size: int, seed: int):
    random = np.random.default_rng(seed)
    sims = random.random((size, size))
    sims = np.maximum(sims, sims.T).astype(np.float32)
    np.fill_diagonal(sims, 1)
    counts = random.integers(1, 4, size).tolist()
    assert agglomerate(sims, counts)[0] == slow_clusters(sims.astype(np.float64), counts, 0.7)


@given(st.lists(st.frozensets(st.integers(0, 9)), min_size=MAX_SINGLE_PAIRS + 1, max_size=MAX_SINGLE_PAIRS + 9))
def test_matrices_give_the_same_overlaps_as_pairs_of_sets(sets: list[frozenset[int]]):
    many = overlaps(sets[:1], sets)
    assert np.allclose(many, np.concatenate([overlaps(sets[:1], [elements]) for elements in sets], axis=1))
    assert many[0, 0] == 1


def test_the_clock_is_read_for_each_element_and_each_way_to_cut_it(monkeypatch: pytest.MonkeyPatch):
    read: Counter[str] = Counter()
    for module in (autorm, c_records, sibling_clusters):
        monkeypatch.setattr(module, "check_budget", partial(read.update, [module.__name__.rpartition(".")[2]]))
    monkeypatch.setattr(sibling_clusters, "MAX_SIGNATURES", 2)
    items = "".join(f"<li class=c{k}>{k}</li>" for k in range(20))
    page = Page.from_html(f"<ul>{items}</ul>")
    find_regions(page)
    assert read["autorm"] >= 21
    assert read["c_records"] >= 1
    assert read["sibling_clusters"] >= 10
