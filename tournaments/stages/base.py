"""The protocol of stage kinds, and helpers shared by them.

A stage is a part of an event with rules of its own, such as a Swiss before a knock-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import Line
from tournaments.states import StageContext

PLAYED = "played"
NO_LEGAL_ROUND = "no-legal-round"
TOO_FEW = "too-few"
"""Reasons for the end of a stage: it was played, no round is legal any more, or too few players are left."""


class StageKind(Protocol):
    """The rules by which a kind of stage draws rounds and ranks players."""

    def rounds(self, context: StageContext) -> int:
        """Return the number of rounds; 0 if only drawing decides when the stage ends."""
        ...

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round, or the end of the stage with its reason."""
        ...

    def ranking(self, context: StageContext) -> list[Line]:
        """Return all entrants, best first."""
        ...


def next_round_drawn(
    context: StageContext,
    tables: Sequence[DrawnTable],
    byes: Sequence[int] = (),
    *,
    slots: Sequence[int] = (),
    reasons: Sequence[str] = (),
    resting: Sequence[int] = (),
) -> RoundDrawn:
    """Return the next round with these tables."""
    number, stage = context.next_round, context.state.number
    return RoundDrawn(stage, number, tuple(tables), tuple(byes), tuple(slots), tuple(reasons), tuple(resting))


def parties_kept_apart(context: StageContext) -> bool:
    """Return True if members of a party must not meet in the next round.

    The organiser chooses: never, in the first two rounds, or in these and the last one.
    """
    choice, number = context.parameters.apart, context.next_round
    return choice != "never" and (number <= 2 or (choice == "first-and-last" and number == context.state.plan.rounds))


def stage_ended(context: StageContext, reason: str) -> StageEnded:
    """Return the end of the stage."""
    return StageEnded(context.state.number, reason)
