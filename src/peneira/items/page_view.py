"""What every part of an item looks at: lines, the main heading, and which rows are about other things."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TypeVar, cast
from urllib.parse import urlsplit

import numpy as np

from peneira.arrays import Integers
from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.columns.builder import language_of
from peneira.columns.role_words import words_of
from peneira.embedded.page_metadata import page_metadata
from peneira.items.claims import normal_form
from peneira.items.lines import Line, PageLines
from peneira.items.things import clean_text
from peneira.kept_property import kept_property
from peneira.ml.running_sums import is_tag
from peneira.page import Codes, Flags, Page, attribute_column
from peneira.phrase_search import PhraseSearch
from peneira.short_text_cache import cache_of_short_texts

# Parts of a page that are the site's, not the item's
_SITE_TAGS = ("nav", "footer", "dialog")
_SITE_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar"})
# Words of classes and ids of parts that show other items
_OTHER_WORDS = frozenset(
    "related recommend recommended recommendation recommendations recommender similar upsell upsells crosssell "
    "crosssells recently viewed carousel teaser teasers minicart megamenu navigation navbar breadcrumb breadcrumbs "
    "footer sidebar cookie cookies consent newsletter popup modal suggestions suggested alsobought alsolike more-from "
    "readmore nextpost prevpost comments commentlist respond widget widgets".split()
)
# Words of the class of the line above a headline, which is often part of the heading
_KICKERS = frozenset(
    "kicker overline topline dachzeile roofline eyebrow spitzmarke supertitle pretitle preline overtitle".split()
)
_TITLE_CUT = re.compile(r"(?<!\s)(?:\s++[|\u2013\u2014\u00b7\u2022»:<>~*-]+\s+|\s*+[|｜]\s*)")
# The attributes whose words say what an element is
NAMING_ATTRIBUTES = ("class", "id", "itemprop", "data-testid", "data-test", "data-qa")
MAX_NAMING_CHARS = 300
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
MAX_TITLE_CHARS = 300
# A heading of this many digits and no letter is a code: an ISBN above the title of a book
MIN_CODE_DIGITS = 8
# Parts of a title that name a view of the item, not the item
_VIEWS = frozenset(
    "overview summary details detail home search searchresults reviews review specs specifications photos news video "
    "videos profile stats description info information page index".split()
)
MAX_HEADINGS = 60
# "The Book Depository" is the site bookdepository.com
MIN_HOST_CHARS, MAX_ARTICLE_CHARS = 6, 4
# A title of more parts is a list of words for search engines
MAX_TITLE_PARTS = 8
# A heading of more texts is no title with something behind it; each end of it is tried
MAX_HEADING_TEXTS = 40
# A first-level heading that shares at least half its words with the title; others may name a part of the page
MIN_HEADING_SCORE = 1.5
# An element with more of the text of the page is no part beside others
MAX_SHARE = 0.3
# Of an element with more classes the others are styles
MAX_CLASSES = 6
# A list of other things: this many neighbours that are built alike, each with a link to another page
MIN_LISTED = 3
# Elements around a link that may be the entry of a list
MAX_LEVELS = 8


Result = TypeVar("Result")


def once_per_view(function: Callable[[PageView], Result]) -> Callable[[PageView], Result]:
    """Return a function that computes its result once for each page."""

    @wraps(function)
    def kept(view: PageView) -> Result:
        if function not in view.results:
            view.results[function] = function(view)
        return cast("Result", view.results[function])

    return kept


class PageView:
    """One page, as the parts of an item look at it. Everything is computed when it is first used."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.ends = page.lists.end
        self.parents = page.lists.parent
        self.results: dict[object, object] = {}
        self._class_words: dict[int, tuple[str, ...]] = {}
        self._attributes: dict[str, tuple[Codes, Codes, list[str]]] = {}
        self._may_say: dict[PhraseSearch, frozenset[int]] = {}

    @kept_property
    def lines(self) -> PageLines:
        return PageLines(self.page)

    @kept_property
    def language(self) -> str:
        return language_of(self.page)

    @kept_property
    def base(self) -> str:
        return base_url(self.page)

    @kept_property
    def metadata(self) -> dict[str, str]:
        """What the meta elements say, by name in lower case."""
        described = page_metadata(self.page)
        return {} if described is None else {key: clean_text(str(text)) for key, text in described.properties.items()}

    @kept_property
    def metadata_row(self) -> int:
        described = page_metadata(self.page)
        return -1 if described is None else described.row

    @kept_property
    def document_title(self) -> str:
        """The title of the document, as browsers show it."""
        for row in self.rows("title"):
            if self.page.silent[row] or not self._is_in_drawing(row):
                return clean_text("".join(self.page.text[row + 1 : self.ends[row]]))
        return ""

    def _is_in_drawing(self, row: int) -> bool:
        return any(self.page.name(i) == "svg" for i in self.page.ancestors(row))

    @kept_property
    def url(self) -> str:
        """The address of the page: the one it was read from, else the canonical one, else that of OpenGraph."""
        return self.page.url or self.canonical_url

    @kept_property
    def canonical_url(self) -> str:
        for row in self.rows("link"):
            attrs = self.page.attrs[row]
            if "canonical" in attrs.get("rel", "").lower().split() and attrs.get("href", "").strip():
                return absolute_url(self.base, attrs["href"])
        return absolute_url(self.base, self.metadata.get("og:url", ""))

    @kept_property
    def site_names(self) -> frozenset[str]:
        """What the site is called, in normal form: its name in OpenGraph, and the words of its host."""
        names = {
            normal_form(self.metadata.get("og:site_name", "")),
            normal_form(self.metadata.get("application-name", "")),
        }
        try:
            host = urlsplit(self.url or self.base).hostname or ""
        except ValueError:
            host = ""
        names.update(normal_form(part) for part in host.split(".") if len(part) > 3)
        names.add(normal_form(host.removeprefix("www.")))
        return frozenset(names - {""})

    def is_site_name(self, text: str) -> bool:
        """Return whether a text is what the site is called, with an article or a short word beside it."""
        form = normal_form(text)
        return form in self.site_names or any(
            len(name) >= MIN_HOST_CHARS and name in form and len(form) <= len(name) + MAX_ARTICLE_CHARS
            for name in self.site_names
        )

    def rows(self, *names: str) -> list[int]:
        """Return the rows of the elements of these names, in document order."""
        found: list[int] = self.page.rows_of(*names).tolist()
        return found

    def attribute(self, name: str) -> tuple[Codes, Codes, list[str]]:
        """Return the rows that have an attribute, the code of its value in each, and the value of each code."""
        column = self._attributes.get(name)
        if column is None:
            column = self._attributes[name] = attribute_column(self.page, name)
        return column

    @kept_property
    def around(self) -> Flags:
        """Rows that belong to the site or to other items: navigation, footers, and blocks that say so."""
        rows, codes, roles = self.attribute("role")
        is_site = np.array([role in _SITE_ROLES for role in roles], dtype=np.bool_)
        return self.flags_of(_SITE_TAGS, _OTHER_WORDS, rows[is_site[codes]].tolist())

    @kept_property
    def elsewhere(self) -> list[bool]:
        """Which rows are in ``around`` or in ``listed``."""
        flags: list[bool] = (self.around | self.listed).tolist()
        return flags

    @kept_property
    def unread(self) -> list[bool]:
        """Which rows are in ``around``, or are not shown."""
        flags: list[bool] = (self.around | ~self.page.seen).tolist()
        return flags

    def flags_of(self, tags: Sequence[str], words: frozenset[str], roots: Sequence[int] = ()) -> Flags:
        """Return the rows in elements of these tags, or whose class or id has one of these words.

        The element that holds the heading and those that hold much of the text are not meant: a page "with-sidebar" is
        not a sidebar.
        """
        page, heading = self.page, self.heading_row
        chars = page.text_chars
        most = MAX_SHARE * max(int(chars[page.body]), 1)
        found = [*roots, *self.rows(*tags), *self.rows_named(words)]
        body = page.body
        kept = [row for row in found if row > body and not row <= heading < self.ends[row] and chars[row] <= most]
        return page.flags_below(kept)

    def rows_named(self, words: frozenset[str]) -> list[int]:
        """Return the elements whose class or id has one of these words, in document order.

        Of a name of several words the first and the last count. Longer lists of classes are styles.
        """
        rows, codes, words_of_codes = self._named_elements
        is_named = np.array([not words.isdisjoint(own) for own in words_of_codes], dtype=np.bool_)
        found: list[int] = rows[is_named[codes]].tolist()
        return found

    def rows_that_may_say(self, search: PhraseSearch) -> frozenset[int]:
        """Return the rows that have one of some words in an attribute that names them: most pages have none.

        The words of other scripts may be written otherwise than they are searched for.
        """
        found = self._may_say.get(search)
        if found is None:
            rows_found: list[int] = []
            for attribute in NAMING_ATTRIBUTES:
                rows, codes, values = self.attribute(attribute)
                may_say = search.which(values)
                may_say += [code for code, value in enumerate(values) if not value.isascii()]
                if may_say:
                    rows_found += rows[np.isin(codes, may_say)].tolist()
            found = self._may_say[search] = frozenset(rows_found)
        return found

    @kept_property
    def _named_elements(self) -> tuple[Integers, Integers, list[frozenset[str]]]:
        """The rows with a class or an id, the code of their name, and the words of each code."""
        (rows, codes, classes), (id_rows, id_codes, ids) = (self.attribute(name) for name in ("class", "id"))
        key = np.zeros(len(self.page), dtype=np.int64)
        key[rows] = (codes.astype(np.int64) + 1) * (len(ids) + 1)
        key[id_rows] += id_codes + 1
        named = np.flatnonzero(key)
        keys, own = np.unique(key[named], return_inverse=True)
        pairs = (divmod(pair, len(ids) + 1) for pair in keys.tolist())
        names = (f"{classes[k - 1] if k else ''} {ids[j - 1] if j else ''}" for k, j in pairs)
        return named, own, list(map(_end_words, names))

    @kept_property
    def heading(self) -> Line | None:
        """The line that names what the page is about: of the first-level headings the one that the title repeats.

        Without one, the first line that is a part of the title.
        """
        title = normal_form(self.document_title) + " " + normal_form(self.metadata.get("og:title", ""))
        best: tuple[float, Line] | None = None
        for name, points in (("h1", 1.0), ("h2", 0.2)):
            for row in self.rows(name)[:MAX_HEADINGS]:
                line = self._heading_line(row, title)
                if line is None:
                    continue
                own = normal_form(line.text)
                score = points + (
                    2.0 if len(own) > 2 and own in title else _shared_words(line.text, self.document_title)
                )
                if best is None or score > best[0] + 1e-9:
                    best = score, line
            if best is not None and best[0] >= MIN_HEADING_SCORE:
                return best[1]
        if best is not None and not self.title_parts:
            return best[1]
        return self._titled_line() or (best[1] if best is not None and best[0] >= 1.0 else None)

    def _heading_line(self, row: int, title: str) -> Line | None:
        """Return the text of a heading: of one that holds more than the title has, the texts that the title has."""
        inside = self.lines.within(row)
        if not inside:
            return None
        page = self.page
        rows = [i for i in range(inside[0].start, inside[-1].end) if page.lists.tag[i] == 0 and page.seen[i]]
        while len(rows) > 1 and not _KICKERS.isdisjoint(self.class_words(self.parents[rows[0]])):
            rows.pop(0)
        text = page.visible_text(rows[0], inside[-1].end)
        if normal_form(text) in self.site_names or _is_code(text):
            return None
        whole = Line(rows[0], inside[-1].end, row, text)
        if normal_form(text) not in title and 1 < len(rows) <= MAX_HEADING_TEXTS:
            for last in range(len(rows) - 1, 0, -1):
                part = page.visible_text(rows[0], rows[last - 1] + 1)
                if len(normal_form(part)) > 4 and normal_form(part) in title:
                    return Line(rows[0], rows[last - 1] + 1, row, part)
        return whole if len(normal_form(text)) > 1 and len(text) <= MAX_TITLE_CHARS else None

    def _titled_line(self) -> Line | None:
        """Return the first line that is a part of the title of the document, and no link to another page.

        Else the first line that the title begins with, and that is most of it.
        """
        parts = {form for form in map(normal_form, self._title_runs) if len(form) > 3} - self.site_names - _VIEWS
        starts = {part[:4] for part in parts}
        beginning = None
        for line in self.lines:
            form = normal_form(line.text)
            if form[:4] not in starts or form in self.site_names:
                continue
            is_begun = beginning is None and any(part.startswith(form) and 2 * len(form) > len(part) for part in parts)
            if (form in parts or is_begun) and not self._is_linked(line.start):
                if form in parts:
                    return line
                beginning = line
        return beginning

    def _is_linked(self, row: int) -> bool:
        return any(self.page.name(i) == "a" for i in self.page.ancestors(row))

    def is_linked_away(self, node: int) -> bool:
        """Return whether the text of a node is one link to another page: the name of another thing."""
        page = self.page
        while len(inside := [i for i in page.children(node) if page.text_chars[i]]) == 1 and page.name(node) != "a":
            node = inside[0]
        href = page.attrs[node].get("href", "") if page.name(node) == "a" else ""
        return bool(href) and not href.startswith(("#", "javascript:"))

    @kept_property
    def heading_row(self) -> int:
        """The row of the heading, -1 if there is none."""
        return -1 if self.heading is None else self.heading.start

    @kept_property
    def title_parts(self) -> list[str]:
        """The document title, and the parts that signs cut it into, the longest first."""
        titles = [self.metadata.get("og:title", ""), self.document_title]
        parts = [part for title in titles if title for part in (title, *_TITLE_CUT.split(title))]
        return list(dict.fromkeys(part.strip() for part in parts if part.strip()))

    @kept_property
    def _title_runs(self) -> list[str]:
        """The parts of the titles, and neighbouring parts together: a name may have the sign that cuts titles."""
        runs = list(self.title_parts)
        for title in dict.fromkeys((self.metadata.get("og:title", ""), self.document_title)):
            parts = _TITLE_CUT.split(title)[:MAX_TITLE_PARTS]
            runs += [" ".join(parts[k:end]) for k in range(len(parts)) for end in range(k + 2, len(parts) + 1)]
        return runs

    def without_site(self, title: str) -> str:
        """Return a title without the name of the site at its end."""
        parts = list(_TITLE_CUT.finditer(title))
        if parts and (cut := parts[-1]).start() > 0:
            tail = normal_form(title[cut.end() :])
            if tail and any(tail == name or (len(name) > 3 and name in tail) for name in self.site_names):
                return title[: cut.start()].strip()
        return title

    def class_words(self, row: int) -> tuple[str, ...]:
        """Return the words of the class, the id and the property of an element."""
        words = self._class_words.get(row)
        if words is None:
            attrs = self.page.attrs[row]
            named = " ".join([attrs[key] for key in NAMING_ATTRIBUTES if key in attrs])[:MAX_NAMING_CHARS]
            words = self._class_words[row] = tuple(word for name in named.split() for word in name_words(name))
        return words

    def says_above(self, row: int, words: frozenset[str], named: frozenset[int], levels: int = 3) -> bool:
        """Return whether an element around a node has one of these class words. ``named``: the rows that may have."""
        parents = self.parents
        for _ in range(levels):
            row = parents[row]
            if row < 0:
                return False
            if row in named and not words.isdisjoint(self.class_words(row)):
                return True
        return False

    def words_above(self, row: int, levels: int = 3) -> frozenset[str]:
        """Return the class words of the elements around a node."""
        words: set[str] = set()
        for _, i in zip(range(levels), self.page.ancestors(row), strict=False):
            words.update(self.class_words(i))
        return frozenset(words)

    @kept_property
    def listed(self) -> Flags:
        """Rows in lists of other things: neighbours built alike that each link to a page of their own.

        What is around the item anyway is not looked at.
        """
        page, parents = self.page, self.parents
        own = _same_page(self.url)
        groups: dict[tuple[int, int, str], dict[int, str]] = {}
        levels_from = [0] * len(page)  # how many levels from an element on were looked at
        tags, body = page.lists.tag, page.body
        paragraph = page.tag_names.index("p") if "p" in page.tag_names else -1
        rows, codes, classes = self.attribute("class")
        of_row = np.full(len(page), len(classes), dtype=np.int32)
        of_row[rows] = codes
        class_of = of_row.tolist()
        short_classes = [*(name[:60] for name in classes), ""]
        for row, target in self._links_away(own):
            i = row
            for left in range(MAX_LEVELS, 0, -1):
                if i <= body or levels_from[i] >= left:
                    break
                parent = parents[i]
                if not levels_from[i]:
                    key = parent, tags[i], short_classes[class_of[i]]
                    if key in groups:
                        groups[key][i] = target
                    else:
                        groups[key] = {i: target}
                levels_from[i] = left
                i = parent
        heading, ends = self.heading_row, self.ends
        roots: list[int] = []
        for (parent, tag, _), members in groups.items():
            if len(members) < MIN_LISTED or tag == paragraph or parent == body:
                continue
            if len(set(members.values())) < MIN_LISTED:
                continue
            sizes = sorted(ends[i] - i for i in members)
            middle = sizes[len(sizes) // 2]
            alike = sum(middle <= 2 * size <= 4 * middle for size in sizes)
            if 3 * alike < 2 * len(sizes):
                continue
            if 2 * len(members) < sum(tags[i] == tag for i in page.children(parent)):
                continue
            if not any(i <= heading < ends[i] for i in members):
                roots.extend(members)
        return page.flags_below(roots)

    def _links_away(self, own: frozenset[str]) -> Iterator[tuple[int, str]]:
        """Yield the links that are not around the item and lead to other pages than ``own``, with their targets."""
        rows, codes, addresses = self.attribute("href")
        is_link = is_tag(self.page, ("a",))[rows] & ~self.around[rows]
        targets: dict[int, str] = {}
        for row, code in zip(rows[is_link].tolist(), codes[is_link].tolist(), strict=True):
            if code not in targets:
                targets[code] = _target(addresses[code], own)
            if target := targets[code]:
                yield row, target


def _target(href: str, own: frozenset[str]) -> str:
    """Return the page that an address leads to, "" if it is one of ``own`` or no page."""
    if href.startswith(("#", "javascript:", "mailto:", "tel:")):
        return ""
    target = href.split("#")[0]
    return "" if target.split("?")[0] in own else target


def _same_page(url: str) -> frozenset[str]:
    """Return how links of a page may name the page itself."""
    bare = url.split("#")[0].split("?")[0]
    path = "/" + bare.split("://", 1)[-1].partition("/")[2] if "://" in bare else bare
    return frozenset({bare, path, path.rpartition("/")[2], bare.split(":", 1)[-1]})


@cache_of_short_texts(1 << 14)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a class or an id: "btn-addToCart" gives "btn", "add", "to" and "cart"."""
    return tuple(map(str.lower, _WORD.findall(name))) if name.isascii() else words_of(name)


@cache_of_short_texts(1 << 14)
def _end_words(names: str) -> frozenset[str]:
    """Return the first and the last word of each of some names, and all words of each together."""
    words: list[str] = []
    for name in names.split()[:MAX_CLASSES]:
        own = name_words(name)
        words += (*own[:1], *own[-1:], "".join(own))
    return frozenset(words)


def _is_code(text: str) -> bool:
    """Return whether a text is a long number: an ISBN or another code."""
    return sum(map(str.isdigit, text)) >= MIN_CODE_DIGITS and not any(map(str.isalpha, text))


def _shared_words(text: str, title: str) -> float:
    """Return the share of the words of a text that a title has too."""
    words, known = set(text.casefold().split()), set(title.casefold().split())
    return len(words & known) / len(words) if words else 0.0
