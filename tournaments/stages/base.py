"""What every kind of stage answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import Line
from tournaments.states import StageContext

PLAYED = "played"
NO_LEGAL_ROUND = "no-legal-round"
TOO_FEW = "too-few"


class StageKind(Protocol):
    """How a kind of stage draws its rounds and ranks its players."""

    def rounds(self, context: StageContext) -> int:
        """How many rounds it has; 0 where drawing tells when it is over."""
        ...

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """The next round, or why there is none."""
        ...

    def ranking(self, context: StageContext) -> list[Line]:
        """All entrants, best first."""
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
    """The next round with these tables."""
    number, stage = context.next_round, context.state.number
    return RoundDrawn(stage, number, tuple(tables), tuple(byes), tuple(slots), tuple(reasons), tuple(resting))


def parties_kept_apart(context: StageContext) -> bool:
    """Whether parties are kept apart in the next round: the first two, and where asked the last before a cut."""
    asked, number = context.parameters.apart, context.next_round
    return asked != "never" and (number <= 2 or (asked == "first-and-last" and number == context.state.plan.rounds))


def stage_ended(context: StageContext, reason: str) -> StageEnded:
    """The end of the stage."""
    return StageEnded(context.state.number, reason)
