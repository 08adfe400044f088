"""Rounds of tables: all drawn at once, to be played side by side, or one by one by the standings."""

from __future__ import annotations

from fractions import Fraction

from tournaments.chance import source
from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking.sheets import NOTHING, AccountSheet
from tournaments.ranking.standings import Line, ranked
from tournaments.stages.base import TOO_FEW, drawn, ended, keeps_apart
from tournaments.states import Scene
from tournaments.tables.pairing import Seating, seat_round
from tournaments.tables.schedule import rounds_together
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
