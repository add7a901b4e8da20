"""Grammars from strings of symbols: automata, expressions, parsing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from peneira.templates.expressions import Conjunction, Disjunction, Expression, Optional, Repeat, Symbol
from peneira.templates.grammar import Grammar, ParseNode
from peneira.templates.nfa import MAX_JUMPS, Nfa, build_nfa, regular_expression
from work_counter import lines_executed

strings = st.lists(st.text(alphabet="abcdefg", max_size=14), min_size=1, max_size=4)


def expression(*examples: str, insert: bool = False) -> str:
    return str(regular_expression(build_nfa(examples, insert=insert)))


def parsed(grammar: Grammar, string: str) -> object:
    def plain(part: ParseNode | int | None) -> object:
        if part is None or isinstance(part, int):
            return None if part is None else string[part]
        parts = [plain(child) for child in part.parts]
        return parts if part.is_list else tuple(parts)

    return plain(grammar.parse(string)[0])


# --- the figures of the thesis (Moura 2018) ---------------------------------------------------------------------------


def test_figure_8_the_strings_of_two_similar_trees():
    assert expression("abccd", "abbcc") == "a b+ c+ d?"


def test_figure_10_the_automaton_of_one_string():
    nfa = Nfa()
    nfa.read("aabcdcde")
    assert nfa.levels == [["a"], ["b"], ["c"], ["d"], ["e"]]
    assert nfa.jumps == {(1, 0), (4, 2)}
    assert str(regular_expression(nfa)) == "a+ b (c d)+ e"


def test_figure_14_jumps_out_of_and_into_the_first_state():
    nfa = build_nfa(["abab", "b"])
    assert nfa.jumps == {(0, 1), (2, 0)}
    assert regular_expression(nfa) == Repeat(Conjunction((Optional(Symbol("a")), Symbol("b"))))


def test_the_expression_of_section_3_1_4():
    assert expression("aabcdcde", "abcd") == "a+ b (c d)+ e?"


# --- generation -------------------------------------------------------------------------------------------------------


def test_the_longest_string_is_read_first():
    assert expression("ac", "abc") == expression("abc", "ac") == "a b? c"


def test_a_new_symbol_is_an_alternative_on_the_next_level():
    assert expression("abc", "adc") == "a (b|d) c"
    assert expression("tabtaxbtab") == "(t a (b|x)+)+"


def test_with_insertion_a_new_symbol_is_optional_where_its_position_is_certain():
    assert expression("tabtaxbtab", insert=True) == "(t a x? b)+"
    assert expression("abc", "adc", insert=True) == "a (b|d) c"


def test_several_new_symbols_are_inserted_in_order():
    assert expression("abab", "axyb", insert=True) == "(a (x y?)? b)+"


def test_nested_repetitions_are_nested():
    assert expression("abcabcbcd") == "(a (b c)+)+ d"


def test_crossing_repetitions_are_joined():
    assert expression("ababcbc") == "(a? b c?)+"


def test_an_option_that_crosses_a_repetition_is_split_in_two():
    assert expression("abcbcde", "abe") == "a (b c?)+ d? e"


def test_an_empty_string_makes_everything_optional():
    assert expression("ab", "") == "(a b)?"
    assert expression("") == ""


def test_a_string_without_any_order_is_any_of_its_symbols():
    names = [k * 7919 % 1009 for k in range(1009)]
    shuffled = [*range(1009), *names]
    nfa = build_nfa([shuffled])
    assert len(nfa.jumps) > MAX_JUMPS
    assert regular_expression(nfa) == Repeat(Disjunction(tuple(map(Symbol, range(1009)))))


@pytest.mark.parametrize(("symbols", "is_any"), [(400, False), (401, True)])
def test_a_string_with_more_than_400_jumps_has_no_order(symbols: int, is_any: bool):
    doubled = [symbol for k in range(symbols) for symbol in (k, k)]
    assert isinstance(regular_expression(build_nfa([doubled])), Repeat) == is_any


@given(strings, st.booleans())
@example(["abacbd"], False)
@example(["abcdef", "fab", "bdbe"], False)
def test_the_expression_accepts_every_string_it_was_made_from(examples: list[str], insert: bool):
    grammar = Grammar(regular_expression(build_nfa(examples, insert=insert)))
    assert all(grammar.accepts(string) for string in examples)
    assert all(grammar.parse(string)[1] == [] for string in examples)


# --- parsing ----------------------------------------------------------------------------------------------------------


def ends(expression: Expression, string: str, starts: set[int]) -> set[int]:
    """Return where matches of the expression can end; Python's ``re`` backtracks for hours on some expressions."""
    if isinstance(expression, Symbol):
        return {k + 1 for k in starts if string[k : k + 1] == expression.name}
    if isinstance(expression, Disjunction):
        return {end for item in expression.items for end in ends(item, string, starts)}
    if isinstance(expression, Conjunction):
        for item in expression.items:
            starts = ends(item, string, starts)
        return starts
    found = ends(expression.item, string, starts)
    if isinstance(expression, Optional):
        return starts | found
    while (more := found | ends(expression.item, string, found)) != found:
        found = more
    return found


