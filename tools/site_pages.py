"""A hook of MkDocs: the pages at the root of the repository are part of the site, and links to them lead there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages of the root, with links to docs/ as links within the site."""
    for name, target in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, target, content=text))
    return files


def on_page_markdown(markdown: str, **_context: Any) -> str:
    """Return a page whose links to the root lead to the pages of the site."""
    for name, target in PAGES.items():
        markdown = re.sub(rf"\]\(((?:\.\./)*)\.\./{name}", rf"](\1{target}", markdown)
    return markdown
