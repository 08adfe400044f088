"""Gifts of time from one player to another: added at once, announced once, limited to one an hour.

At the standard pace a turn times out 80 hours after its card: 8 free hours and a bank of 72. `give` lets one seat of
a game for three give another one day.
"""

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
"""The usual amount of a gift."""


@pytest.fixture
async def game(host: Host) -> Game:
    """A game of three players whose first card is posted."""
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    return game


async def give(host: Host, game: Game, giver: int, receiver: int, amount: timedelta = DAY) -> Gift:
    """Let one seat give another seat time."""
    users = [person.user_id for person in game.seats]
    return (await host.time_extensions.give(game.id, users[giver], users[receiver], amount, click_id()))[1]


def other_seats(seat: int) -> Sequence[int]:
    """Return the other two seats."""
    return [other for other in range(3) if other != seat]


async def test_a_gift_is_added_at_once_and_postpones_the_timeout(host: Host, game: Game, clock: SettableClock) -> None:
    seat = (await active_clock(host, game)).seat
    await advance_with_heartbeat(host, clock, 79 * 3600)
    before = await host.times.of(game)
    await give(host, game, other_seats(seat)[0], seat)
    after = await host.times.of(game)
    assert before is not None
    assert after is not None
    assert (before.deadline, after.deadline) == (clock.in_seconds(3600), clock.in_seconds(25 * 3600))
    receiver_clock = (await clocks_of(host, game))[seat]
    assert (receiver_clock.granted, receiver_clock.left) == (96 * HOUR, 96 * HOUR)
    await advance_with_heartbeat(host, clock, 25 * 3600 + 9)
    await host.timer_dispatcher.work()
    assert (await active_clock(host, game)).timeouts == 0
    await advance_with_heartbeat(host, clock, 20)
    await host.timer_dispatcher.work()
    receiver_clock = (await clocks_of(host, game))[seat]
    assert (receiver_clock.timeouts, receiver_clock.used, receiver_clock.left) == (1, 96 * HOUR, 12 * HOUR)
    assert receiver_clock.granted + receiver_clock.given_back - receiver_clock.used == receiver_clock.left


async def test_a_gift_is_announced_once(host: Host, game: Game) -> None:
    gift = await give(host, game, 0, 1, timedelta(hours=6))
    (post,) = await host.outbox.due()
    assert (post.kind, await host.time_extensions.announced_in(post)) == (PostKind.GIVEN, gift)
    assert (gift.seat, gift.amount) == (1, 6 * HOUR)


async def test_a_repeated_press_gives_once_across_processes(host: Host, new_host: NewHost, game: Game) -> None:
    press_id, (giver, receiver, _) = click_id(), [person.user_id for person in game.seats]
    gifts = [
        (await process.time_extensions.give(game.id, giver, receiver, DAY, press_id))[1]
        for process in (host, await new_host(), host)
    ]
    assert len({gift.id for gift in gifts}) == 1
    assert (await clocks_of(host, game))[1].granted == 96 * HOUR


async def test_invalid_gifts_are_refused(host: Host, game: Game, clock: SettableClock) -> None:
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


async def test_a_player_gives_once_an_hour_at_most(host: Host, game: Game, clock: SettableClock) -> None:
    await give(host, game, 0, 1)
    clock.advance(3599)
    with expect_error(ErrorCode.GAVE_LATELY, code=game.code, again=int(clock.in_seconds(1).timestamp())):
        await give(host, game, 0, 2)
    await give(host, game, 1, 0)
    clock.advance(1)
    await give(host, game, 0, 1)
    assert [seat_clock.granted // HOUR for seat_clock in await clocks_of(host, game)] == [96, 120, 72]


async def test_a_resigned_player_neither_gives_nor_receives(host: Host, game: Game) -> None:
    await host.moves.resign(game.id, game.seats[2].user_id, click_id())
    with expect_error(ErrorCode.HAS_LEFT, code=game.code):
        await give(host, game, 0, 2)
    with expect_error(ErrorCode.RESIGNED, code=game.code):
        await give(host, game, 2, 0)


@pytest.mark.usefixtures("few_tiles")
async def test_untimed_and_finished_games_allow_no_gifts(host: Host) -> None:
    untimed = await open_game(host, ADA, BEN, pace="none")
    with expect_error(ErrorCode.NO_CLOCKS, code=untimed.code):
        await give(host, untimed, 0, 1)
    finished = await open_game(host, ADA, BEN)
    await play_out(host, finished.id)
    with expect_error(ErrorCode.GAME_OVER, code=finished.code):
        await give(host, finished, 0, 1)
