"""Names of columns without a role: by label, header, property, class words that carry a meaning, or type and order."""

from __future__ import annotations

import pytest

from list_columns import region_of
from peneira.columns.names import NameSources, name_columns, name_shown_columns, written_name
from peneira.columns.vocabulary import Vocabulary, class_words, naming_words, shipped_vocabulary
from peneira.errors import ModelError


def names(*columns: NameSources) -> list[str]:
    return [column.name for column in name_columns(columns)]


def classed(*class_names: str, tag: str = "p") -> NameSources:
    """Sources of a text in elements with these classes, innermost first."""
    return NameSources(elements=tuple((tag, tuple(name.split())) for name in class_names))


@pytest.mark.parametrize(
    "class_name",
    [
        "justify-between",
        "break-words",
        "text-sm font-bold truncate",
        "aditem",
        "uzcko",
        "begin",
        "descbox",
        "b_slideexp_k",
        "zg-grid-general-faceout",
        "css-1q2w3e dheQRw",
        "crayons-story__secondary",
        "a-size-base",
        "k",
    ],
)
def test_a_class_of_style_layout_or_a_program_names_nothing(class_name: str):
    assert names(classed(class_name)) == ["text"]


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        ("job-tile__company--big", "company"),
        ("col-md-6 text-right postedDate", "posted_date"),
        ("field--name-price", "price"),
        ("ProductCard_brand__xQzKw", "brand"),
        ("a--news--item--author", "author"),
        ("preis-wrapper", "preis"),
        ("shoe-size", "size"),
        ("prix", "prix"),
    ],
)
def test_a_class_word_that_carries_a_meaning_names_its_column(class_name: str, name: str):
    assert names(classed(class_name)) == [name]


def test_the_nearest_element_with_a_meaning_names_the_column():
    assert names(classed("flex", "author", "price")) == ["author"]
    assert names(classed("flex", "grid", "row", "price")) == ["text"]


def test_words_of_the_record_are_no_part_of_names():
    sources = [NameSources(elements=(("p", (name,)),), block=("film",)) for name in ("film-price", "film", "brand")]
    assert names(*sources) == ["price", "film", "brand"]


def test_the_names_of_shown_columns_do_not_depend_on_what_the_values_of_others_look_like():
    words = ("price", "brand", "author", "price", "text")
    sources = [classed(f"offers-{word}")._replace(is_shown=k in (1, 3)) for k, word in enumerate(words)]
    every = name_columns([each._replace(pattern="date", unit="pages") for each in sources])
    looked_at = [each._replace(pattern="date", unit="pages") if each.is_shown else each for each in sources]
    assert name_shown_columns(looked_at, [3, 1]) == [every[3], every[1]]


def test_words_that_nearly_all_columns_share_are_no_part_of_names():
    words = ("price", "brand", "author", "location")
    assert names(*(classed(f"offers-{word}") for word in words)) == list(words)
    assert names(*(classed(f"offers-{word}") for word in words[:2])) == ["offers_price", "offers_brand"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Title Sort Sort by citations Sort by year", "title"),
        ("Preço à vista", "preco_a_vista"),
        ("one two three four five six seven", "one_two_three_four_five"),
        ("Straßenverkehrszulassungsordnungen Fahrzeugregistereintragungen", "straenverkehrszulassungsordnungen"),
        ("2024", "n2024"),
        ("W", "w"),
        ("価格", "price"),
        ("Рейтинг (A)", "rating"),
        ("ไทย", ""),
    ],
)
def test_a_header_is_cut_at_a_word(text: str, name: str):
    assert written_name(text) == name


def test_a_label_of_numbers_is_no_name():
    assert names(NameSources(label="1.1", attribute="href")) == ["link"]


def test_a_sentence_names_a_column_only_if_nothing_else_does():
    sentence = "See how this offer was rated by others"
    assert names(NameSources(label=sentence, elements=(("p", ("flex",)),))) == ["see_how_this_offer_was"]
    assert names(NameSources(label=sentence, prop="ratingValue")) == ["rating_value"]


@pytest.mark.parametrize(
    ("sources", "name"),
    [
        (NameSources(attribute="href", elements=(("a", ("author",)),)), "author_url"),
        (NameSources(attribute="href", stem="company", elements=(("a", ("price",)),)), "company_url"),
        (NameSources(attribute="href"), "link"),
        (NameSources(attribute="src", elements=(("img", ("brand",)),)), "brand_image"),
        (NameSources(attribute="src", elements=(("img", ("company-logo",)),)), "company_logo"),
        (NameSources(attribute="src", elements=(("img", ("img-fluid",)),)), "image"),
        (NameSources(attribute="alt", elements=(("img", ("image",)),)), "text"),
        (NameSources(attribute="alt", elements=(("img", ("image",)), ("p", ("brand",)))), "brand"),
        (NameSources(attribute="data-rent-type"), "rent_type"),
        (NameSources(attribute="data-image-index", pattern="integer"), "number"),
        (NameSources(attribute="datetime", elements=(("time", ()),)), "date"),
        (NameSources(prop="og:title"), "title"),
        (NameSources(prop="url", elements=(("p", ("company",)),)), "company"),
    ],
)
def test_an_attribute_adds_what_it_holds_to_the_name(sources: NameSources, name: str):
    assert names(sources) == [name]


