"""Which links lead to the other pages of a list: words, arrows, numbers, addresses, and what only looks like them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import get_args
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from command import peneira as peneira_command
from peneira import Page
from peneira.lists.page_addresses import page_step
from peneira.lists.pager_links import PagerLinks
from peneira.lists.paging import find_paging
from peneira.lists.paging_words import WORDS
from peneira.result import NO_PAGING, Paging, PagingKind

HERE = "http://shop.example/lamps"
RECORDS = "<ul>" + "".join(f"<li><h3>Lamp {k}</h3> <b class=price>R$ 1{k},50</b>" for k in range(4)) + "</ul>"


# What hostile pages are made of
PIECES = [
    "<a href='?page=" + "9" * 5000 + "'>Next</a>", "<a href='http://[/?page=2'>2</a>", "<a href='//['>3</a>", "<p>",
    "<a href='?page=1'>1</a>", "<a href='?page=2'>2</a>", "<a href=''>»</a>", "<a>next</a>", "<a href='?p=²'>²</a>",
    "1 ", "<a rel=next>", "<select name=page><option value=1>1<option value=٢>٢</select>", "</div>",
    "<button>Load more", "<link rel=next href='?page=x'>", "<div class=pager>", "<table><td>", "<a href='%'>3</a>",
    "<a href='?page=٣'>٣</a>", "<input type=submit value=' '>", "<a href=/>&emsp;</a>",
    "<input type=submit value='&nbsp;'>",
]  # fmt: skip


@given(
    st.sampled_from(
        ["http://a.example", "http://a.example/b/c.html?x=1#y", "http://a.example/b//c", "http://a.example/./b/"]
    ),
    st.text("ab/.?#=-;:%& ", min_size=1, max_size=12),
)
def test_addresses_are_resolved_as_by_the_standard_library(base: str, href: str):
    address = PagerLinks(Page.from_html("<p>x", url=base)).address(href)
    assert address is None or address == urljoin(base, href.strip()) or href.startswith(("http", "/"))


def paging_of(html: str, url: str | None = HERE) -> Paging:
    return find_paging(Page.from_html(RECORDS + html, url=url))


def ends(paging: Paging) -> tuple[str | None, str | None]:
    """Return the next and the previous address without what all addresses share."""
    next_url, previous_url = (url and url.removeprefix("http://shop.example") for url in (paging.next, paging.previous))
    return next_url, previous_url


def test_numbered_links_are_pages_and_the_current_one_may_be_plain_text():
    paging = paging_of("<p><a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>3</a> … <a href='?page=9'>9</a>")
    assert paging.pages == {1: f"{HERE}?page=1", 3: f"{HERE}?page=3", 9: f"{HERE}?page=9"}
    assert (paging.kind, paging.next, paging.onward) == ("numbered", None, f"{HERE}?page=3")


def test_pagers_above_and_below_the_list_are_one():
    pager = "<div class=pager><b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=2'>Next</a></div>"
    paging = find_paging(Page.from_html(pager + RECORDS + pager, url=HERE))
    assert (sorted(paging.pages), ends(paging)) == ([2, 3], ("/lamps?page=2", None))


@pytest.mark.parametrize(
    "words",
    [
        "Next", "Nächste Seite", "Suivant", "Siguiente »", "Próxima", "Pagina successiva", "volgende", "Nästa", "Næste",
        "Neste", "Seuraava", "Następna strona", "Další", "Következő", "Următoarea", "Следваща", "След.", "Наступна",
        "Sljedeća", "Naslednja", "Kitas puslapis", "Nākamā", "Järgmine", "Επόμενη σελίδα", "Sonraki", "التالي", "הבא",
        "صفحه بعدی", "अगला", "পরবর্তী", "ถัดไป", "Trang sau", "Berikutnya", "下一页", "下一頁", "次へ", "次のページ",
        "다음", "Següent", "შემდეგი", "»", "›", "&gt;", "&gt;&gt;", "▶", "→", "Next 20 results",
    ],
)  # fmt: skip
def test_the_next_page_is_found_by_words_and_arrows_of_many_languages(words: str):
    assert ends(paging_of(f"<p><a href='/lamps?page=2'>{words}</a>")) == ("/lamps?page=2", None)


@pytest.mark.parametrize(
    "address",
    ["?page=2", "/lamps/page/2/", "?start=20", "/lamps/2", "/lamps-2.html", "?p=2&sort=price", "/lamps/p2",
     "?offset=24", "/lamps;page-2", "?after=x8f3"],
)  # fmt: skip
def test_addresses_of_pages_take_many_forms(address: str):
    assert paging_of(f"<p><a rel=next href='{address}'>Next</a>").next is not None


def test_a_link_without_text_is_read_by_its_title_its_image_or_its_icon():
    for link in (
        "<a href='?page=2' title='Next page'></a>",
        "<a href='?page=2'><img src=r.png alt=next></a>",
        "<a href='?page=2' aria-label='Próxima página'><svg></svg></a>",
        "<a href='?page=2'><i class='fa fa-chevron-right'></i></a>",
        "<a href='?page=2'><svg><use href='#ArrowRightDarkIcon'></use></svg></a>",
        "<a href='?page=2' class=go-next></a>",
        "<ul><li class=next><a href='?page=2'><img src=r.png></a></ul>",
    ):
        assert ends(paging_of(link)) == ("/lamps?page=2", None), link


def test_arrows_to_the_left_lead_on_where_text_runs_from_right_to_left():
    html = "<html dir=rtl><body>{}<p><a href='?page=1'>→</a> <a href='?page=3'>←</a>"
    paging = find_paging(Page.from_html(html.format(RECORDS), url=f"{HERE}?page=2"))
    assert ends(paging) == ("/lamps?page=3", "/lamps?page=1")


def test_the_first_and_the_last_page_are_neither_next_nor_previous():
    html = (
        "<div class=pager><a href='?page=1'>« First</a> <a href='?page=4'>‹</a> <b>5</b> <a href='?page=6'>6</a> "
        "<a href='?page=6'>›</a> <a href='?page=9'>Last »</a></div>"
    )
    assert ends(paging_of(html, url=f"{HERE}?page=5")) == ("/lamps?page=6", "/lamps?page=4")


def test_of_two_arrows_the_one_beside_the_numbers_is_the_next_page():
    numbers = "<b>1</b> <a href='?p=2'>2</a> <a href='?p=3'>3</a>"
    html = f"<div class=pager>{numbers} <a href='?p=2'>›</a> <a href='?p=9'>»</a></div>"
    assert ends(paging_of(html)) == ("/lamps?p=2", None)


def test_older_posts_lead_on_where_the_site_calls_them_previous():
    html = (
        "<div class=nav-previous><a href='/page/3/'>← Older posts</a></div>"
        "<div class=nav-next><a href='/'>Newer posts →</a></div>"
    )
    paging = paging_of(html, url="http://shop.example/page/2/")
    assert (ends(paging), paging.onward) == (("/", "/page/3/"), "http://shop.example/page/3/")


def test_older_posts_are_the_next_page_where_nothing_says_previous():
    assert ends(paging_of("<a href='/page/2/'>Older posts</a>", url="http://shop.example/")) == ("/page/2/", None)


def test_the_head_counts_where_no_link_on_the_page_leads_on():
    html = f"<head><link rel=next href='?page=2'></head><body>{RECORDS}"
    paging = find_paging(Page.from_html(html, url=HERE))
    assert (paging.next, paging.kind) == (f"{HERE}?page=2", "link")


def test_the_last_page_of_a_pager_has_no_next_page_whatever_its_head_says():
    html = (
        f"<head><link rel=next href='?page=4'></head><body>{RECORDS}<div class=pager><a href='?page=2'>Previous</a> "
        "<a href='?page=1'>1</a> <a href='?page=2'>2</a> <b>3</b></div>"
    )
    paging = find_paging(Page.from_html(html, url=f"{HERE}?page=3"))
    assert (ends(paging), paging.onward) == ((None, "/lamps?page=2"), None)


def test_a_disabled_link_leads_nowhere():
    assert ends(paging_of("<ul class=pager><li class=disabled><a href='?page=2'>Next</a></ul>")) == (None, None)


def test_a_button_without_an_address_says_that_the_number_after_this_one_is_next():
    html = (
        "<div class=pager><b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a> <button class=next></button></div>"
    )
    assert ends(paging_of(html)) == ("/lamps?page=2", None)


def test_a_box_to_choose_a_page_from_has_its_addresses():
    html = "<select><option value='/lamps?page=1'>Page 1<option value='/lamps?page=2'>Page 2</select>"
    paging = paging_of(html)
    assert (paging.kind, paging.pages) == ("numbered", {1: f"{HERE}?page=1", 2: f"{HERE}?page=2"})


def test_a_box_in_a_form_has_the_addresses_that_the_form_asks_for():
    html = "<form action=/lamps><select name=page><option value=1>1<option value=2>2</select></form>"
    assert paging_of(html).pages == {1: f"{HERE}?page=1", 2: f"{HERE}?page=2"}


@pytest.mark.parametrize(
    "html",
    [
        "<nav class=post-navigation><a rel=prev href='/day-out'>A day out</a> <a rel=next href='/rain'>Rain</a></nav>",
        "<div class=pagination><a rel=next href='/rain-and-more-rain'>Rain and more rain in the north</a></div>",
        "<p><a href='/news/201639/'>&lt; 次の記事</a>",
        "<p><a href='/rain'>Next article</a>",
        "<div class=pager><a href='/2017/rain.html'>Older Post</a></div>",
        "<div class=carousel><a class=next href='?slide=2'>Next</a></div>",
        "<a class=next href='#carousel'>Next</a>",
        "<div class=calendar><a href='?month=5'>»</a></div>",
        "<p>Show <a href='?limit=1'>1</a> <a href='?limit=2'>2</a> <a href='?limit=3'>3</a> a page",
        "<p>Show <a href='/lamps/10'>10</a> <a href='/lamps/20'>20</a> <a href='/lamps/50'>50</a>",
        "<p><a href='/2014/'>2014</a> <a href='/2015/'>2015</a> <a href='/2016/'>2016</a>",
        "<p><a href='/'>Back to the shop</a> <a href='/home'>Back</a>",
        "<p><a href='/why-next-matters'>What comes next</a>",
        "<p><a href='http://other.example/?page=2'>Next</a>",
        "<a href='/lamps/comment-page-1/#comments' class=prev>« Older Comments</a>",
    ],
)
def test_what_only_looks_like_a_pager_is_none(html: str):
    assert paging_of(html) == NO_PAGING


def test_the_days_of_a_calendar_are_no_pages():
    cells = "".join(
        "<tr>" + "".join(f"<td><a href='/d/{w * 7 + d}'>{w * 7 + d}</a>" for d in range(1, 8)) for w in range(4)
    )
    assert paging_of(f"<table>{cells}</table>") == NO_PAGING


def test_pages_of_threads_inside_the_records_are_not_those_of_the_list():
    row = "<li><h3>Thread {0} about the care of lamps</h3> <a href='/t/{0}?page=2'>2</a> <a href='/t/{0}?page=3'>3</a>"
    pager = "<p><b>1</b> <a href='/forum?page=2'>2</a> <a href='/forum?page=2'>Next</a>"
    html = "<ul>" + "".join(row.format(k) for k in range(11, 17)) + "</ul>" + pager
    paging = find_paging(Page.from_html(html, url="http://shop.example/forum"))
    assert paging.pages == {2: "http://shop.example/forum?page=2"}


def test_a_button_below_the_list_adds_records():
    for words in ("Load more", "Show more", "Mehr anzeigen", "もっと見る", "Показать ещё"):
        paging = peneira.extract(f"{RECORDS}<button>{words}</button>", url=HERE).paging
        assert (paging.kind, paging.next) == ("load-more", None), words


def test_a_button_that_expands_a_text_adds_no_records():
    html = "<p>A shop of lamps since 1890, in the third generation of the family.<button>Show more</button></p>"
    assert peneira.extract(html + RECORDS, url=HERE).paging == NO_PAGING


def test_a_link_that_loads_more_has_an_address():
    paging = paging_of("<a href='?page=2'>Load more</a>")
    assert (paging.kind, paging.next) == ("load-more", f"{HERE}?page=2")


def test_a_list_that_loads_when_it_is_scrolled_says_so():
    assert peneira.extract(f"<div data-infinite-scroll=1>{RECORDS}</div>", url=HERE).paging.kind == "scroll"


def test_reasons_say_in_words_why():
    paging = paging_of("<div class=pager><a href='?page=2'>Next</a></div>")
    assert [str(reason) for reason in paging.reasons] == [
        'next page: "Next" says so in words; differs from the address of this page in a number alone; '
        "is in an element that the page calls a pager"
    ]


def test_a_page_without_an_address_still_has_numbered_pages():
    numbers = "<b>1</b> <a href='/l?page=2'>2</a> <a href='/l?page=3'>3</a>"
    html = f"<div class=pager>{numbers} <a href='/l?page=2'>Next</a></div>"
    paging = paging_of(html, url=None)
    assert (paging.pages, paging.next) == ({2: "/l?page=2", 3: "/l?page=3"}, "/l?page=2")


def test_the_paging_of_a_result_is_found_once_and_survives_pickling():
    result = peneira.extract(f"{RECORDS}<a href='?page=2'>Next</a>", url=HERE)
    assert result.paging is result.paging
    assert pickle.loads(pickle.dumps(result)).paging == result.paging


@pytest.mark.parametrize("meaning", ["next", "previous", "more", "page"])
def test_words_are_known_in_at_least_thirty_languages(meaning: str):
    section = WORDS.read_text(encoding="utf-8").split(f"\n{meaning}:\n")[1].split("\n\n")[0]
    assert len({line.split()[0] for line in section.splitlines()}) >= 30


@pytest.mark.parametrize(
    ("own", "other", "step"),
    [
        ("/l", "/l?page=2", (None, 2)),
        ("/l?page=2", "/l", (2, 0)),
        ("/l/page/9/", "/l/page/10/", (9, 10)),
        ("/l/list_48_2.html", "/l/list_48_3.html", (2, 3)),
        ("/l?year=2014", "/l?year=2015", None),
        ("/l?q=lamps", "/l?q=chairs&page=2", None),
        ("/2016/03/", "/2016/04/", None),
        ("/rain", "/sun", None),
    ],
)
def test_addresses_of_one_list_differ_in_a_number_alone(own: str, other: str, step: tuple[int | None, int] | None):
    found = page_step(f"http://shop.example{own}", f"http://shop.example{other}")
    assert (found and (found.own, found.other)) == step


def test_the_command_says_the_next_page_and_why(tmp_path: Path):
    pager = "<div class=pager><a href='?page=2'>Next</a></div>"
    (tmp_path / "lamps.html").write_text(f"<base href='{HERE}'>{RECORDS}{pager}")
    done = peneira_command("extract", tmp_path / "lamps.html", "--explain")
    assert f"{tmp_path / 'lamps.html'}: next page: {HERE}?page=2\n" in done.stderr
    assert '  paging: next page: "Next" says so in words; has a page number in its address; ' in done.stderr


def test_nested_output_has_the_paging_of_each_page(tmp_path: Path):
    (tmp_path / "lamps.html").write_text(f"<base href='{HERE}'>{RECORDS}<p><a href='?page=2'>Next page</a>")
    done = peneira_command("extract", tmp_path / "lamps.html", "--sites", "nested", "--format", "json")
    (page,) = json.loads(done.stdout)
    assert page["paging"] == {
        "kind": "link", "confidence": page["paging"]["confidence"], "next": f"{HERE}?page=2", "previous": None,
        "onward": f"{HERE}?page=2", "pages": {}, "reasons": page["paging"]["reasons"],
    }  # fmt: skip


def test_addresses_with_long_numbers_are_compared():
    links = "".join(f"<a href='?id={'1' * k}&page={k}'>{k}</a>" for k in (1, 12, 13))
    page = f"<ul><li>A 1<li>B 2<li>C 3</ul><div class=pagination>{links}</div>"
    assert peneira.extract(page, url="https://a.example/").paging.kind in ("numbered", "none")


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_page_makes_paging_fail(pieces: list[str]):
    page = Page.from_html("".join(pieces), url=HERE)
    assert find_paging(page, None).kind in get_args(PagingKind)


def test_an_empty_page_has_no_paging():
    assert peneira.extract("").paging == NO_PAGING


def test_a_learned_wrapper_says_the_next_page_too():
    page = Page.from_html(f"{RECORDS}<a href='?page=2'>Next</a>", url=HERE)
    assert peneira.learn([page]).extract(page).paging.next == f"{HERE}?page=2"


# Pagers in the forms that systems in use give them: the address of the page, what is below the list, what leads on
PAGERS = [
    ("/l", "<a href='/l?start=20'>Next</a>", "/l?start=20"),
    ("/l;start=0", "<a href='/l;start=20'>Next</a>", "/l;start=20"),
    ("/l/0", "<a href='/l/20'>Next</a>", "/l/20"),
    ("/l/index.php", "<a href='/l/index.php?b_start:int=20'>Next</a>", "/l/index.php?b_start:int=20"),
    ("/c/lamps", "<a href='/c/lamps,2'>Next</a>", "/c/lamps,2"),
    ("/c/lamps", "<a href='/c/lamps/~page-2'>Next</a>", "/c/lamps/~page-2"),
    ("/l?sort=asc&page=2", "<a href='/l?page=3&sort=asc'>Next</a>", "/l?page=3&sort=asc"),
    ("/l", "<a href='/l?after=eyJpZCI6MTIzfQ'>Next</a>", "/l?after=eyJpZCI6MTIzfQ"),
    ("/l", "<a class='btn next' href='/l?pageToken=CAoQAA'>Next page</a>", "/l?pageToken=CAoQAA"),
    (
        "/l?after=abc",
        "<nav aria-label=Pagination><a aria-label='Previous page' href='/l?before=x'><svg></svg></a>"
        "<a aria-label='Next page' href='/l?after=d'><svg></svg></a></nav>",
        "/l?after=d",
    ),
    ("/l", "<link rel=next href='/l?after=abc'>", "/l?after=abc"),
    ("/l", "<a rel=next href='/l?page=2'>Continue</a>", "/l?page=2"),
    ("/l", "<div class=pager><a href='/l?page=2'><i class=material-icons>chevron_right</i></a></div>", "/l?page=2"),
    ("/l", "<div class=pager><a href='/l?page=2'><svg><use href='#arrow-right'/></svg></a></div>", "/l?page=2"),
    ("/l", "<div class=pager><a href='/l?page=2'><svg><title>Next</title></svg></a></div>", "/l?page=2"),
    ("/l", "<div class=pager><a href='/l?page=2'><img src='/i/arrow-right.png'></a></div>", "/l?page=2"),
    ("/l", "<a data-testid='pagination-next' href='/l?page=2'><svg></svg></a>", "/l?page=2"),
    ("/l", "<select><option value='/l?page=1' selected>1 of 2<option value='/l?page=2'>2 of 2</select>", "/l?page=2"),
    ("/l?page=2", "<form><select name=page><option>1<option selected>2<option>3</select></form>", "/l?page=3"),
    ("/l", "<p>Pages: 1 <a href='/l?page=2'>2</a></p>", "/l?page=2"),
    ("/l", "<p><b>01</b> <a href='/l?page=2'>02</a> <a href='/l?page=3'>03</a>", "/l?page=2"),
    ("/l", "<p class=pg><a href='#'>1</a> <a href='/l?page=2'>2</a> <a href='/l?page=3'>3</a>", "/l?page=2"),
    (
        "/l?page=5",
        "<ul><li><a href='/l?page=1'>1</a><li><a href='/l?page=3'>...</a><li><a href='/l?page=4'>4</a>"
        "<li><a href='/l?page=5'>5</a><li><a href='/l?page=6'>6</a><li><a href='/l?page=7'>...</a></ul>",
        "/l?page=6",
    ),
    # the next link leads to the next ten numbers
    ("/l", "<b>1</b> <a href='/l?page=2'>2</a> <a href='/l?page=3'>3</a> <a href='/l?page=11'>다음</a>", "/l?page=2"),
    ("/l", "<div dir=rtl><b>۱</b> <a href='/l?page=2'>۲</a> <a href='/l?page=3'>۳</a></div>", "/l?page=2"),
    ("/l", "<a href='/l?page=2'>次の20件</a>", "/l?page=2"),
    ("/l", "<a href='/l?page=2'>Показать ещё 24 товара</a>", "/l?page=2"),
    ("/l", "<a href='/l/page/2' class=btn>View more</a>", "/l/page/2"),
    ("/l", "<a href='/l?start=25'>Next 25 &gt;&gt;</a>", "/l?start=25"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "html", "onward"), PAGERS)
def test_pagers_of_many_systems_lead_on(path: str, html: str, onward: str):
    paging = paging_of(html, url=f"http://shop.example{path}")
    assert (paging.onward or "").removeprefix("http://shop.example") == onward


def scripted(html: str) -> tuple[PagingKind, str | None, dict[int, str]]:
    paging = peneira.extract(RECORDS + html, url=HERE).paging
    return paging.kind, paging.onward, dict(paging.pages)


@pytest.mark.parametrize(
    "html",
    [
        "<div class=pagination><button class=on>1</button><button>2</button><button>3</button></div>",
        "<div class=pagination><button disabled>Previous</button><button>Next</button></div>",
        "<div><button>1</button><button>2</button><button>3</button><button>Next</button></div>",
        "<ul class=pagination><li><a>1</a><li><a>2</a><li><a>3</a><li><a>»</a></ul>",
        "<td><span>1</span> <a href=\"javascript:__doPostBack('g','Page$2')\">2</a>"
        " <a href=\"javascript:__doPostBack('g','Page$3')\">3</a>",
        "<ul class=pages><li><a href='#'>1</a><li><a href='#'>2</a><li><a href='#'>3</a></ul>",
        "<nav aria-label='pagination navigation'><button>1</button><button aria-label='Go to page 2'>2</button></nav>",
        "<form method=post><input type=submit value='Next page'></form>",
        "<div class=pager><span role=button>1</span><span role=button>2</span><span role=button>3</span></div>",
        "<div class=pagination><a href='#!/page/2'>2</a><a href='#!/page/3'>3</a></div>",
    ],
)
def test_buttons_without_addresses_are_a_pager_of_a_script(html: str):
    assert scripted(html) == ("script", None, {})


@pytest.mark.parametrize(
    "html",
    [
        "<div class=qty><button>1</button><button>2</button><button>3</button></div>",
        "<form>Rate us: <button>1</button><button>2</button><button>3</button><button>4</button></form>",
        "<div class=carousel><button class=prev>Previous</button><button class=next>Next</button></div>",
        "<ul class=slick-dots><li><button>1</button><li><button>2</button><li><button>3</button></ul>",
        "<section aria-roledescription=carousel><button>1</button><button>2</button> <button>Next</button></section>",
        "<p>See <a href='#fn1'>1</a> <a href='#fn2'>2</a> <a href='#fn3'>3</a></p>",
        "<form><button type=submit>Next</button></form>",
    ],
)
def test_buttons_that_choose_something_else_are_no_pager(html: str):
    assert scripted(html) == ("none", None, {})


def test_more_below_the_list_leads_to_the_same_page_with_a_cursor():
    paging = peneira.extract(f"{RECORDS}<p><a href='?next=4729&n=31'>More</a></p>", url=HERE).paging
    assert (paging.kind, paging.onward) == ("load-more", f"{HERE}?next=4729&n=31")
    above = peneira.extract(f"<p><a href='?brand=4729'>More</a></p>{RECORDS}", url=HERE).paging
    assert above == NO_PAGING


def test_an_element_that_the_page_calls_a_button_adds_records_too():
    assert scripted("<div role=button>Load more results</div>") == ("load-more", None, {})


def test_a_link_that_says_the_same_to_readers_and_to_eyes_is_one_label():
    words = "<span>Go to next page</span><span>Next</span>"
    html = f"<nav><b>1</b> <a href='?page=2'>2</a> <a href='?page=2'>{words}</a></nav>"
    assert ends(paging_of(html)) == ("/lamps?page=2", None)
    article = "<nav class=pager><a href='?id=2'><span>Next</span><span>How lamps are made</span></a></nav>"
    assert ends(paging_of(article)) == (None, None)


def test_the_number_that_is_marked_is_that_of_this_page():
    links = " ".join(
        f"<li><a class='link{' linkActive' * (k == 2)}' href='/search?q=lamps&pn={k}'>{k}</a>" for k in (1, 2, 3)
    )
    paging = paging_of(f"<ul class=paging>{links}</ul>")
    assert (paging.kind, paging.onward) == ("numbered", "http://shop.example/search?q=lamps&pn=3")


def test_numbers_with_a_hidden_word_are_numbers():
    html = "<nav><a>Pagination <b>1</b></a> <a href='?page=2'>Pagination 2</a> <a href='?page=3'>Pagination 3</a></nav>"
    assert sorted(paging_of(html).pages) == [2, 3]


def test_ranges_of_records_are_pages_in_a_pager():
    links = "".join(f"<a href='?skip={k * 50}&show=50'>{k * 50 + 1}-{k * 50 + 50}</a> " for k in (1, 2, 3))
    html = f"<span>1-50</span> {links} ... <a href='?skip=1150&show=50'>1151-1195</a>"
    paging = paging_of(f"<div class=paging>Total of 1195: {html}</div>")
    assert {number: url.partition("?")[2] for number, url in paging.pages.items()} == {
        2: "skip=50&show=50",
        3: "skip=100&show=50",
        4: "skip=150&show=50",
        24: "skip=1150&show=50",
    }
    assert paging.onward == f"{HERE}?skip=50&show=50"
    assert paging_of(f"<div class=prices>{html}</div>").pages == {}


@pytest.mark.parametrize(
    "html",
    [
        "<div class=pager><a href='/'>Previous</a></div>",
        "<p><a href='/page/1237/lamps-of-all-kinds'>→ All about lamps and their makers</a>",
        "<p><a href='/articles/'>More articles</a>",
        "<ul class=pager><li><a href='?g=9&p=7518455'>&lt;&lt; Previous: Home</a></ul>",
    ],
    ids=["root", "arrow before a title", "section of a home page", "title after a colon"],
)
def test_links_with_a_word_of_pagers_to_something_else_are_none(html: str):
    paging = paging_of(html, "http://shop.example/lamps?g=9&p=7515773")
    assert (paging.next, paging.previous, paging.onward) == (None, None, None)


def test_the_first_page_may_be_the_root_of_the_site():
    html = "<div class=pager><a href='/'>Previous</a> <a href='/page/3/'>Next</a></div>"
    assert ends(paging_of(html, "http://shop.example/page/2/")) == ("/page/3/", "/")


def test_one_address_is_not_next_and_previous():
    html = "<nav class=pagination><b>1</b> <a href='/lamps/page/2/'>2</a> <a href='/lamps/page/2/'>Previous</a></nav>"
    page = Page.from_html(f"<link rel=next href='/lamps/page/2/'>{RECORDS}{html}", url=f"{HERE}/")
    assert ends(find_paging(page)) == ("/lamps/page/2/", None)


def test_a_link_of_the_pager_of_another_list_is_not_that_of_this_one():
    other = "<div class=pager hidden><a href='/forum-11-page-4'>« Previous</a> <a href='/forum-11-page-6'>6</a></div>"
    own = "<div class=pager><b>1</b> <a href='/thread-22-page-2'>2</a> <a href='/thread-22-page-2'>Next »</a></div>"
    assert ends(paging_of(other + own, "http://shop.example/thread-22")) == ("/thread-22-page-2", None)
