"""The extraction methods by name: one interface, ``Page -> list[Region]``, best region first.

The module of a method is imported on its first use, since a run needs only one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

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
    """

    name: str
    summary: str
    find: Find | str
    needs_boxes: bool = False

    def findings(self, page: Page) -> Findings:
        """Return the regions of a page and what had to be left out."""
        find: Find = load(self.find) if isinstance(self.find, str) else self.find
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
    """Return the method of that name."""
    known = methods()
    if not isinstance(name, str) or name not in known:
        raise UnknownMethod(f"no method {name!r}; there are: {', '.join(known)}")
    return known[name]
