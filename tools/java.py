"""Make sure that a Java (17 or newer) is there for the tests of Spark, and print which.

An installed one is used: that of JAVA_HOME, else the one on the path. Else, as root on Debian or Ubuntu, the
distribution's package is installed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

MIN_VERSION = 17
PACKAGE = "default-jre-headless"


def installed() -> tuple[str, int] | None:
    """Return the path and the version of a Java, if there is one that is new enough."""
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if path is None:
        return None
    said = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    version = int(found[1]) if found else 0
    return (path, version) if version >= MIN_VERSION else None


def install() -> None:
    """Get the distribution's Java where that is possible."""
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", PACKAGE], check=False, **quiet)


def main() -> int:
    """Find or get a Java. Without one the tests of Spark are skipped, and say so: that is no failure."""
    if installed() is None:
        print("no Java found: getting one", file=sys.stderr)
        install()
    java = installed()
    if java is None:
        print(
            f"no Java {MIN_VERSION} could be had: tests of Spark are skipped; install one, or set JAVA_HOME",
            file=sys.stderr,
        )
        return 0
    print(f"Java: {java[0]}, version {java[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
