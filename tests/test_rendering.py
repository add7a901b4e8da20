"""Pages that need a browser are rendered by one; the others are not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import peneira
from command import peneira as peneira_command
from peneira.errors import MissingBrowser, PeneiraError, RenderError
from peneira.extraction import Extractor, PageReader
from peneira.page import Page
from peneira.reasons import ReasonCode
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from peneira.sources.inputs import Source, named_sources, source_of
from peneira.sources.rendering import RENDER_MODES, Renderer
from peneira.texts.page_comparison import PageJudge, PageSummary
from sites import Answer, Site, serving

LAMPS = [{"name": f"Lamp {k}", "price": f"$ {k}.50"} for k in range(40)]
SHELL = """<!doctype html><title>Lamps</title><div id=app></div><script>
fetch('/lamps.json').then(r => r.json()).then(all => { document.getElementById('app').innerHTML =
  '<ul>' + all.map(one => `<li><h3>${one.name}</h3><b class=price>${one.price}</b></li>`).join('') + '</ul>'; });
</script>"""
OWN_SHELL = """<!doctype html><div id=app></div><script>document.getElementById('app').innerHTML =
  '<ul>' + [1, 2, 3, 4].map(k => `<li><h3>Lamp ${k}</h3><b>$ ${k}.50</b></li>`).join('') + '</ul>';</script>"""
LIST = "<ul>" + "".join(f"<li><b>Lamp {k}</b> <i>$ {k}.50</i>" for k in range(6)) + "</ul>"


class Unused(Browser):
    """A browser that must not be asked."""

    def read(self, *args: object, **named: object) -> Page:
        raise AssertionError("the page needs no browser")


@pytest.fixture
def site() -> Iterator[Site]:
    pages: dict[str, Answer | str] = {"/": SHELL, "/two": SHELL, "/lamps.json": Answer(json.dumps(LAMPS), "text/json")}
    with serving(pages) as site:
        yield site


def names_of(result: peneira.Extraction) -> list[str]:
    return [record.text for record in result.main.records] if result.main else []


def test_auto_shows_a_shell_in_a_browser_and_says_why(browser: Browser):
    result = peneira.extract(OWN_SHELL, render="auto", browser=browser)
    assert names_of(result) == [f"Lamp {k} $ {k}.50" for k in range(1, 5)]
    assert str(result.reasons[0]) == (
        "read as a browser renders it: script-shell: 0 characters of text, with 1 script and an empty <div id=app>; "
        "4 records, 0 characters of text without"
    )


def test_auto_leaves_a_page_with_a_list_alone():
    assert len(names_of(peneira.extract(LIST, render="auto", browser=Unused()))) == 6


def test_auto_leaves_an_empty_page_alone_that_a_browser_cannot_fill():
    assert peneira.extract("<p></p>", render="auto", browser=Unused()).verdict == "empty"


def test_never_is_the_default_and_calls_a_shell_a_shell():
    assert peneira.extract(OWN_SHELL).verdict == "script-shell"
    assert peneira.extract(OWN_SHELL, render="never", browser=Unused()).verdict == "script-shell"


def test_always_shows_every_page(browser: Browser):
    result = peneira.extract(LIST, render="always", browser=browser)
    assert len(names_of(result)) == 6
    assert str(result.reasons[0]) == "read as a browser renders it: asked for"


def test_a_shell_stays_one_where_there_is_no_browser_and_the_result_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PENEIRA_CHROMIUM", "/no/such/chromium")
    result = peneira.extract(OWN_SHELL, render="auto")
    assert result.verdict == "script-shell"
    assert "no Chromium is found" in str(result.reasons[-1])
    with pytest.raises(MissingBrowser):
        peneira.extract(LIST, render="always")


class Shop:
    """A site of shells, and a browser that fills them: what was asked of each, in order."""

    def __init__(self, rendered: str = LIST, error: PeneiraError | None = None) -> None:
        self.asked: list[str] = []
        self.answer, self.error = rendered, error

    def source(self, number: int, host: str = "shop.example") -> Source:
        url = f"https://{host}/{number}"
        return Source(url, url, lambda _: self._sent(number), lambda *_: self._rendered(number))

    def _sent(self, number: int) -> Page:
        self.asked.append(f"sent {number}")
        return read_page(OWN_SHELL)

    def _rendered(self, number: int) -> Page:
        self.asked.append(f"rendered {number}")
        if self.error:
            raise self.error
        return read_page(self.answer)


def test_a_site_that_needed_a_browser_once_gets_it_at_once():
    shop, extractor = Shop(), Extractor("auto", Renderer("auto", browser=Unused()))
    results = [
        extractor.extract(shop.source(number, host)).result
        for number, host in ((1, "shop.example"), (2, "www.shop.example"), (3, "else.example"))
    ]
    assert shop.asked == ["sent 1", "rendered 1", "rendered 2", "sent 3", "rendered 3"]
    assert [str(result.reasons[0]) for result in results[1:]] == [
        "read as a browser renders it: other pages of shop.example needed it (script-shell)",
        "read as a browser renders it: script-shell: 0 characters of text, with 1 script and an empty <div id=app>; "
        "6 records, 0 characters of text without",
    ]


def test_a_site_that_a_browser_shows_no_more_of_is_not_remembered():
    shop, extractor = Shop(rendered=OWN_SHELL), Extractor("auto", Renderer("auto", browser=Unused()))
    for number in (1, 2):
        extractor.extract(shop.source(number))
    assert shop.asked == ["sent 1", "rendered 1", "sent 2", "rendered 2"]


def test_a_page_of_a_remembered_site_is_read_as_it_was_sent_where_the_browser_fails():
    shop, extractor = Shop(), Extractor("auto", Renderer("auto", browser=Unused()))
    extractor.extract(shop.source(1))
    shop.error = RenderError("page", "it hangs")
    result = extractor.extract(shop.source(2)).result
    assert shop.asked[2:] == ["rendered 2", "sent 2"]
    assert (result.verdict, str(result.reasons[-1])) == (
        "script-shell",
        "a browser may show more (other pages of shop.example needed it (script-shell)), but: page: it hangs",
    )


def test_a_browser_that_is_not_there_is_looked_for_once():
    shop, extractor = Shop(error=MissingBrowser("no Chromium")), Extractor("auto", Renderer("auto", browser=Unused()))
    results = [extractor.extract(shop.source(number)).result for number in (1, 2)]
    assert shop.asked == ["sent 1", "rendered 1", "sent 2"]
    assert ["no Chromium" in str(result.reasons[-1]) for result in results] == [True, True]


def test_a_method_that_needs_boxes_gets_them_at_once():
    shop = Shop()
    judge = PageJudge(lambda page: PageSummary(page, "detail", ""))
    Renderer("auto", browser=Unused()).read(shop.source(1), judge, needs_boxes=True)
    Renderer("never").read(shop.source(2), judge, needs_boxes=True)
    assert shop.asked == ["rendered 1", "sent 2"]


def test_a_page_that_a_browser_has_shown_is_not_shown_again(browser: Browser):
    page = browser.read(LIST)
    for mode in RENDER_MODES:
        assert len(names_of(peneira.extract(page, method="area", render=mode, browser=Unused()))) == 6


def test_the_command_finds_the_records_of_a_shell_and_remembers_the_site(site: Site):
    done = peneira_command("extract", site.url(), site.url("/two"), "--format", "jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["source"] for row in rows] == [site.url()] * 40 + [site.url("/two")] * 40
    assert "read as a browser renders it: script-shell" in done.stderr
    assert "other pages of 127.0.0.1 needed it" in done.stderr
    assert done.returncode == 0
    assert site.asked.count("/") == 2 and site.asked.count("/two") == 1


CARD = "<article><img loading=lazy data-src=/${k}.png><h3>Lamp ${k}</h3><b>$ ${k}.50</b></article>"
CARDS = f"[1, 2, 3, 4, 5, 6].map(k => `{CARD}`).join('')"
FRAMED = "".join(f"<article><h3>Lamp {k}</h3><b>$ {k}.50</b></article>" for k in range(1, 7))


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Lamps</h1><div id=app></div><script>app.innerHTML = '<main>' + {CARDS} + '</main>'</script>",
        "<h1>Lamps</h1><x-shop></x-shop><script>"
        f"document.querySelector('x-shop').attachShadow({{mode: 'open'}}).innerHTML = {CARDS}</script>",
        "<h1>Lamps</h1><iframe src=/frame width=600 height=900></iframe>",
        f"<h1>Lamps</h1><div id=app></div><script>app.innerHTML = {CARDS}; const seen = new IntersectionObserver("
        "all => all.forEach(one => { if (one.isIntersecting) one.target.src = one.target.dataset.src; }));"
        "document.querySelectorAll('img').forEach(one => seen.observe(one))</script>",
    ],
    ids=["script", "shadow tree", "frame", "lazy images"],
)
def test_auto_finds_the_records_of_a_page_that_is_a_shell_as_it_was_sent(browser: Browser, site: Site, html: str):
    site.pages |= {"/": f"<!doctype html>{html}", "/frame": FRAMED}
    [source] = named_sources([site.url()])
    assert Extractor("auto", Renderer("never")).extract(source).result.verdict == "script-shell"
    with Extractor("auto", Renderer("auto", browser=browser)) as extractor:
        assert names_of(extractor.extract(source).result) == [f"Lamp {k} $ {k}.50" for k in range(1, 7)]


def test_a_reader_of_pages_renders_a_shell_and_leaves_other_pages_alone(browser: Browser, site: Site):
    site.pages["/list"] = LIST
    shell, plain = named_sources([site.url(), site.url("/list")])
    with PageReader(Renderer("auto", browser=browser)) as reader:
        assert reader.read(plain).page.layout is None
        assert "Lamp 7" in reader.read(shell).page.visible_text(0)


MENU = "<ul><li><a href=/>Home</a><li><a href=/lamps>Lamps</a><li><a href=/about>About us</a></ul>"
FOOTER = f"<footer><p>{'Two sisters who loved lamps above all began this shop in the year 1921. ' * 9}</p></footer>"
TWELVE = "Array.from({length: 12}, (_, k) => `<article><h3>Lamp ${k}</h3><b>$ ${k}.50</b></article>`).join('')"
FILL = f"<script>document.querySelector('#root').innerHTML = {TWELVE}</script>"
ROOT = "<div id=root></div>"


@pytest.mark.parametrize(
    "html",
    [
        f"{MENU}{ROOT}{FILL}",
        f"<header>{MENU}</header>{ROOT}<footer>{MENU}</footer>{FILL}",
        f"<nav>{MENU}</nav>{ROOT}{FOOTER}{FILL}",
        f"{MENU}{ROOT}{FILL.replace('<script>', '<script type=module>')}",
        f"<header>{MENU}</header><script type=module>"
        f"const main = document.createElement('main'); main.innerHTML = {TWELVE}; document.body.append(main)</script>",
        f"<header>{MENU}</header><main id=root><p>Loading...</p></main>{FILL}",
    ],
    ids=["menu", "header and footer", "long footer", "module", "no mount point", "loading"],
)
def test_auto_renders_a_shell_whatever_menu_it_has(browser: Browser, html: str):
    result = peneira.extract(f"<!doctype html><body>{html}", render="auto", browser=browser)
    assert names_of(result) == [f"Lamp {k} $ {k}.50" for k in range(12)]
    assert result.reasons[0].code == ReasonCode.RENDERED
    assert str(result.reasons[0]).startswith("read as a browser renders it: script-shell: 0 characters of text outside")


def test_the_reason_says_what_the_page_has_with_and_without_a_browser(browser: Browser):
    result = peneira.extract(f"{MENU}{ROOT}{FILL}", render="auto", browser=browser)
    assert str(result.reasons[0]) == (
        "read as a browser renders it: script-shell: 0 characters of text outside its navigation, with 1 script and an "
        "empty <div id=root>; 12 records, 3 links without"
    )


@pytest.mark.parametrize(
    ("shown", "problem"),
    [
        ("<h1>Oops</h1><p>Something went wrong. Please try again later.</p>", "the page says 'Something went wrong'"),
        ("<h2>We value your privacy</h2><button>Accept all cookies</button>", "blocked: consent: the page says"),
        ("<h1>Access denied</h1>", "blocked: denied: the page says"),
        ("", "3 links, 3 links without"),
    ],
    ids=["error", "consent", "denied", "nothing"],
)
def test_a_rendered_page_that_has_no_more_is_not_taken(browser: Browser, shown: str, problem: str):
    html = f"{MENU}{ROOT}<script>root.innerHTML = '{shown}'</script>"
    result = peneira.extract(html, render="auto", browser=browser)
    assert (result.verdict, result.main, result.reasons[-1].code) == ("script-shell", None, ReasonCode.KEPT_AS_SENT)
    assert f", as a browser shows no more: {problem}" in str(result.reasons[-1])


def test_a_rendered_text_is_taken_for_a_shell(browser: Browser):
    text = "The river rose again in the night and nobody slept. " * 8
    html = f"{MENU}{ROOT}<script>root.innerHTML = '<h1>The flood</h1>' + `<p>{text}</p>`.repeat(4)</script>"
    result = peneira.extract(html, render="auto", browser=browser)
    assert (result.verdict, result.reasons[0].code) == ("article", ReasonCode.RENDERED)


@pytest.mark.parametrize(
    "html",
    [
        f"<header>{MENU}</header><main>{LIST}</main>{'<script>1</script>' * 30}",
        f"{LIST}<div id=modal></div><script>1</script>",
    ],
    ids=["many scripts", "empty modal"],
)
def test_auto_leaves_a_static_list_beside_scripts_alone(html: str):
    assert len(names_of(peneira.extract(html, render="auto", browser=Unused()))) == 6


def test_a_page_of_a_remembered_site_that_is_blocked_in_the_browser_is_read_as_it_was_sent():
    shop, extractor = Shop(), Extractor("auto", Renderer("auto", browser=Unused()))
    extractor.extract(shop.source(1))
    shop.answer = "<h1>Access denied</h1>"
    result = extractor.extract(shop.source(2)).result
    assert shop.asked[2:] == ["rendered 2", "sent 2"]
    assert (result.verdict, result.reasons[-1].code) == ("script-shell", ReasonCode.KEPT_AS_SENT)


def test_a_reader_of_pages_keeps_a_page_of_which_a_browser_shows_no_more(browser: Browser):
    [shell, filled] = [
        source_of(f"{MENU}{ROOT}<script>root.innerHTML = '{shown}'</script>")
        for shown in ("<p>Failed to load</p>", "<p>A lamp of brass, made in 1921.</p>")
    ]
    with PageReader(Renderer("auto", browser=browser)) as reader:
        assert [reason.code for reason in reader.read(shell).reasons] == [ReasonCode.KEPT_AS_SENT]
        assert [reason.code for reason in reader.read(filled).reasons] == [ReasonCode.RENDERED]


def test_an_unknown_mode_says_which_there_are():
    with pytest.raises(
        ValueError, match="render='sometimes' is not a mode of rendering; write one of auto, never, always"
    ):
        peneira.extract(LIST, render="sometimes")  # type: ignore[arg-type]


def test_the_command_without_a_browser_says_that_scripts_fill_the_page(site: Site):
    done = peneira_command("extract", site.url(), "--render", "never")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"{site.url()}: no list of records: a page that its scripts fill (0 characters of text, with 1 script and an "
        "empty <div id=app>); --render auto or always reads it in a browser\n"
    )


def test_scrolling_shows_a_page_that_has_a_list_as_it_was_sent(site: Site):
    more = (
        "for (let k = 0; k < 4; k++) document.querySelector('ul').append(document.querySelector('li').cloneNode(true))"
    )
    tall = "<style>li { height: 400px }</style>"
    site.pages["/list"] = f"{tall}{LIST}<script>addEventListener('scroll', () => {{ {more} }}, {{once: true}})</script>"
    done = peneira_command("extract", site.url("/list"), "--scroll", "2", "--format", "jsonl")
    assert len(done.stdout.splitlines()) == 10
    assert "read as a browser renders it: asked for" in done.stderr


def test_scrolling_without_a_browser_is_wrong_usage(tmp_path: Path):
    done = peneira_command("extract", tmp_path / "x.html", "--render", "never", "--scroll", "3")
    assert done.returncode == 2
    assert "--scroll needs a browser" in done.stderr
