"""Views of simulated tournaments ("events"), as the host returns them, for tests of pictures and texts.

The players are "Player number 0", "Player number 1" and so on, with the user ids 1000, 1001 and so on.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from host.events.reader import round_view
from host.events.views import EntryView, EventPlan, EventView, RankView, RoundView
from store import EventState, Person
from tournaments.event import EventFold, standings
from tournaments.formats import format_named
from tournaments.specification import Parameters
from tournaments.weeks import promised_weeks

NOW = datetime(2026, 11, 22, tzinfo=UTC)
"""The time of all events."""
GUILD_ID = 900
"""The server of all events."""
EVENT_COLUMNS: dict[str, Any] = {
    "id": 1,
    "code": "K7QX",
    "guild_id": GUILD_ID,
    "channel_id": 901,
    "message_id": None,
    "owner_id": 1000,
    "plan_data": {},
    "specification": None,
    "seed": "",
    "facts": 0,
    "created_at": NOW,
    "started_at": None,
    "finished_at": None,
    "look_at": None,
    "tended_at": NOW,
    "released": 0,
    "waits_since": None,
    "paused_at": None,
    "pause_ends_at": None,
    "full_until": None,
}
"""Columns of an event that all tests share."""


def person(number: int) -> Person:
    """Return the player with this number."""
    return Person(1000 + number, f"Player number {number}")


def entry_view(player: Person, *, number: int | None = None, team: int | None = None, gone: bool = False) -> EntryView:
    """Return a player's entry in the event."""
    return EntryView(event_id=1, person=player, guild_id=GUILD_ID, joined_at=NOW, number=number, team=team, gone=gone)


def event_view(event: EventFold, *, name: str = "Autumn Cup", state: EventState = EventState.RUNNING) -> EventView:
    """Return the view of an event, which is running unless another state is given."""
    specification = event.specification
    format_ = format_named(specification.format)
    return EventView(
        **EVENT_COLUMNS,
        name=name,
        organisers=(person(0),),
        state=state,
        plan=EventPlan(format=specification.format, parameters=specification.parameters),
        commitment=specification.commitment,
        stages=event.plans,
        planned_size=len(specification.entries),
        is_example=False,
        promised_weeks=event.promised_weeks,
        least=format_.least,
        most=format_.most,
        warnings=(),
        entries=tuple(
            entry_view(person(number), number=number, gone=number in event.gone) for number in range(len(event.entries))
        ),
        event=event,
    )


def sign_up_view(name: str, players: int, parameters: Parameters | None = None) -> EventView:
    """Return the view of an event that has not started."""
    parameters = parameters or Parameters()
    format_ = format_named(name)
    planned_size = players if players >= format_.least else format_.usual_entries(parameters)
    stages = format_.stages(planned_size, parameters)
    return EventView(
        **EVENT_COLUMNS,
        name="Autumn Cup",
        organisers=(person(0),),
        state=EventState.OPEN,
        plan=EventPlan(format=name, parameters=parameters),
        commitment="5f" * 32,
        stages=stages,
        planned_size=planned_size,
        is_example=players < format_.least,
        promised_weeks=promised_weeks(stages, players) if players >= format_.least else 0,
        least=format_.least,
        most=format_.most,
        warnings=(),
        entries=tuple(entry_view(person(number)) for number in range(players)),
    )


def rank_views(event: EventFold) -> tuple[RankView, ...]:
    """Return the current standings of an event."""
    return tuple(
        RankView(
            line.rank,
            line.player,
            person(line.player).name,
            person(line.player).user_id,
            line.stage,
            line.values,
            line.player in event.gone,
            line.player in event.disqualified,
        )
        for line in standings(event)
    )


def round_view_of(event: EventFold, stage: int, number: int) -> RoundView:
    """Return the view of a round, without the games behind its tables."""
    names = {entry.key: person(index) for index, entry in enumerate(event.entries)}
    return round_view(event, names, stage, event.round(stage, number), (), {})
