"""Names that a person would accept for the attributes of SWDE, beside the attribute itself."""

from __future__ import annotations

from collections.abc import Mapping

from peneira.columns.names import base_name

# Words that a name may have in front or behind and still be the same name
_LOOSE = frozenset({"product", "book", "job", "film", "movie", "player", "school", "the", "s", "text", "name", "info"})
ACCEPTED: Mapping[tuple[str, str], frozenset[str]] = {
    (vertical, attribute): frozenset(names.split())
    for vertical, attribute, names in (
        ("auto", "model", "model title name vehicle car trim"),
        ("auto", "price", "price msrp base_price starting_msrp base_msrp invoice"),
        ("auto", "engine", "engine standard_engine engine_type"),
        ("auto", "fuel_economy", "fuel_economy mpg gas_mileage mileage economy city_mpg fuel city_hwy city_highway"),
        ("book", "title", "title name"),
        ("book", "author", "author authors by author_name contributor"),
        ("book", "isbn_13", "isbn_13 isbn isbn13 ean gtin"),
        ("book", "publisher", "publisher"),
        ("book", "publication_date", "publication_date published date pub_date release_date date_published publisher"),
        ("camera", "model", "model title name item"),
        ("camera", "price", "price your_price our_price sale_price list_price"),
        ("camera", "manufacturer", "manufacturer brand maker brand_name"),
        ("job", "title", "title job_title position position_title"),
        ("job", "company", "company employer company_name"),
        ("job", "location", "location city address job_location"),
        ("job", "date_posted", "date_posted date posted creation_date posted_date date_post post_date"),
        ("movie", "title", "title name"),
        ("movie", "director", "director directors directed_by"),
        ("movie", "genre", "genre genres category genre_type"),
        ("movie", "mpaa_rating", "mpaa_rating rating rated mpaa"),
        ("nbaplayer", "name", "name title player"),
        ("nbaplayer", "team", "team company"),
        ("nbaplayer", "height", "height ht"),
        ("nbaplayer", "weight", "weight wt"),
        ("restaurant", "name", "name title"),
        ("restaurant", "address", "address street location street_address"),
        ("restaurant", "phone", "phone tel telephone phone_number phone_fax"),
        ("restaurant", "cuisine", "cuisine cuisines category food cuisine_type"),
        ("university", "name", "name title"),
        ("university", "phone", "phone tel telephone general_information"),
        ("university", "website", "website url website_url web_site web_site_url homepage web"),
        ("university", "type", "type school_type institution_type control"),
    )
}


def is_accepted(vertical: str, attribute: str, name: str) -> bool:
    """Return whether a person would accept the name of a column for an attribute."""
    accepted = ACCEPTED.get((vertical, attribute), frozenset()) | {attribute}
    base = base_name(name)
    words = [word for word in base.split("_") if word not in _LOOSE]
    return base in accepted or "_".join(words) in accepted
