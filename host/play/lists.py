"""Lists of games: somebody's, those of a place, those of a server."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from host.clock import Clock
from host.play.choosing import meant
from host.time.clocks import asked_of, zero_at
from host.trouble import Trouble
from host.values import GameSummary
from store import Game, NextGame, Store, absences, clocks, games, outbox

MOST_AROUND: Final = 25
"""Games of a channel that somebody may mean who names none."""
NOBODY: Final = 0
"""Whose list it is where it is nobody's."""


class Lists:
    """What can be told of games without their positions."""

    def __init__(self, store: Store, trouble: Trouble, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._trouble = trouble

    async def game_in_channel(self, place_id: int) -> Game | None:
        """The game of a channel or thread: the running one, else the newest."""
        async with self._store.reading() as tx:
            return await games.in_place(tx, place_id)

    async def games_of(
        self, user_id: int, *, guild_id: int | None = None, running_only: bool = True, limit: int | None = None
    ) -> list[GameSummary]:
        """Somebody's games: those that wait for them first, and of these the longest waiting first.

        ``running_only`` leaves out the finished ones and those that they have left, and keeps those that are frozen.
        ``limit`` is how many are of any use to who asks.
        """
        async with self._store.reading() as tx:
            lines = await games.of_user(tx, user_id, guild_id=guild_id, going=running_only, limit=limit)
            found = self._trouble.readable(lines)
            messages = await outbox.last_messages(tx, [line.id for line in found])
        return [GameSummary.of(line, user_id, messages.get(line.id)) for line in found]

    async def by_time_left(self, user_id: int) -> list[GameSummary]:
        """Somebody's running games: those that wait for them first, and of these the one that ends soonest."""
        found, now = await self.games_of(user_id), self._clock.now()
        async with self._store.reading() as tx:
            running = await clocks.of_games(tx, [game.game_id for game in found])
            waited_for = {game.to_act.user_id for game in found if game.to_act}
            away = await absences.coming_vacations(tx, waited_for, now)
        ends = {game_id: zero_at(asked) for game_id, seats in running.items() if (asked := asked_of(seats))}
        until = {entry.user_id: entry.ends_at for entry in away if entry.holds(now)}
        timed = [
            replace(
                game,
                deadline=ends.get(game.game_id),
                away_until=until.get(game.to_act.user_id) if game.to_act else None,
            )
            for game in found
        ]
        never = datetime.max.replace(tzinfo=UTC)
        return sorted(timed, key=lambda game: (not game.waiting_for_me, game.deadline or never))

    async def next_for(self, user_id: int, *, but: int) -> NextGame | None:
        """The game that waits for somebody longest, one left out."""
        async with self._store.reading() as tx:
            return await games.next_for(tx, user_id, but=but)

    async def games_meant(
        self, user_id: int, guild_id: int, place_id: int, *, own: bool, thread: bool
    ) -> list[GameSummary]:
        """The games that somebody may mean who names none; see :func:`host.choosing.meant`.

        Of those that are not theirs nobody has said yet whether they may be seen.
        """
        async with self._store.reading() as tx:
            around = self._trouble.readable(await games.around(tx, place_id, MOST_AROUND))
        here = [GameSummary.of(line, user_id) for line in around if line.guild_id == guild_id]
        mine = await self.games_of(user_id, guild_id=guild_id)
        return list(meant(here, mine, place_id, own=own, thread=thread))

    async def games_in(self, guild_id: int, limit: int, before: int | None = None) -> list[GameSummary]:
        """The games that go on in a server, newest first; those older than one (its id) when that is given."""
        async with self._store.reading() as tx:
            found = self._trouble.readable(await games.newest_unfinished(tx, guild_id, limit, before))
        return [GameSummary.of(line, NOBODY) for line in found]
