"""Results of games in events and on the ladder, and the ratings that are computed from them.

When such a game is over, its result is recorded once: as a *fact* in the log of its event, or for the ladder
(:class:`Results`). If it is a rated game, the ratings of its players change (:class:`Ratings`).

A *scale* is a kind of game with ratings of its own, such as duels. A player has a rating in each server in which they
play, and one over all servers. All ratings can be recomputed from the stored results, as after a correction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

from host.clock import Clock
from host.events.log import EventLog, outcome_of, table_of
from host.events.stored import ACTIVE_STATES, StoredEvent
from host.events.views import RatingView
from host.games.reader import GameReader
from host.observability import game_fields
from host.retry import Precomputed, run_with_precomputed
from store import events, games, ladder, processes, ratings, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.records import Game, Person, Timer, columns_of, people_of
from store.tourneys.events import TableRecord, TableState
from store.tourneys.ladder import LadderGame
from store.tourneys.ratings import RatedResult, RatingRecord
from tournaments.facts import Result
from tournaments.lasting.ratings import (
    MIN_LISTED_GAMES,
    HeadToHead,
    RatedGame,
    Rating,
    Scale,
    head_to_head,
    rate_game,
    rated_game,
    scale_of,
)
from tournaments.points import Outcome, places

RESULT_RETRY_DELAY: Final = timedelta(seconds=2)
"""The delay before a result is tried again while another process has locked the event."""


log = logging.getLogger(__name__)

ALL_SERVERS: Final = 0
"""The number stored in place of a server's id for the ratings over all servers."""
RANKING_INACTIVITY: Final = timedelta(days=60)
"""The time without a rated game after which a player is not listed any more."""
MAX_LISTED_RATINGS: Final = 100
"""The most players of a rating list."""
_OUTDATED_MARK: Final = "ratings of "
"""The prefix of the stored mark for a scale whose ratings do not include a corrected result yet."""


@dataclass(eq=False)
class Ratings:
    """Lists and updates the stored ratings, which :meth:`rebuild` can recompute from the stored results."""

    _store: Store
    _clock: Clock

    async def leaderboard(self, guild_id: int, scale: Scale) -> tuple[RatingView, ...]:
        """Return the ratings of a scale in a server, or over :data:`ALL_SERVERS`, best first."""
        async with self._store.reading() as tx:
            since = self._clock.now() - RANKING_INACTIVITY
            records = await ratings.best(tx, guild_id, scale, MIN_LISTED_GAMES, since, MAX_LISTED_RATINGS)
        return tuple(_rating_view(record, rank) for rank, record in enumerate(records, 1))

    async def profile(self, guild_id: int, user_id: int) -> tuple[RatingView, ...]:
        """Return a user's ratings of all scales in a server, or over :data:`ALL_SERVERS`."""
        leaderboards = {scale: await self.leaderboard(guild_id, scale) for scale in Scale}
        records = await self._store.read(ratings.ratings_of_user, guild_id, user_id)
        ranks = {(scale, view.person.user_id): view.rank for scale, views in leaderboards.items() for view in views}
        return tuple(_rating_view(record, ranks.get((Scale(record.scale), user_id))) for record in records)

    async def head_to_head(self, first_id: int, second_id: int, scale: Scale) -> HeadToHead:
        """Return the results of two players against each other, over all servers."""
        results = await self._store.read(ratings.results_of_user, first_id)
        return head_to_head(map(_rated_game_of, results), scale, str(first_id), str(second_id))

    async def apply_result(self, tx: Transaction, result: RatedResult, people_by_key: Mapping[str, Person]) -> None:
        """Update the ratings of the players of the newest result, in its server and over all servers.

        ``people_by_key`` are the players with their present names, by user id as text.
        """
        for guild_id in (result.guild_id, ALL_SERVERS):
            current = await ratings.of_users(tx, guild_id, result.scale, result.players)
            before = {str(user_id): _rating_of(record) for user_id, record in current.items()}
            after = rate_game(_rated_game_of(result), before)
            people = {**{str(user_id): record.person for user_id, record in current.items()}, **people_by_key}
            changed = [
                _new_record(guild_id, result, people[key], rating, before.get(key, Rating()))
                for key, rating in after.items()
            ]
            await ratings.save(tx, changed)

    async def mark_outdated(self, tx: Transaction, scale: Scale) -> None:
        """Mark the ratings of a scale as outdated until they are rebuilt."""
        await processes.save_mark(tx, f"{_OUTDATED_MARK}{scale}", 1, self._clock.now())

    async def rebuild_outdated(self) -> None:
        """Rebuild the ratings that are marked as outdated; for the start of the bot, in case of a crash before."""
        async with self._store.reading() as tx:
            outdated = [scale for scale in Scale if await processes.mark_of(tx, f"{_OUTDATED_MARK}{scale}") is not None]
        for scale in outdated:
            await self.rebuild(scale)

    async def rebuild(self, scale: Scale | None = None) -> None:
        """Recompute all ratings of a scale, by default of all scales, from the stored results."""
        for rebuilt_scale in Scale if scale is None else (scale,):
            await run_with_precomputed(partial(self._rebuild, rebuilt_scale))

    async def _rebuild(self, scale: Scale, precomputed: Precomputed) -> None:
        """Compute all ratings of a scale before the transaction, and replace the stored ones in it."""
        async with self._store.writing() as tx:
            await ratings.lock(tx)
            results = await ratings.results(tx, scale)
            for guild_id, records in precomputed.of(results, partial(_replay_by_server, results)).items():
                current = await ratings.of_users(tx, guild_id, scale, [record.person.user_id for record in records])
                everywhere = await ratings.of_users(
                    tx, ALL_SERVERS, scale, [record.person.user_id for record in records]
                )
                named = [_with_name(record, current, everywhere) for record in records]
                await ratings.replace_all(tx, guild_id, scale, named)
            await processes.drop_mark(tx, f"{_OUTDATED_MARK}{scale}")


