"""Pairing of a round of tables: local search, and for small fields a proof that no repeat can be avoided.

A *repeat* is a pair of players who have met before. :func:`seat_round` pursues these goals, the most important first:
no repeats; tables of three for the players who had fewest of them; players of one party (server or team) apart, if the
organiser wants that; nobody begins more often than others; similar points at a table; and even other seats. Each goal
has a weight so large that all later goals together cannot outweigh it, and the sum is the cost that the search lowers.

Here players are indices into the field, by rank, and sets of players are bit masks of these indices.
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
"""The weight of differences in points at a table; those of other seats weigh 1."""
FIRST_SEAT_WEIGHT: Final = SPREAD_WEIGHT * 10**12
"""The weight of a unit of ``Field.first_costs``, the costs of letting players begin."""
FAULT_COST: Final = UNEVEN_FIRST_COST * FIRST_SEAT_WEIGHT
"""The least cost of a table with a fault: a player begins who began more often than others, or worse."""
PARTY_WEIGHT: Final = FIRST_SEAT_WEIGHT * 10**8
"""The weight of two members of one party at a table."""
THREES_WEIGHT: Final = PARTY_WEIGHT * 10**4
"""The weight of a player at a second table of three before others have had their first."""
THIRD_MEETING_WEIGHT: Final = THREES_WEIGHT * 10**3
"""The additional weight of each meeting beyond the second; two repeats weigh more than any number of these."""
REPEAT_WEIGHT: Final = THIRD_MEETING_WEIGHT * 10**3
"""The weight of a pair who have met before."""


class TableCosts:
    """The costs of tables of a field, cached; the keys are ascending tuples of indices."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._costs: dict[tuple[int, ...], int] = {}
        self._seat_costs = [[count * count for count in record.seats] for record in field.records]

    def of(self, table: Sequence[int]) -> int:
        """Return the cost of a table with its members in their best seats."""
        key = tuple(sorted(table))
        cost = self._costs.get(key)
        if cost is None:
            cost = self._costs[key] = self._pair_cost(key) + self._score_cost(key) + self._seat_cost(key)
        return cost

    def total(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the cost of a round."""
        return sum(map(self.of, tables))

    def repeats(self, table: Sequence[int]) -> int:
        """Return the number of pairs of a table that have met before."""
        mask = sum(1 << index for index in table)
        return sum((self.field.met[index] & mask).bit_count() for index in table) // 2

    def beginners(self, table: Sequence[int]) -> list[int]:
        """Return the players who may begin at the lowest cost."""
        cheapest = min(self.field.first_costs[index] for index in table)
        return sorted(index for index in table if self.field.first_costs[index] == cheapest)

    def seated(self, table: Sequence[int], first: int) -> tuple[int, ...]:
        """Return the table with ``first`` in the first seat and the others in their best seats."""
        return self._best_seats_behind(tuple(sorted(table)), first)[1]

    def _pair_cost(self, table: tuple[int, ...]) -> int:
        """Return the cost of repeats, of members of one party, and of players at a table of the wrong size."""
        field = self.field
        mask = sum(1 << index for index in table)
        repeats = sum((field.met[index] & mask).bit_count() for index in table) // 2
        same_party = sum((field.same_party[index] & mask).bit_count() for index in table) // 2
        misplaced = sum(field.roles[index] not in (EITHER, len(table)) for index in table)
        cost = repeats * REPEAT_WEIGHT + same_party * PARTY_WEIGHT + misplaced * THREES_WEIGHT
        if repeats and field.rematches:
            cost += THIRD_MEETING_WEIGHT * sum(field.rematches.get(players, 0) for players in combinations(table, 2))
        return cost

    def _score_cost(self, table: tuple[int, ...]) -> int:
        """Return the squared spread of points, and the cost of a table of three among high scorers."""
        scores = [self.field.scores[index] for index in table]
        spread = (max(scores) - min(scores)) ** 2 if scores else 0
        high = sum(scores) if len(table) == 3 else 0
        return SPREAD_WEIGHT * (100 * spread + high)

    def _seat_cost(self, table: tuple[int, ...]) -> int:
        """Return the cost of the best seats: the cheapest beginner, the others where they have sat least."""
        cost, _, first = min((*self._best_seats_behind(table, first), first) for first in self.beginners(table))
        return self.field.first_costs[first] * FIRST_SEAT_WEIGHT + cost

    def _best_seats_behind(self, table: tuple[int, ...], first: int) -> tuple[int, tuple[int, ...]]:
        """Return the lowest cost of the seats behind the first player, and the table in that order."""
        least_cost, best_seats = -1, table
        for order in permutations([index for index in table if index != first]):
            cost = self._seat_costs[first][0]
            for seat, index in enumerate(order, 1):
                cost += self._seat_costs[index][seat]
            if least_cost < 0 or cost < least_cost:
                least_cost, best_seats = cost, (first, *order)
        return least_cost, best_seats


MAX_EXACT_PLAYERS: Final = 24
"""The most players of a field that is searched exactly; beyond that the search could take seconds."""


class ExactSearch:
    """A depth-first search for the fewest repeats, which always seats the most constrained player next.

    With ``threes`` only players who are due for a table of three sit at one, with ``firsts`` only players who are due
    to begin do so. A round that is found under both conditions has no fault; if none is found, that proves that such a
    round would need more repeats.
    """

    def __init__(self, field: Field, *, threes: bool = False, firsts: bool = False) -> None:
        self.field = field
        self.everyone = (1 << len(field.records)) - 1
        self.roles = field.roles if threes else (EITHER,) * len(field.records)
        self.due = (
            sum(1 << index for index, cost in enumerate(field.first_costs) if cost < UNEVEN_FIRST_COST) if firsts else 0
        )
        self.one_each = firsts and self.due.bit_count() >= len(field.sizes)
        self._failed_budgets: dict[int, int] = {}

    @cached_property
    def lower_bound(self) -> int:
        """A lower bound of the number of repeats in the whole round."""
        return self._least_repeats(self.everyone, self.field.sizes.count(4), self.field.sizes.count(3))

    def find_tables(self, below: int) -> list[tuple[int, ...]] | None:
        """Return tables with the fewest repeats, if fewer than ``below``; None proves that there are none."""
        for budget in range(self.lower_bound, below):
            tables = self._divide(self.everyone, budget, self.field.sizes.count(4), self.field.sizes.count(3))
            if tables is not None:
                return tables
        return None

    def _divide(self, remaining: int, budget: int, fours: int, threes: int) -> list[tuple[int, ...]] | None:
        """Return tables for the remaining players with at most ``budget`` repeats, or None."""
        if not remaining:
            return []
        if self._failed_budgets.get(remaining, -1) >= budget or self._least_repeats(remaining, fours, threes) > budget:
            return None
        if fours + threes == 1:
            return self._last_table(remaining, budget)
        if self.one_each and (remaining & self.due).bit_count() < fours + threes:
            return None
        player = self._most_constrained(remaining)
        for size, tables_left in ((4, (fours - 1, threes)), (3, (fours, threes - 1))):
            if min(tables_left) < 0 or not self._may_sit(player, size):
                continue
            for cost, table in self._tables(player, remaining, size, budget):
                other_tables = self._divide(remaining & ~table, budget - cost, *tables_left)
                if other_tables is not None:
                    return [tuple(_indices(table)), *other_tables]
        self._failed_budgets[remaining] = max(budget, self._failed_budgets.get(remaining, -1))
        return None

    def _last_table(self, remaining: int, budget: int) -> list[tuple[int, ...]] | None:
        """Return the last table, if it is legal."""
        table = tuple(_indices(remaining))
        repeats = sum((self.field.met[index] & remaining).bit_count() for index in table) // 2
        fits = (
            repeats <= budget
            and self._beginners_fit(remaining)
            and all(self._may_sit(index, len(table)) for index in table)
        )
        return [table] if fits else None

    def _may_sit(self, player: int, size: int) -> bool:
        return self.roles[player] in (EITHER, size)

    def _most_constrained(self, remaining: int) -> int:
        met = self.field.met
        return min(_indices(remaining), key=lambda player: (remaining & ~met[player]).bit_count())

    def _least_repeats(self, remaining: int, fours: int, threes: int) -> int:
        """Return a lower bound of the repeats: each player needs two or three opponents and may lack new ones.

        Each repeat involves two players, so that the sum over all players is halved.
        """
        lacking, roles = 0, self.roles
        for player in _indices(remaining):
            needs_three = fours and (roles[player] == MUST_FOUR or not threes)
            new_opponents = (remaining & ~self.field.met[player]).bit_count() - 1
            lacking += max(0, (3 if needs_three else 2) - new_opponents)
        return (lacking + 1) // 2

    def _tables(self, player: int, remaining: int, size: int, budget: int) -> Iterator[tuple[int, int]]:
        """Yield all tables of one player with the remaining ones, as repeats and mask, fewest repeats first."""
        barred = MUST_THREE if size == 4 else MUST_FOUR
        guests = [guest for guest in _indices(remaining & ~(1 << player)) if self.roles[guest] != barred]
        partial_tables = [(0, 1 << player, 0)]
        for _ in range(size - 1):
            partial_tables = [
                (cost + added, table | 1 << guest, position + 1)
                for cost, table, start in partial_tables
                for position, guest in enumerate(guests[start:], start)
                if cost + (added := (self.field.met[guest] & table).bit_count()) <= budget
            ]
        partial_tables.sort(key=lambda entry: entry[0])
        return ((cost, table) for cost, table, _ in partial_tables if self._beginners_fit(table))

    def _beginners_fit(self, table: int) -> bool:
        """Return whether a table has a player due to begin; if there are too few for all tables, at most one."""
        due = (table & self.due).bit_count()
        return due > 0 if self.one_each else due <= 1


def _indices(mask: int) -> Iterator[int]:
    """Yield the players of a set, by their bits."""
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
"""The number of neighbouring tables with which a table exchanges players, in fields too large for trying all."""
MAX_FAULTY_TABLES: Final = 8
"""The most tables with a fault that are exchanged with distant tables at a time."""
MAX_THREES_SEARCH_STEPS: Final = 2000
"""The most steps of the search for tables of three without a repeat."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A paired round: tables in the order of seats, the number of repeats, and whether it is proved to be minimal."""

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
    """Pair a round of the players in ``records``, who are in the order of their rank.

    ``met`` counts the meetings of any two players so far. The same arguments, with the same state of ``random``, always
    give the same round, so that everybody can check a draw.
    """
    field = Field.of(records, met, sizes, apart=apart)
    costs = TableCosts(field)
    tables = _search(costs, random)
    repeats = sum(map(costs.repeats, tables))
    small = len(records) <= MAX_EXACT_PLAYERS and set(field.sizes) <= {3, 4}
    if small and repeats:
        tables = _cheaper(costs, ExactSearch(field).find_tables(repeats), tables)
    seating = _seating(costs, tables, proved=small or not repeats or len(tables) == 1)
    if small and (seating.uneven or seating.undue):
        seating = _seating(costs, _with_fewer_faults(costs, tables), proved=True)
    return seating


def _cheaper(costs: TableCosts, candidate: Sequence[Sequence[int]] | None, tables: NumberedTables) -> NumberedTables:
    """Return the cheaper of the current tables and a candidate, improved by local search."""
    improved = tables if candidate is None else _improve(costs, [list(table) for table in candidate])
    return min(tables, improved, key=costs.total)


def _with_fewer_faults(costs: TableCosts, tables: NumberedTables) -> NumberedTables:
    """Return a round with as few repeats in which only players due sit at tables of three, or begin, or both.

    If none exists, the tables are returned as they are.
    """
    limit = sum(map(costs.repeats, tables)) + 1
    for threes, firsts in ((True, True), (True, False), (False, True)):
        better = ExactSearch(costs.field, threes=threes, firsts=firsts).find_tables(limit)
        if better is not None:
            return _cheaper(costs, better, tables)
    return tables


def _seating(costs: TableCosts, tables: NumberedTables, *, proved: bool) -> Seating:
    """Return the round with its players in their seats, and the goals that it did not reach."""
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
    """Return the player who begins at each table.

    Where several are due, the choice leaves players who have met each other: they have to begin at different tables
    later, and players who have met are seated apart anyway.
    """
    met = list(costs.field.met)
    for table in tables:
        mask = sum(1 << index for index in table)
        for index in table:
            met[index] |= mask
    choices = [costs.beginners(table) for table in tables]
    undecided = sum(1 << index for choice in choices for index in choice)
    in_order = []
    for choice in sorted(choices, key=len):
        first = max(choice, key=lambda index: ((undecided & ~met[index]).bit_count(), -index))
        undecided &= ~(1 << first)
        in_order.append(first)
    chosen = set(in_order)
    return [next(index for index in choice if index in chosen) for choice in choices]


def uneven_firsts(records: Sequence[SeatingRecord], tables: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the players who will have begun at least twice more than another with as many games."""
    begins = {table[0] for table in tables}
    games_and_firsts = {
        record.player: (record.games, record.seats[0] + (record.player in begins)) for record in records
    }
    fewest_firsts: dict[int, int] = {}
    for games, firsts in games_and_firsts.values():
        fewest_firsts[games] = min(firsts, fewest_firsts.get(games, firsts))
    return tuple(
        sorted(player for player, (games, firsts) in games_and_firsts.items() if firsts > fewest_firsts[games] + 1)
    )


# -- the search -------------------------------------------------------------------------------------------------------


def _search(costs: TableCosts, random: Random) -> NumberedTables:
    """Return the cheapest tables that the local search finds from several starts."""
    best: NumberedTables = []
    least_cost = -1
    cheapest_firsts = sum(sorted(costs.field.first_costs)[: len(costs.field.sizes)])
    faultless_cost = (cheapest_firsts // UNEVEN_FIRST_COST + 1) * FAULT_COST
    large = len(costs.field.records) > 2 * MAX_EXACT_PLAYERS
    small = len(costs.field.records) <= MAX_EXACT_PLAYERS
    for attempt in range(SEARCH_STARTS if large or small else MAX_SEARCH_STARTS):
        tables = _improve(costs, _initial_tables(costs.field, random, again=attempt > 0))
        cost = costs.total(tables)
        if least_cost < 0 or cost < least_cost:
            best, least_cost = tables, cost
        if (large or attempt + 1 >= SEARCH_STARTS) and least_cost < faultless_cost:
            break
    return best


def _initial_tables(field: Field, random: Random, *, again: bool) -> NumberedTables:
    """Return tables by rank, with equal points in random order and the players due at the tables of three."""
    order = sorted(range(len(field.records)), key=lambda index: (-field.scores[index], random.random()))
    seats = 3 * field.sizes.count(3)
    threes: list[int] = []
    if 0 < seats < len(order):
        preferred = random.sample(order, len(order)) if again else order[::-1]
        threes = _threes_without_repeat(field, preferred, seats) or _sorted_by_role(field, order[::-1])[:seats][::-1]
    line = [*(index for index in order if index not in set(threes)), *threes]
    tables, start = [], 0
    for size in field.sizes:
        tables.append(line[start : start + size])
        start += size
    return tables


def _sorted_by_role(field: Field, players: Sequence[int]) -> list[int]:
    """Return players who must sit at a table of three first, and those who must not last."""
    order = {MUST_THREE: 0, EITHER: 1, MUST_FOUR: 2}
    return sorted(players, key=lambda index: order[field.roles[index]])


def _threes_without_repeat(field: Field, players: Sequence[int], seats: int) -> list[int]:
    """Return the first players in this order who can fill the tables of three without a repeat."""
    candidates = [index for index in _sorted_by_role(field, players) if field.roles[index] != MUST_FOUR]
    return _fill_threes(field, [], candidates, seats, iter(range(MAX_THREES_SEARCH_STEPS)))


def _fill_threes(field: Field, line: list[int], candidates: list[int], seats: int, steps: Iterator[int]) -> list[int]:
    """Return an order that fills one table of three after the other; empty if none was found within the steps."""
    if len(line) == seats:
        return [] if candidates and field.roles[candidates[0]] == MUST_THREE else line
    table = line[len(line) // 3 * 3 :]
    for number, index in enumerate(candidates if table else candidates[:1]):
        if next(steps, None) is None:
            break
        if any(field.met[index] >> member & 1 for member in table):
            continue
        filled = _fill_threes(field, [*line, index], [*candidates[:number], *candidates[number + 1 :]], seats, steps)
        if filled:
            return filled
    return []


def _improve(costs: TableCosts, tables: NumberedTables) -> NumberedTables:
    """Exchange players between neighbouring tables while that lowers the cost; between distant ones for a fault."""
    prices = [costs.of(table) for table in tables]
    changed = set(range(len(tables)))
    while changed:
        _improve_neighbours(costs, tables, prices, changed)
        faulty = [number for number, price in enumerate(prices) if price >= FAULT_COST]
        changed = {
            first
            for first in faulty[:MAX_FAULTY_TABLES]
            for second in range(len(tables))
            if _exchange_distant(costs, tables, prices, first, second)
        }
    return tables


def _exchange_distant(costs: TableCosts, tables: NumberedTables, prices: list[int], first: int, second: int) -> bool:
    return abs(first - second) > _exchange_distance(len(tables)) and _exchange(costs, tables, prices, first, second)


def _improve_neighbours(costs: TableCosts, tables: NumberedTables, prices: list[int], changed: set[int]) -> None:
    """Exchange players between neighbouring tables until no exchange lowers the cost."""
    while changed:
        previous, changed = changed, set()
        for first, second in _neighbouring_tables(len(tables)):
            if (first in previous or second in previous or first in changed or second in changed) and _exchange(
                costs, tables, prices, first, second
            ):
                changed |= {first, second}


def _exchange_distance(count: int) -> int:
    return count if count <= 2 * NEIGHBOUR_DISTANCE else NEIGHBOUR_DISTANCE


def _neighbouring_tables(count: int) -> Iterator[tuple[int, int]]:
    """Return the pairs of tables between which players are exchanged."""
    return (
        (first, second)
        for first, second in combinations(range(count), 2)
        if second - first <= _exchange_distance(count)
    )


def _exchange(costs: TableCosts, tables: NumberedTables, prices: list[int], first: int, second: int) -> bool:
    """Make the best exchange of two players between two tables if it lowers their cost; return whether it does."""
    first_table, second_table = tables[first], tables[second]
    best, swap = prices[first] + prices[second], None
    for first_place, first_player in enumerate(first_table):
        others = first_table[:first_place] + first_table[first_place + 1 :]
        for second_place, second_player in enumerate(second_table):
            price = costs.of([*others, second_player])
            if price < best:
                price += costs.of([*second_table[:second_place], *second_table[second_place + 1 :], first_player])
                if price < best:
                    best, swap = price, (first_place, second_place)
    if swap is None:
        return False
    first_place, second_place = swap
    first_table[first_place], second_table[second_place] = second_table[second_place], first_table[first_place]
    prices[first], prices[second] = costs.of(first_table), costs.of(second_table)
    return True


def meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> dict[Pair, int]:
    """Count the meetings of any two players in these rounds, at most one for each round."""
    met: dict[Pair, int] = {}
    for tables in rounds:
        for players in {pair(first, second) for table in tables for first, second in combinations(table, 2)}:
            met[players] = met.get(players, 0) + 1
    return met
