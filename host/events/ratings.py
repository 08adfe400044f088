"""Ratings: of each server and of all together, moved by each result, and worked out anew after a correction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from host.ahead import Ahead, worked_out
from host.clock import Clock
from host.events.views.values import RatingView
from store import Person, RatedResult, RatingRecord, Store, Transaction, columns_of, ratings, whole_database
from tournaments.lasting.ratings import CALIBRATED, HeadToHead, RatedGame, Rating, Scale, head_to_head, rated

EVERYWHERE: Final = 0
"""Instead of a server's id: all servers together."""
ACTIVE: Final = timedelta(days=60)
"""Who has not played a game that counts for so long does not stand in the list."""
LISTED: Final = 100
_DOUBT: Final = "ratings of "
"""Before the name of a scale, a mark: a result was corrected, and the ratings do not know it yet."""


class Ratings:
    """Nothing here is more than what the results say: :meth:`rebuild` finds the same."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def leaderboard(self, guild_id: int, scale: Scale) -> tuple[RatingView, ...]:
        """The list of a scale in a server (0: everywhere), best first."""
        async with self._store.reading() as tx:
            since = self._clock.now() - ACTIVE
            found = await ratings.best(tx, guild_id, scale, CALIBRATED, since, LISTED)
        return tuple(_shown(record, rank) for rank, record in enumerate(found, 1))

    async def profile(self, guild_id: int, user_id: int) -> tuple[RatingView, ...]:
        """Somebody's ratings in a server (0: everywhere), a scale after the other."""
        lists = {scale: await self.leaderboard(guild_id, scale) for scale in Scale}
        async with self._store.reading() as tx:
            found = await ratings.of_user(tx, guild_id, user_id)
        ranks = {(scale, view.person.user_id): view.rank for scale, views in lists.items() for view in views}
        return tuple(_shown(record, ranks.get((Scale(record.scale), user_id))) for record in found)

    async def head_to_head(self, one: int, other: int, scale: Scale) -> HeadToHead:
        """How often two players met, everywhere, and how often the first was placed before the second."""
        async with self._store.reading() as tx:
            found = await ratings.results_of(tx, one)
        return head_to_head(map(_game, found), scale, str(one), str(other))

    async def follow(self, tx: Transaction, result: RatedResult, names: Mapping[str, Person]) -> None:
        """The newest result moves the ratings of those who played, in the server and everywhere."""
        for guild_id in (result.guild_id, EVERYWHERE):
            known = await ratings.some(tx, guild_id, result.scale, result.players)
            before = {str(user_id): _rating(record) for user_id, record in known.items()}
            after = rated(_game(result), before)
            people = {**{str(user_id): record.person for user_id, record in known.items()}, **names}
            moved = [
                _record(guild_id, result, people[key], rating, before.get(key, Rating()))
                for key, rating in after.items()
            ]
            await ratings.put(tx, moved)

    async def doubt(self, tx: Transaction, scale: Scale) -> None:
        """What is known of a scale is wrong from now on, until it has been worked out anew."""
        await whole_database.put_mark(tx, f"{_DOUBT}{scale}", 1, self._clock.now())

    async def take_over(self) -> None:
        """At the start: work out anew what nobody has since a correction."""
        async with self._store.reading() as tx:
            doubtful = [scale for scale in Scale if await whole_database.mark(tx, f"{_DOUBT}{scale}") is not None]
        for scale in doubtful:
            await self.rebuild(scale)

    async def rebuild(self, scale: Scale | None = None) -> None:
        """Work out all ratings anew from the results, as they are when the ratings are stored."""
        for each in Scale if scale is None else (scale,):
            await worked_out(partial(self._rebuild, each))

    async def _rebuild(self, scale: Scale, ahead: Ahead) -> None:
        async with self._store.writing() as tx:
            await ratings.hold(tx)
            results = await ratings.results(tx, scale)
            for guild_id, records in ahead.of(results, partial(_in_all_servers, results)).items():
                known = await ratings.some(tx, guild_id, scale, [record.person.user_id for record in records])
                everywhere = await ratings.some(tx, EVERYWHERE, scale, [record.person.user_id for record in records])
                named = [_named(record, known, everywhere) for record in records]
                await ratings.put_all(tx, guild_id, scale, named)
            await whole_database.drop_mark(tx, f"{_DOUBT}{scale}")


def _in_all_servers(results: Sequence[RatedResult]) -> dict[int, list[RatingRecord]]:
    """All ratings of a scale, by server, from nothing."""
    guilds = sorted({EVERYWHERE, *(result.guild_id for result in results)})
    return {guild: _worked_out(results, guild) for guild in guilds}


def _worked_out(results: Sequence[RatedResult], guild_id: int) -> list[RatingRecord]:
    """All ratings of a scale in a server, or everywhere, from nothing; their names are not known here."""
    found: dict[str, Rating] = {}
    records: dict[str, RatingRecord] = {}
    for result in _of(results, guild_id):
        before = dict(found)
        after = rated(_game(result), found)
        found.update(after)
        for key, rating in after.items():
            person = Person(int(key), "")
            records[key] = _record(guild_id, result, person, rating, before.get(key, Rating()))
    return list(records.values())


def _of(results: Iterable[RatedResult], guild_id: int) -> Iterable[RatedResult]:
    return (result for result in results if guild_id in (EVERYWHERE, result.guild_id))


def _named(
    record: RatingRecord, known: Mapping[int, RatingRecord], everywhere: Mapping[int, RatingRecord]
) -> RatingRecord:
    user_id = record.person.user_id
    before = known.get(user_id) or everywhere.get(user_id)
    person = record.person if before is None else before.person
    return replace(record, person=person)


def _record(guild_id: int, result: RatedResult, person: Person, rating: Rating, before: Rating) -> RatingRecord:
    active_at: datetime = result.at
    return RatingRecord(
        guild_id=guild_id,
        scale=result.scale,
        person=person,
        mean=rating.mean,
        deviation=rating.deviation,
        games=rating.games,
        before=before.shown,
        shown=rating.shown,
        active_at=active_at,
    )


def _rating(record: RatingRecord) -> Rating:
    return Rating(record.mean, record.deviation, record.games)


def _game(result: RatedResult) -> RatedGame:
    return RatedGame(Scale(result.scale), tuple(map(str, result.players)), result.places)


def _shown(record: RatingRecord, rank: int | None) -> RatingView:
    return RatingView(**columns_of(record), provisional=record.games < CALIBRATED, rank=rank)
