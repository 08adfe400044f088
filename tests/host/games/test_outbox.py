"""The outbox: posts are sent once and in order, across failures, refusals, crashes and processes.

The outbox is the table of posts, messages about a game that still have to be sent. A process leases a post before it
sends it, and records afterwards that it was sent; the nonce of a post lets Discord recognise a repetition.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from engine import state_digest
from host import ErrorCode, Host, PostKind, Venue
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    CHANNEL,
    GUILD,
    STRANGER,
    THREAD,
    SettableClock,
    expect_error,
    play_out,
    play_plies,
    play_random_action,
    start_game,
)

TIMEOUT_SECONDS = 20
"""Seconds a test waits for the sender: less than the 30 after which it polls in any case."""


async def send_all(host: Host) -> list[tuple[str, int]]:
    """Send all due posts as the bot would; return the game's code and its ply (number of actions) for each."""
    sent = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 1000 + post.id)
            sent.append((post.game.code, post.ply))
    return sent


async def test_each_move_is_one_message_in_the_games_order(host: Host) -> None:
    first, second = await start_game(host), await start_game(host)
    await play_plies(host, first.id, 3)
    await play_plies(host, second.id, 2)
    due = await host.outbox.due()
    assert [(post.game.code, post.ply) for post in due] == [(first.code, 0), (second.code, 0)]
    sent = await send_all(host)
    assert [ply for code, ply in sent if code == first.code] == [0, 1, 2, 3]
    assert [ply for code, ply in sent if code == second.code] == [0, 1, 2]
    assert await send_all(host) == []


@pytest.mark.sqlite
async def test_posts_of_a_game_have_kinds_and_unique_nonces(host: Host) -> None:
    game = await start_game(host)
    await play_out(host, game.id)
    kinds = []
    nonces = []
    while posts := await host.outbox.due():
        kinds.append(posts[0].kind)
        nonces.append(posts[0].nonce)
        await host.outbox.record_sent(posts[0].id, 1)
    assert kinds == [PostKind.START, *[PostKind.CARD] * (len(kinds) - 2), PostKind.FINAL]
    assert nonces == [f"{game.code}-{ply}" for ply in range(len(nonces))]
    assert max(map(len, nonces)) <= 25


