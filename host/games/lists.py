"""Lists of games: a player's, a channel's, a server's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from host.clock import Clock
from host.clocks import clock_to_move, zero_at
from host.games.reader import NO_VIEWER
from host.observability import UnreadableRows
from host.values import GameSummary
from store import Game, GameStatus, NextGame, Store, absences, clocks, games, outbox

MAX_GAMES_NEARBY: Final = 25
"""Games of one channel that are considered when a player names none."""


@dataclass(eq=False)
class GameLists:
    """Lists games without their positions."""

    _store: Store
    _clock: Clock
    _unreadable: UnreadableRows

    async def in_channel(self, place_id: int) -> Game | None:
        """Return the game of a channel or thread: the running one, else the newest."""
        async with self._store.reading() as tx:
            return await games.in_place(tx, place_id)

    async def of_user(
        self, user_id: int, *, guild_id: int | None = None, running_only: bool = True, limit: int | None = None
    ) -> list[GameSummary]:
        """List a player's games: those that wait for them first, and of these the longest waiting first.

        ``running_only`` leaves out the finished ones and those that they have left, and keeps those that are frozen.
        """
        async with self._store.reading() as tx:
            lines = await games.lines_of_user(tx, user_id, guild_id=guild_id, unfinished_only=running_only, limit=limit)
            found = self._unreadable.readable(lines)
            messages = await outbox.last_messages(tx, [line.id for line in found])
        return [GameSummary.of(line, user_id, messages.get(line.id)) for line in found]

    async def of_user_by_deadline(self, user_id: int) -> list[GameSummary]:
        """List a player's running games: those that wait for them first, and of these the earliest deadline first."""
        found, now = await self.of_user(user_id), self._clock.now()
        async with self._store.reading() as tx:
            running = await clocks.of_games(tx, [game.game_id for game in found])
            waited_for = {game.to_act.user_id for game in found if game.to_act}
            away = await absences.coming_vacations(tx, waited_for, now)
        ends = {game_id: zero_at(asked) for game_id, seats in running.items() if (asked := clock_to_move(seats))}
        until = {entry.user_id: entry.ends_at for entry in away if entry.covers(now)}
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

    async def next_waiting_for(self, user_id: int, *, exclude: int) -> NextGame | None:
        """Return the game that has waited longest for a player, except the game with the id ``exclude``."""
        async with self._store.reading() as tx:
            return await games.next_waiting_for(tx, user_id, exclude=exclude)

    async def candidates(
        self, user_id: int, guild_id: int, place_id: int, *, own: bool, thread: bool
    ) -> list[GameSummary]:
        """List the games that a player who names none may mean here; exactly one is unambiguous.

        Whether the player may see those that are not theirs is for the caller to check.
        """
        async with self._store.reading() as tx:
            around = self._unreadable.readable(await games.newest_in_place(tx, place_id, MAX_GAMES_NEARBY))
        here = [GameSummary.of(line, user_id) for line in around if line.guild_id == guild_id]
        mine = await self.of_user(user_id, guild_id=guild_id)
        return list(candidate_games(here, mine, place_id, own=own, thread=thread))

    async def of_guild(self, guild_id: int, limit: int, before: int | None = None) -> list[GameSummary]:
        """List a server's unfinished games, newest first; with ``before`` (a game's id) only older ones."""
        async with self._store.reading() as tx:
            found = self._unreadable.readable(await games.newest_unfinished(tx, guild_id, limit, before))
        return [GameSummary.of(line, NO_VIEWER) for line in found]


def candidate_games(
    here: Sequence[GameSummary], mine: Sequence[GameSummary], place: int, *, own: bool, thread: bool
) -> Sequence[GameSummary]:
    """Choose the games that may be meant in a channel or thread; exactly one is unambiguous.

    ``here`` are the games that are played or were opened there, ``mine`` those that the player plays in the server;
    ``own`` leaves out whatever is not theirs. First comes the game of this place (in a thread of its own even when it
    is over), then the one that waits, then all of theirs; for an onlooker, what was opened here.
    """
    living = [game for game in here if game.place == place and (game.seated or not own)]
    running = [game for game in living if game.status is not GameStatus.FINISHED]
    played = [game for game in running if game.playing]
    past = [game for game in living if game not in played][:1] if thread or not mine else []
    waiting = [game for game in mine if game.waiting_for_me]
    groups = (
        [game for game in played if game.waiting_for_me],
        played,
        [] if own else running,
        past,
        _opened_here(waiting, place) or waiting,
        _opened_here(mine, place) or mine,
        [] if own else here,
    )
    return next((group for group in groups if group), [])


def _opened_here(games: Sequence[GameSummary], place: int) -> Sequence[GameSummary]:
    """Return the single game that was opened in this channel, or nothing."""
    found = [game for game in games if game.channel_id == place]
    return found if len(found) == 1 else []
