"""Roles: what a column is to a reader, and that it is called so."""

from __future__ import annotations

import pytest

import peneira
from peneira.columns.role_words import ROLES, named_roles, roles_of_property, tells_title_of_person, words_of
from peneira.columns.roles import LEARNED_ROLES, ROLE_FEATURES, shipped_role_models
from peneira.columns.value_looks import look_shares
from peneira.result import Region

NAMES = "Pegasus Premium,Vomero Plus,Structure 26,Free Run,Winflo 11,Zoom Fly 6,Invincible 3,Journey Run".split(",")
KINDS = ("Men's Road Running Shoes", "Road Running Shoes", "Women's Shoes")
CARD = """
<div class="product-card" data-product-position="{i}">
<a class="product-card__link-overlay" href="/t/{slug}">{name}</a>
<a class="product-card__img-link-overlay" href="/t/{slug}">
<img class="hero-image" alt="{name} {kind}" src="{slug}.png"></a>
<div class="product-card__info"><div class="product-card__messaging">{badge}</div>
<div class="product-card__title">{name}</div><div class="product-card__subtitle">{kind}</div>
<div class="product-card__count">{colours} Colors</div></div>
<div class="product-price us__styling is--current-price">${price}</div></div>"""
PEOPLE = ("Ann Moreno", "Bob Lee", "Eve Stone", "Ida Berg", "Max Ode", "Jo Park", "Sue Hale", "Tim Fox") * 2
HOMES = (
    ("450.000 €", "Köln"),
    ("390.000 €", "Bonn"),
    ("275.000 €", "Aachen"),
    ("610.000 €", "Düren"),
    ("1 €", "Jülich"),
)


def main_list(body: str) -> Region:
    region = peneira.extract(f"<html><body>{body}</body></html>", url="https://shop.example/").main
    assert region is not None
    return region


def shoes() -> Region:
    cards = [
        CARD.format(
            i=i + 1,
            slug=name.lower().replace(" ", "-"),
            name=name,
            kind=KINDS[i % 3],
            badge="Just In" if i % 4 == 0 else "",
            colours=3 + i * 2 % 7,
            price=110 + i * 15,
        )
        for i, name in enumerate(NAMES)
    ]
    return main_list(f"<main>{''.join(cards)}</main>")


def roles(region: Region) -> dict[str, str]:
    return {column.role: region.records[1][column.name].text for column in region.columns if column.role}


def test_a_shop_is_the_table_that_a_person_would_make():
    region = shoes()
    assert [column.name for column in region.columns] == ["title", "text", "subtitle", "count", "price", "url", "image"]
    assert roles(region) == {
        "title": "Vomero Plus",
        "subtitle": "Road Running Shoes",
        "count": "5 Colors",
        "price": "$125",
        "url": "https://shop.example/t/vomero-plus",
        "image": "https://shop.example/vomero-plus.png",
    }


def test_what_most_lists_have_is_an_attribute_of_a_record():
    record = shoes()[0]
    assert [str(cell) for cell in (record.title, record.price)] == ["Pegasus Premium", "$110"]
    assert [str(cell) for cell in (record.url, record.image)] == [
        "https://shop.example/t/pegasus-premium",
        "https://shop.example/pegasus-premium.png",
    ]
    assert peneira.Record((), "", "").price is None


def test_a_role_is_given_once_and_names_its_column():
    columns = [column for column in shoes().all_columns if column.role]
    assert len({column.role for column in columns}) == len(columns)
    assert [column.name for column in columns] == [column.role for column in columns]


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (("Preis", "Datum", "Ort"), {"price", "date", "location"}),
        (("Prix", "Date", "Ville"), {"price", "date", "location"}),
        (("Precio", "Fecha", "Ciudad"), {"price", "date", "location"}),
        (("価格", "掲載日", "所在地"), {"price", "date", "location"}),
        (("Цена", "Дата", "Город"), {"price", "date", "location"}),
    ],
)
def test_labels_of_many_languages_say_what_a_column_is(labels: tuple[str, str, str], found: set[str]):
    items = [
        f"<li><h3><a href='/w/{i}'>{place} am Park</a></h3><dl><dt>{labels[0]}</dt><dd>{price}</dd>"
        f"<dt>{labels[1]}</dt><dd>{i + 1}.5.2024</dd><dt>{labels[2]}</dt><dd>{place}</dd></dl></li>"
        for i, (price, place) in enumerate(HOMES)
    ]
    region = main_list(f"<ul>{''.join(items)}</ul>")
    assert found <= {column.role for column in region.columns}
    assert {labels[0], labels[1], labels[2]} <= {column.caption for column in region.columns}


