"""An event as JSON lines: one for each round, and the standings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from tournaments.event import EventFold
from tournaments.facts import DrawnTable
from tournaments.points import Outcome, table_points
from tournaments.progress import standings
from tournaments.states import RoundState, StageState
from tournaments.tables.sitters import pair
from tournaments.trials.simulation import Simulation, drawn_rounds


def number(value: Fraction) -> int | float:
    """A fraction as JSON has it: whole where it is, otherwise the nearest floating point number."""
    return value.numerator if value.denominator == 1 else float(value)


def lines_of(simulation: Simulation) -> Iterator[dict[str, Any]]:
    """All lines of a simulated event."""
    event = simulation.event
    for stage, drawn in drawn_rounds(event):
        state = event.stages[stage - 1]
        weeks = simulation.weeks.get((stage, drawn.number), Fraction(0))
        yield {**round_line(state, drawn), "weeks": round(float(weeks), 2)}
    yield {
        **standings_line(event),
        "weeks": round(float(simulation.total_weeks), 2),
        "promised": event.promised_weeks,
        "ended": {state.plan.name: state.ended for state in event.stages},
        "refused": simulation.refused,
    }


def round_line(state: StageState, drawn: RoundState) -> dict[str, Any]:
    """A round with its tables and points."""
    byes = [*drawn.byes, *drawn.resting]
    return {
        "stage": state.plan.name,
        "round": drawn.number,
        "tables": [_table(state, table, outcome) for table, outcome in zip(drawn.tables, drawn.outcomes, strict=True)],
        "byes": byes,
        "active": len({*byes, *(player for table in drawn.tables for player in table.seats)}),
        "repeats": repeats(state, drawn),
        "reasons": list(drawn.reasons),
    }


def _table(state: StageState, table: DrawnTable, outcome: Outcome | None) -> dict[str, Any]:
    plan = state.plan
    points = table_points(outcome, plan.points, plan.ties) if outcome else ()
    board = {"board": table.board} if table.board else {}
    return {"match": table.match, **board, "seats": list(table.seats), "points": [number(each) for each in points]}


def repeats(state: StageState, drawn: RoundState) -> int:
    """How many of those who meet in a round have met in an earlier one of the same stage."""
    before = {two for each in state.rounds if each.number < drawn.number for two in _pairs(each)}
    return len(before & _pairs(drawn))


def _pairs(drawn: RoundState) -> set[tuple[int, int]]:
    return {pair(one, other) for table in drawn.tables for one, other in combinations(table.seats, 2)}


def standings_line(event: EventFold) -> dict[str, Any]:
    """Everybody with rank and tie-breaks, in the order in which they decide."""
    return {
        "standings": [
            {
                "player": line.player,
                "rank": line.rank,
                "tie_breaks": {name: number(value) for name, value in line.values},
            }
            for line in standings(event)
        ]
    }
