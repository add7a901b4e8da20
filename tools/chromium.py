"""Make sure that a Chromium is there for the tests, and print where it is.

An installed one is used. Else, as root on Debian or Ubuntu, the distribution's package; else playwright's own build.
"""

import contextlib
import os
import shutil
import subprocess
import sys

from peneira.sources.chromium import find


def installed() -> str | None:
    """Return the path of a Chromium, if there is one."""
    return find(playwright_build())


def playwright_build() -> str:
    """Return the path where playwright's own Chromium is, once it was downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def install() -> None:
    """Get a Chromium the way that suits this machine."""
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
        done = subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], **quiet)
        if done.returncode == 0:
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def main() -> int:
    """Find or get a Chromium; fail with a word on what to do."""
    path = installed()
    if path is None:
        print("no Chromium found: getting one", file=sys.stderr)
        with contextlib.suppress(subprocess.CalledProcessError):
            install()
        path = installed()
    if path is None:
        print("no Chromium could be had: install one, or name one in PENEIRA_CHROMIUM", file=sys.stderr)
        return 1
    print(f"Chromium: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
