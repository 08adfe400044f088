"""Quiet hours: the card comes silently, the call at their end; reminders come before where time runs out in them."""

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
    """Three at a table; it is noon, and who is asked sleeps until six in the evening."""
    game = await open_game(host, ADA, BEN, CLEO)
    await send_posts_counting_reminders(host)
    await set_preferences(host, game, quiet="08:00-18:00", zone="UTC")
    return game


async def test_who_sleeps_is_called_when_that_ends(host: Host, game: Game, clock: SettableClock) -> None:
    for _ in range(2):  # the card is tried again
        assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    assert await reminder_hours(host, clock, 12) == [6]


async def test_quiet_hours_stop_no_clock(host: Host, game: Game, clock: SettableClock) -> None:
    before = await active_clock(host, game)
    assert (await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game))).quiet
    async for _ in advance_in_steps(host, clock, 10 * 3600, step=3600):
        assert (await active_clock(host, game)).since == before.since
    await decide(host, game, place_and_pass, clock.now())
    assert (await clocks_of(host, game))[before.seat].used == 2 * HOUR, "all but the grace"


async def test_one_who_moves_before_is_not_called(host: Host, game: Game, clock: SettableClock) -> None:
    assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    await advance_with_heartbeat(host, clock, 3600)
    await decide(host, game, place_and_pass, clock.now())
    assert await reminder_hours(host, clock, 12) == []


async def test_who_is_awake_is_called_at_once(host: Host, game: Game, clock: SettableClock) -> None:
    clock.advance(6 * 3600)
    assert not (await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game))).quiet
    other = next(person for person in game.seats if person != game.person_to_act)
    assert not (await host.turn_reminders.delivery_mode(game, game.revision, other.user_id)).quiet
    assert await reminder_hours(host, clock, 12) == []


async def test_no_more_this_turn_keeps_the_call_and_ends_reminders(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await host.turn_reminders.mute(game, next_player_id(game), None)
    assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    assert await reminder_hours(host, clock, 79) == [6]


async def test_two_processes_call_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    assert await host.turn_reminders.delivery_mode(game, game.revision, next_player_id(game)) == (True, False)
    await advance_with_heartbeat(host, clock, 6 * 3600)
    other = await new_host()
    [timer] = [timer for timer in await host.timer_dispatcher._due() if timer.subject]
    for each in (host, other):
        await each.timer_dispatcher._dispatch(timer)
    assert await send_reminders_for(host, [game]) == 1


async def test_a_reminder_comes_before_quiet_hours_in_which_time_runs_out(host: Host, clock: SettableClock) -> None:
    """Twenty hours are left from noon on: the half would come at ten in the evening, in hours quiet from nine on."""
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
    assert clock.now().time() < time(21), "in time to be posted with its ping"
    assert not (await host.turn_reminders.delivery_mode(now, now.revision, game.seats[seat].user_id)).quiet
