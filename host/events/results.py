"""Results of games that are over, taken into their events once, with the ratings that follow."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final

from host.clock import Clock
from host.events.ladder import Ladder
from host.events.log import EventLog
from host.events.ratings import Ratings
from host.events.tables import outcome_of, rated_game, table_of
from host.events.views.known import GOING, Known
from host.games.reader import GameReader
from host.observability import about
from store import (
    Game,
    PlyConflictError,
    RatedResult,
    Store,
    TableRecord,
    TableState,
    Timer,
    Transaction,
    events,
    games,
    ladder,
    ratings,
    timers,
)
from tournaments.facts import Result
from tournaments.lasting.ratings import Scale, scale_of
from tournaments.points import Outcome, places

SOON: Final = timedelta(seconds=2)
"""When a result is taken of an event that somebody else has just then."""


log = logging.getLogger(__name__)


class Results:
    """Takes the results of games into events, ladder and ratings."""

    def __init__(
        self, store: Store, clock: Clock, log: EventLog, games: GameReader, ratings_: Ratings, ladder_: Ladder
    ) -> None:
        self._store = store
        self._clock = clock
        self._log = log
        self._games = games
        self._ratings = ratings_
        self._ladder = ladder_

    async def take_result(self, timer: Timer) -> None:
        """A game of an event is over: its result is taken, in the transaction that ends the timer."""
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            table = await events.table_of_game(tx, timer.game_id)
        outcome = await self._outcome(game)
        while True:
            try:
                async with self._store.writing() as tx:
                    if table is not None and not await events.hold_free(tx, [table.event_id]):
                        await timers.take(tx, timer, self._clock.now() + SOON)
                        return
                    if not await timers.claim(tx, timer):
                        return
                    table = await events.table_of_game(tx, game.id)
                    found = await ladder.of_game(tx, game.id) if table is None else None
                    if table is not None:
                        await self._take(tx, table, outcome)
                    elif found is not None and outcome.how != "forfeited":
                        await self._ladder.take(tx, game, found, places(outcome))
            except PlyConflictError:
                log.debug("somebody else has added a fact", extra=about(game))
            else:
                return

    async def rate_again(self, tx: Transaction, known: Known, row: TableRecord) -> Scale | None:
        """The result that counts is another one now; the scale that has to be worked out anew."""
        if not known.running.specification.parameters.rated:
            return None
        seats = len(table_of(known, row.place).seats)
        scale = scale_of(known.running.specification.parameters.game, seats)
        rated = rated_game(known, row.place)
        players, ranks = ((), ()) if rated is None else (rated.players, rated.places)
        await ratings.hold(tx)
        await ratings.correct(tx, self._rated_result(known, row, scale, players, ranks))
        await self._ratings.doubt(tx, scale)
        return scale

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _outcome(self, game: Game) -> Outcome:
        game, played = await self._games.load(game)
        return await asyncio.to_thread(outcome_of, played.position, played.log)

    async def _take(self, tx: Transaction, table: TableRecord, outcome: Outcome) -> None:
        known = await self._log.known(tx, table.event_id)
        if table.state in (TableState.DECIDED, TableState.VOID) or known.record.state not in GOING:
            return
        stage, _, number, place = table.place
        if known.running.outcome(stage, number, place) is None:
            known = await self._log.append(tx, known, Result(stage, number, place, outcome))
            await self._rate(tx, known, table)
        await events.change_table(tx, table, {"state": TableState.DECIDED})

    async def _rate(self, tx: Transaction, known: Known, table: TableRecord) -> None:
        """A game that counts changes the ratings of those who played it."""
        rated = rated_game(known, table.place)
        if rated is None:
            return
        await ratings.hold(tx)
        result = self._rated_result(known, table, rated.scale, rated.players, rated.places)
        await ratings.add(tx, result)
        await self._ratings.follow(tx, result, known.names())

    def _rated_result(
        self, known: Known, table: TableRecord, scale: str, players: tuple[str, ...], ranks: tuple[int, ...]
    ) -> RatedResult:
        return RatedResult(
            scale=scale,
            guild_id=known.record.guild_id,
            at=self._clock.now(),
            players=tuple(map(int, players)),
            places=ranks,
            event_id=known.record.id,
            stage=table.place.stage,
            round=table.place.round,
            number=table.place.number,
            game_id=table.game_id,
        )
