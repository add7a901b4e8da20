"""Running text of several paragraphs is one value, however each record marks it up."""

from __future__ import annotations

from list_columns import columns

SENTENCE = "This is a sentence that is long enough to be the paragraph of a post about {topic}, written by a person."
TOPICS = ("rivers", "clocks", "bread", "islands", "ferries", "lamps")


def _long(topic: str) -> str:
    return SENTENCE.format(topic=topic)


def _posts(*bodies: str) -> str:
    posts = [
        f"<article><h2>On {topic}</h2><div class=body>{body}</div><span class=author>Ann {topic.title()}</span>"
        f"</article>"
        for topic, body in zip(TOPICS, bodies, strict=True)
    ]
    return "".join(posts)


def test_paragraphs_quotes_lists_and_code_are_one_text():
    first, second, third = (_long(topic) for topic in TOPICS[:3])
    table = columns(
        _posts(
            f"<p>{first}</p>",
            f"<p>{first}</p><p>{second}</p>",
            f"<blockquote>{first}</blockquote><p>{second}</p><ul><li>One</li><li>Two</li></ul>",
            f"<p>{first}</p><pre>x = 1</pre><p>{second}</p><p>{third}</p>",
            f"<p>{second} <a href=/a>Here</a> it is.</p>",
            f"<p>{third}</p><h3>More</h3><p>{second}</p><p>{first}</p><p>{third}</p>",
        ),
        "article",
    )
    assert [
        first,
        f"{first} {second}",
        f"{first} {second} One Two",
        f"{first} x = 1 {second} {third}",
        f"{second} Here it is.",
        f"{third} More {second} {first} {third}",
    ] in table.values()
    assert [f"On {topic}" for topic in TOPICS] in table.values()
    assert len(table) == 3


def test_lines_of_a_post_between_breaks_are_one_text():
    lines = [[_long(f"{topic} {n}") for n in range(1 + k % 4)] for k, topic in enumerate(TOPICS)]
    table = columns(_posts(*("<br>".join(own) for own in lines)), "article")
    assert [" ".join(own) for own in lines] in table.values()


def test_lines_as_long_as_sentences_are_one_text_though_most_posts_have_one():
    counts = (1, 1, 6, 1, 6, 1, 1, 4, 1, 3, 1, 4, 1, 1, 1, 1, 1, 1)
    lines = [[_long(f"{n} of {k}") for n in range(count)] for k, count in enumerate(counts)]
    html = "".join(
        f"<article><h2>On {k}</h2><div class=body>{'<br> <br>'.join(own)}</div><b>Ann {k}</b></article>"
        for k, own in enumerate(lines)
    )
    assert [" ".join(own) for own in lines] in columns(html, "article").values()


def test_a_quote_in_a_box_is_part_of_its_post():
    first, second, third = (_long(topic) for topic in TOPICS[:3])
    box = "<div class=quotebox><blockquote><div><p>{}</p></div></blockquote></div>"
    table = columns(
        _posts(
            f"<p>{first}</p>",
            f"<p>{first}</p>{box.format(second)}<p>{third}</p>",
            f"<p>{second}</p>{box.format(first)}<p>{third}</p><p>{first}</p>",
            f"<p>{third}</p>{box.format(second)}<p>{first}</p>",
            f"<p>{third}</p>{box.format(first)}<p>{second}</p><p>{first}</p><p>{third}</p>",
            f"<p>{second}</p><p>{first}</p><p>{third}</p>",
        ),
        "article",
    )
    assert f"{first} {second} {third}" in [column[1] for column in table.values()]


def test_a_price_in_a_class_for_quotes_is_no_prose():
    bodies = [
        f"<p>{_long(topic)}</p><div class=price-quote>${k}00</div>{f'<p>{_long(topic)}</p>' * (k % 4)}"
        for k, topic in enumerate(TOPICS, 1)
    ]
    assert [f"${k}00" for k in range(1, 7)] in columns(_posts(*bodies), "article").values()


def test_short_lines_between_breaks_are_no_prose():
    lines = [[*[f"Room {n}" for n in range(1 + k)], f"{topic}@example.org"] for k, topic in enumerate(TOPICS)]
    table = columns(_posts(*("<br>".join(own) for own in lines)), "article")
    assert " ".join(lines[-1]) not in [text for values in table.values() for text in values]


def test_the_pictures_of_a_post_are_kept_and_the_links_in_its_sentences_are_not():
    bodies = [
        f"<p>{_long(topic)}</p>" * (1 + k % 3) + f"<p><img src=/{topic}.jpg>{_long(topic)} <a href=/l/{k}>more</a></p>"
        for k, topic in enumerate(TOPICS)
    ]
    table = columns(_posts(*bodies), "article")
    assert [f"/{topic}.jpg" for topic in TOPICS] in table.values()
    assert not any("/l/0" in values for values in table.values())


def test_short_lines_of_a_changing_number_are_no_prose():
    bodies = [f"<p>{topic}, {k} m</p>" * (1 + k % 3) for k, topic in enumerate(TOPICS)]
    table = columns(_posts(*bodies), "article")
    assert not any(f"{TOPICS[1]}, 1 m {TOPICS[1]}, 1 m" in values for values in table.values())


def test_a_fixed_number_of_paragraphs_are_fields():
    bodies = [f"<p>{_long(topic)}</p><p>{_long(f'the {topic} of others')}</p>" for topic in TOPICS]
    table = columns(_posts(*bodies), "article")
    assert [_long(topic) for topic in TOPICS] in table.values()


def test_a_field_that_most_records_have_between_paragraphs_ends_the_text():
    bodies = [
        f"<p>{_long(topic)}</p>" * (1 + k % 3) + f"<span class=place>{topic.title()} Street</span>"
        f"<p>{_long(f'the other {topic}')}</p>" * 1
        for k, topic in enumerate(TOPICS)
    ]
    table = columns(_posts(*bodies), "article")
    assert [f"{topic.title()} Street" for topic in TOPICS] in table.values()


def test_words_that_a_search_highlights_do_not_cut_a_sentence():
    texts = [
        f"A job for those who like <b class=hit>cleaning</b> of {topic} and also the <b class=hit>keeping</b> of them."
        for topic in TOPICS
    ]
    table = columns("".join(f"<li><h3>{t}</h3><p>{text}</p></li>" for t, text in zip(TOPICS, texts, strict=True)))
    plain = [f"A job for those who like cleaning of {topic} and also the keeping of them." for topic in TOPICS]
    assert plain in table.values()
