"""A round of tables: local search from several beginnings, and for small fields a proof that no repeat can be avoided.

The goals in their order: repeats, who is due sits at the threes, parties apart where asked, first seats, the spread of
scores, the other seats. Seats are part of what is searched for. Each beginning fills the threes with some of those due
who have not met; exchanges alone hardly find them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from tournaments.tables.costs import FIRST, Costs
from tournaments.tables.exact import LARGEST, Exact
from tournaments.tables.sitters import EITHER, MUST_FOUR, MUST_THREE, UNDUE, Field, Pair, Sitter, pair

NumberedTables = list[list[int]]

BEGINNINGS: Final = 4
"""How often the search begins; a large field is content with its first round without faults."""
PATIENCE: Final = 12
"""How often at most as long as there are faults, in fields too large for an exact search and small enough for this."""
NEIGHBOURS: Final = 6
"""With how many tables below it a table exchanges players, in fields too large for all."""
FAULTY: Final = 8
"""How many tables with a fault look for help among all others at a time."""
LOOKS: Final = 2000
"""How many players are asked at most, to fill the threes with some who have not met."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A round: tables with their players in the order of seats, the repeats, and whether they are proved needed."""

    tables: tuple[tuple[int, ...], ...]
    repeats: int
    proved: bool
    uneven: tuple[int, ...]
    """Players who begin more often, by two or more, than others with as many games: no better round was found."""
    undue: tuple[int, ...]
    """Players at a table of three before others who had fewer: no better round was found."""


def seat_round(
    sitters: Sequence[Sitter],
    met: Mapping[Pair, int],
    random: Random,
    *,
    apart: bool = False,
    sizes: Sequence[int] = (),
) -> Seating:
    """Pair a round; the same sitters in the same order with the same randomness give the same round."""
    field = Field.of(sitters, met, sizes, apart=apart)
    costs = Costs(field)
    tables = _search(costs, random)
    repeats = sum(map(costs.repeats, tables))
    small = len(sitters) <= LARGEST and set(field.sizes) <= {3, 4}
    if small and repeats:
        tables = _better(costs, Exact(field).fewest(repeats), tables)
    seating = _seating(costs, tables, proved=small or not repeats or len(tables) == 1)
    if small and (seating.uneven or seating.undue):
        seating = _seating(costs, _without_fault(costs, tables), proved=True)
    return seating


def _better(costs: Costs, found: Sequence[Sequence[int]] | None, tables: NumberedTables) -> NumberedTables:
    """What was found, settled, where it is better."""
    settled = tables if found is None else _settle(costs, [list(table) for table in found])
    return min(tables, settled, key=costs.total)


def _without_fault(costs: Costs, tables: NumberedTables) -> NumberedTables:
    """A round with as few repeats in which only those due sit at threes and begin, or one of both, if there is one."""
    most = sum(map(costs.repeats, tables)) + 1
    for threes, firsts in ((True, True), (True, False), (False, True)):
        found = Exact(costs.field, threes=threes, firsts=firsts).fewest(most)
        if found is not None:
            return _better(costs, found, tables)
    return tables


def _seating(costs: Costs, tables: NumberedTables, *, proved: bool) -> Seating:
    sitters = costs.field.sitters
    placed = [costs.seated(table, first) for table, first in zip(tables, beginners(costs, tables), strict=True)]
    seated = sorted(placed, key=lambda table: (-len(table), sorted(table)))
    rounds = tuple(tuple(sitters[index].player for index in table) for table in seated)
    roles = costs.field.roles
    undue = (index for table in tables for index in table if roles[index] not in (EITHER, len(table)))
    return Seating(
        rounds,
        sum(map(costs.repeats, tables)),
        proved,
        uneven_firsts(sitters, rounds),
        tuple(sorted(sitters[index].player for index in undue)),
    )


def beginners(costs: Costs, tables: Sequence[Sequence[int]]) -> list[int]:
    """Who begins at each table: of those due, so that those left over have met each other as far as possible.

    They have to begin at different tables later, and who has met sits apart anyway.
    """
    met = list(costs.field.met)
    for table in tables:
        mask = sum(1 << index for index in table)
        for index in table:
            met[index] |= mask
    choices = [costs.beginners(table) for table in tables]
    left = sum(1 << index for choice in choices for index in choice)
    begin = []
    for choice in sorted(choices, key=len):
        first = max(choice, key=lambda index: ((left & ~met[index]).bit_count(), -index))
        left &= ~(1 << first)
        begin.append(first)
    chosen = set(begin)
    return [next(index for index in choice if index in chosen) for choice in choices]


