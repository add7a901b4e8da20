"""What a tab shows, taken from Chromium: the snapshots of all its frames, and its picture.

Frames of other sites live in processes of their own, and may hang there: they are asked at once, each for a short time,
and one that does not answer is left out.
"""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, NamedTuple

from peneira.layout import PROPERTIES
from peneira.sources.snapshot import Snapshot

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Frame, Page


class Part(NamedTuple):
    """A frame with a process of its own: its session, its id, and what it shows."""

    session: CDPSession
    frame_id: str
    answer: dict[str, Any]


async def capture_snapshot(page: Page, session: CDPSession, seconds: float) -> tuple[Snapshot, int]:
    """Return the snapshot of a page with all its frames, and how many of them did not answer within the seconds."""
    frames = page.frames[1:]
    own = await _answer(session)
    found = await asyncio.gather(*(_part(frame, seconds) for frame in frames))
    answers, owners = [own], []
    parts: dict[Frame, tuple[int, CDPSession]] = {page.main_frame: (0, session)}
    silent = 0
    for frame, part in zip(frames, found, strict=True):  # a frame comes after the one it is in
        owner = await _owner(frame, part, parts, seconds) if isinstance(part, Part) else None
        if isinstance(part, Part) and owner is not None:
            parts[frame] = (len(answers), part.session)
            owners.append((*owner, len(answers)))
            answers.append(part.answer)
        silent += isinstance(part, TimeoutError)
    return Snapshot(answers, owners), silent


async def _answer(session: CDPSession) -> dict[str, Any]:
    return await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(PROPERTIES)})


async def _part(frame: Frame, seconds: float) -> Part | TimeoutError | None:
    """Return what a frame shows; None where it is part of another process, or gone by now."""
    from playwright.async_api import Error

    async def asked() -> Part:
        session = await frame.page.context.new_cdp_session(frame)
        tree = await session.send("Page.getFrameTree")
        return Part(session, tree["frameTree"]["frame"]["id"], await _answer(session))

    try:
        return await asyncio.wait_for(asked(), seconds)
    except TimeoutError as error:
        return error
    except Error:
        return None


async def _owner(
    frame: Frame, part: Part, parts: dict[Frame, tuple[int, CDPSession]], seconds: float
) -> tuple[int, int] | None:
    """Return the part that holds the frame element, and its id there; None where it is gone by now."""
    from playwright.async_api import Error

    parent = frame.parent_frame
    while parent is not None and parent not in parts:
        parent = parent.parent_frame
    if parent is None:
        return None
    number, session = parts[parent]
    try:
        asked = session.send("DOM.getFrameOwner", {"frameId": part.frame_id})
        return number, (await asyncio.wait_for(asked, seconds))["backendNodeId"]
    except (Error, TimeoutError):
        return None


async def capture_screenshot(session: CDPSession, max_px: int) -> bytes:
    """Return the picture of the whole page as PNG, at most so many pixels high and half as many wide."""
    size = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
    width, height = min(size["width"], max_px // 2), min(size["height"], max_px)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    asked = {"format": "png", "captureBeyondViewport": True, "clip": clip}
    return base64.b64decode((await session.send("Page.captureScreenshot", asked))["data"])
