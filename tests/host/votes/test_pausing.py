"""Pauses: all clocks of a game are held, by consent or by an organiser, until a date or until they are resumed.

In a game of three each player has moved once; the first has been asked again for nine hours, one more than the 8 free
hours of a turn. `Asker` is the sender of a request with their rights.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from host import Asker, ErrorCode, Game, Host, PostKind, RequestState
from host.clocks import HOUR
from host.votes.pauses import MAX_PAUSE_DAYS
from host.votes.votes import REPEAT_INTERVAL
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, GUILD, STRANGER, SettableClock, click_id, expect_error, play_out
from tests.host.test_clocks import (
    active_clock,
    advance_and_post,
    clocks_of,
    decide,
    open_game,
    place_and_pass,
    post_all,
)

DAY_SECONDS = timedelta(days=1).total_seconds()
ORGANISER = Asker(STRANGER.user_id, GUILD, manages=True)
"""A member who manages the server, and so may pause its games."""


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """A game in which each of three players has moved once and the first has been asked again for nine hours."""
    game = await open_game(host, ADA, BEN, CLEO, expansions=())
    await post_all(host)
    for _ in range(3):
        await decide(host, game, place_and_pass, clock.now())
        await post_all(host)
    clock.advance(9 * 3600)
    return game


def asker_at(game: Game, seat: int) -> Asker:
    """Return an asker who is the player at this seat."""
    return Asker(game.seats[seat].user_id, GUILD)


async def pause_game(host: Host, game: Game, days: int = 14) -> None:
    """Request a pause and let all voters agree."""
    request = await host.pauses.request(game.id, asker_at(game, 0), days, click_id())
    for user_id in request.voters:
        answered = await host.votes.answer(game.id, request.id, user_id, click_id(), agrees=True)
    assert answered.request.state is RequestState.GRANTED


async def test_clocks_are_held_when_all_agree_and_resume_by_themselves(
    host: Host, game: Game, clock: SettableClock
) -> None:
    request = await host.pauses.request(game.id, asker_at(game, 0), 14, click_id())
    assert set(request.voters) == {game.seats[1].user_id, game.seats[2].user_id}
    await host.votes.answer(game.id, request.id, request.voters[0], click_id(), agrees=True)
    assert not (await active_clock(host, game)).held
    await host.votes.answer(game.id, request.id, request.voters[1], click_id(), agrees=True)
    assert all(seat_clock.held and seat_clock.since is None for seat_clock in await clocks_of(host, game))
    times = await host.times.of(game)
    assert times is not None
    assert (times.deadline, times.paused_until) == (None, clock.in_seconds(14 * DAY_SECONDS))
    await advance_and_post(host, clock, 14 * DAY_SECONDS - 60, step=DAY_SECONDS / 2)
    assert (await active_clock(host, game)).used == HOUR, "only the time before the pause"
    await advance_and_post(host, clock, 60)
    resumed = await active_clock(host, game)
    assert (resumed.held, resumed.since, resumed.used) == (False, clock.now(), HOUR)
    await advance_and_post(host, clock, 90 * 3600, step=3600)
    assert sum(seat_clock.timeouts for seat_clock in await clocks_of(host, game)) == 1, (
        "the timer of the timeout is set again"
    )


async def test_players_may_move_during_a_pause(host: Host, game: Game, clock: SettableClock) -> None:
    await pause_game(host, game)
    await decide(host, game, place_and_pass, clock.now())
    await post_all(host)
    clock.advance(5 * DAY_SECONDS)
    now = await active_clock(host, game)
    assert (now.held, now.since) == (True, None)


async def test_the_start_and_end_of_a_pause_are_posted(host: Host, game: Game) -> None:
    await post_all(host)
    await pause_game(host, game)
    kinds = []
    for _ in range(2):
        while posts := await host.outbox.due():
            for post in posts:
                assert await host.outbox.lease(post.id)
                await host.outbox.record_sent(post.id, post.id)
                kinds.append(post.kind)
        if PostKind.RESUMED not in kinds:
            await host.pauses.resume(game.id, asker_at(game, 1))
    assert kinds == [PostKind.ASKED, PostKind.PAUSED, PostKind.RESUMED]


async def test_one_refusal_or_silence_rejects_a_pause(host: Host, game: Game, clock: SettableClock) -> None:
    request = await host.pauses.request(game.id, asker_at(game, 0), 7, click_id())
    await host.votes.answer(game.id, request.id, request.voters[0], click_id(), agrees=False)
    with expect_error(ErrorCode.ASKED_LATELY):
        await host.pauses.request(game.id, asker_at(game, 0), 3, click_id())
    clock.advance(REPEAT_INTERVAL.total_seconds())
    await host.pauses.request(game.id, asker_at(game, 0), 7, click_id())
    await advance_and_post(host, clock, DAY_SECONDS + 60, step=3600)
    assert not any(seat_clock.held for seat_clock in await clocks_of(host, game))


async def test_an_organiser_pauses_and_resumes_at_once(host: Host, game: Game) -> None:
    request = await host.pauses.request(game.id, ORGANISER, 3, click_id())
    assert request.state is RequestState.GRANTED
    assert all(seat_clock.held for seat_clock in await clocks_of(host, game))
    with expect_error(ErrorCode.NOT_PAUSER, code=game.code):
        await host.pauses.resume(game.id, asker_at(game, 0))
    await host.pauses.resume(game.id, ORGANISER)
    assert not any(seat_clock.held for seat_clock in await clocks_of(host, game))
    with expect_error(ErrorCode.NOT_PAUSED, code=game.code):
        await host.pauses.resume(game.id, ORGANISER)


async def test_invalid_pauses_are_refused(host: Host, game: Game) -> None:
    for days in (0, -1, MAX_PAUSE_DAYS + 1):
        with expect_error(ErrorCode.BAD_PAUSE, code=game.code):
            await host.pauses.request(game.id, asker_at(game, 0), days, click_id())
    with expect_error(ErrorCode.NOT_ORGANISER, code=game.code):
        await host.pauses.request(game.id, Asker(STRANGER.user_id, GUILD), 3, click_id())
    await host.pauses.request(game.id, asker_at(game, 0), 3, click_id())
    with expect_error(ErrorCode.ASKED_ALREADY, code=game.code):
        await host.pauses.request(game.id, asker_at(game, 1), 3, click_id())
    assert not any(seat_clock.held for seat_clock in await clocks_of(host, game))
    await host.pauses.request(game.id, ORGANISER, 3, click_id())
    with expect_error(ErrorCode.PAUSED_ALREADY, code=game.code):
        await host.pauses.request(game.id, ORGANISER, 3, click_id())


@pytest.mark.usefixtures("few_tiles")
async def test_no_pause_without_clocks_or_after_the_end(host: Host) -> None:
    untimed = await open_game(host, ADA, BEN, pace="none")
    with expect_error(ErrorCode.NO_CLOCKS, code=untimed.code):
        await host.pauses.request(untimed.id, asker_at(untimed, 0), 3, click_id())
    finished = await open_game(host, ADA, BEN)
    await play_out(host, finished.id)
    with expect_error(ErrorCode.GAME_OVER, code=finished.code):
        await host.pauses.request(finished.id, asker_at(finished, 0), 3, click_id())


async def test_two_processes_resume_a_game_once(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    await pause_game(host, game, 1)
    await post_all(host)
    clock.advance(DAY_SECONDS)
    other_host = await new_host()
    for process in (host, other_host):
        await process.timer_dispatcher.work()
    assert [post.kind for post in await host.outbox.due()].count(PostKind.RESUMED) == 1
    assert not any(seat_clock.held for seat_clock in await clocks_of(host, game))
