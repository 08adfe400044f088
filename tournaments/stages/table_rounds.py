"""Rounds of tables: all at once and side by side, one by one by the standings, or semi-finals and a final.

In finals four sit at a table, for four games side by side with each of them once in each seat, or for one.
"""

from __future__ import annotations

from fractions import Fraction

from tournaments.chance import source
from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import NOTHING, AccountSheet, Line, ranked
from tournaments.stages.base import TOO_FEW, drawn, ended, keeps_apart
from tournaments.states import Scene
from tournaments.tables.pairing import Seating, seat_round
from tournaments.tables.schedule import rounds_together, side_by_side
from tournaments.tables.sitters import Sitter

UNEVEN = "first-seats-uneven"
REPEATS = "repeats-unavoidable"
SOUGHT = "repeats-no-better-found"
UNDUE = "second-three"


class TableRounds:
    """Side by side or Swiss, as the plan says."""

    def rounds(self, scene: Scene) -> int:
        """As many as planned."""
        return scene.state.plan.rounds

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The next round; with too few left for a table the stage is over."""
        if len(scene.active) < 3:
            return ended(scene, TOO_FEW)
        seating = _together(scene) if scene.state.plan.together == 0 else _by_standings(scene)
        tables = [DrawnTable(number, seats) for number, seats in enumerate(seating.tables, 1)]
        return drawn(scene, tables, reasons=_reasons(seating))

    def ranking(self, scene: Scene) -> list[Line]:
        """By the tie-breaks of the plan."""
        return ranked(AccountSheet.of(scene), scene.state.entrants, scene.state.plan.tie_breaks)


def _together(scene: Scene) -> Seating:
    """The round from all that are drawn before anything is played. Whoever has left since then forfeits its games.

    Where other rounds stand than those that are drawn with it, as after one was undone, it is drawn for itself.
    """
    state = scene.state
    sitters = tuple(Sitter(player, party=scene.entries[player].party) for player in state.entrants)
    apart = scene.parameters.apart != "never"
    rounds = rounds_together(sitters, state.plan.rounds, f"{scene.seed}/{state.number}/{state.undone}", apart=apart)
    standing = [tuple(table.seats for table in each.tables) for each in state.rounds]
    if standing == [seating.tables for seating in rounds[: len(standing)]]:
        return rounds[len(standing)]
    random = source(scene.seed, state.number, scene.next_round, state.undone)
    sat = [_sitter(scene, player) for player in state.entrants]
    return seat_round(sat, state.met(), random, apart=apart)


def _by_standings(scene: Scene) -> Seating:
    state = scene.state
    sheet = AccountSheet.of(scene)
    lines = ranked(sheet, state.entrants, state.plan.tie_breaks)
    order = [line.player for line in lines if line.player not in scene.gone]
    random = source(scene.seed, state.number, scene.next_round, state.undone)
    sitters = [_sitter(scene, player, sheet.points(player)) for player in order]
    return seat_round(sitters, state.met(), random, apart=keeps_apart(scene))


def _sitter(scene: Scene, player: int, points: Fraction = NOTHING) -> Sitter:
    seats, threes = [0] * 5, 0
    for each in scene.state.rounds:
        for table in each.tables:
            if player in table.seats:
                seats[table.seats.index(player)] += 1
                threes += len(table.seats) == 3
    return Sitter(player, points, tuple(seats), threes, scene.entries[player].party)


def _reasons(seating: Seating) -> list[str]:
    told = []
    if seating.repeats:
        told.append(REPEATS if seating.proved else SOUGHT)
    if seating.uneven:
        told.append(UNEVEN)
    if seating.undue:
        told.append(UNDUE)
    return told


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
