"""The field of a round: the players to be paired, what is known of each, and the sizes of their tables.

A field is divided into tables of four, with as few tables of three as possible; five players share one table. For
pairing, a player's :class:`SeatingRecord` holds their points, the seats that they have had, the number of their tables
of three, and their *party*: the server or team whose members can be kept apart. :class:`Field` prepares these records
for a fast search, with sets of players as bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

MIN_PLAYERS = 4
"""The fewest players of an event at tables."""
MAX_PLAYERS = 256
"""The most players of an event."""


def table_sizes(players: int) -> tuple[int, ...]:
    """Return the sizes of the tables, largest first; empty if there are too few players."""
    if players < 3:
        return ()
    if players == 5:
        return (5,)
    threes = -players % 4
    return (4,) * ((players - 3 * threes) // 4) + (3,) * threes


def preliminary_rounds(players: int) -> int:
    """Return the number of rounds of the preliminary stage."""
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
"""Values of ``Field.roles``: a player must sit at a table of three, at one of four, or may sit at either."""
UNEVEN_FIRST_COST: Final = 1000
"""The least cost of letting a player begin who began more often than others."""


def pair(first: int, second: int) -> Pair:
    """Return two players in ascending order, as a key."""
    return (first, second) if first < second else (second, first)


@dataclass(frozen=True, slots=True)
class SeatingRecord:
    """A player to be paired, with the number of their games so far in each seat, and at tables of three."""

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
    rematches: Mapping[Pair, int]
    """For two indices, the number of meetings beyond the first."""
    roles: tuple[int, ...]
    """The table size that each player must have: ``MUST_THREE``, ``MUST_FOUR`` or ``EITHER``."""
    scores: tuple[int, ...]
    """Points in a common unit."""
    first_costs: tuple[int, ...]
    """The cost of letting each player begin; at least ``UNEVEN_FIRST_COST`` for players who began more often."""
    same_party: tuple[int, ...]
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
            pair(index[first], index[second]): count
            for (first, second), count in met.items()
            if first in index and second in index and count
        }
        sizes = tuple(sizes) or table_sizes(len(records))
        unit = lcm(*(record.points.denominator for record in records))
        return cls(
            tuple(records),
            sizes,
            _player_masks(meetings, len(records)),
            {players: count - 1 for players, count in meetings.items() if count > 1},
            _required_sizes(records, sizes),
            tuple(int(record.points * unit) for record in records),
            _first_seat_costs(records),
            _player_masks(_same_party_pairs(records) if apart else (), len(records)),
        )


def _player_masks(pairs: Iterable[Pair], count: int) -> tuple[int, ...]:
    """Return for each player a bit mask of those with whom they are in a pair."""
    masks = [0] * count
    for first, second in pairs:
        masks[first] |= 1 << second
        masks[second] |= 1 << first
    return tuple(masks)


def _same_party_pairs(records: Sequence[SeatingRecord]) -> Iterable[Pair]:
    """Yield the pairs of players of one party."""
    parties: dict[str, list[int]] = {}
    for number, record in enumerate(records):
        for earlier in parties.setdefault(record.party, []):
            if record.party:
                yield earlier, number
        parties[record.party].append(number)


def _required_sizes(records: Sequence[SeatingRecord], sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the table sizes due: no player has a second table of three before all have had one."""
    seats = 3 * sizes.count(3)
    if not 0 < seats < len(records):
        return (EITHER,) * len(records)
    # Players with fewer tables of three than this must sit at one now; of those with as many, some must.
    most = sorted(record.threes for record in records)[seats - 1]
    required = sum(record.threes < most for record in records)
    optional = sum(record.threes == most for record in records)
    open_role = MUST_THREE if required + optional == seats else EITHER
    return tuple(
        MUST_THREE if record.threes < most else open_role if record.threes == most else MUST_FOUR for record in records
    )


def _first_seat_costs(records: Sequence[SeatingRecord]) -> tuple[int, ...]:
    """Return the costs of beginning: high for players who began more often than others with as many games."""
    fewest_firsts: dict[int, int] = {}
    for record in records:
        fewest_firsts[record.games] = min(record.seats[0], fewest_firsts.get(record.games, record.seats[0]))
    return tuple(
        UNEVEN_FIRST_COST * (record.seats[0] - fewest_firsts[record.games]) ** 2
        + max(0, 4 * record.seats[0] - record.games)
        for record in records
    )
