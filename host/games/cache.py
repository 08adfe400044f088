"""The cache of games in memory: their positions and logs, so that a move need not replay the whole game.

Games that were used least recently are evicted when the estimated size exceeds a limit in bytes. The database may be
changed by other processes, so a cached game counts as current only if its *header*, a narrow row that is read each
time, shows that nothing newer is stored (:meth:`CachedGame.updated_by`).

A *ply* is the number of actions applied so far, and a *span* the part of a game from one ply to another. A *preset*
action was made by a standing order of the player, not at the moment of their turn.
"""

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
"""Estimated bytes of a game without any move: setup, seats, two positions."""
_BYTES_PER_PLY: Final = 640
"""Bytes that each action adds to the log and to the positions; measured, rounded up."""
_MAX_ROUND_ACTIONS: Final = 64
"""The newest actions that are searched for each player's last decision; more than a round takes."""
RECENT_USE: Final = timedelta(hours=1)
"""A game that is evicted sooner than this after its last use shows that the cache is too small."""


@dataclass(frozen=True, slots=True)
class LastMove:
    """The newest move: the position before it, and the events that it caused."""

    before: Position
    events: tuple[Event, ...]
    preset: tuple[range, ...] = ()
    """The ranges of ``events`` that come from preset actions, one range for each action."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The position and log of a game as played so far. It is shared: whoever changes a position copies it first."""

    position: Position
    log: tuple[LoggedAction, ...]
    last: LastMove | None = None
    """The newest move, None if this was built by a replay; it makes drawing the move's card cheap."""
    earlier: Position | None = None
    """A position from before the moves that most players have missed, from which these can be replayed quickly."""

    @classmethod
    def through(cls, setup: Setup, log: Sequence[LoggedAction]) -> PlayedGame:
        """Build a game by replaying its whole log.

        Raises:
            IllegalActionError: one of its actions is not legal.
        """
        earlier = replay(setup, [entry.action for entry in log[: _missed_from(log)]])
        return cls(_replayed_to(earlier, log, len(log)), tuple(log), earlier=earlier)

    def moved(self, position: Position, entries: Sequence[LoggedAction], last: LastMove) -> PlayedGame:
        """Return the game after these actions, which led to ``position``."""
        log = (*self.log, *entries)
        earlier = self.position if self.earlier is None else self.earlier
        return PlayedGame(position, log, last, _replayed_to(earlier, log, _missed_from(log)))

    def span(self, game: Game, from_ply: int, ply: int) -> Moment | None:
        """Return the span between two plies if it is exactly the newest move; None if it would need a replay."""
        last = self.last
        if last is None or last.before.ply != from_ply or self.position.ply != ply:
            return None
        before, after = last.before.copy(), self.position.copy()
        return Moment(game, before, after, self.log[from_ply:ply], last.events, last.preset, game.taken_back)


def _missed_from(log: Sequence[LoggedAction]) -> int:
    """Return the ply from which some player has missed moves: that after their last own decision.

    It is the earliest such ply over all players who have decided anything within the last round.
    """
    last = {entry.user_id: entry.ply + 1 for entry in log[-_MAX_ROUND_ACTIONS:] if not entry.preset}
    return min(last.values(), default=len(log))


def _replayed_to(position: Position, log: Sequence[LoggedAction], ply: int) -> Position:
    """Return a copy of a position, replayed up to a ply; the position itself if it is there already."""
    if position.ply >= ply:
        return position
    replayed = position.copy()
    for entry in log[position.ply : ply]:
        replayed.apply(entry.action)
    return replayed


@dataclass(frozen=True, slots=True)
class CachedGame:
    """An entry of the cache: a game's row and the game as played so far, both of the same moment."""

    game: Game
    played: PlayedGame
    used_at: datetime

    @property
    def weight(self) -> int:
        """The estimated size in bytes."""
        return _EMPTY_TABLE_BYTES + _BYTES_PER_PLY * self.played.position.ply

    def updated_by(self, header: GameHeader, user_id: int) -> Game | None:
        """Return the game updated from its stored header; None if the cached position may be out of date.

        ``user_id`` is the viewer for whom the header was read.
        """
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
    """The least-recently-used cache, up to ``max_bytes``; the game used last stays in any case."""

    def __init__(self, max_bytes: int, clock: Clock) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._games: OrderedDict[int, CachedGame] = OrderedDict()
        self._ids: dict[str, int] = {}
        self._weight = 0
        self._warned_at: datetime | None = None

    def id_of(self, ref: int | str) -> int | None:
        """Return the id of a game, given its id or code; None if it is not cached."""
        game_id = ref if isinstance(ref, int) else self._ids.get(ref.strip().upper())
        return game_id if game_id in self._games else None

    def find(self, game_id: int) -> CachedGame | None:
        """Return the entry of a game, without counting that as a use; None if it is not cached."""
        return self._games.get(game_id)

    def evict(self, game_id: int) -> None:
        """Remove a game from the cache, if it is there."""
        entry = self._games.pop(game_id, None)
        if entry is not None:
            self._weight -= entry.weight
            del self._ids[entry.game.code]

    def store(self, game: Game, played: PlayedGame) -> None:
        """Cache a game as the one used most recently, and evict others if the cache has become too large."""
        now = self._clock.now()
        self.evict(game.id)
        self._games[game.id] = entry = CachedGame(game, played, now)
        self._ids[game.code] = game.id
        self._weight += entry.weight
        while self._weight > self._max_bytes and len(self._games) > 1:
            oldest = next(iter(self._games.values()))
            self.evict(oldest.game.id)
            self._warn(oldest, now)

    def _warn(self, evicted: CachedGame, now: datetime) -> None:
        """Warn if a game in use was evicted, at most once per ``RECENT_USE``: the cache is too small."""
        if now - evicted.used_at > RECENT_USE or (self._warned_at is not None and now - self._warned_at < RECENT_USE):
            return
        self._warned_at = now
        about = {"tables": len(self._games), "mib": round(self._max_bytes / 2**20)}
        log.warning("too little memory for the tables in use: some are rebuilt at each move", extra=about)
