"""Where pictures are drawn: a few threads beside the event loop, and nothing drawn that nobody waits for any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from renderers import DAY, Theme, warm_up

T = TypeVar("T")

THREADS: Final = 2
_WARM: Final = object()


class SupersededError(Exception):
    """Somebody else has done, or will do, what was asked for; there is nothing left to do or to say."""


class Atelier:
    """Runs drawing in worker threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="atelier")
        self._newest: dict[Hashable, object] = {}

    async def draw(self, work: Callable[[], T]) -> T:
        """The result of some drawing."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def draw_newest(self, place: Hashable, work: Callable[[], T]) -> T:
        """The result, unless another drawing for the same place is asked for before it is there.

        Raises:
            SupersededError: it was; what had not begun is not drawn at all.
        """
        request = object()
        self._newest[place] = request

        def checked() -> T | None:
            return work() if self._newest.get(place) is request else None

        try:
            result = await self.draw(checked)
            if result is None or self._newest.get(place) is not request:
                raise SupersededError
            return result
        finally:
            if self._newest.get(place) is request:
                del self._newest[place]

    def warm_up(self, theme: Theme = DAY) -> None:
        """Draw ahead what the first cards of a theme show, one sprite at a time between what somebody waits for."""
        steps = warm_up(theme)

        def step() -> None:
            if next(steps, _WARM) is not _WARM:
                with suppress(RuntimeError):  # closed meanwhile
                    self._threads.submit(step)

        self._threads.submit(step)

    def drop(self, place: Hashable) -> None:
        """What is being drawn for a place is no longer wanted."""
        self._newest.pop(place, None)

    def close(self) -> None:
        """Let the threads end; drawings that have not begun are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
