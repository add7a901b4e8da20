"""What is open in the studio: corrections of one list on several pages, names of wrappers, bounds."""

from __future__ import annotations

import pytest

from peneira import Page
from peneira.extraction import extract_all
from peneira.service.library import library_key, path_name
from peneira.studio import wrapper_pages
from peneira.studio.screen_wrapper import wrapper_of_screen
from peneira.studio.workspaces import OpenPage, Workspace
from peneira.studio.wrapper_pages import Trial, Trials
from peneira.wrappers.corrections import Rename
from peneira.wrappers.drift import CheckReport, CheckVerdict


def shop(page: int) -> str:
    rows = "".join(
        f"<li><h3><a href=/p/{k}>Oak chair number {k}</a></h3><b class=price>${k}.50</b></li>"
        for k in range(10 * page, 10 * page + 8)
    )
    return f"<h1>Chairs</h1><ul class=products>{rows}</ul>"


TOWNS = "<table><tr><th>Town<th>Ships" + "".join(f"<tr><td>Port {k}<td>{k}00" for k in range(1, 9)) + "</table>"


def workspace(*pages: tuple[str, str]) -> Workspace:
    read = [Page.from_html(html, url=url) for url, html in pages]
    results = extract_all(read)
    return Workspace(
        "test", tuple(OpenPage(page.url or "", page, result) for page, result in zip(read, results, strict=True))
    )


def names(opened: Workspace, index: int) -> tuple[str, ...]:
    region = opened.region(index, 1)
    return () if region is None else region.table.names


def test_a_correction_holds_for_the_same_list_on_all_pages_and_for_no_other():
    opened = workspace(
        ("https://shop.example/chairs", shop(1)),
        ("https://shop.example/chairs?page=2", shop(2)),
        ("https://ports.example/", TOWNS),
    )
    title = names(opened, 0)[0]
    others = names(opened, 2)
    opened.correct(0, 1, Rename(title, "chair"))
    assert [names(opened, k)[0] for k in (0, 1)] == ["chair", "chair"]
    assert names(opened, 2) == others
    opened.undo(1, 1)
    assert names(opened, 0)[0] == title


def test_a_wrapper_is_learned_from_the_pages_that_have_the_list():
    opened = workspace(("https://shop.example/chairs", shop(1)), ("https://ports.example/", TOWNS))
    assert wrapper_of_screen(opened, 1, 1).baseline.pages == 1
    main = wrapper_of_screen(opened, 1, 1).extract(opened.pages[1].page).main
    assert main is not None
    assert len(main) == 8


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.shop.example/", "shop.example/list"),
        ("https://shop.example/chairs", "shop.example/chairs"),
        ("https://shop.example/c/Oak%20Chairs/page/2", "shop.example/c-oak-20chairs-page"),
        ("https://shop.example/list/2024/index.html", "shop.example/list-index"),
    ],
)
def test_lists_of_one_host_are_named_after_their_paths(url: str, name: str):
    assert library_key(url, path_name(url)) == name


def test_trials_are_bounded_by_the_rows_of_their_pages(monkeypatch: pytest.MonkeyPatch):
    page = Page.from_html(shop(1))
    monkeypatch.setattr(wrapper_pages, "MAX_KEPT_ROWS", 2 * len(page))
    trials = Trials()
    kept = [trials.add(Trial("page", (page,), (), CheckReport(CheckVerdict.OK, (), 0, 1))) for _ in range(3)]
    assert [trials.get(name) is not None for name in kept] == [False, True, True]
