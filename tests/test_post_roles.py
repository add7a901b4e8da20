"""Roles in lists of posts, and labels that icons say."""

from __future__ import annotations

import pytest

import peneira
from peneira.result import Region

POSTS = (
    (
        "Ann",
        "Mar 9, 2012",
        "Oct 21, 2022",
        "I moved this question to the forum for trackers, where more people read it.",
    ),
    (
        "Bob",
        "Jul 18, 2015",
        "Oct 21, 2022",
        "Do you want one that you can pay with, as with a watch of the other kind?",
    ),
    (
        "Ann",
        "Mar 9, 2012",
        "Oct 22, 2022",
        "That is a good point, thank you, I did not think of paying with it at all.",
    ),
    (
        "Eve",
        "Aug 5, 2019",
        "Feb 20, 2023",
        "I just bought a cheap one for my husband and will see whether he likes it.",
    ),
)


def thread(form: str) -> Region:
    posts = [
        form.format(k=k, name=name, joined=joined, posted=posted, text=text)
        for k, (name, joined, posted, text) in enumerate(POSTS, 1)
    ]
    region = peneira.extract(f"<main>{''.join(posts)}</main>", url="https://forum.example/t/7").main
    assert region is not None
    return region


def texts(region: Region, name: str) -> list[str]:
    return [record[name].text for record in region.records]


def test_names_in_headings_over_posts_are_authors_and_the_posts_titles():
    region = thread(
        "<article><h3 class=name><a href=/users/{name}>{name}</a></h3><small>{posted}</small>"
        "<div class=text>{text}</div></article>"
    )
    assert texts(region, "author") == ["Ann", "Bob", "Ann", "Eve"]
    assert texts(region, "title") == [text for *_, text in POSTS]


def test_programs_that_come_back_with_one_description_are_titles():
    programs = {
        "News": "What happened today in the country and in the world, with the weather of tomorrow.",
        "Talk": "Guests speak with one another about what happened this week, live from the capital.",
    }
    rows = [
        f"<li><a href=/p/{name}><img src=/{name}.jpg><h3>{name}</h3></a><p>{programs[name]}</p><b>{k + 8}:30</b></li>"
        for k, name in enumerate(("News", "Talk", "News", "Talk", "News"))
    ]
    region = peneira.extract(f"<ul>{''.join(rows)}</ul>", url="https://tv.example/").main
    assert region is not None and texts(region, "title") == ["News", "Talk", "News", "Talk", "News"]


def test_numbers_of_posts_are_called_number():
    region = thread(
        "<article><header><time>{posted}</time> <a class=author href=/t/7#p{k}>#{k}</a></header>"
        "<div class=body>{text}</div></article>"
    )
    assert texts(region, "number") == ["#1", "#2", "#3", "#4"]


def test_dates_that_follow_in_time_are_those_of_the_posts_and_not_when_their_authors_joined():
    region = thread(
        "<article><section class=user><h4><a href=/u/{name}>{name}</a></h4><div class=date>{joined}</div></section>"
        "<div class=body><ul class=meta><li>{posted}</li></ul><div class=text>{text}</div></div></article>"
    )
    assert texts(region, "date") == ["Oct 21, 2022", "Oct 21, 2022", "Oct 22, 2022", "Feb 20, 2023"]


def test_the_address_of_a_post_is_its_own_and_not_that_of_its_author():
    region = thread(
        "<article><h3 class=name><a href=/users/{name}>{name}</a></h3><small><a href=/t/7#p{k}>{posted}</a></small>"
        "<div class=text>{text}</div></article>"
    )
    assert texts(region, "url") == [f"https://forum.example/t/7#p{k}" for k in range(1, 5)]
    assert texts(region, "author_url")[0] == "https://forum.example/users/Ann"


def test_what_an_icon_says_is_the_label_of_the_text_after_it():
    flats = [
        f"<li><a href=/f/{k}><img src=/{k}.jpg><h3>Flat {name}</h3></a><p><span><i title=Rooms></i> {k + 1}</span>"
        f"<span><svg><title>Garages</title></svg> {7 - k}</span></p></li>"
        for k, name in enumerate(("Oak", "Elm", "Ash", "Fir", "Yew"))
    ]
    region = peneira.extract(f"<ul>{''.join(flats)}</ul>", url="https://flats.example/").main
    assert region is not None
    assert (texts(region, "rooms"), texts(region, "garages")) == (list("12345"), list("76543"))


