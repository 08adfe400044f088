"""Schedules: rounds that are drawn together before any of them is played, and the simultaneous games of one table.

A schedule should have few *faults*: players who meet twice, who begin too often, or who sit at a table of three too
often. It is drawn round by round, several times, and the draw with the fewest faults is kept.

For sixteen players there is a perfect schedule, which comes from the affine plane of order 4: its 16 points are the
players, and its 20 lines are the tables. Any two points have exactly one line in common, so that all players meet
exactly once in five rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Final

from tournaments.chance import random_source
from tournaments.tables.field import Field, SeatingRecord
from tournaments.tables.pairing import Seating, TableCosts, beginners, meetings, seat_round, uneven_firsts

SCHEDULE_ATTEMPTS: Final = 4
"""The number of draws of a small field, of which the one with the fewest faults is kept."""
MAX_RETRIED_FIELD: Final = 40
"""The most players of a field that is drawn several times."""
PLANE_PLAYERS: Final = 16
"""The number of players whose five rounds are the lines of the affine plane."""


@lru_cache(maxsize=64)
def rounds_together(records: tuple[SeatingRecord, ...], rounds: int, seed: str, *, apart: bool) -> tuple[Seating, ...]:
    """Return the rounds of a schedule, which is drawn before there are results.

    Each round is as good as the rounds before it allow. The draw depends on nothing but the arguments.
    """
    best: tuple[Seating, ...] = ()
    fewest_faults: tuple[int, ...] = ()
    for attempt in range(_draw_count(len(records))):
        random = random_source(seed, attempt)
        drawn = (
            _plane_rounds(records, rounds, random, apart=apart)
            if len(records) == PLANE_PLAYERS
            else _successive_rounds(records, rounds, random, apart=apart)
        )
        found_faults = faults(drawn, records if apart else ())
        if not best or found_faults < fewest_faults:
            best, fewest_faults = drawn, found_faults
        if not any(fewest_faults):
            break
    return best


def _draw_count(players: int) -> int:
    """Return the number of draws from which the best is chosen; draws of the plane are cheap, of large fields slow."""
    if players == PLANE_PLAYERS:
        return 15 * SCHEDULE_ATTEMPTS
    return SCHEDULE_ATTEMPTS if players <= MAX_RETRIED_FIELD else 1


def faults(rounds: Sequence[Seating], parted: Sequence[SeatingRecord] = ()) -> tuple[int, int, int, int]:
    """Return the numbers of repeats, pairs of one party, uneven beginners, and undue seats at tables of three."""
    parties = {record.player: record.party for record in parted}
    return (
        sum(seating.repeats for seating in rounds),
        _count_party_pairs(parties, [seating.tables for seating in rounds])[0] if parted else 0,
        sum(len(seating.uneven) for seating in rounds),
        sum(len(seating.undue) for seating in rounds),
    )


def _count_party_pairs(parties: Mapping[int, str], rounds: Sequence[Sequence[Sequence[int]]]) -> tuple[int, int]:
    """Count the pairs of one party who meet: in the first two rounds and the last, and in all."""
    pairs_by_round = [
        sum(parties[first] == parties[second] != "" for table in tables for first, second in combinations(table, 2))
        for tables in rounds
    ]
    return sum(pairs_by_round[:2]) + sum(pairs_by_round[2:][-1:]), sum(pairs_by_round)


def _successive_rounds(
    records: Sequence[SeatingRecord], rounds: int, random: Random, *, apart: bool
) -> tuple[Seating, ...]:
    """Return rounds that are drawn one after the other, each with regard to those before it."""
    drawn: list[Seating] = []
    for _ in range(rounds):
        met = meetings([seating.tables for seating in drawn])
        drawn.append(seat_round(records, met, random, apart=apart))
        records = [with_round(record, drawn[-1].tables) for record in records]
    return tuple(drawn)


def with_round(record: SeatingRecord, tables: Sequence[Sequence[int]]) -> SeatingRecord:
    """Return the player's record after a round."""
    for table in tables:
        if record.player in table:
            seat = table.index(record.player)
            seats = tuple(count + (number == seat) for number, count in enumerate(record.seats))
            return replace(record, seats=seats, threes=record.threes + (len(table) == 3))
    return record


# -- sixteen players --------------------------------------------------------------------------------------------------

_GF4_PRODUCTS: Final = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Multiplication table of GF(4), the field with four elements; its addition is the exclusive or."""


def _parallel_classes() -> list[list[list[int]]]:
    """Return the five classes of parallel lines of the plane: the columns, and one class for each slope.

    The lines of a class have no point in common, so that a class is a round.
    """
    sloped = (
        [[4 * x + (_GF4_PRODUCTS[slope][x] ^ start) for x in range(4)] for start in range(4)] for slope in range(4)
    )
    return [[[4 * x + y for y in range(4)] for x in range(4)], *sloped]


def _plane_rounds(records: Sequence[SeatingRecord], rounds: int, random: Random, *, apart: bool) -> tuple[Seating, ...]:
    """Return five rounds without a repeat; rounds beyond five are drawn as usual."""
    order = random.sample(range(PLANE_PLAYERS), PLANE_PLAYERS)
    classes = random.sample(_parallel_classes(), 5)[:rounds]
    if apart:
        _separate_parties(order, classes, [record.party for record in records])
    drawn: list[Seating] = []
    for lines in classes:
        costs = TableCosts(Field.of(records, meetings([seating.tables for seating in drawn])))
        drawn_lines = [[order[point] for point in line] for line in lines]
        tables = tuple(
            tuple(records[index].player for index in costs.seated(table, first))
            for table, first in zip(drawn_lines, beginners(costs, drawn_lines), strict=True)
        )
        drawn.append(Seating(tables, 0, proved=True, uneven=uneven_firsts(records, tables), undue=()))
        records = [with_round(record, tables) for record in records]
    for _ in range(rounds - len(drawn)):
        drawn.append(seat_round(records, meetings([seating.tables for seating in drawn]), random, apart=apart))
        records = [with_round(record, drawn[-1].tables) for record in records]
    return tuple(drawn)


def _separate_parties(order: list[int], classes: Sequence[Sequence[Sequence[int]]], parties: Sequence[str]) -> None:
    """Exchange players of the plane as long as that lets fewer members of one party meet.

    The first two rounds and the last one count before all others.
    """

    def met() -> tuple[int, int]:
        return _count_party_pairs({point: parties[index] for point, index in enumerate(order)}, classes)

    fewest, changed = met(), True
    while changed and any(fewest):
        changed = False
        for first, second in combinations(range(PLANE_PLAYERS), 2):
            order[first], order[second] = order[second], order[first]
            current = met()
            if current < fewest:
                fewest, changed = current, True
            else:
                order[first], order[second] = order[second], order[first]


# -- one table, several games -----------------------------------------------------------------------------------------

_BALANCED_SEAT_ORDERS: Final = {4: ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))}
"""Four seat orders with each player once in each seat, and once right behind each other player."""


def side_by_side(players: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return as many games as players, each player sitting once in each seat."""
    count = len(players)
    orders = _BALANCED_SEAT_ORDERS.get(count) or tuple(
        tuple((start + step) % count for step in range(count)) for start in range(count)
    )
    return tuple(tuple(players[index] for index in order) for order in orders)
