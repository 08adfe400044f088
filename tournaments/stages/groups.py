"""Groups that play by elimination: every group has a knock-out, or a double elimination, of its own.

The groups are dealt out like those of a round robin. Their rounds are drawn together, so a group that has finished
waits for the others. The brackets of all groups are parts of one, in the order of the groups; each has the size of the
largest, so in a smaller group more players have a bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournaments.facts import EMPTY_SLOT, RoundDrawn, StageEnded
from tournaments.ranking import Line, renumbered
from tournaments.stages.base import PLAYED, TOO_FEW, next_round_drawn, stage_ended
from tournaments.stages.knockout import (
    DoubleElimination,
    Knockout,
    Values,
    first_slots,
    next_slots,
    ranked_by_values,
    separate_groups,
)
from tournaments.states import RoundState, StageContext


class GroupKnockout(Knockout):
    """A knock-out in each group."""

    def rounds(self, context: StageContext) -> int:
        """Return the number of rounds until one player of the largest group is left."""
        return max(0, max((len(pool) for pool in context.state.pools()), default=0) - 1).bit_length()

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round of all brackets."""
        state = context.state
        if len(state.entrants) < 2:
            return stage_ended(context, TOO_FEW)
        if state.rounds:
            return self._drawn(context, next_slots(context))
        size = 2 ** self.rounds(context)
        brackets = [separate_groups(_padded(pool, size), context) for pool in state.pools()]
        return self._drawn(context, [player for slots in brackets for player in slots])

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by place in the group; equal places by round reached and seed."""
        return ranked_by_place(context, super().ranking(context))


def _padded(pool: list[int], size: int) -> list[int]:
    """Return the first bracket of a group with this number of slots."""
    return first_slots([*pool, *[EMPTY_SLOT] * (size - len(pool))])


class GroupDoubleElimination:
    """A double elimination in each group, until one player of each is left."""

    _kind = DoubleElimination()

    def rounds(self, context: StageContext) -> int:
        """Return 0, since the number of rounds depends on the results."""
        return self._kind.rounds(context)

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round of all groups that have not finished."""
        state = context.state
        drawn = [self._kind.draw(group_context(context, pool)) for pool in state.pools()]
        rounds = [fact for fact in drawn if isinstance(fact, RoundDrawn)]
        if not rounds:
            return stage_ended(context, PLAYED if state.rounds else TOO_FEW)
        tables, matches = [], 0
        for fact in rounds:
            tables += [replace(table, match=matches + table.match) for table in fact.tables]
            matches = max((table.match for table in tables), default=0)
        return next_round_drawn(context, tables, [player for fact in rounds for player in fact.byes])

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by place in the group; equal places by the last round played, losses and seed."""
        values: dict[int, Values] = {}
        for pool in context.state.pools():
            values |= self._kind.values(group_context(context, pool))
        return ranked_by_place(context, ranked_by_values(context, values))


def group_context(context: StageContext, pool: Sequence[int]) -> StageContext:
    """Return the context of one group: its players, and of each of its rounds its games."""
    state, members = context.state, set(pool)
    rounds = [part for drawn in state.rounds if (part := _part(drawn, members)) is not None]
    return replace(context, state=replace(state, entrants=list(pool), rounds=rounds))


def _part(drawn: RoundState, members: set[int]) -> RoundState | None:
    """Return the part of a round that a group plays; None if it had finished before."""
    kept = [number for number, table in enumerate(drawn.tables) if members.issuperset(table.seats)]
    byes = tuple(player for player in drawn.byes if player in members)
    if not kept and not byes:
        return None
    tables, outcomes = [drawn.tables[number] for number in kept], [drawn.outcomes[number] for number in kept]
    return replace(drawn, tables=tables, outcomes=outcomes, byes=byes)


def ranked_by_place(context: StageContext, lines: list[Line]) -> list[Line]:
    """Rank all firsts of groups before all seconds; ``lines`` are in the order in which equal places rank."""
    pools = context.state.pools()
    if len(pools) == 1:
        return renumbered(lines)
    group = {player: number for number, pool in enumerate(pools) for player in pool}
    taken = [0] * len(pools)
    places: dict[int, int] = {}
    for line in lines:
        taken[group[line.player]] += 1
        places[line.player] = taken[group[line.player]]
    placed = [line.with_value("place", -places[line.player]) for line in lines]
    return renumbered(sorted(placed, key=lambda line: places[line.player]))
