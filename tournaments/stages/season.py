"""Seasons of the ladder: players of a division find their opponents themselves, for a number of weeks.

The only round of a season has no games when it is drawn. Games of two are entered into it as they begin
(:class:`~tournaments.facts.SeasonGame`); :func:`reason_not_to_count` tells which of them count. The rules have no
clock, so whoever drives the event ends the stage, and before that decides the games that are still open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournaments.facts import Result, RoundDrawn, StageEnded
from tournaments.points import Outcome
from tournaments.ranking import AccountSheet, Line
from tournaments.stages.base import TOO_FEW, next_round_drawn, stage_ended
from tournaments.stages.robin import ranked_pools
from tournaments.states import StageContext

CLOSING_WEEKS: Final = 2
"""The last weeks of a season, in which no game begins that counts; a change needs a new version of the rules."""
OTHER_DIVISION: Final = "other-division"
"""The reason not to count a game between players of different divisions, or with one who does not play the season."""
MET_TOO_OFTEN: Final = "met-too-often"
"""The reason not to count a game between players who have as many games as count against the same opponent."""


class Season:
    """A single round, to which games are added while it is played."""

    def rounds(self, context: StageContext) -> int:
        """Return 1: all games of a season belong to one round."""
        return 1 if context.state.entrants else 0

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the round, without games."""
        return next_round_drawn(context, ()) if len(context.active) > 1 else stage_ended(context, TOO_FEW)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank division by division."""
        return ranked_pools(context, AccountSheet.of(context))


def reason_not_to_count(context: StageContext, seats: Sequence[int]) -> str:
    """Return the reason for which a game of these two that begins now does not count; empty if it counts."""
    state, (first, second) = context.state, seats
    together = first != second and any(first in pool and second in pool for pool in state.pools())
    if not together or {first, second} & context.gone:
        return OTHER_DIVISION
    # Sets would be ten times as slow: this is asked for each game when a season is read from its log.
    orders = (first, second), (second, first)
    met = sum(table.seats in orders for drawn in state.rounds for table in drawn.tables)
    return MET_TOO_OFTEN if met >= state.plan.meetings else ""


def due_in_season(context: StageContext) -> Result | StageEnded | None:
    """Return the forfeit of an open game from which a player has left the season, or the end if nobody is left."""
    for drawn in context.state.rounds:
        for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
            out = tuple(seat for seat, player in enumerate(table.seats) if player in context.gone)
            if outcome is None and out:
                forfeit = Outcome((0,) * len(table.seats), out, how="forfeited")
                return Result(context.state.number, drawn.number, number, forfeit)
    return None if context.active else stage_ended(context, TOO_FEW)
