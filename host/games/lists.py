"""Lists of games without their positions: a player's, a channel's, a server's.

A list contains :class:`GameSummary` lines, as one person sees them. Rows that cannot be read are reported and left
out, so that one damaged game does not hide the others.
"""

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
"""The most games of one channel that are considered when a player does not say which game they mean."""


@dataclass(eq=False)
class GameLists:
    """Lists games, and finds the game that a player means or that waits for them."""

    _store: Store
    _clock: Clock
    _unreadable: UnreadableRows

    async def in_channel(self, place_id: int) -> Game | None:
        """Return the game of a channel or thread: the running one, else the newest; None if there is none."""
        return await self._store.read(games.in_place, place_id)

    async def of_user(
        self, user_id: int, *, guild_id: int | None = None, running_only: bool = True, limit: int | None = None
    ) -> list[GameSummary]:
        """List a player's games: first those that wait for the player, the longest waiting at the top.

        ``running_only`` leaves out games that are finished or that the player has left; frozen ones stay.
        """
        async with self._store.reading() as tx:
            lines = await games.lines_of_user(tx, user_id, guild_id=guild_id, unfinished_only=running_only, limit=limit)
            readable_lines = self._unreadable.readable(lines)
            messages = await outbox.last_messages(tx, [line.id for line in readable_lines])
        return [GameSummary.of(line, user_id, messages.get(line.id)) for line in readable_lines]

    async def of_user_by_deadline(self, user_id: int) -> list[GameSummary]:
        """List a player's running games: first those that wait for the player, the earliest deadline at the top."""
        summaries, now = await self.of_user(user_id), self._clock.now()
        async with self._store.reading() as tx:
            seat_clocks = await clocks.of_games(tx, [game.id for game in summaries])
            players_to_move = {game.to_act.user_id for game in summaries if game.to_act}
            vacations = await absences.coming_vacations(tx, players_to_move, now)
        deadlines = {
            game_id: zero_at(clock) for game_id, seats in seat_clocks.items() if (clock := clock_to_move(seats))
        }
        away_until = {vacation.user_id: vacation.ends_at for vacation in vacations if vacation.covers(now)}
        timed = [
            replace(
                game,
                deadline=deadlines.get(game.id),
                away_until=away_until.get(game.to_act.user_id) if game.to_act else None,
            )
            for game in summaries
        ]
        never = datetime.max.replace(tzinfo=UTC)
        return sorted(timed, key=lambda game: (not game.waiting_for_me, game.deadline or never))

    async def next_waiting_for(self, user_id: int, *, exclude: int) -> NextGame | None:
        """Return the game that has waited longest for a player, except the game with the id ``exclude``."""
        return await self._store.read(games.next_waiting_for, user_id, exclude=exclude)

    async def candidates(
        self, user_id: int, guild_id: int, place_id: int, *, own: bool, thread: bool
    ) -> list[GameSummary]:
        """List the games that a player may mean who gives a command in a place without naming a game.

        Exactly one candidate is unambiguous; of several the player has to choose. The caller checks whether the player
        may see the games of others.
        """
        lines = self._unreadable.readable(await self._store.read(games.newest_in_place, place_id, MAX_GAMES_NEARBY))
        games_here = [GameSummary.of(line, user_id) for line in lines if line.guild_id == guild_id]
        own_games = await self.of_user(user_id, guild_id=guild_id)
        return list(candidate_games(games_here, own_games, place_id, own=own, thread=thread))

    async def of_guild(self, guild_id: int, limit: int, before: int | None = None) -> list[GameSummary]:
        """List a server's unfinished games, newest first.

        ``before`` is the id of a game: only older ones are listed, as on the next page of a list.
        """
        lines = self._unreadable.readable(await self._store.read(games.newest_unfinished, guild_id, limit, before))
        return [GameSummary.of(line, NO_VIEWER) for line in lines]


def candidate_games(
    games_here: Sequence[GameSummary], own_games: Sequence[GameSummary], place: int, *, own: bool, thread: bool
) -> Sequence[GameSummary]:
    """Choose the games that a player may mean in a place; exactly one is unambiguous.

    ``games_here`` are the games that are played or were opened in the place, ``own_games`` those that the player plays
    in the server. ``own`` leaves out all others; ``thread`` says that the place is a thread.

    The game of this place comes first, in a thread even if it is over. Then come the games that wait for the player,
    then all of theirs, and for an onlooker the games that were opened here. The first group that has any game wins.
    """
    in_place = [game for game in games_here if game.place == place and (game.seated or not own)]
    running = [game for game in in_place if game.status is not GameStatus.FINISHED]
    played = [game for game in running if game.playing]
    past = [game for game in in_place if game not in played][:1] if thread or not own_games else []
    waiting = [game for game in own_games if game.waiting_for_me]
    groups = (
        [game for game in played if game.waiting_for_me],
        played,
        [] if own else running,
        past,
        _opened_here(waiting, place) or waiting,
        _opened_here(own_games, place) or own_games,
        [] if own else games_here,
    )
    return next((group for group in groups if group), [])


def _opened_here(games: Sequence[GameSummary], place: int) -> Sequence[GameSummary]:
    """Return the game that was opened in this channel, if it is the only one; else nothing."""
    opened = [game for game in games if game.channel_id == place]
    return opened if len(opened) == 1 else []
