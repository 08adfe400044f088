"""Round robins as values for cross tables: what everybody got from everybody, the best of each group first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from cogs.texts import t
from cogs.words.events import pictured_name, value_words
from renderers.events import CrossLine, CrossTable, Sort
from tournaments.duels.matches import matches
from tournaments.event import stage_ranking

if TYPE_CHECKING:
    from host.events.views.values import EventView
    from tournaments.states import StageState

Meetings = Mapping[tuple[int, int], Fraction]
"""The points of the first of two from their match."""


def groups(view: EventView, state: StageState) -> list[CrossTable]:
    """A table for each group."""
    event = view.event
    if event is None:
        return []
    lines = stage_ranking(event, state)
    ranks = {line.player: line.rank for line in lines}
    points = {line.player: dict(line.values).get("points", Fraction(0)) for line in lines}
    met = {
        (match.players[side], match.players[1 - side]): match.points[side]
        for each in state.rounds
        for match in matches(each, state.plan)
        for side in (0, 1)
    }
    size = view.stages[state.number].size if state.number < len(view.stages) else 0
    through = [line.player for line in lines if line.player not in event.gone][:size]
    pools = state.pools()
    return [
        CrossTable(
            _heading(state, number, len(pools)),
            tuple(
                CrossLine(
                    pictured_name(view, player),
                    tuple(_cell(met, player, other) for other in order),
                    value_words(points[player]),
                    Sort.LEFT if player in event.gone else Sort.THROUGH if player in through else Sort.PLAYING,
                )
                for player in order
            ),
        )
        for number, order in enumerate((sorted(pool, key=ranks.__getitem__) for pool in pools), 1)
    ]


def _heading(state: StageState, number: int, count: int) -> str:
    if count == 1:
        return t("event.picture.everybody")
    key = "event.picture.division" if state.plan.divisions else "event.picture.group"
    return t(key, number=number)


def _cell(met: Meetings, player: int, other: int) -> str:
    points = met.get((player, other))
    return "" if points is None else value_words(points)
