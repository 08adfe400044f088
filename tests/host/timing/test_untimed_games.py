"""Tables without a pace: reminders after a day, three, a week and weekly; after sixty days they are closed."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import text

from host import ErrorCode, Game, GameStatus, Host, PostKind, TimerKind
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, expect_error
from tests.host.test_clocks import advance_in_steps, decide, open_game, place_and_pass

DAY = 24


@pytest.fixture
async def game(host: Host) -> Game:
    """Three at a table without a pace."""
    game = await open_game(host, ADA, BEN, CLEO, pace="none")
    await said(host)
    return game


async def said(host: Host) -> Counter[PostKind]:
    """Discord takes what is due; what it was."""
    found: Counter[PostKind] = Counter()
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, post.id)
            found[post.kind] += 1
    return found


async def days_of(host: Host, clock: SettableClock, days: int, kind: PostKind, *, step: int = 6) -> list[float]:
    """After how many days something was said."""
    found, start = [], clock.now()
    async for _ in advance_in_steps(host, clock, days * DAY * 3600, step=step * 3600):
        found += [(clock.now() - start) / timedelta(days=1)] * (await said(host))[kind]
    return found


@pytest.mark.repeats_on_postgresql
async def test_reminders_after_a_day_three_a_week_then_weekly(host: Host, game: Game, clock: SettableClock) -> None:
    assert await days_of(host, clock, 30, PostKind.REMINDER) == [1, 3, 7, 14, 21, 28]


@pytest.mark.repeats_on_postgresql
async def test_whoever_has_vacation_is_reminded_after_it(host: Host, game: Game, clock: SettableClock) -> None:
    person = game.person_to_act
    assert person is not None
    await host.vacations.announce(person.user_id, clock.now().date() + timedelta(days=2), 7)
    assert await days_of(host, clock, 21, PostKind.REMINDER) == [1, 8.5, 14, 21]


@pytest.mark.sqlite
async def test_while_its_place_is_closed_nobody_is_reminded_and_no_day_counts(
    host: Host, game: Game, clock: SettableClock
) -> None:
    assert await days_of(host, clock, 55, PostKind.CLOSING, step=24) == [53]
    await host.places.close([game.id])
    async for _ in advance_in_steps(host, clock, 70 * DAY * 3600, step=DAY * 3600):
        assert not await said(host)
    assert await host.untimed_games.closes_at(await host.games.get(game.id)) is None
    await host.places.reopen([game.id])
    await said(host)
    assert await days_of(host, clock, 8, PostKind.REMINDER, step=24) == [1, 3, 7]
    assert await days_of(host, clock, 53, PostKind.CLOSED, step=24) == [52], "sixty days from when it was open again"


@pytest.mark.repeats_on_postgresql
async def test_a_move_begins_it_anew(host: Host, game: Game, clock: SettableClock) -> None:
    await days_of(host, clock, 5, PostKind.REMINDER)
    clock.advance(12 * 3600)
    await decide(host, game, place_and_pass, clock.now())
    await said(host)
    assert await days_of(host, clock, 8, PostKind.REMINDER) == [1, 3, 7]


async def test_those_that_were_missed_are_one(host: Host, game: Game, clock: SettableClock) -> None:
    clock.advance(30 * DAY * 3600)
    await host.timer_dispatcher.work()
    await host.timer_dispatcher.work()
    assert await said(host) == {PostKind.REMINDER: 1}


@pytest.mark.repeats_on_postgresql
async def test_it_is_closed_after_sixty_days_and_two_notices(host: Host, game: Game, clock: SettableClock) -> None:
    assert await days_of(host, clock, 59, PostKind.CLOSING) == [53, 59]
    assert await host.untimed_games.closes_at(await host.games.get(game.id)) == clock.in_seconds(DAY * 3600)
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING
    assert await days_of(host, clock, 1, PostKind.CLOSED) == [1]
    closed = await host.games.get(game.id)
    assert (closed.status, closed.person_to_act) == (GameStatus.FINISHED, None)
    assert await host.game_lists.of_user(ADA.user_id) == []
    assert await days_of(host, clock, 10, PostKind.REMINDER, step=DAY) == []


@pytest.mark.sqlite
async def test_a_closed_table_can_still_be_looked_at(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await days_of(host, clock, 62, PostKind.CLOSED, step=DAY)
    other = await new_host()
    assert (await other.games.table(game.id)).game.status is GameStatus.FINISHED
    assert (await other.game_checks.check_all()).frozen == ()
    with expect_error(ErrorCode.GAME_OVER):
        await other.untimed_games.keep(await other.games.get(game.id), ADA.user_id)


@pytest.mark.sqlite
@pytest.mark.parametrize("after", [54, 59])
async def test_any_player_keeps_it(host: Host, game: Game, clock: SettableClock, after: int) -> None:
    await days_of(host, clock, after, PostKind.CLOSING, step=DAY)
    found = await host.games.get(game.id)
    assert await host.untimed_games.keep(found, BEN.user_id) == clock.in_seconds(60 * DAY * 3600)
    assert await host.untimed_games.closes_at(found) is None
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.untimed_games.keep(found, 999)
    assert await days_of(host, clock, 60, PostKind.CLOSING, step=DAY) == [53, 59]


@pytest.mark.sqlite
async def test_a_move_keeps_it_too(host: Host, game: Game, clock: SettableClock) -> None:
    await days_of(host, clock, 59, PostKind.CLOSING, step=DAY)
    await decide(host, game, place_and_pass, clock.now())
    assert await days_of(host, clock, 54, PostKind.CLOSING, step=DAY) == [53]


async def test_it_is_never_closed_without_notice(host: Host, game: Game, clock: SettableClock) -> None:
    """The bot was away for half a year."""
    clock.advance(180 * DAY * 3600)
    await host.timer_dispatcher.work()
    assert await said(host) == {PostKind.CLOSING: 1}
    assert await days_of(host, clock, 7, PostKind.CLOSED) == [7]


@pytest.mark.sqlite
async def test_a_table_of_an_older_version_begins_with_this_one(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    async with host._store.writing() as tx:
        await tx.execute(text("DELETE FROM waiting"))
        await tx.execute(text("DELETE FROM timers"))
    clock.advance(300 * DAY * 3600)
    other = await new_host()
    for _ in range(2):
        await other.start()
    await other.timer_dispatcher.work()
    assert await said(other) == {}
    assert await days_of(other, clock, 60, PostKind.REMINDER, step=DAY) == [1, 3, 7, 14, 21, 28, 35, 42, 49, 56]
    assert await days_of(other, clock, 1, PostKind.CLOSED, step=DAY) == []


async def test_two_processes_remind_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    clock.advance(DAY * 3600)
    other = await new_host()
    [timer] = [timer for timer in await host.timer_dispatcher._due() if timer.kind is TimerKind.IDLE]
    for each in (host, other):
        await each.timer_dispatcher._dispatch(timer)
    assert await said(host) == {PostKind.REMINDER: 1}


async def test_a_table_with_a_pace_is_not_kept(host: Host) -> None:
    game = await open_game(host, ADA, BEN)
    with expect_error(ErrorCode.NOT_IDLE):
        await host.untimed_games.keep(game, ADA.user_id)
