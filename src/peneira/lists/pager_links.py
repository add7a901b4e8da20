"""The links of a page that may lead to other pages of a list: numbers, directions, buttons that add more records."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.kept_property import kept_property
from peneira.late_patterns import late_pattern
from peneira.lists.page_addresses import is_same_path, page_step
from peneira.lists.paging_words import Label, Meaning, is_page_word, label_of, may_be_label, may_be_number
from peneira.page import Page
from peneira.result import Range
from peneira.short_text_cache import cache_of_short_texts

Direction = Literal["next", "previous"]
Source = Literal["words", "rel", "class", "arrow", "title", "icon"]
Surroundings = Literal["pager", "article", "carousel", "calendar", "comments"]

LINK_TAGS = ("a", "button", "area", "input")
# Longer texts are titles of records
MAX_LABEL_CHARS = 40
MAX_NUMBER_DIGITS = 6
# Records of a page whose link says which they are
MIN_SPAN = 5
# Levels above a link at which its surroundings are named
MAX_LEVELS = 4
# Rows of an element that holds a link and nothing else
MAX_WRAPPER_ROWS = 40
# Attributes in which buttons keep the address of what they load
BUTTON_ADDRESSES = (
    "data-next-url", "data-next", "data-url", "data-href", "hx-get", "data-load-url", "data-path", "data-next-page-url",
)  # fmt: skip

_NAMING = ("class", "id", "aria-label", "aria-roledescription", "data-testid")
# What fonts and files of icons call arrows
_ARROW_NAMES = frozenset({"chevron", "arrow", "angle", "caret", "icon", "navigate"})
_ONWARD_NAMES, _BACK_NAMES = frozenset({"right", "forward", "next"}), frozenset({"left", "back", "prev", "previous"})
_ICON_SOURCES = ("class", "href", "xlink:href", "src", "data-testid", "data-icon", "name")

_HAS_DIGIT = late_pattern(r"\d")
_NO_NUMBER = late_pattern(r"[-+%$€£/:]")
_NUMBER = late_pattern(r"[^\d]{0,12}(\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+|\d{1,6})(?:[^\d]{0,8})")
_SPAN = late_pattern(r"(\d{1,6})\s?[-–]\s?(\d{1,6})")
# Fonts that draw an arrow for its name
_ICON_TEXT = late_pattern(r"[a-z]+_[a-z_]+")
_ORIGIN = late_pattern(r"https?://[^/?#]+")
# Addresses beside that of the page, with nothing in them to be resolved
_OWN_QUERY = late_pattern(r"\?[^\s#]+(?:#\S+)?")
_OWN_FILE = late_pattern(r"[\w-][\w.-]*+(?:/[\w-][\w.-]*+)*+(?:\?[^\s#]+)?(?:#\S+)?", re.ASCII)
_DIRECTION_CLASS = late_pattern(r"next(?!gen)|prev(?!iew|ent|ail)|following", re.IGNORECASE)
_CLASS_WORDS = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_COMMENT_PAGE = late_pattern(r"comment-page-\d|[?&]cpage=\d")
_RTL_LANGUAGES = ("ar", "he", "fa", "ur", "iw")

_SURROUNDINGS: Mapping[Surroundings, re.Pattern[str]] = {
    "carousel": late_pattern(
        r"carousel|slider|slick|swiper|galler|lightbox|\bowl\b|owl-|rotator|slideshow|testimonial|ticker",
        re.IGNORECASE,
    ),
    "calendar": late_pattern(r"calendar|datepicker|kalend|calendrier|agenda-nav|month-?nav", re.IGNORECASE),
    "comments": late_pattern(r"comment-?(?:nav|pag)|comments?-?pag|nav-comment|comments-nav", re.IGNORECASE),
    "article": late_pattern(
        r"post-?navi|nav-?single|single-?nav|post-?nav\b|entry-?nav|article-?nav|post_nav|navigation-?post|adjacent"
        r"|image-?navi|project-?nav|nav-?post\b|prev-?next-?post|post-?pag(?:er|ination)\b|next-?prev-?post|portfolio-?nav",
        re.IGNORECASE,
    ),
    "pager": late_pattern(
        r"paginat|pagina(?:[cç]|zione|dor|tie)|pager|paging|page[-_ ]?(?:numbers?|nav|links?|list|selector|bar)"
        r"|\bpages\b|nav-?(?:links|below|above|previous|next|paged)|posts-?nav|(?:older|newer)-?(?:posts|link|entries)"
        r"|seiten|\bpg\b|multipage|loop-nav|navigator",
        re.IGNORECASE,
    ),
}


@dataclass(frozen=True, slots=True)
class PagerLink:
    """A link that may lead to another page of a list; ``url`` is None for one that only a script follows.

    ``source``: what says the direction. ``meaning``: what its words say, as "older", "more" or "last". ``span``: the
    first and the last record of the page, where its label is "51-100".
    """

    node: int
    url: str | None
    text: str
    number: int | None = None
    direction: Direction | None = None
    source: Source | None = None
    meaning: Meaning | None = None
    is_article: bool = False
    names_pages: bool = False
    is_end: bool = False
    is_whole: bool = True
    is_of_comments: bool = False
    span: Range | None = None


_TITLE = Label(is_whole=False)


class PagerLinks:
    """The links of a page with a number or a direction, in document order."""

    def __init__(self, page: Page, records: Sequence[Range] = ()) -> None:
        self.page, self._base, self._records = page, base_url(page), sorted(records)
        origin = _ORIGIN.match(self._base)
        self._origin = origin[0] if origin else ""
        self._folder = _folder(self._base, self._origin)
        self._starts = [start for start, _ in self._records]
        self.own_url = page.url or ""
        self.is_right_to_left = _is_right_to_left(page)
        self.all = _numbered_spans(list(self._read()))
        self.numbers = [link for link in self.all if link.number is not None]
        self.directions = [link for link in self.all if link.direction is not None]
        self.buttons = [link for link in self.all if link.meaning in ("more", "expand") and link.is_whole]

    @kept_property
    def role_buttons(self) -> list[PagerLink]:
        """The elements of other tags that the page calls buttons: numbers, directions, those that add more."""
        page, found = self.page, list[PagerLink]()
        is_other = np.array([name not in ("#text", *LINK_TAGS) for name in page.tag_names], dtype=np.bool_)
        for i in np.flatnonzero(is_other[page.tag] & ~page.silent & (page.text_chars <= MAX_LABEL_CHARS)).tolist():
            if page.attrs[i].get("role") not in ("button", "link"):
                continue
            link = self._link(i, self.text(i), says_direction=False)
            if link is not None:
                found.append(link)
        return found

    def address(self, href: str) -> str | None:
        """Return the absolute address that a link leads to, None where only a script knows it."""
        href = href.strip()
        if not href or href.startswith("#") or href.lower().startswith(("javascript:", "mailto:", "tel:", "data:")):
            return None
        # urljoin costs as much as all the rest of reading a link
        if href.startswith(("http://", "https://")) and "/." not in href:
            return href
        if href[0] == "/" and self._origin and href[:2] != "//" and "/." not in href:
            return self._origin + href
        if self._origin and _OWN_QUERY.fullmatch(href):
            return self._base.partition("#")[0].partition("?")[0] + href
        if self._folder and _OWN_FILE.fullmatch(href):
            return self._folder + href
        url = absolute_url(self._base, href)
        return url if not url.lower().startswith(("javascript:", "about:")) else None

    def is_in_record(self, link: PagerLink) -> bool:
        """Return whether a link is inside a record of the main list, but for the last one, which may run on."""
        return self._is_in_record(link.node)

    def _is_in_record(self, node: int) -> bool:
        k = bisect_right(self._starts, node) - 1
        return k >= 0 and node < self._records[k][1]

    def directions_in(self, element: int) -> list[PagerLink]:
        """Return the links with a direction inside an element."""
        start = bisect_left(self.directions, element, key=_node)
        return self.directions[start : bisect_left(self.directions, self.page.lists.end[element], key=_node)]

    def surroundings(self, node: int) -> Surroundings | None:
        """Return what the classes and ids of a link and of the elements around it call it."""
        found: Surroundings | None = None
        for level, element in enumerate((node, *self.page.ancestors(node))):
            if level > MAX_LEVELS or self.page.name(element) in ("body", "html"):
                break
            named = _surroundings_of(_all_names(self.page.attrs[element]))
            if named is not None and named != "pager":
                return named
            found = found or named
        return found

    def _read(self) -> Iterator[PagerLink]:
        page = self.page
        is_link = np.array([name in LINK_TAGS for name in page.tag_names], dtype=np.bool_)
        rows = np.flatnonzero(is_link[page.tag] & ~page.silent)
        flags = self._direction_flags(rows).tolist()
        counts = page.text_chars[rows]
        short = rows[counts <= MAX_LABEL_CHARS].tolist()
        texts = dict(zip(short, page.visible_texts([(i, page.lists.end[i]) for i in short]), strict=True))
        looked: dict[str, bool] = {}
        for i, chars, says_direction in zip(rows.tolist(), counts.tolist(), flags, strict=True):
            attrs = page.attrs[i]
            says_direction = says_direction or ("rel" in attrs and _may_say_direction(attrs["rel"]))
            if chars > MAX_LABEL_CHARS and not says_direction:
                continue
            text = texts.get(i) or (page.visible_text(i) if chars else self._hidden_text(i) or attrs.get("value", ""))
            if text and not says_direction:
                is_worth = looked.get(text)
                if is_worth is None:
                    is_worth = looked[text] = may_be_number(text) or may_be_label(text) or _is_icon_text(text)
                if not is_worth:
                    continue
            elif not says_direction and (self._is_in_record(i) or self._title_direction(i)[0] is None):
                continue  # the picture of a record: half of the links without text
            if (link := self._link(i, text, says_direction)) is not None:
                yield link

    def _direction_flags(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each link whether its classes or those of the two elements around it may say a direction."""
        page = self.page
        parents = np.maximum(page.parent[rows], 0)
        nodes = np.concatenate([rows, parents, np.maximum(page.parent[parents], 0)])
        _, firsts, codes = np.unique(page.style[nodes], return_index=True, return_inverse=True)
        named = [_may_say_direction(page.attrs[k].get("class", "")) for k in nodes[firsts].tolist()]
        own, above, top = np.array(named, dtype=np.bool_)[codes].reshape(3, len(rows))
        flags: NDArray[np.bool_] = own | above | top
        return flags

    def text(self, i: int) -> str:
        """Return the text of a node, also where the page hides it."""
        return self.page.visible_text(i) or self._hidden_text(i)

    def _hidden_text(self, i: int) -> str:
        texts = [text for text in self.page.text[i : self.page.lists.end[i]] if text]
        return " ".join(" ".join(texts).split()) if texts else ""

    def _link(self, i: int, text: str, says_direction: bool) -> PagerLink | None:
        attrs, is_short = self.page.attrs[i], len(text) <= MAX_LABEL_CHARS
        if self.page.name(i) == "input" and attrs.get("type", "").lower() not in ("button", "submit"):
            return None
        number = _number(text) if is_short and text and may_be_number(text) else None
        if number is not None:
            url = self._link_address(attrs)
            return PagerLink(i, url, text, number, is_of_comments=_is_of_comments(url))
        if text and is_short and text[0].isdecimal() and (span := span_of(text)) is not None:
            return PagerLink(i, self._link_address(attrs), text, span=span)
        if text and not says_direction and may_be_number(text) and not may_be_label(text):
            return None  # a date, a price, a name with digits
        label = self._label(i, text) if text and is_short else _TITLE
        direction, source = self._direction(i, label, text, says_direction)
        if direction is not None and self._is_disabled(i, text):
            return None
        if direction is None and label.meaning not in ("more", "expand") and not label.is_end:
            return None
        url = self._link_address(attrs)
        meaning = label.meaning
        if meaning == "expand" and direction is None and not self._is_in_record(i) and self._leads_to_page(url, i):
            direction, source, meaning = "next", "words", "more"
        return PagerLink(
            i, url, text, None, direction, source, meaning, label.is_article, label.names_pages, label.is_end,
            label.is_whole, label.is_of_comments or _is_of_comments(url),
        )  # fmt: skip

    def _label(self, i: int, text: str) -> Label:
        """Return what a link says; one with a text for readers and one for eyes may say the same in both."""
        label = label_of(text, is_right_to_left=self.is_right_to_left)
        page = self.page
        if label.is_whole or page.lists.end[i] - i <= 2:
            return label
        texts = [part for row in range(i, page.lists.end[i]) if (part := page.text[row].strip())]
        labels = [label_of(part, is_right_to_left=self.is_right_to_left) for part in texts]
        is_one = len(labels) > 1 and all(each.is_whole and each.meaning == labels[0].meaning for each in labels)
        return labels[0] if is_one else label

    def _leads_to_page(self, url: str | None, i: int) -> bool:
        """Return whether "More" leads to a page with a number, or below the list to the same page with a cursor."""
        if not self.own_url or url is None or not _HAS_DIGIT.search(url):
            return False
        step = page_step(self.own_url, url)
        if step is not None and step.is_named:
            return step.is_forward
        return bool(self._records) and i >= self._records[-1][1] and is_same_path(self.own_url, url)

    def _link_address(self, attrs: Mapping[str, str]) -> str | None:
        if url := self.address(attrs.get("href", "")):
            return url
        return next((self.address(attrs[key]) for key in BUTTON_ADDRESSES if "/" in attrs.get(key, "")), None)

    def _direction(
        self, i: int, label: Label, text: str, says_direction: bool
    ) -> tuple[Direction | None, Source | None]:
        """Return where a link leads by the clearest sign: its words, ``rel``, classes, arrows, titles, icons."""
        if label.meaning in ("first", "last"):
            return None, None
        if label.meaning == "next" or label.meaning == "previous":
            return label.meaning, "words"
        # "Older posts" leads on, but many sites call it the previous page: their classes and arrows decide
        if says_direction and (by_rel := rel_direction(self.page.attrs[i].get("rel", ""))):
            return by_rel, "rel"
        if says_direction and (by_class := self._class_direction(i, text)):
            return by_class, "class"
        if label.arrow:
            return label.arrow, "arrow"
        if label.meaning in ("older", "more"):
            return "next", "words"
        if label.meaning == "newer":
            return "previous", "words"
        if text:
            by_icon = self._icon_direction(text) if _is_icon_text(text) else None
            return (by_icon, "icon") if by_icon else (None, None)
        return self._title_direction(i)

    def _title_direction(self, i: int) -> tuple[Direction | None, Source | None]:
        """Return the direction of a link without text: by its title, the name of its image, or its icon."""
        page = self.page
        elements = [page.attrs[row] for row in range(i, page.lists.end[i]) if page.attrs[row]]
        for attrs in elements:
            for key in ("aria-label", "title", "alt"):
                value = attrs[key].strip() if key in attrs else ""
                if value and len(value) <= 2 * MAX_LABEL_CHARS and may_be_label(value):
                    label = label_of(value, is_right_to_left=self.is_right_to_left)
                    if label.meaning == "next" or label.meaning == "previous":
                        return label.meaning, "title"
        # the address of the link itself says nothing of its icon
        for attrs in ({**elements[0], "href": ""}, *elements[1:]) if elements else ():
            for key in _ICON_SOURCES:
                if key in attrs and _may_point(attrs[key]) and (direction := self._icon_direction(attrs[key], key)):
                    return direction, "icon"
        return None, None

    def _icon_direction(self, name: str, key: str = "") -> Direction | None:
        """Return where an icon of a name points: "fa-angle-right", "chevron_right", "pagination-next"."""
        names = _class_words(name)
        is_next, is_previous = bool(names & _ONWARD_NAMES), bool(names & _BACK_NAMES)
        if is_next == is_previous or not (names & _ARROW_NAMES or key == "data-testid"):
            return None
        is_side = bool(names & {"right", "left"})
        return "next" if is_next != (is_side and self.is_right_to_left) else "previous"

    def _is_disabled(self, i: int, text: str) -> bool:
        """Return whether a link is switched off, as that to the next page is on the last one."""
        attrs, parent = self.page.attrs[i], self.page.lists.parent[i]
        if "disabled" in attrs or attrs.get("aria-disabled", "").lower() == "true":
            return True
        is_small = parent >= 0 and self.page.lists.end[parent] - parent <= MAX_WRAPPER_ROWS
        around = _names(self.page.attrs[parent]) if is_small and self.text(parent) == text else ""
        return "disabled" in _class_words(f"{_names(attrs)} {around}")

    def _class_direction(self, i: int, text: str) -> Direction | None:
        """Return the direction that the classes of a link say, or those of an element that holds nothing else."""
        page, node = self.page, i
        for _ in range(3):
            names = _names(page.attrs[node])
            if names and (direction := _direction_of(names)):
                return direction
            node = page.lists.parent[node]
            if node < 0 or page.lists.end[node] - node > MAX_WRAPPER_ROWS or self.text(node) != text:
                return None
        return None