def test_icons_for_what_they_do_are_no_labels():
    rows = [
        f"<li><span title=Expand role=button></span> <b>{k}0 km</b>"
        f"<a href=/r/{k}><i title=Share></i>Route {name}</a></li>"
        for k, name in enumerate(("Oak", "Elm", "Ash", "Fir", "Yew"), 1)
    ]
    region = peneira.extract(f"<ul>{''.join(rows)}</ul>", url="https://routes.example/").main
    assert region is not None
    assert {column.name for column in region.columns}.isdisjoint({"share", "expand"})
    assert texts(region, "title")[0] == "Route Oak"


def test_a_topic_before_a_story_is_no_author_where_somebody_else_is():
    topics, names = ("Moon", "Earth", "Moon", "Sun"), ("Ann", "Bob", "Eve", "Ann")
    stories = [
        f"<article><b class=author><a href=/topic/{topic}>{topic}</a></b><div class=author>Posted by <a href=/u/{name}>"
        f"{name}</a></div><time>{posted}</time><div class=text>{text}</div></article>"
        for topic, name, (_, _, posted, text) in zip(topics, names, POSTS, strict=True)
    ]
    region = peneira.extract(f"<main>{''.join(stories)}</main>", url="https://news.example/").main
    assert region is not None
    assert texts(region, "author")[0].endswith("Ann")


@pytest.mark.parametrize(
    ("icon", "value", "role"),
    [
        ("<svg><title>Calendar</title></svg>", "<span>{k} May 2024</span>", "date"),
        ("<i aria-label=Tag></i>", "<b>$1{k}</b>", "price"),
    ],
)
def test_an_icon_before_a_date_or_an_amount_is_no_other_label(icon: str, value: str, role: str):
    region = listed(
        [f"<h3><a href=/a/{k}>Oak table {k}</a></h3><p>{icon} {value.format(k=k)}</p>" for k in range(1, 9)]
    )
    assert [column.name for column in region.columns if column.role == role] == [role]


def test_an_icon_is_a_label_if_it_is_the_same_in_early_and_late_records():
    countries = ["Brazil"] * 4 + ["Chile"] * 4
    region = listed(
        [
            f"<h3><a href=/c/{k}>Oak FC {k}</a></h3><p><img title={country} src=/f.png> {37 - k}</p>"
            for k, country in enumerate(countries)
        ]
    )
    assert "brazil" not in [column.name for column in region.columns]


def test_a_text_that_is_the_same_in_all_records_does_not_become_the_date():
    days = (3, 17, 9, 21, 5, 30, 12, 8)
    region = listed(
        [
            f"<h3><a href=/n/{day}>News of team {k}</a></h3><time>{day} May 2024</time><small>1 January 2024</small>"
            for k, day in enumerate(days)
        ]
    )
    assert [record["date"].text for record in region][:2] == ["3 May 2024", "17 May 2024"]


def test_a_list_of_people_with_a_text_about_each_is_no_thread():
    names = ("Ann Lee", "Bob Ray", "Cid Fox", "Dee Kay", "Eve Poe", "Flo Day", "Gus Orr", "Hal Nye")
    region = listed(
        [
            f"<h3 class=author-name><a href=/authors/{k}>{name}</a></h3><time>{k} May 2024</time>"
            f"<p>{name} writes about tables, chairs and other things that people have had at home for ages.</p>"
            for k, name in zip((3, 7, 2, 9, 4, 8, 1, 6), names, strict=True)
        ]
    )
    assert [record["title"].text for record in region] == list(names)


def test_the_sections_of_news_are_no_authors():
    sections = ("Garden", "Home", "Garden", "Work", "Home", "Garden", "Work", "Home")
    region = listed(
        [
            f"<h4><a href=/category/{section}>{section}</a></h4><p>In part {k} we look at what is new for people who "
            f"like to be outside in all kinds of weather.</p><time>{k} May 2024</time>"
            for k, section in enumerate(sections, 1)
        ]
    )
    assert "author" not in [column.role for column in region.columns]


def listed(items: list[str]) -> Region:
    region = peneira.extract(f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>", url="https://a.example/").main
    assert region is not None
    return region
