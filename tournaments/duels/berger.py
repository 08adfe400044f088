"""Round robins by Berger's tables: everybody meets everybody once, first seats as even as they can be."""

from __future__ import annotations

from collections.abc import Sequence


def rounds_of(players: int) -> int:
    """Rounds of a round robin."""
    return players - 1 + players % 2 if players > 1 else 0


def berger(players: Sequence[int], number: int) -> tuple[list[tuple[int, int]], int | None]:
    """The pairs of a round, counted from 1, who begins first, and who rests where the players are odd."""
    size = len(players) + len(players) % 2
    last = size - 1
    pivot = (number - 1) * (size // 2) % last
    pairs = [(pivot, last) if number % 2 else (last, pivot)]
    pairs += [((pivot + step) % last, (pivot - step) % last) for step in range(1, size // 2)]
    if size == len(players):
        return [(players[one], players[other]) for one, other in pairs], None
    return [(players[one], players[other]) for one, other in pairs[1:]], players[pivot]
