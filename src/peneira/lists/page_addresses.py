"""The number of a page in addresses: ``?page=2``, ``/page/2/``, ``?start=20``, ``list_48_2.html``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from peneira.late_patterns import late_pattern
from peneira.short_text_cache import cache_of_short_texts

# Parameters and path words that count pages or records, in the words of common systems and languages
PAGE_NAME = late_pattern(
    r"p|pg|pn|pno|page|pages|paged|pageno|pagenum|pagenumber|page_no|page_num|page_number|page_index|pageindex|pageid"
    r"|pagen_?\d*|pagina|pagine|paginas|seite|sida|side|sivu|strona|strana|stranka|stran|stranica|oldal|sayfa|trang"
    r"|halaman|hal|lapa|leht|puslapis|str|currentpage|curpage|cur|cp|gotopage|pge|pag|nextpage|page_id|pgno"
    r"|start|offset|skip|from|first|begin|startindex|start_index|startrow|beginindex|st|o|b|index|list|or|vp"
)
# Parameters that say how many records a page has, in which order or which: their numbers are no page numbers
NOT_PAGE_NAME = late_pattern(
    r".*(?:per_?page|limit|page_?size|perpage|size|count|show|sort|order|year|month|day|date|price|rating|vote|star).*"
    r"|pp|n|num|id|cat|category|tid|fid|view|ver|v|lang"
)
# Numbers above this are identifiers or dates, unless the parameter has the name of a page
MAX_UNNAMED = 5000
MAX_NAMED = 999_999
MAX_DIGITS = 9
# What a path may have in addition to that of the first page: "/page/2", "_2.html", "/list_48_2.html"
_ADDED_PATH = late_pattern(
    r"[/_.;,~!+-]*+(?P<word>[^\W\d_]{0,14})[/_.=,:-]*+(?:\d+[_-])?(?P<number>\d{1,6})(?:\.\w{2,5})?/*", re.IGNORECASE
)
_NUMBER = late_pattern(r"\d+")
_PATH_NUMBER = late_pattern(
    r"(?:^|[/_.;-])(?P<word>[^\W\d_]{1,14})[/_.=-]?(?P<number>\d{1,6})(?=[/_.;-]|$)", re.IGNORECASE
)
_DATE = late_pattern(r"(?:^|\D)(?:19|20)\d\d[/_.-]?(?:0?[1-9]|1[0-2])(?:\D|$)")
_INDEX_FILE = late_pattern(r"(?:/(?:index|default)\.\w{2,5})$|(?<!/)/++$")


@dataclass(frozen=True, slots=True)
class PageStep:
    """The numbers of two addresses of one list; ``own`` is None for an address that has none, as the first page's."""

    own: int | None
    other: int
    is_named: bool

    @property
    def is_forward(self) -> bool:
        """Whether the other page comes after this one."""
        return self.other > (self.own or 0)


@cache_of_short_texts(1024, lambda own, other: len(own) + len(other))
def page_step(own: str, other: str) -> PageStep | None:
    """Return how two addresses of one list differ: in a page number alone; None if they are of different lists."""
    here, there = _parts(own), _parts(other)
    if here is None or there is None or (here[0] and here[0] != there[0]):
        return None
    (_, own_path, own_query), (_, other_path, other_query) = here, there
    if own_path == other_path or _same_folder(own_path, other_path):
        return _query_step(own_query, other_query)
    if own_query and other_query and dict(own_query) != dict(other_query) and not _is_added(own_query, other_query):
        return None
    return _path_step(own_path, other_path)


def is_same_path(own: str, other: str) -> bool:
    """Return whether two addresses differ in their parameters alone: pages with cursors, ``?after=x8f``."""
    here, there = _parts(own), _parts(other)
    return here is not None and there is not None and here[:2] == there[:2] and here[2] != there[2]


def named_number(url: str) -> int | None:
    """Return the page number that an address names in words: ``page=3``, ``/page/3/``, ``/seite-3``."""
    parts = _parts(url)
    if parts is None:
        return None
    for name, value in parts[2]:
        if value.isdecimal() and PAGE_NAME.fullmatch(_bare(name)) and len(value) <= 6:
            return int(value)
    for match in _PATH_NUMBER.finditer(parts[1]):
        if PAGE_NAME.fullmatch(match["word"].lower()):
            return int(match["number"])
    return None


def has_small_number(url: str) -> bool:
    """Return whether a parameter of an address is a number that may count pages or records."""
    parts = _parts(url)
    return parts is not None and any(
        _is_number(value) and int(value) <= MAX_UNNAMED and not NOT_PAGE_NAME.fullmatch(_bare(name))
        for name, value in parts[2]
    )


def counts_records(urls: Sequence[str]) -> bool:
    """Return whether addresses differ in how many records a page has, or in their order: no pages."""
    queries = [dict(parts[2]) for url in urls if (parts := _parts(url))]
    if len(queries) < 2:
        return False
    names = sorted({name for query in queries for name in query})
    changing = [name for name in names if len({query.get(name) for query in queries}) > 1]
    return bool(changing) and all(
        NOT_PAGE_NAME.fullmatch(_bare(name)) and not PAGE_NAME.fullmatch(_bare(name)) for name in changing
    )


