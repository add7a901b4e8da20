"""What the descriptions of the main thing say about its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from peneira.columns.absolute_urls import absolute_url
from peneira.items.availability import stock_state
from peneira.items.brands import brand_claims
from peneira.items.claims import Claim, normal_form
from peneira.items.main_thing import NAMES, MainThing
from peneira.items.page_view import PageView
from peneira.items.things import Thing
from peneira.items.typed_claims import amount_of, claim_of
from peneira.result import ItemKind

# How far a property is believed where nothing else is known, set by hand: shops write prices and stock for search
# engines from the same data as the page, but brands and codes for themselves
PROBABILITY: Mapping[str, float] = {
    "title": 0.85,
    "price": 0.85,
    "availability": 0.8,
    "brand": 0.85,
    "sku": 0.7,
    "author": 0.85,
}
DEFAULT_PROBABILITY = 0.9
# Role: properties that hold it as a text or as the name of a thing. The first that has a value counts
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "subtitle": ("alternativeheadline", "alternatename"),
    "description": ("description", "abstract"),
    "brand": ("brand", "manufacturer"),
    "mpn": ("mpn",),
    "gtin": ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "ean", "upc"),
    "isbn": ("isbn",),
    "model": ("model",),
    "color": ("color",),
    "material": ("material",),
    "condition": ("itemcondition",),
    "category": ("recipecategory", "category", "articlesection", "genre", "applicationcategory"),
    "cuisine": ("recipecuisine", "servescuisine"),
    "publisher": ("publisher",),
    "date": ("datepublished", "dateposted", "datecreated", "uploaddate"),
    "date_modified": ("datemodified",),
    "start_date": ("startdate",),
    "end_date": ("enddate", "validthrough"),
    "release_date": ("releasedate",),
    "prep_time": ("preptime",),
    "cook_time": ("cooktime",),
    "total_time": ("totaltime",),
    "duration": ("duration", "timerequired"),
    "yields": ("recipeyield", "yield"),
    "company": ("hiringorganization",),
    "employment_type": ("employmenttype",),
    "industry": ("industry",),
    "director": ("director",),
    "actors": ("actor", "actors"),
    "language": ("inlanguage",),
    "pages": ("numberofpages",),
    "phone": ("telephone",),
    "email": ("email",),
    "job_title": ("jobtitle",),
    "birth_date": ("birthdate",),
    "price_range": ("pricerange",),
    "opening_hours": ("openinghours",),
    "organizer": ("organizer",),
    "performer": ("performer", "performers"),
}
# Roles that have several values
_LISTS: Mapping[str, tuple[str, ...]] = {
    "ingredients": ("recipeingredient", "ingredients", "ingredient"),
    "tags": ("keywords",),
}
_PEOPLE = ("author", "creator")
_ADDRESS = ("streetaddress", "postalcode", "addresslocality", "addressregion", "addresscountry")
_ADDRESS_STARTS = ("/", "http://", "https://")
# A person is what a product page may call its author, and nobody asked for it
_WITHOUT_AUTHOR: frozenset[ItemKind] = frozenset({"product", "job", "place", "person", "event", "film"})
MAX_IMAGES = 50
# What one variant of a product has says nothing of the product, unless all have it
_VARIED = ("mpn", "gtin", "color", "material", "model")
# What an author counts who is the publisher: a person whom the page names is more
SITE_SHARE = 0.8
_AND = re.compile(r"\s+(?:and|und|et|&)\s+")
# Longer names of steps are their texts, cut off
MAX_STEP_NAME_CHARS = 60
# Sections within sections of instructions
MAX_SECTION_DEPTH = 3
# Of one recipe and of one product: data may name itself again and again
MAX_STEP_ENTRIES = 2000
MAX_OFFERS = 200
MAX_OFFER_DEPTH = 2
# 500.0 g, as programs write amounts
_WHOLE = re.compile(r"(?<![\d.])(\d+)\.0(?!\d)")


def thing_claims(view: PageView, main: MainThing) -> Iterator[Claim]:
    """Yield the claims of all descriptions of the main thing; those of variants only where they agree."""
    for source in dict.fromkeys(thing.source for thing in main.same):
        variants = [thing for thing in main.same if thing.source == source]
        differing = {role for role in _VARIED if len({_first_text(thing, role) for thing in variants}) > 1}
        yield from (claim for claim in _claims(view, variants[0], main.kind) if claim.role not in differing)
        if main.kind == "product":
            yield from _offer_claims(view, variants)
        elif main.kind in ("event", "book", "film", "place"):
            yield from _offer_claims(view, variants[:1])


def _first_text(thing: Thing, role: str) -> str:
    return next((text for key in _TEXTS[role] for text in thing.texts(key)), "")


def _claims(view: PageView, thing: Thing, kind: ItemKind) -> Iterator[Claim]:
    if name := thing.text(*NAMES):
        yield _claim("title", view.without_site(" ".join(name.split())), thing)
    for role, keys in _TEXTS.items():
        key = next((key for key in keys if thing.has(key)), "")
        texts = list(dict.fromkeys(" ".join(text.split()) for text in thing.texts(key))) if key else []
        if role == "category":  # a link that is marked as one gives its address
            texts = [text for text in texts if not text.startswith(_ADDRESS_STARTS)]
        if role == "brand":
            yield from brand_claims(view, texts[:1], thing.source, PROBABILITY[role], thing.row)
        elif len(texts) == 1 or role == "yields":
            yield from (_claim(role, text, thing) for text in texts[:1])
        elif texts:
            yield _claim(role, ", ".join(texts), thing, items=tuple(texts))
    for role, keys in _LISTS.items():
        key = next((key for key in keys if thing.has(key)), "")
        if key and (texts := _list_texts(thing, key, role)):
            yield _claim(role, ", ".join(texts) if role == "tags" else "\n".join(texts), thing, items=tuple(texts))
    if steps := list(_steps(thing, "recipeinstructions")) or list(_steps(thing, "step")):
        yield _claim("steps", "\n".join(steps), thing, items=tuple(steps))
    if kind not in _WITHOUT_AUTHOR and (people := _people(thing)):
        publishers = view.site_names | {normal_form(text) for text in thing.texts("publisher")}
        share = SITE_SHARE if all(normal_form(name) in publishers for name in people) else 1.0
        items = tuple(people) if len(people) > 1 else ()
        yield claim_of("author", ", ".join(people), thing.source, share * PROBABILITY["author"], thing.row, items=items)
    if kind == "article" and (body := thing.text("articlebody")):
        yield _claim("body", body, thing)
    yield from _images(view, thing)
    yield from _ratings(thing)
    yield from _location(thing)
    yield from _salary(thing)


def _claim(role: str, text: str, thing: Thing, **others: object) -> Claim:
    return claim_of(role, text, thing.source, PROBABILITY.get(role, DEFAULT_PROBABILITY), thing.row, **others)  # type: ignore[arg-type]


def _list_texts(thing: Thing, key: str, role: str) -> list[str]:
    texts = thing.lines(key)
    if role == "tags" or (len(texts) == 1 and texts[0].count(",") > 2 and role != "ingredients"):
        texts = [part.strip() for text in texts for part in text.split(",")]
    if role == "ingredients":
        texts = [_WHOLE.sub(r"\1", text) for text in texts]
    # a recipe may take the same amount twice, a tag is named once
    return [text for text in (dict.fromkeys(texts) if role == "tags" else texts) if text]


def _steps(thing: Thing, key: str) -> Iterator[str]:
    """Yield the steps of instructions: texts, steps and sections of steps; of data that names itself a bounded part."""
    pending: list[tuple[int, Thing | str]] = [(0, entry) for entry in reversed(thing.entries(key))]
    for _ in range(MAX_STEP_ENTRIES):
        if not pending:
            return
        depth, entry = pending.pop()
        if isinstance(entry, str):
            yield from filter(None, map(str.strip, entry.split("\n")))
        elif inner_key := next((name for name in ("itemlistelement", "step", "steps") if entry.has(name)), ""):
            if entry.type == "howtosection":
                yield from entry.lines("name")[:1]
            if depth < MAX_SECTION_DEPTH:
                pending += [(depth + 1, inner) for inner in reversed(entry.entries(inner_key))]
        else:
            yield from _step_lines(entry)


def _step_lines(step: Thing) -> list[str]:
    """Return the lines of a step; a name that says more than its text stands before it."""
    lines = step.lines("text") or step.lines("description")
    name = " ".join(step.text("name").split())
    if not lines:
        return [name] if name else []
    is_new = 0 < len(name) <= MAX_STEP_NAME_CHARS and normal_form(name) not in normal_form(" ".join(lines))
    return [f"{name.rstrip(':. ')}: {lines[0]}", *lines[1:]] if is_new else lines


def _people(thing: Thing) -> list[str]:
    """Return who made a thing, by name; names joined in one text are several."""
    key = next((key for key in _PEOPLE if thing.has(key)), "")
    names = [name for name in thing.texts(key) if not name.startswith(("http://", "https://", "(", "/"))]
    if not names:
        people = (" ".join(filter(None, (one.text("givenname"), one.text("familyname")))) for one in thing.things(key))
        names = [name for name in people if name]
    parts = (part for name in names for part in _AND.split(" ".join(name.split())))
    return [part for part in dict.fromkeys(parts) if part]


def _offer_claims(view: PageView, variants: Sequence[Thing]) -> Iterator[Claim]:
    """Yield price, currency, stock and codes: of several variants those that all have, and the best stock."""
    groups = [*variants, *(variant for thing in variants for variant in thing.things("hasvariant"))]
    offers = [offer for thing in groups for offer in _offers(thing)]
    thing = variants[0]
    prices = list(dict.fromkeys(filter(None, (_price(offer) for offer in offers))))
    currencies = list(dict.fromkeys(filter(None, (_currency(offer) for offer in offers))))
    if prices:
        lowest = min(prices, key=lambda text: amount_of(text) or 0)
        yield from _money(lowest, currencies, thing, 1.0 if len(prices) == 1 else 0.7)
    states = [state for offer in offers for text in offer.texts("availability") if (state := stock_state(text))]
    states += [state for thing in groups for text in thing.texts("availability") if (state := stock_state(text))]
    if states:
        yield _claim("availability", "InStock" if "InStock" in states else states[0], thing)
    codes = [thing.text("sku", "productid") or thing.text("identifier") for thing in groups]
    codes = list(dict.fromkeys(filter(None, codes))) or [code for offer in offers[:1] if (code := offer.text("sku"))]
    if len(codes) == 1:
        yield _claim("sku", codes[0].removeprefix("sku:").removeprefix("mpn:"), thing)
    for role in ("gtin", "mpn"):
        found = {code for offer in offers for key in _TEXTS[role] if (code := offer.text(key))}
        if len(found) == 1 and not any(thing.has(key) for key in _TEXTS[role]):
            yield _claim(role, found.pop(), thing)


def _offers(thing: Thing, depth: int = 0) -> list[Thing]:
    offers = (thing.things("offers") or thing.things("offer"))[:MAX_OFFERS]
    if depth == MAX_OFFER_DEPTH:
        return offers
    found: list[Thing] = []
    for offer in offers:
        found += _offers(offer, depth + 1) or [offer]
        if len(found) >= MAX_OFFERS:
            break
    return found[:MAX_OFFERS]


def _price(offer: Thing) -> str:
    price = offer.text("price", "lowprice")
    if not price:
        price = next((text for inner in offer.things("pricespecification") if (text := inner.text("price"))), "")
    return price if (amount := amount_of(price)) is not None and amount > 0 else ""


def _currency(offer: Thing) -> str:
    own = offer.text("pricecurrency")
    return own or next(
        (text for inner in offer.things("pricespecification") if (text := inner.text("pricecurrency"))), ""
    )


def _money(price: str, currencies: Sequence[str], thing: Thing, share: float) -> Iterator[Claim]:
    currency = currencies[0].upper() if len(currencies) == 1 and len(currencies[0]) == 3 else "".join(currencies[:1])
    amount = amount_of(price)
    text, probability = f"{price} {currency}".strip(), share * PROBABILITY["price"]
    yield claim_of("price", text, thing.source, probability, thing.row, amount=amount, currency=currency)
    if currency:
        yield _claim("currency", currency, thing)


def _images(view: PageView, thing: Thing) -> Iterator[Claim]:
    urls = [absolute_url(view.base, text) for text in thing.texts("image", "url", "contenturl", "@id")[:MAX_IMAGES]]
    urls = list(dict.fromkeys(url for url in urls if url and " " not in url))
    if urls:
        yield _claim("images", ", ".join(urls), thing, items=tuple(urls))


def _ratings(thing: Thing) -> Iterator[Claim]:
    for rating in thing.things("aggregaterating")[:1]:
        if (score := rating.text("ratingvalue")) and amount_of(score):
            best = rating.text("bestrating")
            yield _claim(
                "rating", f"{score}/{best}" if best and amount_of(best) else score, thing, best=amount_of(best or "5")
            )
        if count := rating.text("reviewcount", "ratingcount"):
            yield _claim("reviews", count, thing)


def _location(thing: Thing) -> Iterator[Claim]:
    for key in ("joblocation", "location", "address"):
        for place in thing.things(key)[:1]:
            holders = place.things("address")[:1] or [place]
            parts = [text for part in _ADDRESS if (text := holders[0].text(part))]
            name = place.text("name") if key != "address" else ""
            written = ", ".join(dict.fromkeys(filter(None, [name, *(parts or holders[0].texts("name"))])))
            if written:
                yield _claim("address" if key == "address" else "location", written, thing)
                return
        if (text := thing.text(key)) and not thing.things(key):
            yield _claim("address" if key == "address" else "location", text, thing)
            return


def _salary(thing: Thing) -> Iterator[Claim]:
    for salary in thing.things("basesalary")[:1]:
        for value in salary.things("value")[:1] or [salary]:
            low, high = value.text("minvalue", "value"), value.text("maxvalue")
            amount = f"{low} - {high}" if low and high and low != high else low or high
            if amount:
                written = " ".join(filter(None, [salary.text("currency"), amount]))
                unit = value.text("unittext").lower()
                yield _claim("salary", f"{written} / {unit}" if unit else written, thing)
                return
    if text := thing.text("basesalary", "estimatedsalary"):
        yield _claim("salary", text, thing)