def test_the_address_is_the_link_of_the_title_not_that_of_an_icon():
    titles = (
        "A new way to sort numbers",
        "Why our database fell over",
        "The history of the paper clip",
        "Notes on tea",
    )
    rows = [
        f"<tr><td><a href='vote?id={i}'><img src=/up.gif></a></td><td class=title><a href='https://s{i}.example/{i}'>{title}"
        f"</a></td><td class=age>{i} hours ago</td></tr>"
        for i, title in enumerate(titles, 1)
    ]
    region = main_list(f"<table>{''.join(rows)}</table>")
    assert [record.url.text for record in region if record.url] == [f"https://s{i}.example/{i}" for i in range(1, 5)]
    hidden = {column.name for column in region.all_columns} - {column.name for column in region.columns}
    assert "https://shop.example/vote?id=1" in {region[0][name].text for name in hidden}


def test_a_dealer_under_the_class_price_has_not_the_role_of_a_price():
    cards = [
        f"<div class=ad><h2><a href='/{i}'>Red car number {i}</a></h2><b class=amount>${i}00</b>"
        f"<span class=price>{dealer}</span></div>"
        for i, dealer in enumerate(("Cars & Co", "Best Wheels", "Auto Haus", "Joe's Garage", "Old Town Motors"), 1)
    ]
    assert roles(main_list("".join(cards)))["price"] == "$200"


def test_every_role_has_words_and_every_learned_role_a_feature():
    named = {role for word in ("title", "price", "datum", "価格", "автор") for role in named_roles(word)}
    assert {"title", "price", "date", "author"} <= named
    assert set(LEARNED_ROLES) <= set(ROLES)
    assert shipped_role_models().roles.names == ROLE_FEATURES


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Preço à vista", ("preco", "a", "vista")),
        ("datePosted", ("date", "posted")),
        ("job-card__title", ("job", "card", "title")),
    ],
)
def test_names_are_read_as_words(name: str, words: tuple[str, ...]):
    assert words_of(name) == words


def test_the_title_of_a_person_is_not_that_of_a_record():
    assert "title" in named_roles("job-title")
    assert "title" not in named_roles("userTitle")
    assert "title" not in roles_of_property("jobTitle")


def test_the_last_word_of_a_name_says_most_unless_it_says_nothing():
    assert named_roles("image-title")["title"] == 1.0
    assert named_roles("price-note")["price"] < 1.0
    assert named_roles("company-name") == named_roles("company")


@pytest.mark.parametrize(
    ("role", "looks", "looks_not"),
    [
        ("address", "38 McLaren Street, ADELAIDE SA 5000", "38 pictures of the world"),
        ("address", "Christian-Rath-Straße 2, Sassenberg", "Sassenberg"),
        ("company", "ELKOV elektro a.s.", "Senior Engineer"),
        ("author", "Mary Jane Watson", "mary had a little lamb and more than that"),
        ("date", "3 days ago", "13 Colors"),
        ("date", "11. února", "11 rooms"),
        ("date", "18d", "2h 22m"),
        ("date", "11 min ago", "11 min read"),
        ("price", "ab 12,99 €", "12 Stück"),
        ("rating", "4.5 out of 5", "45 out of the box ideas"),
        ("id", "DA/2024-0012", "two words"),
        ("id", "3号室-12", "3コメント"),
    ],
)
def test_values_look_like_those_of_a_role(role: str, looks: str, looks_not: str):
    assert {
        text: share for text in (looks, looks_not) for name, share in look_shares([text]).items() if name == role
    } == {
        looks: 1.0,
        looks_not: 0.0,
    }


def test_the_price_of_a_unit_is_not_the_price():
    body = "".join(
        f"<article><h2><a href='/h/{place}'>House in {place}</a></h2><p><span>{2 + i}.{i}50 €/m²</span></p>"
        f"<p><span>{price}</span></p></article>"
        for i, (price, place) in enumerate(HOMES)
    )
    region = main_list(body)
    assert [record.price.text for record in region if record.price] == [price for price, _ in HOMES]


