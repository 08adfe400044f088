"""Pending moves: moves that their players have confirmed, but that the other players do not see yet.

For a short time, the *window*, a player can still take such a move back without anybody noticing. Then it is
*published*: appended to the game's log and shown in a card. A player may also publish it earlier.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from engine import Action
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.move import remember_interaction
from host.games.moves import Moves, actions_of, pending_move_fields
from host.games.reader import GameReader, copy_table
from host.observability import bind_fields
from host.retry import retried
from host.settings import HostSettings
from host.values import Consequence, WaitingMove
from store import Game, PendingMove, PlyConflictError, Store, Timer, TimerKind, moves, timers

log = logging.getLogger(__name__)

FROZEN_RETRY_INTERVAL: Final = timedelta(hours=1)
"""The time after which publishing a move of a frozen game is tried again."""


class PendingMoves:
    """Shows, publishes and retracts pending moves. :class:`~host.games.moves.Moves` stores them."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, games: GameReader, moves: Moves) -> None:
        self._store = store
        self._clock = clock
        self._games = games
        self._moves = moves
        self.patience = settings.patience

    async def find(self, ref: int | str, user_id: int) -> WaitingMove | None:
        """Return a player's own pending move; None if they have none. Nobody else may see it.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        game, played = await self._games.played(ref)
        move = await self._store.read(moves.pending_of, game.id)
        if move is None or move.user_id != user_id or move.stamp != game.stamp:
            return None
        return WaitingMove(copy_table(game, played), actions_of(move), move.due_at)

    async def get(self, ref: int | str, user_id: int) -> WaitingMove:
        """Return a player's own pending move.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``nothing_waits``.
        """
        waiting = await self.find(ref, user_id)
        if waiting is None:
            raise HostError(ErrorCode.NOTHING_WAITS, code=ref)
        return waiting

    async def was_made(self, ref: int | str, user_id: int, revision: int, actions: Sequence[Action]) -> bool:
        """Return whether a player made a move that begins with these actions at this revision, pending or published.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        waiting, expected = await self.find(ref, user_id), tuple(actions)
        if waiting is not None:
            return waiting.table.game.revision == revision and tuple(waiting.actions[: len(expected)]) == expected
        table = await self._games.table(ref)
        ply = max(0, revision - table.game.taken_back)
        logged = table.log[ply : ply + len(expected)]
        return [(entry.user_id, entry.action) for entry in logged] == [(user_id, action) for action in expected]

    async def publish(self, ref: int | str, user_id: int, revision: int) -> Consequence:
        """Publish a player's pending move at once, before its window ends.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``nothing_waits``, ``illegal``.
        """
        async with self._games.holding(ref) as game_id:
            while True:
                game, _, move = await self._games.current(game_id)
                move = _require_pending(game, move, user_id, revision)
                with suppress(PlyConflictError):
                    return await self._moves.publish(game, move)

    @retried
    async def retract(self, ref: int | str, user_id: int, revision: int, interaction_id: int) -> Game:
        """Take a player's pending move back; nobody is told, and the player decides again.

        Raises:
            HostError: ``unknown_game``, ``nothing_waits``.
        """
        async with self._games.holding(ref) as game_id:
            game, answered, move = await self._games.current(game_id, interaction_id)
            if answered is not None:
                return game
            move, now = _require_pending(game, move, user_id, revision), self._clock.now()
            async with self._store.writing(game=game_id) as tx:
                if not await moves.claim_pending(tx, move):
                    raise HostError(ErrorCode.NOTHING_WAITS, code=game.code)
                await timers.stop(tx, game_id, [TimerKind.PUBLISH])
                # Remember both as interactions that changed nothing, so that neither takes effect if it is repeated.
                for number in (move.interaction_id, interaction_id):
                    await remember_interaction(tx, game, number, now)
                await timekeeping.resume_after_retraction(tx, game, move.seat, now)
        log.info("move taken back", extra={**pending_move_fields(game, move), "interaction": interaction_id})
        return game

    async def publish_due(self, timer: Timer) -> None:
        """Publish the move whose window has ended; handles timers of this kind.

        Claiming the timer makes sure that only one process does it. A move of a frozen game is tried again later.
        """
        async with self._games.locks.hold(timer.game_id):
            game, _, move = await self._games.current(timer.game_id)
            if move is None or move.stamp != game.stamp:
                await self._drop(timer)
                return
            try:
                bind_fields(game=game.code, ply=game.ply, interaction=move.interaction_id)
                await self._moves.publish(game, move, timer)
            except PlyConflictError:
                log.debug("another process has published the move", extra=pending_move_fields(game, move))
            except HostError as error:
                if error.code not in {ErrorCode.FROZEN, ErrorCode.UNREADABLE}:
                    log.exception("a pending move is not legal any more", extra=pending_move_fields(game, move))
                    await self._drop(timer)
                    return
                await self._store.write(timers.lease, timer, self._clock.now() + FROZEN_RETRY_INTERVAL)

    async def _drop(self, timer: Timer) -> None:
        """Drop the pending move of a game, and claim its timer."""
        async with self._store.writing(game=timer.game_id) as tx:
            if await timers.claim(tx, timer):
                await moves.drop_pending(tx, timer.game_id)


def _require_pending(game: Game, move: PendingMove | None, user_id: int, revision: int) -> PendingMove:
    """Return the pending move, if it is this user's and the game is still at this revision.

    Raises:
        HostError: ``nothing_waits``.
    """
    if move is None or move.user_id != user_id or revision != game.revision:
        raise HostError(ErrorCode.NOTHING_WAITS, code=game.code)
    return move
