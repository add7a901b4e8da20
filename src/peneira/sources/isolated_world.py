"""JavaScript of ours in a page, run in an isolated world that the scripts of the page cannot reach."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from peneira.sources import page_scripts

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_NAME = "peneira"
# A page that navigates takes its worlds with it: the script is then run again in the next page
_MAX_ATTEMPTS = 5
_RETRY_S = 0.03


class DomState(NamedTuple):
    """For how long the DOM has not changed, how many characters of text it has, and whether it has scripts."""

    quiet_ms: float
    chars: int
    has_scripts: bool


@dataclass(frozen=True, slots=True)
class IsolatedWorld:
    """The isolated world of the main frame of a tab. ``crashed`` is set when the process of the page has died."""

    session: CDPSession
    frame_id: str
    crashed: asyncio.Event

    async def is_loading(self) -> bool:
        """Return whether the HTML of the page is still being read."""
        return bool(await self._evaluate(page_scripts.READY_STATE) == "loading")

    async def dom_state(self) -> DomState:
        """Return how quiet and how full the DOM is."""
        return DomState(*(await self._evaluate(page_scripts.DOM_STATE) or (0.0, 0, False)))

    async def count_elements(self) -> int:
        """Return how many elements the page has."""
        return await self._evaluate(page_scripts.COUNT_ELEMENTS) or 0

    async def count_repeated_elements(self) -> int:
        """Return how many elements repeat, as records do."""
        return await self._evaluate(page_scripts.COUNT_REPEATED_ELEMENTS) or 0

    async def text_hash(self) -> int:
        """Return a number that differs where the address or the text of the page does."""
        return await self._evaluate(page_scripts.TEXT_HASH) or 0

    async def scroll(self, *, to_end: bool) -> None:
        """Scroll the page to its end, or back to its start."""
        await self._evaluate(page_scripts.scroll(to_end=to_end))

    async def press(self, labels: Sequence[str]) -> bool:
        """Press the last button with one of these labels; return whether there is one."""
        return bool(await self._evaluate(page_scripts.press(labels)))

    async def click(self, node_id: int) -> bool:
        """Click the element that Chromium calls by this id; return whether it is still in the page."""
        from playwright.async_api import Error

        try:
            world = await self.session.send("Page.createIsolatedWorld", {"frameId": self.frame_id, "worldName": _NAME})
            element = await self.session.send(
                "DOM.resolveNode", {"backendNodeId": node_id, "executionContextId": world["executionContextId"]}
            )
            answer = await self.session.send(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": page_scripts.CLICK,
                    "objectId": element["object"]["objectId"],
                    "returnByValue": True,
                },
            )
        except Error:
            if self.crashed.is_set():
                raise
            return False
        return bool(answer["result"].get("value"))

    async def _evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        from playwright.async_api import Error

        for attempts_left in reversed(range(_MAX_ATTEMPTS)):
            try:
                world = await self.session.send(
                    "Page.createIsolatedWorld", {"frameId": self.frame_id, "worldName": _NAME}
                )
                context_id = world["executionContextId"]
                answer = await self.session.send(
                    "Runtime.evaluate", {"expression": expression, "contextId": context_id, "returnByValue": True}
                )
                return answer["result"].get("value")
            except Error:
                if not attempts_left or self.crashed.is_set():
                    raise
                await asyncio.sleep(_RETRY_S)
        return None
