"""The field of a round: its division into tables, and the data of each player for pairing.

A field is divided into tables of four, as few of three as possible, and one of five only for five players. Known of
each player are points, seats, tables of three, party, and whom they have met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

MIN_PLAYERS = 4
MAX_PLAYERS = 256


def table_sizes(players: int) -> tuple[int, ...]:
    """Return the sizes of the tables, largest first; empty if there are too few players."""
    if players < 3:
        return ()
    if players == 5:
        return (5,)
    threes = -players % 4
    return (4,) * ((players - 3 * threes) // 4) + (3,) * threes


def preliminary_rounds(players: int) -> int:
    """Return the rounds of the preliminary: four for up to 16 players, else five."""
    if players == 5:
        return 5
    return 4 if players <= 16 else 5


def final_stage_sizes(players: int) -> tuple[int, ...]:
    """Return the number of players in each stage after the preliminary: none, four, or sixteen and four."""
    if players <= 5:
        return ()
    return (4,) if players < 33 else (16, 4)


Pair = tuple[int, int]
"""Two players, the lower number first."""

MUST_THREE: Final = 3
MUST_FOUR: Final = 4
EITHER: Final = 0
UNEVEN_FIRST_COST: Final = 1000


def pair(one: int, other: int) -> Pair:
    """Return the pair of two players."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class SeatingRecord:
    """A player to be paired: the times at each seat, the games, and the tables of three so far."""

    player: int
    points: Fraction = Fraction(0)
    seats: tuple[int, ...] = (0, 0, 0, 0, 0)
    threes: int = 0
    party: str = ""

    @property
    def games(self) -> int:
        """The number of games so far."""
        return sum(self.seats)


@dataclass(frozen=True, slots=True)
class Field:
    """The players to be paired, by index in order of rank, and the data by which a round is judged."""

    records: tuple[SeatingRecord, ...]
    sizes: tuple[int, ...]
    met: tuple[int, ...]
    """For each index, a mask of the players already met."""
    often: Mapping[Pair, int]
    """For two indices, the number of meetings beyond the first."""
    roles: tuple[int, ...]
    """The table size that each player must have: ``MUST_THREE``, ``MUST_FOUR`` or ``EITHER``."""
    scores: tuple[int, ...]
    """Points in a common unit."""
    firsts: tuple[int, ...]
    """The cost of letting each player begin; at least ``UNEVEN_FIRST_COST`` for players who began more often."""
    foes: tuple[int, ...]
    """For each index, a mask of the members of the same party, if parties are kept apart."""

    @classmethod
    def of(
        cls,
        records: Sequence[SeatingRecord],
        met: Mapping[Pair, int],
        sizes: Sequence[int] = (),
        *,
        apart: bool = False,
    ) -> Field:
        """Prepare a round from records in order of rank."""
        index = {record.player: number for number, record in enumerate(records)}
        meetings = {
            pair(index[one], index[other]): count
            for (one, other), count in met.items()
            if one in index and other in index and count
        }
        sizes = tuple(sizes) or table_sizes(len(records))
        unit = lcm(*(record.points.denominator for record in records))
        return cls(
            tuple(records),
            sizes,
            _masks(meetings, len(records)),
            {two: count - 1 for two, count in meetings.items() if count > 1},
            _roles(records, sizes),
            tuple(int(record.points * unit) for record in records),
            _beginning(records),
            _masks(_same_party(records) if apart else (), len(records)),
        )


def _masks(pairs: Iterable[Pair], count: int) -> tuple[int, ...]:
    masks = [0] * count
    for one, other in pairs:
        masks[one] |= 1 << other
        masks[other] |= 1 << one
    return tuple(masks)


def _same_party(records: Sequence[SeatingRecord]) -> Iterable[Pair]:
    parties: dict[str, list[int]] = {}
    for number, record in enumerate(records):
        for other in parties.setdefault(record.party, []):
            if record.party:
                yield other, number
        parties[record.party].append(number)


def _roles(records: Sequence[SeatingRecord], sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the table sizes due: no player has a second table of three before all have had one."""
    seats = 3 * sizes.count(3)
    if not 0 < seats < len(records):
        return (EITHER,) * len(records)
    last = sorted(record.threes for record in records)[seats - 1]
    certain = sum(record.threes < last for record in records)
    free = sum(record.threes == last for record in records)
    open_role = MUST_THREE if certain + free == seats else EITHER
    return tuple(
        MUST_THREE if record.threes < last else open_role if record.threes == last else MUST_FOUR for record in records
    )


def _beginning(records: Sequence[SeatingRecord]) -> tuple[int, ...]:
    """Return the costs of beginning: high for players who began more often than others with as many games."""
    least: dict[int, int] = {}
    for record in records:
        least[record.games] = min(record.seats[0], least.get(record.games, record.seats[0]))
    return tuple(
        UNEVEN_FIRST_COST * (record.seats[0] - least[record.games]) ** 2 + max(0, 4 * record.seats[0] - record.games)
        for record in records
    )
