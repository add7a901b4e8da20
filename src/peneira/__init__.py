"""Sift structured records out of web pages: no examples, no rules per site, no language model.

>>> import peneira
>>> result = peneira.extract("<ul><li>Ana, 31 <li>Bia, 27 <li>Cid, 45</ul>")
>>> [record.text for record in result.main]
['Ana, 31', 'Bia, 27', 'Cid, 45']
"""

from typing import TYPE_CHECKING

from peneira.lazy import load
from peneira.version import __version__ as __version__

if TYPE_CHECKING:
    from peneira.account import Account, Loss
    from peneira.errors import PeneiraError
    from peneira.extraction import extract, extract_all
    from peneira.items.item_table import item_table
    from peneira.items.single_item import item
    from peneira.limits import Cut, Limits
    from peneira.methods import Method
    from peneira.page import Page
    from peneira.reasons import Reason, ReasonCode
    from peneira.result import Extraction, Item, Paging, Record, Region, Regions
    from peneira.sources.browser import Browser
    from peneira.sources.chromium import RenderOptions
    from peneira.table import Cell, Column, Table
    from peneira.templates.tree_wrapper import TreeWrapper
    from peneira.texts.blocks import Block
    from peneira.texts.cleaning import clean, segment
    from peneira.texts.content import Content, content
    from peneira.texts.main_text import text
    from peneira.values import Money, Quantity, Rating
    from peneira.wrappers.columns_again import ColumnChange
    from peneira.wrappers.drift import CheckReport, CheckVerdict
    from peneira.wrappers.healing import Healing
    from peneira.wrappers.learning import learn
    from peneira.wrappers.wrapper import Wrapper

__all__ = [
    "Account",
    "Block",
    "Browser",
    "Cell",
    "CheckReport",
    "CheckVerdict",
    "Column",
    "ColumnChange",
    "Content",
    "Cut",
    "Extraction",
    "Healing",
    "Item",
    "Limits",
    "Loss",
    "Method",
    "Money",
    "Page",
    "Paging",
    "PeneiraError",
    "Quantity",
    "Rating",
    "Reason",
    "ReasonCode",
    "Record",
    "Region",
    "Regions",
    "RenderOptions",
    "Table",
    "TreeWrapper",
    "Wrapper",
    "clean",
    "content",
    "extract",
    "extract_all",
    "item",
    "item_table",
    "learn",
    "segment",
    "text",
]

# Where each name is, imported when it is first used: `import peneira` then costs next to nothing
_HOMES = {
    "Account": "account",
    "Block": "texts.blocks",
    "Browser": "sources.browser",
    "Cell": "table",
    "CheckReport": "wrappers.drift",
    "CheckVerdict": "wrappers.drift",
    "Column": "table",
    "ColumnChange": "wrappers.columns_again",
    "Content": "texts.content",
    "Cut": "limits",
    "Extraction": "result",
    "Healing": "wrappers.healing",
    "Item": "result",
    "Limits": "limits",
    "Loss": "account",
    "Method": "methods",
    "Money": "values",
    "Page": "page",
    "Paging": "result",
    "PeneiraError": "errors",
    "Quantity": "values",
    "Rating": "values",
    "Reason": "reasons",
    "ReasonCode": "reasons",
    "Record": "result",
    "Region": "result",
    "Regions": "result",
    "RenderOptions": "sources.chromium",
    "Table": "table",
    "TreeWrapper": "templates.tree_wrapper",
    "Wrapper": "wrappers.wrapper",
    "clean": "texts.cleaning",
    "content": "texts.content",
    "extract": "extraction",
    "extract_all": "extraction",
    "item": "items.single_item",
    "item_table": "items.item_table",
    "learn": "wrappers.learning",
    "segment": "texts.cleaning",
    "text": "texts.main_text",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'peneira' has no attribute {name!r}")
    value: object = load(f"peneira.{_HOMES[name]}:{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
