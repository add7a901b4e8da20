"""The extraction methods by name: one interface, ``Page -> list[Region]``, best region first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from peneira.errors import UnknownMethod
from peneira.methods.findings import Findings
from peneira.model import Region
from peneira.page import Page

DEFAULT_METHOD = "auto"


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find the records of one page. The first list is the main one if it is believed enough.

    ``needs_boxes``: only pages that a browser has shown can be given.
    """

    name: str
    summary: str
    find: Callable[[Page], list[Region] | Findings]
    least_confidence: float = 0.0
    needs_boxes: bool = False

    def findings(self, page: Page) -> Findings:
        """Return the regions of a page and what had to be left out."""
        found = self.find(page)
        return found if isinstance(found, Findings) else Findings(found)


def methods() -> dict[str, Method]:
    """Return all methods by name."""
    from peneira.methods import area, autorm, gstm, mdr, xpath_rank
    from peneira.records import auto

    known = (
        Method(
            "auto",
            "every cut into records that repetitions suggest, ranked by what was learned of lists and menus",
            auto.find_regions,
            auto.LEAST_CONFIDENCE,
        ),
        Method("mdr", "MDR (Liu et al. 2003): every repetitive region, most text first", mdr.find_regions),
        Method("tps+mdr", "MDR on what cleaning leaves of the page", mdr.find_filtered_regions),
        Method(
            "autorm", "AutoRM (Shi et al. 2015): clusters of siblings cut into records, grids too", autorm.find_regions
        ),
        Method(
            "area",
            "Rendering area (Figueiredo et al.): the large element with many children of one tag; needs a browser",
            area.find_regions,
            needs_boxes=True,
        ),
        Method(
            "xpath-rank",
            "XPath ranking (Trieschnigg et al. 2012): the path whose nodes are most alike",
            xpath_rank.find_regions,
        ),
        Method("gstm", "G-STM (Jindal and Liu 2010): the page matched with itself, nested lists", gstm.find_regions),
        Method("gstm-published", "the same, the main list by the rule of the publication", gstm.find_by_published_rule),
    )
    return {method.name: method for method in known}


def method(name: str) -> Method:
    """Return the method of that name."""
    known = methods()
    if name not in known:
        raise UnknownMethod(f"no method {name!r}; there are: {', '.join(known)}")
    return known[name]
