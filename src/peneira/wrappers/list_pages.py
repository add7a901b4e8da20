"""Learning list pages: selectors of the records, and of the values inside them.

``peneira.extract`` finds the list, its records and its columns; here they are turned into selectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.page import Page
from peneira.result import Region
from peneira.wrappers.list_columns import learn_columns
from peneira.wrappers.list_page import FoundList, ListPage, arranged_alike, top_rows
from peneira.wrappers.record_selectors import learn_record_spec
from peneira.wrappers.verification import verified
from peneira.wrappers.wrapper import Baseline, Wrapper, column_reader
from peneira.xpath.anchors import Anchors


def learn_lists(found: Sequence[FoundList]) -> Wrapper:
    """Return the wrapper of list pages, each given with its list."""
    lists = arranged_alike(found)
    pages = [_list_page(each.page, each.region) for each in lists]
    anchors = Anchors([page.reader.finder for page in pages])
    learned = learn_columns(pages, anchors)
    spec = learn_record_spec(pages, anchors, learned.columns)
    counts = [len(page.records) for page in pages]
    baseline = Baseline(len(pages), min(counts), max(counts))
    url = pages[0].page.url or ""
    wrapper = Wrapper(
        "list",
        learned.columns,
        baseline,
        spec,
        url,
        lists[0].arrangement,
        notes=learned.reasons,
        hidden=learned.hidden,
    )
    return verified(wrapper, pages)


def _list_page(page: Page, region: Region) -> ListPage:
    return ListPage(column_reader(page), region, tuple(top_rows(page, record) for record in region.records))
