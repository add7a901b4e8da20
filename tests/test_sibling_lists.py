"""Tags are one list, also where every record has as many of them, or where they have several forms."""

from __future__ import annotations

from list_columns import region_of

GAMES = ("Chess", "Go", "Draughts", "Bridge", "Poker")
TAGS = (
    ("Board", "Strategy", "Old", "Two players"),
    ("Strategy", "Board", "Two players", "Old"),
    ("Old", "Two players", "Board", "Strategy"),
    ("Cards", "Old", "Strategy", "Four players"),
    ("Cards", "Four players", "Old", "Strategy"),
)


def _items(html: str, *, tag: str = "li") -> list[list[tuple[str, ...]]]:
    region = region_of(html, tag)
    return [
        [record.fields[column.name].items for record in region.records if column.name in record.fields]
        for column in region.columns
    ]


def _cards(mark_up: str) -> str:
    return "".join(
        f"<li><h3>{game}</h3><div>{''.join(mark_up.format(tag) for tag in tags)}</div></li>"
        for game, tags in zip(GAMES, TAGS, strict=True)
    )


def test_values_that_change_places_are_one_list():
    assert list(TAGS) in _items(_cards("<div>{}</div>"))
    assert list(TAGS) in _items(_cards("<span class=tag>{}</span>"))


def test_tags_of_two_forms_are_one_list():
    html = "".join(
        f"<li><h3>{game}</h3><div>"
        + "".join(
            f"<a class='x{k} tag' href=/t/{tag}>{tag}</a>" if k % 2 else f"<div class='tag'>{tag}</div>"
            for k, tag in enumerate(tags[: 2 + n % 3])
        )
        + "</div></li>"
        for n, (game, tags) in enumerate(zip(GAMES, TAGS, strict=True))
    )
    assert [tags[: 2 + n % 3] for n, tags in enumerate(TAGS)] in _items(html)


def test_answers_side_by_side_are_fields():
    answers = (
        ("yes", "no", "yes"),
        ("no", "no", "yes"),
        ("yes", "yes", "no"),
        ("no", "yes", "yes"),
        ("yes", "no", "no"),
    )
    html = "".join(
        f"<li><h3>{game}</h3><div>{''.join(f'<div>{a}</div>' for a in own)}</div></li>"
        for game, own in zip(GAMES, answers, strict=True)
    )
    assert list(answers) not in _items(html)


def test_numbers_side_by_side_are_fields():
    html = "".join(
        f"<li><h3>{game}</h3><div><div>{n}</div><div>{n + 1}</div><div>{n + 2}</div><div>{n + 3}</div></div></li>"
        for n, game in enumerate(GAMES, 1)
    )
    assert [tuple(str(n + k) for k in range(4)) for n in range(1, 6)] not in _items(html)


def test_links_to_pages_that_are_called_like_their_texts_are_one_list():
    topics = [tuple(f"{word.lower()}-{place}" for place in ("inn", "club", "cup")) for word in GAMES]
    html = "".join(
        f"<li><h3>{game}</h3><div>"
        + "".join(f"<a href=/topics/{topic}>{topic.replace('-', ' ').title()}</a>" for topic in own)
        + "</div></li>"
        for game, own in zip(GAMES, topics, strict=True)
    )
    shown = [tuple(topic.replace("-", " ").title() for topic in own) for own in topics]
    assert shown in _items(html)
    by_folder = html.replace("/topics/chess-inn", "/places/chess-inn")
    assert shown not in _items(by_folder)
    broken = html.replace("/topics/chess-inn", "http://[chess-inn")
    assert shown not in _items(broken)


def test_the_heading_of_a_list_is_none_of_its_items():
    html = "".join(
        f"<li><div><h3>{game}</h3></div>{''.join(f'<div>{tag} since 19{k}1</div>' for tag in tags[: 1 + k % 3])}</li>"
        for k, (game, tags) in enumerate(zip(GAMES, TAGS, strict=True))
    )
    region = region_of(html)
    assert [record["title"].text for record in region.records] == list(GAMES)
    assert [tuple(f"{tag} since 19{k}1" for tag in tags[: 1 + k % 3]) for k, tags in enumerate(TAGS)] in _items(html)
