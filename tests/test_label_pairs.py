"""Labels and values: pairs in any markup are columns named by the label; what only looks like a label is a value."""

from __future__ import annotations

import pytest

from list_columns import columns, region_of

JOBS = ("Cook", "Baker", "Miller", "Brewer", "Nurse")
# Records have different sets of pairs, in one of them in another order
PAIRS = (
    (("Shift", "Night"), ("Floor", "Third"), ("Place", "Recife")),
    (("Shift", "Day"), ("Place", "Olinda")),
    (("Floor", "First"), ("Place", "Natal")),
    (("Place", "Belém"), ("Shift", "Night"), ("Floor", "Second")),
    (("Shift", "Late"), ("Floor", "Fifth"), ("Place", "Lima")),
)
TABLE = {
    "Shift": ["Night", "Day", "", "Night", "Late"],
    "Floor": ["Third", "", "First", "Second", "Fifth"],
    "Place": ["Recife", "Olinda", "Natal", "Belém", "Lima"],
}
ROOMS = ((3, 2), (2, None), (None, 1), (4, 3), (1, 1))
ROOMS_TABLE = {"beds": ["3", "2", "", "4", "1"], "baths": ["2", "", "1", "3", "1"]}


def page_of(contents: list[str]) -> str:
    return "".join(f"<article><h3>{job}</h3>{own}</article>" for job, own in zip(JOBS, contents, strict=True))


def pairs_page(pair: str, around: str = "<div>{}</div>") -> str:
    return page_of([around.format("".join(pair.format(*each) for each in own)) for own in PAIRS])


def by_caption(html: str) -> dict[str, list[str]]:
    """Return the texts of the default columns by the words that the page calls them, whatever their role."""
    captions = [column.caption for column in region_of(html, "article").columns]
    return dict(zip(captions, columns(html, "article").values(), strict=True))


def values_of(html: str, names: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: values for name, values in columns(html, "article").items() if name in names}


@pytest.mark.parametrize(
    ("pair", "around"),
    [
        ("<dt>{}</dt><dd>{}</dd>", "<dl>{}</dl>"),
        ("<div><dt>{}</dt><dd>{}</dd></div>", "<dl>{}</dl>"),
        ("<tr><th>{}</th><td>{}</td></tr>", "<table>{}</table>"),
        ("<tr><td>{}</td><td>{}</td></tr>", "<table>{}</table>"),
        ("<span class=key>{}</span><span class=input>{}</span>", "<div>{}</div>"),
        ("<div class=key>{}</div><div class=input>{}</div>", "<div>{}</div>"),
        ("<p class=pair><span class=key>{}</span><span class=input>{}</span></p>", "<div>{}</div>"),
        ("<div><div class=l><span>{}</span></div><div class=v><p>{}</p></div></div>", "<section>{}</section>"),
        ("<b>{}</b> {}<br>", "<p>{}</p>"),
        ("<b>{}:</b> {}<br>", "<p>{}</p>"),
        ("<li><strong>{}</strong> {}</li>", "<ul>{}</ul>"),
        ("{}: {}<br>", "<p>{}</p>"),
        ("{}: {} ", "<p>{}</p>"),
        ("{}: {}, ", "<p>{}</p>"),
    ],
)
def test_pairs_are_columns_called_by_their_labels(pair: str, around: str):
    assert by_caption(pairs_page(pair, around)) == {"title": list(JOBS), **TABLE}


def test_a_label_names_its_column_unless_that_has_a_role():
    table = columns(pairs_page("{}: {}<br>", "<p>{}</p>"), "article")
    assert list(table) == ["title", "shift", "floor", "location"]


def test_labels_in_one_block_and_their_values_in_the_next_are_paired_by_position():
    def lists(pairs: tuple[tuple[str, str], ...]) -> str:
        labels, values = zip(*pairs, strict=True)
        keys = "".join(f"<span class=key>{label}</span>" for label in labels)
        return f"<div class=keys>{keys}</div><div class=inputs>{''.join(f'<p>{value}</p>' for value in values)}</div>"

    assert by_caption(page_of([lists(own) for own in PAIRS])) == {"title": list(JOBS), **TABLE}


def test_a_label_keeps_its_column_wherever_it_stands():
    first, second = "<dt>Shift</dt><dd>{}</dd>", "<dt>Floor</dt><dd>{}</dd>"
    rows = [(first, second), (second, first), (first, second), (second, first), (first, second)]
    html = page_of([f"<dl>{a.format('one')}{b.format('two')}</dl>" for a, b in rows])
    assert by_caption(html) == {
        "title": list(JOBS),
        "Shift": ["one", "two", "one", "two", "one"],
        "Floor": ["two", "one", "two", "one", "two"],
    }


def test_the_whole_text_of_pairs_is_kept_beside_its_columns():
    region = region_of(pairs_page("{}: {} ", "<p>{}</p>"), "article")
    assert region.all_columns[-1].is_template
    assert region.records[1].fields[region.all_columns[-1].name].text == "Shift: Day Place: Olinda"


def test_a_label_with_several_values_keeps_all_of_them_in_one_text():
    html = page_of([f"<p><b>Shift:</b> <a href=/{k}>Night {k}</a>; Day {k}</p>" for k in range(5)])
    region = region_of(html, "article")
    cells = [[record.fields[column.name].text for record in region.records] for column in region.all_columns]
    assert [f"Night {k}; Day {k}" for k in range(5)] in cells


