"""Pauses: hold the clocks of a game for some days, if the other players agree or an organiser decides it.

A pause ends after its days, or earlier when a player who agreed to it or an organiser ends it. Players can still move
meanwhile.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import pace_of
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.outbox import Outbox
from host.games.reader import GameReader
from host.observability import game_fields
from host.rights import Asker, Organisers, check_playing
from host.votes.votes import Effect, Motion, TableChange, Votes
from store import clocks, games, timers
from store.connection.database import Store, Transaction
from store.play.requests import Request, RequestKind
from store.records import Game, GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

MAX_PAUSE_DAYS: Final = 14
"""The most days of a pause."""
PAUSE_DAYS: Final = "days"
"""The key of the length of a pause, in days, in the details of a request."""


class Pauses:
    """Drafts, submits and carries out requests for pauses, and ends pauses."""

    def __init__(
        self, store: Store, clock: Clock, outbox: Outbox, games: GameReader, organisers: Organisers, votes: Votes
    ) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self._organisers = organisers
        self._votes = votes
        votes.register(RequestKind.PAUSE, Motion(self._prepare_pause))

    async def request(self, ref: int | str, asker: Asker, days: int, interaction_id: int) -> Request:
        """Ask the other players for a pause of some days; at an organiser's request it begins at once.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``resigned``, ``not_organiser``, ``no_clocks``,
                ``bad_pause``, ``paused_already``, ``asked_already``, ``asked_lately``.
        """
        async with self._games.holding(ref) as game_id:
            game, _, _ = await self._games.current(game_id)
            organises = await self._organisers.organises_or_plays(game, asker)
            if not organises:
                check_playing(game, asker.user_id)
            game, played = await self._games.load_to_move(game)
            await self._check_pause(game, days)
            voters = () if organises else self._votes.voters(game, played, asker.user_id)
            request = self._votes.draft(game, RequestKind.PAUSE, asker.user_id, voters)
            request = replace(request, details={PAUSE_DAYS: days})
            if request.voters:
                return await self._votes.submit(game, request, interaction_id)
            return (await self._votes.grant(game, played, request, None, interaction_id)).request

    async def resume(self, ref: int | str, asker: Asker) -> Game:
        """End a pause early, at the request of a player who agreed to it or of an organiser.

        Raises:
            HostError: ``unknown_game``, ``not_organiser``, ``not_paused``, ``not_pauser``.
        """
        game = await self._games.get(ref)
        organises = await self._organisers.organises_or_plays(game, asker)
        async with self._games.locks.hold(game.id), self._outbox.writing(game=game.id) as tx:
            game, pause = await games.get(tx, game.id), await clocks.pause_of(tx, game.id)
            if pause is None:
                raise HostError(ErrorCode.NOT_PAUSED, code=game.code)
            if not organises and asker.user_id not in pause.users:
                raise HostError(ErrorCode.NOT_PAUSER, code=game.code)
            await self._end(tx, game, self._clock.now())
            await timers.stop(tx, game.id, [TimerKind.RESUME])
        log.info("pause ended early", extra={**game_fields(game), "user": asker.user_id})
        return game

    async def end_due(self, timer: Timer) -> None:
        """End the pause whose days are over; handles timers of this kind."""
        async with self._outbox.writing(game=timer.game_id) as tx:
            if await timers.claim(tx, timer):
                await self._end(tx, await games.get(tx, timer.game_id), self._clock.now())

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _check_pause(self, game: Game, days: int) -> None:
        """Check that a game can be paused for this number of days.

        Raises:
            HostError: ``game_over``, ``no_clocks``, ``bad_pause``, ``paused_already``.
        """
        if game.status is not GameStatus.RUNNING or game.seat_to_act is None:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if pace_of(game.settings.pace) is None:
            raise HostError(ErrorCode.NO_CLOCKS, code=game.code)
        if not 0 < days <= MAX_PAUSE_DAYS:
            raise HostError(ErrorCode.BAD_PAUSE, code=game.code, most=MAX_PAUSE_DAYS)
        async with self._store.reading() as tx:
            if await clocks.pause_of(tx, game.id) is not None:
                raise HostError(ErrorCode.PAUSED_ALREADY, code=game.code)

    async def _end(self, tx: Transaction, game: Game, now: datetime) -> None:
        """Delete the pause of a game, release its clocks and post a notice."""
        await clocks.end_pause(tx, game.id)
        if game.status is not GameStatus.FINISHED:
            await timekeeping.settle_clocks(tx, game, now)
            await self._outbox.add_notice(tx, game, PostKind.RESUMED)

    async def _prepare_pause(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        """Return the effect of a request: it stores the pause, holds the clocks and posts a notice."""
        days = int(request.details[PAUSE_DAYS])

        async def begin(tx: Transaction, now: datetime) -> TableChange:
            ends_at = now + timedelta(days=min(days, MAX_PAUSE_DAYS))
            await timekeeping.begin_pause(tx, game, ends_at, (request.user_id, *request.voters), now)
            await self._outbox.add_notice(tx, game, PostKind.PAUSED)
            return TableChange(game, played)

        return begin
