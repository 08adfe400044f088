"""Rounds of events among the scheduled events of a server: from their drawing until they are over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.event_table import EventTable, open_event
from tests.e2e.test_appointments import set_permissions
from tests.e2e.test_event_cases import enter_players


def scheduled(event: EventTable) -> list[tuple[str, datetime]]:
    """Return the names and ends of the scheduled events of the server."""
    guild = event.table.env.backend.guilds[event.table.channel.guild.id]
    entries: list[Any] = list(guild.scheduled_events.values())
    return [(entry.name, datetime.fromisoformat(entry.scheduled_end_time)) for entry in entries]


async def test_a_round_is_scheduled_until_it_is_over(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="2", best_of="1", pace="fast")
    await enter_players(event, 4)
    ((name, end),) = scheduled(event)
    assert "Autumn Cup" in name
    deadline = (await event.host.events.reader.round(event.code)).deadline
    assert abs(end - deadline) < timedelta(minutes=10)
    await event.send_command(event.organiser, "manage do", what="extend", days=3, reason="Holidays", event=event.code)
    await event.settle(2)
    assert scheduled(event) == [(name, (await event.host.events.reader.round(event.code)).deadline)]
    await event.play_all()
    await event.settle()
    ((second, second_end),) = scheduled(event)
    assert second != name
    assert second_end > datetime.now(UTC)
    await event.play_all()
    await event.settle()
    assert scheduled(event) == []


async def test_another_process_than_that_of_the_server_schedules_rounds(
    event: EventTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever process posts the messages of an event schedules its rounds, where the bot may."""
    client = type(event.table.bot)
    monkeypatch.setattr(client, "get_guild", lambda *_: None)
    monkeypatch.setattr(client, "serves", lambda *_: False)
    await open_event(event, "duel-weekend", rounds="1", best_of="1", pace="fast")
    await enter_players(event, 4)
    assert len(scheduled(event)) == 1
    await event.send_command(event.organiser, "manage do", what="extend", days=3, reason="Holidays", event=event.code)
    await event.settle(2)
    ((_, end),) = scheduled(event)
    assert end == (await event.host.events.reader.round(event.code)).deadline
    set_permissions(event.table, create_events=False, manage_events=False)
    await event.play_all()
    await event.settle()
    assert len(scheduled(event)) == 1


async def test_a_closed_event_has_no_rounds_any_more(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="1", best_of="1", pace="fast")
    await enter_players(event, 4)
    assert len(scheduled(event)) == 1
    await event.send_command(event.organiser, "manage do", what="close", reason="No time", event=event.code)
    await event.settle(2)
    assert scheduled(event) == []


async def test_without_the_permission_rounds_are_played_all_the_same(event: EventTable) -> None:
    set_permissions(event.table, create_events=False, manage_events=False)
    await open_event(event, "duel-weekend", rounds="1", best_of="1", pace="fast")
    await enter_players(event, 4)
    assert scheduled(event) == []
    assert await event.play_all() == 2


async def test_a_match_of_two_is_no_event_of_the_server(event: EventTable) -> None:
    ana, ben = event.table.actors[:2]
    await ana.slash(event.table.channel, "carc challenge", player=ben, match=3)
    card = event.find_message(f"<@{ben.id}>")
    await ben.click(
        card,
        custom_id=next(
            part["custom_id"]
            for row in card.components[0]["components"]
            for part in row.get("components", ())
            if ":accept:" in part.get("custom_id", "")
        ),
    )
    await event.settle(3)
    assert event.table.channel.threads
    assert scheduled(event) == []
