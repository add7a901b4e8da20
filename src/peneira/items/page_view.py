"""What every part of an item looks at: the lines of the page, its main heading, and which rows are about other things."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np

from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.columns.builder import language_of
from peneira.columns.role_words import words_of
from peneira.embedded.page_metadata import page_metadata
from peneira.items.claims import normal_form
from peneira.items.lines import Line, PageLines
from peneira.items.things import clean_text
from peneira.page import Flags, Page

# Parts of a page that are the site's, not the item's
_SITE_TAGS = ("nav", "footer", "dialog")
_SITE_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar"})
# Words of classes and ids of parts that show other items
_OTHER_WORDS = frozenset(
    "related recommend recommended recommendation recommendations recommender similar upsell upsells crosssell "
    "crosssells recently viewed carousel teaser teasers minicart megamenu navigation navbar breadcrumb breadcrumbs "
    "footer sidebar cookie cookies consent newsletter popup modal suggestions suggested alsobought alsolike more-from "
    "readmore nextpost prevpost comments commentlist respond disqus widget widgets".split()
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TITLE_CUT = re.compile(r"\s+[|\u2013\u2014\u00b7\u2022»:<>~*-]+\s+|\s*[|｜]\s*|\s+::\s+")
MAX_TITLE_CHARS = 300
# A list of other things: this many neighbours that are built alike, each with a link to another page
MIN_LISTED = 2


class PageView:
    """One page, as the parts of an item look at it. Everything is computed when it is first used."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.ends = page.lists.end
        self.parents = page.lists.parent

    @cached_property
    def lines(self) -> PageLines:
        return PageLines(self.page)

    @cached_property
    def language(self) -> str:
        return language_of(self.page)

    @cached_property
    def base(self) -> str:
        return base_url(self.page)

    @cached_property
    def metadata(self) -> dict[str, str]:
        """What the meta elements say, by name in lower case."""
        described = page_metadata(self.page)
        return {} if described is None else {key: clean_text(str(text)) for key, text in described.properties.items()}

    @cached_property
    def metadata_row(self) -> int:
        described = page_metadata(self.page)
        return -1 if described is None else described.row

    @cached_property
    def document_title(self) -> str:
        """The title of the document, as browsers show it."""
        for row in self.rows("title"):
            if self.page.silent[row] or not self._is_in_drawing(row):
                return clean_text("".join(self.page.text[row + 1 : self.ends[row]]))
        return ""

    def _is_in_drawing(self, row: int) -> bool:
        return any(self.page.name(i) == "svg" for i in self.page.ancestors(row))

    @cached_property
    def url(self) -> str:
        """The address of the page: the one it was read from, else the canonical one, else that of OpenGraph."""
        return self.page.url or self.canonical_url

    @cached_property
    def canonical_url(self) -> str:
        for row in self.rows("link"):
            attrs = self.page.attrs[row]
            if "canonical" in attrs.get("rel", "").lower().split() and attrs.get("href", "").strip():
                return absolute_url(self.base, attrs["href"])
        return absolute_url(self.base, self.metadata.get("og:url", ""))

    @cached_property
    def site_names(self) -> frozenset[str]:
        """What the site is called, in normal form: its name in OpenGraph, and the words of its host."""
        names = {normal_form(self.metadata.get("og:site_name", "")), normal_form(self.metadata.get("application-name", ""))}
        try:
            host = urlsplit(self.url).hostname or ""
        except ValueError:
            host = ""
        names.update(normal_form(part) for part in host.split(".") if len(part) > 3)
        names.add(normal_form(host.removeprefix("www.")))
        return frozenset(names - {""})

    def rows(self, *names: str) -> list[int]:
        """Return the rows of the elements of these names, in document order."""
        codes = [self.page.tag_names.index(name) for name in names if name in self.page.tag_names]
        return np.flatnonzero(np.isin(self.page.tag, codes)).tolist() if codes else []

    @cached_property
    def around(self) -> Flags:
        """Rows that belong to the site or to other items: navigation, footers, and blocks that say so."""
        page = self.page
        roots = self.rows(*_SITE_TAGS)
        heading = self.heading_row
        for row, attrs in enumerate(page.attrs):
            if not attrs:
                continue
            named = attrs.get("class", "") or attrs.get("id", "")
            is_other = bool(named) and self._names_other_things(attrs)
            if is_other or attrs.get("role", "") in _SITE_ROLES:
                roots.append(row)
        body = page.body
        return page.flags_below([row for row in roots if row > body and not row <= heading < self.ends[row]])

    def _names_other_things(self, attrs: dict[str, str] | object) -> bool:
        text = f"{attrs.get('class', '')} {attrs.get('id', '')}"[:300]  # type: ignore[attr-defined]
        return not _OTHER_WORDS.isdisjoint(words_of(text))

    @cached_property
    def heading(self) -> Line | None:
        """The line that names what the page is about: of the first-level headings the one that the title repeats."""
        title = normal_form(self.document_title) + normal_form(self.metadata.get("og:title", ""))
        best: tuple[float, Line] | None = None
        for name, points in (("h1", 1.0), ("h2", 0.2)):
            for row in self.rows(name)[:60]:
                inside = self.lines.within(row)
                if not inside:
                    continue
                text = self.page.visible_text(row)
                own = normal_form(text)
                repeated = len(own) > 2 and own in title
                partly = not repeated and len(own) > 2 and normal_form(inside[0].text) in title
                score = points + (2.0 if repeated else 1.5 if partly else _shared_words(text, self.document_title))
                line = inside[0] if len(inside) > 1 and partly else Line(inside[0].start, inside[-1].end, row, text)
                if 1 < len(own) and len(text) <= MAX_TITLE_CHARS and (best is None or score > best[0] + 1e-9):
                    best = score, line
            if best is not None and best[0] >= 1.0:
                return best[1]
        return best[1] if best is not None and best[0] >= 1.0 else None

    @cached_property
    def heading_row(self) -> int:
        """The row of the heading, -1 if there is none."""
        return -1 if self.heading is None else self.heading.start

    @cached_property
    def title_parts(self) -> list[str]:
        """The document title, and the parts that signs cut it into, the longest first."""
        titles = [self.metadata.get("og:title", ""), self.document_title]
        parts = [part for title in titles if title for part in (title, *_TITLE_CUT.split(title))]
        return list(dict.fromkeys(part.strip() for part in parts if part.strip()))

    def class_words(self, row: int) -> tuple[str, ...]:
        """Return the words of the class, the id and the property of an element."""
        attrs = self.page.attrs[row]
        if not attrs:
            return ()
        named = [attrs[key] for key in ("class", "id", "itemprop", "data-testid", "data-test", "data-qa") if key in attrs]
        return words_of(" ".join(named)[:300]) if named else ()

    def words_above(self, row: int, levels: int = 3) -> frozenset[str]:
        """Return the class words of the elements around a node."""
        words: set[str] = set()
        for _, i in zip(range(levels), self.page.ancestors(row), strict=False):
            words.update(self.class_words(i))
        return frozenset(words)

    @cached_property
    def listed(self) -> Flags:
        """Rows in lists of other things: neighbours built alike that each link to a page of their own."""
        page, parents = self.page, self.parents
        own = self.url.split("#")[0].split("?")[0]
        groups: dict[tuple[int, str, str], dict[int, str]] = {}
        hrefs = {}
        for row in self.rows("a"):
            href = page.attrs[row].get("href", "")
            if not href or href.startswith(("#", "javascript:", "mailto:", "tel:")):
                continue
            target = absolute_url(self.base, href).split("#")[0]
            if target.split("?")[0] == own:
                continue
            hrefs[row] = target
            i, levels = row, 0
            while i > page.body and levels < 8:
                attrs = page.attrs[i]
                key = parents[i], page.name(i), attrs.get("class", "")[:60]
                groups.setdefault(key, {}).setdefault(i, target)
                i, levels = parents[i], levels + 1
        heading = self.heading_row
        roots = []
        for (parent, name, _), members in groups.items():
            if len(members) >= MIN_LISTED and len(set(members.values())) >= MIN_LISTED and name != "p":
                holds_heading = [i for i in members if i <= heading < self.ends[i]]
                if not holds_heading and parent != page.body:
                    roots.extend(members)
        return page.flags_below(roots)


def _shared_words(text: str, title: str) -> float:
    """Return the share of the words of a text that a title has too."""
    words, known = set(text.casefold().split()), set(title.casefold().split())
    return len(words & known) / len(words) if words else 0.0
