"""List pages with style sheets, as sites write them: what each looks like, and the records that it shows.

All is written for these tests. A page has a header, navigation, a footer and something beside the list, as pages have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

ITEMS = [
    ("Alder desk lamp", "Brushed steel, warm light, swivels both ways", "$ 49.00"),
    ("Birch floor lamp", "Folds flat; linen shade in three colours", "$ 129.50"),
    ("Cedar wall light", "For halls and stairs, with a pull cord", "$ 35.25"),
    ("Dune pendant", "Hand-blown glass over the dining table", "$ 210.00"),
    ("Elm reading light", "Clips to the headboard, runs on a charge", "$ 27.90"),
    ("Fjord lantern", "Outdoors in any weather, low glow", "$ 64.00"),
    ("Gale ceiling fan", "Three speeds and a dimmable lamp below", "$ 189.00"),
    ("Harbour spotlight", "Narrow beam for pictures and shelves", "$ 42.10"),
    ("Iris night light", "Wakes at dusk, sleeps at dawn", "$ 15.75"),
    ("Juniper sconce", "Cast brass, candle bulb, a pair in a box", "$ 88.00"),
    ("Kelp string lights", "Ten metres of small green leaves", "$ 22.00"),
    ("Larch torch", "Floats, and shines for nine hours", "$ 31.40"),
]
RESET = "*{box-sizing:border-box}body{margin:0;font:16px/1.4 sans-serif;color:#222}a{color:#06c}img{display:block}"
LINKS = "".join(f"<li><a href='/{name}'>{name.title()}</a></li>" for name in "lamps chairs tables rugs beds".split())
HEADER = f"<header><strong>Halo &amp; Sons</strong><nav><ul>{LINKS}</ul></nav></header>"
FOOTER = f"<footer><p>Open daily from nine to six.</p><ul>{LINKS}</ul><p>Halo &amp; Sons, 14 Mill Lane</p></footer>"
FRAME = "header{background:#eee;padding:12px}nav ul{display:flex;gap:16px;list-style:none;margin:0;padding:0}" + (
    "footer{background:#333;color:#ccc;padding:20px}footer ul{columns:2}"
)
BOX = "<div class=pic></div>"


@dataclass(frozen=True, slots=True)
class StyledPage:
    """A page, the titles of its records, and the width it is shown at."""

    html: str
    titles: tuple[str, ...]
    width_px: int = 1280


def page(
    style: str, body: str, *, items: list[tuple[str, str, str]] = ITEMS, width_px: int = 1280, frame: bool = True
) -> StyledPage:
    around = f"{HEADER}{body}{FOOTER}" if frame else body
    html = f"<!doctype html><meta charset=utf-8><title>Lamps</title><style>{RESET}{FRAME}{style}</style><body>{around}"
    return StyledPage(html, tuple(title for title, _, _ in items), width_px)


def cards(tag: str = "article", items: list[tuple[str, str, str]] = ITEMS) -> str:
    return "".join(
        f"<{tag} class=card>{BOX}<h3><a href='/{k}'>{title}</a></h3><p>{told}</p><b class=price>{price}</b></{tag}>"
        for k, (title, told, price) in enumerate(items)
    )


CARD = ".card{border:1px solid #ddd;padding:10px}.pic{height:120px;background:#cde}"
SIDE = "<aside><h4>Filter</h4><ul>" + "".join(f"<li><label>{word}</label></li>" for word in (
    "Brass", "Steel", "Glass", "Linen", "Under $ 50", "Under $ 100", "New", "On sale")) + "</ul></aside>"  # fmt: skip


def card_grid() -> StyledPage:
    style = f"{CARD}.grid{{display:grid;grid-template-columns:repeat(3,1fr);gap:16px;padding:16px}}"
    return page(style, f"<main><h1>Lamps</h1><div class=grid>{cards()}</div></main>")


def table() -> StyledPage:
    rows = "".join(f"<tr><td>{title}</td><td>{told}</td><td>{price}</td></tr>" for title, told, price in ITEMS)
    head = "<thead><tr><th>Lamp</th><th>About</th><th>Price</th></tr></thead>"
    style = "table{width:90%;margin:20px auto;border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:14px}"
    return page(style, f"<h1>Price list</h1><table>{head}<tbody>{rows}</tbody></table>")


def sidebar_left() -> StyledPage:
    style = (
        f"{CARD}.wrap{{display:flex}}aside{{width:240px;padding:16px}}.list{{flex:1;padding:16px}}.pic{{width:90px}}"
    )
    return page(style, f"<div class=wrap>{SIDE}<section class=list>{cards('div')}</section></div>")


def sidebar_right() -> StyledPage:
    style = f"{CARD}.list{{width:70%;float:left}}aside{{width:28%;float:right;padding:16px}}footer{{clear:both}}"
    return page(style, f"<div class=list>{cards('section')}</div>{SIDE}")


def hero() -> StyledPage:
    top = "<section class=hero><h1>Light for every corner</h1><p>Our new season is here.</p><a href=/new>See it</a>"
    style = f"{CARD}.hero{{height:620px;background:#fc9;padding-top:200px}}ul.list{{list-style:none;padding:0}}"
    return page(style, f"{top}</section><ul class=list>{cards('li')}</ul>")


def sticky_header() -> StyledPage:
    style = f"{CARD}header{{position:fixed;top:0;left:0;right:0;height:70px;z-index:9}}main{{margin-top:90px}}"
    return page(style, f"<main><p>12 lamps</p><div class=results>{cards('div')}</div><p>Page 1 of 1</p></main>")


def floats() -> StyledPage:
    """The parent of the floats has no height of its own."""
    style = f"{CARD}.card{{float:left;width:33%;height:300px}}footer{{clear:both}}"
    return page(style, f"<div class=shelf>{cards('div')}</div>")


def contents() -> StyledPage:
    """The parent of the records has no box at all."""
    style = f"{CARD}.outer{{display:grid;grid-template-columns:1fr 1fr;gap:12px;padding:12px}}.list{{display:contents}}"
    return page(style, f"<div class=outer><ul class=list>{cards('li')}</ul></div>")


def two_groups() -> StyledPage:
    """An advertisement stands between the records, and each half has a parent of its own."""
    style = f"{CARD}.half{{list-style:none;margin:0;padding:0}}.ad{{height:250px;background:#ffd;text-align:center}}"
    ad = "<div class=ad><p>Bulbs at half price, this week only</p></div>"
    halves = [f"<div class=part><ol class=half>{cards('li', ITEMS[a:b])}</ol></div>" for a, b in ((0, 7), (7, 12))]
    return page(style, f"<div class=results>{halves[0]}{ad}{halves[1]}</div>")


def iframe() -> StyledPage:
    inner = f"<style>{RESET}{CARD}.list{{padding:0;list-style:none}}</style><ul class=list>{cards('li')}</ul>"
    quoted = inner.replace("&", "&amp;").replace('"', "&quot;")
    style = "iframe{width:100%;height:2900px;border:0}"
    return page(style, f'<h1>Our lamps</h1><iframe srcdoc="{quoted}"></iframe>')


def infinite() -> StyledPage:
    """Script builds the list, four records at a time."""
    style = f"{CARD}#feed{{width:700px;margin:0 auto}}"
    rows = "[" + ",".join(f"['{title}','{told}','{price}']" for title, told, price in ITEMS) + "]"
    script = (
        f"const rows = {rows}; let k = 0; const feed = document.getElementById('feed');"
        "const more = () => { for (const [title, told, price] of rows.slice(k, k += 4)) {"
        "const card = document.createElement('div'); card.className = 'card';"
        "card.innerHTML = `<div class=pic></div><h3>${title}</h3><p>${told}</p><b class=price>${price}</b>`;"
        "feed.append(card); } if (k < rows.length) setTimeout(more); }; more();"
    )
    return page(style, f"<main><h1>Feed</h1><div id=feed></div></main><script>{script}</script>")


def dark_theme() -> StyledPage:
    style = (
        f"{CARD}body{{background:#111;color:#eee}}header,footer{{background:#000}}a{{color:#9cf}}"
        ".card{background:#1b1b1b;border-color:#333;display:flex;gap:12px}.pic{width:160px;background:#345}"
        ".rows{max-width:900px;margin:30px auto;display:flex;flex-direction:column;gap:10px}"
    )
    return page(style, f"<div class=rows>{cards('article')}</div>")


def mobile() -> StyledPage:
    style = f"{CARD}@media(max-width:500px){{nav{{display:none}}.grid{{display:block}}}}.grid{{display:grid}}"
    return page(style, f"<div class=grid>{cards('div')}</div>", width_px=390)


def definition_list() -> StyledPage:
    """Each record is a term and its description, side by side."""
    rows = "".join(
        f"<dt><a href='/{k}'>{title}</a></dt><dd>{told}. <i>{price}</i></dd>"
        for k, (title, told, price) in enumerate(ITEMS)
    )
    style = "dl{width:800px;margin:20px auto}dt{font-weight:bold;font-size:20px}dd{margin:0 0 30px;min-height:50px}"
    return page(style, f"<h1>Lamps from A to L</h1><dl>{rows}</dl>")


def search_results() -> StyledPage:
    """Results of a search, with a suggestion box above and related searches below."""
    hits = "".join(
        f"<div class=hit><h3><a href='/{k}'>{title}</a></h3><cite>halo.example/{k}</cite><p>{told}, {price}</p></div>"
        for k, (title, told, price) in enumerate(ITEMS)
    )
    related = "".join(f"<span><a href='/q'>{word} lamp</a></span>" for word in ("small", "red", "brass", "outdoor"))
    style = (
        ".hits{width:650px;margin-left:150px}.hit{margin:0 0 28px}.hit p{margin:2px}.related{margin:20px 150px}"
        "form{padding:20px 150px}.related span{margin-right:12px}"
    )
    form = "<form><input name=q value=lamp><button>Search</button></form><p class=count>About 12 results</p>"
    return page(style, f"{form}<div class=hits>{hits}</div><div class=related>{related}</div>")


def news() -> StyledPage:
    """Stories with a picture at their left, and a box of the most read at the right."""
    stories = "".join(
        f"<article class=story>{BOX}<div><time>{k + 3} May 2026</time><h2><a href='/{k}'>{title}</a></h2>"
        f"<p>{told}</p></div></article>"
        for k, (title, told, _) in enumerate(ITEMS)
    )
    top = "".join(f"<li><a href='/t{k}'>Most read story number {k}</a></li>" for k in range(1, 8))
    style = (
        ".cols{display:grid;grid-template-columns:2fr 1fr;gap:24px;max-width:1100px;margin:auto}"
        ".story{display:flex;gap:14px;padding:14px 0;border-bottom:1px solid #ddd}"
        ".pic{width:180px;height:110px;background:#bbb}"
    )
    box = f"<aside><h4>Most read</h4><ol>{top}</ol></aside>"
    return page(style, f"<div class=cols><div class=stream>{stories}</div>{box}</div>")


PAGES: dict[str, Callable[[], StyledPage]] = {
    made.__name__: made
    for made in (
        card_grid, table, sidebar_left, sidebar_right, hero, sticky_header, floats, contents, two_groups, iframe,
        infinite, dark_theme, mobile, definition_list, search_results, news,
    )
}  # fmt: skip
