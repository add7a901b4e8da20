"""From a page to its item: the kind, then for each role the claims of all sources, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from peneira.budget import Budget
from peneira.items.article_body import body_text
from peneira.items.availability import assumed_availability, availability_claims
from peneira.items.brands import shown_brand_claims
from peneira.items.breadcrumbs import breadcrumb_claims, shown_crumbs
from peneira.items.bylines import byline_claims
from peneira.items.claims import Claim, Decision, decide, normal_form
from peneira.items.codes import code_claims
from peneira.items.descriptions import description_claims
from peneira.items.images import image_claims
from peneira.items.kind_decision import KindDecision, decide_kind, prose_chars
from peneira.items.labelled_values import Pair, label_claims, page_pairs
from peneira.items.main_thing import main_thing
from peneira.items.metadata_claims import metadata_claims
from peneira.items.named_elements import named_claims
from peneira.items.page_view import PageView
from peneira.items.placeholders import is_placeholder
from peneira.items.prices import with_shown_prices
from peneira.items.property_fields import property_fields
from peneira.items.recipe_parts import recipe_claims, with_shown_amounts
from peneira.items.shown_contacts import contact_claims
from peneira.items.shown_dates import date_claims, described_dates
from peneira.items.state_claims import state_claims
from peneira.items.thing_claims import thing_claims
from peneira.items.things import Thing, things_of
from peneira.items.titles import title_claims
from peneira.items.true_properties import true_properties
from peneira.items.typed_claims import is_currency_code
from peneira.limits import DEFAULT_LIMITS
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Item, ItemKind
from peneira.table import Cell, Column
from peneira.values import Money, Role

# The order of the fields
ROLES = (
    "title subtitle description price old_price currency availability condition brand sku gtin mpn isbn model color "
    "material category breadcrumbs rating reviews author publisher director actors date date_modified start_date "
    "end_date release_date birth_date company location address salary employment_type industry job_title phone email "
    "website price_range opening_hours organizer performer yields prep_time cook_time total_time duration cuisine "
    "ingredients steps body pages language tags image images"
).split()
# A value less sure than this is not given, but told among the reasons
MIN_CONFIDENCE = 0.25
_ROLES: frozenset[str] = frozenset(get_args(Role))
# Kinds of things that shops sell
SOLD: frozenset[ItemKind] = frozenset({"product", "book"})
# What the state of scripts is read for, where the description of the page lacks any of it: it takes long
_STATE_ROLES = frozenset({"price", "sku", "brand"})
_RECIPE_ROLES = frozenset({"ingredients", "steps"})
# What a label on the page of a thing for sale says of the shop
_SELLER_ROLES = frozenset("location address phone email website company opening_hours salary employment_type".split())
_SHOP_ROLES = frozenset("price old_price currency availability sku gtin mpn brand condition".split())


def item_of(page: Page) -> Item:
    """Return what the page is about, as far as the limits allow."""
    budget = Budget(DEFAULT_LIMITS)
    reason = Reason(ReasonCode.LEFT_OUT, "a limit was hit before the page was understood")
    nothing = Item(None, 0.0, url=page.url, cuts=page.cuts, reasons=(reason,))
    found = budget.attempt(lambda: _item_of(page), nothing, "what the page is about was not looked for")
    return replace(found, cuts=(*found.cuts, *budget.cuts)) if budget.cuts else found


def _item_of(page: Page) -> Item:
    view = PageView(page)
    things = things_of(page) if len(page) else []
    main = main_thing(view, things) if things else None
    pairs = page_pairs(view) if len(page) else []
    decision = decide_kind(view, main, pairs)
    if decision.kind is None:
        return Item(None, 0.0, url=page.url, cuts=page.cuts, reasons=decision.reasons)
    described = list(thing_claims(view, main)) if main else []
    body = next((claim.text for claim in described if claim.role == "body"), "")
    claims = [*described, *_page_claims(view, decision, pairs, things, body)]
    claims.extend(title_claims(view, main))
    if decision.kind == "recipe":
        if _RECIPE_ROLES - {claim.role for claim in described}:
            claims.extend(recipe_claims(view))
        claims = with_shown_amounts(view, claims)
    if decision.kind in SOLD:
        if _STATE_ROLES - {claim.role for claim in described}:
            claims.extend(state_claims(view))
        claims = with_shown_prices(view, claims)
        if any(claim.role == "price" for claim in claims) and not any(claim.role == "availability" for claim in claims):
            claims.append(assumed_availability(view))
    by_role: dict[str, list[Claim]] = {}
    for claim in claims:
        if not is_placeholder(claim):
            by_role.setdefault(claim.role, []).append(claim)
    decided = {role: found for role in ROLES if role in by_role and (found := decide(by_role[role]))}
    return _item(view, decision, decided, pairs)


def _page_claims(
    view: PageView, decision: KindDecision, pairs: Sequence[Pair], things: Sequence[Thing], described_body: str
) -> Iterator[Claim]:
    kind = decision.kind or "thing"
    yield from metadata_claims(view, kind)
    other_roles = _SELLER_ROLES if kind in SOLD else _SHOP_ROLES
    yield from (claim for claim in label_claims(list(pairs)) if claim.role not in other_roles)
    if kind in SOLD:
        yield from availability_claims(view)
        yield from code_claims(view)
        yield from shown_brand_claims(view, shown_crumbs(view)[1])
    yield from named_claims(view, kind)
    if kind in ("place", "thing"):
        yield from contact_claims(view)
    if kind in ("article", "recipe", "book"):
        yield from byline_claims(view)
    if kind in ("article", "recipe", "event", "job"):
        yield from date_claims(view)
    if kind == "article":
        yield from described_dates(things)
    if kind == "article" and (body := body_text(view, described_body, prose_chars(view))):
        yield Claim("body", body, "page", 0.95, view.heading_row)
    if kind != "article":
        yield from description_claims(view)
    yield from breadcrumb_claims(view, things)
    yield from image_claims(view)


def _item(view: PageView, decision: KindDecision, decided: dict[str, Decision], pairs: Sequence[Pair]) -> Item:
    fields: dict[str, Cell] = {}
    reasons = list(decision.reasons)
    for role, found in decided.items():
        reasons.extend(found.reasons)
        if found.confidence < MIN_CONFIDENCE:
            reasons.append(_left_out(found))
            continue
        fields[role] = _cell(view, found)
    _set_currency(fields)
    if images := fields.get("images"):
        first = images.items[0]
        fields["image"] = Cell(first, images.xpath, "image", first, confidence=images.confidence, source=images.source)
    ordered = {role: fields[role] for role in ROLES if role in fields}
    columns = [_column(role, cell) for role, cell in ordered.items()]
    used = {normal_form(cell.text) for cell in ordered.values()}
    tabled = [pair for pair in pairs if pair.is_tabled and not view.listed[pair.row]]
    is_sold = decision.kind in SOLD
    own = true_properties(view, tabled, decision.kind, is_sold=is_sold)
    for name, caption, cell in property_fields(view, own, ordered, used, is_sold=is_sold):
        ordered[name] = cell
        columns.append(Column(name, caption, 1.0, type=cell.type, confidence=cell.confidence, label=caption))
    return Item(
        decision.kind,
        decision.confidence,
        ordered,
        tuple(columns),
        view.url or None,
        view.page.cuts,
        tuple(reasons),
    )


def _set_currency(fields: dict[str, Cell]) -> None:
    """Give prices the currency of the item where they show a sign that several currencies have, or none."""
    currency = fields["currency"].text if "currency" in fields else ""
    for role in ("price", "old_price"):
        cell = fields.get(role)
        if cell is None or not isinstance(cell.value, Money) or not is_currency_code(currency):
            continue
        if not is_currency_code(cell.value.currency):
            fields[role] = replace(cell, value=replace(cell.value, currency=currency))


def _cell(view: PageView, found: Decision) -> Cell:
    claim = found.claim
    row = claim.row
    if claim.source != "page" and (line := view.lines.by_text.get(claim.text.casefold())):
        row = line.start
    xpath = view.page.xpath(row) if row >= 0 else ""
    return Cell(
        claim.text,
        xpath,
        claim.type if claim.value is not None else "text",
        claim.value,
        claim.items,
        found.confidence,
        "+".join(found.sources),
    )


def _column(role: str, cell: Cell) -> Column:
    return Column(
        role,
        role,
        1.0,
        type=cell.type,
        confidence=cell.confidence,
        role=role if role in _ROLES else "",  # type: ignore[arg-type]
        source=cell.source,
    )


def _left_out(found: Decision) -> Reason:
    message = f"{found.claim.role}: {found.claim.text!r} of {found.claim.source} is too unsure"
    return Reason(ReasonCode.LEFT_OUT, message, found.confidence, found.claim.role)
