"""Swiss rounds of duels, or of teams: the Dutch system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations

from tournaments.chance import source
from tournaments.duels.dutch import dutch
from tournaments.duels.matches import DutchRound, Past, first_games, matches
from tournaments.facts import RoundDrawn, StageEnded
from tournaments.ranking import AccountSheet, Line, ranked
from tournaments.stages.base import NO_LEGAL_ROUND, TOO_FEW, drawn, ended, keeps_apart
from tournaments.states import RoundState, Scene
from tournaments.tables.sitters import Pair

PARTIES_MEET = "parties-meet"


class Swiss:
    """As many rounds as planned, as long as there is a legal one."""

    def rounds(self, scene: Scene) -> int:
        """As many as planned."""
        return scene.state.plan.rounds

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The next round; without a legal one the stage is over."""
        state = scene.state
        if len(scene.active) < 2:
            return ended(scene, TOO_FEW)
        apart = list(_parties(scene)) if keeps_apart(scene) else []
        found = _paired(scene, apart)
        reasons = []
        if found is None and apart:
            found = _paired(scene, [])
            reasons = [PARTIES_MEET]
        if found is None:
            return ended(scene, NO_LEGAL_ROUND)
        tables = [
            table
            for number, players in enumerate(found.pairs, 1)
            for table in first_games(number, players, state.plan.best_of, state.plan.boards)
        ]
        return drawn(scene, tables, () if found.bye is None else (found.bye,), reasons=reasons)

    def ranking(self, scene: Scene) -> list[Line]:
        """By the tie-breaks of the plan."""
        return ranked(AccountSheet.of(scene), scene.state.entrants, scene.state.plan.tie_breaks)


def _paired(scene: Scene, apart: Iterable[Pair]) -> DutchRound | None:
    state = scene.state
    return dutch(
        state.entrants,
        pasts(scene),
        frozenset(scene.active),
        bye=Fraction(1) if scene.parameters.bye == "win" else Fraction(1, 2),
        seed_begins=source(scene.seed, state.number, "begins").random() < 0.5,
        apart=apart,
    )


def _parties(scene: Scene) -> Iterator[Pair]:
    """Those of the same server or team."""
    for one, other in combinations(scene.state.entrants, 2):
        party = scene.entries[one].party
        if party and party == scene.entries[other].party:
            yield one, other


def pasts(scene: Scene) -> dict[int, list[Past]]:
    """What pairing has to know of everybody, round by round."""
    found: dict[int, list[Past]] = {player: [] for player in scene.state.entrants}
    for number, each in enumerate(scene.state.rounds, 1):
        for player, past in _round(scene, each).items():
            found[player].append(past)
        for player, known in found.items():
            if len(known) < number:
                known.append(Past(bye=player in each.byes))
    return found


def _round(scene: Scene, each: RoundState) -> dict[int, Past]:
    begun = {table.match: table.seats for table in reversed(each.tables)}
    points = {
        player: match.points[side]
        for match in matches(each, scene.state.plan)
        for side, player in enumerate(match.players)
    }
    found: dict[int, Past] = {}
    for one, other in begun.values():
        found[one] = Past(other, first=True, points=points.get(one, Fraction(0)))
        found[other] = Past(one, first=False, points=points.get(other, Fraction(0)))
    return found
