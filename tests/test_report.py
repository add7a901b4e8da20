"""Pictures with outlines, and reports in which nothing of the page runs."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import peneira
from peneira.layout import PROPERTIES, Layout, Styles
from peneira.output.overlay import MAX_LABELS, Mark, annotated_svg, marks_of, png_size, standalone
from peneira.output.report import report
from peneira.page import Page
from peneira.result import Extraction, Record, Region
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from sites import serving
from work_counter import lines_executed

LIST = "<main>" + "".join(f"<article><h2>Lamp {k}</h2><p>$ {k}.50</p></article>" for k in range(4)) + "</main>"
EVIL = "</svg></title><script>window.ran = 1; document.body.textContent = 'ran'</script><img src=x onerror='ran()'>"


def shown(html: str) -> Page:
    """Return a page whose rows are boxes of 100 x 10, one below the other."""
    page = read_page(html)
    rows = np.arange(len(page), dtype=np.float64)
    boxes = np.column_stack((np.zeros(len(page)), rows * 10, np.full(len(page), 100.0), np.full(len(page), 10.0)))
    visible = {name: Styles(np.ones(len(page), dtype=np.int32), ("", "visible")) for name in PROPERTIES}
    page.layout = Layout(boxes, np.ones(len(page), dtype=np.bool_), visible, 100, 1000)
    return page


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")


def test_the_list_its_records_and_its_cells_are_outlined():
    page = shown(LIST)
    marks = marks_of(page, peneira.extract(page))
    assert [mark.label[:13] for mark in marks if mark.kind == "list"] == ["1: 4 records,"]
    assert [mark.label for mark in marks if mark.kind == "record"] == ["1", "2", "3", "4"]
    assert [mark.label for mark in marks if mark.kind == "cell"][:2] == ["title", "price"]
    assert len([mark for mark in marks if mark.kind == "cell"]) == 8


@pytest.mark.parametrize(("gaps", "outlines"), [(6, 1), (7, 3)])
def test_a_list_whose_records_fill_less_than_a_fifth_of_their_box_is_outlined_record_by_record(
    gaps: int, outlines: int
):
    page = shown(("<p></p>" + "<i></i>" * gaps) * 3)
    rows = [i for i in range(len(page)) if page.name(i) == "p"]
    records = tuple(Record(((i, i + 1),), "", "") for i in rows)
    result = Extraction("detail", (Region("", records, 0.5),), None, "x")
    assert [mark.kind for mark in marks_of(page, result)].count("aside") == outlines


def test_a_static_page_has_no_outlines():
    assert marks_of(read_page(LIST), peneira.extract(LIST)) == []


def test_outlines_beyond_the_picture_are_cut_or_left_out():
    svg = annotated_svg(png(100, 50), [Mark("list", (-10, -10, 300, 30), "x"), Mark("record", (0, 60, 10, 10), "y")])
    assert re.findall(
        r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="3" fill="none"', svg
    ) == [("1.5", "1.5", "97.0", "18.5")]
    assert ">y<" not in svg
    assert png_size(png(100, 50)) == (100, 50)


def test_what_a_frame_does_not_show_is_not_outlined(browser: Browser):
    items = "".join(f"<li style='height:50px'><b>Lamp {k}</b> <i>$ {k}.50</i>" for k in range(9))
    inner = f"<body style='margin:0'><ul style='margin:0'>{items}</ul>"
    page = browser.read(
        f'<body style="margin:0"><iframe style="border:0;height:220px" srcdoc="{inner}"></iframe><p>end'
    )
    marks = marks_of(page, peneira.extract(page))
    assert [mark.label for mark in marks if mark.kind == "record"] == ["1", "2", "3", "4", "5"]
    assert [mark.box[3] for mark in marks if mark.kind == "record"] == [50, 50, 50, 50, 20]


def label_spots(svg: str) -> dict[str, tuple[float, float, float, float]]:
    number = r"([\d.]+)"
    found = re.findall(
        rf'<rect x="{number}" y="{number}" width="{number}" height="{number}" rx="3" fill="#\w+"/><text [^>]*>([^<]*)<',
        svg,
    )
    return {word: (float(x), float(y), float(wide), float(high)) for x, y, wide, high, word in found}


def test_a_label_covers_neither_its_neighbour_nor_another_label():
    marks = [
        Mark("cell", (10, 50, 60, 20), "place"),
        Mark("cell", (71, 50, 60, 20), "salary"),
        Mark("list", (2, 2, 190, 90), "1: 4 records"),
    ]
    spots = label_spots(annotated_svg(png(200, 100), marks))
    assert spots["salary"][0] == 132.0  # beside its cell
    assert (spots["place"][0], spots["place"][1] + spots["place"][3]) == (
        10.0,
        50.0,
    )  # above, for the other is beside it
    assert spots["1: 4 records"][1] == 0.0


def test_labels_are_dark_on_light_colours_and_hold_no_control_characters():
    svg = annotated_svg(
        png(99, 99), [Mark("cell", (9, 9, 9, 9), "a\x01b", "#e69f00"), Mark("cell", (50, 50, 9, 9), "c", "#0072b2")]
    )
    assert re.findall(r'fill="(#\w+)">([^<]*)</text>', svg) == [("#fff", "c"), ("#000", "a b")]


def test_a_report_says_how_much_of_the_page_its_picture_shows():
    page = shown(LIST)
    assert page.layout is not None
    page.layout = replace(page.layout, screenshot=png(100, 800))
    assert "The screenshot shows 100 x 800 of 100 x 1,000 pixels." in report(page, peneira.extract(page), "x")
    page.layout = replace(page.layout, screenshot=png(100, 1000))
    assert "The screenshot shows" not in report(page, peneira.extract(page), "x")


def test_a_report_names_what_was_cut():
    page = read_page(LIST, limits=peneira.Limits(nodes=12))
    html = report(page, peneira.extract(page), "x")
    assert '<b class="poor">partial</b>' in html and "<li>nodes limit of 12" in html


def test_thousands_of_labels_on_one_spot_cost_little_each():
    def cost(count: int) -> int:
        marks = [Mark("record", (9, 9, 9, 9), str(k)) for k in range(count)]
        return lines_executed(lambda: annotated_svg(png(99, 99), marks))

    assert cost(400) < 5 * cost(100)
    svg = annotated_svg(png(99, 99), [Mark("record", (9, 9, 9, 9), str(k)) for k in range(MAX_LABELS + 9)])
    assert svg.count("<text ") == MAX_LABELS


def test_a_report_without_time_says_what_it_leaves_out():
    page = read_page(LIST)
    written = report(page, peneira.extract(page), "x", limits=peneira.Limits(seconds=1e-9))
    assert "seconds limit of 1e-09: the section &quot;Records&quot; of this report" in written
    assert "<h2>Records" not in written


def test_labels_are_escaped():
    assert "<script" not in annotated_svg(png(9, 9), [Mark("list", (0, 0, 9, 9), EVIL)])


def test_a_report_has_all_and_runs_nothing(browser: Browser):
    items = "".join(f"<li><b class='name'>Lamp {k}</b> {EVIL.replace('<', '&lt;')} <i>$ {k}.50</i>" for k in range(5))
    page = browser.read(f"<ul>{items}</ul>", screenshot=True)
    html = report(page, peneira.extract(page), EVIL)
    assert "<script" not in html and "<img" not in html
    again = browser.read(html)
    text = again.visible_text(0)
    assert "default-src 'none'" in html
    assert text.startswith("</svg></title><script>window.ran") and "Lamp 4" in text and "verdict list" in text
    assert sum(again.name(i) == "svg" for i in range(len(again))) == 1


def test_a_report_on_a_static_page_has_no_picture():
    html = report(read_page(LIST), peneira.extract(LIST), "page.html")
    assert "<svg" not in html and "Lamp 3" in html


def test_a_cell_of_a_report_has_at_most_300_characters():
    rows = [f"<tr><td>{letter * 300}<td>{letter.upper() * 301}" for letter in "abcd"]
    html = report(read_page(""), peneira.extract(f"<table><tr><th>Low<th>High{''.join(rows)}</table>"), "x")
    assert f"<td>{'a' * 300}</td>" in html
    assert f"<td>{'A' * 299}…</td>" in html


def test_a_report_has_at_most_500_rows():
    rows = [f"<tr><td>Lamp {k}<td>{k} reais" for k in range(501)]
    html = report(read_page(""), peneira.extract(f"<table>{''.join(rows)}</table>"), "x")
    assert "Lamp 499" in html and "<td>Lamp 500" not in html
    assert "1 more records are not shown." in html
    html = report(read_page(""), peneira.extract(f"<table>{''.join(rows[:500])}</table>"), "x")
    assert "<td>Lamp 499" in html and "are not shown" not in html


@pytest.mark.parametrize(("confidence", "kind"), [(0.8, "good"), (0.79, "poor")])
def test_a_list_with_less_confidence_than_80_percent_is_marked(confidence: float, kind: str):
    result = peneira.extract(LIST)
    assert result.main is not None
    result = replace(result, main=replace(result.main, confidence=confidence))
    assert f'<b class="{kind}">{confidence:.2f}</b>' in report(read_page(LIST), result, "x")


def test_a_drawing_becomes_a_png(browser: Browser):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"></svg>'
    assert png_size(browser.render_png(standalone(svg), 60, 40)) == (60, 40)


# --- the command ------------------------------------------------------------------------------------------------------


def command(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "peneira", *map(str, args)]
    return subprocess.run(run, capture_output=True, text=True, cwd=cwd)


def test_render_writes_a_picture_with_outlines(tmp_path: Path):
    (tmp_path / "page.html").write_text(LIST)
    done = command("render", "page.html", "-o", "shot.png", "--boxes", "--width", "400", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert png_size((tmp_path / "shot.png").read_bytes())[0] == 400
    assert "page.html: 4 records; written to shot.png" in done.stderr


def test_a_report_on_a_rendered_page_has_a_screenshot(tmp_path: Path):
    with serving({"/": LIST}) as site:
        done = command("extract", site.url(), "--render", "always", "--report", "why.html", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        text = (tmp_path / "why.html").read_text()
        assert "Lamp 3" in text and "data:image/png;base64," in text
        assert "report written to why.html" in done.stderr


def test_render_wants_an_ending_it_knows(tmp_path: Path):
    done = command("render", "page.html", "-o", "shot.gif", cwd=tmp_path)
    assert done.returncode == 2
    assert "unknown ending" in done.stderr


def test_render_refuses_wrong_usage_before_it_starts_a_browser(tmp_path: Path):
    (tmp_path / "page.html").write_text(LIST)
    done = command("render", "page.html", "-o", "shot.png", "--method", "nope", cwd=tmp_path)
    assert (done.returncode, "no method 'nope'" in done.stderr) == (2, True)
    done = command("render", "page.html", "-o", "none/shot.png", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "peneira: none/shot.png: cannot be written: no such folder\n")


def test_render_of_nothing_is_one_line_and_exit_code_1(tmp_path: Path):
    done = command("render", "nothing.html", "-o", "shot.png", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "peneira: nothing.html: no such file\n")
