"""A PostgreSQL server of the tests' own, in a temporary folder, for as long as they run."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """Return the folder of the programs of PostgreSQL, None where it is not installed."""
    folders = [Path(found).resolve().parent for name in ("pg_ctl",) if (found := shutil.which(name))]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


@contextmanager
def serving_postgres() -> Iterator[str]:
    """Start a server on loopback, give the address of a database, and stop it."""
    found = programs()
    assert found is not None, "PostgreSQL is not installed; `make postgres` gets it"
    with tempfile.TemporaryDirectory(prefix="peneira-postgres-") as name:
        folder, owner = Path(name), _owner()
        if owner is not None:  # the server refuses to run as root
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        port = _free_port()
        _run(owner, found / "initdb", "-D", folder / "data", "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        _run(owner, found / "pg_ctl", "-D", folder / "data", "-l", folder / "log", "-w", "-o", options, "start")
        try:
            yield f"postgresql://tests@127.0.0.1:{port}/postgres"
        finally:
            _run(owner, found / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")


def _owner() -> pwd.struct_passwd | None:
    """Return the user who runs the server, None for the one who runs the tests."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _run(owner: pwd.struct_passwd | None, *command: str | Path) -> None:
    user = {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    done = subprocess.run(list(map(str, command)), cwd="/", capture_output=True, text=True, **user)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
