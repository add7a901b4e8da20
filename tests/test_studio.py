"""The studio in a real browser, used as a user does: with the mouse, the keyboard, on a phone."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from shop import open_shop
from sites import serving
from studio_server import Served, real_browser, serving_studio

JOBS = [("Cook", "Porto, PT", "EUR 1.200"), ("Nurse", "Lisbon, PT", "EUR 1.900"), ("Pilot", "Faro, PT", "EUR 3.400")]
JOBS += [
    ("Baker", "Braga, PT", "EUR 1.100"),
    ("Judge", "Coimbra, PT", "EUR 4.000"),
    ("Sailor", "Sines, PT", "EUR 1.500"),
]
MORE_JOBS = [(f"{title} II", place, pay) for title, place, pay in JOBS]


def job(title: str, place: str, pay: str, tag: str = "li") -> str:
    return (
        f'<{tag} class="job"><h3><a href="/jobs/{title.lower()}">{title}</a></h3>'
        f'<p class="place">{place}</p><p class="pay">{pay}</p></{tag}>'
    )


def site_page(jobs: list[tuple[str, str, str]], extra: str = "") -> str:
    items = "".join(job(*each) for each in jobs)
    links = "".join(f'<li><a href="/news/{k}">News about harbour number {k}</a></li>' for k in range(5))
    return (
        f"<html><title>Jobs</title><body><h1>Jobs</h1><main><ul class='jobs'>{items}{extra}</ul></main>"
        f"<aside><h2>News</h2><ul class='news'>{links}</ul></aside></body></html>"
    )


CHANGED = site_page(JOBS).replace('<p class="pay">', '<div class="money"><b>').replace("</p></li>", "</b></div></li>")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_studio(tmp_path_factory.mktemp("library")) as served:
        yield served


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with real_browser() as browser:
        yield browser


@pytest.fixture
def tab(chrome: Browser) -> Iterator[Page]:
    page = chrome.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(60_000)
    yield page
    page.close()


def open_html(tab: Page, server: Served, html: str) -> None:
    tab.goto(server.address)
    tab.get_by_text("Paste HTML").click()
    tab.locator("#html").fill(html)
    tab.locator("#url").fill("https://work.example/jobs")
    tab.get_by_role("button", name="Get the table").first.click()
    tab.wait_for_selector("#overlay .mark.cell")


def columns(tab: Page) -> list[str]:
    return tab.locator(".records thead th[data-column] summary span").all_inner_texts()


def column(tab: Page, number: int) -> list[str]:
    return tab.locator(f".records tbody td[data-column='{number}']").all_inner_texts()


def open_column(tab: Page, name: str) -> None:
    tab.locator(f"th[data-name='{name}'] summary").click()


def downloaded(tab: Page, label: str) -> Path:
    tab.locator("#download").click()
    with tab.expect_download() as started:
        tab.get_by_role("link", name=label, exact=True).click()
    return Path(started.value.path())


def csv_rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_demo_page_to_csv_in_three_clicks(tab: Page, server: Served):
    tab.goto(server.address)
    tab.get_by_role("button", name="Try the demo page").click()
    tab.locator("#download").click()
    with tab.expect_download() as started:
        tab.get_by_role("link", name="CSV", exact=True).click()
    rows = csv_rows(Path(started.value.path()))
    assert len(rows) == 16
    assert rows[0]["title"] == "Senior Backend Engineer"
    assert rows[0]["location"] == "Recife, PE"


def test_a_page_from_its_address_is_shown_beside_its_table(tab: Page, server: Served):
    with serving({"/jobs": site_page(JOBS)}) as site:
        tab.goto(server.address)
        tab.locator("#url").fill(site.url("/jobs"))
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#overlay .mark.cell")
    assert column(tab, 0) == [title for title, _, _ in JOBS]
    assert "Nurse" in tab.frame_locator("#frame").locator("body").inner_text()
    assert tab.locator("#overlay .mark.record").count() == 6


def test_a_dropped_file_and_several_pages_are_read(tab: Page, server: Served, tmp_path: Path):
    for name, jobs in (("one.html", JOBS), ("two.html", MORE_JOBS)):
        (tmp_path / name).write_text(site_page(jobs), encoding="utf-8")
    tab.goto(server.address)
    tab.locator("input[type=file]").set_input_files([tmp_path / "one.html", tmp_path / "two.html"])
    tab.wait_for_selector("#overlay .mark.cell")
    assert tab.locator(".pages a").all_inner_texts() == ["one.html", "two.html"]
    tab.locator("#download").click()
    with tab.expect_download() as started:
        tab.get_by_role("link", name="All pages: CSV").click()
    rows = csv_rows(Path(started.value.path()))
    assert [row["source"] for row in rows] == ["one.html"] * 6 + ["two.html"] * 6
    assert [row["title"] for row in rows] == [title for title, _, _ in JOBS + MORE_JOBS]


def test_the_other_pages_of_a_list_are_opened_with_a_click(tab: Page, server: Served):
    with open_shop() as shop:
        shop.products = shop.products[:60]
        tab.goto(server.address)
        tab.locator("#url").fill(shop.url())
        tab.get_by_role("button", name="Get the table").first.click()
        expect(tab.locator(".what h1")).to_have_text("Products, page 1")
        tab.locator("#next-page").click()
        expect(tab.locator(".what h1")).to_have_text("Products, page 2")
        tab.locator("#all-pages").click()
        expect(tab.locator(".pages a")).to_have_count(3)
        assert len(csv_rows(downloaded(tab, "All pages: CSV"))) == 60


def test_another_list_is_picked_from_the_ranking_and_by_a_click_in_the_page(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS))
    tab.locator("#lists").click()
    tab.locator(".lists a[data-list='2']").click()
    expect(tab.locator(".records tbody tr")).to_have_count(5)
    assert "News about harbour number 0" in column(tab, 0)[0]
    box = tab.locator("#stage").bounding_box()
    target = tab.frame_locator("#frame").locator("h3 a").nth(1).bounding_box()
    assert box is not None and target is not None
    tab.mouse.click(target["x"] + 3, target["y"] + 3)
    expect(tab.locator(".records tbody tr")).to_have_count(6)
    assert column(tab, 0)[1] == "Nurse"


def test_a_click_on_a_value_lights_up_its_column(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS))
    target = tab.frame_locator("#frame").locator(".pay").nth(2).bounding_box()
    assert target is not None
    tab.mouse.click(target["x"] + 3, target["y"] + 3)
    expect(tab.locator("#overlay .cell.on")).to_have_count(6)
    expect(tab.locator(".records tr.on")).to_have_count(1)


def test_a_value_that_no_column_shows_becomes_one_by_a_click(tab: Page, server: Served):
    items = "".join(job(*each).replace("</h3>", '</h3><p class="kind">Apply now</p>') for each in JOBS)
    open_html(tab, server, f"<body><main><ul>{items}</ul></main></body>")
    before = columns(tab)
    target = tab.frame_locator("#frame").locator(".kind").first.bounding_box()
    assert target is not None
    tab.mouse.click(target["x"] + 3, target["y"] + 3)
    expect(tab.locator("th[data-column]")).to_have_count(len(before) + 1)
    assert "Apply now" in column(tab, len(before))


def test_rename_split_retype_merge_move_hide_and_undo(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS))
    place = next(k for k in range(len(columns(tab))) if column(tab, k)[0] == "Porto, PT")
    name = columns(tab)[place]
    open_column(tab, name)
    tab.locator(f"th[data-name='{name}'] input[name=name]").fill("town")
    tab.keyboard.press("Enter")
    expect(tab.locator("th[data-name='town']")).to_be_visible()
    open_column(tab, "town")
    tab.locator("th[data-name='town'] input[name=separator]").fill(", ")
    tab.locator("th[data-name='town']").get_by_role("button", name="Split").click()
    expect(tab.locator("th[data-name='town_2']")).to_be_visible()
    assert column(tab, columns(tab).index("town_2")) == ["PT"] * 6
    open_column(tab, "town_2")
    tab.locator("th[data-name='town_2']").get_by_role("button", name="Hide").click()
    expect(tab.locator("th[data-name='town_2']")).to_have_count(0)
    open_column(tab, "title")
    tab.locator("th[data-name='title'] select[name=other]").select_option("town_1")
    tab.locator("th[data-name='title']").get_by_role("button", name="Merge").click()
    expect(tab.locator("th[data-name='town_1']")).to_have_count(0)
    assert column(tab, 0)[0] == "Cook Porto"
    tab.locator("#undo").click()
    expect(tab.locator("th[data-name='town_1']")).to_be_visible()
    first = columns(tab)[0]
    open_column(tab, first)
    tab.locator(f"th[data-name='{first}']").get_by_role("button", name="Right").click()
    expect(tab.locator("th[data-column='1']")).to_have_attribute("data-name", first)
    money = next(name for k, name in enumerate(columns(tab)) if column(tab, k)[0] == "EUR 1.200")
    open_column(tab, money)
    tab.locator(f"th[data-name='{money}'] select[name=type]").select_option("list")
    tab.locator(f"th[data-name='{money}']").get_by_role("button", name="Retype").click()
    expect(tab.locator(f"th[data-name='{money}'] summary small")).to_have_text("list")
    rows = json.loads(downloaded(tab, "JSON").read_text(encoding="utf-8"))
    assert rows[0]["title"] == "Cook"
    assert rows[0]["town_1"] == "Porto"
    assert rows[0][f"{money}_text"] == "EUR 1.200"
    assert "town_2" not in rows[0]


def test_a_correction_that_does_not_fit_says_why(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS))
    open_column(tab, "title")
    tab.locator("th[data-name='title'] input[name=separator]").fill("@@")
    tab.locator("th[data-name='title']").get_by_role("button", name="Split").click()
    expect(tab.locator("#toast")).to_contain_text("no value of title has '@@' in it")


def test_what_is_no_record_is_left_out(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS, job("Advert", "Anywhere, EU", "EUR 1")))
    expect(tab.locator(".records tbody tr")).to_have_count(7)
    tab.locator("tr[data-record='6'] th").hover()
    tab.get_by_role("button", name="Record 7 is no record").click()
    expect(tab.locator(".records tbody tr")).to_have_count(6)
    assert "Advert" not in column(tab, 0)


def test_learn_apply_to_page_two_see_drift_and_heal(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS))
    open_column(tab, "title")
    tab.locator("th[data-name='title'] input[name=name]").fill("position")
    tab.keyboard.press("Enter")
    expect(tab.locator("th[data-name='position']")).to_be_visible()
    tab.locator("#learn").click()
    tab.locator("#wrapper-name").fill("jobs")
    tab.get_by_role("button", name="Learn and save").click()
    tab.wait_for_url("**/wrappers/work.example/jobs")
    saved = json.loads((server.library / "work.example" / "jobs" / "wrapper.json").read_text(encoding="utf-8"))
    assert "position" in json.dumps(saved["corrections"])

    try_on(tab, site_page(MORE_JOBS))
    expect(tab.locator("#trial h2 .verdict")).to_have_text("ok")
    assert tab.locator("#trial thead th").first.inner_text() == "position"
    assert tab.locator("#trial tbody td").first.inner_text() == "Cook II"

    try_on(tab, CHANGED)
    expect(tab.locator("#trial h2 .verdict")).to_have_text("degraded")
    tab.locator("#heal").click()
    expect(tab.locator("#trial")).to_contain_text("Healed, and saved as the next version")
    assert "EUR 1.200" in tab.locator("#trial tbody").inner_text()
    assert tab.locator("#trial thead th").first.inner_text() == "position"
    expect(tab.locator(".versions tbody tr")).to_have_count(2)
    tab.goto(f"{server.address}wrappers")
    expect(tab.locator(".cards")).to_contain_text("version 2")


def try_on(tab: Page, html: str) -> None:
    tab.get_by_text("Paste HTML").click()
    tab.locator("#html").fill(html)
    tab.get_by_role("button", name="Read the page").last.click()
    tab.wait_for_url(re.compile("trial="))
    tab.wait_for_selector("#trial")


def test_item_and_text_views(tab: Page, server: Served):
    words = (
        "The harbour was quiet that morning, and the boats came in one after the other, slowly and without a sound. "
        * 8
    )
    html = f"<title>Quiet</title><body><article><h1>A quiet harbour</h1><p>{words}</p><p>{words}</p></article></body>"
    tab.goto(server.address)
    tab.get_by_text("Paste HTML").click()
    tab.locator("#html").fill(html)
    tab.get_by_role("button", name="Get the table").first.click()
    tab.get_by_role("link", name="Text", exact=True).click()
    expect(tab.locator(".prose .lines")).to_contain_text("The harbour was quiet")
    tab.get_by_role("link", name="Item", exact=True).click()
    expect(tab.locator(".fields")).to_contain_text("A quiet harbour")


def test_why_is_said_in_words(tab: Page, server: Served):
    open_html(tab, server, site_page(JOBS))
    tab.get_by_text("Why this list?").click()
    assert len(tab.locator(".why dd").all_inner_texts()) >= 2
    expect(tab.locator(".why")).to_contain_text("Runners-up: list 2")


def test_copy_as_code_makes_the_same_table(tab: Page, server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    open_html(tab, server, site_page(JOBS))
    open_column(tab, "title")
    tab.locator("th[data-name='title'] input[name=name]").fill("position")
    tab.keyboard.press("Enter")
    expect(tab.locator("th[data-name='position']")).to_be_visible()
    path = tab.evaluate("document.querySelector('a[data-copy][href*=python]').getAttribute('href')")
    code = server.send("GET", path).text
    (tmp_path / "page.html").write_text(site_page(JOBS), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    printed: list[object] = []
    exec(compile(code, "copied.py", "exec"), {"print": printed.append})
    assert [record["position"] for record in printed] == [title for title, _, _ in JOBS]  # type: ignore[index]
    scrapy = server.send("GET", path.replace("/python", "/scrapy")).text
    compile(scrapy, "scrapy.py", "exec")
    assert "SITE = Site(" in scrapy


def test_on_a_phone_the_table_comes_first_and_nothing_is_wider_than_the_screen(chrome: Browser, server: Served):
    phone = chrome.new_page(viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    phone.set_default_timeout(60_000)
    open_html(phone, server, site_page(JOBS))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    table, page = phone.locator(".pane.data").bounding_box(), phone.locator(".pane.seen").bounding_box()
    assert table is not None and page is not None and table["y"] < page["y"]
    phone.locator("th[data-name='title'] summary").tap()
    sheet = phone.locator("th[data-name='title'] .sheet").bounding_box()
    assert sheet is not None and sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= 390
    phone.close()


def test_everything_is_done_with_the_keyboard(tab: Page, server: Served):
    tab.goto(server.address)
    tab.keyboard.press("Tab")  # the address has the focus; what follows it is the button
    reach(tab, "Try the demo page")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#overlay .mark.cell")
    reach(tab, "company")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("th[data-name='company'] details[open]")
    tab.keyboard.press("Control+A")
    tab.keyboard.type("employer")
    tab.keyboard.press("Enter")
    expect(tab.locator("th[data-name='employer']")).to_be_visible()
    tab.evaluate("document.body.focus(); window.getSelection().removeAllRanges()")
    tab.locator("#main").focus()
    reach(tab, "Download")
    tab.keyboard.press("Enter")
    reach(tab, "CSV")
    with tab.expect_download() as started:
        tab.keyboard.press("Enter")
    assert "employer" in Path(started.value.path()).read_text(encoding="utf-8").splitlines()[0]


def reach(tab: Page, words: str) -> None:
    """Go on with the tab key until the element with these words has the focus."""
    for _ in range(80):
        text = tab.evaluate("document.activeElement.innerText || ''")
        if text.strip().split("\n")[0].strip().endswith(words) or text.strip().startswith(words):
            return
        tab.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not lead to {words}")


def test_dark_mode_has_dark_ground_and_light_letters(chrome: Browser, server: Served):
    dark = chrome.new_page(color_scheme="dark")
    dark.goto(server.address)
    ground = dark.evaluate("getComputedStyle(document.body).backgroundColor")
    letters = dark.evaluate("getComputedStyle(document.body).color")
    assert brightness(ground) < 60 < 180 < brightness(letters)
    dark.close()


def brightness(colour: str) -> float:
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def test_a_rendered_page_is_shown_as_a_picture_with_outlines(tab: Page, server: Served):
    tab.goto(server.address)
    tab.get_by_text("Paste HTML").click()
    tab.locator("#html").fill(site_page(JOBS))
    tab.get_by_label("Open it in a browser first").check()
    tab.get_by_role("button", name="Get the table").first.click()
    tab.wait_for_selector("#picture")
    tab.wait_for_selector("#overlay .mark.cell")
    mark = tab.locator("#overlay .mark.cell").first.bounding_box()
    assert mark is not None
    tab.mouse.click(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    expect(tab.locator("#overlay .cell.on").first).to_be_visible()


def test_no_request_leaves_the_server(tab: Page, server: Served):
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    open_html(tab, server, site_page(JOBS))
    assert {url for url in asked if not url.startswith((server.address, "data:"))} == set()
