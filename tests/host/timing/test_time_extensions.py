"""Giving time: the other one has it at once, everybody is told, and nothing is created or lost but what is given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from host import ErrorCode, Game, Gift, Host, PostKind
from host.clocks import HOUR
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, STRANGER, SettableClock, click_id, expect_error, play_out
from tests.host.test_clocks import active_clock, advance_with_heartbeat, clocks_of, open_game, post_all

DAY = timedelta(days=1)


@pytest.fixture
async def game(host: Host) -> Game:
    """Three at a table; the first is asked, and the card is there."""
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    return game


async def give(host: Host, game: Game, giver: int, receiver: int, amount: timedelta = DAY) -> Gift:
    """Let one seat give another one time."""
    users = [person.user_id for person in game.seats]
    return (await host.time_extensions.give(game.id, users[giver], users[receiver], amount, click_id()))[1]


def others(seat: int) -> Sequence[int]:
    return [other for other in range(3) if other != seat]


async def test_who_is_given_time_has_it_at_once_and_zero_comes_later(
    host: Host, game: Game, clock: SettableClock
) -> None:
    seat = (await active_clock(host, game)).seat
    await advance_with_heartbeat(host, clock, 79 * 3600)
    before = await host.times.of(game)
    await give(host, game, others(seat)[0], seat)
    after = await host.times.of(game)
    assert before is not None
    assert after is not None
    assert (before.deadline, after.deadline) == (clock.in_seconds(3600), clock.in_seconds(25 * 3600))
    mine = (await clocks_of(host, game))[seat]
    assert (mine.granted, mine.left) == (96 * HOUR, 96 * HOUR)
    await advance_with_heartbeat(host, clock, 25 * 3600 + 9)
    await host.timer_dispatcher.work()
    assert (await active_clock(host, game)).timeouts == 0
    await advance_with_heartbeat(host, clock, 20)
    await host.timer_dispatcher.work()
    mine = (await clocks_of(host, game))[seat]
    assert (mine.timeouts, mine.used, mine.left) == (1, 96 * HOUR, 12 * HOUR)
    assert mine.granted + mine.given_back - mine.used == mine.left


async def test_everybody_is_told_once(host: Host, game: Game) -> None:
    gift = await give(host, game, 0, 1, timedelta(hours=6))
    (post,) = await host.outbox.due()
    assert (post.kind, await host.time_extensions.told_by(post)) == (PostKind.GIVEN, gift)
    assert (gift.seat, gift.amount) == (1, 6 * HOUR)


async def test_the_same_press_gives_once_in_every_process(host: Host, new_host: NewHost, game: Game) -> None:
    press, (giver, receiver, _) = click_id(), [person.user_id for person in game.seats]
    gifts = [
        (await one.time_extensions.give(game.id, giver, receiver, DAY, press))[1]
        for one in (host, await new_host(), host)
    ]
    assert len({gift.id for gift in gifts}) == 1
    assert (await clocks_of(host, game))[1].granted == 96 * HOUR


async def test_what_is_refused_changes_nothing(host: Host, game: Game, clock: SettableClock) -> None:
    users = [person.user_id for person in game.seats]
    before = await clocks_of(host, game)
    for giver, receiver, amount, code in (
        (users[0], users[0], DAY, ErrorCode.GIVES_SELF),
        (users[0], STRANGER.user_id, DAY, ErrorCode.HAS_LEFT),
        (STRANGER.user_id, users[0], DAY, ErrorCode.NOT_A_PLAYER),
        (users[0], users[1], DAY + timedelta(milliseconds=1), ErrorCode.BAD_GIFT),
        (users[0], users[1], timedelta(0), ErrorCode.BAD_GIFT),
        (users[0], users[1], -DAY, ErrorCode.BAD_GIFT),
    ):
        with expect_error(code, code=game.code):
            await host.time_extensions.give(game.id, giver, receiver, amount, click_id())
    assert await clocks_of(host, game) == before
    assert await host.outbox.due() == []


async def test_nobody_gives_twice_within_an_hour(host: Host, game: Game, clock: SettableClock) -> None:
    await give(host, game, 0, 1)
    clock.advance(3599)
    with expect_error(ErrorCode.GAVE_LATELY, code=game.code, again=int(clock.in_seconds(1).timestamp())):
        await give(host, game, 0, 2)
    await give(host, game, 1, 0)
    clock.advance(1)
    await give(host, game, 0, 1)
    assert [one.granted // HOUR for one in await clocks_of(host, game)] == [96, 120, 72]


async def test_who_has_left_is_given_nothing_and_gives_nothing(host: Host, game: Game) -> None:
    await host.moves.resign(game.id, game.seats[2].user_id, click_id())
    with expect_error(ErrorCode.HAS_LEFT, code=game.code):
        await give(host, game, 0, 2)
    with expect_error(ErrorCode.RESIGNED, code=game.code):
        await give(host, game, 2, 0)


@pytest.mark.repeats_on_postgresql
async def test_without_clocks_and_at_the_end_there_is_none_to_give(host: Host) -> None:
    plain = await open_game(host, ADA, BEN, pace="none")
    with expect_error(ErrorCode.NO_CLOCKS, code=plain.code):
        await give(host, plain, 0, 1)
    over = await open_game(host, ADA, BEN)
    await play_out(host, over.id)
    with expect_error(ErrorCode.GAME_OVER, code=over.code):
        await give(host, over, 0, 1)