def _folder(base: str, origin: str) -> str:
    """Return the address of the folder of a page, "" where it has parts that must be resolved."""
    path = base.partition("#")[0].partition("?")[0][len(origin) :]
    return "" if not origin or "/." in path or "//" in path else f"{origin}{path.rpartition('/')[0]}/"


def _is_icon_text(text: str) -> bool:
    return "_" in text and _ICON_TEXT.fullmatch(text) is not None


def _may_say_direction(names: str) -> bool:
    # three searches of plain words take a third of the time of one that ignores case
    lower = names.lower()
    return ("next" in lower or "prev" in lower or "following" in lower) and bool(_DIRECTION_CLASS.search(lower))


def _may_point(name: str) -> bool:
    lower = name.lower()
    # written out: a generator takes four times as long
    return (
        "right" in lower
        or "left" in lower
        or "next" in lower
        or "prev" in lower
        or "forward" in lower
        or "back" in lower
    )


def _node(link: PagerLink) -> int:
    return link.node


def _names(attrs: Mapping[str, str]) -> str:
    return f"{attrs.get('class', '')} {attrs.get('id', '')}".strip() if attrs else ""


def element_words(attrs: Mapping[str, str]) -> frozenset[str]:
    """Return the words of the classes and the id of an element, in small letters."""
    return _class_words(_names(attrs))