@pytest.mark.parametrize(
    ("part", "pattern", "name"),
    [("date", "date", "case_date"), ("code", "code", "case_code"), ("text", "integer", "case_number")],
)
def test_a_typed_part_of_a_text_takes_its_type(part: str, pattern: str, name: str):
    assert names(NameSources(header="Case", part=part, pattern=pattern)) == [name]


def test_a_text_part_is_numbered_after_its_whole():
    assert names(
        NameSources(header="Case", part="text", priority=(True,)), NameSources(header="Case", priority=(False,))
    ) == [
        "case_2",
        "case",
    ]


def test_parts_of_a_text_with_a_role_begin_with_the_role():
    part = NameSources(stem="location", header="Where", part="text", pattern="date")
    assert names(NameSources(role="location", header="Where"), part) == ["location", "location_date"]


def test_a_role_keeps_its_plain_name():
    assert names(classed("price"), NameSources(role="price")) == ["price_2", "price"]
    assert names(classed("price")) == ["price"]


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("", "text"), ("integer", "number"), ("money", "price"), ("datetime", "date"), ("code", "code"), ("list", "text")],
)
def test_a_column_without_words_is_called_by_its_type(pattern: str, name: str):
    assert names(NameSources(pattern=pattern), NameSources(pattern=pattern)) == [name, f"{name}_2"]


def test_numbers_do_not_depend_on_columns_that_are_not_shown():
    hidden = NameSources(header="text 2", is_shown=False)
    assert names(NameSources(is_shown=False), hidden, NameSources(), NameSources()) == [
        "text_3",
        "text_2_2",
        "text",
        "text_2",
    ]


def test_the_caption_keeps_the_words_of_the_page():
    header = "Title Sort Sort by year"
    assert name_columns([NameSources(header=header)])[0].caption == header
    assert name_columns([classed("job-company flex")])[0].caption == "job company"


def test_names_of_a_list_come_from_its_classes_without_those_of_the_record():
    html = "".join(
        f"<li class=job><h2><a href=/j/{k}>Baker of bread {k}</a></h2>"
        f"<p class='job-company text-sm'><a class=x href=/c/{k}>Acme {k}</a></p>"
        for k in (1, 2, 3)
    )
    assert [column.name for column in region_of(html).all_columns] == ["title", "company", "url", "company_url"]


# --- the vocabulary -----------------------------------------------------------------------------------------------


def test_a_class_is_read_as_words():
    assert class_words("job-card__listTitle--big") == ("list", "title")
    assert class_words("dheQRw") == ()


def test_a_word_may_name_only_at_the_end_of_a_class():
    vocabulary = Vocabulary(frozenset({"price"}), frozenset({"size"}))
    assert vocabulary.naming_words("size-small") == ()
    assert vocabulary.naming_words("price-size") == ("price", "size")


def test_the_vocabulary_comes_back_from_its_file():
    vocabulary = Vocabulary(frozenset({"price", "author"}), frozenset({"size"}))
    assert Vocabulary.from_json(vocabulary.to_json()) == vocabulary


@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"format": "peneira naming words", "version": 99}'])
def test_a_file_that_is_no_vocabulary_is_an_error(text: str):
    with pytest.raises(ModelError):
        Vocabulary.from_json(text)


def test_the_shipped_words_are_few_and_none_is_style():
    vocabulary = shipped_vocabulary()
    words = vocabulary.everywhere | vocabulary.at_end
    assert 500 < len(words) < 3000
    assert words.isdisjoint("container wrapper flex btn col js active truncate justify k".split())
    assert words >= set("price author preis prix marca title".split())


def test_a_column_without_words_is_called_by_the_unit_of_its_numbers():
    assert name_columns([NameSources(unit="people voted")])[0].name == "people_voted"
    assert name_columns([NameSources(unit="comments", elements=(("span", ("price",)),))])[0].name == "price"


def test_a_column_without_words_is_called_by_what_its_link_leads_to():
    assert name_columns([NameSources(path="authors")])[0].name == "authors"


def test_the_price_of_a_unit_is_called_so_whatever_its_class():
    sources = NameSources(pattern="unit_price", elements=(("span", ("price",)),))
    assert name_columns([sources])[0].name == "unit_price"


def test_a_modifier_of_one_word_is_style():
    assert naming_words("accent--color") == ()
    assert naming_words("field--name-title") == ("title",)
