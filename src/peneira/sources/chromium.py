"""Which Chromium is used, how it is started, and how it renders."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

VARIABLE = "PENEIRA_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW_TO_GET_ONE = (
    "install it (Debian, Ubuntu: apt-get install chromium; anywhere: playwright install chromium), "
    f"or name one in {VARIABLE}"
)

# Chromium itself uses no network, and nothing of the page bypasses the proxy. It looks up no name: pages have proxies
# of their own, and what Chromium itself would load (updates, accounts) goes to a port where nothing listens
FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-quic",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--hide-scrollbars",
    "--mute-audio",
)


def find(playwright_build: str = "") -> str | None:
    """Return the path of a Chromium: the one named in the environment, an installed one, or playwright's own build."""
    import shutil  # imports lzma, and only the browser needs it

    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (playwright_build if Path(playwright_build).is_file() else None)


def flags(options: RenderOptions) -> list[str]:
    """Return the flags that Chromium is started with; scripts that use up their memory end only their own page."""
    return [*FLAGS, f"--js-flags=--max-old-space-size={options.max_script_mb}"]


def is_root() -> bool:
    """Return whether this process is root's, for whom Chromium starts only without its sandbox."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How pages are rendered. ``timeout_s`` holds for one page as a whole.

    The DOM has settled when it has not changed for ``quiet_s`` (``patience_s`` in a page with scripts and next to no
    text) and no request that it may depend on is pending; ``settle_s`` is the longest wait for that.
    ``network``: whether a page given as HTML may load anything (a URL always may). ``scrolls``: how often to scroll
    to the end, or to press a button with one of the ``more_labels`` (lower case, without accents), as long as that
    brings new records; ``scrolls_to_end``: they are meant to reach the end, so that stopping before it is a cut, while
    who scrolls twice has asked for no more. ``turns``: how often ``Browser.open_pages`` presses for another page.
    ``public_only``: private addresses are refused also as the URL of a page, for URLs that a stranger names.
    ``sandbox``: None is on, except for root, where Chromium refuses it. ``headers`` and ``cookies`` go to the origin of
    the page's URL alone, whatever the page loads or leads to. ``user_agent``: what stands behind Chromium's own, or in
    place of it if it begins with ``Mozilla/``.
    """

    timeout_s: float = 30.0
    settle_s: float = 5.0
    quiet_s: float = 0.3
    patience_s: float = 1.5
    width_px: int = 1280
    height_px: int = 1024
    scripts: bool = True
    network: bool = False
    scrolls: int = 0
    scrolls_to_end: bool = False
    more_labels: tuple[str, ...] = ()
    turns: int = 0
    allow_private: bool = False
    public_only: bool = False
    max_requests: int = 1000
    max_bytes: int = 64 * 1024 * 1024
    max_navigations: int = 5
    max_script_mb: int = 1024
    max_screenshot_px: int = 8000
    pages_per_browser: int = 100
    sandbox: bool | None = None
    executable: str | None = None
    user_agent: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for name in ("timeout_s", "settle_s", "quiet_s", "width_px", "height_px", "max_requests", "max_bytes"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)!r}")


DEFAULT_OPTIONS = RenderOptions()


def has_sandbox(options: RenderOptions) -> bool:
    """Return whether Chromium runs in its sandbox."""
    return not is_root() if options.sandbox is None else options.sandbox
