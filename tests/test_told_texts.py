"""Texts that say nothing but what other columns of their record say."""

from __future__ import annotations

from list_columns import columns

POSTS = (
    ("Ann Moreno", "May 5, 2024", "I have had this lamp for ten years and it has never once failed me."),
    ("Bob Tanaka", "May 7, 2024", "Mine broke after a week, so that I had to buy another one at once."),
    ("Cid Larsen", "May 9, 2024", "Has anybody tried the new version with the green switch at home?"),
    ("Ann Moreno", "June 2, 2024", "The green one is the same as the old one but for its longer cable."),
)


def posts(markup: str) -> dict[str, list[str]]:
    """Return the columns of a thread whose posts have the markup."""
    return columns(
        "".join(
            f'<li><h4><a href="/user/{name.split()[0]}">{name}</a></h4>'
            + markup.format(name=name, date=date, edited=" (edited)" if n % 2 else "")
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


def test_a_line_with_words_of_its_own_stays():
    found = columns(
        "".join(
            f"<li><h4>{name}</h4><p>{name} of {place}</p><b>{date}</b>"
            for (name, date, _), place in zip(POSTS, ("Lima", "Kobe", "Oslo", "Bern"), strict=True)
        )
    )
    assert any(any("Kobe" in text for text in texts) for texts in found.values())


def test_words_that_stand_just_where_a_second_price_stands_are_kept_aside():
    found = columns(
        "".join(
            f"<li><h3>{name} lamp</h3><b>${price}.00</b>"
            + (f"<p>Subscribe and save!</p><i>${price - 3}.50</i>" if price % 2 else "")
            for name, price in zip(("red", "blue", "green", "old", "new", "big"), (11, 14, 17, 22, 31, 38), strict=True)
        )
    )
    assert not any("Subscribe and save!" in texts for texts in found.values())


def test_a_word_that_only_some_records_have_stays():
    found = columns(
        "".join(
            f"<li><h3>{name} lamp</h3><b>${price}.00</b>" + ("<p>Best seller</p>" if price % 2 else "")
            for name, price in zip(("red", "blue", "green", "old", "new", "big"), (11, 14, 17, 22, 31, 38), strict=True)
        )
    )
    assert any("Best seller" in texts for texts in found.values())
