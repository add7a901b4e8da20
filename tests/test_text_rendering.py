"""Blocks of a page written as text: plain and in Markdown."""

from __future__ import annotations

import pytest

from peneira.sources.html import read_page
from peneira.texts import text_blocks
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_rendering import rendered_text
from work_counter import lines_executed


def rendered(html: str, *, markdown: bool = True, by_item: bool = False, url: str | None = None) -> str:
    blocks = TextBlocks(read_page(html, url=url))
    return rendered_text(blocks, range(len(blocks)), markdown=markdown, by_item=by_item)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Title</h2><p>One <em>two</em> three", "## Title\n\nOne *two* three"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n    - c"),
        (
            "<p>a<ul><li><ul><li>b<li>c<ul><li>d</ul></ul><li>e<ul><li>f</ul></ul>",
            "a\n\n- b\n- c\n    - d\n- e\n    - f",
        ),
        ("<ul><li>a<pre>b</pre><ul><li>c<li>d</ul></ul>", "- a\n\n```\nb\n```\n\n- c\n- d"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<pre>if a:\n    b()</pre>", "```\nif a:\n    b()\n```"),
        ("<blockquote><p>so it is</blockquote>", "> so it is"),
        ("<p>a <code>x_y</code> b", "a `x_y` b"),
        ("<p><b>Audience</b><b>:</b> <b>all</b> of us", "**Audience: all** of us"),
        (
            "<p><i>a</i> <code>b</code> <code>c</code> <a href=http://d.example/>d</a>",
            "*a* `b` `c` [d](http://d.example/)",
        ),
        ("<p>one<br>two", "one  \ntwo"),
        ("<p>5 * 3_4 [x]", r"5 \* 3\_4 \[x\]"),
        ("<p># not a heading", r"\# not a heading"),
        ("<p>1. not an item", r"1\. not an item"),
        ("<p><b>bold </b>and", "**bold** and"),
        ("<p><a href=#top>up</a> <a href='javascript:x()'>run</a>", "up run"),
        ("<a href=http://a.example/x><h3>Card</h3><p>text</p></a>", "### [Card](http://a.example/x)\n\ntext"),
    ],
)
def test_markup_becomes_markdown(html: str, expected: str):
    assert rendered(html) == expected


def test_words_of_code_in_elements_of_their_own_stay_apart():
    html = "<pre><b>from</b><i> </i><b>a</b> <b>import</b> b:\n    <b>c</b><b>.d</b></pre>"
    assert rendered(html, markdown=False) == "from a import b:\n    c.d"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Sale", "New"), "Sale New"),
        (("4", ".2/", "10"), "4.2/ 10"),
        (("list.", "append", "(", "x", ",", "y", ")"), "list.append (x, y)"),
        (("#", "web"), "#web"),
        (("C#", "Java"), "C# Java"),
        (("Boots", ".NET", "It is done.", "more"), "Boots .NET It is done. more"),
        (("Boots", "(132)"), "Boots (132)"),
        (("Ann", "\u00a0", "Bob"), "Ann Bob"),
    ],
)
def test_signs_stand_against_their_words(parts: tuple[str, ...], expected: str):
    html = f"<p>{''.join(f'<span>{part}</span>' for part in parts)}"
    assert rendered(html, markdown=False) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_blocks, "text_lines", None)
        assert rendered(html, markdown=False) == expected


def test_lines_of_highlighted_code_stay_lines():
    lines = "<b>if</b> <b>a</b>:\n    <b>b</b>()\n\n\n<b>class</b> <b>C</b>:\n  <b>pass</b>\n"
    html = f"<pre><i></i><code>{lines}</code></pre> <b>d</b>"
    code = "if a:\n    b()\n\n\nclass C:\n  pass"
    assert rendered(html) == f"```\n{code}\n```\n\n**d**"
    assert rendered(html, markdown=False) == f"{code}\n\nd"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><div>if a:</div><div>    b()</div></pre>",
        "<pre><code><div class=x>if a:</div>\n<div class=x>    <b>b</b>()</div></code></pre>",
        "<pre><code><i class=line><b>if</b> <b>a</b>:</i><i class='x code-line'>    <b>b</b>()</i></code></pre>",
        "<pre><i class=line>if a:</i>\n<i class=line>    <b>b</b>()</i></pre>",
    ],
)
def test_code_whose_lines_are_elements_is_one_piece_of_code(html: str):
    assert rendered(html) == "```\nif a:\n    b()\n```"
    assert rendered(html, markdown=False) == "if a:\n    b()"


