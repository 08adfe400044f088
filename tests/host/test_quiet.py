"""Quiet hours of the player to move: the card is posted silently and the ping follows when they end.

Reminders come before quiet hours in which the time would run out. All tests begin at noon UTC.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import time

import pytest

from host import Game, Host, Preferences
from store import clocks
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock
from tests.host.test_clocks import (
    HOUR,
    active_clock,
    advance_in_steps,
    advance_with_heartbeat,
    clocks_of,
    decide,
    open_game,
    place_and_pass,
)
from tests.host.test_reminders import reminder_hours, send_posts_counting_reminders, set_preferences
from tests.host.timing.test_reminding import next_player_id, send_reminders_for


@pytest.fixture
async def game(host: Host) -> Game:
    """A game of three players; it is noon, and the player to move has quiet hours until six in the evening."""
    game = await open_game(host, ADA, BEN, CLEO)
    await send_posts_counting_reminders(host)
    await set_preferences(host, game, quiet="08:00-18:00", zone="UTC")
    return game


async def test_a_player_is_pinged_when_their_quiet_hours_end(host: Host, game: Game, clock: SettableClock) -> None:
    for _ in range(2):  # sending the card is retried
        assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    assert await reminder_hours(host, clock, 12) == [6]


async def test_quiet_hours_do_not_stop_the_clock(host: Host, game: Game, clock: SettableClock) -> None:
    before = await active_clock(host, game)
    assert (await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game))).quiet
    async for _ in advance_in_steps(host, clock, 10 * 3600, step=3600):
        assert (await active_clock(host, game)).since == before.since
    await decide(host, game, place_and_pass, clock.now())
    assert (await clocks_of(host, game))[before.seat].used == 2 * HOUR, "ten hours less the eight free ones"


async def test_a_player_who_moves_in_quiet_hours_is_not_pinged(host: Host, game: Game, clock: SettableClock) -> None:
    assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    await advance_with_heartbeat(host, clock, 3600)
    await decide(host, game, place_and_pass, clock.now())
    assert await reminder_hours(host, clock, 12) == []


async def test_a_player_outside_quiet_hours_is_pinged_at_once(host: Host, game: Game, clock: SettableClock) -> None:
    clock.advance(6 * 3600)
    assert not (await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game))).quiet
    other = next(person for person in game.seats if person != game.person_to_act)
    assert not (await host.turn_reminders.delivery_mode(game, game.revision, other.user_id)).quiet
    assert await reminder_hours(host, clock, 12) == []


async def test_muting_keeps_the_ping_and_stops_reminders(host: Host, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.mute(game, next_player_id(game), None)
    assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    assert await reminder_hours(host, clock, 79) == [6]


async def test_two_processes_ping_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    await advance_with_heartbeat(host, clock, 6 * 3600)
    other_host = await new_host()
    [timer] = [timer for timer in await host.timer_dispatcher._due() if timer.subject]
    for process in (host, other_host):
        await process.timer_dispatcher._dispatch(timer)
    assert await send_reminders_for(host, [game]) == 1


async def test_a_reminder_comes_before_quiet_hours_in_which_time_runs_out(host: Host, clock: SettableClock) -> None:
    """Leave 20 hours from noon on: half of them ends at ten in the evening, and quiet hours begin at nine."""
    game = await open_game(host, ADA, BEN, CLEO)
    await send_posts_counting_reminders(host)
    seat = ((await active_clock(host, game)).seat + 1) % 3
    await host.preferences.set(game.seats[seat].user_id, Preferences(choices={"quiet": "21:00-09:00", "zone": "UTC"}))
    async with host._store.writing() as tx:
        await clocks.save(tx, [replace((await clocks_of(host, game))[seat], used=60 * HOUR)])
    await decide(host, game, place_and_pass, clock.now())
    await send_posts_counting_reminders(host)
    assert (await active_clock(host, game)).seat == seat
    now = await host.games.get(game.id)
    async for _ in advance_in_steps(host, clock, 19 * 3600, step=60):
        if await send_posts_counting_reminders(host):
            break
    assert clock.now().time() < time(21), "it pings, as quiet hours have not begun"
    assert not (await host.turn_reminders.delivery_mode(now, now.revision, game.seats[seat].user_id)).quiet
