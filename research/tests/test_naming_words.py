"""Words of class names: how pages use them, and which of them may name a column."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.columns.vocabulary import Vocabulary
from peneira.errors import CorpusError
from peneira_research.commands.train import train
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.pages_without_gold import BarePage, bare_pages
from peneira_research.training.naming_words import learned_vocabulary
from peneira_research.training.word_uses import host_uses, page_words

SHOP = """<main class="flex"><div class="flex {brand}-tile"><h3 class="flex name">Pot</h3>
<p class="flex voltage">230 V</p><p class="rows">Voltage:</p><b class="flex price">$ 1{k}</b></div></main>"""


def page(html: str, site: str = "a") -> BarePage:
    return BarePage("lists", site, f"https://www.{site}.com/", html.encode())


def corpora(folder: Path, hosts: int) -> Corpora:
    (folder / "lists" / "pages").mkdir(parents=True)
    entries = []
    for k in range(hosts):
        (folder / "lists" / "pages" / f"{k}.html").write_text(SHOP.format(k=k, brand="uzcko" if k < 3 else "grid"))
        entries.append({"id": str(k), "site": f"www.host{k}.com", "file": f"pages/{k}.html"})
    (folder / "lists" / "lists.jsonl").write_text("\n".join(map(json.dumps, entries)))
    (folder / "lists" / "negatives.jsonl").write_text("")
    return Corpora(folder)


def archive(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    with tarfile.open(folder / "dev.tar.xz", "w:xz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))


def test_a_word_in_front_of_others_is_counted_apart() -> None:
    words = page_words(page("<body><p class='size-small shoe-size'>42</p>"))
    assert sorted(words.uses) == ["shoe-", "size", "size-", "small"]


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<p class=x>$ 12</p>", "money"),
        ("<p class=x>2024-05-01</p>", "date"),
        ("<p class=x>42</p>", "number"),
        ("<p class=x>red</p>", "short"),
        (f"<p class=x>{'red ' * 60}</p>", "long"),
        ("<h2 class=x>red</h2>", "heading"),
        ("<a class=x href=/>red</a>", "link"),
        ("<button class=x>red</button>", "button"),
        ("<p class=x><img src=a.png></p>", "image"),
        ("<p class=x></p>", "empty"),
        (f"<div class=x>{'<p>red</p>' * 12}</div>", "container"),
    ],
)
def test_an_element_is_of_the_kind_of_what_it_holds(markup: str, kind: str) -> None:
    assert page_words(page(f"<body>{markup}")).uses["x"].kinds == {kind: 1}


def test_menus_and_forms_are_not_read() -> None:
    assert page_words(page("<body><nav><a class=x>a</a></nav><form><b class=y>b</b></form>")).uses == {}


def test_labels_and_properties_are_read() -> None:
    words = page_words(
        page(
            "<body><table><tr><th>Price</table><p>Colour:</p><p>See what follows here:</p><b itemprop=datePosted>x</b>"
            '<script type="application/ld+json">{"gtin": 1}</script>'
        )
    )
    assert (words.labels, words.properties) == ({"price", "colour"}, {"date", "posted", "gtin"})


def test_pages_of_one_owner_are_one_host() -> None:
    uses = host_uses(map(page_words, (page(SHOP, "a"), page(SHOP, "a"), page(SHOP, "b"))))
    assert (uses.hosts, len(uses.by_word["voltage"]), uses.by_word["voltage"][0].uses) == (2, 2, 2)


def test_words_of_few_hosts_and_style_are_no_names(tmp_path: Path) -> None:
    pages = list(bare_pages(corpora(tmp_path, hosts=8)))
    vocabulary = learned_vocabulary(host_uses(map(page_words, pages)))
    words = vocabulary.everywhere | vocabulary.at_end
    assert words >= {"price", "name", "preis"}
    assert words.isdisjoint({"flex", "rows", "uzcko", "tile"})


def test_without_pages_the_words_of_the_role_lexicon_are_left() -> None:
    assert "preis" in learned_vocabulary(host_uses([])).everywhere


def test_a_few_pages_of_each_site_of_all_corpora_are_read(tmp_path: Path) -> None:
    gold = corpora(tmp_path, hosts=2)
    index = [{"file": f"html/{k}.html", "site": "p.com", "url": f"https://p.com/{k}"} for k in range(5)]
    archive(
        tmp_path / "products",
        {
            "products.jsonl": "\n".join(map(json.dumps, index)),
            **{f"html/{k}.html": "<p>a" for k in range(5)},
        },
    )
    archive(tmp_path / "wcxb", {"ground-truth/1.json": '{"url": "https://w.org/"}', "html/1.html": "<p>b"})
    found = [(bare.corpus, bare.site) for bare in bare_pages(gold, pages_per_site=2)]
    assert found == [
        ("lists", "www.host0.com"),
        ("lists", "www.host1.com"),
        ("products", "p.com"),
        ("products", "p.com"),
        ("wcxb", "w"),
    ]


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    gold = corpora(tmp_path, hosts=1)
    archive(tmp_path / "products", {"products.jsonl": "no json"})
    with pytest.raises(CorpusError, match=r"dev\.tar\.xz: not an archive of pages"):
        list(bare_pages(gold))


def test_the_command_writes_equal_files(tmp_path: Path) -> None:
    corpora(tmp_path / "corpora", hosts=6)
    texts = []
    for name in ("a.json", "b.json"):
        arguments = ["words", "--corpora", str(tmp_path / "corpora"), "--jobs", "1", "-o", str(tmp_path / name)]
        result = CliRunner().invoke(train, arguments)
        assert result.exit_code == 0, result.output
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]
    assert "price" in Vocabulary.from_json(texts[0]).everywhere
