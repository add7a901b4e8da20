"""Pages made from known templates and data, so that a learned schema can be compared with the true one.

Each site has a schema of its own, drawn at random: fields of the page, some of them optional, and a list of records
with fields, optional fields and a nested list. All words differ from page to page and from record to record; menus,
labels and footers are template.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

SITES = 20
PAGES = 3
# Chances that a field is optional, and that a record has one that is
OPTIONAL_CHANCE = 0.3
PRESENT_CHANCE = 0.6
_TAGS = ("div", "p", "h3", "section")
_INLINE = ("span", "b", "i", "em")
_SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi lo mu ka re ti".split()


@dataclass(frozen=True, slots=True)
class FieldNode:
    """A basic type of the true schema: its name, and the types around it from the page down ("set", "optional")."""

    name: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page and the values of each field on it, in order."""

    html: str
    values: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MadeSite:
    """Pages of one template, and the schema that they were made from."""

    name: str
    schema: tuple[FieldNode, ...]
    pages: tuple[MadePage, ...]


def made_sites(count: int = SITES, pages: int = PAGES) -> Iterator[MadeSite]:
    """Yield sites; equal arguments give equal sites."""
    for number in range(count):
        yield _made_site(number, pages)


def _made_site(number: int, count: int) -> MadeSite:
    random = Random(number)
    page_fields = [_field(random, f"page_{k}", ()) for k in range(random.randint(1, 3))]
    record_fields = [_field(random, "record_0", ("set",), can_miss=False)]
    record_fields += [_field(random, f"record_{k}", ("set",)) for k in range(1, random.randint(2, 5))]
    nested = FieldNode("nested", ("set", "set")) if random.random() < 0.5 else None
    tags = {node.name: (random.choice(_TAGS), random.choice(_INLINE)) for node in (*page_fields, *record_fields)}
    labels = {name: _words(random, 1).title() for name in tags}
    frame = _frame(random)
    pages = []
    for _ in range(count):
        values: dict[str, list[str]] = {}
        head = "".join(_shown(random, node, tags, labels, values) for node in page_fields)
        records = ""
        for _ in range(random.randint(4, 9)):
            inner = "".join(_shown(random, node, tags, labels, values) for node in record_fields)
            if nested:
                items = [_words(random, 1) for _ in range(random.randint(2, 4))]
                values.setdefault(nested.name, []).extend(items)
                inner += f"<ul class=n>{''.join(f'<li>{text}</li>' for text in items)}</ul>"
            records += f"<article class=r>{inner}</article>"
        html = frame.replace("@", f"<header class=h>{head}</header><main>{records}</main>")
        pages.append(MadePage(html, {name: tuple(texts) for name, texts in values.items()}))
    schema = (*page_fields, *record_fields, *((nested,) if nested else ()))
    return MadeSite(f"made-{number}", schema, tuple(pages))


def _field(random: Random, name: str, around: tuple[str, ...], *, can_miss: bool = True) -> FieldNode:
    is_optional = can_miss and random.random() < OPTIONAL_CHANCE
    return FieldNode(name, (*around, "optional") if is_optional else around)


def _shown(
    random: Random,
    node: FieldNode,
    tags: dict[str, tuple[str, str]],
    labels: dict[str, str],
    values: dict[str, list[str]],
) -> str:
    """Return the markup of a field with a new value, "" where an optional one is missing."""
    if node.kinds[-1:] == ("optional",) and random.random() > PRESENT_CHANCE:
        return ""
    value = _words(random, 3)
    values.setdefault(node.name, []).append(value)
    block, inline = tags[node.name]
    return f"<{block} class=f-{node.name}><u>{labels[node.name]}</u> <{inline}>{value}</{inline}></{block}>"


def _frame(random: Random) -> str:
    menu = "".join(f"<li><a href=/{k}>{_words(random, 1)}</a></li>" for k in range(random.randint(3, 6)))
    return f"<!doctype html><body><nav><ul>{menu}</ul></nav>@<footer><p>{_words(random, 6)}</p></footer>"


def _words(random: Random, count: int) -> str:
    return " ".join("".join(random.choices(_SYLLABLES, k=random.randint(2, 4))) for _ in range(count))
