"""What repeats like a list but is none."""

from __future__ import annotations

import pytest

import peneira

WORDS = "sofas beds desks shelves lamps rugs chairs stools".split()
LINKS = [f"<a href=/{word}>{word}</a>" for word in WORDS]


def records(html: str) -> list[str]:
    main = peneira.extract(html).main
    return [record.text for record in main.records] if main else []


@pytest.mark.parametrize(
    "pager",
    [
        "<button>Previous</button><button>Next</button>",
        "<a href='?page=1'>Previous page</a> <a href='?page=3'>Next page</a>",
        "<a href='?page=1'>«</a> <a href='?page=3'>»</a>",
        "<ul><li><a href='?page=1'>1</a><li><a href='?page=2'>2</a><li><a href='?page=3'>3</a></ul>",
        "<a href='?p=1'>Zurück</a> <a href='?p=3'>Weiter</a>",
    ],
)
def test_a_pager_on_a_page_without_records_is_no_list(pager: str):
    assert records(f"<h1>Search</h1><p>Nothing was found.</p><div>{pager}</div>") == []


def test_links_in_running_text_are_no_list():
    text = " and for smaller rooms we also keep ".join(LINKS)
    assert records(f"<h1>Furniture</h1><p>Furnish every room with {text}.</p>") == []


@pytest.mark.parametrize(
    "links",
    ["<p>" + " | ".join(LINKS) + "</p>", "<p>" + "<br>".join(f"{k} {link}" for k, link in enumerate(LINKS)) + "</p>"],
)
def test_links_with_separators_or_line_breaks_may_be_a_list(links: str):
    (first, *_) = peneira.extract(f"<h1>Furniture</h1>{links}").regions
    assert first.confidence > 0.1
