"""Random inputs for every front door, and what must hold for each: the invariants of ``make fuzz`` and of the tests.

An input is made from a seed and a number alone, so that a failure is repeated by its seed and number.
"""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import fuzzing_parts
import peneira
from adversarial_pages import SHAPES
from mutation_pages import MUTATION_PAGES
from peneira import Limits, PeneiraError
from peneira.page import Page
from peneira.texts.inert_page import inert_page
from peneira.wrappers.store import dumps, loads

LIMITS = Limits(seconds=20)
SHAPE_CHARS = 300
_FRAGMENTS = (
    *"<ul> <li> <p> <div> <table> <tr> <td> <th> <dl> <dt> <dd> <a> <b> <h1> <br> <img> <svg> <style> <math> <select> "
    "<option> <noscript> <template> <script> <time> </ul> </li> </p> </div> </table> </td> </b> </svg> </style> </a> "
    "<!-- --> <![CDATA[ ]]> &amp; &lt; &#0; &nbsp; x y 12 R$1,99 2021-03-04 a:b".split(),
    " ", "\x00", "\u202e", "\ufeff", "\ud800", "<a href=/x>", "<a href=javascript:x>", "<td rowspan=4>", "<p hidden>",
    "<div itemscope itemtype=https://schema.org/Product>", "<b itemprop=name>", '<script type="application/ld+json">',
    '{"@type":"Product","name":"x","offers":{"price":1e999}}', "</script>", "<li class='a b'>", "<f\">", "<td>>",
    "<a href=http://[x>",
)  # fmt: skip
_CHARACTERS = "\x00\t\"&'<>\xa0\u202e\ud800\U0001f600"
_JSON_PIECES = ('"', "{", "[", "]", "9", "-", "null", "1e999", "/", "\\u0000", "")
_TOPICS = "".join(f"<a href=/topics/{word}>{word}</a> " for word in ("inn", "club", "cup"))
# Addresses that no browser goes to, as pages have them
_BROKEN_ADDRESSES = ("http://[", "http://a:b/", "//[x]/", "http://%zz/", "http://\u2100.example/")
# What a page of a kept corpus looks like: lists, tables, details, articles
SEEDS = (
    "<ul>" + "".join(f"<li><a href=/p/{k}>Item {k}</a> <b>R$ {k},90</b> <i>new</i></li>" for k in range(6)) + "</ul>",
    "<ul>" + "".join(f"<li><h3>Game {k}</h3>{_TOPICS}</li>" for k in range(6)) + "</ul>",
    "<table><tr><th>Name<th>Year" + "".join(f"<tr><td>Film {k}<td>{1990 + k}" for k in range(6)) + "</table>",
    "<h1>Lamp</h1><dl><dt>Price<dd>R$ 99,90<dt>Colour<dd>red</dl><p>A lamp of brass.</p>",
    "<article><h1>News</h1>" + "<p>A sentence that is long enough to be the content of a page.</p>" * 5 + "</article>",
    "".join(f"<div class=c><h3>T{k}</h3><p>text {k}</p><img src={k}.png></div>" for k in range(5)),
    '<script type="application/ld+json">[{"@type":"Product","name":"x","sku":"1"}]</script><h1>x</h1>',
    "<script>window.__STATE__={items:[{id:1,name:'a'},{id:2,name:'b'},{id:3,name:'c'}]}</script><div id=app></div>",
)  # fmt: skip


def page_of(seed: int, number: int) -> str:
    """Return the page of that number: a mutated page of the kept ones, or one of random pieces."""
    chance = random.Random(f"{seed}/{number}")
    kind = chance.randrange(4)
    if kind == 0:
        return "".join(chance.choices(_FRAGMENTS, k=chance.randrange(1, 60)))
    if kind == 1:
        return chance.choice(list(SHAPES.values()))(SHAPE_CHARS)
    html = chance.choice(MUTATION_PAGES if kind == 2 else SEEDS)
    for _ in range(chance.randrange(1, 9)):
        at, to = sorted((chance.randrange(len(html) + 1), chance.randrange(len(html) + 1)))
        html = chance.choice(
            (
                html[:at] + chance.choice(_FRAGMENTS) + html[at:],
                html[:at] + html[min(to, at + 9) :],
                html[:at] + html[at:to] * 2 + html[to:],
                html[:at] + chance.choice(_CHARACTERS) + html[at + 1 :],
                html[:at] + html[at:].replace("href=", f"href={chance.choice(_BROKEN_ADDRESSES)}", 1),
            )
        )
    return html[:4000]


def _source(html: str, number: int) -> str | bytes:
    """Return the page as text, or every third time as bytes."""
    return html.encode("utf-8", "surrogatepass") if number % 3 == 0 else html


def extracted(html: str, number: int) -> str:
    """Lists, columns, paging; the result is equal when it is computed again, and can be written in text formats."""
    source = _source(html, number)
    result = peneira.extract(source, limits=LIMITS)
    lines = [repr(result), repr(result.paging)]
    for region in result.regions:
        file = io.StringIO()
        account = region.table.to_jsonl(file)
        assert str(account).startswith(f"{len(region)} record"), account
        assert len(file.getvalue().splitlines()) == len(region)
        lines.append(file.getvalue())
        csv = io.StringIO()
        region.full_table.to_csv(csv)
        lines.append(csv.getvalue())
    return "\n".join(lines)