def _all_names(attrs: Mapping[str, str]) -> str:
    """Return all that an element is called, for readers too."""
    return " ".join([attrs[key] for key in _NAMING if key in attrs]) if attrs else ""


@cache_of_short_texts(4096)
def _surroundings_of(names: str) -> Surroundings | None:
    return next((kind for kind, words in _SURROUNDINGS.items() if names and words.search(names)), None)


@cache_of_short_texts(4096)
def _class_words(names: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _CLASS_WORDS.findall(names))


@cache_of_short_texts(4096)
def _direction_of(names: str) -> Direction | None:
    if not _DIRECTION_CLASS.search(names):
        return None
    found = {match[0].lower() for word in _class_words(names) if (match := _DIRECTION_CLASS.match(word))}
    is_next, is_previous = bool(found & {"next", "following"}), "prev" in found
    if is_next == is_previous:
        return None
    return "next" if is_next else "previous"


def _is_of_comments(url: str | None) -> bool:
    return url is not None and "page" in (lower := url.lower()) and bool(_COMMENT_PAGE.search(lower))


def rel_direction(rel: str) -> Direction | None:
    """Return the direction that an attribute ``rel`` says."""
    words = rel.lower().split()
    if "next" in words:
        return "next"
    return "previous" if "prev" in words or "previous" in words else None


