"""``peneira.content`` and its command."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given

import peneira
from generated import soup
from labelled import product
from peneira.cli.content import content, content_lines
from peneira.errors import ModelError, UnknownMethod
from peneira.ml.forest import Forest, forest_from_trees
from peneira.sources.html import read_page
from peneira.texts.content import Content
from work_counter import lines_executed

PROSE = "The river rose twice in that year, and nobody in the valley slept until the new bridge was built. "
MENU = "".join(f"<li><a href=/{k}>{name}</a></li>" for k, name in enumerate("Home News Sport Money Travel".split()))
ARTICLE = (
    f"<title>The flood of the valley</title><nav class=menu><ul>{MENU}</ul></nav><article>"
    f"<h1>The flood of the valley</h1><p>{PROSE}</p><p>{PROSE}<b>Twice.</b></p><p>{PROSE}</p></article>"
    "<footer><a href=/t>Terms</a></footer>"
)


def texts(html: str, **options: float) -> list[str]:
    return [run.text for run in peneira.content(html, **options)]


def test_an_article_is_content_and_its_menu_is_not():
    found = texts(ARTICLE)
    assert "The flood of the valley" in found
    assert sum(text.startswith("The river rose") for text in found) == 3
    assert not {"Home", "Terms"} & set(found)


def test_runs_have_text_xpath_and_probability_in_document_order():
    found = peneira.content("<div>a <b>b</b><br>c<p>d</p></div>", min_probability=0, by="node")
    assert [(run.text, run.xpath, run.block) for run in found] == [
        ("a b", "/html[1]/body[1]/div[1]/text()[normalize-space()][1]", "/html[1]/body[1]/div[1]"),
        ("c", "/html[1]/body[1]/div[1]/text()[normalize-space()][2]", "/html[1]/body[1]/div[1]"),
        ("d", "/html[1]/body[1]/div[1]/p[1]", "/html[1]/body[1]/div[1]/p[1]"),
    ]
    assert all(0 <= run.probability <= 1 for run in found)


def test_other_pages_of_the_site_show_what_is_template():
    pages = [
        product(1, k)[0].replace("Made of oak", "Sold by the valley shop since 1950. Made of oak") for k in range(4)
    ]
    probability = {
        run.text: run.probability for run in peneira.content(pages[0], site_pages=pages[1:], min_probability=0)
    }
    assert probability["Kettle 10"] > probability["Books"]


def test_site_pages_may_be_none_or_empty():
    assert peneira.content(ARTICLE, site_pages=[]) == peneira.content(ARTICLE)


def test_a_copy_of_the_page_is_ignored():
    assert peneira.content(ARTICLE, site_pages=[ARTICLE]) == peneira.content(ARTICLE)


@pytest.mark.parametrize("other", ["", "<img src=x>", "<main><em>Not found</em></main>"])
def test_a_page_with_nothing_in_common_is_ignored(other: str):
    assert peneira.content(ARTICLE, site_pages=[other]) == peneira.content(ARTICLE)
    page, *rest = (product(1, k)[0] for k in range(3))
    assert peneira.content(page, site_pages=[other, *rest]) == peneira.content(page, site_pages=rest)


def test_models_of_the_user_are_used(tmp_path: Path):
    forest = Forest.from_json((Path(peneira.__file__).parent / "texts" / "models" / "page.json").read_text())
    (tmp_path / "page.json").write_text(forest_from_trees(forest.names, [[[5.0]]]).to_json())
    found = peneira.content(ARTICLE, models=tmp_path, min_probability=0)
    assert {run.probability for run in found} == {round(1 / (1 + math.exp(-5)), 4)}
    assert peneira.content(ARTICLE, site_pages=[ARTICLE + "<p>x"], models=tmp_path, min_probability=0) == found


def test_a_folder_without_models_is_an_error(tmp_path: Path):
    with pytest.raises(ModelError, match=r"page\.json: cannot be read"):
        peneira.content(ARTICLE, models=tmp_path)
    with pytest.raises(ModelError, match=r"edrew\.npz: cannot be read"):
        peneira.content(ARTICLE, model="edrew", models=tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "cannot be read as a model"), ("{}", "not a peneira-forest"), (None, "uses the feature 'magic'")],
)
def test_an_unusable_model_is_an_error(tmp_path: Path, text: str | None, message: str):
    (tmp_path / "page.json").write_text(forest_from_trees(["magic"], [[[5.0]]]).to_json() if text is None else text)
    with pytest.raises(ModelError, match=message):
        peneira.content(ARTICLE, models=tmp_path)


def test_the_edrew_model_can_be_selected():
    runs = peneira.content(ARTICLE, model="edrew", min_probability=0)
    assert [run.text for run in runs] == texts(ARTICLE, min_probability=0)


def test_an_unknown_model_is_refused():
    with pytest.raises(UnknownMethod, match="there are: light, edrew"):
        peneira.content(ARTICLE, model="magic")  # type: ignore[call-overload]


@pytest.mark.parametrize("html", ["", "<div></div>", "<script>x</script>", b"\xff\xfe"])
def test_a_page_without_text_has_no_content(html: str | bytes):
    assert peneira.content(html) == []


@given(soup)
def test_any_page_gives_all_its_texts_once(html: str):
    for model in ("light", "edrew"):
        found = peneira.content(html, model=model, min_probability=0)
        assert all(run.text and 0 <= run.probability <= 1 for run in found)


@pytest.mark.parametrize("html", ["<b>" * 5000 + "x" + "<i>y</i>" * 5000, "<p>" + "a<br>" * 20000])
def test_work_on_hostile_nesting_is_linear_in_the_nodes(html: str):
    page = read_page(html)
    assert lines_executed(lambda: peneira.content(page)) < 200 * len(page)


def test_the_name_of_the_function_survives_imports_from_its_package():
    code = "import peneira, peneira.texts.content, peneira.texts.content_model\nprint(callable(peneira.content))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "True"


def test_models_load_without_torch():
    code = (
        "import sys\nfrom peneira.texts import content_model, edrew\n"
        "content_model.shipped_light_models(); edrew.shipped_model()\nprint('torch' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False"]


def test_shipped_models_are_small():
    folder = Path(peneira.__file__).parent / "texts" / "models"
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    decision = {name for name in sizes if name.startswith("text_")}
    assert set(sizes) - decision == {
        "page.json",
        "site.json",
        "content_calibration.json",
        "regions.forest",
        "edrew.npz",
    }
    assert {"text_words.bin", "text_blocks.forest"} < decision
    assert max(sizes.values()) < 5_000_000


def test_the_command_prints_one_document_when_piped(tmp_path: Path):
    (tmp_path / "page.html").write_text(ARTICLE)
    result = CliRunner().invoke(content, [str(tmp_path / "page.html")])
    document = json.loads(result.stdout)
    assert (document["model"], document["contents"][0]["text"]) == ("light", "The flood of the valley")
    assert set(document["contents"][0]) == {"text", "xpath", "probability", "block"}


def test_the_command_takes_a_folder_of_site_pages(tmp_path: Path):
    for k in range(3):
        (tmp_path / f"{k}.html").write_text(product(0, k)[0])
    alone = CliRunner().invoke(content, [str(tmp_path / "0.html"), "--min-probability", "0"])
    compared = CliRunner().invoke(
        content, [str(tmp_path / "0.html"), "--min-probability", "0", "--site-pages", str(tmp_path)]
    )
    before, after = (json.loads(result.stdout)["contents"] for result in (alone, compared))
    assert [row["text"] for row in before] == [row["text"] for row in after]
    assert [row["probability"] for row in before] != [row["probability"] for row in after]


def test_the_command_uses_models_of_the_user(tmp_path: Path):
    (tmp_path / "page.html").write_text(ARTICLE)
    (tmp_path / "page.json").write_text(forest_from_trees(["chars"], [[[-5.0]]]).to_json())
    result = CliRunner().invoke(content, [str(tmp_path / "page.html"), "--models", str(tmp_path)])
    assert json.loads(result.stdout)["contents"] == []


def test_a_line_for_a_reader_is_cut_to_the_terminal():
    found = [Content("a long text", "/p[1]", 0.2, "/p[1]")]
    assert content_lines(found, 10) == ["0.20  a l…"]


def test_the_texts_of_a_block_are_one_content():
    found = peneira.content("<div>a <b>b</b><br><a href=x>c</a><p>d</p></div>", min_probability=0)
    assert [(block.text, block.xpath, block.block) for block in found] == [
        ("a b c", "/html[1]/body[1]/div[1]/text()[normalize-space()][1]", "/html[1]/body[1]/div[1]"),
        ("d", "/html[1]/body[1]/div[1]/p[1]", "/html[1]/body[1]/div[1]/p[1]"),
    ]


def test_an_unknown_unit_is_refused():
    with pytest.raises(peneira.PeneiraError, match="block, node"):
        peneira.content("<p>a", by="word")
