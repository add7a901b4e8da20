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
