"""An exact solver for the fewest repeated pairs in a round of tables, to check the faster pairing.

The integer program has a binary variable for each possible table, and each player sits at exactly one selected table.
HiGHS solves it, slowly but with certainty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import highspy

from tournaments.tables.field import Pair


def fewest_repeats(
    players: Sequence[int], sizes: Sequence[int], met: Mapping[Pair, int], bound: Mapping[int, int] | None = None
) -> int:
    """Return the fewest repeated pairs of a seating of all players at tables of these sizes.

    ``met`` has the pairs that met before; players in ``bound`` have to sit at a table of the given size.
    """
    required_sizes = bound or {}
    tables = [
        table
        for size in sorted(set(sizes))
        for table in combinations(
            [player for player in sorted(players) if required_sizes.get(player, size) == size], size
        )
    ]
    model = highspy.Highs()
    model.silent()
    selected = model.addBinaries(range(len(tables)))
    for player in players:
        model.addConstr(model.qsum(selected[number] for number, table in enumerate(tables) if player in table) == 1)
    for size in set(sizes):
        of_size = (selected[number] for number, table in enumerate(tables) if len(table) == size)
        model.addConstr(model.qsum(of_size) == sizes.count(size))
    repeats = (
        sum(pair in met for pair in combinations(table, 2)) * selected[number] for number, table in enumerate(tables)
    )
    model.minimize(model.qsum(repeats))
    assert model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return round(model.getObjectiveValue())
