"""The fewest repeats of a round of tables, by an exact solver of integer programs: what pairing is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import highspy

from tournaments.tables.field import Pair


def fewest_repeats(
    players: Sequence[int], sizes: Sequence[int], met: Mapping[Pair, int], bound: Mapping[int, int] | None = None
) -> int:
    """Choose tables that hold everybody once, as many of each size as given, with the fewest pairs met before.

    Whoever is ``bound`` sits at a table of that size.
    """
    wanted = bound or {}
    tables = [
        table
        for size in sorted(set(sizes))
        for table in combinations([player for player in sorted(players) if wanted.get(player, size) == size], size)
    ]
    model = highspy.Highs()
    model.silent()
    chosen = model.addBinaries(range(len(tables)))
    for player in players:
        model.addConstr(model.qsum(chosen[number] for number, table in enumerate(tables) if player in table) == 1)
    for size in set(sizes):
        of_size = (chosen[number] for number, table in enumerate(tables) if len(table) == size)
        model.addConstr(model.qsum(of_size) == sizes.count(size))
    repeats = (
        sum(two in met for two in combinations(table, 2)) * chosen[number] for number, table in enumerate(tables)
    )
    model.minimize(model.qsum(repeats))
    assert model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return round(model.getObjectiveValue())
