"""Views of simulated events, as the host returns them, for tests of pictures and texts."""

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

AT = datetime(2026, 11, 22, tzinfo=UTC)
GUILD = 900
STORED: dict[str, Any] = {
    "id": 1,
    "code": "K7QX",
    "guild_id": GUILD,
    "channel_id": 901,
    "message_id": None,
    "owner_id": 1000,
    "plan_data": {},
    "specification": None,
    "seed": "",
    "facts": 0,
    "created_at": AT,
    "started_at": None,
    "finished_at": None,
    "look_at": None,
    "tended_at": AT,
    "released": 0,
    "waits_since": None,
    "paused_at": None,
    "pause_ends_at": None,
    "full_until": None,
}
"""The columns of an event that no test changes."""


def person(number: int) -> Person:
    return Person(1000 + number, f"Player number {number}")


def entry_of(who: Person, *, number: int | None = None, team: int | None = None, gone: bool = False) -> EntryView:
    return EntryView(event_id=1, person=who, guild_id=GUILD, joined_at=AT, number=number, team=team, gone=gone)


def view_of(event: EventFold, *, name: str = "Autumn Cup", state: EventState = EventState.RUNNING) -> EventView:
    specification = event.specification
    played = format_named(specification.format)
    return EventView(
        **STORED,
        name=name,
        organisers=(person(0),),
        state=state,
        plan=EventPlan(format=specification.format, parameters=specification.parameters),
        commitment=specification.commitment,
        stages=event.plans,
        promised_weeks=event.promised_weeks,
        least=played.least,
        most=played.most,
        warnings=(),
        entries=tuple(
            entry_of(person(number), number=number, gone=number in event.gone) for number in range(len(event.entries))
        ),
        event=event,
    )


def gathering(name: str, players: int, parameters: Parameters | None = None) -> EventView:
    """Return the view of an event that has not started."""
    parameters = parameters or Parameters()
    played = format_named(name)
    stages = played.stages(players, parameters) if players >= played.least else ()
    return EventView(
        **STORED,
        name="Autumn Cup",
        organisers=(person(0),),
        state=EventState.OPEN,
        plan=EventPlan(format=name, parameters=parameters),
        commitment="5f" * 32,
        stages=stages,
        promised_weeks=promised_weeks(stages, players) if stages else 0,
        least=played.least,
        most=played.most,
        warnings=(),
        entries=tuple(entry_of(person(number)) for number in range(players)),
    )


def standings_of(event: EventFold) -> tuple[RankView, ...]:
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


def round_of(event: EventFold, stage: int, number: int) -> RoundView:
    names = {entry.key: person(place) for place, entry in enumerate(event.entries)}
    return round_view(event, names, stage, event.round(stage, number), AT, (), {})
