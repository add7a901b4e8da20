"""``peneira bench items``: the scores of items, and the command as a user types it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from peneira.cli.main import cli
from peneira.errors import CorpusError
from peneira_research.corpora.archives import SwdePage
from peneira_research.corpora.product_pages import ATTRIBUTES, read_products
from peneira_research.peers import product_by
from peneira_research.reports.items_report import products_table
from peneira_research.scores.item_score import answers, equals, is_right, match
from peneira_research.studies.article_outcomes import is_fact
from peneira_research.studies.item_outcomes import ProductOutcome, product_scores
from peneira_research.studies.value_outcomes import value_outcome, value_pages, value_shares
from test_bench_corpora import write_archive, write_corpora

PROSE = "The river rose twice in that year, and nobody in the valley slept until the bridge was built. "
CHAIR = "<title>Chair</title><h1>Chair</h1><p>SKU: 47-11</p><p class=price>€ 49.00</p><p>In stock</p>" + PROSE
STEW = (
    "<title>Stew</title><h1>Stew</h1><h2>Ingredients</h2><ul><li>2 cups beans<li>1 onion</ul>"
    "<h2>Directions</h2><ol><li>Soak the beans overnight.<li>Cook everything.</ol>"
)
NEWS = f"<title>Flood</title><h1>Flood</h1><p>By Ana Lopes</p><p>{PROSE * 5}</p><p>{PROSE * 5}</p>"


def test_other_extractors_answer_for_products_by_their_embedded_data(monkeypatch: pytest.MonkeyPatch):
    def extract(html: str, uniform: bool) -> dict[str, list[dict[str, object]]]:
        assert uniform and html == "<p>page"
        offer = {"@type": "Offer", "price": "49.00", "availability": "https://schema.org/InStock"}
        product = {"@type": "Product", "sku": "47-11", "brand": {"name": "Ana"}, "gtin13": "978", "offers": [offer]}
        return {"json-ld": [{"@graph": [{"@type": "WebPage"}, product]}], "microdata": []}

    monkeypatch.setitem(sys.modules, "extruct", SimpleNamespace(extract=extract))
    found = product_by("extruct", b"<p>page")
    wanted = {"price": "49.00", "sku": "47-11", "availability": "InStock", "brand": "Ana", "gtin": "978"}
    assert {name: found[name] for name in wanted} == wanted
    assert product_by("extruct", b"<p>other") == {}


def test_the_answers_of_others_are_scored_as_ours():
    row = ProductOutcome("a", "a", "product", dict.fromkeys(ATTRIBUTES, ""), dict.fromkeys(ATTRIBUTES, ("x",)),
                         {"extruct": dict.fromkeys(ATTRIBUTES, "x")})  # fmt: skip
    assert product_scores([row])["sku"].f1 == 0.0
    assert product_scores([row], "extruct")["sku"].f1 == 1.0
    assert [str(column.header) for column in products_table([row]).columns][5] == "extruct here"


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["bench", "items", *map(str, arguments)], env={"PENEIRA_CORPORA": ""})


def detail_entry(id: str, source: str, values: dict[str, list[str]]) -> str:
    shapes = {name: [1] * len(texts) for name, texts in values.items()}
    coverage = {name: [len(texts), len(texts)] for name, texts in values.items()}
    return json.dumps(
        {"id": id, "source": source, "site": id, "file": f"{id}.html", "values": values, "occurrences": shapes,
         "whole_element": shapes, "single_node": shapes, "coverage": coverage}
    )  # fmt: skip


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    root = write_corpora(tmp_path / "corpora")
    product = {"id": "1", "file": "html/1.html", "site": "x.example", "price": ["49"], "sku": ["4711"]}
    product |= {"availability": ["InStock"], "brand": ["Silva"]}
    write_archive(root / "products" / "dev.tar.xz", {"products.jsonl": json.dumps(product), "html/1.html": CHAIR})
    recipe = detail_entry(
        "r", "recipe-scrapers",
        {"title": ["Stew"], "ingredients": ["2 cups beans", "1 leek"], "instructions": ["Soak the beans overnight."]},
    )  # fmt: skip
    news = detail_entry(
        "n", "fundus", {"title": ["Flood"], "authors": ["Ana Lopes"], "paragraphs": [PROSE * 5, PROSE * 5]}
    )
    write_archive(root / "detail" / "dev.tar.xz", {"detail.jsonl": f"{recipe}\n{news}", "r.html": STEW, "n.html": NEWS})
    return root


@pytest.mark.parametrize(
    ("attribute", "answer", "accepted", "expected"),
    [
        ("price", "49", ["49.00 "], True),
        ("price", "49", ["490"], False),
        ("sku", "ab-12 3", ["AB123"], True),
        ("brand", "silva ", ["Silva"], True),
        ("availability", "OutOfStock", ["InStock"], False),
    ],
)
def test_an_answer_is_right_if_it_equals_an_accepted_value(
    attribute: str, answer: str, accepted: list[str], expected: bool
):
    assert is_right(attribute, answer, accepted) is expected


def test_an_answer_without_gold_counts_against_precision():
    scored = answers([("1", ["1"]), ("2", []), ("", ["3"]), ("", [])], "price")
    assert (scored.precision, scored.recall, scored.f1) == (0.5, 0.5, 0.5)


def test_values_are_found_in_a_field_whatever_its_spaces_and_signs():
    compared = match("2 cups (of) beans\n1 onion", ["2 cups of Beans", "1 leek"])
    assert (compared.found, compared.values) == (1, 2)
    assert (compared.shared_words, compared.words, compared.gold_words) == (5, 6, 6)
    assert equals("Bean-stew", ["bean stew"])


@pytest.mark.parametrize(("gold", "precision"), [(["2 eggs", "1 pinch salt"], 1.0), (["2 eggs"], 0.4)])
def test_an_ingredient_that_a_recipe_repeats_counts_once(corpora: Path, gold: list[str], precision: float):
    recipe = detail_entry("r", "recipe-scrapers", {"ingredients": gold})
    data = {"@type": "Recipe", "name": "Stew", "recipeIngredient": ["1 pinch salt", "2 eggs", "1 pinch salt"]}
    html = f'<h1>Stew</h1><script type="application/ld+json">{json.dumps(data)}</script>'
    write_archive(corpora / "detail" / "dev.tar.xz", {"detail.jsonl": recipe, "r.html": html})
    result = invoke("--corpora", corpora, "--jobs", "1", "--corpus", "detail", "-o", corpora / "items.json")
    assert result.exit_code == 0, result.output
    document = json.loads((corpora / "items.json").read_text())
    assert document["detail"]["recipes"]["ingredients"]["precision"] == precision


def test_the_scores_of_products_recipes_and_articles_are_printed(corpora: Path, tmp_path: Path):
    result = invoke("--corpora", corpora, "--jobs", "1", "--worst", "5", "-o", tmp_path / "items.json")
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "items.json").read_text())
    assert {name: row["f1"] for name, row in document["products"].items() if row["gold"]} == {
        "price": 1.0,
        "sku": 1.0,
        "availability": 1.0,
        "brand": 0.0,
    }
    assert {name: row["found"] for name, row in document["detail"]["recipes"].items()} == {
        "title": 1.0,
        "ingredients": 0.5,
        "steps": 1.0,
    }
    assert document["detail"]["news"]["body"]["word_f1"] == 1.0
    assert document["detail"]["news"]["author"]["found"] == 1.0
    assert "1     x.example  brand      Silva" in result.stdout


def test_speed_is_a_multiple_of_the_parse(corpora: Path):
    result = invoke("--corpora", corpora, "--speed", "--corpus", "products")
    assert result.stdout.splitlines()[:2] == [
        "CPU time from the bytes of a page, as a multiple of lexbor's parse alone",
        "of        pages  median  90 %  worst",
    ]


def test_without_product_pages_the_error_says_what_to_do(tmp_path: Path):
    with pytest.raises(CorpusError, match="no such archive"):
        list(read_products(write_corpora(tmp_path)))


def test_a_broken_index_of_product_pages_is_an_error(tmp_path: Path):
    write_archive(tmp_path / "products" / "dev.tar.xz", {"products.jsonl": "[]"})
    with pytest.raises(CorpusError, match="not an entry of the product pages"):
        list(read_products(tmp_path))


def test_swde_values_count_in_their_own_field_or_in_any():
    rows = b"<li>Phone: 555 123 4567<li>Cuisine: Thai<li>Hours: 9-5<li>Parking: Free"
    body = b"<title>Ana</title><h1>Ana</h1><ul>" + rows + b"</ul>"
    gold = {"name": ("Ana",), "phone": ("555 123 4567",), "cuisine": ("Lao",), "parking": ("Free",)}
    outcome = value_outcome((SwdePage("restaurant", "x", "1", body, gold), True))
    assert outcome.own == {"name": True, "phone": True, "cuisine": False}
    assert outcome.any == {"name": True, "phone": True, "cuisine": False, "parking": True}
    assert value_shares([outcome])["restaurant", "cuisine"] == (1, 0.0, 0.0)
    assert value_shares([outcome])["restaurant", "parking"] == (1, None, 1.0)


def test_pages_of_swde_are_spread_over_each_site_and_every_second_site_is_in_view():
    pages = [SwdePage("book", site, str(k), b"", {}) for site in "ab" for k in range(9)]
    chosen = [(page.site, page.id, in_view) for page, in_view in value_pages(pages)]
    assert chosen == [(site, id, site == "a") for site in "ab" for id in ("0", "3", "6")]


def article_gold(**facts: str) -> str:
    return json.dumps({"url": "https://news.example/a", "_internal": {"page_type": {"primary": "article"}},
                       "ground_truth": {"main_content": PROSE, **facts}})  # fmt: skip


def test_title_author_and_date_of_articles_are_scored(corpora: Path):
    dated = NEWS.replace("By Ana Lopes", "By Ana Lopes - Mar 27, 2024")
    members = {
        "ground-truth/1.json": article_gold(title="Flood", author="Ana Lopes", publish_date="2024-03-27"),
        "html/1.html": dated,
        "ground-truth/2.json": article_gold(title="Flood", author="Bo Silva"),
        "html/2.html": dated,
    }
    write_archive(corpora / "wcxb" / "dev.tar.xz", members)
    result = invoke("--corpora", corpora, "--jobs", "1", "--corpus", "wcxb", "-o", corpora / "items.json")
    assert result.exit_code == 0, result.output
    ours = json.loads((corpora / "items.json").read_text())["articles"]["peneira"]
    shares = {name: (row["gold"], row["precision"], row["recall"]) for name, row in ours.items()}
    assert shares == {"title": (2, 1.0, 1.0), "author": (2, 0.5, 0.5), "date": (1, 0.5, 1.0)}


@pytest.mark.parametrize(
    ("name", "answer", "gold", "expected"),
    [
        ("date", "2024-03-27T10:00:00", "2024-03-27", True),
        ("date", "2024-03-28", "2024-03-27", False),
        ("author", "Ana Lopes", "Dr. Ana Lopes", True),
        ("author", "Ana Lopes", "Bo Silva", False),
        ("title", "Flood!", "flood", True),
        ("title", "...", "Flood", False),
    ],
)
def test_facts_of_articles_are_the_same_day_or_part_of_each_other(name: str, answer: str, gold: str, expected: bool):
    assert is_fact(name, answer, gold) is expected