async def test_a_post_is_due_after_a_crash_before_sending(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await send_all(host)
    await play_random_action(host, game.id, Random(1))
    restarted = await new_host()
    await restarted.start()
    [post] = await restarted.outbox.due()
    assert (post.game_id, post.ply, post.attempts, post.first_attempt_at) == (game.id, 1, 0, None)


async def test_a_post_is_due_again_after_a_crash_while_sending(
    host: Host, new_host: NewHost, clock: SettableClock
) -> None:
    game = await start_game(host)
    [post] = await host.outbox.due()
    tried_at = clock.now()
    assert await host.outbox.lease(post.id)
    clock.advance(3)
    restarted = await new_host()
    assert await restarted.outbox.due() == []
    await restarted.start()
    if not restarted.processes.is_alone:  # the lease has to expire: its holder may be alive
        clock.advance(27)
    [again] = await restarted.outbox.due()
    assert (again.nonce, again.attempts, again.first_attempt_at) == (f"{game.code}-0", 1, tried_at)
    assert await restarted.outbox.lease(again.id)
    await restarted.outbox.record_sent(again.id, 5)
    assert await restarted.outbox.due() == []


async def test_two_senders_never_lease_the_same_post(host: Host, new_host: NewHost) -> None:
    other_host = await new_host()
    await start_game(host)
    [post] = await host.outbox.due()
    assert await other_host.outbox.due() == [post]
    takers = await asyncio.gather(host.outbox.lease(post.id), other_host.outbox.lease(post.id))
    assert sorted(takers) == [False, True]
    await host.outbox.record_sent(post.id, 9)
    assert not await other_host.outbox.lease(post.id)


async def test_the_lease_of_a_vanished_sender_expires(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.lease(post.id)
    clock.advance(299 if host.processes.is_alone else 29)
    assert await host.outbox.due() == []
    clock.advance(1)
    [again] = await host.outbox.due()
    assert again.attempts == 1


async def test_a_post_sent_twice_keeps_the_first_message(host: Host) -> None:
    game = await start_game(host)
    [post] = await host.outbox.due()
    await host.outbox.record_sent(post.id, 5)
    await host.outbox.record_sent(post.id, 6)
    await host.outbox.record_failure(post.id)
    last = await host.outbox.last_sent(game.id)
    assert last is not None
    assert last.message_id == 5
    assert await host.outbox.due() == []


async def test_the_retry_delay_doubles_up_to_its_limit(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    for wait in (2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600):
        [post] = await host.outbox.due()
        assert await host.outbox.lease(post.id)
        await host.outbox.record_failure(post.id)
        clock.advance(wait - 0.001)
        assert await host.outbox.due() == []
        clock.advance(0.001)


async def test_a_retry_delay_named_by_discord_is_observed(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.lease(post.id)
    await host.outbox.record_failure(post.id, retry_after=0.3)
    clock.advance(0.299)
    assert await host.outbox.due() == []
    clock.advance(0.001)
    assert [again.id for again in await host.outbox.due()] == [post.id]


async def test_a_failed_post_holds_back_later_posts_of_its_game(host: Host, clock: SettableClock) -> None:
    game, other = await start_game(host), await start_game(host)
    await play_plies(host, game.id, 2)
    [post, _] = await host.outbox.due()
    assert await host.outbox.lease(post.id)
    await host.outbox.record_failure(post.id)
    assert [code for code, _ in await send_all(host)] == [other.code]
    clock.advance(2)
    assert await send_all(host) == [(game.code, 0), (game.code, 1), (game.code, 2)]


async def test_posts_of_a_deleted_place_wait_for_a_new_one(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 1)
    [post] = await host.outbox.due()
    assert await host.outbox.lease(post.id)
    await host.outbox.record_failure(post.id, gone=True)
    clock.advance(1_000_000)
    assert await host.outbox.due() == []
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.places.move_here(game.id, STRANGER.user_id, Venue(THREAD))
    assert await host.outbox.due() == []
    moved = await host.places.move_here(game.code, ADA.user_id, Venue(THREAD))
    assert (moved.thread_id, moved.place) == (THREAD, THREAD)
    assert await send_all(host) == [(game.code, 0), (game.code, 1)]


async def refuse_due_posts(host: Host, *, gone: bool) -> None:
    """Fail all due posts because Discord refuses them; `gone` says that their place is deleted."""
    for post in await host.outbox.due():
        assert await host.outbox.lease(post.id)
        await host.outbox.record_failure(post.id, retry_after=900, gone=gone, refused=True)


@pytest.mark.parametrize("gone", [False, True])
async def test_refused_posts_are_retried_by_game_place_server_or_restart(
    host: Host, new_host: NewHost, clock: SettableClock, *, gone: bool
) -> None:
    game, other = await start_game(host), await start_game(host)
    await host.places.set_thread(other.id, THREAD)
    await refuse_due_posts(host, gone=gone)
    assert await host.outbox.due() == []
    for number, reason in {1: {"game_id": game.id}, 2: {"place_id": CHANNEL}, 3: {"guild_id": GUILD}, 4: {}}.items():
        assert await host.outbox.try_again(**reason) >= 1
        due = await host.outbox.due()
        assert game.id in [post.game_id for post in due]
        assert all(post.refused for post in due)
        await refuse_due_posts(host, gone=gone)
        assert (await host.outbox.due(), number) == ([], number)
    assert await host.outbox.try_again(place_id=THREAD) == 1
    assert [post.game_id for post in await host.outbox.due()] == [other.id]
    await refuse_due_posts(host, gone=gone)
    assert await host.outbox.try_again(guild_id=GUILD + 1) == await host.outbox.try_again(place_id=5) == 0
    restarted = await new_host()
    await restarted.start()
    assert len(await restarted.outbox.due()) == 2


@pytest.mark.parametrize("gone", [False, True])
async def test_a_move_retries_refused_posts_and_reports_the_silence(host: Host, *, gone: bool) -> None:
    game = await start_game(host)
    assert not (await play_random_action(host, game.id, Random(1))).silenced
    await refuse_due_posts(host, gone=gone)
    outcome = await play_random_action(host, game.id, Random(2))
    assert outcome.silenced
    assert await send_all(host) == [(game.code, 0), (game.code, 1), (game.code, 2)]
    assert not (await play_random_action(host, game.id, Random(3))).silenced


async def test_a_failure_without_refusal_is_not_reported_as_silence(host: Host) -> None:
    game = await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.lease(post.id)
    await host.outbox.record_failure(post.id)
    assert not (await play_random_action(host, game.id, Random(1))).silenced
    assert await host.outbox.try_again() == 0


@pytest.mark.both_databases
async def test_refused_posts_of_a_frozen_game_are_not_retried(host: Host) -> None:
    game = await start_game(host)
    await refuse_due_posts(host, gone=True)
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("UPDATE games SET status = 'frozen'")
    assert await host.outbox.try_again() == 0
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("UPDATE games SET status = 'running'")
    assert await host.outbox.try_again(game_id=game.id) == 1


async def test_posts_go_to_the_thread_of_a_game(host: Host) -> None:
    game = await start_game(host)
    assert game.place == CHANNEL
    await host.places.set_thread(game.id, THREAD)
    [post] = await host.outbox.due()
    assert post.game.place == THREAD


@pytest.mark.both_databases
async def test_the_sender_sleeps_until_a_move(host: Host) -> None:
    game = await start_game(host)
    await send_all(host)
    waiting = asyncio.create_task(host.outbox.wait())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await play_random_action(host, game.id, Random(1))
    await asyncio.wait_for(waiting, TIMEOUT_SECONDS)
    assert len(await host.outbox.due()) == 1


async def test_the_sender_does_not_sleep_while_something_is_due(host: Host) -> None:
    await start_game(host)
    await asyncio.wait_for(host.outbox.wait(), TIMEOUT_SECONDS)


async def test_the_sender_wakes_for_a_retry(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.lease(post.id)
    await host.outbox.record_failure(post.id, retry_after=0.05)
    await asyncio.wait_for(host.outbox.wait(), TIMEOUT_SECONDS)
    clock.advance(0.05)
    assert [again.id for again in await host.outbox.due()] == [post.id]


async def test_the_sender_polls_for_posts_of_other_processes(new_host: NewHost) -> None:
    host = await new_host(poll=timedelta(seconds=0.05))
    await asyncio.wait_for(host.outbox.wait(), TIMEOUT_SECONDS)
    assert not host.outbox.event.is_set()


async def test_the_moment_of_a_post_is_replayed_after_a_restart(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    outcomes = [await play_random_action(host, game.id, Random(number)) for number in range(5)]
    restarted = await new_host()
    [start] = await restarted.outbox.due()
    moment = await restarted.games.moment_of(start)
    assert (moment.events, moment.actions, state_digest(moment.before)) == ((), (), state_digest(moment.after))
    await restarted.outbox.record_sent(start.id, 1)
    for outcome in outcomes:
        [post] = await restarted.outbox.due()
        assert (await restarted.games.moment_of(post)).events == outcome.events
        await restarted.outbox.record_sent(post.id, 1)


async def test_a_new_game_has_no_last_sent_post(host: Host) -> None:
    game = await start_game(host)
    assert await host.outbox.last_sent(game.id) is None


@pytest.mark.parametrize("limit", [1, 2, 5])
async def test_the_oldest_posts_come_first(host: Host, limit: int) -> None:
    games: list[Any] = [await start_game(host) for _ in range(3)]
    due = await host.outbox.due(limit)
    assert [post.game_id for post in due] == [game.id for game in games][:limit]
