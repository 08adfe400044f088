"""The decisions of computers: when they are due, and how they are stored.

When a card that waits for a computer was sent, a timer of the kind ``think`` is stored (:mod:`host.games.outbox`). The
process that leases the timer lets a worker think, outside of all locks. Then it stores the decisions of all computers
whose turn comes one after the other as one move, with one card, and claims the timer in the same transaction. So a
process may be killed at any moment: the timer is due again when the lease is over, and nothing is decided twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from engine import Action, EngineError, Position, parse_action
from host import observability
from host.clock import Clock
from host.computers.levels import QUICK
from host.computers.workers import Thinker, ThinkingError, Thought
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.move import COMPUTER_USER_ID, Move, apply_standing_orders, log_move
from host.games.outbox import Outbox, storing
from host.games.reader import GameReader
from host.observability import game_fields, log_failure
from host.votes.endings import Endings
from store import games, moves, timers
from store.connection.database import Store
from store.errors import PlyConflictError
from store.play.moves import ComputerDecision
from store.records import Computer, Game, Timer

log = logging.getLogger(__name__)

THINKING_LEASE: Final = timedelta(minutes=5)
"""The time for which one process thinks about a game; then another one may."""
RETRY_INTERVAL: Final = timedelta(minutes=10)
"""The time after which a decision that has failed is tried again."""
FROZEN_RETRY_INTERVAL: Final = timedelta(hours=1)
"""The time after which the computer of a frozen game looks whether it may go on."""
MAX_CHAIN: Final = 64
"""The most decisions that are stored as one move; the next card shows those that follow."""


class Computers:
    """Lets computers decide, in the background."""

    def __init__(
        self, store: Store, clock: Clock, outbox: Outbox, games: GameReader, endings: Endings, thinker: Thinker
    ) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self._endings = endings
        self._thinker = thinker
        self._tasks: set[asyncio.Task[None]] = set()
        self._leased: dict[int, Timer] = {}
        """The timers of the games that this process thinks about, by game; each is leased again while that lasts."""

    async def think_due(self, timer: Timer) -> None:
        """Begin to think about a game; handles timers of this kind.

        The timer is leased, so that the game is thought about again if this process ends before it has decided.
        """
        leased = replace(timer, due_at=self._clock.now() + THINKING_LEASE)
        async with self._store.writing() as tx:
            if not await timers.lease(tx, timer, leased.due_at):
                return
        is_thought_about = timer.game_id in self._leased
        self._leased[timer.game_id] = leased
        if not is_thought_about:
            self._begin(self._think(timer.game_id))

    async def idle(self) -> None:
        """Wait until nothing is being thought about any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Stop thinking, and end the workers."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinker.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work as a task of its own."""
        task = asyncio.create_task(work, name="computer")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, game_id: int) -> None:
        """Decide for the computers of a game whose turn it is, and store that; if it fails, try again later.

        If the game goes on meanwhile and waits for a computer again, think about that.
        """
        with observability.log_context():
            try:
                while True:
                    timer = self._leased[game_id]
                    try:
                        await self._decide(game_id)
                    except PlyConflictError:
                        log.debug("the game has gone on while a computer was thinking", extra={"game_id": game_id})
                        if self._leased[game_id] != timer:
                            continue
                    return
            except Exception as error:  # noqa: BLE001 - one game must not stop the others
                await self._postpone(game_id, error)
            finally:
                del self._leased[game_id]

    async def _postpone(self, game_id: int, error: Exception) -> None:
        """Make the timer of a game due later, because its decision has failed; a frozen game is no failure."""
        delay = RETRY_INTERVAL
        if isinstance(error, HostError) and error.code in {ErrorCode.FROZEN, ErrorCode.UNREADABLE}:
            delay = FROZEN_RETRY_INTERVAL
        else:
            log_failure(log, "a computer has not decided", error, {"game_id": game_id})
        with suppress(Exception):  # without it, the timer is due again after its lease
            await self._store.write(timers.lease, self._leased[game_id], self._clock.now() + delay)

    async def _decide(self, game_id: int) -> None:
        """Decide for the computers of a game whose turn it is, and store that."""
        game = await self._store.read(games.get, game_id)
        if game.computer_to_act is None:
            await self._store.write(timers.claim, self._leased[game_id])
            return
        if not game.players:
            await self._endings.adjudicate(game.id)
            return
        game, played = await self._games.played(game.id)
        position, decisions, actions = played.position.copy(), list[ComputerDecision](), list[Action]()
        while position.step is not None and len(actions) < MAX_CHAIN:
            player = game.seats[position.player]
            if not isinstance(player, Computer):
                break
            seed = f"{game.code}:{game.revision + len(actions)}"
            seat = position.player
            made = [entry.action for entry in played.log] + actions
            action, level, version = await self._one(game, position, made, player.level, seed)
            actions.append(action)
            decisions.append(ComputerDecision(game.revision + len(actions), seat, level, version, seed))
        if actions:
            await self._store_move(game, played, actions, decisions)

    async def _one(
        self, game: Game, position: Position, made: list[Action], level: str, seed: str
    ) -> tuple[Action, str, int]:
        """Let a computer make one decision, and apply it to the position that the actions ``made`` have led to.

        Return the action, with the level and version that have decided: *quick* where the level itself has failed.

        Raises:
            ThinkingError: *quick* has failed, too.
        """
        for chosen in dict.fromkeys((level, QUICK)):
            thought = await asyncio.to_thread(Thought.of, position, made, chosen, seed)
            try:
                answer = await self._thinker.decide(thought)
                action = parse_action(answer.action)
                position.apply(action)
            except (EngineError, ThinkingError) as error:
                log.warning("a computer failed to decide: %s", error, extra={**game_fields(game), "level": chosen})
            else:
                return action, chosen, answer.version
        raise ThinkingError(f"no level decides for {level}")

    async def _store_move(
        self, game: Game, played: PlayedGame, actions: list[Action], decisions: list[ComputerDecision]
    ) -> None:
        """Store decisions as one move with one card, if the game still waits for them.

        Raises:
            PlyConflictError: the game has gone on, or another process has decided.
        """
        async with self._games.locks.hold(game.id):
            current, _, _ = await self._games.current(game.id)
            if current.stamp != game.stamp:
                raise PlyConflictError(game.id, game.ply)
            now = self._clock.now()
            move = Move.of_computers(current, played, actions, now)
            async with storing(self._outbox, game.id) as stored:
                tx = stored.tx
                if not await timers.claim(tx, self._leased[game.id]):
                    raise PlyConflictError(game.id, game.ply)
                move = await apply_standing_orders(tx, move, now)
                outcome = await move.write(tx, self._outbox, None, now)
                stored.begun = outcome.begun
                await timekeeping.advance(tx, move, timekeeping.NO_INTERACTION, now)
                await moves.add_computer_decisions(tx, game.id, decisions)
            self._games.cache.store(outcome.game, move.after)
        log_move(move, outcome, COMPUTER_USER_ID)
