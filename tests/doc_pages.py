"""The pages that the documentation names: what a reader would have saved, or would find at example.com."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

FILMS = (
    ("Central Station", "Walter Salles", "1998", "110 min", "A retired teacher and a boy look for his father."),
    ("City of God", "Fernando Meirelles", "2002", "130 min", "Two boys grow up in the suburbs of Rio de Janeiro."),
    ("Black Orpheus", "Marcel Camus", "1959", "100 min", "An old myth is told again during the carnival."),
    ("The Given Word", "Anselmo Duarte", "1962", "98 min", "A farmer carries a cross to a church in the city."),
    ("Aquarius", "Kleber Mendonça Filho", "2016", "146 min", "A music critic refuses to sell her flat by the sea."),
)
MENU = '<nav><a href="/">Home</a> <a href="/films">All films</a> <a href="/about">About us</a></nav>'
FOOTER = "<footer><p>Cineclube, open every Thursday</p><p>Terms of use</p></footer>"


def film(title: str, director: str, year: str, length: str, plot: str) -> str:
    return f"""<!doctype html><html lang="en"><title>{title} | Cineclube</title><body>{MENU}
<main class="film"><h1 class="film-title">{title}</h1><table>
<tr><th>Director</th><td>{director}</td></tr><tr><th>Year</th><td>{year}</td></tr>
<tr><th>Length</th><td>{length}</td></tr></table><p class="synopsis">{plot}</p></main>{FOOTER}</body></html>"""


def changed_film(title: str, director: str, year: str, length: str, plot: str) -> str:
    """The same page after the site was redesigned."""
    return f"""<!doctype html><html lang="en"><title>{title} | Cineclube</title><body>{MENU}
<div class="page"><h2 class="name">{title}</h2><section class="summary">{plot}</section>
<p><b>Director</b> <span>{director}</span></p><p><b>Year</b> <span>{year}</span></p>
<p><b>Running time</b> <span>{length}</span></p></div>{FOOTER}</body></html>"""


ARTICLE = f"""<!doctype html><html lang="en"><title>How the library moved | The Paper</title><body>{MENU}
<article><h1>How the library moved</h1><p class="by">By Ana Souza, 3 May 2026</p>
<p>The town library closed on a Friday, and by the following Thursday forty thousand books stood on new shelves. The
new building is twice as large as the old one.</p>
<p>Volunteers formed a chain from the old door to the new one, and passed the books from hand to hand for a whole day.
Children carried the atlases two by two.</p>
<p>The librarian kept a list of every shelf, so that each book went to the place where readers expect to find it. Three
books are missing.</p></article>
<aside><a href="/1">Bridge repairs begin</a> <a href="/2">Market days</a></aside>{FOOTER}</body></html>"""

PRODUCT = f"""<!doctype html><html lang="en"><title>Red kettle | Hearth & Home</title><body>{MENU}
<main><h1>Red kettle</h1><p class="price"><del>$ 18.00</del> <b>$ 12.90</b></p><p>SKU: RK-114</p>
<p class="stock">In stock</p><button>Add to cart</button>
<p class="description">A kettle for two litres, with a whistle that stops by itself.</p>
<table><tr><th>Brand</th><td>Hearth</td></tr><tr><th>Volume</th><td>2 l</td></tr>
<tr><th>Colour</th><td>red</td></tr></table></main>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Product", "name": "Red kettle",
"sku": "RK-114", "brand": {{"@type": "Brand", "name": "Hearth"}},
"offers": {{"@type": "Offer", "price": "18.00", "priceCurrency": "USD"}}}}</script>{FOOTER}</body></html>"""

# A page that its own scripts fill: twelve jobs, and twelve more whenever the end is reached
APP = """<!doctype html><html lang="en"><title>Jobs</title><body><div id="app"></div><script>
const list = document.createElement("ul"); document.getElementById("app").append(list);
function more() {
  const first = list.children.length;
  for (let k = first + 1; k <= Math.min(first + 12, 36); k++)
    list.insertAdjacentHTML("beforeend",
      `<li style="height:120px"><h3><a href="/jobs/${k}">Job number ${k}</a></h3>
       <p class="company">Company ${k % 7 + 1}</p><p class="salary">$ ${k * 100 + 1000}</p></li>`);
}
more();
addEventListener("scroll", () => { if (innerHeight + scrollY > document.body.scrollHeight - 200) more(); });
</script></body></html>"""


def jobs() -> str:
    return (ROOT / "demo" / "jobs.html").read_text(encoding="utf-8")


def saved_pages() -> dict[str, str]:
    """Return the files that the pages of the documentation name, by path."""
    pages = {"page.html": jobs(), "article.html": ARTICLE, "app.html": APP, "film.html": film(*FILMS[4])}
    pages["product.html"] = PRODUCT
    pages |= {f"jobs/{k}.html": jobs() for k in (1, 2)}
    pages |= {f"films/{k}.html": film(*values) for k, values in enumerate(FILMS[:4], start=1)}
    pages |= {f"changed/{k}.html": changed_film(*values) for k, values in enumerate(FILMS[:4], start=1)}
    return pages


def served_pages() -> dict[str, str]:
    """Return the pages of example.com, by path."""
    return {"/jobs": jobs(), "/app": APP, "/film": film(*FILMS[4])}
