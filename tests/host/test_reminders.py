"""Reminders: at half, at a quarter, when the last two hours begin; wanted, awake, and never for a move already made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from host import Game, Host, PostKind, Preferences
from tests.host.people import ADA, BEN, CLEO, SettableClock
from tests.host.test_clocks import asked, beats, clocks_of, decide, open_game, passing, whole_turn


@pytest.fixture
async def game(host: Host) -> Game:
    """Three at a table; the first is asked, and the card is there."""
    game = await open_game(host, ADA, BEN, CLEO)
    await reminded(host)
    return game


async def reminded(host: Host) -> int:
    """Discord takes what is due; how many reminders were among it."""
    count = 0
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, post.id)
            count += post.kind is PostKind.REMINDER
    return count


async def hours_of_reminders(host: Host, clock: SettableClock, hours: int) -> list[int]:
    """After how many hours a reminder came."""
    start, hour = clock.now(), timedelta(hours=1)
    passed = passing(host, clock, hours * 3600, step=3600)
    return [round((clock.now() - start) / hour) async for _ in passed if await reminded(host)]


async def wishing(host: Host, game: Game, **choices: str) -> None:
    person = (await host.games.get(game.id)).person_to_act
    assert person is not None
    await host.preferences.set(person.user_id, Preferences(choices=choices))


async def test_at_half_a_quarter_and_two_hours(host: Host, game: Game, clock: SettableClock) -> None:
    seat = (await asked(host, game)).seat
    assert await hours_of_reminders(host, clock, 79) == [40, 60, 78]
    assert (await clocks_of(host, game))[seat].reminders == 3


async def test_those_that_were_missed_are_one(host: Host, game: Game, clock: SettableClock) -> None:
    await beats(host, clock, 70 * 3600)
    await host.timer_dispatcher.work()
    await host.timer_dispatcher.work()
    assert await reminded(host) == 1
    assert (await asked(host, game)).reminders == 1


async def test_none_for_a_move_that_is_made(host: Host, game: Game, clock: SettableClock) -> None:
    await beats(host, clock, 39 * 3600)
    await decide(host, game, whole_turn, clock.now())
    assert await hours_of_reminders(host, clock, 10) == []


@pytest.mark.parametrize(("wish", "hours"), [("none", []), ("last", [78])])
async def test_only_what_is_wanted(host: Host, game: Game, clock: SettableClock, wish: str, hours: list[int]) -> None:
    await wishing(host, game, reminders=wish)
    assert await hours_of_reminders(host, clock, 79) == hours


async def test_they_wait_for_the_end_of_quiet_hours(host: Host, game: Game, clock: SettableClock) -> None:
    """The half comes at four in the morning: it waits until eight."""
    assert clock.now() == datetime(2030, 1, 1, 12, tzinfo=UTC)
    await wishing(host, game, quiet="00:00-08:00", zone="UTC")
    first, *_ = await hours_of_reminders(host, clock, 60)
    assert clock.now() - timedelta(hours=60 - first) == datetime(2030, 1, 3, 8, tzinfo=UTC)


async def test_a_reminder_starts_no_clock(host: Host, game: Game, clock: SettableClock) -> None:
    """A move waits to be published when a reminder of its turn is recorded."""
    await beats(host, clock, 41 * 3600)
    await host.timer_dispatcher.work()
    [post] = await host.outbox.due()
    table = await host.games.table(game.id)
    person = table.game.seats[table.position.player]
    actions = whole_turn(table.position)
    await host.moves.act(game.id, person.user_id, 0, actions, 9_000_000, window=timedelta(seconds=60))
    assert (await asked(host, game)).since is None
    assert await host.outbox.sending(post.id)
    await host.outbox.sent(post.id, 5)
    assert (await asked(host, game)).since is None
