"""The field of a round: its division into tables, and the data of each player for pairing.

A field divides into fours, as few threes as possible, a five only for five players. Of those in it are known points,
seats, threes, parties, and whom they have met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

LEAST = 4
MOST = 256


def table_sizes(players: int) -> tuple[int, ...]:
    """The sizes of the tables, the largest first; empty where there are too few for any table."""
    if players < 3:
        return ()
    if players == 5:
        return (5,)
    threes = -players % 4
    return (4,) * ((players - 3 * threes) // 4) + (3,) * threes


def rounds_for(players: int) -> int:
    """Games of the preliminary: four up to 16 players, five above."""
    if players == 5:
        return 5
    return 4 if players <= 16 else 5


def finalists_for(players: int) -> tuple[int, ...]:
    """Return the number of players in each stage after the preliminary: none, four, or sixteen and four."""
    if players <= 5:
        return ()
    return (4,) if players < 33 else (16, 4)


Pair = tuple[int, int]
"""Two players, the lower number first."""

MUST_THREE: Final = 3
MUST_FOUR: Final = 4
EITHER: Final = 0
UNDUE: Final = 1000


def pair(one: int, other: int) -> Pair:
    """The pair of two players."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class Sitter:
    """A player about to be paired: how often at each seat so far, how many games, how many at tables of three."""

    player: int
    points: Fraction = Fraction(0)
    seats: tuple[int, ...] = (0, 0, 0, 0, 0)
    threes: int = 0
    party: str = ""

    @property
    def games(self) -> int:
        """Games so far."""
        return sum(self.seats)


@dataclass(frozen=True, slots=True)
class Field:
    """Everyone who is paired, by index in order of rank, and everything that a round is judged by."""

    sitters: tuple[Sitter, ...]
    sizes: tuple[int, ...]
    met: tuple[int, ...]
    """For each index a mask of those already met."""
    often: Mapping[Pair, int]
    """By two indices: how often beyond once they have met."""
    roles: tuple[int, ...]
    """The table size that each player must have: ``MUST_THREE``, ``MUST_FOUR`` or ``EITHER``."""
    scores: tuple[int, ...]
    """Points in a common unit."""
    firsts: tuple[int, ...]
    """The cost of letting each player begin; at least ``UNDUE`` for those who began more often than others."""
    foes: tuple[int, ...]
    """For each index a mask of those of the same party, where these are kept apart."""

    @classmethod
    def of(
        cls, sitters: Sequence[Sitter], met: Mapping[Pair, int], sizes: Sequence[int] = (), *, apart: bool = False
    ) -> Field:
        """Prepare a round; the sitters in order of rank."""
        index = {sitter.player: number for number, sitter in enumerate(sitters)}
        meetings = {
            pair(index[one], index[other]): count
            for (one, other), count in met.items()
            if one in index and other in index and count
        }
        sizes = tuple(sizes) or table_sizes(len(sitters))
        unit = lcm(*(sitter.points.denominator for sitter in sitters))
        return cls(
            tuple(sitters),
            sizes,
            _masks(meetings, len(sitters)),
            {two: count - 1 for two, count in meetings.items() if count > 1},
            _roles(sitters, sizes),
            tuple(int(sitter.points * unit) for sitter in sitters),
            _beginning(sitters),
            _masks(_same_party(sitters) if apart else (), len(sitters)),
        )


def _masks(pairs: Iterable[Pair], count: int) -> tuple[int, ...]:
    masks = [0] * count
    for one, other in pairs:
        masks[one] |= 1 << other
        masks[other] |= 1 << one
    return tuple(masks)


def _same_party(sitters: Sequence[Sitter]) -> Iterable[Pair]:
    parties: dict[str, list[int]] = {}
    for number, sitter in enumerate(sitters):
        for other in parties.setdefault(sitter.party, []):
            if sitter.party:
                yield other, number
        parties[sitter.party].append(number)


def _roles(sitters: Sequence[Sitter], sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the table sizes due: no player has a second table of three before all have had one."""
    seats = 3 * sizes.count(3)
    if not 0 < seats < len(sitters):
        return (EITHER,) * len(sitters)
    last = sorted(sitter.threes for sitter in sitters)[seats - 1]
    certain = sum(sitter.threes < last for sitter in sitters)
    free = sum(sitter.threes == last for sitter in sitters)
    open_role = MUST_THREE if certain + free == seats else EITHER
    return tuple(
        MUST_THREE if sitter.threes < last else open_role if sitter.threes == last else MUST_FOUR for sitter in sitters
    )


def _beginning(sitters: Sequence[Sitter]) -> tuple[int, ...]:
    """Dear for whoever began more often than others with as many games; cheap beyond a fair share of the games."""
    least: dict[int, int] = {}
    for sitter in sitters:
        least[sitter.games] = min(sitter.seats[0], least.get(sitter.games, sitter.seats[0]))
    return tuple(
        UNDUE * (sitter.seats[0] - least[sitter.games]) ** 2 + max(0, 4 * sitter.seats[0] - sitter.games)
        for sitter in sitters
    )
