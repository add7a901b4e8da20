"""Pages made to be slow or large: shapes by name, each as HTML of about a given number of characters.

``python tests/adversarial_pages.py FOLDER [CHARACTERS]`` writes all of them as files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

Shape = Callable[[int], str]


def _repeated(unit: str, before: str = "", after: str = "") -> Shape:
    return lambda chars: before + unit * max(1, chars // len(unit)) + after


def _numbered(unit: str, before: str = "", after: str = "") -> Shape:
    """Return a shape of units that all differ: every ``@`` is the number of the unit."""
    return lambda chars: before + "".join(unit.replace("@", str(k)) for k in range(max(1, chars // len(unit)))) + after


def _split(first: str, middle: str, last: str) -> Shape:
    """Return a shape of which one third each is the first, the middle and the last unit repeated."""
    return lambda chars: "".join(unit * max(1, chars // 3 // len(unit)) for unit in (first, middle, last))


def _words(chars: int) -> str:
    return " ".join(f"w{k * 7919 % 99991}" for k in range(max(1, chars // 7)))


def _table(columns: int) -> Shape:
    row = "<tr>" + "<td>a" * columns
    return _repeated(row, "<table>")


def _json_ld(value: Callable[[int], object]) -> Shape:
    return lambda chars: f'<script type="application/ld+json">{json.dumps(value(chars))}</script><h1>x</h1>'


def _nested_lists(depth: int) -> Shape:
    unit = "<ul><li>a" * depth + "</ul>" * depth
    return _repeated(unit)


REPEATED_TAGS = (
    "a b blockquote button canvas center code col dd details div dl dt em fieldset figure font form frame h1 header i "
    "iframe img input label li link main marquee math meta nobr noscript object ol option p plaintext pre q rp rt ruby "
    "s script section select span strong style sub summary svg table tbody td template textarea tfoot th time title tr "
    "tt u ul var wbr xmp"
).split()


def _cards_of_all_forms(chars: int) -> str:
    tags = [REPEATED_TAGS[k % 9] for k in range(chars // 90)]
    return "".join(f"<div><{tag}>x</{tag}>{'<i>y</i>' * (k % 17)}</div>" for k, tag in enumerate(tags))


def _srcset(chars: int) -> str:
    sources = ", ".join(f"{k}.png {k}w" for k in range(chars // 14))
    return f'<ul><li>a<li>b<li><img srcset="{sources}">'


SHAPES: dict[str, Shape] = {
    **{f"unclosed {tag}": _repeated(f"<{tag}>x") for tag in REPEATED_TAGS},
    "list of a million": _repeated("<li>x</li>", "<ul>"),
    "deep list": _repeated("<li>x</li>", "<div>" * 1000 + "<ul>"),
    "deeper than allowed": _repeated("<div>", after="x"),
    "list items never closed": _repeated("<ul><li>a<li>b<li>c"),
    "lists in lists": _nested_lists(3),
    "lists in lists in lists": _nested_lists(40),
    "links of a list": _numbered("<li><a href=/p/@>Item @</a> <b>@.90</b></li>", "<ul>"),
    "cards": _numbered("<div class=c@><h3>T@</h3><p>text of @</p><img src=@.png><a href=/@>more</a></div>"),
    "cards of equal class": _numbered("<div class=c><h3>T@</h3><p>text of @</p><a href=/@>more</a></div>"),
    "cards of all forms": _cards_of_all_forms,
    "growing records": lambda chars: "".join(f"<li>{'<b>x</b>' * k}</li>" for k in range(int((chars / 4) ** 0.5))),
    "growing depth": lambda chars: "".join(f"{'<div>' * k}x{'</div>' * k}" for k in range(int((chars / 6) ** 0.5))),
    "table of 3 columns": _table(3),
    "table of 3,000 columns": _table(3000),
    "one row": _repeated("<td>a", "<table><tr>"),
    "tables in tables": _repeated("<table><tr><td>x"),
    "spans of a table": _repeated("<tr><td rowspan=65534 colspan=1000>x", "<table>"),
    "texts outside of a table": _repeated("x<td>y", "<table>"),
    "definition list": _numbered("<dt>label @<dd>value @", "<dl>"),
    "labels and values": _numbered("<p><b>Label @:</b> value @</p>"),
    "select of options": _numbered("<option value=@>o@", "<select>"),
    "many selects": _repeated("<select><option>a<option>b</select>"),
    "bodies with attributes": _numbered("<body a@=1>"),
    "htmls with attributes": _numbered("<html a@=1>"),
    "one tag of attributes": _numbered(" a@=1", "<p", ">x"),
    "tags of attributes": lambda chars: ("<p " + " ".join(f"a{k}" for k in range(800)) + ">x") * (chars // 4500 + 1),
    "long attribute": _repeated("x", '<p class="', '">x'),
    "long class list": _numbered(" c@", '<p class="', '">x'),
    "classes of all elements": _numbered('<p class="a@ b@ c@">x'),
    "ids of all elements": _numbered("<p id=i@>x"),
    "styles of all elements": _numbered('<p style="color:#@;width:@px">x'),
    "data attributes": _numbered("<li data-a@=1 data-b=@>x", "<ul>"),
    "hidden elements": _repeated("<p hidden>x"),
    "display none": _repeated('<div style="display:none">x</div>'),
    "one long text": _words,
    "one long word": _repeated("x"),
    "one long word in a list": lambda chars: "<ul>" + f"<li>{'x' * (chars // 10)}</li>" * 9,
    "digits": _repeated("1", "<ul><li>a<li>b<li>"),
    "numbers": _repeated("1.234,56 ", "<ul><li>a<li>b<li>"),
    "dates": _repeated("<li>12 March 2021, 10:30 pm</li>", "<ul>"),
    "prices": _repeated("<li>R$ 1.299,00 - R$ 2.000,00</li>", "<ul>"),
    "colons": _repeated("a: ", "<p>"),
    "commas": _repeated("a, ", "<ul><li>x<li>y<li>"),
    "spaces": _repeated(" ", "<p>x", "y"),
    "spaces in a list": lambda chars: "<ul>" + f"<li>a{' ' * (chars // 30)}b</li>" * 29,
    "non-breaking spaces": _repeated("&nbsp;", "<p>"),
    "zero width": _repeated("\u200b", "<p>x"),
    "combining accents": _repeated("\u0301", "<p>x"),
    "bidi controls": _repeated("\u202e\u202c", "<p>x"),
    "control characters": _repeated("\x1b[31m", "<p>x"),
    "entities": _repeated("&amp;&lt;", "<p>"),
    "broken entities": _repeated("&#x", "<p>"),
    "ampersands": _repeated("&"),
    "less-than signs": _repeated("<"),
    "open tags": _repeated("<x"),
    "open quotes": _repeated("<x a='"),
    "quotes": _repeated("'\""),
    "end tags": _repeated("</p>"),
    "end tags of formatting": _split("<b><i>", "<p>x", "</b></i>"),
    "misnested formatting": _repeated("<b><i><p>x</b>y</i></p>"),
    "unclosed formatting in blocks": _split("<font size=1>", "<div>x", "</div>"),
    "formatting with attributes": _numbered("<font size=@>", after="<p>x"),
    "adoption agency": _repeated("<a><div>"),
    "comments": _repeated("<!-- x -->"),
    "open comment": _repeated("x", "<!--"),
    "comment ends": _repeated("-->"),
    "processing instructions": _repeated("<?x?>"),
    "doctypes": _repeated("<!doctype html>"),
    "cdata": _repeated("<svg><![CDATA[x]]></svg>"),
    "svg elements": _repeated("<g>x", "<svg>"),
    "math elements": _repeated("<mi>x", "<math>"),
    "svg in math": _repeated("<svg><foreignObject><math><mtext>"),
    "styles in svg": _repeated("<svg><style>&lt;img&gt;</style></svg>"),
    "templates": _repeated("<template><p>x</template>"),
    "nested templates": _repeated("<template>"),
    "noscripts": _repeated("<noscript><p>x</noscript>"),
    "nested noscripts": _repeated("<noscript><p>"),
    "headings": _numbered("<h@>x"),
    "first headings": _repeated("<h1>Title</h1>"),
    "texts in one heading": _repeated("x<br>", "<h1>"),
    "line breaks": _repeated("x<br>"),
    "line breaks in a list": lambda chars: "<ul>" + f"<li>{'x<br>' * (chars // 60)}</li>" * 9,
    "rules between texts": _repeated("x<hr>"),
    "paragraphs": _repeated("<p>The quick brown fox jumps over the lazy dog.</p>"),
    "articles": _repeated("<article><h2>Title</h2><p>" + "word " * 40 + "</p></article>"),
    "breadcrumbs": _repeated("<a href=/x>x</a> &gt; ", "<nav>"),
    "numbered pages": _numbered("<a href=?page=@>@</a> ", "<ul><li>a<li>b<li>c</ul><nav>"),
    "next links": _repeated("<a href=?page=2 rel=next>Next</a>", "<ul><li>a<li>b<li>c</ul>"),
    "images": _numbered("<img src=@.png alt='picture @'>"),
    "srcsets": _srcset,
    "base elements": _repeated("<base href=/x>"),
    "meta elements": _numbered("<meta property=og:x@ content=@>"),
    "microdata": _numbered("<div itemscope itemtype=https://schema.org/Product><b itemprop=name>n@</b></div>"),
    "nested microdata": _repeated("<div itemscope itemprop=x itemtype=https://schema.org/Product>"),
    "microdata references": _numbered("<div itemscope itemref='i@ a b c' id=i@><b itemprop=name>n</b></div>"),
    "rdfa": _numbered("<div vocab=https://schema.org/ typeof=Product><b property=name>n@</b></div>"),
    "json-ld list": _json_ld(lambda chars: [{"@type": "Product", "name": f"n{k}"} for k in range(chars // 40)]),
    "json-ld graph": _json_ld(
        lambda chars: {"@graph": [{"@id": f"#{k}", "x": {"@id": f"#{k + 1}"}} for k in range(chars // 40)]}
    ),
    "json-ld depth": lambda chars: (
        f'<script type="application/ld+json">{"[" * (chars // 2)}{"]" * (chars // 2)}</script><h1>x</h1>'
    ),
    "json-ld scripts": _repeated('<script type="application/ld+json">{"@type":"Product","name":"x"}</script>'),
    "state of scripts": _numbered("{\"id\":@,\"name\":\"n@\"},", "<script>window.__STATE__=[", "0]</script><p>x"),
    "nested state": lambda chars: f"<script>window.s={'{a:' * (chars // 4)}1{'}' * (chars // 4)}</script><p>x",
    "open state": _repeated("{a:[", "<script>window.s=", "</script><p>x"),
    "assignments": _numbered("var v@={a:1};", "<script>", "</script><p>x"),
    "flight rows": _numbered('self.__next_f.push([1,"@:[]"]);', "<script>", "</script><p>x"),
    "strings of scripts": _repeated("\\\"", '<script>var s="', '"</script><p>x'),
    "comments of readers": _numbered("<div class=comment><b>u@</b><p>I think that @ is right</p></div>"),
    "forms": _repeated("<form><input name=x><button>y</button></form>"),
    "frames": _repeated("<frame src=x>", "<frameset>"),
    "interleaved rows": _numbered("<tr><td>T@<td>A@<tr><td>p@<td>q@", "<table>"),
    "definition rows": _numbered("<tr><th>l@<td>v@", "<table>"),
    "fibonacci tags": lambda chars: "".join(f"<{'ab'[bin(k).count('1') % 2]}>x" for k in range(chars // 4)),
    "unknown tags": _numbered("<x-@>x"),
    "long tag names": lambda chars: f"<{'x' * (chars // 2)}>y</{'x' * (chars // 2)}>",
    "upper and lower case": _repeated("<DiV>x</dIv>"),
    "nulls": _repeated("\x00<p>x"),
    "surrogates": _repeated("\U0001f600", "<p>"),
    "blocked words": _repeated("<p>Access denied. Verify you are human. "),
}  # fmt: skip


def main(folder: str, characters: str = "1000000") -> None:
    """Write a file per shape."""
    for number, (name, shape) in enumerate(SHAPES.items()):
        html = shape(int(characters))
        (Path(folder) / f"{number:03} {name}.html").write_text(html, encoding="utf-8", errors="surrogatepass")


if __name__ == "__main__":
    main(*sys.argv[1:])
