"""Semi-finals and the final: four at a table, four games side by side with each of them once in each seat, or one."""

from __future__ import annotations

from fractions import Fraction

from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking.sheets import AccountSheet
from tournaments.ranking.standings import Line, ranked
from tournaments.stages.base import TOO_FEW, drawn, ended
from tournaments.states import Scene
from tournaments.tables.schedule import side_by_side

SEATS = 4


class Finals:
    """Tables of four among those who came through."""

    def rounds(self, scene: Scene) -> int:
        """One, in which all games are side by side."""
        return 1 if scene.state.entrants else 0

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The games; with one player left there is nothing to play."""
        groups = _groups(scene)
        if any(len(group) < 2 for group in groups):
            return ended(scene, TOO_FEW)
        tables = [DrawnTable(number, seats) for number, group in enumerate(groups, 1) for seats in _games(scene, group)]
        return drawn(scene, tables)

    def ranking(self, scene: Scene) -> list[Line]:
        """The winners of all tables first, then the seconds; within them by points and preliminary rank."""
        lines = ranked(AccountSheet.of(scene), scene.state.entrants, scene.state.plan.tie_breaks)
        groups = _groups(scene)
        if len(groups) <= 1:
            return lines
        table = {player: number for number, group in enumerate(groups) for player in group}
        seen: dict[int, int] = {}
        places: dict[int, int] = {}
        for line in lines:
            where = table.get(line.player, -1)
            places[line.player] = seen[where] = seen.get(where, 0) + 1
        lines.sort(key=lambda line: places[line.player])
        return [
            Line(line.player, rank, line.stage, (("place", Fraction(-places[line.player])), *line.values))
            for rank, line in enumerate(lines, 1)
        ]


def _groups(scene: Scene) -> list[list[int]]:
    """The entrants dealt out to and fro over the tables; once drawn, as they were drawn."""
    state = scene.state
    if state.rounds:
        found: dict[int, list[int]] = {}
        for table in state.rounds[0].tables:
            found[table.match] = sorted(table.seats, key=state.entrants.index)
        return list(found.values())
    count = -(-len(scene.active) // SEATS)
    groups: list[list[int]] = [[] for _ in range(count)]
    for number, player in enumerate(scene.active):
        turn, place = divmod(number, count)
        groups[place if turn % 2 == 0 else count - 1 - place].append(player)
    return groups


def _games(scene: Scene, players: list[int]) -> tuple[tuple[int, ...], ...]:
    """All games of a table; of a single one the seats by lot of rank, the best choosing the last."""
    games = side_by_side(players)
    return games if scene.parameters.final == "four-games" else ((*reversed(players),),)
