"""The evidence on a column that the models of ``peneira.columns.roles`` see: names of features, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from peneira.columns.raw_columns import GROUP, WHOLE
from peneira.columns.value_looks import LOOKS
from peneira.values import ColumnType, Role

_NO_HITS = (0.0,) * 9
# Tags, attributes and types that have a feature of their own
TAGS = ("a", "time", "p", "li", "td", "b", "small", "address", "button", "#text")
ATTRIBUTES = ("", WHOLE, "href", "src", "alt", "title", "aria-label", "datetime", "content", GROUP)
TYPES = ("money", "date", "number", "rating", "time", "duration", "url", "list", "phone", "percent", "quantity")

VALUE_FEATURES = (
    "fill", "distinct", "top_share", "log_chars", "log_max_chars", "words", "digit_share", "starts_with_digit",
    "starts_with_capital", "comma_share", "ends_sentence", "capital_words", "digits_of_chars", "code_share",
    "type_confidence",
)  # fmt: skip
PLACE_FEATURES = (
    "heading", "is_linked", "is_list", "order", "text_order", "is_first_text", "table_column", "depth", "length_rank",
    "parts", "typed_parts", "inline_parts", "share_of_container", "container_parts", "container_inline_parts",
    "container_heading", "is_container_linked", "is_part", "twins", "log_columns", "log_records", "is_media",
)  # fmt: skip
LINK_FEATURES = (
    "address_count", "address_distinct", "slug_words", "link_number", "image_number", "links", "has_query",
    "path_depth", "is_file", "is_usual_host", "link_chars", "link_heading", "link_images", "agrees_with_alt",
    "is_longest_link",
)  # fmt: skip
NAME_FEATURES = ("has_header", "has_label", "has_prop", "has_class", "is_label")
COLUMN_FEATURES = (
    *VALUE_FEATURES,
    *PLACE_FEATURES,
    *LINK_FEATURES,
    *NAME_FEATURES,
    *(f"is_{name.replace('-', '_') or 'text'}" for name in ATTRIBUTES),
    *(f"tag_{name.strip('#')}" for name in TAGS),
    *(f"type_{name}" for name in TYPES),
    *(f"looks_like_{role}" for role in LOOKS),
)
# What the names around a column say about one role
HIT_FEATURES = (
    "label_hit", "header_hit", "prop_hit", "near_hit", "far_hit", "path_hit", "attribute_hit", "best_hit", "hit_lead",
    "type_fit", "look",
)  # fmt: skip
# The types that the values of a role have on most pages; of other roles most values are text
USUAL_TYPES: Mapping[Role, frozenset[ColumnType]] = {
    "price": frozenset({"money"}),
    "old_price": frozenset({"money"}),
    "salary": frozenset({"money"}),
    "discount": frozenset({"percent"}),
    "date": frozenset({"date", "datetime"}),
    "end_date": frozenset({"date", "datetime"}),
    "time": frozenset({"time"}),
    "rating": frozenset({"rating"}),
    "reviews": frozenset({"integer"}),
    "count": frozenset({"integer"}),
    "number": frozenset({"integer"}),
    "duration": frozenset({"duration"}),
    "size": frozenset({"quantity"}),
    "phone": frozenset({"phone"}),
    "email": frozenset({"email"}),
    "url": frozenset({"url"}),
    "image": frozenset({"image"}),
    "tags": frozenset({"list", "text"}),
}
TEXT_TYPES: frozenset[ColumnType] = frozenset({"text"})

Hits = Mapping[Role, float]
NO_NAMES: tuple[Hits, ...] = ({}, {}, {}, {}, {}, {}, {})


class ColumnNames(NamedTuple):
    """What the author called a column: its label, header, property, and the classes of its elements near and far."""

    label: str
    header: str
    prop: str
    near: tuple[str, ...]
    far: tuple[str, ...]
    attribute: str


class ColumnEvidence(NamedTuple):
    """The features of a column in the order of ``COLUMN_FEATURES``, its type, and the roles its names stand for.

    ``path_word``: the word of its link that says where it leads. ``is_title_of_person``: its names say that it is the
    title of a user or an author.
    """

    features: tuple[float, ...]
    hits: tuple[Hits, ...]
    type: ColumnType
    looks: Mapping[Role, float]
    path_word: str = ""
    is_title_of_person: bool = False

    def hit_features(self, role: Role) -> tuple[float, ...]:
        """Return what names and type say about a role, in the order of ``HIT_FEATURES``."""
        type_fit = float(self.type in USUAL_TYPES.get(role, TEXT_TYPES))
        if self.hits == NO_NAMES:
            return (*_NO_HITS, type_fit, self.looks.get(role, 0.0))
        own = tuple([hits.get(role, 0.0) if hits else 0.0 for hits in self.hits])
        best = max(own[:4])
        rivals = [points for hits in self.hits[:4] if hits for other, points in hits.items() if other != role]
        rival = max(rivals, default=0.0)
        return (*own, best, best - rival, type_fit, self.looks.get(role, 0.0))

    @property
    def best_hit(self) -> float:
        """How clearly any role is named, 0..1."""
        return max((points for hits in self.hits[:4] for points in hits.values()), default=0.0)

    @property
    def best_typed_hit(self) -> float:
        """The same for roles that the type of the column fits."""
        return max(
            (
                points
                for hits in self.hits[:4]
                for role, points in hits.items()
                if self.type in USUAL_TYPES.get(role, TEXT_TYPES)
            ),
            default=0.0,
        )
