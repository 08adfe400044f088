"""Single elimination. The bracket is part of every round that is drawn, so that later facts change nothing in it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tournaments.duels.matches import first_games, matches
from tournaments.facts import NOBODY, DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking.standings import Line
from tournaments.stages.base import TOO_FEW, drawn, ended, keeps_apart
from tournaments.states import RoundState, Scene, StageState


class Knockout:
    """Winners go on; whoever has no opponent, or one who has left, goes on without a game."""

    def rounds(self, scene: Scene) -> int:
        """As many as it takes to leave one."""
        return max(0, len(scene.state.entrants) - 1).bit_length()

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The next round of the bracket."""
        state = scene.state
        if len(state.entrants) < 2:
            return ended(scene, TOO_FEW)
        slots = winners(state) if state.rounds else groups_apart(first_slots(state.entrants), scene)
        tables: list[DrawnTable] = []
        byes: list[int] = []
        for match, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True), 1):
            there = [player for player in (one, other) if player != NOBODY and player not in scene.gone]
            if len(there) == 2:
                tables += first_games(match, beginning(state, one, other), state.plan.best_of)
            else:
                byes += there
        return drawn(scene, tables, byes, slots=slots)

    def ranking(self, scene: Scene) -> list[Line]:
        """By the round that was reached, then by seed."""
        state = scene.state
        reached = dict.fromkeys(state.entrants, 0)
        for each in state.rounds:
            for player in each.slots:
                if player != NOBODY:
                    reached[player] = each.number
        if state.rounds and len(state.rounds) == self.rounds(scene) and state.rounds[-1].decided:
            reached[winners(state)[0]] += 1
        order = sorted(state.entrants, key=lambda player: -reached[player])
        return [
            Line(player, rank, state.number, (("reached", Fraction(reached[player])), seed_value(state, player)))
            for rank, player in enumerate(order, 1)
        ]


def seed_value(state: StageState, player: int) -> tuple[str, Fraction]:
    """The place in the order in which the stage began."""
    return ("seed", Fraction(-1 - state.entrants.index(player)))


def first_slots(entrants: list[int]) -> list[int]:
    """The bracket in which the best two can only meet in the last round; the best have the free places against them."""
    order = [0]
    while len(order) < len(entrants):
        size = 2 * len(order)
        order = [place for each in order for place in (each, size - 1 - each)]
    return [entrants[place] if place < len(entrants) else NOBODY for place in order]


def groups_apart(slots: list[int], scene: Scene) -> list[int]:
    """The bracket with as few pairs of one group, or party, as can be: two places change at a time, low seeds first.

    Whoever is with nobody else of the group can come to a pair that has nobody of it, as long as there is one; so this
    ends only where no other bracket of the same places has fewer.
    """
    seed = {player: number for number, player in enumerate(scene.state.entrants)}
    groups = scene.groups or _parties(scene)
    while True:
        clashing = [place for place in range(len(slots)) if _clash(slots, place, groups)]
        swaps = [
            ((-seed[slots[place]], abs(seed[slots[other]] - seed[slots[place]]), seed[slots[other]]), place, other)
            for place in clashing
            for other in range(len(slots))
            if NOBODY not in (slots[other], slots[other ^ 1])
            and other // 2 != place // 2
            and _parts(slots, place, other, groups)
        ]
        if not swaps:
            return slots
        _, place, other = min(swaps)
        slots[place], slots[other] = slots[other], slots[place]


def _parties(scene: Scene) -> dict[int, str]:
    """The server or team of everybody, where an event begins with its bracket and these are kept apart."""
    if not keeps_apart(scene) or scene.state.number > 1:
        return {}
    known = {player: scene.entries[player].party for player in scene.state.entrants}
    return {player: party for player, party in known.items() if party}


def _clash(slots: list[int], place: int, groups: Mapping[int, object]) -> bool:
    """Whether the two of a pair come from one group."""
    two = slots[place], slots[place ^ 1]
    return NOBODY not in two and two[0] in groups and groups[two[0]] == groups.get(two[1])


def _parts(slots: list[int], place: int, other: int, groups: Mapping[int, object]) -> bool:
    """Whether no pair of one group is left of the two when these change places."""
    moved = list(slots)
    moved[place], moved[other] = moved[other], moved[place]
    return not _clash(moved, place, groups) and not _clash(moved, other, groups)


def winners(state: StageState) -> list[int]:
    """The bracket after the newest round."""
    last = state.rounds[-1]
    won = _won(last, state)
    return [
        _through(state, last, won, one, other) for one, other in zip(last.slots[::2], last.slots[1::2], strict=True)
    ]


def _won(last: RoundState, state: StageState) -> set[int]:
    return {
        match.players[match.points[1] > match.points[0]]
        for match in matches(last, state.plan)
        if match.points[0] != match.points[1]
    }


def _through(state: StageState, last: RoundState, won: set[int], one: int, other: int) -> int:
    """Who goes on; of two who both did not come the better seed."""
    there = [player for player in (one, other) if player != NOBODY]
    found = [player for player in there if player in won or player in last.byes]
    return min(found or there, key=state.entrants.index, default=NOBODY)


def beginning(state: StageState, one: int, other: int) -> tuple[int, int]:
    """The two with the one in front who began less often so far, or the last time did not."""

    def record(player: int) -> tuple[int, int]:
        balance, latest = 0, 0
        for each in state.rounds:
            for table in each.tables:
                if player in table.seats:
                    latest = 1 if table.seats[0] == player else -1
                    balance += latest
        return balance, latest

    if record(one) == record(other):
        return (one, other) if (one + other + len(state.rounds)) % 2 else (other, one)
    return (one, other) if record(one) < record(other) else (other, one)
