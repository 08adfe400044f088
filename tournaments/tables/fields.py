"""How a field divides into tables: fours, as few threes as possible, a five only for five players."""

from __future__ import annotations

LEAST = 4
MOST = 256


def table_sizes(players: int) -> tuple[int, ...]:
    """The sizes of the tables, the largest first; empty where there are too few for any table."""
    if players < 3:
        return ()
    if players == 5:
        return (5,)
    threes = -players % 4
    return (4,) * ((players - 3 * threes) // 4) + (3,) * threes


def rounds_for(players: int) -> int:
    """Games of the preliminary: four up to 16 players, five above."""
    if players == 5:
        return 5
    return 4 if players <= 16 else 5


def finalists_for(players: int) -> tuple[int, ...]:
    """How many play in each stage after the preliminary: nobody, four, or sixteen and four."""
    if players <= 5:
        return ()
    return (4,) if players < 33 else (16, 4)
