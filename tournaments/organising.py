"""Decisions of organisers that need the round that is due: exchanging two of its players.

The functions check a decision against the state of the event, and return the *fact*, an entry that the caller adds to
the event's log.
"""

from __future__ import annotations

from itertools import combinations

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, due, exchanged
from tournaments.facts import RoundDrawn, SeatExchange
from tournaments.stages.groups import group_context
from tournaments.stages.knockout import losses
from tournaments.states import StagePlan, StageState
from tournaments.tables.field import Pair, pair


def due_round(event: EventFold) -> RoundDrawn:
    """Return the round that is due, with the exchanges so far.

    Raises:
        EventRuleError: ``no-round-due``.
    """
    fact = due(event)
    if not isinstance(fact, RoundDrawn):
        raise EventRuleError("no-round-due")
    return fact


def seat_exchange(
    event: EventFold, player: int, other: int, reason: str, drawn: RoundDrawn | None = None
) -> SeatExchange:
    """Check the exchange of two players in the round that is due, and return it as a fact.

    If the two meet each other in it, they change seats, so that the other one begins. ``drawn`` is that round, for a
    caller who has worked it out.

    Raises:
        EventRuleError: ``no-round-due``; ``exchange-fixed`` where a schedule or a bracket says who meets;
            ``not-in-round``; ``other-group`` if the two may not meet the same opponents; ``pairs-repeat`` if two would
            meet again.
    """
    drawn = drawn or due_round(event)
    state = event.stages[drawn.stage - 1]
    if not may_exchange(state.plan, drawn.round):
        raise EventRuleError("exchange-fixed", stage=drawn.stage, round=drawn.round)
    playing = {seat for table in drawn.tables for seat in table.seats}
    for number in (player, other):
        if number not in playing and number not in drawn.byes:
            raise EventRuleError("not-in-round", player=number)
    if player == other:
        raise EventRuleError("same-player", player=player)
    if _class_of(event, state, player) != _class_of(event, state, other):
        raise EventRuleError("other-group", player=player, other=other)
    before, after = _pairs(drawn), _pairs(exchanged(drawn, [(player, other)]))
    repeats = sorted(two for two in after - before if two in state.met())
    if repeats:
        first, second = repeats[0]
        raise EventRuleError("pairs-repeat", player=first, other=second)
    return SeatExchange(drawn.stage, drawn.round, player, other, reason)


def repeated_pairs(event: EventFold, drawn: RoundDrawn) -> list[Pair]:
    """Return the pairs of the round that is due who have met in its stage before."""
    met = event.stages[drawn.stage - 1].met()
    return sorted(two for two in _pairs(drawn) if two in met)


def may_exchange(plan: StagePlan, number: int) -> bool:
    """Return whether players of this round may be exchanged: it is drawn by standings or lot, or opens a bracket."""
    if plan.kind in {"knockout", "group-knockout"}:
        return number == 1
    return plan.kind in {"swiss", "double", "group-double"} or (plan.kind == "tables" and plan.together == 1)


def _class_of(event: EventFold, state: StageState, player: int) -> tuple[int, int]:
    """Return the group and the losses that two players must share to be exchanged."""
    kind = state.plan.kind
    pools = state.pools() if kind.startswith("group-") else [state.entrants]
    group = next((number for number, pool in enumerate(pools) if player in pool), 0)
    if not kind.endswith("double"):
        return group, 0
    return group, losses(group_context(event.context(state), pools[group]).state, event.gone)[player]


def _pairs(drawn: RoundDrawn) -> set[Pair]:
    """Return the pairs of players who meet in a round."""
    return {pair(first, second) for table in drawn.tables for first, second in combinations(table.seats, 2)}
