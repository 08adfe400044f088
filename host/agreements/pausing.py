"""Pauses: by consent of the others, or by an organiser; they end by themselves, or when one who agreed says so.

Whoever likes may play on meanwhile; only the clocks stand still.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from host.agreements.consent import Done, Grant, Granted, voters
from host.agreements.substituting import Substituting
from host.errors import ErrorCode, HostError
from host.play import holding
from host.play.memory import Played
from host.rights import Asker, check_playing
from host.time.paces import pace_of
from host.traces import about
from store import (
    Game,
    GameStatus,
    Pause,
    PostKind,
    Request,
    RequestKind,
    Timer,
    TimerKind,
    Transaction,
    clocks,
    games,
    timers,
)

log = logging.getLogger(__name__)

MOST_DAYS: Final = 14
"""After so many days a pause ends by itself at the latest."""
DAYS: Final = "days"
"""How long it is to be, in the details of a request."""


class Pausing(Substituting):
    """Games whose clocks stand still for a time."""

    async def ask_pause(self, ref: int | str, asker: Asker, days: int, interaction_id: int) -> Request:
        """Ask the others whether the clocks may stand still so many days; if an organiser asks, they do at once.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``resigned``, ``not_organiser``, ``no_clocks``,
                ``bad_pause``, ``paused_already``, ``asked_already``, ``asked_lately``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            game, _, _ = await self._recall(game_id)
            organises = await self._organises(game, asker)
            if not organises:
                check_playing(game, asker.user_id)
            game, played = await self._tables.follow_to_move(game)
            await self._check_pause(game, days)
            asks = () if organises else voters(game, played, asker.user_id, self._clock.now())
            asked = replace(self._request_of(game, RequestKind.PAUSE, asker.user_id, asks), details={DAYS: days})
            if asked.voters:
                return await self._ask(game, asked, interaction_id)
            return (await self._let_happen(game, played, asked, None, interaction_id)).request

    async def resume(self, ref: int | str, asker: Asker) -> Game:
        """Let the clocks go on, for one of those who agreed to the pause, or an organiser.

        Raises:
            HostError: ``unknown_game``, ``not_organiser``, ``not_paused``, ``not_pauser``.
        """
        game = await self.game(ref)
        organises = await self._organises(game, asker)
        async with self._locks.hold(game.id), self.outbox.writing(game=game.id) as tx:
            game, pause = await games.get(tx, game.id), await clocks.pause_of(tx, game.id)
            if pause is None:
                raise HostError(ErrorCode.NOT_PAUSED, code=game.code)
            if not organises and asker.user_id not in pause.users:
                raise HostError(ErrorCode.NOT_PAUSER, code=game.code)
            await self._go_on(tx, game, self._clock.now())
            await timers.stop(tx, game.id, [TimerKind.RESUME])
        log.info("the clocks go on", extra={**about(game), "user": asker.user_id})
        return game

    async def end_pause(self, timer: Timer) -> None:
        """A pause has lasted long enough."""
        async with self.outbox.writing(game=timer.game_id) as tx:
            if await timers.claim(tx, timer):
                await self._go_on(tx, await games.get(tx, timer.game_id), self._clock.now())

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _check_pause(self, game: Game, days: int) -> None:
        if game.status is not GameStatus.RUNNING or game.seat_to_act is None:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if pace_of(game.settings.pace) is None:
            raise HostError(ErrorCode.NO_CLOCKS, code=game.code)
        if not 0 < days <= MOST_DAYS:
            raise HostError(ErrorCode.BAD_PAUSE, code=game.code, most=MOST_DAYS)
        async with self._store.reading() as tx:
            if await clocks.pause_of(tx, game.id) is not None:
                raise HostError(ErrorCode.PAUSED_ALREADY, code=game.code)

    async def _go_on(self, tx: Transaction, game: Game, now: datetime) -> None:
        await clocks.end_pause(tx, game.id)
        if game.status is not GameStatus.FINISHED:
            await holding.settle(tx, game, now)
            await self.outbox.notice(tx, game, game.ply, PostKind.RESUMED)

    def _grants(self) -> Mapping[RequestKind, Grant]:
        return {**super()._grants(), RequestKind.PAUSE: self._grant_pause}

    async def _grant_pause(self, game: Game, played: Played, request: Request) -> Granted:
        days = int(request.details[DAYS])

        async def happen(tx: Transaction, now: datetime) -> Done:
            ends_at = now + timedelta(days=min(days, MOST_DAYS))
            await clocks.end_pause(tx, game.id)
            await clocks.begin_pause(tx, Pause(game.id, ends_at, (request.user_id, *request.voters)))
            await timers.put(tx, Timer(game.id, TimerKind.RESUME, ends_at))
            await holding.settle(tx, game, now)
            await self.outbox.notice(tx, game, game.ply, PostKind.PAUSED)
            return Done(game, played)

        return Granted(happen)
