from __future__ import annotations

import pytest
from hypothesis import given

from generated import trees
from peneira.page import Page, Rows
from peneira.sources.html import read_page
from work_counter import lines_executed


def content(page: Page) -> list[tuple[str, int, str, dict[str, str], bool]]:
    return [
        (page.name(i), int(page.parent[i]), page.text[i], dict(page.attrs[i]), page.spaced[i]) for i in range(len(page))
    ]


def test_a_node_as_html():
    page = read_page('<div class="a&quot;b">x &lt; y<br><b>z</b></div>')
    assert page.html(3) == '<div class="a&quot;b">x &lt; y<br><b>z</b></div>'
    assert page.html(4) == "x &lt; y"


def test_attributes_are_written_alike_with_and_without_the_kernel():
    html = '<p class="a&amp;b" title="&lt;&quot;&gt;&nbsp;\u00c2&#13;\u00e9" data-\u00e9="" hidden>x</p>'
    page = read_page(html)
    columns = page.lists
    plain = Page(Rows(list(page.tag_names), columns.tag, columns.parent, page.text, list(page.attrs), page.spaced))
    assert plain.html() == page.html()
    assert '<p class="a&amp;b" title="&lt;&quot;&gt;&nbsp;\u00c2&#13;\u00e9" data-\u00e9="" hidden="">' in page.html()


def test_the_whole_document_keeps_its_doctype():
    html = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><p>x</p>'
    assert read_page(html).html().startswith('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"')


@pytest.mark.parametrize(
    "html",
    [
        "<script>if (a < b && c) d()</script>",
        "<pre>\n\nkept</pre><textarea>\n\nkept</textarea>",
        "12<!-- -->3 <!-- --> <b>x</b> <!-- -->y",
        "a&nbsp;b &amp;amp; &lt;p&gt;",
        "<p title='\"&amp;&nbsp;'>x",
        "<template><p>x</p> y</template>",
        "<svg viewBox='0 0 1 1'><path d='M0'/></svg>",
        "<noscript><p>x</p></noscript>",
        "<table><tr><td>a</td> <td>b</td></tr></table>",
        "a&#13;b",
        "<p>x</p><plaintext>a</b> & c",
    ],
)
def test_parsing_the_html_again_gives_the_same_table(html: str):
    page = read_page(html)
    assert content(read_page(page.html())) == content(page)


@given(trees())
def test_every_sane_tree_survives_the_round_trip(html: str):
    page = read_page(html)
    assert content(read_page(page.html())) == content(page)


def test_real_pages_survive_the_round_trip(corpus_files):
    changed = [file.name for file in corpus_files[::3] if not survives(read_page(file))]
    # What HTML cannot express (nested links, forms in forms, text after </plaintext>) changes once, and only once
    assert len(changed) <= 0.05 * len(corpus_files[::3]), changed


def survives(page: Page) -> bool:
    return content(read_page(page.html())) == content(page)


def test_noscript_elements_in_each_other_are_written_in_linear_time():
    def work(count: int) -> int:
        page = read_page("<body>" + "<noscript><style>a{}</style>" * count)
        return lines_executed(lambda: page.html())

    assert work(400) < 3 * work(200)
