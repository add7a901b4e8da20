"""The tree we read is the tree a real Chromium builds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from peneira.page import Page
from peneira.sources.chromium import find
from peneira.sources.html import read_page

# All nodes of the document in order: [tag or #text, depth, text]. Scripts are off, so noscript has children
WALK = """() => {
  const rows = [];
  const visit = (node, depth) => {
    if (node.nodeType === 3 && /[^ \\t\\n\\f\\r]/.test(node.data)) rows.push(['#text', depth, node.data]);
    if (node.nodeType !== 1) return;
    rows.push([node.localName, depth, '']);
    const inner = node.localName === 'template' ? node.content : node;
    for (const child of inner.childNodes) visit(child, depth + 1);
  };
  visit(document.documentElement, 0);
  return rows;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    flags = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=flags)
        yield browser
        browser.close()


def rows_of(page: Page) -> list[list[object]]:
    return [[page.name(i), int(page.depth[i]), page.text[i]] for i in range(len(page))]


def chromium_rows(browser: Browser, html: str) -> list[list[object]]:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.route("**/*", lambda route: route.abort())
    page.set_content(html, wait_until="domcontentloaded")
    session = context.new_cdp_session(page)
    answer = session.send("Runtime.evaluate", {"expression": f"({WALK})()", "returnByValue": True})
    context.close()
    return answer["result"]["value"]


@pytest.mark.parametrize(
    "html",
    [
        "<!DOCTYPE html><table>x<tr><td>a<td>b<p>c</table>d",
        "<!DOCTYPE html><p>one<p>two<b>bold<p>still bold</b>not",
        "<!DOCTYPE html><ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>d<dd>e</dl>",
        "<!DOCTYPE html><a href=1>x<a href=2>y</a><form><form>z</form>",
        "<!DOCTYPE html><svg><path/><foreignObject><p>in</p></foreignObject></svg><math><mi>x</mi></math>",
        "<!DOCTYPE html><template><p>t</p></template><noscript><p>n</p></noscript>",
        "<p>quirks<table><tr><td>stays inside",
    ],
)
def test_our_tree_is_chromiums(browser: Browser, html: str):
    assert rows_of(read_page(html)) == chromium_rows(browser, html)


def test_our_tree_of_the_sample_is_chromiums(browser: Browser, sample: Path):
    assert rows_of(read_page(sample)) == chromium_rows(browser, sample.read_text(encoding="utf-8"))
