"""One field, one column: fields of records in different forms are merged, different fields never are."""

from __future__ import annotations

from list_columns import columns, region_of
from peneira.columns.builder import ColumnBuilder
from peneira.columns.merged_roles import merge_by_role
from peneira.columns.roles import ScoredColumns
from peneira.sources.html import read_page

JOBS = ("Cook", "Baker", "Miller", "Brewer", "Nurse", "Potter", "Weaver", "Tailor", "Smith")


def page_of(usual: str, featured: str) -> str:
    """Return a page on which every third record is featured."""
    return "".join(
        f"<article>{(usual if k % 3 else featured).format(job=job, k=k)}</article>" for k, job in enumerate(JOBS)
    )


def test_a_field_with_the_same_class_in_two_forms_is_one_column():
    html = page_of(
        "<h3 class=job_title>{job}</h3><span class=job_company>{job} Inc</span>",
        "<div class=star><div><h2 class=job_title>{job}</h2></div>"
        "<p><b class='job_company big'>{job} Ltd</b><br>Top</p></div>",
    )
    companies = [f"{job} {'Inc' if k % 3 else 'Ltd'}" for k, job in enumerate(JOBS)]
    table = columns(html, "article")
    assert list(JOBS) in table.values()
    assert companies in table.values()


def test_the_first_link_and_image_of_two_forms_are_one_column():
    html = page_of(
        "<img src=/{k}.png><p><a href=/{k}>{job} wanted</a></p><i>x{k}</i>",
        "<section><div><a href=/{k}><b>{job} wanted</b></a></div><div><img src=/{k}.png></div></section>",
    )
    table = columns(html, "article", url="https://a.example/")
    assert table["url"] == [f"https://a.example/{k}" for k in range(9)]
    assert table["image"] == [f"https://a.example/{k}.png" for k in range(9)]
    assert [f"{job} wanted" for job in JOBS] in table.values()


def test_a_price_with_other_markup_in_some_records_is_one_column():
    html = page_of(
        "<h3>{job}</h3><p class=now>R$ 1{k}</p>",
        "<h3>{job}</h3><div><section><p>offer {job}</p><p>R$ 1{k}</p></section></div>",
    )
    assert columns(html, "article")["price"] == [f"R$ 1{k}" for k in range(9)]


def test_an_optional_field_is_not_merged_with_a_field_of_the_same_records():
    html = page_of(
        "<h3>{job}</h3><p class=place>{job} Street</p>",
        "<h3>{job}</h3><p class=place>{job} Street</p><div><p class=place>{job} Square</p></div>",
    )
    table = columns(html, "article")
    assert [f"{job} Street" for job in JOBS] in table.values()
    assert ["" if k % 3 else f"{job} Square" for k, job in enumerate(JOBS)] in table.values()


def test_different_labels_are_never_one_column():
    html = page_of(
        "<h3>{job}</h3><p class=fact>Posted: 1 May 202{k}</p>",
        "<h3>{job}</h3><div><p class=fact>Expires: 2 May 202{k}</p></div>",
    )
    table = columns(html, "article")
    assert ["" if k % 3 else f"2 May 202{k}" for k in range(9)] in table.values()


def test_money_is_never_merged_with_text():
    html = page_of(
        "<h3>{job}</h3><p class=deal>R$ 1{k}</p>",
        "<h3>{job}</h3><div><section><p class=deal>Ask {job} for it</p><i>{k}</i></section></div>",
    )
    assert [f"R$ 1{k}" if k % 3 else "" for k in range(9)] in columns(html, "article").values()


def test_columns_with_the_same_best_role_in_different_records_are_one_column():
    html = page_of(
        "<p class=alpha>{job} Inc</p><i>x{k}</i>", "<div><section><q class=beta>{job} Ltd</q><u>{k}</u></section></div>"
    )
    candidates = ColumnBuilder(read_page(html)).candidates(region_of(html, "article"))
    firms = [
        k for k, column in enumerate(candidates.columns) if "Inc" in str(column.values) or "Ltd" in str(column.values)
    ]
    texts = [k for k in firms if not candidates.columns[k].attribute]
    assert len(texts) == 2
    roles = [{"company": 0.9} if k in texts else {} for k in range(len(candidates.columns))]
    merged, scored = merge_by_role(candidates, ScoredColumns(roles, [0.5] * len(roles)), "en")  # type: ignore[arg-type]
    companies = [k for k, own in enumerate(scored.roles) if own]
    assert [sorted(merged.columns[k].values) for k in companies] == [list(range(9))]


def test_a_field_in_an_element_whose_class_means_nothing_is_one_column_if_every_record_has_it_once():
    final = "<td class=gamelink><a href=/game/{0}>Final</a></td>"
    games = [
        f"<tr class=winner><td><a href=/team/w{k}>Lions {k}</a></td><td>{70 + k}</td>{final * (k % 2)}</tr>"
        f"<tr class=loser><td><a href=/team/l{k}>Bears {k}</a></td><td>{40 + k}</td>{final * (1 - k % 2)}</tr>"
        for k in range(8)
    ]
    region = region_of(
        "".join(f"<section><table>{game.format(k)}</table></section>" for k, game in enumerate(games)),
        "section",
        url="https://sport.example/",
    )
    values = [[record[column.name].text for record in region if column.name in record] for column in region.all_columns]
    assert [f"https://sport.example/game/{k}" for k in range(8)] in values