def test_badges_before_titles_are_not_labels():
    badges = ("New", "", "Sponsored", "New", "Sponsored")
    html = "".join(
        f"<article>{badge and f'<span class=badge>{badge}</span>'}<h3>{job}</h3><p class=place>Street {k}</p></article>"
        for k, (badge, job) in enumerate(zip(badges, JOBS, strict=True))
    )
    streets = [f"Street {k}" for k in range(5)]
    assert list(columns(html, "article").values()) == [list(JOBS), list(badges), streets]


def test_first_and_last_names_are_not_labels_and_values():
    names = (("Ana", "Silva"), ("Bia", "Souza"), ("Ana", "Lima"), ("Bia", "Gil"), ("Ana", "Pires"))
    html = page_of([f"<p><i class=forename>{a}</i> <i class=surname>{b}</i></p>" for a, b in names])
    assert not {"ana", "bia"} & columns(html, "article").keys()


def test_words_within_a_sentence_are_not_labels():
    html = page_of(
        [f"<p>sent <time>{k} May 2024</time> by <a href=/{k}>{job}</a></p>" for k, job in enumerate(JOBS, 1)]
    )
    assert not {"sent", "by"} & columns(html, "article").keys()


def test_offers_are_not_labels_and_values():
    def offers(k: int) -> str:
        sellers = ("Alpha", "Beta", "Gamma")
        rows = "".join(f"<tr><td>{seller}</td><td>R$ {k + n}0</td></tr>" for n, seller in enumerate(sellers, 1))
        return f"<table>{rows}</table>"

    assert not {"alpha", "beta", "gamma"} & columns(page_of(list(map(offers, range(5)))), "article").keys()


def test_one_term_a_record_out_of_several_is_a_label():
    terms = ("Price", "Rent", "Deposit") * 3
    html = "".join(
        f"<article><h3>{JOBS[k % 5]} {k}</h3><dl><dt>{term}</dt><dd>${k}00</dd></dl></article>"
        for k, term in enumerate(terms, 1)
    )
    assert columns(html, "article")["deposit"] == ["", "", "$300", "", "", "$600", "", "", "$900"]


@pytest.mark.parametrize("pair", ["<dt>Size</dt><dd>S</dd>", "<dt>Condition (new/used)</dt><dd>New</dd>"])
def test_a_value_that_all_records_share_and_its_label_has_is_a_column(pair: str):
    html = page_of([f"<dl>{pair}<dt>Floor</dt><dd>{k}</dd></dl>" for k in range(5)])
    assert pair.split("<dd>")[1].partition("<")[0] in [column[0] for column in columns(html, "article").values()]


def test_the_name_of_who_wrote_a_post_is_no_label_though_some_wrote_several():
    names = ("ann77", "bob", "ann77", "bob", "ann77", "cid", "dee", "ann77", "eve", "bob")
    html = "".join(
        f"<article><dl><dt><b>{name}</b></dt><dd class=usertitle>{'Member' if name > 'b' else 'Admin'}</dd>"
        f"<dd>Posts: {k}1</dd></dl><p>Words of post {k} by {name} about nothing much.</p></article>"
        for k, name in enumerate(names)
    )
    assert list(names) in columns(html, "article").values()


def test_terms_that_differ_from_record_to_record_are_titles():
    names = ("Ana", "Bia", "Cid", "Ana", "Eva")
    html = page_of([f"<dl><dt>{name}</dt><dd>Posts: {k}1</dd></dl>" for k, name in enumerate(names)])
    assert list(names) in columns(html, "article").values()


@pytest.mark.parametrize(
    ("room", "around", "between"),
    [
        ("<p><b>{}</b> <span>{}</span></p>", "<div>{}</div>", ""),
        ("<span class=n>{}</span><span class=u>{}</span>", "<div>{}</div>", ""),
        ("<li>{} {}</li>", "<ul>{}</ul>", ""),
        ("{} {}", "<p>{}</p>", ", "),
        ("{} {}", "<p>{}</p>", " · "),
    ],
)
def test_units_after_numbers_name_them(room: str, around: str, between: str):
    units = ("beds", "baths")
    html = page_of(
        [
            around.format(between.join(room.format(n, unit) for n, unit in zip(own, units, strict=True) if n))
            for own in ROOMS
        ]
    )
    assert values_of(html, ROOMS_TABLE) == ROOMS_TABLE


def test_a_singular_unit_is_in_the_column_of_its_plural():
    rooms = ((3, "beds", 1, "bath"), (1, "bed", 2, "baths"), (2, "beds", 2, "baths"), (4, "beds", 1, "bath"))
    html = "".join(
        f"<article><h3>H{k}</h3><ul><li>{a} {b}<li>{c} {d}</ul></article>" for k, (a, b, c, d) in enumerate(rooms)
    )
    assert values_of(html, ROOMS_TABLE) == {"beds": ["3", "1", "2", "4"], "baths": ["1", "2", "2", "1"]}


def test_a_measure_keeps_its_unit():
    html = page_of([f"<ul><li>{n} beds<li>{n}0 m²</ul>" for n in (3, 2, 5, 4, 1)])
    assert ["30 m²", "20 m²", "50 m²", "40 m²", "10 m²"] in columns(html, "article").values()
    html = page_of([f"<p><b>{n}</b> <i>beds</i> <b>{n}0</b> <i>m²</i></p>" for n in (3, 2, 5, 4, 1)])
    assert ["30 m²", "20 m²", "50 m²", "40 m²", "10 m²"] in columns(html, "article").values()


def test_ratings_and_durations_are_not_cut_at_their_units():
    html = page_of([f"<p class=stars>4.{k} out of 5 stars</p><p class=length>{k}h {k}0m</p>" for k in range(1, 6)])
    values = columns(html, "article").values()
    assert [f"4.{k} out of 5 stars" for k in range(1, 6)] in values
    assert [f"{k}h {k}0m" for k in range(1, 6)] in values
