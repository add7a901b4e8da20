"""What a page says and shows of its type: whether it is a list, an article, or about one thing.

None of these features depends on a site: what the page declares (Open Graph, schema.org, canonical address), how its
text is made up, and words that web authors use for whole pages. They go with the features of its best list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from peneira.late_patterns import late_pattern
from peneira.lists.page_features import MIN_PROSE_CHARS, PageFeatures
from peneira.lists.page_words import contain_each
from peneira.ml.running_sums import is_tag, page_facts, page_parts
from peneira.page import Page, attribute_column
from peneira.short_text_cache import cache_of_short_texts

# Types that pages declare of themselves or of what is on them (schema.org, Open Graph)
_DECLARED = late_pattern(r'"@type"\s*:\s*(?:\[\s*)?"(?:https?://schema\.org/)?(\w+)"')
_TYPE_KEY = '"@type"'
_ARTICLE_TYPES = frozenset(
    "Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report LiveBlogPosting OpinionNewsArticle".split()
)
_ITEM_TYPES = frozenset(
    "Product ProductGroup Recipe JobPosting Event Book Movie Person Place Restaurant SoftwareApplication Course "
    "VideoObject RealEstateListing SingleFamilyResidence Vehicle HowTo".split()
)
_LIST_TYPES = frozenset(
    "ItemList CollectionPage SearchResultsPage OfferCatalog DiscussionForumPosting QAPage Blog ProfilePage".split()
)
_SERVICE_TYPES = frozenset("Service ContactPage AboutPage FAQPage LocalBusiness ProfessionalService".split())
# Words in the classes and ids of html, body and main elements
_LIST_WORDS = late_pattern(
    r"archive|categor|search|result|listing|collection|catalog|\btag\b|browse|\bindex\b|\bblog\b|forum|thread|topic|\bplp\b|shop"
)
_ITEM_WORDS = late_pattern(r"single|detail|\bpdp\b|product\b|item-?page|\brecipe\b|\bjob\b")
_ARTICLE_WORDS = late_pattern(r"article|\bpost\b|postid|story|news-?item|\bentry\b")
_PAGE_WORDS = late_pattern(r"\bpage\b|page-?id|landing|service|docs?\b|documentation|wiki")
# Words in addresses
_LIST_PATH = late_pattern(
    r"categor|/tags?/|/collections?/|/search|/browse|/list|/archive|/topics?/|/forum|/thread|/shop/?$|/c/|/blog/?$|/news/?$"
)
_ITEM_PATH = late_pattern(r"/products?/|/p/|/dp/|/item|/recipes?/|/jobs?/|/listing/")
_ARTICLE_PATH = late_pattern(r"/20[012]\d/|/articles?/|/news/.|/blog/.|/posts?/|/stories|/story/")
_PAGE_PATH = late_pattern(r"/docs?/|/services?/|/about|/pricing|/features?|/solutions?|/guide|/reference|/manual|/api/")
# Words in the titles of pages and in their first headings
_LIST_TITLE = late_pattern(
    r"\b(?:results?|search|archives|categor\w+|list\w*|index|latest|recent|upcoming|calendar|schedule|directory|catalog\w*"
    r"|browse|all|top|best|find|jobs|news|events|meetings|opinions|agendas?|minutes|applications|notices|decisions|scores"
    r"|releases|publications|advisories|for sale|to rent|page \d+)\b",
    re.IGNORECASE,
)
_DOCUMENT = late_pattern(r"\.(?:pdf|docx?|xlsx?|rtf)\b", re.IGNORECASE)
_LOWER_DOCUMENT = late_pattern(_DOCUMENT.pattern)
_DOCUMENT_ENDINGS = (".pdf", ".doc", ".xls", ".rtf")
MAX_PAGER_DIGITS = 3
_PAGER_TEXT = late_pattern(rf"\d{{1,{MAX_PAGER_DIGITS}}}")

# What the canonical address of a page says, all 0 where it has none
ADDRESS_FEATURES = (
    *("has_address", "path_depth", "path_words", "path_chars", "path_digits", "path_query"),
    *("path_list", "path_item", "path_article", "path_page"),
)
# The kinds of content of which the whole page is counted
TOTALS = ("texts", "links", "images", "headings", "prices", "dates", "controls")
# The elements whose number and text is asked for
COUNTED_TAGS = ("h1", "article", "blockquote", "time", "form", "button")
SHARED_TAGS = (("nav", "header", "footer", "aside"), ("article",), ("main",), ("li",), ("pre", "code"))
MAX_PAGER_LINKS = 30
MIN_TABLE_ROWS = 3  # of a table of data: fewer lay out the page
MAX_ROW_CHARS = 1000  # a longer row lays out the page too


def page_type_features(page_features: PageFeatures) -> dict[str, float]:
    """Return the features of the whole page by name, always in the same order."""
    make_up = _make_up(page_features)
    return {
        "prose": make_up.pop("prose"),
        **declared_features(page_features.page),
        **_titles(page_features),
        **make_up,
    }


def declared_features(page: Page) -> dict[str, float]:
    """Return what the page says of its type: its declarations, its canonical address, the words of its frame."""
    metas = _metas(page)
    return {
        "article": float("article" in metas.get("og:type", "")),
        **_declared(page, metas),
        **_address(metas.get("canonical") or metas.get("og:url") or ""),
        **_class_words(page),
    }


def _metas(page: Page) -> dict[str, str]:
    """Return the declarations in the head of the page by name, in lower case; the first of each name counts."""
    declared: dict[str, str] = {}
    for attrs in _attributes(page, "meta"):
        name = (attrs.get("property") or attrs.get("name") or "").lower()
        declared.setdefault(name, attrs.get("content", "").lower())
    for attrs in _attributes(page, "link"):
        declared.setdefault(attrs.get("rel", "").lower(), attrs.get("href", "").lower())
    return declared


def _attributes(page: Page, *tags: str) -> Iterator[Mapping[str, str]]:
    return (page.attrs[i] for i in page.rows_of(*tags).tolist())


def _declared(page: Page, metas: Mapping[str, str]) -> dict[str, float]:
    types = _declared_types(page)
    kind = metas.get("og:type", "")
    return {
        "og_product": float("product" in kind),
        "og_website": float("website" in kind),
        "published": float(any(name.startswith("article:publ") for name in metas)),
        "author_meta": float("author" in metas or "article:author" in metas),
        "price_meta": float(any(name.endswith("price:amount") for name in metas)),
        "rel_next": float("next" in metas or "prev" in metas),
        "declares_article": float(bool(types & _ARTICLE_TYPES)),
        "declares_item": float(bool(types & _ITEM_TYPES)),
        "declares_list": float(bool(types & _LIST_TYPES)),
        "declares_service": float(bool(types & _SERVICE_TYPES)),
        "declared_types": float(len(types)),
    }


def _declared_types(page: Page) -> set[str]:
    """Return the types of schema.org that JSON-LD and microdata name, each without its address."""
    types = {
        word
        for i in page.rows_of("script").tolist()
        if "ld+json" in page.attrs[i].get("type", "")
        for child in page.children(i)
        for word in _types_in(page.text[child])
    }
    _, _, item_types = attribute_column(page, "itemtype")
    return types | {item_type.rstrip("/").rpartition("/")[2] for item_type in item_types}


def _types_in(text: str) -> Iterator[str]:
    """Yield the types that a text of JSON-LD names. Searching for the key alone is faster than for the pattern."""
    place = text.find(_TYPE_KEY)
    while place >= 0:
        if match := _DECLARED.match(text, place):
            yield match[1]
        place = text.find(_TYPE_KEY, place + 1)


def _address(url: str) -> dict[str, float]:
    """Return what the canonical address says: articles have long names, lists have short ones."""
    if not url:
        return dict.fromkeys(ADDRESS_FEATURES, 0.0)
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    path = parts.path.rstrip("/")
    name = path.rpartition("/")[2]
    return {
        "has_address": 1.0,
        "path_depth": float(path.count("/")),
        "path_words": float(len(re.findall(r"[-_]", name))),
        "path_chars": float(len(name)),
        "path_digits": float(sum(character.isdigit() for character in name)),
        "path_query": float(bool(parts.query)),
        "path_list": float(bool(_LIST_PATH.search(parts.path))),
        "path_item": float(bool(_ITEM_PATH.search(parts.path))),
        "path_article": float(bool(_ARTICLE_PATH.search(parts.path))),
        "path_page": float(bool(_PAGE_PATH.search(parts.path))),
    }


def _class_words(page: Page) -> dict[str, float]:
    frames = _attributes(page, "html", "body", "main")
    names = " ".join(f"{attrs.get('class', '')} {attrs.get('id', '')}" for attrs in frames).lower()
    patterns = {"list": _LIST_WORDS, "item": _ITEM_WORDS, "article": _ARTICLE_WORDS, "page": _PAGE_WORDS}
    return {f"body_{name}": float(bool(pattern.search(names))) for name, pattern in patterns.items()}


def _titles(page_features: PageFeatures) -> dict[str, float]:
    """Return what the title of the page and its first heading say: those of articles are sentences."""
    title, heading = _title(page_features.page), _first_heading(page_features)
    title_words, heading_words = (re.findall(r"\w+", text.lower()) for text in (title, heading))
    return {
        "title_words": float(len(title_words)),
        "heading_words": float(len(heading_words)),
        "heading_in_title": float(bool(heading_words) and " ".join(heading_words) in " ".join(title_words)),
        "title_list": float(bool(_LIST_TITLE.search(title))),
        "heading_list": float(bool(_LIST_TITLE.search(heading))),
        "title_digits": float(sum(character.isdigit() for character in title)),
    }


def _title(page: Page) -> str:
    titles = page.rows_of("title")[:1].tolist()
    return " ".join(page.text[i].strip() for row in titles for i in page.children(row))


def _first_heading(page_features: PageFeatures) -> str:
    """Return the text of the first heading of the first level that has any."""
    page, sums = page_features.page, page_features.sums
    titles = page.rows_of("h1")
    shown = titles[sums.chars[page.end[titles]] > sums.chars[titles]][:1].tolist()
    return " ".join(page.text_of(row, int(page.end[row])) for row in shown)


def _documents(page_features: PageFeatures) -> int:
    """Return how many links lead to documents."""
    rows, codes, targets = page_features.page.addresses
    joined = "\n".join(targets)
    if joined.isascii():  # ignoring case takes a pattern long
        joined = joined.lower()
        if not any(ending in joined for ending in _DOCUMENT_ENDINGS):
            return 0
        places = [match.start() for match in _LOWER_DOCUMENT.finditer(joined)]
        if not places:
            return 0
        are_documents = np.zeros(len(targets), dtype=np.bool_)
        ends = np.cumsum([len(target) + 1 for target in targets])
        are_documents[np.searchsorted(ends, places, side="right")] = True
    else:
        [are_documents] = contain_each([_DOCUMENT], targets)
    page = page_features.page
    is_link = is_tag(page, ("a",)) & ~page.silent
    return int((are_documents[codes] & is_link[rows]).sum())


def _table_chars(page_features: PageFeatures) -> int:
    """Return how many characters are in the rows of tables of data."""
    page = page_features.page
    rows = page.rows_of("tr")
    chars = page_features.chars_of(rows)
    kept = (chars > 0) & (chars <= MAX_ROW_CHARS) & ~page.silent[rows]
    rows, chars = rows[kept], chars[kept]
    siblings = np.bincount(page.parent[rows], minlength=1)[page.parent[rows]]
    return int(chars[siblings >= MIN_TABLE_ROWS].sum())


@dataclass(frozen=True, slots=True)
class PageParts:
    """How many elements of some tags there are, and how many characters are in which parts of the page.

    ``title``: the row of the first ``h1``, -1: none; ``shares``: the characters in the outermost elements of each of
    ``SHARED_TAGS``; ``paragraphs``: those of each long paragraph; ``table_chars``: those in the rows of tables of data.
    """

    counts: Sequence[int]
    title: int
    shares: Sequence[int]
    paragraphs: Sequence[int]
    table_chars: int


def page_parts_of(page_features: PageFeatures) -> PageParts:
    """Return the parts of a page."""
    page, counts = page_features.page, page_features.counts
    if page_parts is not None and counts is not None:
        kinds = np.array(list(map(_kinds_of, page.tag_names)), dtype=np.int32)
        return PageParts(
            *page_parts.make_up(
                page.tag, page.parent, page.end, page.silent.view(np.uint8), counts.sums,
                page_facts.SUMS.index("chars"), kinds, MIN_PROSE_CHARS, MAX_ROW_CHARS, MIN_TABLE_ROWS,
            )
        )  # fmt: skip
    titles = _counted(page, "h1")
    return PageParts(
        [len(_counted(page, tag)) for tag in COUNTED_TAGS],
        int(titles[0]) if len(titles) else -1,
        [_outer_chars(page_features, *tags) for tags in SHARED_TAGS],
        page_features.paragraph_chars,
        _table_chars(page_features),
    )


@cache_of_short_texts(4096)
def _kinds_of(name: str) -> int:
    """Return the kinds of a tag as the kernel reads them."""
    kinds: int = page_parts.kinds_of(name)
    return kinds


def _make_up(page_features: PageFeatures) -> dict[str, float]:
    """Return how the text of the page is made up, and how much of it lies in which parts."""
    sums, total = page_features.sums, page_features.total_chars
    parts = page_parts_of(page_features)
    titles, articles, quotes, times, forms, buttons = parts.counts
    frame, article, main, item, code = (chars / total for chars in parts.shares)
    totals = _totals(page_features)
    counts = {
        **{f"page_{name}": totals[name] for name in TOTALS},
        "paragraphs": len(parts.paragraphs),
        "articles": articles,
        "documents": _documents(page_features),
        "quotes": quotes,
        "times": times,
        "forms": forms,
        "buttons": buttons,
    }
    logs = dict(zip(counts, np.log1p(list(counts.values())).tolist(), strict=True))
    return {
        "page_texts": logs["page_texts"],
        "page_links": logs["page_links"],
        "page_images": logs["page_images"],
        "page_headings": logs["page_headings"],
        "page_titles": float(titles),
        "title_before": float(sums.chars[parts.title] / total) if parts.title >= 0 else -1.0,
        "page_prices": logs["page_prices"],
        "page_dates": logs["page_dates"],
        "page_controls": logs["page_controls"],
        "paragraphs": logs["paragraphs"],
        "paragraph_chars": _median(parts.paragraphs),
        "frame_chars": frame,
        "articles": logs["articles"],
        "article_chars": article,
        "main_chars": main,
        "table_chars": min(1.0, parts.table_chars / total),
        "item_chars": item,
        "documents": logs["documents"],
        "code_chars": code,
        "quotes": logs["quotes"],
        "times": logs["times"],
        "forms": logs["forms"],
        "buttons": logs["buttons"],
        "pager_links": float(_pager_links(page_features)),
        "prose": sum(parts.paragraphs) / total,
    }


def _median(values: Sequence[int]) -> float:
    """Return the value in the middle, 0 where there is none."""
    if not values:
        return 0.0
    ordered, half = sorted(values), len(values) // 2
    return float(ordered[half]) if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _totals(page_features: PageFeatures) -> Mapping[str, int]:
    """Return how much there is of each of ``TOTALS`` on the whole page."""
    sums, counts = page_features.sums, page_features.counts
    if counts is not None:
        return dict(zip(page_facts.SUMS, counts.sums[-1].tolist(), strict=True))
    shown = {name: sums.total(name) for name in TOTALS[:4]}
    return shown | {name: int(page_features.counted[name][-1]) for name in TOTALS[4:]}


def _counted(page: Page, tag: str) -> NDArray[np.int32]:
    """Return the elements of a tag that count."""
    rows = page.rows_of(tag)
    return rows[~page.silent[rows]]


def _outer_chars(page_features: PageFeatures, *tags: str) -> int:
    """Return the characters in the elements of these tags that lie in no other of them."""
    page = page_features.page
    rows = page.rows_of(*tags)
    if not len(rows):
        return 0
    is_outer = np.ones(len(rows), dtype=np.bool_)
    is_outer[1:] = rows[1:] >= np.maximum.accumulate(page.end[rows])[:-1]
    return int(page_features.chars_of(rows[is_outer]).sum())


def _pager_links(page_features: PageFeatures) -> int:
    """Return the length of the longest run of links whose texts count up: 1 2 3."""
    page = page_features.page
    if page_features.list_features is not None:
        facts, names = page_features.row_facts, page.tag_names
        longest = page_parts.longest_count(
            page.text, page.tag, page.end, page.silent.view(np.uint8), names.index("a") if "a" in names else -1,
            facts.next_text, facts.number_at, MAX_PAGER_DIGITS,
        )  # fmt: skip
        return min(int(longest), MAX_PAGER_LINKS)
    links = page_features.link_rows
    texts = page_features.next_text[links]
    texts = texts[texts < page.end[links]]
    numbers = page_features.number_at[texts]
    if not bool((numbers >= 0).any()):
        return 0
    longest, run, before = 0, 0, -1
    for number, row in zip(numbers.tolist(), texts.tolist(), strict=True):
        if number < 0 or not _PAGER_TEXT.fullmatch(page.text[row].strip()):
            run, before = 0, -1
            continue
        run = run + 1 if number == before + 1 else 1
        before = number
        longest = max(longest, run)
    return min(longest, MAX_PAGER_LINKS)
