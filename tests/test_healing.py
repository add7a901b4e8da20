"""Wrappers learned again from changed pages: renamed labels, tables that became blocks, columns that are gone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import peneira
from peneira.xpath.finder import Finder

TEAMS = "Bulls Celtics Hawks Lakers Knicks Spurs Suns Jazz".split()
NAMES = "Ada Bob Cid Dora Ed Fay Gus Hal".split()


def player(number: int, labels: Sequence[str] = ("Height:", "Born:", "Team:")) -> str:
    """Return the page of a player, with an optional line first, so that positions do not find the values."""
    k = number % len(NAMES)
    values = [f"{170 + 3 * number} cm", f"{k + 3} May {1970 + number}", TEAMS[k]]
    extra = "<tr><td>Injured</td><td>yes</td></tr>" if k % 2 else ""
    rows = "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in zip(labels, values, strict=True))
    return f"<h1>{NAMES[k]} Smith {number}</h1><p>All of it</p><table>{extra}{rows}</table><p>Contact us</p>"


def read(wrapper: peneira.Wrapper, page: str) -> dict[str, str]:
    main = wrapper.extract(page).main
    return {name: cell.text for name, cell in main.records[0].fields.items()} if main is not None else {}


def cases(start: int, row: str = "<tr><td>{code}</td><td>{title}</td><td>{day}</td></tr>", tag: str = "table") -> str:
    words = "Alder Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Spruce".split()
    rows = "".join(
        row.format(code=f"A-{start + k}", title=f"Case of {word} against the town of {word}", day=f"{k + 1} May 2024")
        for k, word in enumerate(words[start % 5 :])
    )
    return f"<h1>Cases</h1><{tag}>{rows}</{tag}><p>About this court</p>"


def test_columns_whose_labels_were_renamed_are_found_by_the_new_labels():
    wrapper = peneira.learn([player(k) for k in range(4)], kind="detail")
    changed = [player(k, ("Size:", "Date of birth:", "Club:")) for k in range(4, 8)]
    assert wrapper.check(changed).verdict != "ok"
    healing = wrapper.heal(changed)
    assert healing.accepted
    for k, page in enumerate(changed, 4):
        found, wanted = read(healing.wrapper, page), read(wrapper, player(k))
        assert [found[name] for name in ("height", "birth_date", "team")] == [
            wanted[name] for name in ("height", "birth_date", "team")
        ]


def test_a_heal_from_pages_without_a_core_column_is_refused():
    wrapper = peneira.learn([player(k) for k in range(4)], kind="detail")
    changed = [player(k).replace(f"<tr><td>Team:</td><td>{TEAMS[k]}</td></tr>", "") for k in range(4, 8)]
    healing = wrapper.heal(changed)
    assert not healing.accepted
    assert "lost or different: team" in healing.reason.detail


COMPANIES = ["Acme", "Apex", "Blue", "Cato", "Dyn, Inc.", "Eon - DC", "Fox, Ltd.", "Gnu & Co."]


def job(number: int, class_name: str = "text") -> str:
    return (
        f"<h1 class={class_name}>Clerk {number}</h1><table class={class_name}><tr><td>Company:</td>"
        f"<td>{COMPANIES[number]}</td></tr><tr><td>Pay:</td><td>${number}.50</td></tr>"
        f"<tr><td>Start:</td><td>{number + 1} May 2024</td></tr></table>"
    )


def test_a_column_under_its_old_label_is_found_again_though_its_words_are_written_otherwise():
    wrapper = peneira.learn([job(k) for k in range(4)], kind="detail")
    healing = wrapper.heal([job(k, "other") for k in range(4, 8)])
    assert healing.accepted
    assert read(healing.wrapper, job(7, "other"))["company"] == "Gnu & Co."


def test_a_column_that_now_has_numbers_in_place_of_words_is_lost():
    wrapper = peneira.learn([job(k) for k in range(4)], kind="detail")
    healing = wrapper.heal([job(k).replace(COMPANIES[k], str(7 * k)) for k in range(4, 8)])
    assert not healing.accepted
    assert "lost or different: company" in healing.reason.detail


def scores(number: int, *, is_turned: bool = False) -> str:
    cells = [("Points", f"{number + 1}.5"), ("Fouls", f"{number + 2}.1"), ("Steals", f"{number + 3}.7")]
    cells = cells[::-1] if is_turned else cells
    heads = "".join(f"<th>{head}</th>" for head, _ in cells)
    values = "".join(f"<td>{value}</td>" for _, value in cells)
    return (
        f"<h1>Player {number}</h1><table class=t><tr><th>Row</th>{heads}</tr><tr><td>Career</td>{values}</tr></table>"
    )


def test_a_heal_does_not_accept_values_under_another_header_of_their_table():
    wrapper = peneira.learn([scores(k) for k in range(4)], kind="detail")
    healing = wrapper.heal([scores(k, is_turned=True) for k in range(4, 8)])
    found, wanted = read(healing.wrapper, scores(7, is_turned=True)), read(wrapper, scores(7))
    assert not healing.accepted or found == wanted


def test_a_table_that_became_blocks_is_found_again_by_its_columns():
    wrapper = peneira.learn([cases(0)], kind="list")
    blocks = cases(21, "<div><div>{code}</div><div>{title}</div><div>{day}</div></div>", "section")
    healing = wrapper.heal([blocks])
    assert healing.accepted
    before, after = (
        [[cell.text for cell in record.fields.values()] for record in reader.extract(page).main]
        for reader, page in ((wrapper, cases(21)), (healing.wrapper, blocks))
    )
    assert after == before


@pytest.mark.parametrize("kind", ["detail", "list"])
def test_twice_as_many_pages_take_at_most_twice_the_steps_to_learn(kind: str, monkeypatch: pytest.MonkeyPatch):
    steps = 0
    plain = Finder._step

    def counted(self: Finder, *args: object) -> list[int]:
        nonlocal steps
        steps += 1
        return plain(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Finder, "_step", counted)
    counts = []
    for pages in (16, 32):
        steps = 0
        peneira.learn([player(k) if kind == "detail" else cases(5 * k) for k in range(pages)], kind=kind)  # type: ignore[arg-type]
        counts.append(steps)
    assert counts[1] <= 2.1 * counts[0]
