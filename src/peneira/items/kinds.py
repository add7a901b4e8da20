"""The kinds of items, and the types of schema.org and OpenGraph that stand for them."""

from __future__ import annotations

from collections.abc import Mapping

from peneira.result import ItemKind

_TYPES = """
product: product individualproduct someproducts productmodel productgroup vehicle car motorcycle softwareapplication
product: mobileapplication webapplication videogame product.item og:product product:item
recipe: recipe
job: jobposting
event: event musicevent theaterevent sportsevent businessevent educationevent exhibitionevent festival socialevent
event: screeningevent danceevent comedyevent foodevent literaryevent childrensevent saleevent visualartsevent
event: hackathon courseinstance eventseries
film: movie tvseries tvseason tvepisode video.movie video.tv_show video.episode
book: book books.book audiobook
person: person profilepage profile
place: place localbusiness restaurant hotel lodgingbusiness store foodestablishment barorpub cafeorcoffeeshop
place: touristattraction museum park landmarksorhistoricalbuildings residence apartment house singlefamilyresidence
place: accommodation school collegeoruniversity university hospital physician dentist realestatelisting
article: article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle
article: backgroundnewsarticle reviewnewsarticle advertisercontentarticle scholarlyarticle medicalscholarlyarticle
article: techarticle liveblogposting socialmediaposting report satiricalarticle askpublicnewsarticle blog.post
"""
KIND_OF_TYPE: Mapping[str, ItemKind] = {
    name: kind  # type: ignore[misc]
    for line in _TYPES.strip().splitlines()
    for kind, _, names in [line.partition(": ")]
    for name in names.split()
}
# How much more a kind says of a page than another, where the page describes several things of the same name: a blog
# post that is a recipe is a recipe, the author of an article is not what the page is about
PRECEDENCE: Mapping[ItemKind, float] = {
    "recipe": 3.0,
    "job": 3.0,
    "product": 2.5,
    "event": 2.5,
    "film": 2.5,
    "book": 2.5,
    "article": 1.5,
    "place": 1.0,
    "person": 0.5,
    "thing": 0.0,
}
