"""The templates of the studio, and answers made of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from peneira.service.table_files import FORMATS
from peneira.studio.correction_forms import TYPES
from peneira.studio.screens import VIEWS, sureness
from peneira.version import __version__


@cache
def _environment() -> Environment:
    folder = Path(__file__).parent / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        version=__version__,
        formats={name: format_ for name, format_ in FORMATS.items() if format_.is_available},
        types=TYPES,
        views=VIEWS,
    )
    environment.filters.update(sureness=sureness, percent=lambda share: f"{share:.0%}", address=quote)
    return environment


def page(template: str, *, status: int = 200, **values: object) -> Response:
    """Return a page of the studio."""
    return HTMLResponse(_environment().get_template(template).render(**values), status_code=status)


def go_to(address: str) -> Response:
    """Return the answer to a form that was taken: look there."""
    return RedirectResponse(address, status_code=303)
