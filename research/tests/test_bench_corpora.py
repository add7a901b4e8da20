import io
import json
import tarfile
from pathlib import Path

import pytest

from peneira.errors import CorpusError
from peneira_research.corpora.archives import DetailPage, SwdePage
from peneira_research.corpora.gold_pages import Corpora, GoldPage

PEOPLE = "<ul><li>Ana, 31 <li>Bia, 27 <li>Cid, 45</ul>"
ARTICLE = "<p>It rained all day. Nobody went out, and nothing happened that could be told.</p>"

LISTS = [
    {
        "id": "a-1",
        "corpus": "a",
        "site": "a.example",
        "file": "pages/1.html",
        "expected": 3,
        "anchors": ["Ana", "Bia", "Cid"],
    },
    {"id": "a-2", "corpus": "a", "site": "a.example", "file": "pages/2.html", "expected": 3, "anchors": None},
    {
        "id": "b-1",
        "corpus": "b",
        "site": "b.example",
        "file": "pages/3.html",
        "expected": 2,
        "anchors": ["Dora", "Eva"],
    },
]
NEGATIVES = [{"id": "n-1", "corpus": "n", "file": "pages/4.html", "expected": 0, "anchors": None}]
MODERN = [
    {
        "id": "m-1",
        "site": "m.example",
        "platform": "cms",
        "file": "pages/5.html",
        "kind": "people",
        "layout": "rows:li",
        "expected": 4,
        "partial": True,
        "anchors": ["Ana", "Bia"],
        "fields": [{"age": "31"}, {"age": "27"}],
    }
]


def write_corpora(root: Path) -> Path:
    """Write a folder of corpora of five small pages and return it."""
    for folder, index, entries in (
        ("lists", "lists.jsonl", LISTS),
        ("lists", "negatives.jsonl", NEGATIVES),
        ("modern", "modern.jsonl", MODERN),
    ):
        (root / folder / "pages").mkdir(parents=True, exist_ok=True)
        for entry in entries:
            (root / folder / str(entry["file"])).write_text(ARTICLE if entry["expected"] == 0 else PEOPLE)
        (root / folder / index).write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return root


def write_archive(path: Path, members: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz") as archive:
        for name, text in members.items():
            body = text.encode()
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))


def test_corpora_are_named_in_the_order_of_the_indexes(tmp_path: Path) -> None:
    assert Corpora(write_corpora(tmp_path)).names == ("a", "b", "modern", "n")


def test_modern2_is_read_only_where_it_is_named(tmp_path: Path) -> None:
    root = write_corpora(tmp_path)
    (root / "modern2" / "pages").mkdir(parents=True)
    for name, file, anchors in (("modern2", "1.html", ["Ana", "Bia", "Cid"]), ("negatives", "2.html", None)):
        entry = {"id": f"m2-{name}", "site": "x.example", "file": f"pages/{file}", "expected": 3, "anchors": anchors}
        (root / "modern2" / f"{name}.jsonl").write_text(json.dumps(entry) + "\n")
        (root / "modern2" / "pages" / file).write_text(PEOPLE)
    corpora = Corpora(root)
    assert corpora.names == ("a", "b", "modern", "n")
    assert len(corpora.pages()) == 5
    assert [(page.id, page.is_negative) for page in corpora.pages(["modern2"])] == [
        ("m2-modern2", False),
        ("m2-negatives", True),
    ]
    assert corpora.page("m2-modern2").corpus == "modern2"
    assert corpora.all_names == ("a", "b", "modern", "n", "modern2")
    assert corpora.classic_names == ("a", "b", "n")
    assert corpora.digest("modern2") != corpora.digest("modern")


def test_a_modern_page_has_all_its_gold(tmp_path: Path) -> None:
    assert Corpora(write_corpora(tmp_path)).page("m-1") == GoldPage(
        id="m-1",
        corpus="modern",
        site="m.example",
        file=tmp_path / "modern" / "pages" / "5.html",
        anchors=("Ana", "Bia"),
        expected=4,
        fields=({"age": "31"}, {"age": "27"}),
        is_partial=True,
        layout="rows:li",
        kind="people",
        platform="cms",
    )


def test_a_negative_page_has_no_anchors_and_its_id_for_a_site(tmp_path: Path) -> None:
    page = Corpora(write_corpora(tmp_path)).page("n-1")
    assert (page.is_negative, page.anchors, page.expected, page.site) == (True, None, 0, "n-1")


