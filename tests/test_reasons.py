"""Reasons: texts that are made when they are read."""

from __future__ import annotations

import pickle

import peneira
from peneira.reasons import DeferredReasons, Reason, ReasonCode


def test_a_deferred_text_is_made_once_and_only_when_it_is_read():
    made: list[str] = []

    def detail() -> str:
        made.append("now")
        return "at /html/body"

    reason = Reason.deferred(ReasonCode.MARGIN, detail, 0.5)
    assert (reason.code, reason.value, made) == (ReasonCode.MARGIN, 0.5, [])
    assert (str(reason), reason.detail, made) == ("at /html/body", "at /html/body", ["now"])


def test_a_deferred_reason_equals_and_is_pickled_as_one_with_its_text():
    plain = Reason(ReasonCode.MARGIN, "behind", 0.5)
    assert Reason.deferred(ReasonCode.MARGIN, lambda: "behind", 0.5) == plain
    assert pickle.loads(pickle.dumps(Reason.deferred(ReasonCode.MARGIN, lambda: "behind", 0.5))) == plain
    assert hash(Reason.deferred(ReasonCode.MARGIN, lambda: "behind", 0.5)) == hash(plain)


def test_the_margin_of_the_main_list_names_the_next_one():
    first = "".join(f"<li><a href=/a/{n}>Name {n}</a> about {n}" for n in range(6))
    second = "".join(f"<tr><td>{n}<td><a href=/b/{n}>Row {n}</a>" for n in range(6))
    result = peneira.extract(f"<body><ul>{first}</ul><h2>More</h2><table>{second}</table>")
    (margin,) = [reason for reason in result.reasons if reason.code == ReasonCode.MARGIN]
    following = result.regions[1]
    assert str(margin).startswith(f"the next list, {len(following)} records at {following.xpath}, is behind by ")


def test_deferred_reasons_are_made_once_and_equal_a_tuple_of_them():
    made: list[str] = []
    behind = Reason(ReasonCode.MARGIN, "behind", 0.5)

    def make() -> list[Reason]:
        made.append("now")
        return [behind]

    reasons = DeferredReasons(make)
    assert made == []
    assert (len(reasons), reasons[0], list(reasons), reasons[1:]) == (1, behind, [behind], ())
    assert reasons == (behind,) == reasons and hash(reasons) == hash((behind,)) and made == ["now"]
    assert type(pickle.loads(pickle.dumps(reasons))) is tuple
