"""Pages of known type, from archives made here."""

import json
from pathlib import Path

import pytest

from peneira.errors import CorpusError
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.typed_pages import PageType, TypedPage, digest, sample, typed_pages
from test_bench_corpora import PEOPLE, write_archive, write_corpora


def wcxb_gold(url: str, page_type: str) -> str:
    return json.dumps({"url": url, "_internal": {"page_type": {"primary": page_type}}})


def write_typed_pages(root: Path) -> Path:
    """Write corpora with each archive of typed pages, and return their folder."""
    write_corpora(root)
    (root / "modern2" / "pages").mkdir(parents=True)
    for name, kind, anchors in (("modern2", "shop category", ["Ana", "Bia", "Cid"]), ("negatives", "login", [])):
        entry = {
            "id": f"m2-{name}",
            "site": f"www.{name}.example",
            "kind": kind,
            "page_url": f"https://www.{name}.example/1",
            "file": f"pages/{name}.html",
            "anchors": anchors,
        }
        (root / "modern2" / f"{name}.jsonl").write_text(json.dumps(entry) + "\n")
        (root / "modern2" / "pages" / f"{name}.html").write_text(PEOPLE)
    counts = {key: {} for key in ("values", "occurrences", "whole_element", "single_node", "coverage")}
    details = [
        {"id": f"{source}/d", "file": f"{source}/d.html", "source": source, "site": f"{source}.example", **counts}
        for source in ("fundus", "recipe-scrapers")
    ]
    write_archive(
        root / "detail" / "dev.tar.xz",
        {
            "detail.jsonl": "".join(json.dumps(entry) + "\n" for entry in details),
            **{entry["file"]: "<p>d" for entry in details},
        },
    )
    product = {"id": "1", "file": "html/1.html", "site": "shop.example", "url": "https://shop.example/1"}
    write_archive(
        root / "products" / "dev.tar.xz", {"products.jsonl": json.dumps(product) + "\n", "html/1.html": "<p>p"}
    )
    write_archive(
        root / "wcxb" / "dev.tar.xz",
        {
            "ground-truth/0001.json": wcxb_gold("https://www.blog.example/1", "article"),
            "html/0001.html": "<p>1",
            "ground-truth/0002.json": wcxb_gold("https://www.modern2.example/1", "category"),
            "html/0002.html": PEOPLE,
            "ground-truth/0003.json": wcxb_gold("https://www.negatives.example/1", "article"),
            "html/0003.html": PEOPLE,
            "ground-truth/0004.json": wcxb_gold("", "forum"),
            "html/0004.html": "<p>4",
            "ground-truth/0005.json": "{}",
            "html/0005.html": "<p>5",
        },
    )
    return root


def summary(page: TypedPage) -> tuple[str, str, str, str, str]:
    return page.id, page.corpus, page.site, page.type, page.gold_id


def test_pages_of_all_corpora_have_a_type_and_a_site(tmp_path: Path) -> None:
    assert [summary(page) for page in typed_pages(Corpora(write_typed_pages(tmp_path)))] == [
        ("n-1", "n", "n-1", "other", "n-1"),
        ("m2-negatives", "modern2", "www.negatives.example", "other", "m2-negatives"),
        ("fundus/d", "detail", "fundus.example", "article", ""),
        ("recipe-scrapers/d", "detail", "recipe-scrapers.example", "detail", ""),
        ("products-1", "products", "shop.example", "product", ""),
        ("wcxb-0001", "wcxb", "blog", "article", ""),
        ("wcxb-0002", "wcxb", "www.modern2.example", "collection", "m2-modern2"),
        ("wcxb-0004", "wcxb", "wcxb-0004", "forum", ""),
        ("wcxb-0005", "wcxb", "wcxb-0005", "other", ""),
    ]


def test_a_page_has_its_address_and_its_bytes(tmp_path: Path) -> None:
    pages = {page.id: page for page in typed_pages(Corpora(write_typed_pages(tmp_path)))}
    assert (pages["wcxb-0001"].url, pages["wcxb-0001"].body) == ("https://www.blog.example/1", b"<p>1")
    assert (pages["wcxb-0004"].url, pages["wcxb-0004"].body) == (None, b"<p>4")
    assert (pages["products-1"].url, pages["products-1"].body) == ("https://shop.example/1", b"<p>p")


def test_classic_pages_without_a_list_are_articles(tmp_path: Path) -> None:
    root = write_corpora(tmp_path)
    entry = {"id": "u-1", "corpus": "unstructured", "file": "pages/4.html", "expected": 0}
    (root / "lists" / "negatives.jsonl").write_text(json.dumps(entry) + "\n")
    assert [summary(page) for page in typed_pages(Corpora(root))] == [("u-1", "unstructured", "u-1", "article", "u-1")]


def page(id: str, page_type: PageType, body: bytes = b"") -> TypedPage:
    return TypedPage(id, "wcxb", "s", None, body, page_type)


def test_a_sample_has_the_same_pages_of_each_type_in_whatever_order_they_come() -> None:
    pages = [page(f"a{k}", "article") for k in range(50)] + [page("l", "listing")]
    chosen = sample(pages, per_type=3)
    assert [one.type for one in chosen] == ["article"] * 3 + ["listing"]
    assert sample(pages[::-1], per_type=3) == chosen
    assert sample(pages, per_type=4)[:3] == chosen[:3]
    assert {one.id for one in chosen[:3]} != {"a0", "a1", "a2"}


def test_the_digest_changes_with_a_body_and_a_type_and_not_with_the_order() -> None:
    pages = [page("a", "article", b"1"), page("b", "listing", b"2")]
    assert digest(pages) == digest(pages[::-1])
    assert len({digest(pages), digest(pages[:1]), digest([pages[0], page("b", "listing", b"3")]),
                digest([pages[0], page("b", "forum", b"2")])}) == 4  # fmt: skip


@pytest.mark.parametrize("gold", ["nonsense", "[]"])
def test_gold_that_is_no_entry_is_an_error(tmp_path: Path, gold: str) -> None:
    root = write_corpora(tmp_path)
    write_archive(root / "wcxb" / "dev.tar.xz", {"ground-truth/0001.json": gold, "html/0001.html": ""})
    with pytest.raises(CorpusError, match=r"0001\.json: not an entry of a corpus of typed pages"):
        list(typed_pages(Corpora(root)))
