"""What a table costs: the goals of pairing in their order, each weighing more than all that follow together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Final

from tournaments.tables.sitters import EITHER, Field

SPREAD: Final = 10**5
"""What the spread of scores weighs against the other seats; the goals before it follow from there."""
FIRST: Final = SPREAD * 10**12
APART: Final = FIRST * 10**8
THREE: Final = APART * 10**4
"""Somebody at a second table of three before others who could have had their first."""
AGAIN: Final = THREE * 10**3
"""A third meeting is worse than a second one, but two repeats are worse than any."""
REPEAT: Final = AGAIN * 10**3


class Costs:
    """The costs of tables of a field; tables are ascending tuples of indices."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._known: dict[tuple[int, ...], int] = {}
        self._sat = [[count * count for count in sitter.seats] for sitter in field.sitters]

    def of(self, table: Sequence[int]) -> int:
        """What a table costs with its members in their best seats."""
        key = tuple(sorted(table))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._pairs(key) + self._scores(key) + self._seats(key)
        return found

    def total(self, tables: Sequence[Sequence[int]]) -> int:
        """What a round costs."""
        return sum(map(self.of, tables))

    def repeats(self, table: Sequence[int]) -> int:
        """Pairs of a table that have met before."""
        mask = sum(1 << index for index in table)
        return sum((self.field.met[index] & mask).bit_count() for index in table) // 2

    def beginners(self, table: Sequence[int]) -> list[int]:
        """Who may begin at the lowest cost."""
        cheapest = min(self.field.firsts[index] for index in table)
        return sorted(index for index in table if self.field.firsts[index] == cheapest)

    def seated(self, table: Sequence[int], first: int) -> tuple[int, ...]:
        """The members in their best seats behind the one who begins."""
        return self._behind(tuple(sorted(table)), first)[1]

    def _pairs(self, table: tuple[int, ...]) -> int:
        field = self.field
        mask = sum(1 << index for index in table)
        repeats = sum((field.met[index] & mask).bit_count() for index in table) // 2
        foes = sum((field.foes[index] & mask).bit_count() for index in table) // 2
        misplaced = sum(field.roles[index] not in (EITHER, len(table)) for index in table)
        cost = repeats * REPEAT + foes * APART + misplaced * THREE
        if repeats and field.often:
            cost += AGAIN * sum(field.often.get(two, 0) for two in combinations(table, 2))
        return cost

    def _scores(self, table: tuple[int, ...]) -> int:
        """Points apart, squared; and the threes where points are low."""
        scores = [self.field.scores[index] for index in table]
        spread = (max(scores) - min(scores)) ** 2 if scores else 0
        high = sum(scores) if len(table) == 3 else 0
        return SPREAD * (100 * spread + high)

    def _seats(self, table: tuple[int, ...]) -> int:
        """Who begins has the lowest cost of beginning; the others sit where they have sat least."""
        cost, _, first = min((*self._behind(table, first), first) for first in self.beginners(table))
        return self.field.firsts[first] * FIRST + cost

    def _behind(self, table: tuple[int, ...], first: int) -> tuple[int, tuple[int, ...]]:
        best, seated = -1, table
        for order in permutations([index for index in table if index != first]):
            cost = self._sat[first][0]
            for seat, index in enumerate(order, 1):
                cost += self._sat[index][seat]
            if best < 0 or cost < best:
                best, seated = cost, (first, *order)
        return best, seated
