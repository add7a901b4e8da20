"""Random inputs for quick parts: pages written and read again, data in scripts, values, addresses, tables, options.

Each target takes a random source and returns what came of it; what must hold is asserted.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import Counter
from urllib.parse import urlsplit

from command import peneira
from peneira import PeneiraError
from peneira.columns.absolute_urls import absolute_url
from peneira.credentials import without_credentials
from peneira.embedded.embedded_data import embedded_data, state_lists
from peneira.output.formulas import guarded, is_formula, unguarded
from peneira.page import Page
from peneira.sources.encoding import decode
from peneira.sources.urls import display_url, parse_url
from peneira.types.column_types import infer_type
from tables import text_table

_SCRIPT_PIECES = (
    *'{ } [ ] ( ) : , ; = " \' ` \\ / // /* */ <!-- --> null true undefined NaN 1 -1 1e999 0x1f a name id url '
    'price "a" "name" "id" \'x\' "\\ud800" "\\u0000" var window.__STATE__ self.__next_f.push JSON.parse("[]") '
    "function(a){return} new Map() ...a Infinity @type Product @graph @id".split(),
    '{"id":1,"name":"a"},', "{id:2,name:'b'},", '"@context":"https://schema.org",', "\n", "\u2028", "\x00",
)  # fmt: skip
_SCRIPT_TYPES = ("", ' type="application/ld+json"', ' type="application/json"', " id=__NEXT_DATA__")
_VALUE_PIECES = (
    *"0 1 7 12 31 1999 2021 24:00 10:30 . , : / - – + % $ € R$ USD kr £ ( ) ' \" # @ a m km kg m² GB h min s am "
    "pm mars March märz 三月 月 日 年 today yesterday ago 5 stars von bis to x http:// www. "
    ".com a@b.c +49 ½ ² ٣ १ ۱ yes no".split(),
    " ", " ", "\u00a0", "\u202f", "\u200b", "\n", "\x00", "\ud800", "9" * 30, "1e400",
)  # fmt: skip
_ADDRESS_PIECES = (
    *"http:// https:// HTTP:// // : / ? # @ [ ] % %00 %2e .. . a b.example 127.0.0.1 0x7f.1 2130706433 ::1 [::1] "
    "[::ffff:10.0.0.1] user:s3cret@ :80 :99999 :x xn-- ß ＠ 。 javascript: data: file:///etc/passwd ftp:// "
    "\\ \\\\".split(),
    " ", "\t", "\n", "\x00", "\ud800", "\u202e",
)  # fmt: skip
_CELL_PIECES = (
    *"= + - @ =1+1 '= ' \" \"\" , ; | \\ ` * < > & a b1 ＝ 1.5 -2 ;=cmd ;- http://a".split(),
    "\t", "\n", "\r", "\r\n", "\x00", "\ud800", "\u202e", "\ufeff", " ", "\u200b", "\x1b[31m", "x" * 300,
)  # fmt: skip
_OPTION_PIECES = (
    *"extract item text content segment clean learn apply check heal show export plot render batch --format --url "
    "-o --all --all-columns --explain --method --markdown --inert --limit --seconds --help -h --wrapper --fields "
    "--near --kind - -- csv json jsonl md table xlsx mdr auto list detail 0 -1 1e9 nan x.html "
    "/nonexistent/x.html http:// http://[bad https://a:b@ /dev/null/x \x1b[31m \u202e = --x".split(),
    "",
)  # fmt: skip


def _text(chance: random.Random, pieces: tuple[str, ...], most: int) -> str:
    return "".join(chance.choices(pieces, k=chance.randrange(1, most)))


def reread(html: str) -> str:
    """A page that is written and read again has no element and no attribute that it did not have: text stays text."""
    page = Page.from_html(html)
    written = page.html() if len(page) else ""
    again = Page.from_html(written)
    more = _active(again) - _active(page)
    assert not more, f"written and read again, the page has more of {dict(more)}"
    return written


def _active(page: Page) -> Counter[str]:
    """Count what loads or runs something, by name: elements, and attributes that are handlers."""
    names = [page.tag_names[code] for code in page.lists.tag]
    elements = Counter(name for name in names if name in ("img", "script", "iframe", "object", "embed", "link", "base"))
    return elements + Counter(key for attrs in page.attrs for key in attrs if key.startswith("on"))


def embedded(chance: random.Random) -> str:
    """What scripts hold is read as data or not at all."""
    scripts = (
        f"<script{chance.choice(_SCRIPT_TYPES)}>{_text(chance, _SCRIPT_PIECES, 25)}</script>"
        for _ in range(chance.randrange(1, 3))
    )
    page = Page.from_html("".join(scripts))
    return f"{embedded_data(page)!r}\n{state_lists(page)!r}"


def values(chance: random.Random) -> str:
    """A column of texts has a type, and each text has a value of it or none."""
    texts = [_text(chance, _VALUE_PIECES, 6) for _ in range(chance.randrange(1, 5))]
    inferred = infer_type(texts)
    return f"{inferred.type} {[inferred.value(text) for text in texts]!r}"


def addresses(chance: random.Random) -> str:
    """An address is read or refused; shown, it has no password; bytes of any charset become text."""
    text = _text(chance, _ADDRESS_PIECES, 8)
    base = "https://shop.example/a/b?c"
    shown = display_url(text)
    body = text.encode("utf-8", "surrogatepass")
    decoded = decode(body, charset=chance.choice((None, "utf-16", "x", "shift_jis", "utf-7")))
    try:
        target = parse_url(text)
    except PeneiraError as error:
        found = str(error)
    else:
        assert target.scheme in ("http", "https"), target
        found = f"{target.scheme} {target.host} {target.port}"
        assert not urlsplit(without_credentials(text)).username, text
        assert "s3cret" not in shown, shown
    return f"{found}\n{absolute_url(base, text)!r}\n{shown!r}\n{decoded!r}"


def tables(chance: random.Random) -> str:
    """A table is written whole: the same texts come back, no cell is a formula, nothing is lost without account."""
    names = [f"{_text(chance, _CELL_PIECES, 3)}{k}" for k in range(chance.randrange(1, 4))]
    rows = [
        [None if chance.random() < 0.1 else _text(chance, _CELL_PIECES, 5) for _ in names]
        for _ in range(chance.randrange(0, 4))
    ]
    table = text_table(names, rows)  # type: ignore[arg-type]
    file = io.StringIO(newline="")
    account = table.to_csv(file)
    header, *lines = csv.reader(io.StringIO(file.getvalue(), newline=""), strict=True)
    assert len(lines) == len(rows), "CSV has not all records"
    held = [[re.sub("[\x00\ud800]", "\ufffd", text or "") for text in row] for row in rows]
    lost = sum(bool(re.search("[\x00\ud800]", text or "")) for row in rows for text in row)
    assert sum(loss.count for loss in account.losses) >= lost, "characters were lost without account"
    assert [[unguarded(text) for text in line] for line in lines] == held
    assert not [text for line in [header, *lines] for text in line if is_formula(text) and not text.startswith("'")]
    assert all(unguarded(guarded(text)) == text for row in rows for text in row if text is not None)
    objects = io.StringIO()
    account_of_lines = table.to_jsonl(objects)
    assert len([json.loads(line) for line in objects.getvalue().split("\n")[:-1]]) == len(rows)
    if any("\ud800" in (text or "") for row in rows for text in row):
        assert account_of_lines.losses, "half a surrogate pair was lost without account"
    markdown = io.StringIO()
    table.to_markdown(markdown)
    assert markdown.getvalue().count("\n") == len(rows) + 2
    return f"{account}\n{file.getvalue()}\n{objects.getvalue()}\n{markdown.getvalue()}"


def options(chance: random.Random) -> str:
    """Any arguments end with a status that is documented, and messages have no control characters."""
    arguments = chance.choices(_OPTION_PIECES, k=chance.randrange(1, 5))
    if arguments[0] in ("batch", "render"):  # these start processes
        arguments.append("--help")
    done = peneira(*arguments, stdin=b"<ul><li>a<li>b<li>c</ul>")
    assert done.returncode in range(6), (arguments, done)
    assert not set(done.stderr) & {"\x1b", "\u202e"}, (arguments, done.stderr)
    assert "Traceback" not in done.stderr, (arguments, done.stderr)
    return f"{done.returncode}\n{done.stdout}\n{done.stderr}"
