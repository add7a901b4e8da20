"""What the kernels for lists compute is what numpy and plain Python compute, to the last bit and in the same order."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generated import soup, trees
from peneira.kernels import compiled
from peneira.limits import Cut, Limits
from peneira.lists import features as features_module
from peneira.lists import members as members_module
from peneira.lists.auto import find_lists
from peneira.lists.candidates import Candidates, find_candidates
from peneira.lists.cell_kinds import CellReader
from peneira.lists.features import CandidateFeatures
from peneira.lists.features import kernel as list_features_kernel
from peneira.lists.line_blocks import _Search
from peneira.lists.members import member_features
from peneira.lists.page_features import PageFeatures
from peneira.lists.page_type_features import page_type_features
from peneira.lists.page_words import CLASS_WORDS, _word_finder, literal_words
from peneira.lists.ranking import _lead, best_list_first
from peneira.lists.relations import RELATION_FEATURES, relation_features, relations, write_relations
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.sources import encoding, parser_limits
from peneira.sources.html import read_page
from twins import USERS_OF_KERNELS, without_kernels

KERNELS = (
    "lexbor_nodes node_columns page_facts page_parts list_features candidate_table list_candidates list_members "
    "line_search markup_scan markup_survey forest_walk forest_masks word_scan"
)
pytestmark = pytest.mark.skipif(
    any(compiled(name) is None for name in KERNELS.split()), reason="the kernels are not compiled"
)

# Several records of one form after each other, which soup alone rarely has
lists_of_soup = st.tuples(st.lists(soup, min_size=1, max_size=3), st.integers(2, 9)).map(
    lambda parts: "".join(
        f"<div class='item r{k % 2}'>{parts[0][k % len(parts[0])]} {k}</div>" for k in range(parts[1])
    )
)
pages = st.one_of(soup, trees(), lists_of_soup)
PRICED = "<ul class=results>" + "".join(
    f"<li id=item-{k}><img src={k}.png><a href=/p/{k}>Thing {k}</a> <b>${k}.99</b> 12/0{k}/2024 <br><br>Text.</li>"
    for k in range(1, 7)
) + "</ul><div class='pagination'><a rel=next href=?page=2>2</a></div><p>1-6 of 80 results</p>"  # fmt: skip


def list_features(page: Page) -> dict[str, list[float]]:
    """Return the features of all candidates, and of the members of the first five."""
    sums = RunningSums(page)
    found = find_candidates(page, sums)
    if not len(found):
        return {}
    page_features = PageFeatures(page, sums)
    features = CandidateFeatures(page_features, found).features()
    first = CandidateFeatures(page_features, found.take(np.arange(min(len(found), 5))))
    columns = {**features, **{f"member {name}": column for name, column in member_table(first).items()}}
    return {name: np.asarray(column, dtype=np.float64).tolist() for name, column in columns.items()}


def member_table(lists: CandidateFeatures) -> dict[str, np.ndarray]:
    """Return the features of members, in the order of the compiled table."""
    if members_module.kernel is not None:
        return dict(zip(members_module.COMPILED_NAMES, members_module._compiled_features(lists).T, strict=True))
    features = member_features(lists)
    return {name: features[name] for name in members_module.COMPILED_NAMES}


def candidates(page: Page) -> list[list[int]]:
    found = find_candidates(page, RunningSums(page))
    columns = (found.starts, found.ends, found.counts, found.kind, found.support)
    return [column.tolist() for column in columns]


def counts(page: Page) -> dict[str, list[int]]:
    """Return what is counted of a page by name."""
    sums = RunningSums(page)
    found = PageFeatures(page, sums)
    columns = {name: getattr(sums, name) for name in RunningSums.__annotations__}
    columns |= {f"counted {name}": column for name, column in found.counted.items()}
    columns |= {name: getattr(found, name) for name in ("text_code", "number_at", "after_break", "vectors")}
    columns |= {f"word {name}": column for name, column in found.words.class_words.items()} | found.repeated_siblings
    columns["pagers"] = found.words.pagers
    return {name: np.asarray(column, dtype=np.float64).tolist() for name, column in columns.items()}


def lines(page: Page) -> list[list[int]]:
    search = _Search(CellReader(page))
    names = ("lines", "tops", "parents", "count", "has_text", "is_element", "tag")
    unlike = search.have_unlike_lines().tolist() if len(search.lines) else []
    return [unlike, *(np.asarray(getattr(search, name)).astype(int).tolist() for name in names)]


def all_of(source: str | Path) -> list[object]:
    page = read_page(source)
    if not len(page):
        return []
    found = find_lists(page)
    xpaths = [(region.xpath, [record.xpath for record in region.records]) for region in found.regions]
    of_page = page_type_features(PageFeatures(page, RunningSums(page)))
    return [counts(page), candidates(page), list_features(page), lines(page), found, xpaths, of_page]


def assert_equal_without_kernels(source: str | Path) -> None:
    with_kernels = all_of(source)
    with without_kernels():
        assert all_of(source) == with_kernels


@settings(max_examples=60)
@given(pages)
def test_kernels_and_numpy_agree_on_generated_pages(markup: str):
    assert_equal_without_kernels(markup)


def test_kernels_and_numpy_agree_on_a_list_with_prices_dates_and_pages():
    assert_equal_without_kernels(PRICED)


def test_kernels_and_numpy_agree_on_the_sample(sample: Path):
    assert_equal_without_kernels(sample)


def test_kernels_and_numpy_agree_on_the_corpora(corpus_files):
    for file in corpus_files[::40]:
        assert_equal_without_kernels(file)


def test_the_names_of_compiled_features_come_in_the_order_of_the_plain_ones():
    page = read_page(PRICED)
    names = list(list_features(page))
    with without_kernels():
        assert list(list_features(page)) == names
    assert tuple(names[: len(features_module.COMPILED_NAMES)]) == features_module.COMPILED_NAMES


def test_everything_is_as_it_was_after_a_block_without_kernels():
    with without_kernels():
        pass
    assert all(compiled(name) is not None for name in KERNELS.split())
    assert features_module.kernel is not None and USERS_OF_KERNELS


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 4)), min_size=2, max_size=12))
def test_relations_of_lists_are_those_of_numpy(spans: list[tuple[int, int]]):
    starts = np.array([start for start, _ in spans], dtype=np.int64)
    ends = starts + [length for _, length in spans]
    sizes = np.array([len(spans) // 2, len(spans) - len(spans) // 2], dtype=np.int64)
    found = Candidates(starts, ends, sizes, sizes * 0, sizes * 0 + 1)
    related = {name: matrix.tolist() for name, matrix in relations(30, found).items()}
    with without_kernels():
        assert {name: matrix.tolist() for name, matrix in relations(30, found).items()} == related


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 4)), min_size=2, max_size=12),
    st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=2, max_size=2),
)
def test_features_of_relations_are_those_of_numpy(spans: list[tuple[int, int]], scores: list[float]):
    starts = np.array([start for start, _ in spans], dtype=np.int64)
    ends = starts + [length for _, length in spans]
    sizes = np.array([len(spans) // 2, len(spans) - len(spans) // 2], dtype=np.int64)
    found = Candidates(starts, ends, sizes, sizes * 0, sizes * 0 + 1)
    share, table = np.array([0.2, 0.7]), np.empty((2, len(RELATION_FEATURES)))
    disjoint = write_relations(30, found, np.array(scores), share, table)
    related = relations(30, found)
    assert disjoint.tolist() == related["disjoint"].tolist()
    assert table.tolist() == relation_features(related, np.array(scores), share, sizes).tolist()


pieces_of_tags = st.lists(
    st.sampled_from([*"<>/=\"' \naB\u212a\u00a0", "<b ", "<FONT", "<!--", "<body ", "<option"]),
    max_size=40,
).map("".join)


@given(pieces_of_tags, st.integers(0, 40))
def test_attributes_end_where_the_pattern_ends(markup: str, start: int):
    kernel = compiled("markup_scan")
    start = min(start, len(markup))
    match = parser_limits._ATTRIBUTES.match(markup, start)
    assert match is not None and kernel.attributes_end(markup, start) == match.end()
    assert kernel.formatting_tags(markup, 99) == set(parser_limits._FORMATTING_START.findall(markup))
    assert kernel.count_repeatable(markup) == len(parser_limits._REPEATABLE_TAG.findall(markup))
    assert kernel.count_tags(markup) == markup.count("<")


nested_tags = st.lists(
    st.sampled_from(
        "< > / <b> </b> <B> </B> <div <div> </div> </div <p> <br> <br/> <BR> <!-- <!--> <!---> --> --!> - ! <script> "
        "<SCRIPT x=1> </script </SCRIPT> <title </title> <textarea> <scr\u0131pt> </scr\u0131pt> <\u017fcript> <style> "
        "<i> </i> <font x=1> </FONT> <stri\u212ae> </strike> <option/ "
        "</\u017ftyle> </ style <a\u00a0b a='>' \" = é".split(" ")
    ),
    max_size=30,
).map("".join)


@given(nested_tags, st.integers(0, 6))
def test_the_bound_of_the_depth_is_that_of_the_pattern(markup: str, limit: int):
    bound = parser_limits._depth_bound(markup, limit)
    with without_kernels():
        assert parser_limits._depth_bound(markup, limit) == bound


@given(pieces_of_tags, st.integers(1, 3))
def test_tags_with_too_many_attributes_are_those_of_the_pattern(markup: str, most: int):
    excess = re.compile(rf"[\s/]*+(?:{parser_limits._ATTRIBUTE}){{{most}}}")
    expected, end = [], 0
    while tag := parser_limits._START_TAG.search(markup, end):
        end = parser_limits._ATTRIBUTES.match(markup, tag.end()).end()  # type: ignore[union-attr]
        if end - tag.end() > 2 * most and (match := excess.match(markup, tag.end())):
            attributes = sum(1 for _ in parser_limits._ONE_ATTRIBUTE.finditer(markup, tag.end(), end))
            expected.append((tag.start(), match.end(), end, attributes))
    found, end = [], 0
    while (place := compiled("markup_scan").next_excess(markup, end, most))[0] >= 0:
        found.append(place)
        end = place[2]
    assert found == expected


@given(st.one_of(pieces_of_tags, nested_tags), st.integers(1, 3), st.integers(0, 9))
def test_the_survey_of_the_bytes_counts_as_the_patterns_do_in_the_text(markup: str, many: int, cost: int):
    kernel, body = compiled("markup_survey"), markup.encode()
    tags, repeatable, options, formatting, is_excessive = kernel.survey(body, many, cost)
    assert repeatable == len(parser_limits._REPEATABLE_TAG.findall(markup))
    letters = (tag[0][1] for tag in parser_limits._OPTION_OR_SELECT.finditer(markup))
    assert options == sum(letter in "oO" for letter in letters)
    assert tags == markup.count("<") and formatting >= kernel.formatting_level(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser_limits, "_MAX_ATTRIBUTES", many)
        patch.setattr(parser_limits, "_MAX_SCRIPT_COST", cost)
        if not is_excessive:
            assert parser_limits._without_excess_attributes(markup, []) == markup


def test_few_attributes_and_many_words_of_scripts_are_no_excess():
    survey = compiled("markup_survey").survey
    words = "if (i <n) " + "a b c d " * 9
    assert not survey(f"<p a b c>i</p><script x>{words}</script>".encode(), 20, 1e4)[-1]
    assert survey(f"<p a b c>i</p><script x>{words}</script>".encode(), 20, 1e2)[-1]
    assert survey(f"<p a b c>i</p><style x>{words}</style>".encode(), 20, 1e4)[-1]
    assert survey(f"<script></script><p {words}>".encode(), 20, 1e4)[-1]


@pytest.mark.parametrize("piece", ["<b", "<b<i", '<i"', "<code=", "<\u212a<b"])
def test_a_page_that_is_one_long_name_is_surveyed_once_and_not_from_every_letter_on(piece: str):
    body = (piece * 500_000).encode()  # which took minutes
    started = time.process_time()
    assert compiled("markup_survey").survey(body, 256, 1e8)[0] == body.count(b"<")
    assert time.process_time() - started < 5


def test_end_tags_of_an_svg_are_not_read_to_the_end_of_the_page_each():
    markup = "<p>" * 2_000 + "<svg>" + "</g " * 100_000  # which took half a minute
    started = time.process_time()
    assert parser_limits.is_harmless(markup.encode(), lambda: markup, Limits())
    assert parser_limits.limit_markup(markup, Limits(), []) == markup
    assert time.process_time() - started < 5


@given(st.one_of(pieces_of_tags, nested_tags))
def test_the_level_of_formatting_is_that_of_the_tags_in_the_text(markup: str):
    with without_kernels():
        levels = [level for _, level in parser_limits._formatting_levels(markup)]
    assert compiled("markup_survey").formatting_level(markup.encode()) == max(levels, default=0)


@given(st.one_of(pieces_of_tags, nested_tags), st.integers(1, 9))
@example("<svg><path/><g/></svg><table><div></table><!-- <div> --></div><script><div></script></div>", 9)
def test_the_level_of_nesting_is_that_of_the_tags_in_the_text(markup: str, limit: int):
    with without_kernels():
        deepest = max((level for _, level in parser_limits._nesting_levels(markup)), default=0)
    level = compiled("markup_survey").nesting_level(markup.encode(), limit, parser_limits._name_kinds())
    assert level == min(deepest, limit + 1) or (level > limit and not markup.isascii())


@given(st.one_of(pieces_of_tags, nested_tags), st.integers(1, 3), st.integers(1, 9))
def test_a_harmless_page_is_left_as_it_is(markup: str, depth: int, nodes: int):
    limits = Limits(depth=depth, nodes=nodes)
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in (("_MAX_ATTRIBUTES", 2), ("_MIN_FORMATTING_LIMIT", 1), ("_MIN_TAGS_TO_CHECK", 3)):
            patch.setattr(parser_limits, name, limit)
        patch.setattr(parser_limits, "_MAX_SCRIPT_COST", 20)
        cuts: list[Cut] = []
        if parser_limits.is_harmless(markup.encode(), lambda: markup, limits):
            assert parser_limits.limit_markup(markup, limits, cuts) is markup and not cuts


@given(st.one_of(st.binary(max_size=20), st.text(max_size=9).map(lambda text: text.encode("utf-8", "surrogatepass"))))
@example(b"\xed\xa0\x80 \xc3")
@example("ab\u00e9\u20ac\U0001f600cdefghijkl".encode())
def test_bytes_are_utf8_where_python_decodes_them(body: bytes):
    is_utf8 = compiled("markup_survey").is_utf8(body)
    with without_kernels():
        assert encoding._is_well_formed(body) == is_utf8


@given(st.binary(min_size=1, max_size=20).filter(lambda body: not body.isascii()))
def test_the_share_of_utf8_is_that_of_the_patterns(body: bytes):
    share = encoding._utf8_share(body)
    with without_kernels():
        assert encoding._utf8_share(body) == share


literals = st.sampled_from([word for pattern in CLASS_WORDS.values() for word, _ in literal_words(pattern)])


@given(
    st.lists(st.tuples(literals, st.integers(1, 12), st.sampled_from(["", "-", " ", "_", "s", "é", "1"])), max_size=5)
)
def test_class_words_are_those_that_the_patterns_find(parts: list[tuple[str, int, str]]):
    name = "".join(word[:length] + end for word, length, end in parts)
    bits = sum(any(map(pattern.search, name.split())) << k for k, pattern in enumerate(CLASS_WORDS.values()))
    assert _word_finder().bits(name) == bits


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(0, 3)), min_size=1, max_size=40))
def test_the_kernel_and_numpy_put_the_same_list_first_and_find_the_same_leads(lists: list[tuple[float, int]]):
    scores = np.array([score for score, _ in lists])
    places = np.array([place for _, place in lists])
    quality, disjoint = scores[::-1].copy(), places[:, None] != places

    def found() -> list[list[float]]:
        return [best_list_first(scores, quality, disjoint).tolist(), _lead(scores, disjoint).tolist()]

    with_kernel = found()
    with without_kernels():
        assert found() == with_kernel


@settings(max_examples=60)
@given(st.lists(st.text("aAbB éÉß\ud800\0", min_size=1), min_size=2, max_size=12))
def test_the_first_texts_of_records_have_the_ranks_of_their_characters_in_any_case(texts: list[str]):
    distinct = list(dict.fromkeys(texts))
    rows = np.arange(len(distinct) + 1, dtype=np.int32)
    ranks = list_features_kernel.text_ranks(rows[:-1], rows[1:], rows, rows[:-1], distinct).tolist()
    order = sorted({text.casefold() for text in distinct})
    assert ranks == [order.index(text.casefold()) for text in distinct]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["1", "2", " 3 ", "4", "02", "٣", "1000", "2 x", "x", ""]), max_size=9))
def test_runs_of_numbered_links_are_as_long_with_the_kernel(texts: list[str]):
    links = "".join(f"<a href=/{k}>{text}</a> " for k, text in enumerate(texts))

    def run() -> float:
        page = read_page(f"<p>{links}</p>")
        return page_type_features(PageFeatures(page, RunningSums(page)))["pager_links"]

    with_kernel = run()
    with without_kernels():
        assert run() == with_kernel


@pytest.mark.parametrize("path", ["/a.pdf", "/A.PDF", "/é.pdf?x", "/b.docs", "/c.docx#1", "/d.xls", "/pdf"])
def test_links_to_documents_are_counted(path: str):
    page = read_page(f"<a href='{path}'>one</a><a href='/other'>two</a><a href='{path}'>three</a>")
    count = page_type_features(PageFeatures(page, RunningSums(page)))["documents"]
    assert count == pytest.approx(np.log1p(2 if path not in ("/b.docs", "/pdf") else 0))
