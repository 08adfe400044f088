"""Pools of tables of four, all games at once: every player four games, one in each seat, meetings as even as can be.

A pool of any size goes round a circle: one table of four is moved on by one place for each game. Which places the first
table takes decides how often two meet; for 5, 7 and 13 players all pairs meet equally often.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking.sheets import AccountSheet
from tournaments.ranking.standings import Line
from tournaments.stages.base import TOO_FEW, drawn, ended
from tournaments.stages.robin import ranked_pools
from tournaments.states import Scene
from tournaments.tables.pairing import meetings
from tournaments.tables.schedule import side_by_side
from tournaments.tables.sitters import pair

DIFFERENCES: Final = 12
"""Between any two places of a table of four, both ways round."""


class Pools:
    """One round with all the games of all pools."""

    def rounds(self, scene: Scene) -> int:
        """One."""
        return 1 if scene.state.entrants else 0

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """All games."""
        tables: list[DrawnTable] = []
        reasons: list[str] = []
        for pool in scene.state.pools():
            there = [player for player in pool if player not in scene.gone]
            games = pool_games(there)
            tables += [DrawnTable(len(tables) + number, seats) for number, seats in enumerate(games, 1)]
            fewest, most = imbalance(games)
            if fewest != most:
                reasons.append(f"meetings-{fewest}-to-{most}")
        return drawn(scene, tables, reasons=sorted(set(reasons))) if tables else ended(scene, TOO_FEW)

    def ranking(self, scene: Scene) -> list[Line]:
        """Division by division, without the games of who left early."""
        return ranked_pools(scene, AccountSheet.of(scene, annul=True))


def pool_games(players: Sequence[int]) -> list[tuple[int, ...]]:
    """The games of a pool."""
    count = len(players)
    if count <= 4:
        return list(side_by_side(players)) if count >= 3 else []
    block = first_table(count)
    return [tuple(players[(place + step) % count] for place in block) for step in range(count)]


@lru_cache(maxsize=256)
def first_table(count: int) -> tuple[int, ...]:
    """The places of the first table by which meetings are most even: the first that are as even as any can be."""
    often, more = divmod(DIFFERENCES, count - 1)
    ideal = (int(more > 0), more * (often + 1) ** 2 + (count - 1 - more) * often**2)

    def unevenness(block: tuple[int, ...]) -> tuple[int, int]:
        found = [0] * count
        for one, other in combinations(block, 2):
            found[(other - one) % count] += 1
            found[(one - other) % count] += 1
        return max(found[1:]) - min(found[1:]), sum(each * each for each in found)

    best, least = (0, 1, 2, 3), unevenness((0, 1, 2, 3))
    for rest in combinations(range(1, count), 3):
        if least == ideal:
            break
        found = unevenness((0, *rest))
        if found < least:
            best, least = (0, *rest), found
    return best


def imbalance(games: Sequence[Sequence[int]]) -> tuple[int, int]:
    """How often those two meet who do so least, and those who do so most often."""
    met = meetings([[seats] for seats in games])
    players = sorted({player for seats in games for player in seats})
    found = [met.get(pair(one, other), 0) for one, other in combinations(players, 2)]
    return min(found, default=0), max(found, default=0)
