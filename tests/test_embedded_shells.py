"""Pages that show no list and carry one in their data."""

from __future__ import annotations

import json

import pytest

from peneira import extract
from peneira.columns.state_records import records_from_state
from peneira.page import Page
from peneira.reasons import ReasonCode

JOBS = [
    {
        "title": f"{trade} wanted",
        "companyName": f"Firm {k}",
        "city": f"Town {k}",
        "postedAt": f"2024-05-0{k}",
        "url": f"/job/{k}",
    }
    for k, trade in enumerate(("Baker", "Welder", "Teacher", "Driver"), start=1)
]


def shell(state: object, *, head: str = "", key: str = "__NEXT_DATA__") -> str:
    text = json.dumps(state)
    return f'{head}<body><div id="root"></div><script id="{key}" type="application/json">{text}</script>'


def test_the_records_of_a_shell_are_its_list():
    result = extract(shell({"props": {"pageProps": {"jobs": JOBS}}}), url="https://jobs.example/")
    assert (result.verdict, result.status) == ("list", "complete")
    assert result.main is not None
    assert [column.name for column in result.main.columns] == ["title", "company", "city", "date_posted", "url"]
    assert [str(cell) for cell in result.main.table.rows[0]] == [
        "Baker wanted",
        "Firm 1",
        "Town 1",
        "2024-05-01",
        "https://jobs.example/job/1",
    ]
    assert {column.source for column in result.main.columns} == {"script-state"}
    assert result.main.xpath == "/html[1]/body[1]/script[1]"
    assert result.main.confidence < 0.9
    assert result.reasons[0].code == ReasonCode.EMBEDDED
    assert "props.pageProps.jobs" in str(result.reasons[0])


def test_a_list_in_json_ld_needs_only_titles_and_addresses():
    items = [{"@type": "ListItem", "position": k, "name": f"Recipe {k}", "url": f"/r/{k}"} for k in range(4)]
    data = json.dumps({"@type": "ItemList", "itemListElement": items})
    page = Page.from_html(f'<body><div id=a></div><script type="application/ld+json">{data}</script>')
    assert records_from_state(page) is None  # a ListItem may be a link of any kind
    products = [{"@type": "Product", "name": f"Lamp {k}", "url": f"/r/{k}"} for k in range(4)]
    data = json.dumps({"@type": "ItemList", "itemListElement": products})
    region = records_from_state(Page.from_html(f'<script type="application/ld+json">{data}</script>'))
    assert region is not None
    assert [record["title"].text for record in region] == ["Lamp 0", "Lamp 1", "Lamp 2", "Lamp 3"]


@pytest.mark.parametrize(
    "state",
    [
        {"menu": JOBS},
        {"footerLinks": JOBS},
        {"items": [{"title": f"Page {k}", "url": f"/{k}"} for k in range(9)]},  # a menu of another name
        {"items": [{"key": f"k{k}", "text": f"Words number {k}"} for k in range(9)]},  # translations
        {"items": JOBS[:2]},
        {"items": [{**job, "title": "Job"} for job in JOBS]},
        {"items": [{key: value for key, value in job.items() if key != "title"} for job in JOBS]},
    ],
)
def test_other_arrays_are_no_list(state):
    assert records_from_state(Page.from_html(shell(state))) is None


def test_a_page_about_one_thing_has_no_list():
    head = '<meta property="og:type" content="product">'
    assert records_from_state(Page.from_html(shell({"items": JOBS}, head=head))) is None


def test_another_list_as_large_makes_the_choice_less_sure():
    one = records_from_state(Page.from_html(shell({"jobs": JOBS})))
    others = [{**job, "title": f"Other {k}"} for k, job in enumerate(JOBS)]
    two = records_from_state(Page.from_html(shell({"jobs": JOBS, "more": others})))
    assert one is not None
    assert two is not None
    assert two.confidence < one.confidence


def test_a_page_with_text_of_its_own_is_not_a_shell():
    prose = "<p>" + "All of this is written out for readers, at some length. " * 60 + "</p>"
    result = extract(shell({"items": JOBS}).replace("<body>", f"<body>{prose}"))
    assert (result.verdict, result.main) == ("detail", None)


def test_a_truncated_script_gives_the_records_that_were_read():
    html = shell({"jobs": JOBS})
    region = records_from_state(Page.from_html(html[: html.index("Town 4")]))
    assert region is not None
    assert [record.get("city") and record["city"].text for record in region] == ["Town 1", "Town 2", "Town 3", None]
