"""The compiled node loops and their plain Python source give the same columns."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given

from generated import soup
from peneira import page
from peneira.kernels import node_loops
from peneira.sources import html
from twins import plain_twin

COLUMNS = ("tag", "parent", "end", "depth", "path", "styled_path", "shape")


PLAIN = plain_twin("kernels/node_loops.py")


def columns(module: ModuleType, source: str | Path) -> list[object]:
    read = html.read_page(source)
    page_columns = [
        *(getattr(read, name).tolist() for name in COLUMNS),
        read.text,
        read.attrs,
        read.spaced,
        read.tag_names,
    ]
    return [*page_columns, module.label_codes(read.attrs)]


def columns_by(module: ModuleType, source: str | Path) -> list[object]:
    with pytest.MonkeyPatch.context() as patch:
        for user in (page, html):
            patch.setattr(user, "node_loops", module)
        return columns(module, source)


@given(soup)
def test_compiled_and_plain_kernels_agree_on_tag_soup(markup: str):
    assert columns_by(node_loops, markup) == columns_by(PLAIN, markup)


def test_compiled_and_plain_kernels_agree_on_the_sample(sample: Path):
    assert columns_by(node_loops, sample) == columns_by(PLAIN, sample)


def test_compiled_and_plain_kernels_agree_on_the_corpora(corpus_files):
    for file in corpus_files[::12]:
        assert columns_by(node_loops, file) == columns_by(PLAIN, file)


def test_the_plain_kernel_is_not_compiled():
    assert PLAIN.__file__ is not None and PLAIN.__file__.endswith(".py")


def test_rows_get_one_code_per_class_and_id():
    attrs = [{}, {"class": "a"}, {"id": "a"}, {"href": "/"}, {"class": "a", "title": "t"}]
    assert node_loops.label_codes(attrs) == ([0, 1, 2, 0, 1], [("", ""), ("a", ""), ("", "a")])
