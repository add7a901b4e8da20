"""Tag path sequences as drawings: real files, read back."""

from __future__ import annotations

import io
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

from command import peneira
from peneira.cli.main import cli
from peneira.errors import MissingExtra
from peneira.output.plot import EMPTY_PAGE, MAX_PANELS, Format, Panel, draw, panel_of
from peneira.sources.html import read_page
from peneira.texts.tps import search_region, tag_path_sequence

LIST = "<h1>People</h1><ul>" + "<li><b>Ana</b> <i>Faro</i>" * 6 + "</ul><p>The end"


def panel(name: str = "people.html", *, size: int = 60) -> Panel:
    symbols = np.arange(size, dtype=np.int32) % 12 + 1
    return Panel(name, symbols, ((20, 50, "main region"),), (20, 30, 40))


def drawn(*panels: Panel, format: Format = "svg", title: str | None = None) -> bytes:
    file = io.BytesIO()
    draw(panels, file, format=format, title=title)
    return file.getvalue()


def texts(svg: bytes) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def png_size(png: bytes) -> tuple[int, ...]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "people.html"
    file.write_text(LIST)
    return file


def plot(*args: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["plot", *map(str, args)], input=stdin)


# --- the panel of a page ---------------------------------------------------------------------------------------------


def test_rows_become_positions_in_the_sequence():
    page = read_page("<body><script>1</script><h1>a</h1><script>2</script><ul><li>x<li>y</ul>")
    items = [i for i in range(len(page)) if page.name(i) == "li"]
    found = panel_of(page, "p", [(items[0] - 1, len(page), "list")], items)
    # body h1 #text ul li #text li #text
    assert found.symbols.tolist() == [1, 2, 3, 4, 5, 6, 5, 6]
    assert (found.regions, found.record_starts) == (((3, 8, "list"),), (4, 6))


def test_a_region_of_scripts_alone_is_left_out():
    page = read_page("<body><p>a</p><script>1</script><p>b</p>")
    script = next(i for i in range(len(page)) if page.name(i) == "script")
    assert panel_of(page, "p", [(script, int(page.end[script]), "nothing")]).regions == ()


def test_the_region_of_the_algorithm_keeps_its_positions():
    page = read_page(LIST)
    sequence = tag_path_sequence(page)
    start, end = search_region(sequence.symbols)
    rows = int(sequence.rows[start]), int(sequence.rows[end - 1]) + 1
    assert panel_of(page, "p", [(*rows, "main region")]).regions == ((start, end, "main region"),)


# --- the drawing -----------------------------------------------------------------------------------------------------


def test_an_svg_holds_its_labels_as_text():
    labels = texts(drawn(panel(), title="One site"))
    expected = {"people.html", "One site", "main region", "path code", "position in the tag path sequence"}
    assert expected | {"tag path", "region", "record start"} <= set(labels)


def test_a_png_is_nine_inches_wide():
    assert png_size(drawn(panel(), format="png")) == (1350, 480)


def test_each_page_has_a_panel_of_its_own():
    labels = texts(drawn(panel("one.html"), panel("two.html")))
    assert [label for label in labels if label.endswith(".html")] == ["one.html", "two.html"]
    assert labels.count("path code") == 2
    assert labels.count("position in the tag path sequence") == labels.count("record start") == 1
    assert png_size(drawn(panel(), panel(), format="png")) == (1350, 855)


@pytest.mark.parametrize("format_", ["svg", "png"])
def test_equal_input_gives_equal_bytes(format_: Format):
    assert drawn(panel(), format=format_) == drawn(panel(), format=format_)


def test_many_dots_are_a_picture_inside_the_svg():
    few, more, many = (drawn(panel(size=size)) for size in (4000, 4001, 80_000))
    assert [b"<image" in data for data in (few, more, many)] == [False, True, True]
    assert len(many) < len(few)
    assert many == drawn(panel(size=80_000))


def test_labels_of_narrow_neighbours_stand_on_lines_of_their_own():
    regions = tuple((start, start + 2, f"main region {start}") for start in (20, 23, 26, 50))
    svg = ElementTree.fromstring(drawn(Panel("p", panel().symbols, regions)))
    nodes = svg.iter("{http://www.w3.org/2000/svg}text")
    first, *others = [float(node.attrib["y"]) for node in nodes if (node.text or "").startswith("main region")]
    assert [round(first - other) for other in others] == [12, 24, 0]


@pytest.mark.parametrize("format_", ["svg", "png"])
@pytest.mark.parametrize("name", ["$1$ {.html", "a&b<c>.html", "a\x01\n\udcff.html", "求人.html", "x" * 500])
def test_any_name_can_be_drawn(name: str, format_: Format):
    data = drawn(panel(name), format=format_, title=name)
    assert format_ == "png" or max(map(len, texts(data))) < 100


