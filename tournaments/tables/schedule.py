"""Rounds that are drawn together before any of them is played, and the simultaneous games of one table."""

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
PLANE_PLAYERS: Final = 16
"""The field whose five rounds let everybody meet everybody exactly once: the lines of the affine plane of order 4."""


@lru_cache(maxsize=64)
def rounds_together(records: tuple[SeatingRecord, ...], rounds: int, seed: str, *, apart: bool) -> tuple[Seating, ...]:
    """Return rounds that are drawn without results; each is as good as possible after those before it."""
    best: tuple[Seating, ...] = ()
    least: tuple[int, ...] = ()
    for attempt in range(_attempts(len(records))):
        random = random_source(seed, attempt)
        drawn = (
            _plane_rounds(records, rounds, random, apart=apart)
            if len(records) == PLANE_PLAYERS
            else _one_by_one(records, rounds, random, apart=apart)
        )
        found = faults(drawn, records if apart else ())
        if not best or found < least:
            best, least = drawn, found
        if not any(least):
            break
    return best


def _attempts(players: int) -> int:
    if players == PLANE_PLAYERS:
        return 15 * SCHEDULE_ATTEMPTS
    return SCHEDULE_ATTEMPTS if players <= MAX_RETRIED_FIELD else 1


def faults(rounds: Sequence[Seating], parted: Sequence[SeatingRecord] = ()) -> tuple[int, int, int, int]:
    """Return the faults: repeats, pairs of one party, players who begin too often, or sit at a three too often."""
    parties = {record.player: record.party for record in parted}
    return (
        sum(seating.repeats for seating in rounds),
        _of_one_party(parties, [seating.tables for seating in rounds])[0] if parted else 0,
        sum(len(seating.uneven) for seating in rounds),
        sum(len(seating.undue) for seating in rounds),
    )


def _of_one_party(parties: Mapping[int, str], rounds: Sequence[Sequence[Sequence[int]]]) -> tuple[int, int]:
    """Count the pairs of one party who meet: in the first two rounds and the last, and in all."""
    found = [
        sum(parties[one] == parties[other] != "" for table in tables for one, other in combinations(table, 2))
        for tables in rounds
    ]
    return sum(found[:2]) + sum(found[2:][-1:]), sum(found)


def _one_by_one(records: Sequence[SeatingRecord], rounds: int, random: Random, *, apart: bool) -> tuple[Seating, ...]:
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

_PRODUCTS: Final = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Multiplication table of the field with four elements; its addition is the exclusive or."""


def _parallel_classes() -> list[list[list[int]]]:
    """Return the five classes of parallel lines: columns, and one class for each slope."""
    sloped = ([[4 * x + (_PRODUCTS[slope][x] ^ start) for x in range(4)] for start in range(4)] for slope in range(4))
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
    """Exchange two places of the plane while fewer of one party meet, in the first and last rounds above all."""

    def met() -> tuple[int, int]:
        return _of_one_party({point: parties[index] for point, index in enumerate(order)}, classes)

    least, changed = met(), True
    while changed and any(least):
        changed = False
        for one, other in combinations(range(PLANE_PLAYERS), 2):
            order[one], order[other] = order[other], order[one]
            found = met()
            if found < least:
                least, changed = found, True
            else:
                order[one], order[other] = order[other], order[one]


# -- one table, several games -----------------------------------------------------------------------------------------

_ROTATED: Final = {4: ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))}
"""Four seat orders with each player once in each seat, and once right behind each other player."""


def side_by_side(players: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return as many games as players, with each player once in each seat."""
    count = len(players)
    orders = _ROTATED.get(count) or tuple(
        tuple((start + step) % count for step in range(count)) for start in range(count)
    )
    return tuple(tuple(players[index] for index in order) for order in orders)
