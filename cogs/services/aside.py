"""What is done beside everything else: nobody waits for it before the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextvars import Context, copy_context
from typing import Any

from host import log_failure


class Aside:
    """The tasks of somebody for which nobody waits; what ends one of them stands in the log."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self.tasks: set[asyncio.Task[None]] = set()
        """Those that are not done."""

    def begin(self, work: Coroutine[Any, Any, None], name: str, context: Context | None = None) -> None:
        """Begin a task; its context is that of the caller if none is given."""
        context = context or copy_context()
        task = asyncio.create_task(work, name=name, context=context)
        self.tasks.add(task)
        task.add_done_callback(self._done, context=context)

    async def drop(self) -> None:
        """Give up all of them."""
        left = list(self.tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            log_failure(self._log, "what nobody waits for has failed", error, {"task": task.get_name()})