def _number(text: str) -> int | None:
    """Return the page number that a label is: "3", "[3]", "Page 3", "1,097"; None if it says anything else."""
    return int(text) if text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS else _written_number(text)


@cache_of_short_texts(4096)
def _written_number(text: str) -> int | None:
    match = _NUMBER.fullmatch(text)
    if match is None or _NO_NUMBER.search(text) or not is_page_word(text):
        return None
    return int("".join(char for char in match[1] if char.isdecimal()))


def span_of(text: str) -> Range | None:
    """Return the first and the last number of a label like "51-100", None if it is no such label."""
    match = _SPAN.fullmatch(text)
    return (int(match[1]), int(match[2])) if match is not None and int(match[1]) < int(match[2]) else None


def span_number(span: Range, size: int) -> int | None:
    """Return the number of the page with these records where a page has ``size`` of them, None if none begins there."""
    before = span[0] - 1
    return before // size + 1 if size >= MIN_SPAN and before % size == 0 else None


def span_size(links: Sequence[PagerLink]) -> int:
    """Return how many records a page has: those of the last one may be fewer."""
    return max((link.span[1] - link.span[0] + 1 for link in links if link.span), default=0)


def _numbered_spans(links: list[PagerLink]) -> list[PagerLink]:
    """Return the links with a number in place of the records that a label names."""
    size = span_size(links)
    return [replace(link, number=span_number(link.span, size)) if link.span else link for link in links]


def _is_right_to_left(page: Page) -> bool:
    for i in (0, page.body):
        attrs = page.attrs[i] if len(page) else {}
        if attrs.get("dir", "").lower() == "rtl" or attrs.get("lang", "").lower().split("-")[0] in _RTL_LANGUAGES:
            return attrs.get("dir", "").lower() != "ltr"
    return False
