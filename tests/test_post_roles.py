"""Roles in lists of posts, and labels that icons say."""

from __future__ import annotations

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