@dataclass(eq=False)
class Results:
    """Records the results of finished games in their event or for the ladder, and in the ratings."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _games: GameReader
    _ratings: Ratings

    async def take_result(self, timer: Timer) -> None:
        """Record the result of a finished game; handles timers of this kind.

        If another process changes the event at the moment, the timer is postponed.
        """
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            table = await events.table_of_game(tx, timer.game_id)
        outcome = await self._outcome(game)
        while True:
            try:
                async with self._store.writing() as tx:
                    if table is not None and not await events.lock_available(tx, [table.event_id]):
                        await timers.lease(tx, timer, self._clock.now() + RESULT_RETRY_DELAY)
                        return
                    if not await timers.claim(tx, timer):
                        return
                    table = await events.table_of_game(tx, game.id)
                    ladder_game = await ladder.game_by_id(tx, game.id) if table is None else None
                    if table is not None:
                        await self._take_event_game(tx, table, outcome)
                    elif ladder_game is not None and outcome.how != "forfeited":
                        await self._take_ladder_game(tx, game, ladder_game, outcome)
            except PlyConflictError:
                log.debug("another process has added a fact", extra=game_fields(game))
            else:
                return

    async def rate_again(self, tx: Transaction, stored: StoredEvent, row: TableRecord) -> Scale | None:
        """Replace the stored result of a game whose outcome was corrected in its event.

        Return the scale whose ratings have to be rebuilt; None if the event is not rated.
        """
        if not stored.running.specification.parameters.rated:
            return None
        seats = len(table_of(stored, row.place).seats)
        scale = scale_of(stored.running.specification.parameters.game, seats)
        stage, _, number, place = row.place
        rated = rated_game(stored.running, stage, number, place)
        players, ranks = ((), ()) if rated is None else (rated.players, rated.places)
        await ratings.lock(tx)
        await ratings.correct_result(tx, self._rated_result(stored, row, scale, players, ranks))
        await self._ratings.mark_outdated(tx, scale)
        return scale

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _outcome(self, game: Game) -> Outcome:
        """Return the outcome of a finished game, as the rules of events see it."""
        game, played = await self._games.load(game)
        return await asyncio.to_thread(outcome_of, played.position, played.log)

    async def _take_event_game(self, tx: Transaction, table: TableRecord, outcome: Outcome) -> None:
        """Add the result of an event's game to the log of the event, unless it is decided already, and rate it."""
        stored = await self._log.snapshot(tx, table.event_id)
        if table.state in (TableState.DECIDED, TableState.VOID) or stored.record.state not in ACTIVE_STATES:
            return
        stage, _, number, place = table.place
        if stored.running.outcome(stage, number, place) is None:
            stored = await self._log.append(tx, stored, Result(stage, number, place, outcome))
            await self._rate(tx, stored, table)
        await events.update_table(tx, table, {"state": TableState.DECIDED})

    async def _take_ladder_game(self, tx: Transaction, game: Game, ladder_game: LadderGame, outcome: Outcome) -> None:
        """Store the result of a finished ladder game, and update the ratings."""
        await ratings.lock(tx)
        result = RatedResult(
            scale=ladder_game.scale,
            guild_id=ladder_game.guild_id,
            at=self._clock.now(),
            players=tuple(person.user_id for person in people_of(game.seats)),
            places=places(outcome),
            game_id=game.id,
        )
        await ratings.add_result(tx, result)
        await self._ratings.apply_result(tx, result, {str(person.user_id): person for person in people_of(game.seats)})

    async def _rate(self, tx: Transaction, stored: StoredEvent, table: TableRecord) -> None:
        """Store the result of an event's game, and update the ratings, if it is a rated one."""
        stage, _, number, place = table.place
        rated = rated_game(stored.running, stage, number, place)
        if rated is None:
            return
        await ratings.lock(tx)
        result = self._rated_result(stored, table, rated.scale, rated.players, rated.places)
        await ratings.add_result(tx, result)
        await self._ratings.apply_result(tx, result, stored.names())

    def _rated_result(
        self, stored: StoredEvent, table: TableRecord, scale: str, players: tuple[str, ...], ranks: tuple[int, ...]
    ) -> RatedResult:
        """Return the record of a result: ``players`` are user ids as text, ``ranks`` their ranks in the game."""
        return RatedResult(
            scale=scale,
            guild_id=stored.record.guild_id,
            at=self._clock.now(),
            players=tuple(map(int, players)),
            places=ranks,
            event_id=stored.record.id,
            stage=table.place.stage,
            round=table.place.round,
            number=table.place.number,
            game_id=table.game_id,
        )


