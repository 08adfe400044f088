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

PATIENCE = 20
"""Seconds after which a test gives up: less than the half minute after which the sender looks in any case."""


async def send_all(host: Host) -> list[tuple[str, int]]:
    """Send whatever is due as the bot would; code and ply of each message."""
    sent = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, 1000 + post.id)
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
async def test_kinds_and_nonces(host: Host) -> None:
    game = await start_game(host)
    await play_out(host, game.id)
    kinds = []
    nonces = []
    while posts := await host.outbox.due():
        kinds.append(posts[0].kind)
        nonces.append(posts[0].nonce)
        await host.outbox.sent(posts[0].id, 1)
    assert kinds == [PostKind.START, *[PostKind.CARD] * (len(kinds) - 2), PostKind.FINAL]
    assert nonces == [f"{game.code}-{ply}" for ply in range(len(nonces))]
    assert max(map(len, nonces)) <= 25


async def test_a_crash_between_commit_and_sending(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await send_all(host)
    await play_random_action(host, game.id, Random(1))
    restarted = await new_host()
    await restarted.start()
    [post] = await restarted.outbox.due()
    assert (post.game_id, post.ply, post.attempts, post.first_attempt_at) == (game.id, 1, 0, None)


async def test_a_crash_between_sending_and_sent(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await start_game(host)
    [post] = await host.outbox.due()
    tried_at = clock.now()
    assert await host.outbox.sending(post.id)
    clock.advance(3)
    restarted = await new_host()
    assert await restarted.outbox.due() == []
    await restarted.start()
    if not restarted.processes.is_alone:  # whoever had it may live
        clock.advance(27)
    [again] = await restarted.outbox.due()
    assert (again.nonce, again.attempts, again.first_attempt_at) == (f"{game.code}-0", 1, tried_at)
    assert await restarted.outbox.sending(again.id)
    await restarted.outbox.sent(again.id, 5)
    assert await restarted.outbox.due() == []


async def test_two_senders_never_have_the_same_message(host: Host, new_host: NewHost) -> None:
    other = await new_host()
    await start_game(host)
    [post] = await host.outbox.due()
    assert await other.outbox.due() == [post]
    takers = await asyncio.gather(host.outbox.sending(post.id), other.outbox.sending(post.id))
    assert sorted(takers) == [False, True]
    await host.outbox.sent(post.id, 9)
    assert not await other.outbox.sending(post.id)


async def test_a_sender_that_vanishes_loses_its_message_in_time(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.sending(post.id)
    clock.advance(299 if host.processes.is_alone else 29)
    assert await host.outbox.due() == []
    clock.advance(1)
    [again] = await host.outbox.due()
    assert again.attempts == 1


async def test_being_sent_twice_keeps_the_first_message(host: Host) -> None:
    game = await start_game(host)
    [post] = await host.outbox.due()
    await host.outbox.sent(post.id, 5)
    await host.outbox.sent(post.id, 6)
    await host.outbox.failed(post.id)
    last = await host.outbox.last_sent(game.id)
    assert last is not None
    assert last.message_id == 5
    assert await host.outbox.due() == []


async def test_the_wait_after_failures_doubles_up_to_its_limit(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    for wait in (2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600):
        [post] = await host.outbox.due()
        assert await host.outbox.sending(post.id)
        await host.outbox.failed(post.id)
        clock.advance(wait - 0.001)
        assert await host.outbox.due() == []
        clock.advance(0.001)


async def test_a_wait_that_discord_names_is_kept(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.sending(post.id)
    await host.outbox.failed(post.id, retry_after=0.3)
    clock.advance(0.299)
    assert await host.outbox.due() == []
    clock.advance(0.001)
    assert [again.id for again in await host.outbox.due()] == [post.id]


async def test_a_message_that_failed_holds_back_those_after_it(host: Host, clock: SettableClock) -> None:
    game, other = await start_game(host), await start_game(host)
    await play_plies(host, game.id, 2)
    [post, _] = await host.outbox.due()
    assert await host.outbox.sending(post.id)
    await host.outbox.failed(post.id)
    assert [code for code, _ in await send_all(host)] == [other.code]
    clock.advance(2)
    assert await send_all(host) == [(game.code, 0), (game.code, 1), (game.code, 2)]


async def test_messages_with_nowhere_to_go_wait_for_a_new_place(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 1)
    [post] = await host.outbox.due()
    assert await host.outbox.sending(post.id)
    await host.outbox.failed(post.id, gone=True)
    clock.advance(1_000_000)
    assert await host.outbox.due() == []
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.places.move_here(game.id, STRANGER.user_id, Venue(THREAD))
    assert await host.outbox.due() == []
    moved = await host.places.move_here(game.code, ADA.user_id, Venue(THREAD))
    assert (moved.thread_id, moved.place) == (THREAD, THREAD)
    assert await send_all(host) == [(game.code, 0), (game.code, 1)]


async def refuse(host: Host, *, gone: bool) -> None:
    """Discord does not let us post what is due."""
    for post in await host.outbox.due():
        assert await host.outbox.sending(post.id)
        await host.outbox.failed(post.id, retry_after=900, gone=gone, refused=True)


@pytest.mark.parametrize("gone", [False, True])
async def test_what_was_refused_is_tried_again_when_there_is_a_reason(
    host: Host, new_host: NewHost, clock: SettableClock, *, gone: bool
) -> None:
    game, other = await start_game(host), await start_game(host)
    await host.places.set_thread(other.id, THREAD)
    await refuse(host, gone=gone)
    assert await host.outbox.due() == []
    for number, reason in {1: {"game_id": game.id}, 2: {"place_id": CHANNEL}, 3: {"guild_id": GUILD}, 4: {}}.items():
        assert await host.outbox.try_again(**reason) >= 1
        due = await host.outbox.due()
        assert game.id in [post.game_id for post in due]
        assert all(post.refused for post in due)
        await refuse(host, gone=gone)
        assert (await host.outbox.due(), number) == ([], number)
    assert await host.outbox.try_again(place_id=THREAD) == 1
    assert [post.game_id for post in await host.outbox.due()] == [other.id]
    await refuse(host, gone=gone)
    assert await host.outbox.try_again(guild_id=GUILD + 1) == await host.outbox.try_again(place_id=5) == 0
    restarted = await new_host()
    await restarted.start()
    assert len(await restarted.outbox.due()) == 2


@pytest.mark.parametrize("gone", [False, True])
async def test_a_move_tries_again_and_knows_that_its_game_is_silent(host: Host, *, gone: bool) -> None:
    game = await start_game(host)
    assert not (await play_random_action(host, game.id, Random(1))).silenced
    await refuse(host, gone=gone)
    outcome = await play_random_action(host, game.id, Random(2))
    assert outcome.silenced
    assert await send_all(host) == [(game.code, 0), (game.code, 1), (game.code, 2)]
    assert not (await play_random_action(host, game.id, Random(3))).silenced


async def test_a_failure_that_is_nobodys_refusal_silences_nothing(host: Host) -> None:
    game = await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.sending(post.id)
    await host.outbox.failed(post.id)
    assert not (await play_random_action(host, game.id, Random(1))).silenced
    assert await host.outbox.try_again() == 0


async def test_cards_of_a_frozen_game_go_on_waiting(host: Host) -> None:
    game = await start_game(host)
    await refuse(host, gone=True)
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("UPDATE games SET status = 'frozen'")
    assert await host.outbox.try_again() == 0
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("UPDATE games SET status = 'running'")
    assert await host.outbox.try_again(game_id=game.id) == 1


async def test_a_thread_is_where_the_cards_go(host: Host) -> None:
    game = await start_game(host)
    assert game.place == CHANNEL
    await host.places.set_thread(game.id, THREAD)
    [post] = await host.outbox.due()
    assert post.game.place == THREAD


async def test_the_sender_sleeps_until_a_move(host: Host) -> None:
    game = await start_game(host)
    await send_all(host)
    waiting = asyncio.create_task(host.outbox.wait())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await play_random_action(host, game.id, Random(1))
    await asyncio.wait_for(waiting, PATIENCE)
    assert len(await host.outbox.due()) == 1


async def test_the_sender_does_not_sleep_while_something_is_due(host: Host) -> None:
    await start_game(host)
    await asyncio.wait_for(host.outbox.wait(), PATIENCE)


async def test_the_sender_wakes_for_a_retry(host: Host, clock: SettableClock) -> None:
    await start_game(host)
    [post] = await host.outbox.due()
    assert await host.outbox.sending(post.id)
    await host.outbox.failed(post.id, retry_after=0.05)
    await asyncio.wait_for(host.outbox.wait(), PATIENCE)
    clock.advance(0.05)
    assert [again.id for again in await host.outbox.due()] == [post.id]


async def test_the_sender_looks_for_what_another_process_wrote(new_host: NewHost) -> None:
    host = await new_host(poll=timedelta(seconds=0.05))
    await asyncio.wait_for(host.outbox.wait(), PATIENCE)
    assert not host.outbox.event.is_set()


async def test_a_card_can_be_drawn_from_its_post_at_any_time(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    outcomes = [await play_random_action(host, game.id, Random(number)) for number in range(5)]
    restarted = await new_host()
    [start] = await restarted.outbox.due()
    moment = await restarted.games.moment_of(start)
    assert (moment.events, moment.actions, state_digest(moment.before)) == ((), (), state_digest(moment.after))
    await restarted.outbox.sent(start.id, 1)
    for outcome in outcomes:
        [post] = await restarted.outbox.due()
        assert (await restarted.games.moment_of(post)).events == outcome.events
        await restarted.outbox.sent(post.id, 1)


async def test_nothing_was_sent_yet(host: Host) -> None:
    game = await start_game(host)
    assert await host.outbox.last_sent(game.id) is None


@pytest.mark.parametrize("limit", [1, 2, 5])
async def test_the_oldest_come_first(host: Host, limit: int) -> None:
    games: list[Any] = [await start_game(host) for _ in range(3)]
    due = await host.outbox.due(limit)
    assert [post.game_id for post in due] == [game.id for game in games][:limit]
