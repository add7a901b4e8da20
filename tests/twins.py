"""Modules that may have been compiled, as the plain Python they were compiled from."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

import peneira
from peneira.sources import lexbor_tree


def plain_twin(path: str) -> ModuleType:
    """Return the module at a path below the package, such as ``kernels/matching.py``, as plain Python."""
    spec = importlib.util.spec_from_file_location(f"plain_{Path(path).stem}", Path(peneira.__file__).parent / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Where kernels that exist only compiled are looked up
USERS_OF_KERNELS = {
    "peneira.page": ("node_columns", "page_facts", "page_parts"),
    "peneira.node_paths": ("node_columns",),
    "peneira.ml.running_sums": ("page_facts", "page_parts"),
    "peneira.ml.forest": ("forest_masks", "forest_walk"),
    "peneira.sources.parser_limits": ("markup_scan", "markup_survey"),
    "peneira.sources.encoding": ("markup_scan", "markup_survey"),
    "peneira.lists.candidates": ("kernel", "candidate_table", "page_facts"),
    "peneira.lists.relations": ("kernel",),
    "peneira.lists.page_features": ("list_features", "page_facts", "page_parts"),
    "peneira.lists.page_words": ("page_facts", "page_parts"),
    "peneira.lists.page_type_features": ("page_parts",),
    "peneira.lists.ranking": ("kernel",),
    "peneira.lists.auto": ("kernel", "list_members"),
    "peneira.lists.members": ("kernel", "list_members"),
    "peneira.lists.features": ("kernel", "candidates_kernel", "page_facts"),
    "peneira.lists.line_blocks": ("line_search", "page_facts"),
    "peneira.columns.column_features": ("column_values",),
    "peneira.columns.label_pairs": ("record_texts",),
    "peneira.columns.outline": ("outline_scan",),
    "peneira.columns.outline_shapes": ("record_texts",),
    "peneira.columns.skeletons": ("record_texts",),
    "peneira.columns.raw_columns": ("record_values",),
    "peneira.columns.text_parts": ("text_cuts",),
    "peneira.columns.value_looks": ("column_values",),
    "peneira.columns.repetitions": ("column_values",),
    "peneira.columns.roles": ("role_tables",),
    "peneira.columns.deferred_cells": ("cell_making",),
    "peneira.columns.spaced_texts": ("cell_making",),
    "peneira.table": ("cell_making",),
    "peneira.markup": ("_compiled_escapes",),
    "peneira.texts.metadata_features": ("word_scan",),
    "peneira.result": ("cell_making",),
    "peneira.character_search": ("text_scan",),
    "peneira.types.notation": ("_settled",),
    "peneira.types.reading_marks": ("text_scan",),
    "peneira.types.column_types": ("text_scan",),
    "peneira.items.claims": ("_of_ascii",),
    "peneira.items.lines": ("page_lines",),
    "peneira.texts.text_words": ("word_scan",),
    "peneira.texts.word_counts": ("word_scan",),
    "peneira.texts.wording_features": ("word_scan",),
    "peneira.texts.page_texts": ("text_tables", "text_lines"),
    "peneira.texts.attribute_keywords": ("text_tables",),
    "peneira.texts.block_selection": ("block_tables",),
    "peneira.texts.region_candidates": ("region_tables",),
    "peneira.texts.text_blocks": ("text_lines", "block_tables"),
    "peneira.texts.block_features": ("block_tables",),
    "peneira.texts.block_context": ("block_tables",),
    "peneira.texts.markup_words": ("block_tables",),
    "peneira.texts.word_context": ("block_tables",),
    "peneira.texts.text_outline": ("text_lines",),
    "peneira.texts.text_rendering": ("text_lines",),
    "peneira.texts.text_features": ("text_tables",),
    "peneira.texts.block_model": ("text_tables", "block_tables"),
}


@contextmanager
def without_kernels() -> Iterator[None]:
    """Run a block as where nothing is compiled but the plain modules."""
    users = [(importlib.import_module(module), names) for module, names in USERS_OF_KERNELS.items()]  # all before any
    with pytest.MonkeyPatch.context() as patch:
        for module, names in users:
            for name in names:
                patch.setattr(module, name, None)
        patch.setattr(lexbor_tree, "_checked_kernel", lambda: None)
        yield