def follow_numbers(numbers: Sequence[int], urls: Sequence[str]) -> bool:
    """Return whether one number of the addresses grows evenly with the numbers of the links.

    The address of one of the links, mostly that of page 1, may be without.
    """
    by_form: dict[str, list[tuple[int, list[int]]]] = {}
    for number, url in zip(numbers, urls, strict=True):
        # a number too long to count anything keeps its place
        values = [int(match[0]) if len(match[0]) <= MAX_DIGITS else -1 for match in _NUMBER.finditer(url)]
        by_form.setdefault(_NUMBER.sub("#", url), []).append((number, values))
    rows = max(by_form.values(), key=len)
    if len(rows) < max(2, len(numbers) - 1):
        return False
    columns = [[values[k] for _, values in rows] for k in range(len(rows[0][1]))]
    return any(_is_linear([number for number, _ in rows], column) for column in columns if len(set(column)) > 1)


def _is_linear(numbers: Sequence[int], values: Sequence[int]) -> bool:
    step, rest = divmod(values[-1] - values[0], numbers[-1] - numbers[0])
    return (
        rest == 0
        and step >= 1
        and all(
            value - values[0] == step * (number - numbers[0]) for number, value in zip(numbers, values, strict=True)
        )
    )


@cache_of_short_texts(1024)
def _parts(url: str) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
    try:
        split = urlsplit(url)
        query = _query(split.query)
    except ValueError:
        return None
    if split.scheme not in ("http", "https", "file", ""):
        return None
    return split.netloc.lower().removeprefix("www."), split.path, query


def _query(text: str) -> tuple[tuple[str, str], ...]:
    """Return the parameters of an address; most have nothing to decode, which is a fifth of the work."""
    if "%" in text or "+" in text:
        return tuple(parse_qsl(text, keep_blank_values=True))
    return tuple((name, value) for name, _, value in (part.partition("=") for part in text.split("&") if part))


def _bare(name: str) -> str:
    """Return the last word of a parameter's name: ``page`` of ``tx_news[page]``."""
    words = [word for word in re.split(r"[^\w]+", name.lower()) if word]
    return words[-1] if words else ""


def _is_number(value: str) -> bool:
    # Python refuses to read numbers of thousands of digits
    return value.isdecimal() and len(value) <= MAX_DIGITS


def _same_folder(own: str, other: str) -> bool:
    return _INDEX_FILE.sub("", own) == _INDEX_FILE.sub("", other)


def _is_added(own: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]]) -> bool:
    """Return whether one query has all parameters of the other."""
    return set(own) <= set(other) or set(other) <= set(own)


def _query_step(own: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]]) -> PageStep | None:
    before, after = dict(own), dict(other)
    named: list[PageStep] = []
    unnamed: list[PageStep] = []
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        is_named, is_counting = bool(PAGE_NAME.fullmatch(_bare(name))), bool(NOT_PAGE_NAME.fullmatch(_bare(name)))
        if (new is not None and not _is_number(new)) or (old is not None and not _is_number(old)):
            if is_named or (old and new and not is_counting):
                return None
            continue
        if max(int(new or 0), int(old or 0)) > MAX_NAMED:
            return None
        if is_named:
            named.append(PageStep(int(old) if old else None, int(new or 0), is_named=True))
        elif not is_counting and int(new or 0) <= MAX_UNNAMED:
            unnamed.append(PageStep(int(old) if old else None, int(new or 0), is_named=False))
    if named:
        return named[0]
    return unnamed[0] if len(unnamed) == 1 else None


def _path_step(own: str, other: str) -> PageStep | None:
    start = 0
    while start < min(len(own), len(other)) and own[start] == other[start]:
        start += 1
    while start > 0 and (own[start - 1].isdecimal() or own[start - 1 : start].isalpha()):
        start -= 1
    if start == 0:
        return None
    old, new = own[start:], other[start:]
    added, was = _ADDED_PATH.fullmatch(new), _ADDED_PATH.fullmatch(old)
    if added is None:
        # back to the first page, whose address has no number
        if was is not None and (not new.strip("/") or _INDEX_FILE.fullmatch("/" + new)):
            return PageStep(int(was["number"]), 0, is_named=_is_page_word(was, own, start))
        return _extension_step(old, new)
    is_named = _is_page_word(added, other, start)
    number = int(added["number"])
    if not is_named and (number > MAX_UNNAMED or _DATE.search(other)):
        return None
    if was is not None and was["word"].lower() == added["word"].lower():
        return PageStep(int(was["number"]), number, is_named)
    if not old.strip("/") or _INDEX_FILE.fullmatch("/" + old):
        return PageStep(None, number, is_named)
    return _extension_step(old, new)


def _extension_step(old: str, new: str) -> PageStep | None:
    """Return the step from ``news.html`` to ``news-2.html`` or ``news/page/2``."""
    stem = re.sub(r"\.\w{2,5}$|/$", "", old)
    if not stem or not new.startswith(stem):
        return None
    added = _ADDED_PATH.fullmatch(new[len(stem) :])
    if added is None or int(added["number"]) > MAX_UNNAMED:
        return None
    return PageStep(None, int(added["number"]), is_named=bool(PAGE_NAME.fullmatch(added["word"].lower() or "-")))


def _is_page_word(match: re.Match[str], path: str, start: int) -> bool:
    word = match["word"] or re.split(r"[/_.;-]", path[:start].rstrip("/_.;-"))[-1]
    return bool(PAGE_NAME.fullmatch(word.lower() or "-"))
