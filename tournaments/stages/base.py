"""The protocol that every kind of stage implements, and helpers shared by the kinds.

A *stage* is a part of an event with rules of its own, such as a Swiss system before a knock-out. The event asks the
kind of its present stage to draw the next round, and in the end to rank the players. Results are recorded as *facts*,
the entries of the event's log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import Line
from tournaments.specification import COMPUTERS
from tournaments.states import StageContext

PLAYED = "played"
"""The reason for the end of a stage that was played as planned."""
NO_LEGAL_ROUND = "no-legal-round"
"""The reason for the end of a stage in which no further round is legal."""
TOO_FEW = "too-few"
"""The reason for the end of a stage in which too few players are left."""


class StageKind(Protocol):
    """The rules by which a kind of stage draws rounds and ranks players."""

    def rounds(self, context: StageContext) -> int:
        """Return the number of rounds; 0 if it is known only when :meth:`draw` ends the stage."""
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
    """Return the fact that the next round is drawn, with these tables."""
    number, stage = context.next_round, context.state.number
    return RoundDrawn(stage, number, tuple(tables), tuple(byes), tuple(slots), tuple(reasons), tuple(resting))


def parties_kept_apart(context: StageContext, *, in_all_rounds: bool = False) -> dict[int, str]:
    """Return the parties whose members must not meet in the next round, by player.

    The organiser chooses: never, in the first two rounds, or in these and the last one; ``in_all_rounds`` takes each
    round for one of these. Computers are kept apart in any case.
    """
    choice, number = context.parameters.apart, context.next_round
    is_chosen = in_all_rounds or number <= 2 or (choice == "first-and-last" and number == context.state.plan.rounds)
    parties = {player: context.entries[player].party for player in context.state.entrants}
    kept_apart = {COMPUTERS} if choice == "never" or not is_chosen else {*parties.values()} - {""}
    return {player: party for player, party in parties.items() if party in kept_apart}


def stage_ended(context: StageContext, reason: str) -> StageEnded:
    """Return the fact that the stage has ended, for a reason such as :data:`PLAYED`."""
    return StageEnded(context.state.number, reason)
