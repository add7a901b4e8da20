"""Sift structured records out of web pages: no examples, no rules per site, no language model.

>>> import peneira
>>> result = peneira.extract("<ul><li>Ana, 31 <li>Bia, 27 <li>Cid, 45</ul>")
>>> [record.text for record in result.main.records]
['Ana, 31', 'Bia, 27', 'Cid, 45']
"""

from peneira.errors import PeneiraError
from peneira.extraction import extract
from peneira.limits import Limits
from peneira.page import Page
from peneira.result import Cell, Extraction, Record, Region
from peneira.table import Table
from peneira.texts.blocks import Block
from peneira.texts.cleaning import clean, segment
from peneira.texts.content import Content, content
from peneira.wrappers.learning import learn
from peneira.wrappers.wrapper import Wrapper

__version__ = "0.2.0"

__all__ = [
    "Block",
    "Cell",
    "Content",
    "Extraction",
    "Limits",
    "Page",
    "PeneiraError",
    "Record",
    "Region",
    "Table",
    "Wrapper",
    "clean",
    "content",
    "extract",
    "learn",
    "segment",
]
