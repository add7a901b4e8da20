"""A tiny corpus of detail pages for tests: sites of our own, each with its markup, its menu and its values."""

from __future__ import annotations

import json
from pathlib import Path

NAMES = "kettle lamp chair table clock mirror basket candle".split()
AISLES = "Books Garden Kitchen Toys Music Films Shoes Hats Coats Sports".split()


def product(site: int, page: int) -> tuple[str, list[str]]:
    """Return a page of a site, and the values that are its content."""
    name = f"{NAMES[page % len(NAMES)].title()} {site}{page}"
    price, made = f"${page + 3}.{site}0", f"Made of oak in {1990 + page}, sold since"
    menu = "".join(f"<li><a href=/{aisle}>{aisle}</a></li>" for aisle in AISLES)
    foot = "<a href=/a>About us</a><a href=/b>Terms of use</a><a href=/c>Press</a>"
    tag, box = ("div", "span") if site % 2 else ("section", "p")
    html = (
        f"<title>{name}</title><body class=s{site}><ul class=menu>{menu}</ul><{tag} class=main><h1>{name}</h1>"
        f"<{box} class=price>{price}</{box}><{tag}><p>{made}</p></{tag}></{tag}><div class=footer>{foot}</div>"
    )
    return html, [name, price, made]


def write_labels(folder: Path, *, sites: int = 6, pages: int = 4) -> Path:
    """Write the pages and their labels, and return the file of labels."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for site in range(sites):
        for page in range(pages):
            html, values = product(site, page)
            file = f"{site}-{page}.html"
            (folder / file).write_text(html, encoding="utf-8")
            lines.append(json.dumps({"file": file, "site": f"site {site}", "values": values}))
    path = folder / "labels.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
