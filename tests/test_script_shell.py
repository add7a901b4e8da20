"""Pages that scripts fill are told from pages that have scripts."""

from __future__ import annotations

import json

import pytest

import peneira
from peneira.page import Page
from peneira.reasons import ReasonCode
from peneira.sources.html import read_page
from peneira.texts.script_shell import _noscript_text, script_shell_reason

MENU = "<ul><li><a href=/>Home</a><li><a href=/lamps>Lamps</a><li><a href=/about>About us</a></ul>"
LINKS = "<div><a href=/>Home</a> <a href=/lamps>Lamps</a> <a href=/about>About us</a></div>"
PROSE = "<p>Two sisters who loved lamps more than anything else in the world began this shop in the year 1921.</p>" * 6
LAMPS = "<ul>" + "".join(f"<li><b>Lamp {k}</b> <i>$ {k}.50</i>" for k in range(6)) + "</ul>"
CITIES = (
    "<ul>" + "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Porto", "Oslo", "Lima", "Riga", "Kyoto")) + "</ul>"
)
ROOT = "<div id=root></div><script src=app.js></script>"
SCRIPT = "<script src=app.js></script>"


@pytest.mark.parametrize(
    "html",
    [
        f"{MENU}{ROOT}",
        f"{LINKS}{ROOT}",
        f"<nav>{MENU}</nav>{ROOT}",
        f"<header>{MENU}</header>{ROOT}<footer>{PROSE}</footer>",
        f"<div class=site-header>{MENU}</div>{ROOT}<div class=footer>{PROSE}</div>",
        f"<div role=navigation>{MENU}</div>{ROOT}",
        f"{MENU}<main><div id=content><div></div></div></main>{SCRIPT}",
        f"{MENU}<app-root></app-root>{SCRIPT}",
        f"<header>{MENU}</header><main></main><script type=module src=app.js></script>",
        f"{MENU}<script type=module src=app.js></script>",
        f"{MENU}<script>{'go(); ' * 2000}</script>",
        f"{MENU}{SCRIPT * 5}",
        f"<header>{MENU}</header>{SCRIPT}",
        f"<header>{MENU}</header><main><p>Loading…</p></main>{SCRIPT}",
        f"{MENU}<main>{'<div class=card><div></div><div></div></div>' * 5}</main>{SCRIPT}",
        f"{MENU}{'<p class=skeleton-line></p>' * 3}{SCRIPT}",
        f"<noscript>You need to enable JavaScript to run this app.</noscript>{MENU}{SCRIPT}",
    ],
)
def test_a_page_of_scripts_and_a_menu_is_a_shell(html: str):
    result = peneira.extract(f"<!doctype html><body>{html}")
    assert (result.verdict, result.main) == ("script-shell", None)
    assert result.regions
    assert result.reasons[0].code == ReasonCode.SCRIPT_SHELL


def test_the_menu_of_a_shell_stays_among_its_lists_and_the_reasons_say_what_it_is():
    result = peneira.extract(f"{MENU}{ROOT}")
    assert [record.text for record in result.regions[0]] == ["Home", "Lamps", "About us"]
    assert [str(reason) for reason in result.reasons] == [
        "0 characters of text outside its navigation, with 1 script and an empty <div id=root>",
        "the best list, 3 records at /html[1]/body[1]/ul[1], is its menu",
    ]


@pytest.mark.parametrize(
    "html",
    [
        f"{LAMPS}<div id=modal></div>{SCRIPT}",
        f"{LAMPS}{ROOT}",
        f"{CITIES}<div id=modal></div>{SCRIPT}",
        f"<h1>Cities</h1>{CITIES}<div id=map></div>{SCRIPT}",
        f"{CITIES}{SCRIPT}",
        f"<header>{MENU}</header><main>{LAMPS}</main>{SCRIPT * 20}",
        MENU,
    ],
)
def test_a_static_list_beside_scripts_is_a_list(html: str):
    assert peneira.extract(f"<!doctype html><body>{html}").verdict == "list"


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Our shop</h1>{PROSE}{ROOT}",
        f"<div id=app style=display:none><h1>Our shop</h1>{PROSE}</div>{ROOT}",
        f"<h1>A kettle</h1><p>Red.</p><div id=cookie-banner></div>{SCRIPT}<script>{'go(); ' * 99}</script>"
        + "<p>"
        + "x" * 40,
        "<form><input name=user><input name=password type=password><button>Sign in</button></form>" + SCRIPT,
        f"<a href=1><img src=1.png></a><a href=2><img src=2.png></a>{SCRIPT}",
        f"<main><article><header><h2>A lamp</h2><p>It gives light and asks for little.</p></header></article>{SCRIPT}",
        f"<div class=header><h1>A lamp</h1><p>It gives light, and asks for little in return.</p></div>{SCRIPT}",
    ],
    ids=["prose", "hidden prose", "kettle", "form", "images", "header of an article", "class around the title"],
)
def test_a_page_with_content_is_no_shell(html: str):
    assert script_shell_reason(Page.from_html(f"<!doctype html><body>{html}")) is None


def test_a_page_without_scripts_is_no_shell():
    assert script_shell_reason(Page.from_html(f"<nav>{MENU}</nav><div id=root></div>")) is None


def test_a_shell_with_a_menu_that_carries_its_records_is_a_list():
    jobs = [
        {"title": f"{job} wanted", "companyName": f"Firm {k}", "url": f"/{k}"}
        for k, job in enumerate(("Cook", "Nurse", "Pilot"))
    ]
    state = json.dumps({"props": {"pageProps": {"jobs": jobs}}})
    html = f'{MENU}<div id=__next></div><script id=__NEXT_DATA__ type="application/json">{state}</script>{SCRIPT}'
    result = peneira.extract(html)
    assert result.main is not None
    assert [record["title"].text for record in result.main] == ["Cook wanted", "Nurse wanted", "Pilot wanted"]
    assert result.reasons[0].code == ReasonCode.EMBEDDED


def test_text_for_browsers_without_scripts_is_read_once_though_its_elements_are_nested():
    page = read_page(f"<body>{'<noscript><p>word</p>' * 500}")
    assert _noscript_text(page).count("word") == 500