def test_a_heading_has_no_sign_of_its_link_to_itself():
    html = "<h2>Models<a href=#models>¶</a></h2><h2>C#</h2>"
    assert rendered(html) == "## Models\n\n## C#"
    assert rendered(html, markdown=False) == "Models\n\nC#"


def test_an_entity_that_the_page_shows_as_text_stays_text():
    assert rendered("<p>Write &amp;lt;b&amp;gt; and AT&amp;T") == "Write \\&lt;b\\&gt; and AT&T"


def test_a_data_table_is_a_table_of_markdown():
    html = "<table><tr><th>Name<th>Age<tr><td>Ana<td>31<tr><td>Bia | Bea<td>27</table>"
    assert rendered(html) == "| Name | Age |\n| --- | --- |\n| Ana | 31 |\n| Bia \\| Bea | 27 |"
    assert rendered(html, markdown=False) == "Name | Age\nAna | 31\nBia | Bea | 27"


def test_a_table_that_lays_out_a_page_is_text():
    assert rendered("<table><tr><td><p>One</p><p>Two</p></td></tr></table>") == "One\n\nTwo"


def test_links_are_absolute_and_safe():
    assert rendered("<p><a href='/a b)c'>x</a>", url="http://h.example/p") == "[x](http://h.example/a%20b%29c)"


def test_items_of_a_list_page_stand_apart_and_their_lines_together():
    card = "<div class=card><h3>{0}</h3><p>$ {1}</p></div>"
    html = "<div>" + card.format("Lamp", 3) + card.format("Chair", 9) + "</div>"
    assert rendered(html, markdown=False, by_item=True) == "Lamp\n$ 3\n\nChair\n$ 9"


def test_values_side_by_side_are_separate_words_but_coloured_code_is_not():
    assert rendered("<div><span>Lamp</span><span>$ 3</span></div>", markdown=False) == "Lamp $ 3"
    assert rendered("<pre><span>de</span><span>f</span></pre>", markdown=False) == "def"


def test_nothing_kept_is_an_empty_text():
    assert rendered_text(TextBlocks(read_page("<p>a")), [], markdown=False) == ""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Write <code>`date`</code> here", "Write `` `date` `` here"),
        ("<p>Write <code>a ``b`` <b>`</b></code>", "Write ``` a ``b`` ` ```"),
        ("<p>Write <code>date</code>", "Write `date`"),
    ],
)
def test_backticks_in_code_stay(html: str, expected: str):
    assert rendered(html) == expected


def test_posts_of_a_thread_have_a_rule_between_them_in_markdown():
    blocks = TextBlocks(read_page("<ul><li>Is it so?<p>I ask.</p><ul><li>first</ul></li><li>It is.</li></ul>"))
    page = blocks.page
    posts = [i for i in range(len(page)) if page.name(i) == "li" and page.depth[i] == 3]
    kept = range(len(blocks))
    expected = "Is it so?\n\nI ask.\n\n- first\n\n---\n\nIt is."
    assert rendered_text(blocks, kept, markdown=True, posts=posts) == expected
    assert "---" not in rendered_text(blocks, kept, markdown=False, posts=posts)


def test_marks_in_each_other_are_written_in_linear_time():
    def work(count: int) -> int:
        html = "<p>" + "<b>x<span>" * count
        return lines_executed(lambda: rendered(html))

    assert work(400) < 3 * work(200)


def test_links_around_deep_blocks_are_looked_for_in_linear_time():
    def work(count: int) -> int:
        html = "<div>" * count + "".join(f"<p>paragraph {k} of the text, with some words</p>" for k in range(count))
        return lines_executed(lambda: rendered(html))

    assert work(200) < 3 * work(100)
