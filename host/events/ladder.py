"""The ladder: players enter a queue and are matched in rated games with others of about equal strength.

There is a queue for each server and each *scale*, which is a kind of game with ratings of its own, such as duels. Every
quarter of an hour the rules in ``tournaments.lasting.ladder`` arrange games from the queue. The longer players wait,
the larger may the difference in strength be.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import combinations
from typing import Final

from engine import GAMES
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games.outbox import Outbox
from host.naming import new_label
from host.new_games import add_game, free_label, new_game
from host.observability import game_fields
from host.retry import Precomputed, run_with_precomputed
from host.rights import GameLimits
from host.settings import HostSettings
from store import NewGame, Person, QueueRecord, Store, TableSettings, Transaction, ladder, ratings
from store.tourneys.ladder import LadderGame
from tournaments.lasting.ladder import QueuedPlayer, match_queue
from tournaments.lasting.ratings import Rating, Scale, scale_of

log = logging.getLogger(__name__)

MATCHMAKING_RETRY_DELAY: Final = timedelta(minutes=15)
"""The time between two attempts to match the players of a queue."""
RECENT_GAMES_PERIOD: Final = timedelta(days=7)
"""The time for which earlier games count, so that players meet various opponents and begin about equally often."""
SEATS: Final = {Scale.DUEL: 2, Scale.MULTIPLAYER: 4, Scale.THE_CASTLE: 2}
"""The number of seats in the ladder's games, by scale."""
PACE: Final = "standard"
"""The pace of the ladder's games."""


@dataclass(eq=False)
class Ladder:
    """Adds players to the queues, and opens games for those who are matched."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _outbox: Outbox
    _limits: GameLimits

    async def enter(self, person: Person, guild_id: int, channel_id: int, scale: Scale) -> int:
        """Add a player to a queue, for a game in this channel; return the number of players in the queue.

        Raises:
            HostError: ``queued_already``, ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        now = self._clock.now()
        record = QueueRecord(guild_id=guild_id, scale=scale, person=person, channel_id=channel_id, joined_at=now)
        async with self._store.writing(_queue_lock(guild_id, scale)) as tx:
            if not await ladder.join_queue(tx, record, now):
                raise HostError(ErrorCode.QUEUED_ALREADY)
            await self._limits.check_player(tx, guild_id, person)
            return len(await ladder.queue(tx, guild_id, scale))

    async def leave(self, user_id: int, guild_id: int, scale: Scale) -> None:
        """Remove a player from a queue.

        Raises:
            HostError: ``not_queued``.
        """
        async with self._store.writing(_queue_lock(guild_id, scale)) as tx:
            if not await ladder.leave_queue(tx, guild_id, scale, [user_id]):
                raise HostError(ErrorCode.NOT_QUEUED)

    async def waiting(self, guild_id: int, scale: Scale) -> tuple[Person, ...]:
        """Return the players in a queue, the longest wait first."""
        return tuple(record.person for record in await self._store.read(ladder.queue, guild_id, scale))

    async def work(self) -> int:
        """Match the players of all queues that are due; return the number of queues."""
        due_queues = await self._store.read(ladder.due_queues, self._clock.now())
        for guild_id, scale in due_queues:
            await run_with_precomputed(partial(self._match, guild_id, Scale(scale)))
        return len(due_queues)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _match(self, guild_id: int, scale: Scale, precomputed: Precomputed) -> None:
        """Match the players of a queue and open their games; those who remain are tried again later."""
        now = self._clock.now()
        async with self._outbox.writing(_queue_lock(guild_id, scale)) as tx:
            queue = await ladder.queue(tx, guild_id, scale)
            if not any(due <= now for due in await ladder.search_times(tx, guild_id, scale)):
                return  # another process was quicker
            recent_games = await ladder.games_since(tx, guild_id, scale, now - RECENT_GAMES_PERIOD)
            rating_of_user = await ratings.of_users(tx, guild_id, scale, [record.person.user_id for record in queue])

            # Count how often each pair has met, and how often each player has had the first seat.
            pairs = (pair for game in recent_games for pair in combinations(map(str, game.players), 2))
            meetings = Counter(map(frozenset, pairs))
            first_seats = Counter(game.players[0] for game in recent_games)
            queued_players = []
            for record in queue:
                user_id = record.person.user_id
                shown = rating_of_user.get(user_id, Rating()).shown
                queued_players.append(QueuedPlayer(str(user_id), shown, record.waited, first_seats[user_id]))

            arranged = match_queue(queued_players, SEATS[scale], meetings)
            record_of_key = {str(record.person.user_id): record for record in queue}
            tables = tuple(tuple(record_of_key[key] for key in keys) for keys in arranged.games)
            new_games = precomputed.of(tables, lambda: [self._shuffled_game(seats, scale) for seats in tables])
            for seats, new in zip(tables, new_games, strict=True):
                await self._open_game(tx, seats, new, scale, now)
            for player in arranged.waiting:
                retry_at = now + MATCHMAKING_RETRY_DELAY
                await ladder.postpone(tx, guild_id, scale, int(player.key), player.waited, retry_at)

    def _shuffled_game(self, seats: Sequence[QueueRecord], scale: Scale) -> NewGame:
        """Return a new game of a scale, shuffled, with a provisional label."""
        name = next(game for game in GAMES if scale_of(game, SEATS[scale]) is scale)
        return _new_game(name, seats, self._settings.new_seed(), dict(self._settings.material.get(name, {})))

    async def _open_game(
        self, tx: Transaction, seats: Sequence[QueueRecord], new: NewGame, scale: Scale, now: datetime
    ) -> None:
        """Store a game in the channel of its first player, and remove its players from the queue."""
        first = seats[0]
        label = await free_label(tx)
        game = await add_game(tx, replace(new, code=label.code, name=label.name), now, opening=True)
        people = tuple(record.person.user_id for record in seats)
        await ladder.leave_queue(tx, first.guild_id, scale, people)
        await ladder.add_game(tx, LadderGame(game.id, first.guild_id, scale, now, people))
        log.info("game of the ladder opened", extra=game_fields(game))


def _queue_lock(guild_id: int, scale: str) -> str:
    """Return the name of the lock on a queue."""
    return f"ladder {guild_id} {scale}"


def _new_game(name: str, seats: Sequence[QueueRecord], seed: str, material: dict[str, object]) -> NewGame:
    """Return a game of this kind between these players; all random choices are derived from the seed."""
    game = GAMES[name]
    setup = game.new_setup(players=len(seats), seed=seed, options=game.options(), expansions=(), **material)
    people, settings = [record.person for record in seats], TableSettings(hints=False, pace=PACE)
    return new_game(setup, new_label(), people, seats[0].guild_id, seats[0].channel_id, settings)
