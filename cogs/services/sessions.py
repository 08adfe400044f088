"""State of members' interactions with the bot, kept in memory alone: a restart loses it, never a move.

:class:`Answering` holds the interactions that are still unanswered, so that a stop can wait for them.

:class:`Plans` holds where players left off in the composer: a panel that was closed opens there again. The buttons of a
panel carry its plan, so pages turn without this, and panels that stay open outlive any restart.

:class:`WaitingPanels` holds the panels that show a move which waits to be published: they say when it is, as long as
Discord lets them be edited. After a restart, or fifteen minutes, such a panel stays as it is, and its buttons answer.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from discord import ui


STOP_SECONDS: Final = 5.0
"""How long a stop waits for unanswered interactions; what takes longer is as if the process had been killed."""


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


MAX_PLANS: Final = 4096
"""Plans that are kept, a hundred bytes each; the longest untouched goes first."""


class Plans:
    """The newest plan of each player of each game."""

    def __init__(self, most: int = MAX_PLANS) -> None:
        self._most = most
        self._plans: OrderedDict[tuple[int, int], tuple[int, str]] = OrderedDict()

    def keep(self, game_id: int, user_id: int, revision: int, text: str) -> None:
        """Remember a plan in place of the player's former one."""
        self._plans[game_id, user_id] = revision, text
        self._plans.move_to_end((game_id, user_id))
        if len(self._plans) > self._most:
            self._plans.popitem(last=False)

    def find(self, game_id: int, user_id: int, revision: int) -> str:
        """The plan for the decision at this revision; empty if there is none."""
        known = self._plans.get((game_id, user_id))
        return known[1] if known is not None and known[0] == revision else ""


MAX_WAITING_PANELS: Final = 1024
"""Panels that are kept; the oldest goes first."""

Edit: TypeAlias = "Callable[[ui.LayoutView], Coroutine[Any, Any, object]]"
"""Puts something else in the place of what a panel shows."""


class ShownPanel(NamedTuple):
    """A panel as it was shown: at which revision of its game, and until when it can be edited."""

    revision: int
    expired: Callable[[], bool]
    edit: Edit
    context: Context
    """That of the press that showed it: it is edited as if by that press."""


class WaitingPanels:
    """The newest panel of each player of each game that shows a move which waits."""

    def __init__(self, most: int = MAX_WAITING_PANELS) -> None:
        self._most = most
        self._shown: OrderedDict[tuple[int, int], ShownPanel] = OrderedDict()

    def keep(self, game_id: int, user_id: int, shown: ShownPanel) -> None:
        """Remember a panel in place of the player's former one."""
        self._shown[game_id, user_id] = shown
        self._shown.move_to_end((game_id, user_id))
        if len(self._shown) > self._most:
            self._shown.popitem(last=False)

    def take(self, game_id: int, user_id: int, revision: int) -> ShownPanel | None:
        """The panel of a move that was made at a revision, if it can be edited still; it is not kept any longer."""
        shown = self._shown.pop((game_id, user_id), None)
        return None if shown is None or shown.revision != revision or shown.expired() else shown
