"""Untimed games: reminders after one, three and seven days and then weekly, and closing after sixty idle days.

An untimed game has no clocks (pace "none"). Time advances in steps of a few hours, after each of which the due timers
run and the due posts are sent and counted.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import text

from host import ErrorCode, Game, GameStatus, Host, PostKind, TimerKind
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, expect_error
from tests.host.test_clocks import advance_in_steps, decide, open_game, place_and_pass

DAY_HOURS = 24


@pytest.fixture
async def game(host: Host) -> Game:
    """An untimed game of three players whose first card is posted."""
    game = await open_game(host, ADA, BEN, CLEO, pace="none")
    await send_due_posts(host)
    return game


async def send_due_posts(host: Host) -> Counter[PostKind]:
    """Send all due posts and count their kinds."""
    counts: Counter[PostKind] = Counter()
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, post.id)
            counts[post.kind] += 1
    return counts


async def days_of(host: Host, clock: SettableClock, days: int, kind: PostKind, *, step: int = 6) -> list[float]:
    """Let this many days pass; return those after which a post of this kind was sent."""
    days_sent, start = [], clock.now()
    async for _ in advance_in_steps(host, clock, days * DAY_HOURS * 3600, step=step * 3600):
        days_sent += [(clock.now() - start) / timedelta(days=1)] * (await send_due_posts(host))[kind]
    return days_sent


async def test_reminders_come_after_one_three_and_seven_days_then_weekly(
    host: Host, game: Game, clock: SettableClock
) -> None:
    assert await days_of(host, clock, 30, PostKind.REMINDER) == [1, 3, 7, 14, 21, 28]


async def test_a_player_on_vacation_is_reminded_after_it(host: Host, game: Game, clock: SettableClock) -> None:
    person = game.person_to_act
    assert person is not None
    await host.vacations.announce(person.user_id, clock.now().date() + timedelta(days=2), 7)
    assert await days_of(host, clock, 21, PostKind.REMINDER) == [1, 8.5, 14, 21]


@pytest.mark.sqlite
async def test_a_closed_place_stops_reminders_and_the_count_of_days(
    host: Host, game: Game, clock: SettableClock
) -> None:
    assert await days_of(host, clock, 55, PostKind.CLOSING, step=24) == [53]
    await host.places.close([game.id])
    async for _ in advance_in_steps(host, clock, 70 * DAY_HOURS * 3600, step=DAY_HOURS * 3600):
        assert not await send_due_posts(host)
    assert await host.untimed_games.closes_at(await host.games.get(game.id)) is None
    await host.places.reopen([game.id])
    await send_due_posts(host)
    assert await days_of(host, clock, 8, PostKind.REMINDER, step=24) == [1, 3, 7]
    assert await days_of(host, clock, 53, PostKind.CLOSED, step=24) == [52], "sixty days after it was reopened"


async def test_a_move_restarts_the_reminders(host: Host, game: Game, clock: SettableClock) -> None:
    await days_of(host, clock, 5, PostKind.REMINDER)
    clock.advance(12 * 3600)
    await decide(host, game, place_and_pass, clock.now())
    await send_due_posts(host)
    assert await days_of(host, clock, 8, PostKind.REMINDER) == [1, 3, 7]


async def test_missed_reminders_are_sent_as_one(host: Host, game: Game, clock: SettableClock) -> None:
    clock.advance(30 * DAY_HOURS * 3600)
    await host.timer_dispatcher.work()
    await host.timer_dispatcher.work()
    assert await send_due_posts(host) == {PostKind.REMINDER: 1}


async def test_a_game_is_closed_after_sixty_days_and_two_notices(host: Host, game: Game, clock: SettableClock) -> None:
    assert await days_of(host, clock, 59, PostKind.CLOSING) == [53, 59]
    assert await host.untimed_games.closes_at(await host.games.get(game.id)) == clock.in_seconds(DAY_HOURS * 3600)
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING
    assert await days_of(host, clock, 1, PostKind.CLOSED) == [1]
    closed = await host.games.get(game.id)
    assert (closed.status, closed.person_to_act) == (GameStatus.FINISHED, None)
    assert await host.game_lists.of_user(ADA.user_id) == []
    assert await days_of(host, clock, 10, PostKind.REMINDER, step=DAY_HOURS) == []


@pytest.mark.sqlite
async def test_a_closed_game_can_still_be_read(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await days_of(host, clock, 62, PostKind.CLOSED, step=DAY_HOURS)
    other_host = await new_host()
    assert (await other_host.games.table(game.id)).game.status is GameStatus.FINISHED
    assert (await other_host.game_checks.check_all()).frozen == ()
    with expect_error(ErrorCode.GAME_OVER):
        await other_host.untimed_games.keep(await other_host.games.get(game.id), ADA.user_id)


@pytest.mark.sqlite
@pytest.mark.parametrize("after", [54, 59])
async def test_any_player_keeps_a_game_open(host: Host, game: Game, clock: SettableClock, after: int) -> None:
    await days_of(host, clock, after, PostKind.CLOSING, step=DAY_HOURS)
    current = await host.games.get(game.id)
    assert await host.untimed_games.keep(current, BEN.user_id) == clock.in_seconds(60 * DAY_HOURS * 3600)
    assert await host.untimed_games.closes_at(current) is None
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.untimed_games.keep(current, 999)
    assert await days_of(host, clock, 60, PostKind.CLOSING, step=DAY_HOURS) == [53, 59]


@pytest.mark.sqlite
async def test_a_move_keeps_a_game_open(host: Host, game: Game, clock: SettableClock) -> None:
    await days_of(host, clock, 59, PostKind.CLOSING, step=DAY_HOURS)
    await decide(host, game, place_and_pass, clock.now())
    assert await days_of(host, clock, 54, PostKind.CLOSING, step=DAY_HOURS) == [53]


async def test_a_game_is_never_closed_without_notice(host: Host, game: Game, clock: SettableClock) -> None:
    """Start the bot after half a year of downtime."""
    clock.advance(180 * DAY_HOURS * 3600)
    await host.timer_dispatcher.work()
    assert await send_due_posts(host) == {PostKind.CLOSING: 1}
    assert await days_of(host, clock, 7, PostKind.CLOSED) == [7]


@pytest.mark.sqlite
async def test_days_of_an_older_versions_game_count_from_the_update(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    async with host._store.writing() as tx:
        await tx.execute(text("DELETE FROM waiting"))
        await tx.execute(text("DELETE FROM timers"))
    clock.advance(300 * DAY_HOURS * 3600)
    other_host = await new_host()
    for _ in range(2):
        await other_host.start()
    await other_host.timer_dispatcher.work()
    assert await send_due_posts(other_host) == {}
    assert await days_of(other_host, clock, 60, PostKind.REMINDER, step=DAY_HOURS) == [
        1,
        3,
        7,
        14,
        21,
        28,
        35,
        42,
        49,
        56,
    ]
    assert await days_of(other_host, clock, 1, PostKind.CLOSED, step=DAY_HOURS) == []


async def test_two_processes_remind_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    clock.advance(DAY_HOURS * 3600)
    other_host = await new_host()
    [timer] = [timer for timer in await host.timer_dispatcher._due() if timer.kind is TimerKind.IDLE]
    for process in (host, other_host):
        await process.timer_dispatcher._dispatch(timer)
    assert await send_due_posts(host) == {PostKind.REMINDER: 1}


async def test_a_game_with_clocks_needs_no_keeping(host: Host) -> None:
    game = await open_game(host, ADA, BEN)
    with expect_error(ErrorCode.NOT_IDLE):
        await host.untimed_games.keep(game, ADA.user_id)
