"""What a page says and shows of its type: whether it is a list, an article, or about one thing.

None of these features depends on a site: what the page declares (Open Graph, schema.org, canonical address), how its
text is made up, and words that web authors use for whole pages. They go with the features of its best list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from peneira.late_patterns import late_pattern
from peneira.lists.page_features import PageFeatures
from peneira.page import Page, attribute_column

# Types that pages declare of themselves or of what is on them (schema.org, Open Graph)
_DECLARED = late_pattern(r'"@type"\s*:\s*(?:\[\s*)?"(?:https?://schema\.org/)?(\w+)"')
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
_PAGER_TEXT = late_pattern(r"\d{1,3}")

MAX_PAGER_LINKS = 30
MIN_TABLE_ROWS = 3  # of a table of data: fewer lay out the page
MAX_ROW_CHARS = 1000  # a longer row lays out the page too


def page_type_features(page_features: PageFeatures) -> dict[str, float]:
    """Return the features of the whole page by name, always in the same order."""
    return {
        "prose": page_features.prose_share,
        **declared_features(page_features.page),
        **_titles(page_features),
        **_make_up(page_features),
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
        for word in _DECLARED.findall(page.text[child])
    }
    _, _, item_types = attribute_column(page, "itemtype")
    return types | {item_type.rstrip("/").rpartition("/")[2] for item_type in item_types}


def _address(url: str) -> dict[str, float]:
    """Return what the canonical address says: articles have long names, lists have short ones."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    path = parts.path.rstrip("/")
    name = path.rpartition("/")[2]
    return {
        "has_address": float(bool(url)),
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
    rows, codes, targets = attribute_column(page_features.page, "href")
    if _DOCUMENT.search("\n".join(targets)) is None:
        return 0
    are_documents = np.array([_DOCUMENT.search(target) is not None for target in targets], dtype=np.bool_)
    is_link = np.zeros(len(page_features.page), dtype=np.bool_)
    is_link[page_features.link_rows] = True
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


def _make_up(page_features: PageFeatures) -> dict[str, float]:
    """Return how the text of the page is made up, and how much of it lies in which parts."""
    page, sums = page_features.page, page_features.sums
    total = page_features.total_chars
    title = _counted(page, "h1")
    paragraphs = page_features.paragraph_chars
    return {
        "page_texts": _log(sums.total("texts")),
        "page_links": _log(sums.total("links")),
        "page_images": _log(sums.total("images")),
        "page_headings": _log(sums.total("headings")),
        "page_titles": float(len(title)),
        "title_before": float(sums.chars[title[0]] / total) if len(title) else -1.0,
        "page_prices": _log(_total(page_features, "prices")),
        "page_dates": _log(_total(page_features, "dates")),
        "page_controls": _log(_total(page_features, "controls")),
        "paragraphs": _log(len(paragraphs)),
        "paragraph_chars": float(np.median(paragraphs)) if len(paragraphs) else 0.0,
        "frame_chars": _share(page_features, "nav", "header", "footer", "aside"),
        "articles": _log(len(_counted(page, "article"))),
        "article_chars": _share(page_features, "article"),
        "main_chars": _share(page_features, "main"),
        "table_chars": min(1.0, _table_chars(page_features) / total),
        "item_chars": _share(page_features, "li"),
        "documents": _log(_documents(page_features)),
        "code_chars": _share(page_features, "pre", "code"),
        "quotes": _log(len(_counted(page, "blockquote"))),
        "times": _log(len(_counted(page, "time"))),
        "forms": _log(len(_counted(page, "form"))),
        "buttons": _log(len(_counted(page, "button"))),
        "pager_links": float(_pager_links(page_features)),
    }


def _total(page_features: PageFeatures, name: str) -> int:
    """Return how much there is of a kind of content on the whole page."""
    sums = page_features.sums
    return sums.total(name) if sums.counts is not None else int(page_features.counted[name][-1])


def _log(count: int) -> float:
    return float(np.log1p(count)) if count else 0.0


def _counted(page: Page, tag: str) -> NDArray[np.int32]:
    """Return the elements of a tag that count."""
    rows = page.rows_of(tag)
    return rows[~page.silent[rows]]


def _share(page_features: PageFeatures, *tags: str) -> float:
    """Return the share of the page's text in the elements of these tags that lie in no other of them."""
    page = page_features.page
    rows = page.rows_of(*tags)
    if not len(rows):
        return 0.0
    is_outer = np.ones(len(rows), dtype=np.bool_)
    is_outer[1:] = rows[1:] >= np.maximum.accumulate(page.end[rows])[:-1]
    return float(page_features.chars_of(rows[is_outer]).sum() / page_features.total_chars)


def _pager_links(page_features: PageFeatures) -> int:
    """Return the length of the longest run of links whose texts count up: 1 2 3."""
    page, links = page_features.page, page_features.link_rows
    texts = page_features.next_text[links]
    texts = texts[texts < page.end[links]]
    longest = run = 0
    before = -1
    for number, row in zip(page_features.number_at[texts].tolist(), texts.tolist(), strict=True):
        if number < 0 or not _PAGER_TEXT.fullmatch(page.text[row].strip()):
            run, before = 0, -1
            continue
        run = run + 1 if number == before + 1 else 1
        before = number
        longest = max(longest, run)
    return min(longest, MAX_PAGER_LINKS)
