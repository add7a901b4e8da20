"""Running text that stands in other markup in some records than in the others."""

from __future__ import annotations

from list_columns import columns

PEOPLE = ("Ann Moreno", "Bob Tanaka", "Cid Larsen", "Dee Fox", "Eve Stone", "Max Ode")
POSTS = (
    "I have had this lamp for ten years and it has never once failed me so far.",
    "Mine broke after a week, so that I had to buy another one from them at once.",
    "Has anybody here tried the new version with the green switch on its side yet?",
    "The green one is the same as the old one but for its much longer black cable.",
    "They told me in the shop that the next one will come out in autumn next year.",
    "Thanks to all of you for the answers, I will go and have a look at both of them.",
)


def thread(form: str, posts: tuple[str, ...] = POSTS) -> dict[str, list[str]]:
    """Return the columns of a thread in which every third post has this form."""
    return columns(
        "".join(
            f"<li><h4><a href=/u/{k}>{name}</a></h4><b>#{k + 1}</b>"
            + (form.format(post=post) if k % 3 == 2 else f"<div class=body>{post}</div>")
            for k, (name, post) in enumerate(zip(PEOPLE, posts, strict=True))
        )
    )


def test_posts_of_two_forms_are_one_column():
    found = thread("<table><tr><td><blockquote class=other>{post}</blockquote></td></tr></table>")
    assert list(POSTS) in found.values()


def test_what_is_said_below_several_posts_is_no_form_of_them():
    signature = "My whole set of lamps, with pictures of each of them and all their prices."
    found = thread(
        "<table><tr><td><blockquote class=other>{post}</blockquote></td></tr></table>",
        tuple(signature if k % 3 == 2 else post for k, post in enumerate(POSTS)),
    )
    assert not any(signature in texts and POSTS[0] in texts for texts in found.values())
