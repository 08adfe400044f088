"""State that a process keeps only in memory: running tasks, unfinished input of players, and panels that it may edit.

A restart loses all of it, but never a move.

- :class:`BackgroundTasks` starts work that nobody waits for, and :class:`Answering` tracks interactions that are not
  answered, so that a shutdown can wait for them.
- :class:`Plans` remembers how far players have come in the *composer*, the panel in which they put a move together. If
  they close it, it opens there again. Open panels do not need this: their buttons carry the plan.
- :class:`WaitingPanels` remembers the panels that show a move which is not published yet, to update them when it is.
  Discord allows that for fifteen minutes. After that the panel is not updated any more, but its buttons still work.
- :class:`OpenPanels` remembers the panel that each player opened last from a card of a game, so that the next one
  replaces it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from discord import ui

from host import log_failure

T = TypeVar("T")


class BackgroundTasks:
    """Starts tasks that nobody waits for, and logs their failures."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self.running: set[asyncio.Task[None]] = set()
        """The tasks that have not ended."""

    def start(self, work: Coroutine[Any, Any, None], name: str, context: Context | None = None) -> None:
        """Start a task; without a ``context`` it runs in a copy of the caller's."""
        context = context or copy_context()
        task = asyncio.create_task(work, name=name, context=context)
        self.running.add(task)
        task.add_done_callback(self._ended, context=context)

    async def cancel(self) -> None:
        """Cancel all running tasks and wait until they have ended."""
        running = list(self.running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Log the failure of a task that has ended, if it has failed."""
        self.running.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            log_failure(self._log, "a background task failed", error, {"task": task.get_name()})


STOP_SECONDS: Final = 5.0
"""The seconds for which a shutdown waits for unanswered interactions; a slower one ends as in a crash."""


class Answering:
    """Keeps track of the interactions that are still being answered, so that a shutdown can wait for them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def begin(self) -> None:
        """Track the current task, which answers an interaction, until it ends."""
        task = asyncio.current_task()
        if task is not None and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until all tracked tasks are done, for :data:`STOP_SECONDS` at most."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_SECONDS)


class _NewestByPlayer(Generic[T]):
    """Stores a value for each player in each game, up to a maximum number; then drops the least recently stored."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._values: OrderedDict[tuple[int, int], T] = OrderedDict()

    def put(self, game_id: int, user_id: int, value: T) -> None:
        """Store the value of a player in a game, in place of the one before."""
        self._values[game_id, user_id] = value
        self._values.move_to_end((game_id, user_id))
        if len(self._values) > self._maximum:
            self._values.popitem(last=False)

    def get(self, game_id: int, user_id: int) -> T | None:
        """Return the value of a player in a game; None if there is none."""
        return self._values.get((game_id, user_id))

    def pop(self, game_id: int, user_id: int) -> T | None:
        """Remove and return the value of a player in a game; None if there is none."""
        return self._values.pop((game_id, user_id), None)


MAX_PLANS: Final = 4096
"""The most plans that are remembered; each takes about a hundred bytes."""


class Plans:
    """Remembers the newest plan of each player in each game: the text of a move that is being put together."""

    def __init__(self, maximum: int = MAX_PLANS) -> None:
        self._plans = _NewestByPlayer[tuple[int, str]](maximum)

    def keep(self, game_id: int, user_id: int, revision: int, text: str) -> None:
        """Store a plan in place of the player's previous one."""
        self._plans.put(game_id, user_id, (revision, text))

    def find(self, game_id: int, user_id: int, revision: int) -> str:
        """Return a player's plan for the decision at this revision; empty if there is none."""
        plan = self._plans.get(game_id, user_id)
        return plan[1] if plan is not None and plan[0] == revision else ""


MAX_WAITING_PANELS: Final = 1024
"""The most panels that are remembered."""

EditPanel: TypeAlias = "Callable[[ui.LayoutView], Coroutine[Any, Any, object]]"
"""Replaces the content of a panel."""


class ShownPanel(NamedTuple):
    """A panel as it was shown to a player."""

    revision: int
    """The revision of the game at which it was shown."""
    expired: Callable[[], bool]
    """Returns whether Discord does not allow it to be edited any more."""
    edit: EditPanel
    context: Context
    """The context (language, log fields) of the press that showed it, in which it is edited."""


class WaitingPanels:
    """Remembers the newest panel of each player in each game that shows an unpublished move."""

    def __init__(self) -> None:
        self._panels = _NewestByPlayer[ShownPanel](MAX_WAITING_PANELS)

    def keep(self, game_id: int, user_id: int, shown: ShownPanel) -> None:
        """Store a panel in place of the player's previous one."""
        self._panels.put(game_id, user_id, shown)

    def take(self, game_id: int, user_id: int, revision: int) -> ShownPanel | None:
        """Remove and return the panel of the move made at this revision; None if it cannot be edited any more."""
        shown = self._panels.pop(game_id, user_id)
        return None if shown is None or shown.revision != revision or shown.expired() else shown


MAX_OPEN_PANELS: Final = 1024
"""The most opened panels that are remembered."""


class OpenPanel(NamedTuple):
    """A panel that a player opened from a card."""

    message_id: int
    expired: Callable[[], bool]
    """Returns whether Discord no longer allows the bot to delete the panel."""
    delete: Callable[[], Coroutine[Any, Any, None]]
    context: Context
    """The context (language, log fields) of the press that opened it, in which it is deleted."""


class OpenPanels:
    """Remembers, for each player in each game, the unfinished panel that they opened last from a card."""

    def __init__(self) -> None:
        self._panels = _NewestByPlayer[OpenPanel](MAX_OPEN_PANELS)

    def open(self, game_id: int, user_id: int, panel: OpenPanel) -> OpenPanel | None:
        """Store a panel, and return the older one that it replaces.

        Return None if there is none, or if it can no longer be deleted. Presses may be handled out of order, so the
        message ids decide which panel is older.
        """
        before = self._panels.get(game_id, user_id)
        older, newer = (panel, before) if before and before.message_id > panel.message_id else (before, panel)
        self._panels.put(game_id, user_id, newer)
        return None if older is None or older.expired() else older

    def close(self, game_id: int, user_id: int, message_id: int) -> None:
        """Forget a panel, so that no other one replaces it.

        Such a panel only shows the result of a move, which the player may still be able to undo.
        """
        panel = self._panels.get(game_id, user_id)
        if panel is not None and panel.message_id == message_id:
            self._panels.pop(game_id, user_id)

    def is_outdated(self, game_id: int, user_id: int, message_id: int) -> bool:
        """Return whether the player has opened a newer panel from a card."""
        panel = self._panels.get(game_id, user_id)
        return panel is not None and panel.message_id > message_id
