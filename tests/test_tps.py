"""The tag path sequence and its search: the publications' examples, and agreement with the printed listing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.sources.html import read_page
from peneira.texts.tps import VARIANTS, Margin, filtered_rows, search_region, search_steps, splits, tag_path_sequence

# Figure 2: a body with a table of two rows of two cells (empty: the documents show no symbols for text)
FIGURE_2 = "<table><tr><td></td><td></td></tr><tr><td></td><td></td></tr></table>"
# Listing 3.1: header, menu, main region, publicity, footer
LISTING_31 = (
    "<body><br>"
    + "".join(f"<div>{f'<span class=region{k}></span>' * n}</div>" for k, n in ((1, 5), (2, 12), (3, 4)))
    + "<br></body>"
)


def sequence_without_tbody(html: str) -> list[int]:
    """Return the sequence with the parser's own tbody, which the documents do not have, taken out."""
    page = read_page(f"<body>{html}")
    sequence = tag_path_sequence(page)
    kept = [symbol for symbol, row in zip(sequence.symbols, sequence.rows, strict=True) if page.name(row) != "tbody"]
    renamed = {symbol: k for k, symbol in enumerate(dict.fromkeys(kept), start=1)}
    return [renamed[symbol] for symbol in kept]


def test_figure_2_definition_3_the_sequence():
    assert sequence_without_tbody(FIGURE_2) == [1, 2, 3, 4, 4, 3, 4, 4]


def test_definitions_4_to_6_alphabet_frequencies_thresholds():
    sequence = tag_path_sequence(read_page("<body><p></p><p></p><b></b>"))
    assert sequence.symbols.tolist() == [1, 2, 2, 3]
    assert sequence.alphabet == {1, 2, 3}
    assert sequence.frequencies == {1: 1, 2: 2, 3: 1}
    assert sequence.thresholds == [1, 2]


def test_definition_7_a_region_is_a_part_whose_alphabet_meets_no_other():
    symbols = np.array([1, 2, 3, 4, 4, 3, 4, 4], dtype=np.int32)
    assert [(threshold, positions.tolist()) for threshold, positions in splits(symbols)] == [(1, [1, 2])]


def test_style_distinguishes_paths_and_silent_nodes_do_not_count():
    sequence = tag_path_sequence(read_page("<body><p class=a></p><script>x</script><p class=b></p>text"))
    assert sequence.symbols.tolist() == [1, 2, 3, 4]


def test_the_main_region_of_listing_31_is_its_second():
    page = read_page(LISTING_31)
    for variant in VARIANTS:
        start, end = search_region(tag_path_sequence(page).symbols, variant=variant)
        rows = tag_path_sequence(page).rows[start:end]
        classes = Counter(page.attrs[row].get("class") for row in rows.tolist())
        assert classes["region2"] == 12


def test_a_larger_left_part_is_accepted_too():
    """The erratum: (n - 2i)/n > 0.20 would only ever accept a larger right part."""
    symbols = np.array([1] * 9 + [2] * 3, dtype=np.int32)
    assert search_region(symbols) == (0, 9)


def test_a_split_that_is_too_balanced_is_not_accepted():
    symbols = np.array([1] * 5 + [2] * 5, dtype=np.int32)
    assert search_region(symbols) == (0, 10)
    assert search_region(symbols, margin=Margin(-0.1)) != (0, 10)


def test_the_variants_differ_where_the_first_split_is_too_balanced():
    symbols = np.array([1] * 5 + [2] * 3 + [3] * 2, dtype=np.int32)
    assert search_region(symbols, variant="first-split") == (0, 10)
    assert search_region(symbols, variant="scan-on") == (0, 5)


def test_pruning_keeps_the_region_and_its_ancestors():
    page = read_page(LISTING_31)
    keep = filtered_rows(page, "scan-on")
    left = Counter((page.name(i), page.attrs[i].get("class", "")) for i in np.flatnonzero(keep).tolist())
    assert left[("span", "region2")] == 12
    assert left[("span", "region1")] == left[("span", "region3")] == 0
    assert left[("body", "")] == left[("html", "")] == 1


def test_algorithm_6_keeps_the_complement_where_the_region_is_not_content():
    page = read_page(LISTING_31)
    keep = filtered_rows(page, "scan-on", is_content=lambda page, rows: False)
    left = Counter(page.attrs[i].get("class", "") for i in np.flatnonzero(keep).tolist())
    assert (left["region1"], left["region2"], left["region3"]) == (5, 0, 4)


