"""Matchmaking for the ladder: waiting players are matched with others of similar strength, but no pair too often.

The *ladder* is a ranking without an end, for which players queue whenever they like. A search that finds no opponents
for a player widens the range of ratings that the next search accepts for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

MAX_WEEKLY_MEETINGS: Final = 2
"""The most games for which two players are matched in a week."""
INITIAL_RATING_RANGE: Final = 200
"""The widest rating difference at which two players are matched at first."""
RATING_RANGE_STEP: Final = 100
"""The rating difference added for each unsuccessful round of matchmaking."""


@dataclass(frozen=True, slots=True)
class QueuedPlayer:
    """A player in the queue, with their displayed rating.

    ``waited`` is the number of searches that found no opponents for them. ``firsts`` is the number of their recent
    ladder games in which they had the first seat.
    """

    key: str
    rating: int
    waited: int = 0
    firsts: int = 0

    @property
    def reach(self) -> int:
        """The largest rating difference at which this player is matched with another one."""
        return INITIAL_RATING_RANGE + RATING_RANGE_STEP * self.waited


@dataclass(frozen=True, slots=True)
class ArrangedGames:
    """The games to open, by seat, and the players who keep waiting."""

    games: tuple[tuple[str, ...], ...]
    waiting: tuple[QueuedPlayer, ...]


def match_queue(
    queue: Sequence[QueuedPlayer], seats: int, met: Mapping[frozenset[str], int], *, cap: int = MAX_WEEKLY_MEETINGS
) -> ArrangedGames:
    """Match the players of a queue, those who have waited longest first.

    ``met`` holds the number of games that each pair has played this week, and ``cap`` the most that a pair may play.
    """
    remaining = sorted(queue, key=lambda player: (-player.waited, queue.index(player)))
    games: list[tuple[str, ...]] = []
    waiting: list[QueuedPlayer] = []
    while remaining:
        first = remaining.pop(0)
        table = _table(first, remaining, seats, met, cap)
        if len(table) < seats:
            waiting.append(QueuedPlayer(first.key, first.rating, first.waited + 1, first.firsts))
            continue
        remaining = [player for player in remaining if player not in table]
        games.append(tuple(player.key for player in sorted(table, key=lambda player: (player.firsts, player.key))))
    return ArrangedGames(tuple(games), tuple(waiting))


def _table(
    first: QueuedPlayer, others: Sequence[QueuedPlayer], seats: int, met: Mapping[frozenset[str], int], cap: int
) -> list[QueuedPlayer]:
    """Return the first player, with those of the others who are nearest by rating and may all play with each other."""
    table = [first]
    for player in sorted(others, key=lambda other: (abs(other.rating - first.rating), other.key)):
        if len(table) < seats and may_meet([*table, player], met, cap=cap):
            table.append(player)
    return table


def may_meet(
    table: Sequence[QueuedPlayer], met: Mapping[frozenset[str], int], *, cap: int = MAX_WEEKLY_MEETINGS
) -> bool:
    """Return True if no two of these players met too often this week and all ratings are close enough."""
    return all(
        met.get(frozenset((first.key, second.key)), 0) < cap
        and abs(first.rating - second.rating) <= max(first.reach, second.reach)
        for first, second in combinations(table, 2)
    )
