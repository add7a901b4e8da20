import importlib.util
from types import ModuleType

import pytest
from conftest import corpora_root
from hypothesis import given
from hypothesis import strategies as st

import peneira
from peneira.sources.encoding import decode
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import Corpora, GoldPage
from peneira_research.scores.record_score import Score, match, score
from peneira_research.squeezed_text import page_text, squeeze

# Every so many pages of the real corpora are compared with the tool
EVERY = 12


def load_tool() -> ModuleType | None:
    root = corpora_root()
    path = root.parent / "tools" / "recordscore.py" if root else None
    if path is None or not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("recordscore", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
needs_tool = pytest.mark.skipif(TOOL is None, reason="needs the corpora and their record score")


def sample() -> list[GoldPage]:
    root = corpora_root()
    if TOOL is None or root is None:
        return []
    corpora = Corpora(root)
    return [page for name in corpora.names for page in corpora.pages([name])[::EVERY]]


def text_of(html: str) -> str:
    return page_text(read_page(html))


def test_squeezing_drops_space_width_and_case() -> None:
    assert squeeze(" A\u00a0B\u200b c\u00adD\n") == "abcd"


def test_page_text_has_hidden_but_no_silent_text() -> None:
    silent = "<script>s</script><noscript>n</noscript><style>y</style><template>e</template>"
    assert text_of(f"<title>t</title>A <p hidden>B</p>{silent}C") == "abc"


def test_a_page_of_frames_or_of_nothing_has_no_text() -> None:
    assert text_of("<frameset><frame><noframes>hi</noframes></frameset>") == ""
    assert text_of("") == ""


def test_every_record_with_its_anchor_is_right() -> None:
    assert score(["Ana, 31", "Bia, 27"], ["ANA", "b ia"]) == Score(1.0, 1.0, 1.0, 1.0)


def test_a_missed_anchor_costs_recall_and_a_stray_record_precision() -> None:
    assert score(["Ana", "menu"], ["Ana", "Bia"]) == Score(0.5, 0.5, 0.5, 1.0)


def test_two_records_in_one_piece_are_wrong() -> None:
    assert score(["Ana Bia", "Cid"], ["Ana", "Bia", "Cid"]).recall == pytest.approx(1 / 3)


def test_a_record_that_mentions_another_is_right() -> None:
    assert score(["Ana, sister of Bia", "Bia"], ["Ana", "Bia"]) == Score(1.0, 1.0, 1.0, 1.0)


def test_a_record_found_twice_counts_once() -> None:
    assert score(["Ana", "Ana"], ["Ana"]) == Score(0.5, 1.0, pytest.approx(2 / 3), 1.0)


def test_pairing_moves_a_record_to_its_second_anchor() -> None:
    matching = match(["Ana Bia", "Ana"], ["Ana", "Bia"])
    assert (matching.paired, matching.right) == ({0: 1, 1: 0}, (0, 1))


def test_a_piece_of_dozens_of_anchors_takes_none() -> None:
    anchors = [f"n{i:02}" for i in range(61)]
    assert match([" ".join(anchors)], anchors).paired == {}


def test_equal_anchors_in_one_record_are_no_second_record() -> None:
    assert match(["Ana and Ana"], ["Ana", "Ana"]).right == (0,)


def test_bare_titles_are_scaled_down() -> None:
    # 10 characters from name to name; a name has 3, so the scale is 3 / (10 / 2)
    page = squeeze("AnaxxxxxxxBiaxxxxxxxCidxxxxxxx")
    assert score(["Ana", "Bia", "Cid"], ["Ana", "Bia", "Cid"], page) == Score(1.0, 1.0, 0.6, 0.6)


def test_overlapping_records_are_scaled_down() -> None:
    # 17 characters of records, where 1.02 times the 10 of the page are allowed
    points = score(["Anaxxxxxxx", "xxxxBia"], ["Ana", "Bia"], "anaxxxxbia")
    assert points == Score(1.0, 1.0, pytest.approx(0.6), pytest.approx(0.6))


def test_no_anchors_ask_for_no_records() -> None:
    assert score([], []) == Score(1.0, 1.0, 1.0, 1.0)
    assert score(["Ana"], []) == Score(0.0, 1.0, 0.0, 1.0)


def test_no_records_score_zero() -> None:
    assert score([], ["Ana"], "ana") == Score(0.0, 0.0, 0.0, 1.0)


# Few letters, so that anchors meet in records; Σ and İ because lower case depends on what stands around them
words = st.text(alphabet="ab AΣİ\u200b", max_size=4)


@needs_tool
@given(st.lists(words, max_size=8), st.lists(words, max_size=8), st.text(alphabet="ab Σİ", max_size=40))
def test_the_score_is_that_of_the_tool(records: list[str], anchors: list[str], body: str) -> None:
    assert TOOL is not None
    html = f"<body>{body}"
    assert _values(score(records, anchors, text_of(html))) == TOOL.score(records, anchors, html)
    assert _values(score(records, anchors)) == TOOL.score(records, anchors)


@needs_tool
@given(st.lists(st.lists(st.integers(0, 90), max_size=70), max_size=12), st.integers(0, 90))
def test_the_pairing_is_that_of_the_tool(held: list[list[int]], size: int) -> None:
    assert TOOL is not None
    anchors = [f"<{i}>" for i in range(size)]
    records = [" ".join(f"<{i}>" for i in row) for row in held]
    assert list(match(records, anchors).right) == TOOL.right_records(records, anchors)


@pytest.mark.parametrize("gold", sample(), ids=lambda page: page.id)
def test_text_and_score_of_real_pages_are_those_of_the_tool(gold: GoldPage) -> None:
    assert TOOL is not None
    html, _, _ = decode(gold.body())
    page = read_page(gold.body())
    assert page_text(page) == TOOL.page_text(html)
    for region in peneira.extract(page).regions[:3]:
        records = [record.text for record in region.records]
        anchors = gold.anchors or ()
        assert _values(score(records, anchors, page_text(page))) == TOOL.score(records, anchors, html)


def _values(points: Score) -> tuple[float, float, float, float]:
    return points.precision, points.recall, points.f1, points.scale