def test_a_link_to_share_a_record_is_not_its_address():
    body = "".join(
        f"<article><a href='https://social.example/sharer?u=https%3A%2F%2Fshop.example%2F{i}'>Share</a>"
        f"<h2>{name}</h2><a href='/p/{i}'>Look at it</a></article>"
        for i, name in enumerate(NAMES)
    )
    region = main_list(body)
    assert [record.url.text for record in region if record.url] == [f"https://shop.example/p/{i}" for i in range(8)]


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        (("(132)", "(34)", "(218)", "(7)", "(1,090)", "(11)", "(5)", "(61)"), "rating"),
        (("1 / 10", "1 / 14", "1 / 7", "1 / 9", "1 / 22", "1 / 3", "1 / 5", "1 / 6"), "rating"),
        (("5.6K", "1.6K", "655", "12K", "3.1K", "840", "2.2K", "9K"), "id"),
        (tuple(f"{n}" for n in range(1, 9)), "id"),
        (("399 stars today", "12 stars today", *(f"{n}8 stars today" for n in range(1, 7))), "date"),
        (("08.30", "9.00", "10.15", "11.45", "12.20", "13.05", "14.00", "20.15"), "id"),
        (("32 min", "60 min", "25 min", "45 min", "90 min", "30 min", "55 min", "28 min"), "date"),
        (("3,003,880", "673,299", "21,450", "9,111", "87,200", "15,043", "1,200", "56,009"), "rating"),
        (("2", "3", "2.5", "4", "3", "1", "3", "2"), "rating"),
        (tuple(f"2016年3月{n}日" for n in range(1, 9)), "id"),
        (tuple(f"3/{n}" for n in range(11, 19)), "id"),
        (("EUR 17.07", "EUR 6.02", "EUR 34.41", *(f"EUR 1{n}.90" for n in range(5))), "id"),
        (tuple(f"{n} min read" for n in range(3, 11)), "date"),
        (("New", "Hot", "Top", "New in", "Sale", "Last one", "Best", "Soon"), "description"),
    ],
)
def test_counts_and_badges_are_not_taken_for_other_roles(values: tuple[str, ...], wrong: str):
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p class=x>{value}</p></article>"
        for i, (name, value) in enumerate(zip(NAMES, values, strict=True))
    )
    region = main_list(body)
    assert wrong not in {column.role for column in region.columns}


def test_the_column_that_the_page_calls_title_is_the_title_and_not_a_name():
    rows = "".join(
        f"<tr><td><a href='/n/{i}'>T-{i:03}</a></td><td>{name.split()[0]} Smith</td><td>On the {name} and its use</td>"
        f"<td>{i + 1} May 2024</td></tr>"
        for i, name in enumerate(NAMES)
    )
    head = "<tr><th>Number<th>Name<th>Title<th>Date</tr>"
    region = main_list(f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>")
    assert [record.title.text for record in region if record.title] == [f"On the {name} and its use" for name in NAMES]


def test_a_class_that_names_a_field_beside_a_place_in_the_layout_is_read_as_the_field():
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name} maker</a></h2><h3 class='subtitle company'>{name} Ltd</h3></article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body))["company"] == f"{NAMES[1]} Ltd"


@pytest.mark.parametrize(("value", "role"), [("@fox_{}", "author"), ("1{}1 reviews", "reviews")])
def test_how_a_value_is_written_may_say_what_it_is(value: str, role: str):
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p><span>{value.format(i)}</span></p></article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body))[role] == value.format(1)


@pytest.mark.parametrize("value", ["1,{}09 posts", "Joined 202{}"])
def test_what_is_said_of_an_author_is_not_the_author(value: str):
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><div class=author>{value.format(i)}</div></article>"
        for i, name in enumerate(NAMES)
    )
    assert "author" not in roles(main_list(body))


@pytest.mark.parametrize(("markup", "role"), [("phone", "phone"), ("date end", "end_date")])
def test_a_class_does_not_make_words_a_number_nor_numbers_a_date(markup: str, role: str):
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p class='{markup}'>{name.split()[0]} #</p></article>"
        for i, name in enumerate(NAMES)
    )
    assert role not in roles(main_list(body))


