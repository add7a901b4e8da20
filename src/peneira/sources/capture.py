"""The snapshots of all frames of a tab, and its screenshot.

Frames of other sites run in processes of their own, and may hang there: all are asked at the same time, and a frame
that does not answer within a short time is left out.
"""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, NamedTuple

from peneira.layout import PROPERTIES
from peneira.sources.snapshot import Snapshot

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Frame, Page


class FramePart(NamedTuple):
    """A frame with a process of its own: its session, its id, and its snapshot."""

    session: CDPSession
    frame_id: str
    snapshot: dict[str, Any]


async def capture_snapshot(page: Page, session: CDPSession, timeout_s: float) -> tuple[Snapshot, int]:
    """Return the snapshot of a page with all its frames, and how many of them did not answer within the timeout."""
    frames = page.frames[1:]
    own = await _snapshot_part(session)
    frame_parts = await asyncio.gather(*(_frame_part(frame, timeout_s) for frame in frames))
    snapshots, owners = [own], []
    parts: dict[Frame, tuple[int, CDPSession]] = {page.main_frame: (0, session)}
    silent = 0
    for frame, part in zip(frames, frame_parts, strict=True):  # a frame comes after the one it is in
        owner = await _owner(frame, part, parts, timeout_s) if isinstance(part, FramePart) else None
        if isinstance(part, FramePart) and owner is not None:
            parts[frame] = (len(snapshots), part.session)
            owners.append((*owner, len(snapshots)))
            snapshots.append(part.snapshot)
        silent += isinstance(part, TimeoutError)
    return Snapshot(snapshots, owners), silent


async def _snapshot_part(session: CDPSession) -> dict[str, Any]:
    return await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(PROPERTIES)})


async def _frame_part(frame: Frame, timeout_s: float) -> FramePart | TimeoutError | None:
    """Return the snapshot of a frame; None where its parent's holds it, or it is gone by now."""
    from playwright.async_api import Error

    async def capture() -> FramePart:
        session = await frame.page.context.new_cdp_session(frame)
        tree = await session.send("Page.getFrameTree")
        return FramePart(session, tree["frameTree"]["frame"]["id"], await _snapshot_part(session))

    try:
        return await asyncio.wait_for(capture(), timeout_s)
    except TimeoutError as error:
        return error
    except Error:
        return None


async def _owner(
    frame: Frame, part: FramePart, parts: dict[Frame, tuple[int, CDPSession]], timeout_s: float
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
        request = session.send("DOM.getFrameOwner", {"frameId": part.frame_id})
        return number, (await asyncio.wait_for(request, timeout_s))["backendNodeId"]
    except (Error, TimeoutError):
        return None


async def capture_screenshot(session: CDPSession, max_px: int) -> bytes:
    """Return a screenshot of the whole page as PNG, at most ``max_px`` high and half of that wide."""
    size = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
    width, height = min(size["width"], max_px // 2), min(size["height"], max_px)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    options = {"format": "png", "captureBeyondViewport": True, "clip": clip}
    return base64.b64decode((await session.send("Page.captureScreenshot", options))["data"])
