"""The second front door: pages of one template in, a wrapper out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from peneira.errors import InputError, UnknownMethod
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.methods import fivatech, gstm
from peneira.page import Page
from peneira.sources.html import read_page
from peneira.wrappers.reading import read_data
from peneira.wrappers.template import Template
from peneira.wrappers.wrapper import Kind, TreeWrapper, learn_wrapper

DEFAULT_LEARNER = "gstm"

Learn = Callable[[Sequence[Page]], tuple[Template, list[list[int]]]]


def learners() -> dict[str, Learn]:
    """Return the ways to learn a template, by name."""
    return {"gstm": gstm.learn, "fivatech": fivatech.learn}


def learn(
    pages: Sequence[bytes | str | Path | Page],
    *,
    method: str = DEFAULT_LEARNER,
    kind: Kind | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> TreeWrapper:
    """Return a wrapper learned from pages of one template, without labels.

    ``kind`` says whether they are pages of a list or of one thing each; left out, the pages decide.
    """
    known = learners()
    if method not in known:
        raise UnknownMethod(f"no way to learn named {method!r}; there are: {', '.join(known)}")
    read = [page for page in (read_page(source, limits=limits) for source in pages) if len(page)]
    if not read:
        raise InputError("there is no page to learn from; give at least one that is not empty")
    template, shapes = known[method](read)
    readings = [(page, read_data(template, page, rows)) for page, rows in zip(read, shapes, strict=True)]
    return learn_wrapper(method, template, readings, kind)
