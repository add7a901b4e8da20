"""Two made catalogues of shops that share products under other names, prices and formats."""

from __future__ import annotations

import random
from dataclasses import dataclass

_BRANDS = (
    "Acmera Bellor Corvane Duranta Elvix Fennic Garmor Halvik Ionda Jasper Kestrel Lumora Mirabel Nordane Orvik Pellix "
    "Quanta Rivera Solvane Tavix Umbro Valtek Wexford Xylo Yarrow Zephra"
).split()
_KINDS = (
    "vacuum cleaner|coffee maker|olive oil|shampoo|desk lamp|headphones|memory card|drill|dog food|tea kettle|backpack|"
    "monitor|keyboard|rice cooker|sunscreen|toothpaste|chocolate bar|running shoes|tent|power bank"
).split("|")
_LINES = "Pro Ultra Classic Prime Eco Max Nova Smart Silver Active Family Urban Pure Studio Travel".split()
_COLOURS = "black white red blue green silver grey orange".split()
_SIZES = (
    ("ml", (50, 100, 250, 500, 750, 1000, 1500)),
    ("g", (75, 100, 250, 400, 500, 1000, 2500)),
    ("GB", (16, 32, 64, 128)),
)
_NOISE = ("NEW", "free shipping", "best price", "original", "2026 edition", "sale", "top quality")


@dataclass(frozen=True)
class Made:
    """The two catalogues, and the numbers of the records that are the same product."""

    left: list[dict[str, str]]
    right: list[dict[str, str]]
    gold: set[tuple[int, int]]


def catalogues(shared: int, alone: int, seed: int) -> Made:
    """Return two catalogues with so many shared products, and so many more in each; many are variants of another."""
    dice = random.Random(seed)
    products = _products(shared + 2 * alone, dice)
    dice.shuffle(products)
    left = [*products[:shared], *products[shared : shared + alone]]
    right = [*products[:shared], *products[shared + alone :]]
    order_left, order_right = list(range(len(left))), list(range(len(right)))
    dice.shuffle(order_left)
    dice.shuffle(order_right)
    place_left = {number: place for place, number in enumerate(order_left)}
    place_right = {number: place for place, number in enumerate(order_right)}
    gold = {(place_left[k], place_right[k]) for k in range(shared)}
    return Made([_listed(left[k], dice) for k in order_left], [_retold(right[k], dice) for k in order_right], gold)


def _products(count: int, dice: random.Random) -> list[dict[str, str]]:
    made: dict[tuple[str, ...], dict[str, str]] = {}
    while len(made) < count:
        brand, kind, line = dice.choice(_BRANDS), dice.choice(_KINDS), dice.choice(_LINES)
        code = (
            f"{dice.choice('ABCDEKMTX')}{dice.choice('CDFLRSVX')}-{dice.randint(100, 999)}"
            if dice.random() < 0.5
            else ""
        )
        unit, amounts = dice.choice(_SIZES)
        for amount in dice.sample(amounts, dice.randint(1, 2)):  # variants of one product differ in size alone
            key = (brand, kind, line, code, f"{amount}{unit}")
            product = {"brand": brand, "kind": kind, "line": line, "code": code, "amount": str(amount), "unit": unit}
            product |= {"colour": dice.choice(_COLOURS), "gtin": str(dice.randint(10**12, 10**13 - 1))}
            product |= {"price": f"{dice.randint(3, 400)}.{dice.choice(('00', '49', '99'))}"}
            made.setdefault(key, product)
    return list(made.values())[:count]


def _listed(product: dict[str, str], dice: random.Random) -> dict[str, str]:
    words = [product["brand"], product["line"], product["kind"].title(), product["code"], product["colour"].title()]
    title = " ".join(filter(None, words)) + f", {product['amount']} {product['unit']}"
    row = {"title": title, "brand": product["brand"], "price": f"${product['price']}"}
    return {**row, "gtin": product["gtin"]} if dice.random() < 0.4 else row


def _retold(product: dict[str, str], dice: random.Random) -> dict[str, str]:
    """Return the product as another shop tells it: order, units, case, words left out and added, typing errors."""
    amount, unit = int(product["amount"]), product["unit"]
    size = f"{amount}{unit}"
    if unit in ("ml", "g") and amount >= 500 and dice.random() < 0.6:
        size = f"{amount / 1000:g}".replace(".", dice.choice(".,")) + {"ml": " L", "g": "kg"}[unit]
    code = product["code"].replace("-", "") if dice.random() < 0.5 else product["code"]
    words = [product["kind"], product["line"], code, size]
    if dice.random() < 0.7:
        words.append(product["colour"])
    has_brand = dice.random() < 0.6
    if has_brand:
        words.insert(0, product["brand"].upper())
    if dice.random() < 0.3:
        words.append(dice.choice(_NOISE))
    head, *tail = words
    dice.shuffle(tail)
    title = " ".join(filter(None, [head, *tail]))
    if dice.random() < 0.15:
        k = dice.randrange(1, len(product["kind"]) - 1)
        title = title.replace(product["kind"], product["kind"][:k] + product["kind"][k + 1 :])
    price = f"{float(product['price']) * dice.uniform(0.85, 1.15):.2f}".replace(".", ",")
    row = {
        "title": title,
        "brand": "" if has_brand and dice.random() < 0.3 else product["brand"],
        "price": f"R$ {price}",
    }
    return {**row, "gtin": f"0{product['gtin']}"} if dice.random() < 0.4 else row