def _replay_by_server(results: Sequence[RatedResult]) -> dict[int, list[RatingRecord]]:
    """Return all ratings of a scale, by server, computed from the first result on."""
    guilds = sorted({ALL_SERVERS, *(result.guild_id for result in results)})
    return {guild: _replay_results(results, guild) for guild in guilds}


def _replay_results(results: Sequence[RatedResult], guild_id: int) -> list[RatingRecord]:
    """Return the ratings in a server, or over all servers, computed from the first result on; without names."""
    ratings_by_key: dict[str, Rating] = {}
    records: dict[str, RatingRecord] = {}
    for result in _results_of(results, guild_id):
        before = dict(ratings_by_key)
        after = rate_game(_rated_game_of(result), ratings_by_key)
        ratings_by_key.update(after)
        for key, rating in after.items():
            person = Person(int(key), "")
            records[key] = _new_record(guild_id, result, person, rating, before.get(key, Rating()))
    return list(records.values())


def _results_of(results: Iterable[RatedResult], guild_id: int) -> Iterable[RatedResult]:
    """Return the results that count in a server, or over all servers."""
    return (result for result in results if guild_id in (ALL_SERVERS, result.guild_id))


def _with_name(
    record: RatingRecord, in_server: Mapping[int, RatingRecord], everywhere: Mapping[int, RatingRecord]
) -> RatingRecord:
    """Return a computed rating with the player's name from the stored ratings before."""
    user_id = record.person.user_id
    before = in_server.get(user_id) or everywhere.get(user_id)
    person = record.person if before is None else before.person
    return replace(record, person=person)


def _new_record(guild_id: int, result: RatedResult, person: Person, rating: Rating, before: Rating) -> RatingRecord:
    """Return the row of a player's rating after a result."""
    return RatingRecord(
        **columns_of(rating),
        guild_id=guild_id,
        scale=result.scale,
        person=person,
        before=before.shown,
        shown=rating.shown,
        active_at=result.at,
    )


def _rating_of(record: RatingRecord) -> Rating:
    """Return a stored rating as the rules of events compute with it."""
    return Rating(record.mean, record.deviation, record.games)


def _rated_game_of(result: RatedResult) -> RatedGame:
    """Return a stored result as the rules of events rate it."""
    return RatedGame(Scale(result.scale), tuple(map(str, result.players)), result.places)


def _rating_view(record: RatingRecord, rank: int | None) -> RatingView:
    """Return a stored rating as users see it; the rank is None if the player is not listed."""
    return RatingView(**columns_of(record), provisional=record.games < MIN_LISTED_GAMES, rank=rank)
