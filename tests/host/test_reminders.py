"""Reminders of a turn: at half of the time, at a quarter, and two hours before zero.

They respect preferences and quiet hours and are not sent for moves already made. At the standard pace zero comes
after 80 hours: 8 free hours and a bank of 72.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from host import Game, Host, PostKind, Preferences
from tests.host.people import ADA, BEN, CLEO, SettableClock
from tests.host.test_clocks import (
    active_clock,
    advance_in_steps,
    advance_with_heartbeat,
    clocks_of,
    decide,
    open_game,
    place_and_pass,
)


@pytest.fixture
async def game(host: Host) -> Game:
    """A game of three players whose first card is posted."""
    game = await open_game(host, ADA, BEN, CLEO)
    await send_posts_counting_reminders(host)
    return game


async def send_posts_counting_reminders(host: Host) -> int:
    """Send all due posts and return the number of reminders among them."""
    count = 0
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, post.id)
            count += post.kind is PostKind.REMINDER
    return count


async def reminder_hours(host: Host, clock: SettableClock, hours: int) -> list[int]:
    """Let this many hours pass; return those after which a reminder was sent."""
    start, hour = clock.now(), timedelta(hours=1)
    steps = advance_in_steps(host, clock, hours * 3600, step=3600)
    return [round((clock.now() - start) / hour) async for _ in steps if await send_posts_counting_reminders(host)]


async def set_preferences(host: Host, game: Game, **choices: str) -> None:
    """Set preferences of the player to move."""
    person = (await host.games.get(game.id)).person_to_act
    assert person is not None
    await host.preferences.set(person.user_id, Preferences(choices=choices))


async def test_reminders_come_at_half_a_quarter_and_two_hours(host: Host, game: Game, clock: SettableClock) -> None:
    seat = (await active_clock(host, game)).seat
    assert await reminder_hours(host, clock, 79) == [40, 60, 78]
    assert (await clocks_of(host, game))[seat].reminders == 3


async def test_missed_reminders_are_sent_as_one(host: Host, game: Game, clock: SettableClock) -> None:
    await advance_with_heartbeat(host, clock, 70 * 3600)
    await host.timer_dispatcher.work()
    await host.timer_dispatcher.work()
    assert await send_posts_counting_reminders(host) == 1
    assert (await active_clock(host, game)).reminders == 1


async def test_no_reminder_is_sent_after_the_move(host: Host, game: Game, clock: SettableClock) -> None:
    await advance_with_heartbeat(host, clock, 39 * 3600)
    await decide(host, game, place_and_pass, clock.now())
    assert await reminder_hours(host, clock, 10) == []


@pytest.mark.parametrize(("choice", "hours"), [("none", []), ("last", [78])])
async def test_only_wanted_reminders_are_sent(
    host: Host, game: Game, clock: SettableClock, choice: str, hours: list[int]
) -> None:
    await set_preferences(host, game, reminders=choice)
    assert await reminder_hours(host, clock, 79) == hours


async def test_reminders_wait_for_the_end_of_quiet_hours(host: Host, game: Game, clock: SettableClock) -> None:
    """Defer the first reminder, which is due at four in the morning, until eight."""
    assert clock.now() == datetime(2030, 1, 1, 12, tzinfo=UTC)
    await set_preferences(host, game, quiet="00:00-08:00", zone="UTC")
    first, *_ = await reminder_hours(host, clock, 60)
    assert clock.now() - timedelta(hours=60 - first) == datetime(2030, 1, 3, 8, tzinfo=UTC)


async def test_a_reminder_starts_no_clock(host: Host, game: Game, clock: SettableClock) -> None:
    """Record a sent reminder of a turn while its move waits to be published; the clock stays stopped."""
    await advance_with_heartbeat(host, clock, 41 * 3600)
    await host.timer_dispatcher.work()
    [post] = await host.outbox.due()
    table = await host.games.table(game.id)
    person = table.game.seats[table.position.player]
    actions = place_and_pass(table.position)
    await host.moves.act(game.id, person.user_id, 0, actions, 9_000_000, window=timedelta(seconds=60))
    assert (await active_clock(host, game)).since is None
    assert await host.outbox.lease(post.id)
    await host.outbox.record_sent(post.id, 5)
    assert (await active_clock(host, game)).since is None
