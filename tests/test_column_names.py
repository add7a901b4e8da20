"""Names of columns: from roles, labels, headers, class words and types; and the simpler names of template columns."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from list_columns import columns, names, region_of, rows
from peneira.columns.names import NameSources, base_name, name_template_columns, snake_case

TITLES = ("Baker of bread", "Cook of soups", "Painter of walls")
WORDS = ("red clay", "blue steel", "green glass")


def titled(markup: str, values: Sequence[object]) -> str:
    """Return a list of titles, each with a value in the markup."""
    pairs = zip(TITLES, values, strict=True)
    return "".join(f"<li><h2>{title}</h2><hr>{markup.format(value)}" for title, value in pairs)


@pytest.mark.parametrize(
    ("markup", "values", "name"),
    [
        ('<p itemprop="educationRequirements" class="x-card__head">{}</p>', WORDS, "education_requirements"),
        ('<p class="css-1q2w3e">{}</p>', WORDS, "text"),
        ('<div class="material"><p class="dheQRw clearfix">{}</p></div>', WORDS, "material"),
        ("<p>Situação: {} a</p>", (1, 2, 3), "situacao"),
    ],
)
def test_names_come_from_what_the_author_wrote(markup: str, values: Sequence[object], name: str):
    assert names(region_of(titled(markup, values))) == ("title", name)


@pytest.mark.parametrize(
    ("markup", "values", "role"),
    [
        ('<p class="col-md-6 text-right job-card__company--big">{}</p>', ("Acme Ltd", "Globex Inc", "Lux"), "company"),
        ('<div class="published"><p class="dheQRw clearfix">{} May 2024</p></div>', (3, 14, 25), "date"),
        ("<p>R$ {},90</p>", (1, 2, 3), "price"),
        ("<p>0{}/02/2024</p>", (1, 2, 3), "date"),
    ],
)
def test_a_column_with_a_role_is_called_by_it(markup: str, values: Sequence[object], role: str):
    assert [(column.name, column.role) for column in region_of(titled(markup, values)).columns] == [
        ("title", "title"),
        (role, role),
    ]


def test_the_words_of_a_column_with_a_role_are_its_caption():
    html = "".join(f'<li><p itemprop="jobTitle" class="x-card__head">{title}</p>' for title in TITLES)
    assert [(column.name, column.caption) for column in region_of(html).columns] == [("title", "jobTitle")]


def test_names_do_not_depend_on_the_values():
    words, numbers = (region_of(titled("<p class=city>{}</p>", values)) for values in (WORDS, (12, 13, 14)))
    assert names(words) == names(numbers) == ("title", "location")


def test_a_rare_column_leaves_the_plain_name_to_a_full_one():
    rare = "<ul class=material>rare</ul>"
    html = "".join(f"<li><h3>T {k}</h3>{rare * (k in (2, 5))}<div class=material>full {k}</div>" for k in range(8))
    table = columns(html)
    assert table["material_2"] == ["", "", "rare", "", "", "rare", "", ""]
    assert table["material"] == [f"full {k}" for k in range(8)]


def test_equal_names_are_numbered():
    assert list(columns("".join(f"<li><h3>a {k}</h3><h3>b {k}</h3><h3>c {k}</h3>" for k in (1, 2)))) == [
        "title",
        "text",
        "text_2",
    ]


def test_a_column_of_years_is_called_year_and_nothing_is_a_second_title():
    films = (("The last ferry home", 1954), ("Bread and salt", 1961), ("On small islands", 1974), ("A clock", 1983))
    html = "".join(f"<li><h3>{name}</h3><b class=title>{year}</b>" for name, year in films)
    assert list(columns(html)) == ["title", "year"]


def test_a_number_in_the_box_of_the_author_is_no_second_author():
    people = ("Ann Lee", "Bo Smith", "Cy Jones", "Di Brown")
    html = "".join(
        f"<li><h3>{name.split()[1]} thing {k}</h3><div class=author><b class=author>{name}</b><i>{k},7{k}1</i></div>"
        for k, name in enumerate(people, 1)
    )
    assert list(columns(html)) == ["title", "author", "number"]


@pytest.mark.parametrize(("name", "base"), [("title", "title"), ("title_2", "title"), ("n2024", "n2024")])
def test_a_base_name_has_no_number(name: str, base: str):
    assert base_name(name) == base


# --- labels -------------------------------------------------------------------------------------------------------


def test_a_label_in_the_text_names_the_column_and_leaves_the_value():
    region = region_of("".join(f"<li><h3>T {k}</h3><p>Preço: R$ {k}0</p>" for k in (1, 2, 3)))
    assert [record.fields["price"].text for record in region.records] == ["R$ 10", "R$ 20", "R$ 30"]
    assert region.columns[1].caption == "Preço"


def test_a_title_with_a_colon_that_stands_twice_has_no_label():
    titles = ("Mount Mayhem at Work: Scaling Boxes", "Bread and salt", "Mount Mayhem at Work: Scaling Boxes", "A clock")
    html = "".join(f"<li>{'<header>' * (k % 2)}<h3>{title}</h3><p>words {k}</p>" for k, title in enumerate(titles))
    assert not any("mayhem" in name for name in columns(html))


def test_a_label_in_an_element_of_its_own_names_the_value_beside_it():
    html = "".join(
        f"<li><p><b>Author:</b> Ana {k}</p>" + (f"<p><b>Year:</b> 200{k}</p>" if k != 2 else "") for k in (1, 2, 3)
    )
    assert columns(html) == {"author": ["Ana 1", "Ana 2", "Ana 3"], "year": ["2001", "", "2003"]}


def test_a_label_names_the_url_beside_it_too():
    html = "".join(f"<li><h3><a href=/t{k}>T {k}</a></h3><p>Author: <a href=/a{k}>Ana {k}</a></p>" for k in (1, 2, 3))
    region = region_of(html)
    assert names(region)[:2] == ("title", "author")
    assert [record["url"].text for record in region] == ["/t1", "/t2", "/t3"]
    assert [record["author_url"].text for record in region] == ["/a1", "/a2", "/a3"]


def test_labels_keep_unmarked_lines_in_their_columns():
    lines = (("Author: Ana", "Year: 2001", "Pages: 90"), ("Year: 2002", "Pages: 80"), ("Author: Caio", "Pages: 70"))
    table = columns("".join("<li>" + "".join(f"<p>{line}</p>" for line in record) for record in lines))
    assert table == {"author": ["Ana", "", "Caio"], "year": ["2001", "2002", ""], "pages": ["90", "80", "70"]}


def test_terms_of_a_description_list_name_their_values():
    html = "".join(f"<li><dl><dt>Cor<dd>red {k}<dt>Ano<dd>200{k}</dl>" for k in (1, 2, 3))
    assert columns(html.replace("<dt>Cor<dd>red 2", "")) == {
        "cor": ["red 1", "", "red 3"],
        "ano": ["2001", "2002", "2003"],
    }


def test_terms_that_no_two_records_share_are_values():
    words = {"Sieve": "lets through", "Kettle": "holds water", "Pot": "holds soup"}
    html = "".join(f"<li><dl><dt>{term}<dd>What {meaning}.</dl>" for term, meaning in words.items())
    table = sorted(columns(html).values())
    assert table == [["Sieve", "Kettle", "Pot"], ["What lets through.", "What holds water.", "What holds soup."]]


@pytest.mark.parametrize("attribute", ["data-label", "aria-label"])
def test_an_attribute_that_is_the_same_in_all_records_names_its_text(attribute: str):
    html = "".join(f'<li><h3>T {k}</h3><p {attribute}="Preço à vista">R$ {k}0</p>' for k in (1, 2, 3))
    region = region_of(html)
    assert rows(region) == (("T 1", "R$ 10"), ("T 2", "R$ 20"), ("T 3", "R$ 30"))
    assert (region.columns[1].name, region.columns[1].caption) == ("price", "Preço à vista")


# --- columns of templates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "name"),
    [
        (NameSources(label="Preço à vista (R$)"), "preço_à_vista_r"),
        (NameSources(elements=(("#text", ()), ("p", ("col-md-6", "job-card__Company")))), "col_md_job"),
        (NameSources(elements=(("#text", ()), ("b", ()), ("h2", ()))), "title"),
        (NameSources(elements=(("#text", ()), ("b", ()), ("i", ()), ("h2", ()))), "text"),
        (NameSources(attribute="href", elements=(("a", ()), ("p", ("offer",)))), "offer_url"),
        (NameSources(attribute="src", elements=(("img", ("image",)),)), "image"),
        (NameSources(attribute="data-sku"), "sku"),
    ],
)
def test_a_template_column_is_named_by_its_label_or_the_nearest_words_as_written(sources: NameSources, name: str):
    assert name_template_columns([sources]) == [name]


def test_equal_names_of_template_columns_are_numbered_past_names_that_are_taken():
    columns = [NameSources(label=label) for label in ("size", "size", "size_2", "size")]
    assert name_template_columns(columns) == ["size", "size_3", "size_2", "size_4"]


@pytest.mark.parametrize(
    ("words", "name"),
    [("a b c d e", "a_b_c_d_e"), ("a b c d e f", "a_b_c_d_e"), ("x" * 48, "x" * 48), ("x" * 49, "x" * 48)],
)
def test_a_name_has_at_most_five_words_and_48_characters(words: str, name: str):
    assert snake_case(words) == name


def test_what_stands_in_the_box_of_an_author_is_no_second_author():
    posts = "".join(
        f"<li><h2>{title} wanted</h2><div class=author><a class=author-name href=/u/{k}>{name}</a>"
        f"<div>{rank}</div></div>"
        for k, (title, name, rank) in enumerate(
            zip(TITLES, ("Ann Moreno", "Bob Tanaka", "Cid Larsen"), ("Old hand", "New here", "Guide"), strict=True)
        )
    )
    found = names(region_of(posts))
    assert "author" in found
    assert "author_2" not in found
    assert "author_details" in found


def test_the_property_of_a_thing_does_not_name_each_of_its_parts():
    parts = (
        "<div itemprop=suggestedAnswer><div class=material>{}</div><p class=finish>{} b</p><b class=ground>c {}</b>"
        "<i class=region>d {} d</i><p class=custom>{} e f</p></div>"
    )
    html = "".join(
        f"<li><h2>{title}</h2>{parts.format(*[word] * 5)}" for title, word in zip(TITLES, WORDS, strict=True)
    )
    assert not any("suggested" in name for name in names(region_of(html)))


def test_a_class_for_the_size_of_letters_names_no_sentence():
    sentences = [f"A {word} wall stands behind the old house now" for word in WORDS]
    assert "size" not in names(region_of(titled("<p class=size>{}</p>", sentences)))
    assert "color" not in names(region_of(titled("<p class=color>{}</p>", (12, 17, 31))))


def test_a_class_for_the_color_names_colors_in_a_row_and_one_for_the_size_names_shares():
    colors = [f"Black, {word}, navy, red, green, sand" for word in ("white", "brown", "beige")]
    assert "color" in names(region_of(titled("<p class=color>{}</p>", colors)))
    assert "size" in names(region_of(titled("<p class=size>{}</p>", ("4.5 %", "5 %", "7 %"))))
