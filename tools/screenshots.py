"""Write the pictures of the studio in docs/: starts a server of its own and does what a user does.

python tools/screenshots.py [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from peneira.service.settings import ServiceSettings
from peneira.sources.chromium import find, is_root
from peneira.studio.server import ServerOptions, running_server

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
DESKTOP = {"width": 1440, "height": 810}
PHONE = {"width": 390, "height": 780}
CHANGED = [
    ('<h2 class="title">', '<h3 class="position">'),
    ("</h2>", "</h3>"),
    ('<p class="company">', '<div class="firm">'),
]


@contextmanager
def served() -> Iterator[str]:
    """Give the address of a server with an empty library."""
    with (
        TemporaryDirectory() as folder,
        running_server(ServiceSettings(Path(folder)), ServerOptions(port=0)) as address,
    ):
        yield address


def demo(page: Page, address: str) -> None:
    """Open the demo page."""
    page.goto(address)
    page.get_by_role("button", name="Try the demo page").click()
    page.wait_for_selector("#overlay .mark.cell")


def shoot(browser: Browser, address: str, folder: Path) -> None:
    """Take all pictures."""
    page = browser.new_page(viewport=DESKTOP, color_scheme="light")
    page.goto(address)
    page.screenshot(path=folder / "studio-home.png")
    demo(page, address)
    page.screenshot(path=folder / "studio-table.png")
    page.locator("#column-3").click()
    page.screenshot(path=folder / "studio-correct.png")
    page.keyboard.press("Escape")
    page.locator("#learn").click()
    page.locator("#wrapper-name").fill("jobs")
    page.get_by_role("button", name="Learn and save").click()
    page.wait_for_url("**/wrappers/**")
    html = (Path(__file__).resolve().parent.parent / "demo" / "jobs.html").read_text(encoding="utf-8")
    for old, new in CHANGED:
        html = html.replace(old, new)
    page.get_by_text("Paste HTML").click()
    page.locator("#html").fill(html)
    page.get_by_role("button", name="Read the page").last.click()
    page.wait_for_selector("#trial")
    page.screenshot(path=folder / "studio-wrapper.png")
    dark = browser.new_page(viewport=DESKTOP, color_scheme="dark")
    demo(dark, address)
    dark.screenshot(path=folder / "studio-dark.png")
    phone = browser.new_page(viewport=PHONE, color_scheme="light", has_touch=True, is_mobile=True)
    demo(phone, address)
    phone.screenshot(path=folder / "studio-phone.png")


def main() -> None:
    """Write the pictures into a folder, by default that of the docs."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        flags = ["--no-sandbox"] if is_root() else []
        with playwright.chromium.launch(
            executable_path=find(playwright.chromium.executable_path), args=flags
        ) as browser:
            shoot(browser, address, folder)
    for path in sorted(folder.glob("*.png")):
        print(f"{path.name}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