@pytest.mark.parametrize("symbols", [[], [1], [1, 1, 1], [1, 2, 3, 4, 5]])
def test_degenerate_sequences(symbols: list[int]):
    start, end = search_region(np.array(symbols, dtype=np.int32))
    assert 0 <= start <= end <= len(symbols)


def test_a_hundred_thousand_siblings_are_searched_quickly():
    page = read_page("<ul>" + "<li>x" * 100_000 + "</ul><p>y</p>")
    keep = filtered_rows(page, "scan-on")
    assert keep.sum() >= 200_000


def test_fifty_thousand_siblings_that_all_differ_are_searched_quickly():
    for variant in ("scan-on", "first-split"):
        assert search_region(np.arange(1, 50_001, dtype=np.int32), variant=variant) == (49_998, 50_000)


@pytest.mark.parametrize("variant", ["program", "program-first"])
def test_ten_thousand_pairs_between_two_equal_symbols_are_searched_quickly(variant: str):
    symbols = np.concatenate(([20_001], np.repeat(np.arange(1, 10_001), 2), [20_002])).astype(np.int32)
    start, end = search_region(symbols, variant=variant)
    assert end - start < 10


def test_the_program_ignores_the_rarest_symbols_at_once():
    symbols = np.array([1, 2, 2, 2, 3, 3, 3, 3, 3, 1], dtype=np.int32)
    assert [(threshold, found.tolist()) for threshold, found in splits(symbols)] == [(3, [4])]
    assert [(threshold, found.tolist()) for threshold, found in splits(symbols, is_strict=True)] == [(2, [4])]


def test_the_style_of_the_program_is_class_and_style_only():
    page = read_page("<body><p width=1></p><p width=2></p><p class=a></p>")
    assert tag_path_sequence(page).symbols.tolist() == [1, 2, 3, 4]
    assert tag_path_sequence(page, VARIANTS["program"].style).symbols.tolist() == [1, 2, 2, 3]


def test_the_margin_is_a_share_of_the_sequence_or_of_the_rest():
    symbols = np.array([1] * 11 + [2] * 9, dtype=np.int32)  # 55 and 45 %: 22 % larger than the rest
    assert search_region(symbols) == (0, 20)
    assert search_region(symbols, margin=Margin(0.2, "rest")) == (0, 11)
    assert search_region(np.array([1] * 12 + [2] * 10), margin=Margin(0.2, "rest")) == (0, 12)  # exactly 20 %
    assert search_region(symbols, margin=Margin(0.25, "rest")) == (0, 20)


def test_every_split_of_the_search_is_a_step():
    symbols = np.array([1] * 20 + [2] * 3 + [3] * 2, dtype=np.int32)
    assert search_steps(symbols) == [(0, 25), (0, 20)]
    assert search_steps(np.array([1, 1, 1, 2, 3])) == [(0, 5), (0, 4), (0, 3)]


def listing(symbols: list[int], margin: float, variant: str) -> tuple[int, int]:
    """Algorithm 3 as printed, with the erratum corrected; the program compares frequencies by > in place of >=."""
    lowest = 1 if variant.startswith("program") else 0
    start, end = 0, len(symbols)
    while True:
        part = symbols[start:end]
        size, counts = len(part), Counter(part)
        found = None
        for threshold in sorted(set(counts.values())):
            current = {symbol for symbol in counts if counts[symbol] >= threshold + lowest}
            if len(current) < 2:
                break
            left, seen = dict(counts), set()
            for i, symbol in enumerate(part, start=1):
                if symbol not in current:
                    continue
                seen.add(symbol)
                left[symbol] -= 1
                if left[symbol] == 0:
                    current = current - {symbol}
                    seen_now = seen & current
                    if not seen_now:
                        if current and abs(size - 2 * i) > margin * size:
                            found = i
                            break
                        if variant in ("first-split", "program-first"):
                            break
            if found:
                break
        if not found:
            return start, end
        if 2 * found < size:
            start += found
        else:
            end = start + found


@given(st.lists(st.integers(1, 6), max_size=40), st.sampled_from(list(VARIANTS)))
def test_the_search_agrees_with_the_listing(symbols: list[int], variant: str):
    assert search_region(np.array(symbols, dtype=np.int32), variant=variant) == listing(symbols, 0.2, variant)
