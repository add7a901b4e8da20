"""Texts that say nothing but what other columns of their record say."""

from __future__ import annotations

import pytest

from list_columns import columns

POSTS = (
    ("Ann Moreno", "May 5, 2024", "I have had this lamp for ten years and it has never once failed me."),
    ("Bob Tanaka", "May 7, 2024", "Mine broke after a week, so that I had to buy another one at once."),
    ("Cid Larsen", "May 9, 2024", "Has anybody tried the new version with the green switch at home?"),
    ("Ann Moreno", "June 2, 2024", "The green one is the same as the old one but for its longer cable."),
)


def posts(markup: str, told: tuple[str, str] = ("", "")) -> dict[str, list[str]]:
    """Return the columns of a thread whose posts have the markup. ``told``: words of every second post."""
    return columns(
        "".join(
            f'<li><h4><a href="/user/{name.split()[0]}">{name}</a></h4>'
            + markup.format(name=name, date=date, edited=" (edited)" if n % 2 else "", told=told[n % 2])
            + f'<div class="body"><p>{text}</div>'
            for n, (name, date, text) in enumerate(POSTS)
        )
    )


def test_a_name_with_the_same_word_after_it_is_told_by_the_author():
    assert not any(
        "Members" in text for texts in posts("<p>{name} · Members</p><time>{date}</time>").values() for text in texts
    )


def test_a_line_of_name_date_and_words_is_told_by_author_and_date():
    found = posts("<time>{date}</time><p>Post of {name} on {date}{edited}</p>")
    assert [texts for texts in found.values() if any("2024" in text for text in texts)] == [
        [date for _, date, _ in POSTS]
    ]


def test_a_line_with_more_words_than_names_stays():
    found = posts("<p>Member of our old club since 2019: {name}</p><time>{date}</time>")
    assert any(any("our old club" in text for text in texts) for texts in found.values())


def test_a_line_with_a_label_stays():
    found = posts("<dl><dt>Contact:</dt><dd>{name} Members</dd></dl><time>{date}</time>")
    assert any(any("Members" in text for text in texts) for texts in found.values())


def test_a_line_with_words_of_its_own_stays():
    found = columns(
        "".join(
            f"<li><h4>{name}</h4><p>{name} of {place}</p><b>{date}</b>"
            for (name, date, _), place in zip(POSTS, ("Lima", "Kobe", "Oslo", "Bern"), strict=True)
        )
    )
    assert any(any("Kobe" in text for text in texts) for texts in found.values())


def lamps(markup: str, others: str = "") -> dict[str, list[str]]:
    """Return the columns of lamps, every second of which has more markup, and the rest another."""
    things = zip(("red", "blue", "green", "old", "new", "big"), (11, 14, 17, 22, 31, 38), strict=True)
    return columns(
        "".join(
            f"<li><h3>{name} lamp</h3><b>${price}.00</b>"
            + (markup if price % 2 else others).format(price=price - 3, day=price % 28 + 1)
            for name, price in things
        )
    )


@pytest.mark.parametrize(
    "told", [("male", "female"), ("paid", "unpaid"), ("active", "inactive"), ("men", "men and women"), ("", "(sold)")]
)
def test_words_of_which_one_is_part_of_the_other_tell_something(told: tuple[str, str]):
    found = posts("<p>{name}, {told}</p><time>{date}</time>", told)
    assert any(any(told[1] in text for text in texts) for texts in found.values())


def test_words_before_a_name_that_few_have_not_are_told_by_it():
    found = columns(
        "".join(
            f"<li><h4><a href=/{n}>Wide lamp {n}{n}5</a></h4><b>$1{n}.00</b>"
            f"<p>{'' if n == 3 else 'Shop '}Wide lamp {n}{n}5</p>"
            for n in range(6)
        )
    )
    assert not any(any("Shop" in text for text in texts) for texts in found.values())


def test_what_is_said_of_few_records_alone_is_not_hidden():
    names = ("Ann Moreno", "Bob Tanaka", "Cid Larsen", "Dee Fox", "Eve Stone", "Max Ode")
    found = columns(
        "".join(
            f"<li><h4>{name}</h4><b>May {n + 3}, 2024</b><p>{name} · {'Moderator' if n == 3 else 'Member'}</p>"
            for n, name in enumerate(names)
        )
    )
    assert any(any("Moderator" in text for text in texts) for texts in found.values())


def test_words_in_a_box_with_a_second_price_are_kept_aside():
    found = lamps("<div><p>Subscribe and save!</p><i>${price}.50</i></div>")
    assert not any("Subscribe and save!" in texts for texts in found.values())


def test_words_that_the_same_records_have_elsewhere_stay():
    found = lamps("<div><p>Sold out</p></div><div><i>Back on May {day}</i></div>")
    assert any("Sold out" in texts for texts in found.values())


def test_words_in_a_box_that_all_records_have_stay():
    found = lamps(
        "<div><p>Sold out</p><h5>Back on May {day}</h5><h6>Box {price}</h6><section>Row {day}</section></div>",
        "<div><h6>Box {price}</h6><section>Row {day}</section></div>",
    )
    assert any("Sold out" in texts for texts in found.values())


def test_words_with_the_class_of_a_flag_stay():
    found = lamps('<div><p class="stock-badge">Sold out</p><i>Back on May {day}</i></div>')
    assert any("Sold out" in texts for texts in found.values())


def test_a_word_that_only_some_records_have_stays():
    found = columns(
        "".join(
            f"<li><h3>{name} lamp</h3><b>${price}.00</b>" + ("<p>Best seller</p>" if price % 2 else "")
            for name, price in zip(("red", "blue", "green", "old", "new", "big"), (11, 14, 17, 22, 31, 38), strict=True)
        )
    )
    assert any("Best seller" in texts for texts in found.values())
