"""Lists that begin or end with a value of another kind."""

from __future__ import annotations

from list_columns import columns

CASES = ("Ann v. Bob", "State v. Carbo", "Ford v. Gray Lines", "In re Hill", "Irwin v. Jones")


def test_a_list_that_ends_with_the_date_is_a_text_and_a_date():
    found = columns(
        "<ul>"
        + "".join(
            f"<li><div><a href=/{k}.pdf>23-{3166 + k}</a></div><div>"
            f"<div class=row><div class=col>{case}</div></div>"
            + "<div class=row><div class=col></div></div>" * (k % 2)
            + f"<div class=row><div class=col><i>12/{k + 20}/2024</i></div></div></div>"
            for k, case in enumerate(CASES)
        )
        + "</ul>",
        url="https://court.example/",
    )
    assert found["date"] == [f"12/{k + 20}/2024" for k in range(5)]
    assert found["title"] == list(CASES)


def test_a_list_of_dates_stays_a_list():
    found = columns(
        "<ul>"
        + "".join(
            f"<li><h3><a href=/{k}>{case}</a></h3><p>"
            + "".join(f"<span class=slot>12/{k + day}/2024</span> " for day in range(3 + k % 2))
            + "</p></li>"
            for k, case in enumerate(CASES, 1)
        )
        + "</ul>"
    )
    assert all(f"12/{k + day}/2024" in str(found) for k in range(1, 6) for day in range(3 + k % 2))
