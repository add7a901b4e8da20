"""``peneira serve`` and ``peneira mcp``: the studio with its HTTP API, and the tools for agents."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click

from peneira.cli.messages import say
from peneira.errors import InputError, MissingExtra
from peneira.service.settings import MEBIBYTE, ServiceSettings, default_library

TOKEN_VARIABLE = "PENEIRA_TOKEN"

_library = click.option(
    "--library",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of saved wrappers.  [default: in the folder for data of your programs]",
)
_allow_private = click.option(
    "--allow-private", is_flag=True, help="Let callers open addresses of this machine and of your own network."
)
_seconds = click.option(
    "--seconds",
    type=click.FloatRange(min=1, max=3600),
    default=30.0,
    show_default=True,
    help="Give up on a page after this time.",
)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes any free port.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen at. Others than loopback need a token."
)
@click.option("--open/--no-open", "opens", default=True, help="Whether to open the studio in your browser.")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"File with the token that callers must send; or set {TOKEN_VARIABLE}.",
)
@click.option(
    "--name", "names", multiple=True, help="A host name that leads here, as that of a proxy. May be repeated."
)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Pages worked on at once.")
@click.option("--max-mb", type=click.IntRange(1, 64), default=16, show_default=True, help="Largest page or request.")
@_seconds
@_allow_private
@_library
def serve(
    port: int,
    host: str,
    opens: bool,
    token_file: Path | None,
    names: tuple[str, ...],
    workers: int,
    max_mb: int,
    seconds: float,
    allow_private: bool,
    library: Path | None,
) -> None:
    """Start the studio, the HTTP API and the tools for agents on this machine.

    The studio shows a page beside its table, takes corrections, and keeps wrappers. The same is there for programs
    under /api/v1 and for language models at /mcp. Only this machine reaches it, unless a token is set.

    \b
    Examples:
      peneira serve
      peneira serve --port 9000 --no-open
      PENEIRA_TOKEN=$(cat token.txt) peneira serve --host 0.0.0.0 --name peneira.example.com
    """
    from peneira.studio.server import ServerOptions, run_server

    settings = ServiceSettings(
        library or default_library(), allow_private, max_mb * MEBIBYTE, seconds=seconds, workers=workers
    )
    options = ServerOptions(host, port, _token(token_file), names)

    def started(address: str) -> None:
        say(f"peneira studio: {address} (Ctrl-C ends it)")
        if opens:
            import webbrowser

            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        run_server(settings, options, started)


@click.command()
@_seconds
@_allow_private
@_library
def mcp(seconds: float, allow_private: bool, library: Path | None) -> None:
    """Serve tools for language models over standard input and output (Model Context Protocol).

    The tools read records, items and texts from pages, and learn, apply and check wrappers. Name this command in the
    settings of the program that runs the model.

    \b
    Example:
      peneira mcp --library wrappers/
    """
    from peneira.service.service import Service

    try:
        from peneira.mcp.tools import agent_server
    except ImportError as error:
        raise MissingExtra("serve", "the server for agents") from error

    settings = ServiceSettings(library or default_library(), allow_private, seconds=seconds)
    with Service.of(settings) as service:
        agent_server(service).run("stdio")


def _token(file: Path | None) -> str | None:
    if file is None:
        return os.environ.get(TOKEN_VARIABLE) or None
    token = file.read_text(encoding="utf-8").strip()
    if not token:
        raise InputError(f"{file}: the file is empty; write a token into it")
    return token
