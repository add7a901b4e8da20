"""The same page as a standard lxml tree, built by others' code: the judge of our XPath and CSS."""

from __future__ import annotations

import re

import html5lib
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def by_lexbor(html: str) -> etree._Element:
    """Return lexbor's tree as an lxml tree; names that XML cannot spell are replaced, comments stay."""
    parser = LexborHTMLParser(html)
    root = etree.Element("html")
    made = {parser.root.mem_id: root}
    pending = [parser.root]
    while pending:
        node = pending.pop()
        above = made[node.mem_id]
        parts = node.template_fragments() if node.tag == "template" else [node]
        children = [child for part in parts for child in part.iter(include_text=True)]
        for child in children:
            if child.is_element_node:
                name = child.tag if _XML_NAME.fullmatch(child.tag) else "unspelt"
                made[child.mem_id] = etree.SubElement(above, name)
                pending.append(child)
            elif child.is_comment_node:
                above.append(etree.Comment("c"))
            elif child.is_text_node:
                add_text(above, _NOT_XML.sub("\ufffd", child.text_content or ""))
    return root


def add_text(above: etree._Element, text: str) -> None:
    """Append text below an element, as XML keeps it: behind the last child, or at the start."""
    if len(above):
        above[-1].tail = (above[-1].tail or "") + text
    else:
        above.text = (above.text or "") + text


def by_html5lib(html: str) -> etree._Element:
    """Return html5lib's tree, by another parser altogether."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False).getroot()
