"""The fewest repeats that a round can have, proved: for fields that are small enough."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from tournaments.tables.sitters import EITHER, MUST_FOUR, MUST_THREE, UNDUE, Field

LARGEST: Final = 24
"""Players up to whom the search is made."""


class Exact:
    """Looks for a round with few repeats by always seating next whoever has the least choice.

    With ``threes`` only those due sit at tables of three, with ``firsts`` only those due begin: a round with as few
    repeats is then one without any fault, and None proves that the repeats stand in its way.
    """

    def __init__(self, field: Field, *, threes: bool = False, firsts: bool = False) -> None:
        self.field = field
        self.everyone = (1 << len(field.sitters)) - 1
        self.roles = field.roles if threes else (EITHER,) * len(field.sitters)
        self.due = sum(1 << index for index, cost in enumerate(field.firsts) if cost < UNDUE) if firsts else 0
        self.each = firsts and self.due.bit_count() >= len(field.sizes)
        self._hopeless: dict[int, int] = {}

    @cached_property
    def least(self) -> int:
        """A number of repeats that no round can go below, from each player's choice alone."""
        return self._bound(self.everyone, self.field.sizes.count(4), self.field.sizes.count(3))

    def fewest(self, below: int) -> list[tuple[int, ...]] | None:
        """Tables with the fewest repeats of all, where these are fewer than ``below``; None proves there are none."""
        for budget in range(self.least, below):
            found = self._divide(self.everyone, budget, self.field.sizes.count(4), self.field.sizes.count(3))
            if found is not None:
                return found
        return None

    def _divide(self, left: int, budget: int, fours: int, threes: int) -> list[tuple[int, ...]] | None:
        """Tables for those who are left, with at most so many repeats."""
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
        """The one table that is left, if it is a legal one."""
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
        """Each player needs two or three new faces; who has fewer of them repeats at least that often."""
        lacking, roles = 0, self.roles
        for player in _members(left):
            four = fours and (roles[player] == MUST_FOUR or not threes)
            new = (left & ~self.field.met[player]).bit_count() - 1
            lacking += max(0, (3 if four else 2) - new)
        return (lacking + 1) // 2

    def _tables(self, player: int, left: int, size: int, budget: int) -> Iterator[tuple[int, int]]:
        """All tables of one player with those left, as repeats and mask, those with the fewest repeats first."""
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
        """Whether one who is due can begin here: one at each table, or where there are too few each at another."""
        due = (table & self.due).bit_count()
        return due > 0 if self.each else due <= 1


def _members(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
