"""Records are cut at the right place, and the right list is the main one: the smallest pages that show it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest

from peneira import Extraction, extract
from peneira.lists import auto, phase
from peneira.lists.auto import find_lists
from peneira.lists.candidates import Candidates
from peneira.lists.grouped_rows import rows_of_groups
from peneira.lists.ranking import Confidences, RankedCandidates
from peneira.reasons import ReasonCode
from peneira.sources.html import read_page

CITIES = ("Lisbon", "Porto", "Braga", "Coimbra", "Faro", "Evora", "Aveiro", "Viseu")
STREETS = ("Rua Augusta", "Rua das Flores", "Avenida Central", "Largo da Portagem", "Rua de Santo Antonio")
NOTES = (
    "A bright flat near the river, with two rooms and a kitchen.",
    "Third floor without a lift, quiet, and close to the station.",
    "Newly painted, with a balcony to the garden behind the house.",
    "Half furnished; the owner lives next door and speaks English.",
    "A large room in a shared house, with a desk and a wardrobe.",
)


def texts(result: Extraction) -> list[str]:
    assert result.main is not None, result
    return [record.text for record in result.main]


def flat_homes(count: int = 8) -> list[str]:
    """Return homes whose parts are siblings: an address, a linked heading, a description."""
    return [
        f'<p class="address">{number + 3} {STREETS[number % 5]}, {CITIES[number]}</p>'
        f'<h3><a href="/home/{number}">Home {number + 1} in {CITIES[number]}</a></h3>'
        f'<p class="about">{NOTES[number % 5]}</p><p class="price">${900 + 35 * number} a month</p>'
        for number in range(count)
    ]


@pytest.mark.parametrize(
    "before", ["", "<h1>Homes to let</h1>", "<h1>Homes to let</h1><p>Eight homes in Portugal.</p>"]
)
@pytest.mark.parametrize("after", ["", "<p class=more><a href='?page=2'>Next page</a></p>"])
def test_records_of_siblings_begin_with_their_own_head(before: str, after: str) -> None:
    homes = flat_homes()
    found = texts(extract(f"<body>{before}<div id=results>{''.join(homes)}</div>{after}"))
    assert len(found) == len(homes)
    for number, text in enumerate(found):
        assert text.startswith(f"{number + 3} {STREETS[number % 5]}, {CITIES[number]}")
        assert text.endswith(f"${900 + 35 * number} a month")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<h1>Homes to let</h1>", ""),
        ("", "<p class=more>Page 1 of 7</p>"),
        ("<h1>Homes to let</h1>", "<p class=more>Page 1 of 7</p>"),
    ],
)
def test_records_begin_with_their_own_head_also_among_other_siblings(before: str, after: str) -> None:
    homes = flat_homes()
    found = texts(extract(f"<body><div id=results>{before}{''.join(homes)}{after}</div>"))
    assert [text[: text.index(",")] for text in found[:8]] == [
        f"{number + 3} {STREETS[number % 5]}" for number in range(8)
    ]


def test_records_between_blank_lines_are_whole() -> None:
    cases = "<br><br>".join(
        f"Filed 0{number + 1}/05/2026, No. 15-36{number}8<br>"
        f"<a href='/{number}.pdf'>{CITIES[number]} v. {CITIES[-number - 1]}"
        f"</a><br>Court of {CITIES[(number + 3) % 8]}"
        for number in range(8)
    )
    found = texts(extract(f"<body><h1>Opinions</h1><div>{cases}</div>"))
    assert len(found) == 8
    assert all(text.startswith("Filed") and "Court of" in text for text in found)


def test_links_before_the_first_blank_line_do_not_move_the_records_after_it() -> None:
    links = "".join(f"<a href='/{name}'>Opinions {name}</a><br>" for name in ("filed today", "of this week", "by feed"))
    cases = "<br><br>".join(
        f"Filed 0{number + 1}/05/2026, No. 15-36{number}8<br><a href='/{number}.pdf'>{CITIES[number]} v. "
        f"{CITIES[-number - 1]}</a><br>Court of {CITIES[(number + 3) % 8]}"
        for number in range(8)
    )
    found = texts(extract(f"<body><b>Recent opinions</b><br><br>{links}<hr>{cases}</body>"))
    assert [text for text in found if text.startswith("Filed")] == [
        f"Filed 0{number + 1}/05/2026, No. 15-36{number}8 {CITIES[number]} v. {CITIES[-number - 1]} "
        f"Court of {CITIES[(number + 3) % 8]}"
        for number in range(8)
    ]


def ranked_lists(
    lists: Sequence[Sequence[tuple[int, int]]], scores: Sequence[float], **features: Sequence[float]
) -> RankedCandidates:
    """Return a ranking of lists, given as the ranges of their records."""
    starts, ends = (np.array(column) for column in zip(*chain.from_iterable(lists), strict=True))
    counts = np.array([len(ranges) for ranges in lists])
    columns = {name: np.array(values) for name, values in features.items()}
    return RankedCandidates(
        Candidates(starts, ends, counts, counts * 0, counts),
        columns,
        np.array(scores),
        np.array(scores) / 10,
        Confidences.known(np.array(scores) / 10),
        np.zeros(len(lists), dtype=np.bool_),
    )


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({}, 10),
        ({"breaks_inside": [0.4, 0.0]}, 12),  # the first list runs across few breaks
        ({"breaks_inside": [0.9, 0.2]}, 12),  # the other runs across breaks too
        ({"after_break": [0.0, 0.8]}, 12),  # the other does not begin at breaks
        ({"share": [0.5, 0.3]}, 12),  # the other has less text: bare dates
        ({"scores": [8.0, 3.9]}, 12),  # the other is far behind
    ],
)
def test_records_cut_at_blank_lines_come_before_records_that_run_across_them(
    change: dict[str, list[float]], first: int
) -> None:
    page = read_page("<body>" + "<i>x</i>" * 40)
    body = page.body + 1
    shifted = [(body + start, body + start + 8) for start in (12, 20, 28)]
    cut = [(body + start, body + start + 8) for start in (10, 18, 26)]
    given = {"scores": [6.0, 5.9], "breaks_inside": [0.9, 0.0], "after_break": [0.0, 1.0], "share": [0.5, 0.5]}
    ranked = ranked_lists([shifted, cut], before_like_tail=[0.0, 0.0], **{**given, **change})
    assert int(phase.in_phase(page, ranked).candidates.starts[0]) == body + first


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({}, 11),
        ({"headers_any": [0.5, 0.0]}, 10),  # most groups have no captions
        ({"headers_any": [1.0, 0.5]}, 10),  # the rows have captions themselves
        ({"scores": [6.0, 5.4]}, 10),  # the rows are far behind
    ],
)
def test_rows_under_captions_come_before_the_tables_that_hold_them(change: dict[str, list[float]], first: int) -> None:
    tables = [(10, 20), (20, 30)]
    rows = [(11, 14), (14, 17), (17, 20), (21, 24), (24, 27), (27, 30)]
    given = {"scores": [6.0, 5.9], "headers_any": [1.0, 0.0], **change}
    assert int(rows_of_groups(ranked_lists([tables, rows], **given)).candidates.starts[0]) == first
    outside = [(start + 20, end + 20) for start, end in rows]
    assert int(rows_of_groups(ranked_lists([tables, outside], **given)).candidates.starts[0]) == 10


def test_terms_and_their_descriptions_are_records() -> None:
    pairs = "".join(
        f'<dt><a href="/{city}">{city} guide</a></dt><dd>{NOTES[number % 5]}</dd><dd>Pages: {40 + number}</dd>'
        for number, city in enumerate(CITIES)
    )
    found = texts(extract(f"<body><h1>Guides</h1><dl>{pairs}</dl>"))
    assert [text.split()[0] for text in found] == list(CITIES)
    assert all("Pages:" in text for text in found)


def test_headings_with_blocks_are_records() -> None:
    blocks = "".join(
        f"<h2><a href='/{city}'>{city} by night</a></h2><p>{NOTES[number % 5]}</p><p>{NOTES[(number + 2) % 5]}</p>"
        f"<ul><li>Posted 0{number + 1} May 2026<li>by Ana</ul>"
        for number, city in enumerate(CITIES)
    )
    found = texts(extract(f"<body><main>{blocks}</main>"))
    assert [text.split()[0] for text in found] == list(CITIES)
    assert all("Posted" in text for text in found)


def card(number: int, more: str = "", tag: str = "") -> str:
    city = CITIES[number % 8]
    return (
        f'<li class="card {more}"><a href="/stay/{number}"><img src="/{number}.jpg" alt="{city}"></a>{tag}'
        f'<h3><a href="/stay/{number}">Hotel {city} {number}</a></h3><p class="price">€{60 + number}</p>'
        f'<p class="where">{STREETS[number % 5]}, {city}</p></li>'
    )


def test_promoted_records_of_a_list_are_records_of_it() -> None:
    promoted = "".join(card(number, "promoted", '<span class="badge">Promoted</span>') for number in range(3))
    plain = "".join(card(number) for number in range(3, 15))
    found = texts(extract(f"<body><h1>Hotels</h1><ul>{promoted}{plain}</ul>"))
    assert len(found) == 15
    assert sum("Promoted" in text for text in found) == 3


def test_sections_with_headings_are_one_list() -> None:
    sections = "".join(
        f"<section><h2>{name}</h2><ul>{''.join(card(number) for number in range(4 * k, 4 * k + 4))}</ul></section>"
        for k, name in enumerate(("North", "Centre", "South"))
    )
    result = extract(f"<body><h1>Hotels</h1>{sections}")
    assert len(texts(result)) == 12
    assert result.main is not None
    groups = {str(record["group"]) for record in result.main if "group" in record}
    assert groups == {"North", "Centre", "South"}


def test_a_gallery_of_images_is_a_list() -> None:
    images = "".join(
        f'<a class="thumb" href="/photo/{number}"><img src="/thumbs/{number}.jpg" width="200"></a>'
        for number in range(12)
    )
    result = extract(f"<body><h1>Photos of our trip</h1><div class=gallery>{images}</div><p>Taken in May 2026.</p>")
    assert result.main is not None
    assert len(result.main) == 12
    assert result.main[3].url is not None
    assert result.main[3].url.text == "/photo/3"


@pytest.mark.parametrize("count", [3, 4, 5])
def test_few_records_with_much_in_each_are_trusted(count: int) -> None:
    menu = "".join(f"<li><a href='/{name}'>{name}</a>" for name in ("Home", "Hotels", "Flights", "Contact", "Help"))
    cards = "".join(card(number) for number in range(count))
    result = extract(f"<body><nav><ul>{menu}</ul></nav><main><h1>{count} hotels found</h1><ul>{cards}</ul></main>")
    assert result.main is not None
    assert len(result.main) == count
    assert result.main.confidence >= 0.5


def test_related_items_under_a_product_are_not_the_main_list() -> None:
    menu = "".join(f"<li><a href='/{name}'>{name}</a>" for name in ("Women", "Men", "Children", "Sale", "Help"))
    facts = "".join(f"<tr><th>{name}<td>{NOTES[k][:18]}" for k, name in enumerate(("Weight", "Drop", "Colour", "Sole")))
    related = "".join(card(number) for number in range(4))
    result = extract(
        "<head><title>Trail shoe 4 | Shop</title><meta property='og:type' content='product'>"
        "<link rel=canonical href='https://shop.example/products/trail-shoe-4'>"
        '<script type=\'application/ld+json\'>{"@type": "Product", "name": "Trail shoe 4"}</script></head>'
        f"<body class=single-product><nav><ul>{menu}</ul></nav><main><h1>Trail shoe 4</h1><img src=/shoe.jpg>"
        f"<p class=price>€129</p><form><select><option>42<option>43</select><button>Add to basket</button></form>"
        f"<h2>Description</h2><p>{' '.join(NOTES)}</p><p>{' '.join(NOTES[::-1])}</p><table>{facts}</table>"
        f"<aside class=related><h2>You may also like</h2><ul>{related}</ul></aside></main>"
        f"<footer><p>Open on weekdays from nine to five.</p></footer>"
    )
    assert result.main is None or result.main.confidence < 0.5


def test_prose_is_an_article_and_says_how_probable_that_is() -> None:
    paragraphs = "".join(f"<p>{' '.join(NOTES[k % 5 :] + NOTES[: k % 5])} {CITIES[k]}.</p>" for k in range(8))
    result = extract(
        "<head><meta property='og:type' content='article'></head>"
        f"<body><article><h1>What we saw in Portugal</h1>{paragraphs}</article>"
    )
    assert result.verdict == "article"
    assert result.main is None
    assert result.verdict_confidence is not None
    assert 0.5 < result.verdict_confidence <= 1


def test_where_records_begin_is_said_to_be_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    page = read_page(f"<body><div>{''.join(flat_homes())}</div>")
    assert ReasonCode.PHASE not in {reason.code for reason in find_lists(page).regions[0].reasons}
    monkeypatch.setattr(phase, "OPTIONS", phase.PhaseOptions(max_doubt=100.0))  # every other start is as good
    main = find_lists(page).regions[0]
    (doubt,) = [reason for reason in main.reasons if reason.code == ReasonCode.PHASE]
    assert "it is in doubt where records begin" in doubt.detail
    assert main.confidence <= auto.MAX_DOUBTFUL_CONFIDENCE


@pytest.mark.parametrize(
    "image", ['<img src="data:image/gif;base64,R0" data-src="/{}.jpg">', '<img srcset="/{}.jpg 2x">']
)
def test_a_gallery_of_images_that_are_loaded_late_is_a_list(image: str) -> None:
    images = "".join(f'<li><a href="/photo/{number}">{image.format(number)}</a></li>' for number in range(12))
    result = extract(f"<body><ul>{images}</ul>")
    assert result.main is not None
    assert len(result.main) == 12


def test_the_pictures_of_a_gallery_keep_their_links() -> None:
    images = "".join(
        f'<li><a href="/photo/{number}"><picture><source srcset="/{number}.webp">'
        f'<img src="/{number}.jpg"></picture></a></li>'
        for number in range(12)
    )
    main = extract(f"<body><ul>{images}</ul>").main
    assert main is not None
    assert main[3].url is not None
    assert main[3].url.text == "/photo/3"


def test_help_links_of_a_page_that_refuses_access_are_not_its_list() -> None:
    links = "".join(f'<li><a href="/help/{name}">Help with {name}</a>' for name in CITIES[:5])
    result = extract(
        f"<body><h1>Access denied</h1><p>You do not have permission to access this page.</p><ul>{links}</ul>"
    )
    assert (result.verdict, result.main) == ("blocked", None)
    assert all("menu" not in str(reason) for reason in result.reasons)
