"""The ladder: queues that match players of about equal strength in rated games, opened like the tables of events."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import combinations
from typing import Final

from engine import GAMES, begin, state_digest
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.driver import add_game
from host.games.outbox import Outbox
from host.naming import new_label
from host.observability import game_fields
from host.retry import Precomputed, run_with_precomputed
from host.rights import GameLimits
from host.settings import HostSettings
from store import NewGame, Person, QueueRecord, Store, TableSettings, Transaction, games, ladder, ratings
from store.tourneys.ladder import LadderGame
from tournaments.lasting.ladder import QueuedPlayer, match_queue
from tournaments.lasting.ratings import Rating, Scale, scale_of

log = logging.getLogger(__name__)

MATCHMAKING_RETRY_DELAY: Final = timedelta(minutes=15)
"""Time between two attempts to match the players of a queue."""
WEEK: Final = timedelta(days=7)
SEATS: Final = {Scale.DUEL: 2, Scale.MULTIPLAYER: 4, Scale.THE_CASTLE: 2}
PACE: Final = "standard"


@dataclass(eq=False)
class Ladder:
    """The ladder's queues, by server and scale."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _outbox: Outbox
    _limits: GameLimits

    async def enter(self, person: Person, guild_id: int, channel_id: int, scale: Scale) -> int:
        """Enter the queue for a game in this channel; return the number of waiting players.

        Raises:
            HostError: ``queued_already``, ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        now = self._clock.now()
        record = QueueRecord(guild_id=guild_id, scale=scale, person=person, channel_id=channel_id, joined_at=now)
        async with self._store.writing(_line(guild_id, scale)) as tx:
            if not await ladder.join_queue(tx, record, now):
                raise HostError(ErrorCode.QUEUED_ALREADY)
            await self._limits.check_player(tx, guild_id, person)
            return len(await ladder.queue(tx, guild_id, scale))

    async def leave(self, user_id: int, guild_id: int, scale: Scale) -> None:
        """Leave the queue.

        Raises:
            HostError: ``not_queued``.
        """
        async with self._store.writing(_line(guild_id, scale)) as tx:
            if not await ladder.leave_queue(tx, guild_id, scale, [user_id]):
                raise HostError(ErrorCode.NOT_QUEUED)

    async def waiting(self, guild_id: int, scale: Scale) -> tuple[Person, ...]:
        """Return the waiting players, the longest wait first."""
        async with self._store.reading() as tx:
            return tuple(record.person for record in await ladder.queue(tx, guild_id, scale))

    async def work(self) -> int:
        """Arrange games in the queues that are due; return their number."""
        async with self._store.reading() as tx:
            due = await ladder.due_queues(tx, self._clock.now())
        for guild_id, scale in due:
            await run_with_precomputed(partial(self._look, guild_id, Scale(scale)))
        return len(due)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _look(self, guild_id: int, scale: Scale, precomputed: Precomputed) -> None:
        """Match the players who may play; the search of those who remain widens with the next attempt."""
        now = self._clock.now()
        async with self._outbox.writing(_line(guild_id, scale)) as tx:
            queue = await ladder.queue(tx, guild_id, scale)
            if not any(due <= now for due in await ladder.search_times(tx, guild_id, scale)):
                return  # somebody else was quicker
            lately = await ladder.games_since(tx, guild_id, scale, now - WEEK)
            rating_of_user = await ratings.of_users(tx, guild_id, scale, [record.person.user_id for record in queue])
            met: dict[frozenset[str], int] = {}
            firsts: dict[int, int] = {}
            for game in lately:
                firsts[game.players[0]] = firsts.get(game.players[0], 0) + 1
                for two in combinations(map(str, game.players), 2):
                    met[frozenset(two)] = met.get(frozenset(two), 0) + 1
            line = [
                QueuedPlayer(
                    str(record.person.user_id),
                    rating_of_user[record.person.user_id].shown
                    if record.person.user_id in rating_of_user
                    else Rating().shown,
                    record.waited,
                    firsts.get(record.person.user_id, 0),
                )
                for record in queue
            ]
            arranged = match_queue(line, SEATS[scale], met)
            people = {str(record.person.user_id): record for record in queue}
            tables = tuple(tuple(people[key] for key in keys) for keys in arranged.games)
            news = precomputed.of(tables, lambda: [self._shuffled_game(seats, scale) for seats in tables])
            for seats, new in zip(tables, news, strict=True):
                await self._found(tx, seats, new, scale, now)
            for left in arranged.waiting:
                await ladder.postpone(tx, guild_id, scale, int(left.key), left.waited, now + MATCHMAKING_RETRY_DELAY)

    def _shuffled_game(self, seats: Sequence[QueueRecord], scale: Scale) -> NewGame:
        name = next(game for game in GAMES if scale_of(game, SEATS[scale]) is scale)
        return _new_game(name, seats, self._settings.new_seed(), dict(self._settings.material.get(name, {})))

    async def _found(
        self, tx: Transaction, seats: Sequence[QueueRecord], drawn_up: NewGame, scale: Scale, now: datetime
    ) -> None:
        first = seats[0]
        label = new_label()
        while await games.is_code_taken(tx, label.code):
            label = new_label()
        game = await add_game(tx, replace(drawn_up, code=label.code, name=label.name), now)
        people = tuple(record.person.user_id for record in seats)
        await ladder.leave_queue(tx, first.guild_id, scale, people)
        await ladder.add_game(tx, LadderGame(game.id, first.guild_id, scale, now, people))
        log.info("game of the ladder opened", extra=game_fields(game))


def _line(guild_id: int, scale: str) -> str:
    """Return the name of the lock on a queue."""
    return f"ladder {guild_id} {scale}"


def _new_game(name: str, seats: Sequence[QueueRecord], seed: str, material: dict[str, object]) -> NewGame:
    game = GAMES[name]
    setup = game.new_setup(players=len(seats), seed=seed, options=game.options(), expansions=(), **material)
    position, label = begin(setup), new_label()
    return NewGame(
        code=label.code,
        name=label.name,
        guild_id=seats[0].guild_id,
        channel_id=seats[0].channel_id,
        seats=tuple(record.person for record in seats),
        setup=setup.to_json(),
        digest=state_digest(position),
        seat_to_act=position.player,
        settings=TableSettings(hints=False, pace=PACE),
    )
