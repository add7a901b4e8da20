"""The extraction methods by name: one interface, ``Page -> list[Region]``, best region first.

The module of a method is imported on its first use, since a run needs only one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeAlias

from peneira.collection_pause import paused_collection
from peneira.errors import UnknownMethod
from peneira.findings import Findings
from peneira.lazy import load
from peneira.page import Page
from peneira.result import Region

Find: TypeAlias = Callable[[Page], list[Region] | Findings]

DEFAULT_METHOD = "auto"
# A page that is less probably a list page has no main list: what repeats is rather a menu, or comments under an article
# (chosen by `peneira bench records --unseen`)
MIN_LIST_PROBABILITY = 0.23


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find the records of one page. The first list is the main one, unless the page is of another type.

    ``find`` is a function, or names one as ``module:function``. ``needs_boxes``: works on rendered pages only.
    ``parameters``: the class of what can be set, as ``module:class``; ``find`` takes one of them as ``parameters``.
    """

    name: str
    summary: str
    find: Find | str
    needs_boxes: bool = False
    parameters: str | None = None

    def findings(self, page: Page) -> Findings:
        """Return the regions of a page and what had to be left out."""
        find: Find = load(self.find) if isinstance(self.find, str) else self.find
        with paused_collection():
            found = find(page)
        return found if isinstance(found, Findings) else Findings(found)


_METHODS = (
    Method(
        "auto",
        "every cut into records that repetitions suggest, ranked by what was learned of lists and menus",
        "peneira.lists.auto:find_lists",
    ),
    Method(
        "mdr", "MDR (Liu et al. 2003): every repetitive region, most text first", "peneira.methods.mdr:find_regions"
    ),
    Method(
        "mdr-stm",
        "MDR with tree matching in place of tag strings (Zhai and Liu 2005)",
        "peneira.methods.mdr:find_by_tree_matching",
    ),
    Method(
        "tps+mdr",
        "MDR on what the published tag path filter keeps (Velloso and Dorneles 2013)",
        "peneira.methods.mdr:find_published_filter",
    ),
    Method("main+mdr", "MDR on the main regions that our filter finds", "peneira.methods.mdr:find_in_main_regions"),
    Method(
        "depta",
        "DEPTA (Zhai and Liu 2005): regions by tree matching, items by partial tree alignment",
        "peneira.methods.depta:find_regions",
    ),
    Method(
        "dsre",
        "DSRE (Velloso and Dorneles 2017): periodic parts of the tag path sequence as a signal",
        "peneira.methods.dsre:find_regions",
    ),
    Method(
        "autorm",
        "AutoRM (Shi et al. 2015): clusters of siblings cut into records, grids too",
        "peneira.methods.autorm:find_regions",
    ),
    Method(
        "area",
        "Rendering area (Figueiredo et al.): the large element with many children of one tag; needs a browser",
        "peneira.methods.area:find_regions",
        needs_boxes=True,
        parameters="peneira.methods.area:Parameters",
    ),
    Method(
        "area+",
        "the same, contents compared too: no maps, footers or look-alike noise; needs a browser",
        "peneira.methods.area_contents:find_regions",
        needs_boxes=True,
        parameters="peneira.methods.area:Parameters",
    ),
    Method(
        "xpath-rank",
        "XPath ranking (Trieschnigg et al. 2012): the path whose nodes are most alike",
        "peneira.methods.xpath_rank:find_regions",
    ),
    Method(
        "gstm",
        "G-STM (Jindal and Liu 2010): the page matched with itself, nested lists",
        "peneira.methods.gstm:find_regions",
    ),
    Method(
        "gstm-published",
        "the same, the main list by the rule of the publication",
        "peneira.methods.gstm:find_by_published_rule",
    ),
)


def methods() -> dict[str, Method]:
    """Return all methods by name."""
    return {method.name: method for method in _METHODS}


def method(name: str) -> Method:
    """Return the method of that name. Parameters may follow it, as in ``area:min_children=2,height=0.1``."""
    known = methods()
    if isinstance(name, str) and ":" in name:
        plain, _, settings = name.partition(":")
        if plain in known:
            return _with_settings(known[plain], settings)
    if not isinstance(name, str) or name not in known:
        raise UnknownMethod(f"no method {name!r}; there are: {', '.join(known)}")
    return known[name]


def _with_settings(plain: Method, settings: str) -> Method:
    """Return a method with parameters as a user writes them."""
    if plain.parameters is None:
        raise UnknownMethod(f"the method {plain.name!r} has no parameters")
    values: dict[str, Any] = {}
    default = load(plain.parameters)()
    known = {field.name: getattr(default, field.name) for field in fields(default)}
    for setting in settings.split(","):
        name, _, text = setting.partition("=")
        if name not in known:
            raise UnknownMethod(f"no parameter {name!r} of {plain.name!r}; there are: {', '.join(known)}")
        values[name] = _setting(name, text, type(known[name]))
    find: Callable[..., Any] = load(plain.find) if isinstance(plain.find, str) else plain.find
    name = f"{plain.name}:{settings}"
    return replace(plain, name=name, find=partial(find, parameters=replace(default, **values)), parameters=None)


def _setting(name: str, text: str, kind: type) -> float | bool:
    """Return the value of a parameter of that type."""
    if kind is bool:
        if text not in ("true", "false"):
            raise UnknownMethod(f"{name}={text} is neither true nor false")
        return text == "true"
    try:
        value: float = kind(text)
    except ValueError:
        raise UnknownMethod(f"{name}={text} is not a number") from None
    if not 0 <= value < float("inf"):
        raise UnknownMethod(f"{name}={text} is not a number of 0 or more")
    return value
