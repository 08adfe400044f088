"""Double elimination without a fixed bracket: who lost as often meets, and two losses end it."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from tournaments.chance import source
from tournaments.duels.matches import Match, contests, first_games, matches
from tournaments.facts import RoundDrawn, StageEnded
from tournaments.ranking.standings import Line
from tournaments.stages.base import PLAYED, TOO_FEW, drawn, ended, keeps_apart
from tournaments.stages.knockout import by_values, is_cut_short
from tournaments.states import Scene, StageState
from tournaments.tables.pairing import seat_round
from tournaments.tables.sitters import Sitter

LOSSES = 2


class DoubleElimination:
    """Rounds until one is left."""

    def rounds(self, scene: Scene) -> int:
        """Not known before."""
        return 0 * len(scene.entries)

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The unbeaten meet each other, those with a loss each other; where both are odd two of them meet."""
        lost = losses(scene.state, scene.gone)
        unbeaten = [player for player in scene.active if lost[player] == 0]
        beaten = [player for player in scene.active if lost[player] == 1]
        if len(unbeaten) + len(beaten) < 2:
            return ended(scene, PLAYED if scene.state.rounds else TOO_FEW)
        floating = len(unbeaten) % 2 and len(beaten) % 2
        groups = [unbeaten, beaten]
        if floating:
            groups = [unbeaten[:-1], [unbeaten[-1], beaten[0]], beaten[1:]]
        byes = [_rests(scene.state, group) for group in groups if len(group) % 2]
        pairs = [two for group in groups for two in _paired(scene, [each for each in group if each not in byes])]
        plan = scene.state.plan
        tables = [table for number, two in enumerate(pairs, 1) for table in first_games(number, two, plan.best_of)]
        return drawn(scene, tables, byes)

    def ranking(self, scene: Scene) -> list[Line]:
        """By the last round played, then by fewer losses (who left has two), then by who stayed, then by seed."""
        state = scene.state
        lost = losses(state, scene.gone)
        if state.plan.rules > 2:
            lost |= {player: LOSSES for player in state.entrants if player in scene.gone}
        last = dict.fromkeys(state.entrants, 0)
        for each in state.rounds:
            for player in (*each.byes, *(player for table in each.tables for player in table.seats)):
                last[player] = each.number
        return by_values(
            scene,
            {
                player: (("reached", Fraction(last[player])), ("losses", Fraction(-lost[player])))
                for player in state.entrants
            },
        )


def losses(state: StageState, gone: Collection[int], rounds: int | None = None) -> dict[int, int]:
    """Return how many matches everybody has lost, after so many rounds or all; a missed round is a loss."""
    lost = dict.fromkeys(state.entrants, 0)
    for number, each in enumerate(state.rounds[:rounds], 1):
        there = {*each.byes, *(player for table in each.tables for player in table.seats)}
        for player in lost.keys() - there:
            lost[player] += 1
        # Who left while a round was played is not there when the next one is drawn, whether they return later or not.
        left = set(lost).difference(state.rounds[number].active) if number < len(state.rounds) else gone
        short = {
            contest.players
            for contest in contests(each, state.plan)
            if state.plan.rules > 2 and is_cut_short(contest, state.plan.best_of, left)
        }
        for match in matches(each, state.plan):
            for player in _beaten(match, state.plan.rules, left if match.players in short else ()):
                lost[player] += 1
    return {player: min(count, LOSSES) for player, count in lost.items()}


def _beaten(match: Match, rules: int, left: Collection[int]) -> list[int]:
    """Both where neither came; of a level match who did not begin it, as in a knock-out: by the first rules nobody.

    Of a match that was cut short who has ``left``.
    """
    if left:
        return [player for player in match.players if player in left]
    if match.points[0] == match.points[1] > 0:
        return [match.players[1]] if rules > 1 else []
    return [player for player, points in zip(match.players, match.points, strict=True) if not points]


def _rests(state: StageState, group: list[int]) -> int:
    """The bye goes to whoever had the fewest, among these to the best seed."""
    return min(group, key=lambda player: sum(player in each.byes for each in state.rounds))


def _paired(scene: Scene, group: list[int]) -> list[tuple[int, int]]:
    """Pairs without repeats as far as possible, first seats even."""
    if not group:
        return []
    state = scene.state
    random = source(scene.seed, state.number, scene.next_round, state.undone, len(group))
    sitters = [Sitter(player, seats=_seats(state, player), party=scene.entries[player].party) for player in group]
    sizes = (2,) * (len(group) // 2)
    seating = seat_round(sitters, state.met(), random, apart=keeps_apart(scene), sizes=sizes)
    return [(seats[0], seats[1]) for seats in seating.tables]


def _seats(state: StageState, player: int) -> tuple[int, ...]:
    found = [0, 0, 0, 0, 0]
    for each in state.rounds:
        for table in each.tables:
            if player in table.seats:
                found[table.seats.index(player)] += 1
    return tuple(found)
