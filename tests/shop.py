"""A shop on loopback for tests: 300 products on 15 list pages, a page for each, and what makes crawling hard.

Beside the plain list there are one with a button that loads more, one that grows when it is scrolled, two that a script
builds, two whose other pages come by buttons without addresses, a calendar without end, rules for robots, busy answers,
and a redirect to a private address.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PRODUCTS, PER_PAGE = 300, 20
_FORMS = "lamp chair table kettle mirror basket candle blanket teapot clock shelf vase bench rug stool".split()
_LOOKS = "oak walnut copper linen marble velvet ceramic bamboo steel amber ivory crimson".split()
_STYLES = "rustic modern slender round folding".split()
_BRANDS = ("Norden", "Casa Viva", "Holm", "Atelier Bo", "Ferro")
_OPINIONS = ("Sturdy and pretty.", "Arrived late, but fine.", "Smaller than I thought.", "Would buy it again!")
_NAMES = ("Ana", "Bruno", "Clara", "Davi", "Elena")


@dataclass(frozen=True)
class Product:
    """One product of the shop."""

    number: int
    title: str
    price: str
    brand: str
    sku: str
    weight: str
    text: str
    reviews: tuple[tuple[str, str, int], ...]

    @property
    def path(self) -> str:
        return f"/p/{self.title.lower().replace(' ', '-')}-{self.number}"


def products(count: int = PRODUCTS) -> list[Product]:
    """Return the products of day one, always the same."""
    dice = random.Random(23)
    names = [f"{style} {look} {form}".capitalize() for style in _STYLES for look in _LOOKS for form in _FORMS]
    dice.shuffle(names)
    made = []
    for number, title in enumerate(names[:count], start=1):
        reviews = tuple((dice.choice(_NAMES), dice.choice(_OPINIONS), dice.randint(2, 5)) for _ in range(number % 4))
        made.append(
            Product(
                number,
                title,
                f"{dice.randint(5, 400)}.{dice.choice(('00', '49', '90', '99'))}",
                dice.choice(_BRANDS),
                f"SKU-{10000 + 37 * number}",
                f"{dice.randint(1, 90) / 10:.1f} kg",
                f"The {title.lower()} by our workshop, made of {dice.choice(_LOOKS)}, batch {dice.randint(100, 999)}.",
                reviews,
            )
        )
    return made


@dataclass
class Shop:
    """The running shop: its products, which a test may change, its template, and everything that was asked for."""

    port: int
    products: list[Product] = field(default_factory=products)
    template: int = 1
    robots: str = "User-agent: *\nDisallow: /private/\n"
    busy: dict[str, tuple[int, str]] = field(default_factory=dict)  # the first answer to a path: status, Retry-After
    down: set[str] = field(default_factory=set)  # paths that are answered with 503
    redirects: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[float, str]] = field(default_factory=list)

    def url(self, path: str = "/products") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for _, path in self.asked]

    def times_asked(self) -> Counter[str]:
        return Counter(self.paths)

    def change(self, number: int, **changes: str) -> None:
        """Change the product of a number."""
        self.products = [replace(each, **changes) if each.number == number else each for each in self.products]

    def answer(self, target: str) -> tuple[int, dict[str, str], str]:
        """Return the status, the headers and the body for a path."""
        if target in self.busy:
            status, wait = self.busy.pop(target)
            return status, {"Retry-After": wait} if wait else {}, "busy"
        if target in self.down:
            return 503, {"Retry-After": "0"}, "down"
        if target in self.redirects:
            return 302, {"Location": self.redirects[target]}, ""
        parts = urlsplit(target)
        number = int(parse_qs(parts.query).get("page", ["1"])[0])
        if parts.path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, self.robots
        if parts.path in ("/products", "/private/products"):
            return 200, {}, self.list_page(number)
        if parts.path == "/api/products":
            return 200, {"Content-Type": "application/json"}, json.dumps([self.summary(p) for p in self.page(number)])
        if parts.path in SCRIPTED:
            return (
                200,
                {},
                SCRIPTED[parts.path].replace("FIRST", self.cards(1) if parts.path not in ("/app", "/silent") else ""),
            )
        if parts.path.startswith("/calendar/day/"):
            return 200, {}, "<title>A day</title><h1>Nothing happens on this day</h1>"
        if parts.path.startswith("/calendar/"):
            return 200, {}, calendar(int(parts.path.rpartition("/")[2]))
        found = next((product for product in self.products if product.path == parts.path), None)
        return (404, {}, "not here") if found is None else (200, {}, self.detail(found))

    def page(self, number: int) -> list[Product]:
        return self.products[(number - 1) * PER_PAGE : number * PER_PAGE]

    def summary(self, product: Product) -> dict[str, str]:
        return {"title": product.title, "price": f"${product.price}", "url": product.path}

    def cards(self, number: int) -> str:
        if self.template == 1:
            return "".join(
                f'<li class="card"><h3><a href="{p.path}">{p.title}</a></h3><span class="price">${p.price}</span>'
                f'<p class="brand">{p.brand}</p></li>'
                for p in self.page(number)
            )
        return "".join(
            f'<article class="tile"><div class="head"><span class="maker">{p.brand}</span></div>'
            f'<div class="body"><a class="name" href="{p.path}">{p.title}</a><b class="cost">${p.price}</b></div>'
            f"</article>"
            for p in self.page(number)
        )

    def list_page(self, number: int) -> str:
        last = -(-len(self.products) // PER_PAGE)
        numbers = "".join(
            f'<b class="current">{k}</b>' if k == number else f'<a href="/products?page={k}">{k}</a>'
            for k in range(max(1, number - 3), min(last, number + 3) + 1)
        )
        after = f'<a rel="next" href="/products?page={number + 1}">Next</a>' if number < last else ""
        holder = "ul" if self.template == 1 else "section"
        return (
            f"<html lang=en><title>Products, page {number}</title><body><nav><a href=/products>Shop</a> "
            f"<a href=/calendar/1>Events</a> <a href=/private/products>Staff</a></nav><h1>All products</h1>"
            f'<{holder} class="products">{self.cards(number)}</{holder}>'
            f'<div class="pagination">{numbers} {after}</div><footer>Free delivery from $50. Open Monday to Friday.'
            f"</footer></body></html>"
        )

    def detail(self, product: Product) -> str:
        reviews = "".join(
            f'<div class="review"><b class="who">{who}</b> <span class="stars">{stars}/5</span>'
            f"<p>{escape(text)}</p></div>"
            for who, text, stars in product.reviews
        )
        return (
            f"<html lang=en><title>{product.title} | Shop</title><body><nav><a href=/products>Shop</a> "
            f"<a href=/calendar/1>Events</a></nav><h1>{product.title}</h1><div class=buy><span class=price>"
            f"${product.price}</span> <button>Add to cart</button></div><p class=description>{product.text}</p>"
            f"<table class=specs><tr><th>Brand</th><td>{product.brand}</td></tr><tr><th>SKU</th><td>{product.sku}</td>"
            f"</tr><tr><th>Weight</th><td>{product.weight}</td></tr></table>"
            f"<section class=reviews><h2>Reviews</h2>{reviews or '<p>No reviews yet.</p>'}</section>"
            f"<footer>Free delivery from $50.</footer></body></html>"
        )


_CARD = """`<li class="card"><h3><a href="${p.url}">${p.title}</a></h3><span class="price">${p.price}</span></li>`"""
_ADD = f"""let page = START; const list = document.querySelector('.products');
async function more() {{
  const found = await (await fetch('/api/products?page=' + (++page))).json();
  list.insertAdjacentHTML('beforeend', found.map(p => {_CARD}).join(''));
  return found.length;
}}"""
_TURN = f"""let page = 1; async function turn(to) {{
  const found = await (await fetch('/api/products?page=' + to)).json();
  document.querySelector('.products').innerHTML = found.map(p => {_CARD}).join('');
  page = to;
  for (const [id, edge] of [['on', 15], ['back', 1]]) {{
    const button = document.getElementById(id);
    if (button) button.disabled = page == edge;
  }}
}}
"""
SCRIPTED = {
    "/more": '<html lang=en><title>More</title><body><h1>All products</h1><ul class="products">FIRST</ul>'
    "<button id=more>Load more products</button><script>"
    + _ADD.replace("START", "1")
    + "document.getElementById('more').onclick = async e => { if (!await more()) e.target.remove(); };"
    "</script></body></html>",
    "/endless": "<html lang=en><title>Endless</title><body><h1>All products</h1>"
    '<ul class="products infinite-scroll">FIRST</ul><script>'
    + _ADD.replace("START", "1")
    + "let busy = false, done = false; addEventListener('scroll', async () => { if (busy || done) return;"
    "if (innerHeight + scrollY < document.body.scrollHeight - 200) return; busy = true;"
    "done = !await more(); busy = false; });</script></body></html>",
    "/app": '<html lang=en><title>App</title><body><div id=root><ul class="products"></ul></div><script>'
    + _ADD.replace("START", "Number(new URLSearchParams(location.search).get('page') || 1) - 1")
    + "more().then(() => { const own = page; document.getElementById('root').insertAdjacentHTML('beforeend',"
    "'<div class=pagination>' + Array.from({length: 15}, (_, k) => k + 1).map("
    "k => k == own ? `<b>${k}</b>` : `<a href=\"/app?page=${k}\">${k}</a>`).join(' ')"
    " + (own < 15 ? ` <a rel=next href=\"/app?page=${own + 1}\">Next</a>` : '') + '</div>'); });"
    "</script></body></html>",
    "/buttons": '<html lang=en><title>Buttons</title><body><h1>All products</h1><ul class="products">FIRST</ul>'
    "<div class=pagination><button id=back disabled>Previous</button><button id=on>Next</button></div><script>"
    + _TURN
    + "on.onclick = () => turn(page + 1); back.onclick = () => turn(page - 1);</script></body></html>",
    "/numbers": '<html lang=en><title>Numbers</title><body><h1>All products</h1><ul class="products">FIRST</ul>'
    '<ul class="pages"></ul><script>'
    + _TURN
    + """function number() { document.querySelector('.pages').innerHTML = Array.from({length: 15}, (_, k) => k + 1)
      .filter(k => Math.abs(k - page) < 3 || k == 1 || k == 15)
      .map(k => `<li class="${k == page ? 'active' : ''}"><a href="#" onclick="turn(${k}).then(number)">${k}</a></li>`)
      .join(''); }
    number();</script></body></html>""",
    "/silent": '<html lang=en><title>Silent</title><body><div id=root><ul class="products"></ul></div><script>'
    + _ADD.replace("START", "0")
    + "let busy = false; const grow = async () => { if (busy) return; busy = true; await more(); busy = false; };"
    "grow(); addEventListener('scroll', () => {"
    "  if (scrollY + innerHeight > document.body.scrollHeight - 99) grow(); });"
    "</script></body></html>",
}


def calendar(month: int) -> str:
    """Return a month of a calendar that goes on for ever, with a link on each day."""
    days = "".join(
        f'<li class="day"><a href="/calendar/day/{month}-{day}">Day {day}</a> <span>no events on day {day}</span></li>'
        for day in range(1, 29)
    )
    return (
        f"<html lang=en><title>Events, month {month}</title><body><h1>Events of month {month}</h1>"
        f"<ul class=days>{days}</ul>"
        f'<div class=pagination><a rel=next href="/calendar/{month + 1}">Next page</a></div></body></html>'
    )


@contextmanager
def open_shop() -> Iterator[Shop]:
    """Serve the shop on loopback while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None: ...

        def do_GET(self) -> None:
            with lock:
                shop.asked.append((time.monotonic(), self.path))
                status, headers, text = shop.answer(self.path)
            body = text.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None: ...

    lock = threading.Lock()
    with Server(("127.0.0.1", 0), Handler) as server:
        shop = Shop(server.server_port)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield shop
        finally:
            server.shutdown()
