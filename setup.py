"""Compile the kernels where a compiler is found; without one the same files run as plain Python.

``optional`` turns a failed compilation into a warning, so that a machine with no compiler installs all the same.
"""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = [f"src/peneira/kernels/{name}.py" for name in ("node_loops", "descent", "matching", "editing", "outline_rows")]

# Debug information would be half of the wheel
FLAGS = [] if sys.platform == "win32" else ["-g0"]

modules = [
    Extension(path.removeprefix("src/").removesuffix(".py").replace("/", "."), [path], extra_compile_args=FLAGS)
    for path in KERNELS
]
modules = cythonize(modules, build_dir="build", compiler_directives={"annotation_typing": False})
for module in modules:
    module.optional = True  # set here, since cythonize makes new extensions and forgets it
setup(ext_modules=modules)