def test_an_empty_page_has_a_panel_that_says_so():
    labels = texts(drawn(panel_of(read_page(b""), "empty.html", [])))
    assert {"empty.html", EMPTY_PAGE} <= set(labels)
    assert "tag path" not in labels


def test_no_panel_and_too_many_are_refused():
    for panels in [], [panel()] * 41:
        with pytest.raises(ValueError, match="1 to 40 panels"):
            drawn(*panels)


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    import matplotlib

    def settings() -> dict[str, object]:
        return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}

    with matplotlib.rc_context({"font.size": 31.0}):
        before = settings()
        styled = drawn(panel())
        assert settings() == before
    assert styled == drawn(panel())


def test_without_matplotlib_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, page: Path, tmp_path: Path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r'^drawing needs an optional package: pip install "peneira\[plot\]"$'):
        drawn(panel())
    done = plot(page, "--faithful", "scan-on", "-o", tmp_path / "out.svg")
    assert isinstance(done.exception, MissingExtra)
    assert not (tmp_path / "out.svg").exists()


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def two_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Content regions without the model: the list, and the rest of the page."""
    monkeypatch.setattr("peneira.cli.plot.content_regions", lambda page: [(5, 35), (35, len(page))])


@pytest.mark.usefixtures("two_regions")
def test_the_command_shades_the_content_and_marks_its_records(page: Path, tmp_path: Path):
    done = plot(page, "-o", tmp_path / "tps.svg", "--title", "Some people")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"{page}: 36 positions; main region 3-33; main region 2 33-36; 6 records start there\n"
    labels = texts((tmp_path / "tps.svg").read_bytes())
    assert {"people.html", "Some people", "main region", "main region 2", "record start"} <= set(labels)


def test_the_list_of_the_sample_is_its_main_region(sample: Path, tmp_path: Path):
    assert plot(sample, "-o", tmp_path / "tps.svg").stderr.endswith("; 16 records start there\n")


@pytest.mark.parametrize("variant", ["first-split", "scan-on"])
def test_the_published_algorithm_can_be_asked_for(page: Path, tmp_path: Path, variant: str):
    done = plot(page, "--faithful", variant, "-o", tmp_path / "TPS.PNG")
    start, end = search_region(tag_path_sequence(read_page(LIST)).symbols)
    assert f"; main region {start}-{end}; " in done.stderr
    assert png_size((tmp_path / "TPS.PNG").read_bytes()) == (1350, 480)


def test_standard_input_and_folders_are_pages_too(page: Path, tmp_path: Path):
    (tmp_path / "two.html").write_text(LIST)
    assert plot("-", page.parent, "--faithful", "scan-on", "-o", tmp_path / "out.svg", stdin=LIST).exit_code == 0
    labels = texts((tmp_path / "out.svg").read_bytes())
    assert [label for label in labels if label.endswith((".html", "input"))] == [
        "standard input",
        "people.html",
        "two.html",
    ]


def test_a_bad_page_is_reported_and_the_rest_is_drawn(page: Path, tmp_path: Path):
    done = plot(tmp_path / "none.html", page, "--faithful", "scan-on", "-o", tmp_path / "out.png")
    assert done.exit_code == 1
    assert "none.html" in done.stderr.splitlines()[0]
    assert png_size((tmp_path / "out.png").read_bytes()) == (1350, 480)


def test_no_page_left_is_exit_code_1_and_no_file(tmp_path: Path):
    assert plot(tmp_path / "none.html", "-o", tmp_path / "out.png").exit_code == 1
    assert not (tmp_path / "out.png").exists()


def test_an_empty_page_is_drawn_and_said(tmp_path: Path):
    done = plot("-", "--faithful", "scan-on", "-o", tmp_path / "out.svg", stdin="")
    assert (done.exit_code, done.stderr) == (0, f"standard input: {EMPTY_PAGE}\n")
    assert EMPTY_PAGE in texts((tmp_path / "out.svg").read_bytes())


def test_wrong_usage_is_exit_code_2(page: Path):
    assert plot(page).exit_code == 2
    assert plot(page, "-o", "out.pdf").exit_code == 2
    assert plot(page, "-o", "out").exit_code == 2
    assert plot(page, "-o", "out.svg", "--faithful", "third").exit_code == 2
    assert plot(*[page] * (MAX_PANELS + 1), "-o", "out.svg").exit_code == 2


def test_a_file_that_cannot_be_written_is_said(page: Path, tmp_path: Path):
    done = peneira("plot", page, "--faithful", "scan-on", "-o", tmp_path / "none" / "out.svg")
    assert (done.returncode, "cannot be written" in done.stderr) == (1, True)


def test_the_help_ends_with_an_example():
    assert "peneira plot page.html -o tps.svg" in plot("--help").stdout
