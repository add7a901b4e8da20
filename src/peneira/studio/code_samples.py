"""The table on the screen as code that makes it again: Python with peneira, or a module for Scrapy without it."""

from __future__ import annotations

from peneira.wrappers.corrections import Corrections

_TEMPLATE = '''"""Reads the table with peneira: pip install peneira"""

from pathlib import Path

import peneira
{imports}
page = Path("page.html")  # or bytes or text of HTML
result = peneira.extract(page{url})
region = result.regions[{index}]
{corrections}for record in region.to_dicts():
    print(record)
'''


def python_code(url: str | None, number: int, corrections: Corrections) -> str:
    """Return Python code that makes the corrected table of a list from the saved page."""
    names = sorted({type(step).__name__ for step in corrections.steps})
    imports = f"from peneira.wrappers.corrections import {', '.join(['Corrections', *names])}\n" if names else ""
    steps = "".join(f"        {step!r},\n" for step in corrections.steps)
    corrected = f"region = Corrections(\n    (\n{steps}    )\n).apply(region)\n" if names else ""
    return _TEMPLATE.format(
        imports=imports, url=f", url={url!r}" if url else "", index=number - 1, corrections=corrected
    )
