"""Make sure that a PostgreSQL server is there for the tests, which start one of their own; print where it is.

An installed one is used. Else, as root on Debian or Ubuntu, the distribution's package is installed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from postgres_server import programs


def install() -> None:
    """Get the package of the distribution."""
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "postgresql"], check=False, **quiet)


def main() -> int:
    """Find or get PostgreSQL; fail with a word on what to do."""
    if programs() is None and os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        print("no PostgreSQL found: getting one", file=sys.stderr)
        install()
    found = programs()
    if found is None:
        print("PostgreSQL is needed for the tests: install it, or run `make postgres` as root", file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
