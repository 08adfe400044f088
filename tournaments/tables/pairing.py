"""Pairing of a round of tables: local search, and for small fields a proof that no repeat can be avoided.

Its goals in order: no repeats, players due at tables of three, parties apart if asked, first seats, the spread of
scores, the other seats. Each start fills the tables of three with some of the players due who have not met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from random import Random
from typing import Final

from tournaments.tables.field import EITHER, MUST_FOUR, MUST_THREE, UNEVEN_FIRST_COST, Field, Pair, SeatingRecord, pair

SPREAD_WEIGHT: Final = 10**5
"""The weight of the spread of scores against the other seats; each goal before it weighs more."""
FIRST_SEAT_WEIGHT: Final = SPREAD_WEIGHT * 10**12
PARTY_WEIGHT: Final = FIRST_SEAT_WEIGHT * 10**8
THREES_WEIGHT: Final = PARTY_WEIGHT * 10**4
"""Weight of a player at a second table of three before others had their first."""
THIRD_MEETING_WEIGHT: Final = THREES_WEIGHT * 10**3
"""A third meeting is worse than a second one, but two repeats are worse than any."""
REPEAT_WEIGHT: Final = THIRD_MEETING_WEIGHT * 10**3


class TableCosts:
    """The costs of tables of a field; tables are ascending tuples of indices."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._known: dict[tuple[int, ...], int] = {}
        self._sat = [[count * count for count in record.seats] for record in field.records]

    def of(self, table: Sequence[int]) -> int:
        """Return the cost of a table with its members in their best seats."""
        key = tuple(sorted(table))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._pairs(key) + self._scores(key) + self._seats(key)
        return found

    def total(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the cost of a round."""
        return sum(map(self.of, tables))

    def repeats(self, table: Sequence[int]) -> int:
        """Return the number of pairs of a table that have met before."""
        mask = sum(1 << index for index in table)
        return sum((self.field.met[index] & mask).bit_count() for index in table) // 2

    def beginners(self, table: Sequence[int]) -> list[int]:
        """Return the players who may begin at the lowest cost."""
        cheapest = min(self.field.firsts[index] for index in table)
        return sorted(index for index in table if self.field.firsts[index] == cheapest)

    def seated(self, table: Sequence[int], first: int) -> tuple[int, ...]:
        """Return the members in their best seats behind the one who begins."""
        return self._behind(tuple(sorted(table)), first)[1]

    def _pairs(self, table: tuple[int, ...]) -> int:
        field = self.field
        mask = sum(1 << index for index in table)
        repeats = sum((field.met[index] & mask).bit_count() for index in table) // 2
        foes = sum((field.foes[index] & mask).bit_count() for index in table) // 2
        misplaced = sum(field.roles[index] not in (EITHER, len(table)) for index in table)
        cost = repeats * REPEAT_WEIGHT + foes * PARTY_WEIGHT + misplaced * THREES_WEIGHT
        if repeats and field.often:
            cost += THIRD_MEETING_WEIGHT * sum(field.often.get(two, 0) for two in combinations(table, 2))
        return cost

    def _scores(self, table: tuple[int, ...]) -> int:
        """Return the squared spread of points, and the cost of a table of three among high scorers."""
        scores = [self.field.scores[index] for index in table]
        spread = (max(scores) - min(scores)) ** 2 if scores else 0
        high = sum(scores) if len(table) == 3 else 0
        return SPREAD_WEIGHT * (100 * spread + high)

    def _seats(self, table: tuple[int, ...]) -> int:
        """Return the cost of the best seats: the cheapest beginner, the others where they have sat least."""
        cost, _, first = min((*self._behind(table, first), first) for first in self.beginners(table))
        return self.field.firsts[first] * FIRST_SEAT_WEIGHT + cost

    def _behind(self, table: tuple[int, ...], first: int) -> tuple[int, tuple[int, ...]]:
        best, seated = -1, table
        for order in permutations([index for index in table if index != first]):
            cost = self._sat[first][0]
            for seat, index in enumerate(order, 1):
                cost += self._sat[index][seat]
            if best < 0 or cost < best:
                best, seated = cost, (first, *order)
        return best, seated


MAX_EXACT_PLAYERS: Final = 24
"""Largest field that is searched exactly."""


class ExactSearch:
    """A depth-first search for few repeats that always seats the most constrained player next.

    With ``threes`` only those due sit at tables of three, with ``firsts`` only those due begin: a round with as few
    repeats is then one without any fault, and None proves that the repeats stand in its way.
    """

    def __init__(self, field: Field, *, threes: bool = False, firsts: bool = False) -> None:
        self.field = field
        self.everyone = (1 << len(field.records)) - 1
        self.roles = field.roles if threes else (EITHER,) * len(field.records)
        self.due = (
            sum(1 << index for index, cost in enumerate(field.firsts) if cost < UNEVEN_FIRST_COST) if firsts else 0
        )
        self.each = firsts and self.due.bit_count() >= len(field.sizes)
        self._hopeless: dict[int, int] = {}

    @cached_property
    def least(self) -> int:
        """Return a lower bound of the repeats, from each player's choices alone."""
        return self._bound(self.everyone, self.field.sizes.count(4), self.field.sizes.count(3))

    def fewest(self, below: int) -> list[tuple[int, ...]] | None:
        """Return tables with the fewest repeats, if fewer than ``below``; None proves that there are none."""
        for budget in range(self.least, below):
            found = self._divide(self.everyone, budget, self.field.sizes.count(4), self.field.sizes.count(3))
            if found is not None:
                return found
        return None

    def _divide(self, left: int, budget: int, fours: int, threes: int) -> list[tuple[int, ...]] | None:
        """Return tables for the remaining players with at most ``budget`` repeats, or None."""
        if not left:
            return []
        if self._hopeless.get(left, -1) >= budget or self._bound(left, fours, threes) > budget:
            return None
        if fours + threes == 1:
            return self._last(left, budget)
        if self.each and (left & self.due).bit_count() < fours + threes:
            return None
        player = self._scarcest(left)
        for size, others in ((4, (fours - 1, threes)), (3, (fours, threes - 1))):
            if min(others) < 0 or not self._may(player, size):
                continue
            for cost, table in self._tables(player, left, size, budget):
                rest = self._divide(left & ~table, budget - cost, *others)
                if rest is not None:
                    return [tuple(_members(table)), *rest]
        self._hopeless[left] = max(budget, self._hopeless.get(left, -1))
        return None

    def _last(self, left: int, budget: int) -> list[tuple[int, ...]] | None:
        """Return the last table, if it is legal."""
        table = tuple(_members(left))
        repeats = sum((self.field.met[index] & left).bit_count() for index in table) // 2
        fits = repeats <= budget and self._begun(left) and all(self._may(index, len(table)) for index in table)
        return [table] if fits else None

    def _may(self, player: int, size: int) -> bool:
        return self.roles[player] in (EITHER, size)

    def _scarcest(self, left: int) -> int:
        met = self.field.met
        return min(_members(left), key=lambda player: (left & ~met[player]).bit_count())

    def _bound(self, left: int, fours: int, threes: int) -> int:
        """Return a lower bound: players with fewer than two or three new opponents repeat at least that often."""
        lacking, roles = 0, self.roles
        for player in _members(left):
            four = fours and (roles[player] == MUST_FOUR or not threes)
            new = (left & ~self.field.met[player]).bit_count() - 1
            lacking += max(0, (3 if four else 2) - new)
        return (lacking + 1) // 2

    def _tables(self, player: int, left: int, size: int, budget: int) -> Iterator[tuple[int, int]]:
        """Yield all tables of one player with the remaining ones, as repeats and mask, fewest repeats first."""
        barred = MUST_THREE if size == 4 else MUST_FOUR
        guests = [guest for guest in _members(left & ~(1 << player)) if self.roles[guest] != barred]
        found = [(0, 1 << player, 0)]
        for _ in range(size - 1):
            found = [
                (cost + more, table | 1 << guest, number + 1)
                for cost, table, start in found
                for number, guest in enumerate(guests[start:], start)
                if cost + (more := (self.field.met[guest] & table).bit_count()) <= budget
            ]
        found.sort(key=lambda each: each[0])
        return ((cost, table) for cost, table, _ in found if self._begun(table))

    def _begun(self, table: int) -> bool:
        """Return whether the players due to begin are spread well: one a table, or at most one if there are too few."""
        due = (table & self.due).bit_count()
        return due > 0 if self.each else due <= 1


def _members(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


NumberedTables = list[list[int]]

SEARCH_STARTS: Final = 4
"""The number of starts of the search; a large field stops at its first round without faults."""
MAX_SEARCH_STARTS: Final = 12
"""The most starts while there are faults, in fields of medium size (too large for an exact search)."""
NEIGHBOUR_DISTANCE: Final = 6
"""Number of tables below it with which a table exchanges players, in fields too large for all."""
MAX_FAULTY_TABLES: Final = 8
"""The most tables with a fault that are exchanged with distant tables at a time."""
MAX_THREES_SEARCH_STEPS: Final = 2000
"""The most steps of the search for tables of three without a repeat."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A paired round: tables in order of seats, the number of repeats, and whether that is proved minimal."""

    tables: tuple[tuple[int, ...], ...]
    repeats: int
    proved: bool
    uneven: tuple[int, ...]
    """Players who begin at least twice more than others with as many games; no better round was found."""
    undue: tuple[int, ...]
    """Players at a table of three before others who had fewer; no better round was found."""


def seat_round(
    records: Sequence[SeatingRecord],
    met: Mapping[Pair, int],
    random: Random,
    *,
    apart: bool = False,
    sizes: Sequence[int] = (),
) -> Seating:
    """Pair a round; the same records in the same order with the same randomness give the same round."""
    field = Field.of(records, met, sizes, apart=apart)
    costs = TableCosts(field)
    tables = _search(costs, random)
    repeats = sum(map(costs.repeats, tables))
    small = len(records) <= MAX_EXACT_PLAYERS and set(field.sizes) <= {3, 4}
    if small and repeats:
        tables = _cheaper(costs, ExactSearch(field).fewest(repeats), tables)
    seating = _seating(costs, tables, proved=small or not repeats or len(tables) == 1)
    if small and (seating.uneven or seating.undue):
        seating = _seating(costs, _without_fault(costs, tables), proved=True)
    return seating


def _cheaper(costs: TableCosts, found: Sequence[Sequence[int]] | None, tables: NumberedTables) -> NumberedTables:
    """Return the better of the tables found, after local search, and the current ones."""
    settled = tables if found is None else _improve(costs, [list(table) for table in found])
    return min(tables, settled, key=costs.total)


def _without_fault(costs: TableCosts, tables: NumberedTables) -> NumberedTables:
    """Return a round with as few repeats in which only players due sit at threes, or begin, or both; None if none."""
    most = sum(map(costs.repeats, tables)) + 1
    for threes, firsts in ((True, True), (True, False), (False, True)):
        found = ExactSearch(costs.field, threes=threes, firsts=firsts).fewest(most)
        if found is not None:
            return _cheaper(costs, found, tables)
    return tables


def _seating(costs: TableCosts, tables: NumberedTables, *, proved: bool) -> Seating:
    records = costs.field.records
    placed = [costs.seated(table, first) for table, first in zip(tables, beginners(costs, tables), strict=True)]
    seated = sorted(placed, key=lambda table: (-len(table), sorted(table)))
    rounds = tuple(tuple(records[index].player for index in table) for table in seated)
    roles = costs.field.roles
    undue = (index for table in tables for index in table if roles[index] not in (EITHER, len(table)))
    return Seating(
        rounds,
        sum(map(costs.repeats, tables)),
        proved,
        uneven_firsts(records, rounds),
        tuple(sorted(records[index].player for index in undue)),
    )


def beginners(costs: TableCosts, tables: Sequence[Sequence[int]]) -> list[int]:
    """Return the player who begins at each table, chosen so that the others due have met each other where possible.

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


def uneven_firsts(records: Sequence[SeatingRecord], tables: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the players who will have begun at least twice more than another with as many games."""
    begins = {table[0] for table in tables}
    after = {record.player: (record.games, record.seats[0] + (record.player in begins)) for record in records}
    least: dict[int, int] = {}
    for games, firsts in after.values():
        least[games] = min(firsts, least.get(games, firsts))
    return tuple(sorted(player for player, (games, firsts) in after.items() if firsts > least[games] + 1))


# -- the search -------------------------------------------------------------------------------------------------------


def _search(costs: TableCosts, random: Random) -> NumberedTables:
    best: NumberedTables = []
    least = -1
    cheapest = sum(sorted(costs.field.firsts)[: len(costs.field.sizes)]) // UNEVEN_FIRST_COST * UNEVEN_FIRST_COST
    large = len(costs.field.records) > 2 * MAX_EXACT_PLAYERS
    small = len(costs.field.records) <= MAX_EXACT_PLAYERS
    for attempt in range(SEARCH_STARTS if large or small else MAX_SEARCH_STARTS):
        tables = _improve(costs, _initial_tables(costs.field, random, again=attempt > 0))
        total = costs.total(tables)
        if least < 0 or total < least:
            best, least = tables, total
        if (large or attempt + 1 >= SEARCH_STARTS) and least < (cheapest + UNEVEN_FIRST_COST) * FIRST_SEAT_WEIGHT:
            break
    return best


def _initial_tables(field: Field, random: Random, *, again: bool) -> NumberedTables:
    """Seat players by rank, equal points in random order; the players due sit at the tables of three."""
    order = sorted(range(len(field.records)), key=lambda index: (-field.scores[index], random.random()))
    seats = 3 * field.sizes.count(3)
    threes: list[int] = []
    if 0 < seats < len(order):
        asked = random.sample(order, len(order)) if again else order[::-1]
        threes = _threes_without_repeat(field, asked, seats) or _by_role(field, order[::-1])[:seats][::-1]
    line = [*(index for index in order if index not in set(threes)), *threes]
    tables, start = [], 0
    for size in field.sizes:
        tables.append(line[start : start + size])
        start += size
    return tables


def _by_role(field: Field, asked: Sequence[int]) -> list[int]:
    """Return the players with those first who must sit at a table of three, and those last who must not."""
    order = {MUST_THREE: 0, EITHER: 1, MUST_FOUR: 2}
    return sorted(asked, key=lambda index: order[field.roles[index]])


def _threes_without_repeat(field: Field, asked: Sequence[int], seats: int) -> list[int]:
    """Return the first of the players due, in the order asked, who fill the tables of three without a repeat."""
    may = [index for index in _by_role(field, asked) if field.roles[index] != MUST_FOUR]
    return _fill_threes(field, [], may, seats, iter(range(MAX_THREES_SEARCH_STEPS)))


def _fill_threes(field: Field, line: list[int], left: list[int], seats: int, looks: Iterator[int]) -> list[int]:
    """Return an order that fills one table of three after the other; empty if none was found in time."""
    if len(line) == seats:
        return [] if left and field.roles[left[0]] == MUST_THREE else line
    table = line[len(line) // 3 * 3 :]
    for number, index in enumerate(left if table else left[:1]):
        if next(looks, None) is None:
            break
        if any(field.met[index] >> other & 1 for other in table):
            continue
        found = _fill_threes(field, [*line, index], [*left[:number], *left[number + 1 :]], seats, looks)
        if found:
            return found
    return []


def _improve(costs: TableCosts, tables: NumberedTables) -> NumberedTables:
    """Exchange players between two tables while that lowers the cost; faulty tables also with distant ones."""
    prices = [costs.of(table) for table in tables]
    changed = set(range(len(tables)))
    while changed:
        _improve_neighbours(costs, tables, prices, changed)
        faulty = [number for number, price in enumerate(prices) if price >= UNEVEN_FIRST_COST * FIRST_SEAT_WEIGHT][
            :MAX_FAULTY_TABLES
        ]
        changed = {
            one
            for one in faulty
            for other in range(len(tables))
            if _exchange_distant(costs, tables, prices, one, other)
        }
    return tables


def _exchange_distant(costs: TableCosts, tables: NumberedTables, prices: list[int], one: int, other: int) -> bool:
    return abs(one - other) > _reach(len(tables)) and _exchange(costs, tables, prices, one, other)


def _improve_neighbours(costs: TableCosts, tables: NumberedTables, prices: list[int], changed: set[int]) -> None:
    while changed:
        before, changed = changed, set()
        for one, other in _neighbours(len(tables)):
            if (one in before or other in before or one in changed or other in changed) and _exchange(
                costs, tables, prices, one, other
            ):
                changed |= {one, other}


def _reach(count: int) -> int:
    return count if count <= 2 * NEIGHBOUR_DISTANCE else NEIGHBOUR_DISTANCE


def _neighbours(count: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one, other in combinations(range(count), 2) if other - one <= _reach(count))


def _exchange(costs: TableCosts, tables: NumberedTables, prices: list[int], one: int, other: int) -> bool:
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
    """Count the meetings of any two players in some rounds."""
    met: dict[Pair, int] = {}
    for tables in rounds:
        for two in {pair(one, other) for table in tables for one, other in combinations(table, 2)}:
            met[two] = met.get(two, 0) + 1
    return met
