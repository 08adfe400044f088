"""Moves that wait to be published: looked at by who made them, published, and taken back in silence."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from engine import Action
from host.errors import ErrorCode, HostError
from host.patience import patient
from host.play.looks import table_at
from host.play.playing import Playing, about_waiting, actions_of
from host.traces import known
from host.values import Consequence, WaitingMove
from store import (
    AnsweredInteraction,
    Game,
    PendingMove,
    PlyConflictError,
    Timer,
    TimerKind,
    interactions,
    moves,
    timers,
)

log = logging.getLogger(__name__)

_LATER: Final = timedelta(hours=1)
"""When it is tried again to publish a move of a game that rests."""


class Publishing(Playing):
    """What becomes of a move that waits."""

    async def waiting(self, ref: int | str, user_id: int) -> WaitingMove | None:
        """The move of somebody that waits to be published, for nobody else's eyes.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        game, played = await self._look(ref)
        async with self._store.reading() as tx:
            move = await moves.pending_of(tx, game.id)
        if move is None or move.user_id != user_id or move.stamp != game.stamp:
            return None
        return WaitingMove(table_at(game, played), actions_of(move), move.due_at)

    async def waiting_move(self, ref: int | str, user_id: int) -> WaitingMove:
        """The same, where there has to be one.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``nothing_waits``.
        """
        waiting = await self.waiting(ref, user_id)
        if waiting is None:
            raise HostError(ErrorCode.NOTHING_WAITS, code=ref)
        return waiting

    async def has_done(self, ref: int | str, user_id: int, revision: int, actions: Sequence[Action]) -> bool:
        """Whether somebody did just this at that revision, be it that it waits to be published.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        waiting, wanted = await self.waiting(ref, user_id), tuple(actions)
        if waiting is not None:
            return waiting.table.game.revision == revision and tuple(waiting.actions[: len(wanted)]) == wanted
        table = await self.table(ref)
        ply = max(0, revision - table.game.taken_back)
        done = table.log[ply : ply + len(wanted)]
        return [(entry.user_id, entry.action) for entry in done] == [(user_id, action) for action in wanted]

    async def publish(self, ref: int | str, user_id: int, revision: int) -> Consequence:
        """Publish a player's move that waits, before its time.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``nothing_waits``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            while True:
                game, _, move = await self._recall(game_id)
                move = _require_waiting(game, move, user_id, revision)
                with suppress(PlyConflictError):
                    return await self._publish(game, move)

    @patient
    async def think_again(self, ref: int | str, user_id: int, revision: int, interaction_id: int) -> Game:
        """Take back, in silence, a player's move that waits; nothing has happened then.

        Raises:
            HostError: ``unknown_game``, ``nothing_waits``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            game, done, move = await self._recall(game_id, interaction_id)
            if done is not None:
                return game
            move, now = _require_waiting(game, move, user_id, revision), self._clock.now()
            async with self._store.writing(game=game_id) as tx:
                if not await moves.take_pending(tx, move):
                    raise HostError(ErrorCode.NOTHING_WAITS, code=game.code)
                await timers.stop(tx, game_id, [TimerKind.PUBLISH])
                for number in (move.interaction_id, interaction_id):  # neither does anything if it is delivered again
                    nothing = AnsweredInteraction(
                        id=number, game_id=game_id, before_ply=game.ply, ply=game.ply, taken_back=game.taken_back
                    )
                    await interactions.remember(tx, nothing, now)
                await self.timekeeping.thinks_again(tx, game, move.seat, now)
        log.info("move taken back", extra={**about_waiting(game, move), "interaction": interaction_id})
        return game

    async def publish_due(self, timer: Timer) -> None:
        """Publish a move whose time has come: once, in whichever process."""
        async with self._locks.hold(timer.game_id):
            game, _, move = await self._recall(timer.game_id)
            if move is None or move.stamp != game.stamp:
                await self._void(timer)
                return
            try:
                known(game=game.code, ply=game.ply, interaction=move.interaction_id)
                await self._publish(game, move, timer)
            except PlyConflictError:
                log.debug("published elsewhere", extra=about_waiting(game, move))
            except HostError as error:
                if error.code not in {ErrorCode.FROZEN, ErrorCode.UNREADABLE}:
                    log.exception("a move that waited is not allowed any more", extra=about_waiting(game, move))
                    await self._void(timer)
                    return
                async with self._store.writing() as tx:
                    await timers.take(tx, timer, self._clock.now() + _LATER)

    async def _void(self, timer: Timer) -> None:
        async with self._store.writing(game=timer.game_id) as tx:
            if await timers.claim(tx, timer):
                await moves.drop_pending(tx, timer.game_id)


def _require_waiting(game: Game, move: PendingMove | None, user_id: int, revision: int) -> PendingMove:
    if move is None or move.user_id != user_id or revision != game.revision:
        raise HostError(ErrorCode.NOTHING_WAITS, code=game.code)
    return move
