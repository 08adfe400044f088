"""What members have asked for and are not answered yet: whoever stops the bot waits for it."""

from __future__ import annotations

import asyncio
from typing import Final

STOP_SECONDS: Final = 5.0
"""How long that may take; what takes longer is as if the process had been killed."""


class Answering:
    """The tasks of interactions, each from when it has come until it is done."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def begin(self) -> None:
        """The task that asks answers an interaction."""
        task = asyncio.current_task()
        if task is not None and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until all of them are done, but not for ever."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_SECONDS)
