"""FiVaTech: aligned peer matrices, sets, options, schema."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from peneira.methods import fivatech
from peneira.methods.fivatech import align, fold, pattern_expression, pattern_level
from peneira.sources.html import read_page
from peneira.templates.grammar import Grammar
from peneira.templates.page_data import extract_data
from peneira.templates.template import ChildModel
from peneira.templates.template_data import PlainData, plain_data
from peneira.templates.template_schema import schema_of
from peneira.templates.tree_wrapper import TreeWrapper
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_matching import TreeMatcher
from work_counter import lines_executed

columns = st.lists(st.text(alphabet="abcde", min_size=1, max_size=9), min_size=1, max_size=4)


def codes(*written: str) -> list[list[int]]:
    return [[ord(letter) for letter in column] for column in written]


def aligned(*written: str) -> list[str]:
    """Return the aligned columns with a dash for nothing."""
    rows = align(codes(*written))
    assert rows is not None
    return ["".join(chr(row.symbol) if row.present[c] else "-" for row in rows) for c in range(len(written))]


def pattern(*written: str) -> str:
    rows = align(codes(*written))
    assert rows is not None
    text = str(pattern_expression(fold(rows), [[True] * len(written)]))
    return "".join(chr(int(word)) if word.isdigit() else word for word in _words(text))


def _words(text: str) -> list[str]:
    return re.findall(r"\d+|\D", text)


# --- alignment --------------------------------------------------------------------------------------------------------


def test_equal_columns_are_not_changed():
    assert aligned("abc", "abc") == ["abc", "abc"]


def test_a_column_has_a_gap_where_only_another_has_a_symbol():
    assert aligned("abcd", "abd") == ["abcd", "ab-d"]


def test_a_symbol_of_one_column_only_gets_its_own_row():
    assert aligned("axb", "ayb") == ["ax-b", "a-yb"]


def test_three_columns_of_different_length():
    assert aligned("abxc", "abyzc", "abc") == ["abx--c", "ab-yzc", "ab---c"]


def test_repeated_symbols_line_up_from_the_start():
    assert aligned("abbbc", "abc") == ["abbbc", "ab--c"]


@given(columns)
def test_alignment_keeps_every_column(written: list[str]):
    assert [column.replace("-", "") for column in aligned(*written)] == written


def test_a_matrix_that_takes_too_many_shifts_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fivatech, "MAX_SHIFTS", 2)
    assert align(codes("axb", "ayb")) is not None
    assert align(codes("axbzc", "aybwc")) is None


# --- sets and options -------------------------------------------------------------------------------------------------


def test_a_repeated_symbol_is_a_set():
    assert pattern("abbbc", "abc") == "a b+ c"


def test_a_repeated_pattern_is_a_set():
    assert pattern("habab", "hababab") == "h (a b)+"


def test_patterns_nest():
    assert pattern("abbabb", "abbabbabb") == "(a b+)+"


def test_rows_that_some_column_lacks_are_optional():
    assert pattern("abcd", "abd") == "a b c? d"


def test_neighbours_that_are_missing_together_are_one_option():
    assert pattern("abcd", "ad") == "a (b c)? d"
    assert pattern("abcd", "abd", "ad") == "a b? c? d"


@given(columns)
def test_the_pattern_accepts_columns_without_repeated_symbols(written: list[str]):
    rows = align(codes(*written))
    assert rows is not None
    folds = fold(rows)
    symbols = [row.symbol for row in rows]
    if len(set(symbols)) == len(symbols):
        grammar = Grammar(pattern_expression(folds, [[True] * len(written)]))
        assert all(grammar.accepts(column) for column in codes(*written))


def test_options_of_nested_sets_cover_all_repetitions():
    assert pattern("abcabcdabcabcd", "abcabcdacabcd") == "((a b? c)+ d)+"


def child_model_of(*columns: str) -> tuple[ChildModel, list[list[int]]]:
    """Return the child model of nodes whose children have these tags, and their strings."""
    subtrees = SubtreeIndex()
    shapes = [subtrees.shape("r", tuple(subtrees.shape(letter) for letter in column)) for column in columns]
    model, strings = pattern_level(TreeMatcher(subtrees), shapes)
    return model, [list(string) for string in strings]


@given(st.lists(st.lists(st.sampled_from(["ab", "abc", "a", "d"]), min_size=1, max_size=6), min_size=1, max_size=4))
def test_the_child_model_of_any_columns_accepts_them(written: list[list[str]]):
    model, strings = child_model_of(*("".join(column) for column in written))
    assert all(model.grammar.accepts(string) for string in strings)


@pytest.mark.parametrize(("columns", "is_aligned"), [(60, True), (61, False)])
def test_at_most_60_different_columns_are_aligned(columns: int, is_aligned: bool, monkeypatch: pytest.MonkeyPatch):
    calls: list[int] = []
    monkeypatch.setattr(fivatech, "align", lambda columns: calls.append(len(columns)))
    child_model_of(*("a" * (k + 1) for k in range(columns)))
    assert calls == ([60] if is_aligned else [])


@pytest.mark.parametrize("kinds", [500, 4000])
def test_work_on_nodes_of_thousands_of_kinds_is_linear(kinds: int):
    page = "<div>" + "".join(f"<p><x{k}></x{k}></p>" for k in range(kinds)) + "</div>"
    assert lines_executed(lambda: peneira.learn([page, page], method="fivatech")) < 10_000 * kinds


# --- pages ------------------------------------------------------------------------------------------------------------


def film(title: str, year: int, genres: list[str], prize: str = "") -> str:
    award = f"<em>{prize}</em>" if prize else ""
    items = "".join(f"<li>{genre}</li>" for genre in genres)
    return f"<h1>{title}</h1><p>Year</p><b>{year}</b>{award}<ul>{items}</ul><i>All films</i>"


FILMS = [film("Up", 2009, ["Animation", "Drama"]), film("Her", 2013, ["Drama", "Romance", "Sci-Fi"], "Oscar")]


def data(wrapper: TreeWrapper, html: str) -> PlainData:
    page = read_page(html)
    return plain_data(extract_data(wrapper.template, page, wrapper.template.matcher.subtrees.add(page)).data)


def test_pages_are_extracted_as_tuples_sets_and_options():
    wrapper = peneira.learn(FILMS, method="fivatech").tree
    assert wrapper is not None
    assert data(wrapper, FILMS[0]) == ("Up", "Year", "2009", None, ["Animation", "Drama"], "All films")
    new = film("Big", 1988, ["Comedy"], "None")
    assert data(wrapper, new) == ("Big", "Year", "1988", "None", ["Comedy"], "All films")


def test_the_schema_names_columns_and_quotes_the_template():
    schema = schema_of(peneira.learn(FILMS, method="fivatech", kind="detail").tree)
    assert str(schema).splitlines() == [
        "tuple",
        "  title",
        "  'Year'",
        "  text",
        "  optional",
        "    text_2",
        "  set",
        "    text_3",
        "  'All films'",
    ]


def test_texts_that_vary_between_pages_are_data_and_the_rest_is_template():
    wrapper = peneira.learn(FILMS, method="fivatech", kind="detail")
    result = wrapper.extract(film("Big", 1988, ["Comedy", "Fantasy"]))
    assert (result.verdict, result.method) == ("detail", "fivatech")
    assert result.main is not None
    (record,) = result.main.records
    assert {name: cell.text for name, cell in record.fields.items()} == {
        "title": "Big",
        "text": "1988",
        "text_3": "Comedy Fantasy",
    }
    assert record.fields["text_3"].items == ("Comedy", "Fantasy")


def test_one_page_is_enough_to_learn_the_schema_of_its_lists():
    rows = "".join(f"<tr><td>{k}</td><td><a href=/{k}>x{k}</a></td></tr>" for k in range(4))
    wrapper = peneira.learn([f"<table>{rows}</table>"], method="fivatech", kind="list")
    assert str(schema_of(wrapper.tree)).splitlines() == ["set", "  tuple", "    text", "    url", "    text_2"]


# --- schemas of lists -------------------------------------------------------------------------------------------------


def shelf(name: str, books: list[tuple[str, str, str]]) -> str:
    """Return a page with a list of books: a title, a note or none, and the letters of its tags."""
    items = "".join(
        f"<article><h3>{title}</h3>{f'<p>{note}</p>' if note else ''}"
        f"<ul>{''.join(f'<li>{name}{title}{tag}</li>' for tag in tags)}</ul></article>"
        for title, note, tags in books
    )
    return f"<nav><a>Home</a></nav><h1>{name}</h1><main>{items}</main><footer><i>{name} end</i></footer>"


def schema_lines_of(*pages: str) -> list[str]:
    return str(schema_of(peneira.learn(pages, method="fivatech", kind="detail").tree)).splitlines()


def test_lists_of_any_length_are_peers_with_optional_fields_and_nested_sets():
    few = shelf("A", [("x", "", "12"), ("y", "new", "123")])
    many = shelf(
        "B", [(title, "old" if title in "rs" else "", "1" * (k % 3 + 1)) for k, title in enumerate("pqrstuvw")]
    )
    assert schema_lines_of(few, many) == [
        "tuple",
        "  'Home'",
        "  title",
        "  set",
        "    tuple",
        "      title_2",
        "      optional",
        "        text_2",
        "      set",
        "        text",
        "  text_3",
    ]


def pairs_page(*records: dict[str, str]) -> str:
    rows = ("".join(f"<p><b>{label}</b><i>{value}</i></p>" for label, value in record.items()) for record in records)
    return f"<main>{''.join(f'<div>{row}</div>' for row in rows)}</main>"


def test_values_with_labels_have_the_types_of_their_place():
    first = pairs_page({"Size": "1", "Colour": "red", "Use": "home"}, {"Size": "2", "Colour": "blue"})
    second = pairs_page({"Size": "3", "Colour": "green"}, {"Size": "4", "Colour": "grey", "Use": "work"})
    assert schema_lines_of(first, second) == [
        "set",
        "  tuple",
        "    size",
        "    colour",
        "    optional",
        "      use",
    ]


def test_a_symbol_is_told_apart_inside_and_outside_a_set():
    model, strings = child_model_of("abcaaa", "abca")
    assert str(model.grammar) == "0 1 2 3+"
    assert strings == [[0, 1, 2, 3, 3, 3], [0, 1, 2, 3]]


def test_sets_of_one_symbol_that_something_interrupts_are_one_set():
    model, (string,) = child_model_of("aaabaa")
    assert (str(model.grammar), string) == ("(0+ 1?)+", [0, 0, 0, 1, 0, 0])


def test_cells_of_table_rows_are_columns_and_not_a_set():
    rows = "".join(f"<tr><td>{k}</td><td>{k}{k}</td><td>{k}{k}{k}</td></tr>" for k in "abcd")
    main = (
        peneira.learn([f"<table>{rows}</table>"], method="fivatech", kind="list").extract(f"<table>{rows}</table>").main
    )
    assert main is not None
    assert [cell.text for cell in main.records[0].fields.values()] == ["a", "aa", "aaa"]
