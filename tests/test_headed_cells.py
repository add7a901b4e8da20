"""Cells under a header: which of them are shown, whole or in parts."""

from __future__ import annotations

from dataclasses import replace

from peneira.columns.roles import INTEREST_FEATURES, shipped_role_models
from peneira.columns.whole_texts import WHOLE_FEATURES
from peneira.extraction import lists_of
from peneira.methods import method
from peneira.ml.forest import forest_from_trees
from peneira.result import Region
from peneira.sources.html import read_page


def table(header: str, cells: list[str], *, wholes: float = -5.0) -> Region:
    """Return the table of a page, where the models want every column, and whole texts by these log-odds."""
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    page = read_page(f"<table><tr>{header}</tr>{rows}</table>", url="https://town.example/")
    models = replace(
        shipped_role_models(),
        interest=forest_from_trees(INTEREST_FEATURES, [[[0.0]]]),
        wholes=forest_from_trees(WHOLE_FEATURES, [[[wholes]]]),
    )
    region = lists_of(page, method("auto"), role_models=models).main
    assert region is not None
    return region


def texts(region: Region, name: str) -> list[str]:
    return [record[name].text for record in region if name in record]


DAYS = (("12/06/23", "12/06/2023"), ("10/04/23", "10/04/2023"), ("8/16/23", "8/16/2023"), ("6/28/23", "6/28/2023"))


def test_a_title_of_a_date_and_words_of_all_records_is_whole_and_the_date_shown_once():
    cells = [f"<td><a href=/{k}>{short} Advisory Board</a></td><td>{long}</td>" for k, (short, long) in enumerate(DAYS)]
    region = table("<th>Meeting</th><th>Date</th>", cells)
    assert [column.name for column in region.columns] == ["meeting", "date", "url"]
    assert texts(region, "meeting") == [f"{short} Advisory Board" for short, _ in DAYS]


def test_a_cell_of_links_that_say_the_same_in_all_rows_is_shown_as_its_addresses_alone():
    cells = [
        f"<td>{day}</td><td>Meeting of committee {k * 7}</td><td>"
        + f"<div class=related><a href=/a{k}.pdf><svg></svg><span>Agenda</span></a>"
        + (f" <a href=/m{k}.pdf><svg></svg><span>Minutes</span></a></div></td>" if k else "</div></td>")
        for k, day in enumerate(
            ("1 May 2024", "2 June 2024", "3 July 2024", "4 May 2025", "5 June 2025", "6 July 2025")
        )
    ]
    region = table("<th>Date</th><th>Subject</th><th>Files</th>", cells, wholes=5.0)
    shown = [texts(region, column.name) for column in region.columns]
    assert not any("Agenda" in text for column in shown for text in column)
    assert any("https://town.example/a5.pdf" in column for column in shown)


WORKS = ("Patio", "New Dwelling", "Carport and Shed", "Roof Cladding", "Swimming Pool")
STREETS = ("Amiens Road", "Caves Street", "Mill Lane", "High Street", "Church Walk")


def test_a_description_of_many_parts_under_a_header_is_whole():
    whole = [
        f"Building Works - {kind} Certification - {work} - {k * 37 + 3} {street}, Stanthorpe - Lot {k} RP{k * 731 + 44}"
        for k, (work, street) in enumerate(zip(WORKS, STREETS, strict=True))
        for kind in ("Private", "Public")
    ]
    cells = [f"<td><a href=/{k}>BLD/{16555 + k}</a></td><td>{text}</td>" for k, text in enumerate(whole)]
    region = table("<th>Application</th><th>Description</th>", cells)
    assert [column.name for column in region.columns] == ["id", "description", "url"]
    assert texts(region, "description") == whole


def test_a_header_of_two_names_stands_over_two_columns():
    cells = [
        f"<td><a href=/{k}.pdf>{k}5-105{k}</a></td><td>{case} - <font>{court}</font></td><td>{k} May 2024</td>"
        for k, (case, court) in enumerate(
            (
                ("Minor v. Commissioner", "Western District of Michigan"),
                ("Eggers v. Warden", "Southern District of Ohio"),
                ("Ferrari v. Ford Motor", "Eastern District of Michigan"),
                ("Clark v. Hill", "Northern District of Ohio"),
                ("Ann v. Bob", "Middle District of Tennessee"),
            ),
            1,
        )
    ]
    region = table("<th>Number</th><th>Short Title/District</th><th>Date</th>", cells, wholes=5.0)
    captions = {column.caption: texts(region, column.name)[0] for column in region.columns}
    assert captions["Short Title"] == "Minor v. Commissioner"
    assert captions["District"] == "Western District of Michigan"


def test_what_screen_readers_hear_of_a_link_is_no_title_of_a_headed_table():
    cells = [
        f"<td>E0797{k}1 <a href=/{k}.pdf aria-label='PDF file format for published opinion E0797{k}1'>PDF</a></td>"
        f"<td>{case} of the county</td><td>{k} May 2024</td>"
        for k, case in enumerate(("Water bill", "Road works", "School roof", "Town clock", "Bus lane"), 1)
    ]
    region = table("<th>Docket</th><th>Matter</th><th>Date</th>", cells)
    assert not any(text.startswith("PDF file") for column in region.columns for text in texts(region, column.name))


def test_a_title_with_the_date_of_its_row_is_not_cut_at_the_date():
    boards = ("Planning Board Meeting", "Annual Meeting of the Planning Board", "Planning Board Retreat", "Open House")
    titles = [f"{long} - {board}" for (_, long), board in zip(DAYS, boards, strict=True)]
    cells = [
        f"<td>{long}</td><td><a href=/{k}>{title}</a></td>"
        for k, ((_, long), title) in enumerate(zip(DAYS, titles, strict=True))
    ]
    region = table("<th>Date</th><th>Title</th>", cells)
    assert texts(region, "title") == titles
    assert [column.caption for column in region.columns] == ["Title", "Date", "Title"]