def test_pages_are_chosen_by_corpus(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    assert [page.id for page in corpora.pages(["b", "a"])] == ["b-1", "a-1", "a-2"]
    assert len(corpora.pages()) == 5


def test_the_body_is_read_on_demand(tmp_path: Path) -> None:
    page = Corpora(write_corpora(tmp_path)).page("a-1")
    assert page.body() == PEOPLE.encode()
    page.file.unlink()
    with pytest.raises(CorpusError, match="page a-1 of the corpus cannot be read"):
        page.body()


def test_a_missing_folder_says_what_to_pass(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="pass --corpora DIR or set PENEIRA_CORPORA"):
        Corpora(tmp_path / "nowhere")


def test_a_missing_index_says_what_to_pass(tmp_path: Path) -> None:
    (write_corpora(tmp_path) / "modern" / "modern.jsonl").unlink()
    with pytest.raises(CorpusError, match=r"modern\.jsonl: the index of the corpus cannot be read; pass --corpora"):
        Corpora(tmp_path).pages()


def test_a_broken_index_names_the_line(tmp_path: Path) -> None:
    with (write_corpora(tmp_path) / "lists" / "lists.jsonl").open("a") as index:
        index.write('{"corpus": "a"}\n')
    with pytest.raises(CorpusError, match=r"lists\.jsonl:4: "):
        Corpora(tmp_path).pages()


def test_an_unknown_corpus_or_page_is_an_error(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    with pytest.raises(CorpusError, match="no corpus 'c'; there are: a, b, modern, n"):
        corpora.pages(["c"])
    with pytest.raises(CorpusError, match="no page 'c-1'"):
        corpora.page("c-1")


def test_the_hash_depends_on_pages_and_gold_only(tmp_path: Path) -> None:
    first = Corpora(write_corpora(tmp_path / "one")).digest("a")
    moved = write_corpora(tmp_path / "two")
    lines = (moved / "lists" / "lists.jsonl").read_text().splitlines()
    (moved / "lists" / "lists.jsonl").write_text("\n".join(reversed(lines)))
    assert Corpora(moved).digest("a") == first
    (moved / "lists" / "pages" / "2.html").write_text("changed")
    assert Corpora(moved).digest("a") != first
    regold = write_corpora(tmp_path / "three")
    (regold / "lists" / "lists.jsonl").write_text("\n".join(lines).replace("Bia", "Bea"))
    assert Corpora(regold).digest("a") != first


def test_swde_pages_come_with_their_labelled_attributes(tmp_path: Path) -> None:
    labels = {
        "title": "2\t2\t2\t2\n0000\t1\tA &amp; B\n0001\t1\tC\n",
        "author": "2\t1\t2\t2\n0000\t2\tX\tY\n0001\t0\t<NULL>\n",
        "isbn": "2\t0\t0\t0\n0000\t0\t<NULL>\n0001\t0\t<NULL>\n",
    }
    members = {
        f"groundtruth/book/book-shop-{name}.txt": f"\ufeffbook\tshop\t{name}\n{rows}" for name, rows in labels.items()
    }
    members |= {"book/book-shop(2000)/0000.htm": "one", "book/book-shop(2000)/0001.htm": "two"}
    write_archive(tmp_path / "swde" / "book.tar.xz", members)
    (tmp_path / "lists").mkdir()
    assert list(Corpora(tmp_path).swde()) == [
        SwdePage("book", "shop", "0000", b"one", {"title": ("A & B",), "author": ("X", "Y")}),
        SwdePage("book", "shop", "0001", b"two", {"title": ("C",), "author": ()}),
    ]


def test_detail_pages_come_with_their_entry(tmp_path: Path) -> None:
    entry = {
        "id": "s/x.example/1",
        "source": "s",
        "site": "x.example",
        "file": "s/x.example/1.html",
        "url": None,
        "values": {"title": ["Soup"]},
        "occurrences": {"title": [2]},
        "whole_element": {"title": [1]},
        "single_node": {"title": [True]},
        "coverage": {"title": [1, 1]},
    }
    members = {"detail.jsonl": json.dumps(entry) + "\n", "s/x.example/1.html": "<h1>Soup</h1>"}
    write_archive(tmp_path / "detail" / "dev.tar.xz", members)
    (tmp_path / "lists").mkdir()
    assert list(Corpora(tmp_path).detail()) == [
        DetailPage(
            "s/x.example/1",
            "s",
            "x.example",
            None,
            b"<h1>Soup</h1>",
            {"title": ("Soup",)},
            {"title": (2,)},
            {"title": (1,)},
            {"title": (True,)},
            {"title": (1, 1)},
        )
    ]


def test_missing_or_broken_archives_are_errors(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    with pytest.raises(CorpusError, match=r"no \.tar\.xz here; pass --corpora"):
        list(Corpora(tmp_path).swde())
    with pytest.raises(CorpusError, match="no such archive; pass --corpora"):
        Corpora(tmp_path).detail()
    (tmp_path / "swde").mkdir()
    (tmp_path / "swde" / "book.tar.xz").write_bytes(b"not an archive")
    with pytest.raises(CorpusError, match=r"book\.tar\.xz: cannot be read"):
        list(Corpora(tmp_path).swde())


def test_a_corpus_in_archives_has_a_hash_that_changes_with_them(tmp_path: Path):
    corpora = Corpora(write_corpora(tmp_path))
    (tmp_path / "other").mkdir()
    archive = tmp_path / "other" / "dev.tar.xz"
    archive.write_bytes(b"one")
    first = corpora.digest("other")
    archive.write_bytes(b"two")
    assert (corpora.archives("other"), corpora.archives("a")) == ([archive], [])
    assert corpora.digest("other") != first