@given(strings, st.text(alphabet="abcdefg", max_size=8))
def test_acceptance_agrees_with_the_definition_of_regular_expressions(examples: list[str], string: str):
    grammar = Grammar(regular_expression(build_nfa(examples)))
    assert grammar.accepts(string) == (len(string) in ends(grammar.expression, string, {0}))


@given(strings, st.text(alphabet="abcdefg", max_size=12))
def test_parsing_keeps_every_symbol_in_order_or_reports_it_as_unmatched(examples: list[str], string: str):
    grammar = Grammar(regular_expression(build_nfa(examples, insert=True)))
    root, unmatched = grammar.parse(string)
    found: list[int] = []
    stack: list[ParseNode | int | None] = [root]
    while stack:
        part = stack.pop()
        if isinstance(part, ParseNode):
            stack.extend(reversed(part.parts))
        elif part is not None:
            found.append(part)
    assert found == sorted(found)
    assert sorted(found + unmatched) == list(range(len(string)))


def test_a_repetition_is_a_list_and_a_missing_option_is_none():
    grammar = Grammar(regular_expression(build_nfa(["htabtaxbtab"], insert=True)))
    assert str(grammar) == "h (t a x? b)+"
    assert parsed(grammar, "htabtaxb") == ("h", [("t", "a", None, "b"), ("t", "a", "x", "b")])


def test_parse_nodes_have_their_range_of_the_string():
    grammar = Grammar(regular_expression(build_nfa(["habab"])))
    repetition = grammar.parse("hababab")[0].parts[1]
    assert isinstance(repetition, ParseNode)
    assert [(part.start, part.stop) for part in repetition.parts if isinstance(part, ParseNode)] == [
        (1, 3),
        (3, 5),
        (5, 7),
    ]


def test_a_symbol_that_does_not_fit_affects_no_other():
    grammar = Grammar(regular_expression(build_nfa(["abc"])))
    assert not grammar.accepts("abzc")
    assert grammar.parse("abzc")[1] == [2]
    assert parsed(grammar, "ac") == ("a", None, "c")
    assert grammar.parse("abcb")[1] == [3]


def test_a_symbol_may_occur_in_an_expression_only_once():
    with pytest.raises(ValueError, match="'a' occurs twice in the expression"):
        Grammar(Conjunction((Symbol("a"), Symbol("a"))))


@pytest.mark.parametrize("string", ["ab" * 5_000, "ab" * 5_000 + "aabab", "a" * 10_000])
def test_the_work_of_matching_is_linear_where_that_of_backtracking_is_not(string: str):
    grammar = Grammar(regular_expression(build_nfa(["aabbaabb", "ab"])))
    assert lines_executed(lambda: grammar.accepts(string)) < 300 * len(string)
    assert lines_executed(lambda: grammar.parse(string)) < 300 * len(string)
