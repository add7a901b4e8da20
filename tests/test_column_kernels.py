"""What the kernels for columns compute is what plain Python computes."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.columns import link_paths, repetitions, roles, text_counts, value_looks
from peneira.columns.column_evidence import COLUMN_FEATURES, VALUE_FEATURES, ColumnEvidence
from peneira.columns.value_looks import LOOKS
from peneira.kernels import compiled

kernel = compiled("column_values")
pytestmark = pytest.mark.skipif(kernel is None, reason="the kernels are not compiled")

# Parts of what records say, of which most texts that look like something are made
PARTS = """
by von Ann Smith O’Neil Mary-Jane J.R. s.r.o. GmbH inc 12 4.5 /5 (132) out of stars 2024-05-03 3/4/24 May Sept., Mai
3rd 5 min ago today yesterday 399 , . - – / ( ) # : _ ' $ € £12.50 EUR kr. street Hauptstr. Bahnhofstraße weg 12345
Berlin PARIS 02-1234 株式会社 東京 市12 昨天 3日前 улица дом ² ½ ٣ ſ İ ß \t \n
""".split(" ")
texts = st.one_of(
    st.text(max_size=150),
    st.lists(st.sampled_from([*PARTS, "Town", "the", "12"]), min_size=1, max_size=9).map(" ".join),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=9).map("".join),
)


@given(st.lists(texts, min_size=1, max_size=6))
def test_looks_are_those_of_the_patterns(sample: list[str]):
    assert value_looks._counts(sample) == value_looks._counts_plain(sample)


LIMITS = text_counts.MAX_COMPARED_CHARS, text_counts.MAX_COUNTED_CHARS


@given(st.lists(texts, min_size=1, max_size=20))
def test_counts_of_values_are_those_of_plain_python(sample: list[str]):
    assert kernel.value_counts(sample, *LIMITS) == text_counts.value_counts(sample, *LIMITS)


def test_capitals_are_counted_at_the_start_and_digits_in_the_first_texts():
    sample = ["A b " * 60 + "12 " * 900, "Z9999"]
    assert kernel.value_counts(sample, *LIMITS) == text_counts.value_counts(sample, *LIMITS)


@given(st.lists(st.one_of(texts, st.sampled_from(["a", "B 2"])), min_size=1, max_size=20))
def test_features_of_values_are_those_of_plain_python(sample: list[str]):
    found = kernel.value_features(sample, 0.7, 0.9, *LIMITS)
    assert found == text_counts.value_features(sample, 0.7, 0.9, *LIMITS)
    assert len(found) == len(VALUE_FEATURES)


@given(st.lists(st.tuples(texts, st.one_of(st.none(), st.frozensets(st.text(max_size=5)))), max_size=6))
def test_shares_of_slugs_are_those_of_plain_python(pairs: list[tuple[str, frozenset[str] | None]]):
    slugs = [slug if slug is None else slug | {"ann", "smith", "straße", "东京"} for _, slug in pairs]
    sample = [text for text, _ in pairs]
    shares = kernel.slug_shares(sample, slugs, text_counts.MAX_COMPARED_CHARS)
    assert shares == [text_counts.slug_share(text, slug) for text, slug in zip(sample, slugs, strict=True)]


@given(texts)
def test_long_words_are_those_of_plain_python(text: str):
    assert kernel.long_words(text) == text_counts.long_words(text)


@given(st.text("/:?#[]@ab.é \n", max_size=14), st.sampled_from(["", "/", "//", "http://", "https://a"]))
def test_parts_of_addresses_are_those_of_the_standard_library(rest: str, start: str):
    try:
        parts = urlsplit(start + rest)
        expected = (parts.netloc, parts.path, parts.query)
    except ValueError:
        expected = ("", "", "")
    assert link_paths.url_parts(start + rest) == expected


@given(st.one_of(texts, st.text("0123 .,aA-\n", max_size=12)).filter(str.isascii))
def test_compared_texts_are_those_of_plain_python(text: str):
    assert kernel.compared_text(text) == repetitions.compared_plain(text)


@given(
    st.dictionaries(
        st.integers(0, 9), st.one_of(texts, st.lists(texts, min_size=1, max_size=3).map(tuple)), max_size=9
    ),
    st.integers(1, 9),
)
def test_compared_cells_are_those_of_plain_python(cells: dict[int, str | tuple[str, ...]], most: int):
    plain = {
        record: repetitions.compared_plain(cell if isinstance(cell, str) else "".join(cell))
        for record, cell in list(cells.items())[:most]
    }
    assert kernel.compared_cells(cells, most, repetitions.compared_plain) == plain


short_texts = st.one_of(st.text("ab0 é", max_size=3), st.sampled_from(["Ab", "a b 07", "ab07é", "é"]))
column_texts = st.dictionaries(st.integers(0, 5), short_texts, min_size=1, max_size=6)


@given(st.lists(st.tuples(column_texts, st.booleans()), min_size=1, max_size=5), st.integers(1, 6))
def test_retold_texts_are_those_of_plain_python(columns: list[tuple[dict[int, str], bool]], most: int):
    texts, skipped = [own for own, _ in columns], [is_skipped for _, is_skipped in columns]
    for own in range(len(texts)):
        results = [
            count(own, texts, [{} for _ in texts], skipped, most, 0.6, repetitions.compared_plain)
            for count in (kernel.retold_chars, repetitions.retold_chars_plain)
        ]
        assert results[0] == results[1]


def evidence_on(k: int) -> ColumnEvidence:
    """Return evidence of which all parts differ from column to column."""
    features = tuple((k + 1) / (n + 2) for n in range(len(COLUMN_FEATURES)))
    hits = (
        {},
        {"price": 0.6},
        {"title": 1.0},
        {"title": 0.6, "price": 1.0},
        {"author": 0.6},
        {"tags": 0.8},
        {"id": 1.0},
    )
    types = ("text", "money", "integer", "list")
    return ColumnEvidence(features, (*hits[k:], *hits[:k]), types[k % 4], dict.fromkeys(LOOKS, k / 7))


def test_tables_of_roles_are_those_of_plain_python(monkeypatch: pytest.MonkeyPatch):
    evidence = [evidence_on(k) for k in range(7)]
    pairs = [(n, role) for n in range(7) for role in roles.LEARNED_ROLES]
    tables = [roles.role_table(evidence, pairs), roles.interest_table(evidence)]
    monkeypatch.setattr(roles, "role_tables", None)
    assert [table.tolist() for table in tables] == [
        roles.role_table(evidence, pairs).tolist(),
        roles.interest_table(evidence).tolist(),
    ]