def test_the_title_of_a_post_is_its_text_and_not_its_number():
    words = " ".join(f"word{n}" for n in range(90))
    body = "".join(
        f"<li><a class=post-number href='#p{i}'>#{i}</a><b class=author>{name.split()[0]}</b>"
        f"<div class=post-content>{name} {words}</div></li>"
        for i, name in enumerate(NAMES, 1)
    )
    assert roles(main_list(f"<ol>{body}</ol>"))["title"].startswith(NAMES[1])


@pytest.mark.parametrize("value", ["${}50 off", "Save 1{}%", "-{}0 %"])
def test_what_is_saved_is_a_discount(value: str):
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><b>$99{i}</b><p class=x>{value.format(i)}</p></article>"
        for i, name in enumerate(NAMES, 1)
    )
    assert roles(main_list(body))["discount"] == value.format(2)


def test_a_discount_has_a_number():
    badges = ("hot", "new", "hot seller", "last chance", "new", "hot", "rare", "hot seller")
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p class=discount>{badge}</p></article>"
        for i, (name, badge) in enumerate(zip(NAMES, badges, strict=True))
    )
    assert "discount" not in roles(main_list(body))


def test_an_event_of_every_week_keeps_its_title():
    body = "".join(
        f"<li><h2>{month} 4, 2026</h2><h3><a href='/events/{k}/run'>Morning run</a></h3><p>in {name} Park</p></li>"
        for k, (month, name) in enumerate(zip(("May", "June", "July", "August", "March"), NAMES, strict=False))
    )
    assert [record.title.text for record in main_list(f"<ul>{body}</ul>") if record.title] == ["Morning run"] * 5


def test_a_byline_is_an_author():
    people = ("Ann Lee", "Bob Ray", "Eve Kim", "Joe Fox", "Mia Roy", "Tom Orr", "Zoe Ash", "Max Day")
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p>All about the {name} and its use.</p>"
        f"<div class=x>By {people[i]}</div></article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body))["author"] in ("By Bob Ray", "Bob Ray")


def test_numbers_in_brackets_in_a_rating_count_the_reviews():
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p class=rating>({i}21)</p><b>$9{i}</b></article>"
        for i, name in enumerate(NAMES, 1)
    )
    assert roles(main_list(body))["reviews"] == "(221)"


def test_words_under_a_class_with_tag_are_no_date():
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p class=offer-tag>Up to {i}45 lbs of plates free</p></article>"
        for i, name in enumerate(NAMES, 1)
    )
    assert "date" not in roles(main_list(body))


