"""The navigation of a page: menus, headers, footers and dialogs, which are the same on every page of a site."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from peneira.arrays import running_sum
from peneira.ml.running_sums import inside_tag, is_tag
from peneira.page import Flags, Page
from peneira.result import Region

NAVIGATION_TAGS = ("nav", "aside", "menu", "dialog")
# Those of a site, unless they are inside one of the content tags: articles and records have them too
EDGE_TAGS = ("header", "footer")
CONTENT_TAGS = ("main", "article", "section", "li", "td")
HEADINGS = ("h1", "h2", "h3", "h4")
NAVIGATION_ROLES = frozenset(
    "navigation banner contentinfo complementary menu menubar toolbar tablist search dialog alertdialog".split()
)
_NAVIGATION_WORD = re.compile(
    r"(?:(?:main|site|page|top|primary|app|global)[-_]?)?"
    r"(?:nav|navbar|navigation|menu|header|footer|topbar|breadcrumbs?|masthead|cookie-?(?:banner|bar|notice|consent))",
    re.IGNORECASE,
)
# What a menu without any mark of one may have: a longer list of links is content, as of a directory
MAX_LINKS = 12
MAX_MEAN_LABEL_CHARS = 20
MAX_LABEL_CHARS = 30
# The mean length of the entries of a marked menu
MAX_MEAN_MENU_CHARS = 60


def navigation_rows(page: Page) -> Flags:
    """Return which rows are navigation by their tag, their role, or a class or id that says so."""
    may_be = is_tag(page, (*NAVIGATION_TAGS, *EDGE_TAGS))
    roots = [i for i, attrs in enumerate(page.attrs) if (attrs or may_be[i]) and is_navigation(page, i)]
    return page.flags_below(roots)


def is_navigation(page: Page, i: int) -> bool:
    """Return whether an element is the root of navigation."""
    name, attrs = page.name(i), page.attrs[i]
    if name in NAVIGATION_TAGS or attrs.get("role") in NAVIGATION_ROLES:
        return True
    if name in EDGE_TAGS:
        return not any(page.name(row) in CONTENT_TAGS for row in page.ancestors(i))
    words = [*attrs.get("class", "").split(), attrs.get("id", "")]
    return i > page.body and any(map(_NAVIGATION_WORD.fullmatch, words)) and not _holds_content(page, i)


def _holds_content(page: Page, i: int) -> bool:
    return any(page.name(row) in ("main", "article", "h1") for row in range(i, page.lists.end[i]))


def menu_rows(page: Page, navigation: Flags) -> Flags:
    """Return which rows are menus that nothing marks as one: a few short links and nothing else, under no heading."""
    if (is_tag(page, HEADINGS) & page.seen & ~navigation).any():
        return np.zeros(len(page), dtype=np.bool_)
    return page.flags_below(list(_menus(page, navigation)))


def _menus(page: Page, navigation: Flags) -> Iterator[int]:
    """Yield the largest elements that hold a few short links and no other text."""
    is_text = (page.tag == 0) & page.seen
    lengths = np.array([len(text.strip()) for text in page.text]) * is_text
    in_link = inside_tag(page, "a") | inside_tag(page, "button")
    links = is_tag(page, ("a", "button")) & page.seen
    # what is no part of a menu: texts outside its links, and images
    others = lengths * ~in_link + is_tag(page, ("img",))
    chars, plain, count = (running_sum(column) for column in (lengths, others, links))
    i = page.body
    while i < len(page):
        end = page.lists.end[i]
        link_count = int(count[end] - count[i])
        if navigation[i] or page.silent[i] or not link_count:
            i = end if navigation[i] or page.silent[i] else i + 1
        elif (
            plain[end] == plain[i]
            and 2 <= link_count <= MAX_LINKS
            and chars[end] - chars[i] <= MAX_MEAN_LABEL_CHARS * link_count
        ):
            yield i
            i = end
        else:
            i += 1


def is_menu(page: Page, region: Region) -> bool:
    """Return whether a list is in the navigation, or looks like a menu and stands under no heading."""
    if sum(len(record.text) for record in region.records) > MAX_MEAN_MENU_CHARS * len(region.records):
        return False
    first = region.records[0].ranges[0][0]
    if is_navigation(page, first) or any(is_navigation(page, row) for row in page.ancestors(first)):
        return True
    return _are_labels(page, region) and not (is_tag(page, HEADINGS) & page.seen & ~navigation_rows(page)).any()


def _are_labels(page: Page, region: Region) -> bool:
    """Return whether the records of a list are a few labels of some words each."""
    return len(region.records) <= MAX_LINKS and all(
        len(record.text) <= MAX_LABEL_CHARS
        and not any(map(str.isdigit, record.text))
        and sum(page.is_text(i) for start, end in record.ranges for i in range(start, end)) == 1
        for record in region.records
    )


def is_link_list(page: Page, region: Region) -> bool:
    """Return whether the records of a list are links and nothing else."""
    in_link = inside_tag(page, "a")
    is_plain = (page.tag == 0) & page.seen & ~in_link
    rows = [pair for record in region.records for pair in record.ranges]
    return bool(rows) and not any(is_plain[start:end].any() or not in_link[start:end].any() for start, end in rows)
