"""Links to a file of each record that say the same in all of them."""

from __future__ import annotations

from list_columns import columns

DAYS = ("January 23, 2018", "February 20, 2018", "March 27, 2018", "April 24, 2018", "May 22, 2018", "June 26, 2018")


def meetings(minutes: str) -> dict[str, list[str]]:
    rows = "".join(
        f"<tr><td>{day}</td><td>Meeting {k * 7} of the board</td><td><a href=/n{k}.html>Notice</a></td>"
        f"<td><a href=/2018/agenda-{k}.pdf>Agenda</a></td><td><a href={minutes.format(k)}>Minutes</a></td></tr>"
        for k, day in enumerate(DAYS)
    )
    return columns(f"<table>{rows}</table>", "tr", url="https://pier.example/")


def test_links_to_files_are_columns_that_are_called_by_what_they_say():
    found = meetings("/2018/minutes-{}.pdf")
    assert found["agenda_url"] == [f"https://pier.example/2018/agenda-{k}.pdf" for k in range(6)]
    assert [f"https://pier.example/2018/minutes-{k}.pdf" for k in range(6)] in found.values()


def test_the_same_file_in_all_records_is_no_field():
    assert not any("https://pier.example/2018/minutes.pdf" in texts for texts in meetings("/2018/minutes.pdf").values())