def texts(html: str, number: int) -> str:
    """Main text, item, content, blocks, cleaned page."""
    source = _source(html, number)
    item = peneira.item(source, limits=LIMITS)
    return "\n".join(
        (
            peneira.text(source, limits=LIMITS),
            peneira.text(source, markdown=True, limits=LIMITS),
            json.dumps([[name, cell.text] for name, cell in item.fields.items()]),
            repr(peneira.content(source, limits=LIMITS)),
            repr(peneira.segment(source, limits=LIMITS)),
        )
    )


def written(html: str, number: int) -> str:
    """The page as HTML is stable when it is read again, and its inert form has nothing that runs."""
    page = Page.from_html(_source(html, number), limits=LIMITS)
    cleaned = peneira.clean(page, limits=LIMITS)
    inert = inert_page(page).html() if len(page) else ""
    again = Page.from_html(inert)
    active = [name for attrs in again.attrs for name, value in attrs.items() if _is_active(name, value)]
    assert not active, active
    assert not {"script", "iframe", "object", "embed", "form", "svg", "math", "style"} & set(again.tag_names)
    return "\n".join((page.html(), cleaned, inert))


# Browsers drop white space and control characters from a scheme
_IGNORED = r"[\x00-\x20]*"
_SCRIPT = re.compile(_IGNORED + rf"(?:{_IGNORED.join('javascript')}|vbscript|data){_IGNORED}:(?!image/)", re.IGNORECASE)


def _is_active(name: str, value: str) -> bool:
    return name.startswith("on") or (name in ("href", "src") and bool(_SCRIPT.match(value)))


def wrapped(html: str, number: int) -> str:
    """A wrapper is learned, saved, loaded as equal, and reads the pages again."""
    other = html.replace("1", "2").replace("x", "other")
    try:
        wrapper = peneira.learn([html, other], kind=(None, "list", "detail")[number % 3], limits=LIMITS)
    except PeneiraError as error:
        return type(error).__name__
    saved = dumps(wrapper)
    loaded = loads(saved)
    assert loaded == wrapper, "a wrapper that was saved and loaded differs"
    assert dumps(loaded) == saved
    result = loaded.extract(html, limits=LIMITS)
    healed = ""
    try:
        healed = repr(loaded.heal([html, other]))
    except PeneiraError as error:
        healed = type(error).__name__
    return "\n".join((saved, repr(result), repr(loaded.check(html)), healed))


def wrapper_files(html: str, number: int) -> str:
    """A wrapper file that was damaged is read or refused, and never anything else."""
    chance = random.Random(number)
    text = _SAVED[number % len(_SAVED)]
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(_JSON_PIECES) + text[at + 1 :]
    try:
        return repr(loads(text).extract(html, limits=LIMITS))
    except PeneiraError as error:
        return type(error).__name__


def _saved() -> list[str]:
    wrappers = []
    for html in SEEDS[:3]:
        try:
            wrappers.append(dumps(peneira.learn([html, html.replace("1", "7").replace("red", "blue")])))
        except PeneiraError:
            continue
    return wrappers


_SAVED = _saved()


def _part(run: Callable[[random.Random], str]) -> Callable[[str, int], str]:
    """Return a target that makes its input from the number and the page alone."""
    return lambda html, number: run(random.Random(f"{number}/{html!r}"))


TARGETS: dict[str, Callable[[str, int], str]] = {
    "extract": extracted,
    "texts": texts,
    "html": written,
    "wrappers": wrapped,
    "wrapper files": wrapper_files,
    "reread": lambda html, _: fuzzing_parts.reread(html),
    "embedded": _part(fuzzing_parts.embedded),
    "values": _part(fuzzing_parts.values),
    "addresses": _part(fuzzing_parts.addresses),
    "tables": _part(fuzzing_parts.tables),
    "options": _part(fuzzing_parts.options),
}
# How many inputs of each target take about as long as one of the slowest
WEIGHTS = {
    "wrappers": 1, "options": 1, "texts": 2, "extract": 3, "html": 6, "reread": 30, "tables": 100, "embedded": 100,
    "values": 100, "addresses": 300, "wrapper files": 200,
}  # fmt: skip


def failures(target: str, seed: int, numbers: range, log: Path | None = None) -> Iterator[str]:
    """Yield what went wrong; ``log``: a file for the outputs, which other runs must equal byte by byte."""
    run = TARGETS[target]
    file = log.open("w", encoding="utf-8", errors="surrogatepass") if log is not None else None
    for number in numbers:
        html = page_of(seed, number)
        try:
            output = run(html, number)
        except PeneiraError as error:
            output = f"{type(error).__name__}: {error}"
        except Exception as error:
            output = f"{type(error).__name__}: {error}"
            yield f"{target} seed {seed} number {number}: {output!r:.300}"
        if file is not None:
            file.write(f"{number}\n{output}\n")
    if file is not None:
        file.close()
