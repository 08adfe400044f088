"""Round robins: of all, in groups, or in the divisions of a league."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tournaments.duels.berger import berger, rounds_of
from tournaments.duels.matches import first_games
from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking.sheets import AccountSheet
from tournaments.ranking.standings import Line, ranked
from tournaments.ranking.tiebreaks import COUNTED
from tournaments.stages.base import TOO_FEW, drawn, ended
from tournaments.states import Scene


class Robin:
    """Everybody meets everybody of the same pool; whoever's opponent left before the round has a bye."""

    def rounds(self, scene: Scene) -> int:
        """As many as the largest pool needs."""
        return max((rounds_of(len(pool)) for pool in scene.state.pools()), default=0)

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The next round of all pools."""
        if len(scene.active) < 2:
            return ended(scene, TOO_FEW)
        plan = scene.state.plan
        tables: list[DrawnTable] = []
        byes: list[int] = []
        match = 0
        for pool in scene.state.pools():
            if scene.next_round > rounds_of(len(pool)):
                continue
            pairs, _ = berger(pool, scene.next_round)
            for two in pairs:
                there = [player for player in two if player not in scene.gone]
                if len(there) == 2:
                    match += 1
                    tables += first_games(match, _seated(scene, two), plan.best_of, plan.boards)
                else:
                    byes += there
        playing = {*byes, *(player for table in tables for player in table.seats)}
        return drawn(scene, tables, byes, resting=[player for player in scene.active if player not in playing])

    def ranking(self, scene: Scene) -> list[Line]:
        """By pool and tie-breaks: divisions one after the other, of groups all firsts before all seconds."""
        return ranked_pools(scene, AccountSheet.of(scene, annul=True))


def _seated(scene: Scene, two: tuple[int, int]) -> tuple[int, int]:
    """The pair as in Berger's tables; turned where dropouts have made seats uneven and that makes them more even."""
    begun = dict.fromkeys(two, 0)
    for each in scene.state.rounds:
        for seats in {table.match: table.seats for table in reversed(each.tables)}.values():
            for seat, player in enumerate(seats):
                if player in begun:
                    begun[player] += 1 - 2 * seat
    one, other = two
    straight = max(abs(begun[one] + 1), abs(begun[other] - 1))
    turned = max(abs(begun[one] - 1), abs(begun[other] + 1))
    return (other, one) if turned < straight and straight > 1 else two


def ranked_pools(scene: Scene, sheet: AccountSheet) -> list[Line]:
    """Rank each pool and put the pools together; of groups, whoever was struck out is behind all others."""
    plan = scene.state.plan
    pools = [ranked(sheet, pool, plan.tie_breaks) for pool in scene.state.pools()]
    if len(pools) == 1:
        return pools[0]
    if plan.divisions:
        return _renumbered(
            [
                (line, (("division", Fraction(-number)), *line.values))
                for number, pool in enumerate(pools, 1)
                for line in pool
            ]
        )
    places = {line.player: line.rank for pool in pools for line in pool}
    across = ranked(sheet, scene.state.entrants, plan.tie_breaks)
    front = int(any(line.values[0][0] == COUNTED for line in across))
    found = [
        (line, (*line.values[:front], ("place", Fraction(-places[line.player])), *line.values[front:]))
        for line in across
    ]
    found.sort(key=lambda each: [value for _, value in each[1][: front + 1]], reverse=True)
    return _renumbered(found)


def _renumbered(lines: Sequence[tuple[Line, tuple[tuple[str, Fraction], ...]]]) -> list[Line]:
    return [Line(line.player, rank, line.stage, values) for rank, (line, values) in enumerate(lines, 1)]
