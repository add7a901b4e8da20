"""``peneira methods``: what can find records."""

from __future__ import annotations

import json
import sys

import click

from peneira.cli.messages import write_stdout
from peneira.errors import UnknownMethod
from peneira.methods import Method, method
from peneira.methods import methods as all_methods


def method_named(name: str) -> Method:
    """Return the method of that name; to name one that is not there is wrong usage."""
    try:
        return method(name)
    except UnknownMethod as error:
        raise click.UsageError(str(error)) from error


@click.command()
def methods() -> None:
    """List the extraction methods.

    \b
    Example:
      peneira methods
    """
    known = all_methods().values()
    if sys.stdout.isatty():
        width = max(len(method.name) for method in known)
        for method in known:
            write_stdout(f"{method.name:<{width}}  {method.summary}")
    else:
        write_stdout(json.dumps({method.name: method.summary for method in known}, ensure_ascii=False, indent=2))
