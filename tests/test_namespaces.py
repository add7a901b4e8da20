"""The namespace column of the node table, and the table written as HTML and read again by other parsers."""

from __future__ import annotations

import json
import warnings
from base64 import b64decode
from collections.abc import Iterator
from xml.etree import ElementTree

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutation_pages import MUTATION_PAGES
from peneira.namespaces import NAMESPACES
from peneira.page import Page, Rows
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from test_inert_text import INERT

# An element: namespace, name, attributes, then texts and elements
Node = tuple[str, str, dict[str, str], tuple["str | Node", ...]]
# By the last part of the address of a namespace
SPACES = {"xhtml": "html", "svg": "svg", "MathML": "math"}
# Trees that HTML cannot express: a form in a form, and elements of HTML that are read again as MathML
UNWRITABLE = ("<form><math><mtext></form>", "<table><mglyph>", "<table><malignmark>")
PAGES = [html for html in (*MUTATION_PAGES, *INERT) if not any(start in html for start in UNWRITABLE)]
# html5lib is of 2020: it has no templates, and allows nothing but options in a select
UNKNOWN_TO_HTML5LIB = ("<template>", "<select>")
# What makes and ends namespaces, raw text and tables, in any order
SOUP = [
    *(f"<{name}>" for name in ("svg", "math", "desc", "foreignObject", "mi", "mtext", "g", "p", "b", "table", "td")),
    *(f"</{name}>" for name in ("svg", "math", "desc", "mi", "g", "p", "style", "table")),
    "<annotation-xml encoding=text/html>", "<annotation-xml>", "<style>", "<title>", "<br>", "<font color=x>", "<a>",
    "<style>&lt;p></style>", "<xmp><p></xmp>", "x", " ", "&lt;", "<![CDATA[x<y]]>", "<!-- c -->",
]  # fmt: skip
# All pages parsed in one go, without running anything: per page, what tree_of returns
DUMP = """
<script id=pages type=application/json>%s</script><pre id=out></pre><script>
const spaces = {xhtml: "html", svg: "svg", MathML: "math"};
function dump(node) {
  const inner = [], source = node.localName === "template" && node.content || node;
  let text = "";
  const flush = () => { if (text.trim()) inner.push(text); text = ""; };
  for (const child of source.childNodes) {
    if (child.nodeType === 3) text += child.data;
    if (child.nodeType === 1) { flush(); inner.push(dump(child)); }
  }
  flush();
  const attrs = Object.fromEntries([...node.attributes].map(each => [each.name, each.value]));
  return [spaces[node.namespaceURI.split("/").pop()], node.localName.toLowerCase(), attrs, inner];
}
const pages = JSON.parse(document.getElementById("pages").textContent);
const trees = pages.map(page => dump(new DOMParser().parseFromString(page, "text/html").documentElement));
document.getElementById("out").textContent = btoa(unescape(encodeURIComponent(JSON.stringify(trees))));
</script>
"""


def spaces(page: Page) -> list[str]:
    return [f"{NAMESPACES[page.namespace[i]]} {page.name(i)}" for i in range(3, len(page)) if not page.is_text(i)]


def tree_of(page: Page, i: int = 0) -> Node:
    inner = tuple(page.text[k] if page.is_text(k) else tree_of(page, k) for k in page.children(i))
    return NAMESPACES[page.namespace[i]], page.name(i).lower(), dict(page.attrs[i]), inner


def by_html5lib(html: str) -> Node:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _of_etree(html5lib.parse(html, treebuilder="etree"))


def _of_etree(element: ElementTree.Element) -> Node:
    address, name = element.tag[1:].split("}")
    attrs = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
    return SPACES[address.rpartition("/")[2]], name.lower(), attrs, tuple(_contents(element))


def _contents(element: ElementTree.Element) -> Iterator[str | Node]:
    texts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            yield from filter(str.strip, ["".join(texts)])
            yield _of_etree(child)
            texts = []
        texts.append(child.tail or "")
    yield from filter(str.strip, ["".join(texts)])


def test_rows_have_the_namespace_of_the_parser():
    page = read_page("<svg><a></a><title><a></a></title></svg><math><mi><a></a></mi></math><a></a>")
    assert spaces(page) == ["svg svg", "svg a", "svg title", "html a", "math math", "math mi", "html a", "html a"]


def test_what_a_table_drops_into_mathml_stays_html():
    page = read_page("<math><mtext><table><mglyph><style>x</style></mglyph></table></mtext></math>")
    assert spaces(page) == ["math math", "math mtext", "html mglyph", "html style", "html table"]


def test_an_ordinary_page_is_html():
    page = read_page("<p>x<table><td>y</table>")
    assert (page.namespace.dtype, page.namespace.any()) == ("int8", False)


def test_a_page_of_rows_has_the_namespaces_that_its_html_would_have():
    page = read_page("<svg><desc><p>x</p></desc><style>y</style></svg>")
    columns = page.lists
    built = Page(Rows(list(page.tag_names), columns.tag, columns.parent, page.text, list(page.attrs), page.spaced))
    assert spaces(built) == spaces(page) == ["svg svg", "svg desc", "html p", "svg style"]


@pytest.mark.parametrize("html", PAGES)
def test_a_written_page_is_read_alike_by_lexbor_and_html5lib(html: str):
    page = read_page(html)
    assert tree_of(read_page(page.html())) == tree_of(page)
    if not any(start in html for start in UNKNOWN_TO_HTML5LIB):
        assert by_html5lib(page.html()) == tree_of(page)


def test_a_written_page_is_read_alike_by_chromium(browser: Browser):
    pages = [read_page(html) for html in PAGES]
    listed = json.dumps([page.html() for page in pages]).replace("<", "\\u003c")
    shown = browser.read(DUMP % listed)
    dumped = next(text for i, text in enumerate(shown.text) if text and shown.name(shown.lists.parent[i]) == "pre")
    read = json.loads(b64decode(dumped))
    assert read == json.loads(json.dumps([tree_of(page) for page in pages]))


def test_rows_of_a_browser_have_its_namespaces(browser: Browser):
    html = "<svg><a></a><foreignObject><a></a></foreignObject></svg><math><mi><a></a><svg></svg></mi></math><a></a>"
    assert spaces(browser.read(f"<body>{html}")) == spaces(read_page(f"<body>{html}"))


def test_foreign_text_that_a_script_moved_into_html_is_escaped(browser: Browser):
    moved = "s = document.querySelector('svg style'); document.body.append(s)"
    page = browser.read(f"<body><svg><style>&lt;b&gt;</style></svg><script>{moved}</script>")
    assert "<style>&lt;b&gt;</style></body>" in page.html()


@given(st.lists(st.sampled_from(SOUP), max_size=14).map("".join))
def test_a_tree_that_html_can_express_keeps_its_namespaces(html: str):
    page = read_page(html)
    again = read_page(page.html())
    if again.html() == page.html():
        assert tree_of(again) == tree_of(page)
