"""One picture of each record: not the one under the pointer, nor the same in another size."""

from __future__ import annotations

from list_columns import columns

THINGS = ("red lamp", "blue chair", "green table", "old clock")


def listed(markup: str) -> str:
    """Return a list of things in the markup."""
    return "".join("<li>" + markup.format(n=n, name=name) for n, name in enumerate(THINGS))


def test_of_two_pictures_in_a_link_the_first_is_shown():
    found = columns(
        listed('<a href="/{n}"><img src="/front{n}.jpg"><img src="/back{n}.jpg"><h3>{name}</h3></a><p>${n}9.50'),
        url="https://a.example/",
    )
    assert found["image"] == [f"https://a.example/front{n}.jpg" for n in range(4)]
    assert sum(name.startswith("image") for name in found) == 1


def test_of_two_pictures_with_links_to_one_page_the_first_is_shown():
    found = columns(
        listed(
            '<a href="/{n}"><img src="/large{n}.jpg"></a><h3><a href="/{n}">{name}</a></h3>'
            '<div><a href="/{n}"><img src="/small{n}.jpg"></a></div>'
        ),
        url="https://a.example/",
    )
    assert found["image"] == [f"https://a.example/large{n}.jpg" for n in range(4)]
    assert sum(text.endswith(".jpg") for texts in found.values() for text in texts) == 4


def test_the_face_of_an_author_stays_beside_the_picture():
    found = columns(
        listed(
            '<a href="/{n}"><img src="/photo{n}.jpg"><h3>{name}</h3>'
            '<div class="author"><img class="author-avatar" src="/face{n}.jpg"></div></a>'
        ),
        url="https://a.example/",
    )
    assert sum(texts[0].endswith(".jpg") for texts in found.values()) == 2


def pictures(found: dict[str, list[str]]) -> int:
    """Return how many columns are pictures."""
    return sum(any(text.endswith(".jpg") for text in texts) for texts in found.values())


def test_the_emblems_of_two_teams_in_a_link_stay():
    teams = ("reds", "blues", "lions", "bears", "hawks", "owls", "cubs", "rams")
    found = columns(
        "".join(
            f'<li><a href="/m/{n}"><img src="/t/{teams[n]}.jpg"><h3>{teams[n]} - {teams[n + 4]}</h3>'
            f'<img src="/t/{teams[n + 4]}.jpg"></a><p>May {n + 3}, 2024'
            for n in range(4)
        ),
        url="https://a.example/",
    )
    assert pictures(found) == 2


def test_flags_and_energy_labels_beside_a_picture_stay():
    for signs in (("lu", "de", "lu", "de", "lu", "de"), ("a", "b", "c", "d", "a", "c")):
        found = columns(
            "".join(
                f'<li><a href="/{n}"><img src="/photo{n}.jpg"><h3>The old lamp {n}{n}</h3><img src="/sign/{sign}.jpg">'
                f"</a><p>${n}9.50"
                for n, sign in enumerate(signs)
            ),
            url="https://a.example/",
        )
        assert pictures(found) == 2


def test_of_two_pictures_with_nothing_alike_in_their_addresses_the_class_tells_the_second():
    for words, shown in (("shot second-image", 1), ("shot hover:opacity-90", 2)):
        found = columns(
            "".join(
                f'<li><a href="/{n}"><img class="shot" src="/{name}.jpg"><img class="{words}" src="/{other}.jpg">'
                f"<h3>The old lamp {n}{n}</h3></a><p>${n}9.50"
                for n, (name, other) in enumerate((("qa", "wx"), ("er", "ty"), ("ui", "op"), ("as", "df")))
            ),
            url="https://a.example/",
        )
        assert pictures(found) == shown


def test_of_pictures_that_few_and_that_all_records_have_the_one_of_all_is_shown():
    found = columns(
        "".join(
            f'<li><a href="/{n}">'
            + (f'<img class="wide" src="/wide{n}.jpg">' if n % 2 else "")
            + f'<img class="front" src="/front{n}.jpg"><h3>The old lamp {n}{n}</h3></a><p>${n}9.50'
            for n in range(6)
        ),
        url="https://a.example/",
    )
    assert found["image"] == [f"https://a.example/front{n}.jpg" for n in range(6)]
