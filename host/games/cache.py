"""A least-recently-used cache of games with their positions, bounded by bytes."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine import Position, Setup, replay
from engine.events import Event
from host.clock import Clock
from host.values import LoggedAction, Moment
from store import Game, GameHeader, GameStatus

log = logging.getLogger(__name__)

_EMPTY_TABLE_BYTES: Final = 32 * 1024
"""Bytes of a table without any move: setup, seats, two positions."""
_BYTES_PER_PLY: Final = 640
"""Bytes that each action adds to the log and to the three positions; measured, rounded up."""
_MAX_ROUND_ACTIONS: Final = 64
"""Newest actions searched for each player's last decision; more than a round takes."""
RECENT_USE: Final = timedelta(hours=1)
"""A game evicted sooner than this after its last use should have been kept."""


@dataclass(frozen=True, slots=True)
class LastMove:
    """The position before the newest move, and what that move did."""

    before: Position
    events: tuple[Event, ...]
    preset: tuple[range, ...] = ()
    """The ranges of ``events`` that come from preset actions, one range for each action."""


@dataclass(frozen=True, slots=True)
class Played:
    """The cached position and log of a game; positions are copied, never changed."""

    position: Position
    log: tuple[LoggedAction, ...]
    last: LastMove | None = None
    earlier: Position | None = None
    """An earlier position, from which the moves that players missed are replayed."""

    @classmethod
    def through(cls, setup: Setup, log: Sequence[LoggedAction]) -> Played:
        """Replay a whole log.

        Raises:
            IllegalActionError: one of its actions is not legal.
        """
        earlier = replay(setup, [entry.action for entry in log[: _missed_from(log)]])
        return cls(_followed(earlier, log, len(log)), tuple(log), earlier=earlier)

    def moved(self, position: Position, entries: Sequence[LoggedAction], last: LastMove) -> Played:
        """Return the cached table after these actions, which led to ``position``."""
        log = (*self.log, *entries)
        earlier = self.position if self.earlier is None else self.earlier
        return Played(position, log, last, _followed(earlier, log, _missed_from(log)))

    def span(self, game: Game, from_ply: int, ply: int) -> Moment | None:
        """Return the span if it is the newest move, which needs no replay; else None."""
        last = self.last
        if last is None or last.before.ply != from_ply or self.position.ply != ply:
            return None
        before, after = last.before.copy(), self.position.copy()
        return Moment(game, before, after, self.log[from_ply:ply], last.events, last.preset, game.taken_back)


def _missed_from(log: Sequence[LoggedAction]) -> int:
    """Return the ply after the last own decision of the player who decided longest ago, within a round."""
    last = {entry.user_id: entry.ply + 1 for entry in log[-_MAX_ROUND_ACTIONS:] if not entry.preset}
    return min(last.values(), default=len(log))


def _followed(position: Position, log: Sequence[LoggedAction], ply: int) -> Position:
    """Return the position replayed up to a ply; the position itself if it is not earlier."""
    if position.ply >= ply:
        return position
    followed = position.copy()
    for entry in log[position.ply : ply]:
        followed.apply(entry.action)
    return followed


@dataclass(frozen=True, slots=True)
class CachedGame:
    """A game and its table, as both were stored at one moment."""

    game: Game
    played: Played
    used_at: datetime

    @property
    def weight(self) -> int:
        """Estimated size in bytes."""
        return _EMPTY_TABLE_BYTES + _BYTES_PER_PLY * self.played.position.ply

    def updated_by(self, header: GameHeader, user_id: int) -> Game | None:
        """Return the game updated from its header, or None if the cached position may be out of date."""
        game = self.game
        moved = header.stamp != game.stamp or game.seat_of(user_id) != header.seat
        if moved or header.status is GameStatus.FROZEN:
            return None
        if header.seat is not None and header.name is not None and game.seats[header.seat].name != header.name:
            person = replace(game.seats[header.seat], name=header.name)
            game = replace(game, seats=(*game.seats[: header.seat], person, *game.seats[header.seat + 1 :]))
        where = (game.guild_id, game.channel_id, game.thread_id)
        if (header.place, header.status, header.ends_at) != (where, game.status, game.ends_at):
            server, channel, thread = header.place
            game = replace(game, guild_id=server, channel_id=channel, thread_id=thread)
            game = replace(game, status=header.status, ends_at=header.ends_at)
        return game


class GameCache:
    """Games by id, up to a weight in bytes; the newest stays in any case."""

    def __init__(self, most: int, clock: Clock) -> None:
        self._most = most
        self._clock = clock
        self._games: OrderedDict[int, CachedGame] = OrderedDict()
        self._ids: dict[str, int] = {}
        self._weight = 0
        self._warned_at: datetime | None = None

    def id_of(self, ref: int | str) -> int | None:
        """Return the id of a game, given its id or code, if it is cached."""
        found = ref if isinstance(ref, int) else self._ids.get(ref.strip().upper())
        return found if found in self._games else None

    def find(self, game_id: int) -> CachedGame | None:
        """Return a game as it was last cached."""
        return self._games.get(game_id)

    def forget(self, game_id: int) -> None:
        """Evict a game."""
        self._drop(game_id)

    def keep(self, game: Game, played: Played) -> None:
        """Cache a game as the most recently used."""
        now = self._clock.now()
        self._drop(game.id)
        self._games[game.id] = entry = CachedGame(game, played, now)
        self._ids[game.code] = game.id
        self._weight += entry.weight
        while self._weight > self._most and len(self._games) > 1:
            oldest = next(iter(self._games.values()))
            self._drop(oldest.game.id)
            self._warn(oldest, now)

    def _drop(self, game_id: int) -> None:
        entry = self._games.pop(game_id, None)
        if entry is not None:
            self._weight -= entry.weight
            del self._ids[entry.game.code]

    def _warn(self, gone: CachedGame, now: datetime) -> None:
        """Warn, at most once per ``RECENT_USE``, that the cache is too small for the games in use."""
        if now - gone.used_at > RECENT_USE or (self._warned_at is not None and now - self._warned_at < RECENT_USE):
            return
        self._warned_at = now
        about = {"tables": len(self._games), "mib": round(self._most / 2**20)}
        log.warning("too little memory for the tables in use: some are rebuilt at each move", extra=about)
