"""The schema learned from a site of SWDE, and the values of a page that it was not learned from, to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from peneira.templates.template_schema import schema_lines, schema_of
from peneira.wrappers.learning import learn
from peneira_research.corpora.archives import SwdePage

MAX_VALUE_CHARS = 100


def schema_report(pages: Sequence[SwdePage], method: str, learning_pages: int) -> Iterator[str]:
    """Yield the lines of a report on one site."""
    first, following = pages[0], pages[min(learning_pages, len(pages) - 1)]
    wrapper = learn([page.body for page in pages[:learning_pages]], method=method, kind="detail")
    yield f"{first.vertical}-{first.site}: schema by {method} from {learning_pages} pages"
    if wrapper.tree is not None:
        yield from ("  " + line for line in schema_lines(schema_of(wrapper.tree)))
    else:
        yield from (f"  {field.name}: {field.typing.type} at {field.selector}" for field in wrapper.fields)
    yield f"{first.vertical}-{first.site}: values of page {following.id}"
    result = wrapper.extract(following.body)
    fields = result.main.records[0].fields if result.main else {}
    for name, cell in fields.items():
        yield f"  {name}: {' | '.join(cell.items or (cell.text,))[:MAX_VALUE_CHARS]}"
