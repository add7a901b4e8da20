"""The compiled tables of texts, their blocks and lines are those of plain Python, to the last bit."""

from __future__ import annotations

import pickle
from contextlib import nullcontext

import numpy as np
import pytest

from peneira.kernels import compiled
from peneira.ml.running_sums import RunningSums
from peneira.page import Page, Rows
from peneira.sources.html import read_page
from peneira.texts.block_features import block_features
from peneira.texts.block_model import decide
from peneira.texts.main_text import main_text
from peneira.texts.markup_words import BlockWords, WordShares
from peneira.texts.page_texts import PageTexts
from peneira.texts.region_candidates import region_candidates
from peneira.texts.region_filter import ScoredRegions, scored_regions
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_features import FEATURE_GROUPS, TEXT_FEATURES, text_features, text_features_plain
from peneira.texts.text_vocabulary import TextVocabulary
from twins import without_kernels

pytestmark = pytest.mark.skipif(compiled("text_tables") is None, reason="the kernel is not compiled")

CARD = "<li class=card><a href=/x{0}><b class=name>Boot {0}</b></a><p class=price>${0}0.99</p><p>Left ({0})</p></li>"
SHOP = f"""<title>Boots</title><body class=shop><nav><a href=/>Home</a><a href=/b>Boots:</a></nav><h1>Boots</h1>
<p>Warm boots for <b>cold</b> days, made by hand in a small town, and worn for many winters by all who<br>bought them.
<ul>{"".join(CARD.format(k) for k in range(1, 9))}</ul><footer hidden>Updated 2024-05-01</footer>"""
PROSE = """<h2>Before</h2><article id=post><h1>R2D2 and 3PO</h1><blockquote><p>so it is</blockquote>
<ol start=3><li>one<li>two<ul><li>a</ul></ol><pre>if <b>a</b><b>:</b>
  b()</pre><table><tr><th>Name<th>Age<tr><td>Ana<td>31<tr><td>Bia<td>27</table></article>
<span>a</span><span>b</span> <select><option>one<option>two</select><svg><text>drawn</text></svg><div><i>x</i></div>"""
PAGES = {
    "shop": SHOP,
    "prose": PROSE,
    "no body": "<frameset><frame></frameset>",
    "at the root": "<svg>a</svg>text<p>$5",
    "one word": "<p>hello",
    "layout": "<table><tr><td>a<p>b<p>c<p>d<p>e<p>f<td>g<tr><td>h<table><tr><td>i<td>j<tr><td>k<td>l</table></table>",
    "nothing": "<p>",
    "blank": "<p>\u200b</p><p>&nbsp;</p>\u00e9t\u00e9 <p>12:30",
}


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> Page:
    return read_page(PAGES[request.param])


@pytest.mark.parametrize("texts_of", [PageTexts, TextBlocks])
def test_features_of_texts_are_those_of_numpy(page: Page, texts_of: type[PageTexts]):
    found = text_features(texts_of(page))
    with without_kernels():
        texts = texts_of(page)
        plain = text_features_plain(texts) if len(texts) else {}
    assert list(found) == list(plain)
    assert {name: list(map(float, column)) for name, column in plain.items()} == {
        name: column.tolist() for name, column in found.items()
    }


def test_names_of_features_are_those_of_their_groups():
    texts = PageTexts(read_page(SHOP))
    assert [name for group in FEATURE_GROUPS for name in group(texts)] == list(TEXT_FEATURES)


def test_candidates_for_the_main_list_are_those_of_numpy(page: Page):
    found = region_candidates(page)
    with without_kernels():
        plain = region_candidates(page)
    assert len(found) or page.tag_names != read_page(SHOP).tag_names
    for name in ("start", "end", "ancestor", "count", "features"):
        assert getattr(found, name).tolist() == getattr(plain, name).tolist(), name


@pytest.mark.parametrize(
    ("text", "has_count", "has_price", "has_date"),
    [
        ("Boots (132)", True, False, False),
        ("Boots [1,320 ]", True, False, False),
        ("Boots (.5)", False, False, False),
        ("(a 5)", False, False, False),
        ("$5", False, True, False),
        ("€ 12,50", False, True, False),
        ("12,50 kr", False, True, False),
        ("12 krona", False, False, False),
        ("12.USD", False, False, False),
        ("5 zł", False, True, False),
        ("in 2024", False, False, True),
        ("v2024", False, False, False),
        ("20245", False, False, False),
        ("at 9:30pm", False, False, False),
        ("at 09:30 h", False, False, True),
        ("on 1/2/24th", False, False, True),
        ("1-2", False, False, False),
        ("١٢:٣٠", False, False, True),
    ],
)
def test_numbers_are_counts_prices_and_dates(text: str, has_count: bool, has_price: bool, has_date: bool):
    page = read_page(f"<p>{text}</p><p>other")
    none = ScoredRegions(*([page.tag[:0]] * 4))
    expected = [has_count, has_price, has_date]
    for around in (nullcontext, without_kernels):
        with around():
            found = block_features(TextBlocks(page), none)
            assert [bool(found[name][0]) for name in ("has_count", "has_price", "has_date")] == expected


def test_words_around_blocks_can_be_kept_without_the_page():
    words = BlockWords(TextBlocks(read_page(SHOP)))
    kept = pickle.loads(pickle.dumps(words.without_page()))
    shares = WordShares({"card": 0.7, "price": 0.2}, TextVocabulary.of({"boot": 0.5}))
    assert kept.around(shares).tolist() == words.around(shares).tolist()
    with without_kernels():
        assert BlockWords(TextBlocks(read_page(SHOP))).around(shares).tolist() == words.around(shares).tolist()


def test_blocks_are_those_of_plain_python(page: Page):
    blocks = TextBlocks(page)
    with without_kernels():
        plain = TextBlocks(page)
    for name in ("rows", "ends", "text_rows", "block_of", "blocks", "styled_paths"):
        assert getattr(blocks, name).tolist() == getattr(plain, name).tolist(), name
    assert blocks.strings == plain.strings


def test_the_decision_and_the_text_are_those_of_plain_python(page: Page):
    found, written = decide(page), [main_text(page, markdown=markdown) for markdown in (False, True)]
    features = block_features(found.blocks, found.regions)
    with without_kernels():
        again = decide(page)
        assert [main_text(page, markdown=markdown) for markdown in (False, True)] == written
        plain = block_features(TextBlocks(page), scored_regions(page, RunningSums(page)))
    assert again.probability.tolist() == found.probability.tolist()
    assert again.types == found.types
    assert {name: list(map(float, column)) for name, column in plain.items()} == {
        name: np.asarray(column).tolist() for name, column in features.items()
    }


@pytest.mark.parametrize(("tags", "parents", "blocks"), [([1, 0, 1], [-1, 0, 0], 1), ([0], [-1], 0), ([], [], 0)])
def test_pages_whose_root_is_inline_or_a_text_or_missing_are_read(tags: list[int], parents: list[int], blocks: int):
    texts = ["" if tag else "words" for tag in tags]
    for around in (nullcontext, without_kernels):
        with around():
            rows = Rows(["#text", "span"], tags, parents, texts, [{} for _ in tags], [False for _ in tags])
            assert len(decide(Page(rows)).probability) == blocks