def test_a_text_beside_an_icon_is_called_by_the_class_of_both():
    body = "".join(
        f"<article><h2><a href='/job/{i}'>Engineer {name.split()[0]}</a></h2>"
        f"<p class=listing__company-name>{name} <img src=/icon.svg></p></article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body))["company"] == NAMES[1]


def test_a_text_after_what_its_element_names_is_not_called_so():
    body = "".join(
        f"<article><h2><a href='/job/{i}'>Engineer {i}</a></h2><div class=company><b>{name} Ltd</b> London</div>"
        f"</article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body)).get("company") != "London"


def test_no_reviews_in_words_are_reviews():
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><b>$9{i}</b>"
        f"<p class=review-count>{('One review', 'No reviews yet', 'Two reviews')[i % 3]}</p></article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body))["reviews"] == "No reviews yet"


@pytest.mark.parametrize("day", ["1{}-3-20", "3-1{}-20"])
def test_days_of_three_numbers_are_dates(day: str):
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p class=date>{day.format(i)}</p></article>"
        for i, name in enumerate(NAMES)
    )
    assert roles(main_list(body))["date"] == day.format(1)


def test_a_text_without_a_number_is_not_how_many_reviews_there_are():
    body = "".join(
        f"<article><h2><a href='/app/{i}'>{name}</a></h2><p class=reviews>Likely {name.split()[0]} next</p></article>"
        for i, name in enumerate(NAMES)
    )
    assert "reviews" not in roles(main_list(body))


def test_games_won_lost_and_drawn_are_no_date():
    rows = "".join(
        f"<tr><td><a href='/t/{i}'>{name}</a><td>{67 - i}<td>{40 - i}-{13 + i}-{17 - i}</tr>"
        for i, name in enumerate(NAMES, 1)
    )
    assert "date" not in roles(main_list(f"<table><tr><th>Team<th>GP<th>Record</tr>{rows}</table>"))


def test_a_length_in_feet_is_no_duration():
    body = "".join(
        f"<article><h2><a href='/p/{i}'>{name}</a></h2><p>Length: {i}1 feet</p></article>"
        for i, name in enumerate(NAMES, 1)
    )
    assert "duration" not in roles(main_list(body))


def test_numbers_that_count_the_records_are_no_title():
    posts = "".join(
        f"<div itemscope><a itemprop=author href=/u/{name}>{name}</a> <span itemprop=position>{n}</span>"
        f"<p itemprop=text>My {name} neighbours water their ferns twice in a dry week of winter.</p></div>"
        for n, name in enumerate(["ana", "bia", "caio", "duda", "eva", "fabio"], 1)
    )
    columns = {column.name: column.role for column in peneira.extract(f"<h1>Ferns</h1>{posts}").main.columns}
    assert columns["number"] == "number"


@pytest.mark.parametrize(
    ("prop", "names", "expected"),
    [
        ("", ("message-userTitle",), True),
        ("", ("usertitle",), True),
        ("jobTitle", ("userBanner", "message-cell--user"), True),
        ("jobTitle", ("job-card", "heading"), False),
        ("", ("card-title", "user-list"), False),
    ],
)
def test_ranks_of_users_are_told_from_titles_of_jobs(prop: str, names: tuple[str, ...], expected: bool):
    assert tells_title_of_person(prop, names) is expected


def test_a_size_or_a_count_is_no_title():
    homes = "".join(
        f"<li><a href=/h/{k}><img src=/{k}.jpg></a><p>1,{k}58 sq ft</p><p>{price}</p></li>"
        for k, (price, _) in enumerate(HOMES)
    )
    assert "title" not in roles(main_list(f"<ul>{homes}</ul>"))


def test_the_number_of_a_post_is_no_title_in_whatever_order():
    posts = "".join(
        f"<div class=post><h3><a href='/{n}'>#{n}</a></h3><b>{who}</b><p>{who} said so at length.</p></div>"
        for n, who in zip((1, 4, 3, 5), ("ann", "bob", "cyd", "dan"), strict=True)
    )
    assert roles(main_list(f"<main>{posts}</main>")).get("title") != "#4"


def test_the_host_of_a_link_is_no_address():
    news = "".join(
        f"<li><a href='https://{name[:3]}.com/'>{name}</a> <span class=site>({name[:3]}.com)</span>" for name in NAMES
    )
    assert not {"address", "location"} & roles(main_list(f"<ul>{news}</ul>")).keys()


def test_a_day_and_month_that_all_records_share_is_a_date():
    jobs = "".join(f"<li><h3><a href=/{k}>{name}</a></h3><p>11. února</p></li>" for k, name in enumerate(NAMES))
    assert roles(main_list(f"<ul lang=cs>{jobs}</ul>"))["date"] == "11. února"


def test_a_label_for_the_price_before_is_the_old_price():
    lamps = "".join(
        f"<li><h3><a href=/{k}>{name}</a></h3><p>${k + 3}9.00</p><p><i>Original price:</i> <b>${k + 4}5.00</b></p></li>"
        for k, name in enumerate(NAMES)
    )
    found = roles(main_list(f"<ul>{lamps}</ul>"))
    assert (found["price"], found["old_price"]) == ("$49.00", "$55.00")


def test_a_long_text_that_is_nothing_else_describes_the_record():
    cards = "".join(
        f"<li><a href=/{k}><b>{name}</b></a><div>{name} is what it is, and that is said here in a few words more.</div>"
        for k, name in enumerate(NAMES)
    )
    found = roles(main_list(f"<ul>{cards}</ul>"))
    assert {"summary", "description"} & found.keys()


def test_years_with_an_exception_are_no_ids():
    films = "".join(
        f"<li><h3><a href=/f/{k}>{name}</a></h3><span>{'in May 2031' if k == 7 else 2020 + k}</span></li>"
        for k, name in enumerate(NAMES)
    )
    region = main_list(f"<ul>{films}</ul>")
    assert [column.name for column in region.columns][1] == "year"


def test_a_class_for_phones_makes_no_phone_number_of_words():
    posts = "".join(
        f"<li><h3><a href=/{k}>{name}</a></h3><span class=hide_phone>Posted August {k + 1} here</span>"
        for k, name in enumerate(NAMES)
    )
    region = main_list(f"<ul>{posts}</ul>")
    assert "phone" not in [column.name for column in region.columns]


def test_numbers_beyond_a_hundred_are_no_ratings():
    posts = "".join(
        f"<li><h3><a href=/{k}>{name}</a></h3><b class=rating>{k * 97 + 5}</b></li>" for k, name in enumerate(NAMES)
    )
    assert "rating" not in roles(main_list(f"<ul>{posts}</ul>"))


def test_a_sentence_of_the_template_with_other_numbers_describes_nothing():
    cards = "".join(
        f"<li><a href=/{k}><b>{name}</b></a><div>({k}7) {k}7 reviews with an average rating of {k % 5} in five</div>"
        for k, name in enumerate(NAMES, 1)
    )
    assert not {"summary", "description"} & roles(main_list(f"<ul>{cards}</ul>")).keys()


def test_names_for_the_tests_of_a_page_say_what_a_value_is():
    cards = "".join(
        f"<li><a href=/{k}><span data-ui=product-brand>{brand}</span><span data-ui=product-title>{name}</span></a>"
        for k, (name, brand) in enumerate(zip(NAMES, ("Nike", "On", "Hoka", "Salomon") * 2, strict=True))
    )
    found = roles(main_list(f"<ul>{cards}</ul>"))
    assert (found["title"], found["brand"]) == ("Vomero Plus", "On")


def test_a_field_that_is_the_same_in_all_records_is_called_as_on_other_pages_of_the_site():
    def fields(*towns: str) -> list[tuple[str, str]]:
        rows = "".join(f"<tr><td>{n}<td>Roof of hall {n * 7}<td>{town}</tr>" for n, town in enumerate(towns))
        region = main_list(f"<table><thead><tr><th>Reference<th>Proposal<th>Location</thead>{rows}</table>")
        return [(column.name, column.role) for column in region.columns]

    several = fields("Berlin", "Köln", "Bonn", "Aachen", "Düren")
    assert several[2] == ("location", "location")
    assert fields(*["Berlin"] * 5) == several


def test_a_text_that_an_attribute_repeats_is_called_by_the_attribute():
    cards = [
        f'<li><h3>{name}</h3><q data-rubrik="{kind}">{kind}</q></li>'
        for name, kind in zip(NAMES, KINDS * 3, strict=False)
    ]
    assert roles(main_list(f"<ul>{''.join(cards)}</ul>"))["category"] == KINDS[1]


def test_a_rank_that_leads_to_its_category_is_no_category():
    def roles_with(*texts: str) -> dict[str, str]:
        cards = [
            f"<li><h3><a href=/shoes/{n}>{name}</a></h3><a href=/category/{n % 3}>{text}</a>"
            f"<p>{n * 3 + 180} grams</p></li>"
            for n, (name, text) in enumerate(zip(NAMES, texts, strict=False))
        ]
        return roles(main_list(f"<ul>{''.join(cards)}</ul>"))

    assert "category" not in roles_with(*(f"#{n + 1}" for n in range(8)))
    places = ("Road and track", "Forest", "Mountains", "Beach", "Hall", "Street and town", "Snow and ice", "Field")
    assert roles_with(*places)["category"] == "Forest"


def test_what_a_shop_says_its_product_was_posted_in_is_the_category():
    cards = [
        f"<li><h3>{name}</h3><span class=posted_in>{kind} of the year</span><b>{n * 7} grams</b></li>"
        for n, (name, kind) in enumerate(zip(NAMES, KINDS * 3, strict=False))
    ]
    assert roles(main_list(f"<ul>{''.join(cards)}</ul>"))["category"] == f"{KINDS[1]} of the year"


def test_a_heading_that_differs_in_all_records_is_the_title_and_not_one_below_it_that_several_share():
    sellers = ("Tax Office - Madrid", "Tax Office - Bilbao", "Tax Office - Madrid")
    items = "".join(
        f"<li><h3>AUCTION {code}</h3><h4>{seller}</h4><p>State: open</p><ul><li>"
        f"<a href=/show?id={code}>More... (Reference {code})</a></li></ul></li>"
        for code, seller in zip(("SUB-AT-26R0{0}", "SUB-JA-2619{0}", "SUB-AT-26R1{0}"), sellers, strict=True)
    )
    page = "<ul>" + "".join(items.replace("{0}", str(k)) for k in range(10, 14)) + "</ul>"
    region = peneira.extract(page, url="https://auctions.example/").main
    assert region is not None
    assert [record["title"].text for record in region][:2] == ["AUCTION SUB-AT-26R010", "AUCTION SUB-JA-261910"]
    assert "id" not in [column.name for column in region.columns]  # the title says it


def test_what_one_record_in_ten_has_is_not_the_title():
    rows = "".join(
        f"<tr><td>C0{97000 + k * 37}</td><td><span>Weber v. Court {k}</span></td>"
        f"<td>{'<span class=title>B326' + str(k) + ' Related title</span>' if k % 12 == 3 else ''}</td>"
        f"<td>Apr {k + 1}, 2024</td></tr>"
        for k in range(24)
    )
    region = peneira.extract(
        f"<table><tr><th>Number</th><th>Description</th><th>Title</th><th>Date</th></tr>{rows}</table>"
    ).main
    assert region is not None
    assert [column.fill for column in region.columns if column.role == "title" and column.fill < 0.2] == []


@pytest.mark.parametrize(
    "links",
    [
        "<h3><a href=/p/{k}>{name}</a></h3><a href=/p/{k}#reviews>{k} reviews</a><a href=/cart/add/{k}>Add to cart</a>",
        "<h3><a href=/t/{k}>{name}</a></h3><a href=/t/{k}/last>Page {k}</a><a href=/reply/{k}>Reply</a>",
        "<h3><a href=/home/{k}>{name}</a></h3><a href=/home/{k}/photos>{k} photos</a><a href=/ask/{k}>Contact</a>",
    ],
)
def test_the_button_of_a_record_with_two_links_about_one_thing_is_not_its_address(links: str):
    names = ("Oak table", "Pine chair", "Steel lamp", "Wool rug", "Glass vase", "Clay pot", "Tin box", "Red door")
    items = "".join(
        f"<li>{links.format(k=k, name=name)}<p>Made of {name.split()[0].lower()} number {k * 7}</p></li>"
        for k, name in enumerate(names, 1)
    )
    region = peneira.extract(f"<ul>{items}</ul>", url="https://a.example/").main
    assert region is not None
    path = links.split("href=")[1].split("{")[0]
    assert [record["url"].text for record in region][:2] == [f"https://a.example{path}1", f"https://a.example{path}2"]


@pytest.mark.parametrize(("link", "title"), [("<a href=/s/{k}>", "Nurse and friends"), ("<b>", "Week 101")])
def test_a_heading_above_is_the_title_unless_the_one_below_it_is_the_link(link: str, title: str):
    plays = ("Nurse", "Cook", "Nurse", "Baker", "Tailor", "Nurse", "Smith", "Pilot")
    items = "".join(
        f"<li><h3>Week {k}</h3><h4>{link.format(k=k)}{play} and friends</{link[1]}></h4><p>On stage {k % 3}</p></li>"
        for k, play in enumerate(plays, 101)
    )
    region = peneira.extract(f"<ul>{items}</ul>", url="https://a.example/").main
    assert region is not None
    assert region[0]["title"].text == title


def test_what_hardly_any_record_has_leaves_the_role_to_what_all_have():
    news = "".join(
        f"<li><h3><a href=/{k}>{name} opens</a></h3><p>By <a href=/p/{k}>{PEOPLE[k]}</a> •</p>"
        + ("<p>Sponsored <span class=label--sponsored-by>by Wind River</span></p>" if k in (2, 9) else "")
        for k, name in enumerate((*NAMES, *(f"Second {name}" for name in NAMES)))
    )
    found = roles(main_list(f"<ul>{news}</ul>"))
    assert found["author"] == PEOPLE[1]