def uneven_firsts(sitters: Sequence[Sitter], tables: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Who will have begun more often, by two or more, than another with as many games."""
    begins = {table[0] for table in tables}
    after = {sitter.player: (sitter.games, sitter.seats[0] + (sitter.player in begins)) for sitter in sitters}
    least: dict[int, int] = {}
    for games, firsts in after.values():
        least[games] = min(firsts, least.get(games, firsts))
    return tuple(sorted(player for player, (games, firsts) in after.items() if firsts > least[games] + 1))


# -- the search -------------------------------------------------------------------------------------------------------


def _search(costs: Costs, random: Random) -> NumberedTables:
    best: NumberedTables = []
    least = -1
    cheapest = sum(sorted(costs.field.firsts)[: len(costs.field.sizes)]) // UNDUE * UNDUE
    large = len(costs.field.sitters) > 2 * LARGEST
    small = len(costs.field.sitters) <= LARGEST
    for attempt in range(BEGINNINGS if large or small else PATIENCE):
        tables = _settle(costs, _beginning(costs.field, random, again=attempt > 0))
        total = costs.total(tables)
        if least < 0 or total < least:
            best, least = tables, total
        if (large or attempt + 1 >= BEGINNINGS) and least < (cheapest + UNDUE) * FIRST:
            break
    return best


def _beginning(field: Field, random: Random, *, again: bool) -> NumberedTables:
    """By rank, those with equal points in any order; who is due at the threes sits there."""
    order = sorted(range(len(field.sitters)), key=lambda index: (-field.scores[index], random.random()))
    seats = 3 * field.sizes.count(3)
    threes: list[int] = []
    if 0 < seats < len(order):
        asked = random.sample(order, len(order)) if again else order[::-1]
        threes = _strangers(field, asked, seats) or _due(field, order[::-1])[:seats][::-1]
    line = [*(index for index in order if index not in set(threes)), *threes]
    tables, start = [], 0
    for size in field.sizes:
        tables.append(line[start : start + size])
        start += size
    return tables


def _due(field: Field, asked: Sequence[int]) -> list[int]:
    """The same players, those who have to sit at a three before all others, those who must not behind them."""
    order = {MUST_THREE: 0, EITHER: 1, MUST_FOUR: 2}
    return sorted(asked, key=lambda index: order[field.roles[index]])


def _strangers(field: Field, asked: Sequence[int], seats: int) -> list[int]:
    """The first of those due, in the order in which they are asked, by whom the threes are filled without a repeat."""
    may = [index for index in _due(field, asked) if field.roles[index] != MUST_FOUR]
    return _filled(field, [], may, seats, iter(range(LOOKS)))


def _filled(field: Field, line: list[int], left: list[int], seats: int, looks: Iterator[int]) -> list[int]:
    """The line, a table of three after the other, with some of those left; empty where nobody found how, in time."""
    if len(line) == seats:
        return [] if left and field.roles[left[0]] == MUST_THREE else line
    table = line[len(line) // 3 * 3 :]
    for number, index in enumerate(left if table else left[:1]):
        if next(looks, None) is None:
            break
        if any(field.met[index] >> other & 1 for other in table):
            continue
        found = _filled(field, [*line, index], [*left[:number], *left[number + 1 :]], seats, looks)
        if found:
            return found
    return []


def _settle(costs: Costs, tables: NumberedTables) -> NumberedTables:
    """Exchange players between two tables as long as that makes the round better; of faulty ones also with far ones."""
    prices = [costs.of(table) for table in tables]
    changed = set(range(len(tables)))
    while changed:
        _settle_near(costs, tables, prices, changed)
        faulty = [number for number, price in enumerate(prices) if price >= UNDUE * FIRST][:FAULTY]
        changed = {one for one in faulty for other in range(len(tables)) if _far(costs, tables, prices, one, other)}
    return tables


def _far(costs: Costs, tables: NumberedTables, prices: list[int], one: int, other: int) -> bool:
    return abs(one - other) > _reach(len(tables)) and _exchange(costs, tables, prices, one, other)


def _settle_near(costs: Costs, tables: NumberedTables, prices: list[int], changed: set[int]) -> None:
    while changed:
        before, changed = changed, set()
        for one, other in _neighbours(len(tables)):
            if (one in before or other in before or one in changed or other in changed) and _exchange(
                costs, tables, prices, one, other
            ):
                changed |= {one, other}


def _reach(count: int) -> int:
    return count if count <= 2 * NEIGHBOURS else NEIGHBOURS


def _neighbours(count: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one, other in combinations(range(count), 2) if other - one <= _reach(count))


def _exchange(costs: Costs, tables: NumberedTables, prices: list[int], one: int, other: int) -> bool:
    """Make the best exchange between two tables, if it makes them cheaper."""
    left, right = tables[one], tables[other]
    best, swap = prices[one] + prices[other], None
    for here, leaving in enumerate(left):
        rest = left[:here] + left[here + 1 :]
        for there, coming in enumerate(right):
            price = costs.of([*rest, coming])
            if price < best:
                price += costs.of([*right[:there], *right[there + 1 :], leaving])
                if price < best:
                    best, swap = price, (here, there)
    if swap is None:
        return False
    here, there = swap
    left[here], right[there] = right[there], left[here]
    prices[one], prices[other] = costs.of(left), costs.of(right)
    return True


def meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> dict[Pair, int]:
    """How often any two have met in some rounds."""
    met: dict[Pair, int] = {}
    for tables in rounds:
        for two in {pair(one, other) for table in tables for one, other in combinations(table, 2)}:
            met[two] = met.get(two, 0) + 1
    return met
