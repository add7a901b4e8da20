"""``peneira methods``: what can find records."""

from __future__ import annotations

import json
import sys

import click

from peneira.methods import methods as all_methods


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
            click.echo(f"{method.name:<{width}}  {method.summary}")
    else:
        click.echo(json.dumps({method.name: method.summary for method in known}, ensure_ascii=False, indent=2))
