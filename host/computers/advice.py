"""Advice for people: the best placements of a tile as a computer sees them, with what each is good for.

It is given in games against computers alone, and where the table allows it. A worker thinks about it
(:mod:`host.computers.workers`), which is told what the player to move may know and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from engine import Place
from host.computers.levels import QUICK
from host.computers.workers import Advice, Thinker, ThinkingError, Thought
from host.errors import ErrorCode, HostError
from host.observability import game_fields
from host.settings import WorkerLimits
from host.values import Table
from store.records import Game, Stamp

log = logging.getLogger(__name__)

ADVICE_COUNT: Final = 3
"""The number of placements that are recommended."""
MAX_CANDIDATES: Final = 40
"""The number of the best placements among which those are chosen, one for each cell if there are enough."""
ADVICE_COST: Final = timedelta(seconds=5)
"""The cost of an advice to its player's quota, which is shared with pictures and other things that take long."""
MAX_REMEMBERED_ADVICE: Final = 256
"""The most decisions whose advice is kept, so that asking again costs nothing."""

_Decision = tuple[int, Stamp]
"""The decision that advice is about: the id of the game, and its stamp."""
ChargeUser = Callable[[int, timedelta], Awaitable[datetime | None]]
"""Charges a cost to a user (by id), and returns None; if their quota is used up, returns the time from which it is not.
"""


class Adviser:
    """Advises players on the placement of their tile."""

    def __init__(self, limits: WorkerLimits, charge_user: ChargeUser, thinker: Thinker) -> None:
        self._limits = limits
        self._charge_user = charge_user
        self._thinker = thinker
        self._tasks: dict[_Decision, asyncio.Task[Sequence[Advice]]] = {}
        """The thoughts of the newest decisions, finished ones included, the oldest first."""

    def is_offered(self, game: Game) -> bool:
        """Return whether the players of a game may ask for advice."""
        return self._limits.workers > 0 and game.allows_advice

    async def advise(self, table: Table, user_id: int) -> Sequence[Advice]:
        """Return the best placements of the player to move, the best first.

        A decision is thought about once: those who ask again meanwhile wait for the same thought.

        Raises:
            HostError: ``no_advice``; ``asked_advice_lately``: the quota of the user is used up; ``advice_failed``: no
                worker has answered in time.
        """
        game = table.game
        if not self.is_offered(game):
            raise HostError(ErrorCode.NO_ADVICE, name=game.name, code=game.code)
        decision = game.id, game.stamp
        if decision not in self._tasks:
            free_at = await self._charge_user(user_id, ADVICE_COST)
            if free_at is not None:
                raise HostError(ErrorCode.ASKED_ADVICE_LATELY, code=game.code, again=int(free_at.timestamp()) + 1)
        try:
            return await asyncio.shield(self._thought_about(decision, table))
        except (ThinkingError, TimeoutError) as error:
            log.warning("no advice: %r", error, extra=game_fields(game))
            raise HostError(ErrorCode.ADVICE_FAILED, code=game.code) from error

    async def close(self) -> None:
        """Stop thinking."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _thought_about(self, decision: _Decision, table: Table) -> asyncio.Task[Sequence[Advice]]:
        """Return the thought about a decision; begin it if there is none."""
        if decision not in self._tasks:
            task = self._tasks[decision] = asyncio.create_task(self._think(table), name="advice")
            task.add_done_callback(lambda done: self._forget_failed(decision, done))
            if len(self._tasks) > MAX_REMEMBERED_ADVICE:
                del self._tasks[next(iter(self._tasks))]
        return self._tasks[decision]

    async def _think(self, table: Table) -> Sequence[Advice]:
        """Let a worker think about the decision at a table.

        Raises:
            ThinkingError, TimeoutError: there is no answer.
        """
        made = [entry.action for entry in table.log]
        thought = await asyncio.to_thread(Thought.of, table.position, made, QUICK)
        async with asyncio.timeout(self._limits.advice_seconds):
            return _best_by_cell(await self._thinker.explain(thought, MAX_CANDIDATES, table.game.guild_id))

    def _forget_failed(self, decision: _Decision, task: asyncio.Task[Sequence[Advice]]) -> None:
        """Forget a thought that has failed, so that it can be tried again."""
        if task.cancelled() or task.exception() is not None:
            self._tasks.pop(decision, None)


def _best_by_cell(candidates: Sequence[Advice]) -> Sequence[Advice]:
    """Return the best placements, each on a cell of its own as long as there are others, the best first."""
    cells = [next((action.cell for action in entry.actions if isinstance(action, Place)), None) for entry in candidates]
    repeated = [cell in cells[:index] for index, cell in enumerate(cells)]
    chosen = sorted(range(len(candidates)), key=lambda index: (repeated[index], index))[:ADVICE_COUNT]
    return [candidates[index] for index in sorted(chosen)]
