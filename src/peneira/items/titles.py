"""What the item is called: the main heading, the name in its description, the title of the document."""

from __future__ import annotations

from collections.abc import Iterator

from peneira.items.claims import Claim, normal_form
from peneira.items.main_thing import NAMES, MainThing
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

# A heading that the title of the document repeats, and one that it does not
HEADING, LONE_HEADING = 0.8, 0.6
# The name of a thing that the page shows as a line of its own, as a card of a recipe does
SHOWN_NAME = 0.9


def title_claims(view: PageView, main: MainThing | None) -> Iterator[Claim]:
    """Yield what the page shows as the name of the item."""
    heading = view.heading
    if heading is not None:
        own = normal_form(heading.text)
        is_repeated = any(own in normal_form(part) or normal_form(part) in own for part in view.title_parts[:3])
        yield claim_of("title", heading.text, "page", HEADING if is_repeated else LONE_HEADING, heading.start)
    if main is not None and main.kind not in ("article", "person"):
        for thing in main.same:
            line = view.lines.by_text.get(" ".join(thing.text(*NAMES).split()).casefold())
            if line is not None:
                yield claim_of("title", line.text, "page", SHOWN_NAME, line.start)
                return
