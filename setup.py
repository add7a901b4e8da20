"""Compile the kernels where a compiler is found; without one plain Python and numpy do their work.

``optional`` turns a failed compilation into a warning, so that a machine with no compiler installs all the same.
"""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = [f"src/peneira/kernels/{name}.py" for name in ("node_loops", "matching", "editing")]
# These have no plain form of their own: where they are not compiled, numpy or the parser's Python objects do their work
KERNELS += [
    f"src/peneira/kernels/{name}.pyx"
    for name in (
        "lexbor_nodes",
        "node_columns",
        "page_facts",
        "page_parts",
        "list_features",
        "markup_scan",
        "markup_survey",
        "forest_walk",
        "forest_masks",
        "candidate_table",
        "list_candidates",
        "list_members",
        "line_search",
        "column_values",
        "role_tables",
        "outline_scan",
        "record_texts",
        "record_values",
        "text_scan",
        "text_cuts",
        "cell_making",
        "word_scan",
        "phrase_scan",
        "page_lines",
        "text_tables",
        "text_lines",
        "region_tables",
        "block_tables",
    )
]

# Debug information would be half of the wheel
FLAGS = ["/O2"] if sys.platform == "win32" else ["-g0", "-O3", "-ffp-contract=off"]

modules = [
    Extension(path.removeprefix("src/").rpartition(".")[0].replace("/", "."), [path], extra_compile_args=FLAGS)
    for path in KERNELS
]
modules = cythonize(modules, build_dir="build", compiler_directives={"annotation_typing": False})
for module in modules:
    module.optional = True  # set here, since cythonize makes new extensions and forgets it
setup(ext_modules=modules, options={"build_ext": {"parallel": os.cpu_count() or 1}})
