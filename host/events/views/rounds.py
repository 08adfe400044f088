"""A round as it is shown: its tables with who sits there, their games, results and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from host.events.views.values import RoundView, TableView
from store import Game, Person, TableRecord, TableState, UnreadableError
from tournaments.event import EventFold
from tournaments.facts import DrawnTable
from tournaments.points import table_points
from tournaments.states import RoundState


def people_at(
    event: EventFold, names: Mapping[str, Person], stage: int, number: int, table: DrawnTable, *, locked: bool = False
) -> tuple[Person | None, ...]:
    """Who plays at a table, by seat; of teams whom the line-ups name, nobody before both are in, or locked."""
    if not table.board:
        return tuple(names.get(event.persons[player][-1][1]) for player in table.seats)
    found: list[Person | None] = []
    revealed = locked or all((stage, number, team) in event.line_ups for team in table.seats)
    for team in table.seats:
        members = event.line_ups.get((stage, number, team), ()) if revealed else ()
        found.append(names.get(members[table.board - 1]) if len(members) >= table.board else None)
    return tuple(found)


def round_view(
    event: EventFold,
    names: Mapping[str, Person],
    stage: int,
    state: RoundState,
    drawn_at: datetime,
    tables: Sequence[TableRecord],
    its_games: Mapping[int, Game | UnreadableError],
) -> RoundView:
    """The newest drawing of a round."""
    plan = event.plans[stage - 1]
    ordered = sorted(tables, key=lambda each: each.place.drawing)
    rows = {each.place.number: each for each in ordered if each.state is not TableState.VOID}
    shown = []
    for place, (table, outcome) in enumerate(zip(state.tables, state.outcomes, strict=True), 1):
        row = rows.get(place)
        game = None if row is None or row.game_id is None else its_games.get(row.game_id)
        known = game if isinstance(game, Game) else None
        points: tuple[Fraction, ...] = () if outcome is None else table_points(outcome, plan.points, plan.ties)
        shown.append(
            TableView(
                stage=stage,
                round=state.number,
                number=place,
                match=table.match,
                board=table.board,
                seats=table.seats,
                people=people_at(event, names, stage, state.number, table),
                state=TableState.TO_OPEN if row is None else row.state,
                game_id=None if row is None else row.game_id,
                code=known.code if known else "",
                place=known.thread_id if known else None,
                deadline=None if row is None else row.deadline,
                outcome=outcome,
                points=points,
            )
        )
    deadlines = [table.deadline for table in shown if table.deadline is not None]
    return RoundView(
        stage=stage,
        plan=plan,
        number=state.number,
        drawn_at=drawn_at,
        deadline=max(deadlines, default=None),
        extended=event.extended.get((stage, state.number), 0),
        tables=tuple(shown),
        state=state,
    )
