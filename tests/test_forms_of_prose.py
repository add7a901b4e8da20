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


def thread(form: str, posts: tuple[str, ...] = POSTS, name: str = "body") -> dict[str, list[str]]:
    """Return the columns of a thread in which every third post has this form, and the others a class."""
    return columns(
        "".join(
            f"<li><h4><a href=/u/{k}>{person}</a></h4><b>#{k + 1}</b>"
            + (form.format(post=post) if k % 3 == 2 else f"<div class={name}>{post}</div>")
            for k, (person, post) in enumerate(zip(PEOPLE, posts, strict=True))
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


def test_texts_whose_classes_name_them_apart_stay_apart():
    for first, second in (("pros", "cons"), ("description", "recall-warning")):
        found = thread(f"<table><tr><td><blockquote class={second}>{{post}}</blockquote></td></tr></table>", name=first)
        assert list(POSTS) not in found.values()


def test_posts_without_spaces_between_words_are_one_column():
    posts = (
        "这盏灯我已经用了十年从来没有坏过一次非常满意",
        "我的灯一个星期就坏了所以我不得不马上再买一个",
        "有没有人试过旁边有绿色开关的新版本呢效果怎么样",
        "绿色的和旧的一样只是黑色的电缆长了很多而已",
        "他们在店里告诉我下一个会在明年秋天上市销售",
        "谢谢大家的回答我会去看看这两款灯然后再决定",
    )
    found = thread("<table><tr><td><blockquote class=other>{post}</blockquote></td></tr></table>", posts)
    assert list(posts) in found.values()


def test_texts_of_a_few_words_are_no_forms():
    short = tuple(" ".join(post.split()[:6]) for post in POSTS)
    form = "<table><tr><td><blockquote class=other>{post}</blockquote></td></tr></table>"
    assert list(short) not in thread(form, short).values()
