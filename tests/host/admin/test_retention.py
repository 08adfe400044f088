"""Rows that nothing needs any more are deleted by age; rows that others refer to stay.

`retention.work` is the periodic job; it returns the number of deleted rows of each table. Its retention times are
constants of the host, and the tests advance the clock to or past them.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from host import CardSeen, ErrorCode, Game, Host, LobbyState
from host.admin import retention as thinning
from host.admin.retention import LOBBY_RETENTION, POST_RETENTION, RETENTION_LEASE
from store import whole_database
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, SettableClock, click_id, expect_error, open_lobby, play_plies, start_game
from tests.host.test_clocks import post_all

PAST_RETENTION_SECONDS = (LOBBY_RETENTION + timedelta(days=1)).total_seconds()
"""One day more than an abandoned lobby is kept."""


async def count_rows(host: Host) -> dict[str, int]:
    """Return the number of rows of each table."""
    async with host._store.reading() as tx:
        return await whole_database.count_rows(tx)


async def finish_game(host: Host) -> Game:
    """Play and finish a game with a sent card of each turn."""
    game = await start_game(host, ADA, BEN)
    await post_all(host)
    await play_plies(host, game.id, 5)
    await post_all(host)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await post_all(host)
    for timer in await host.timers.due():
        await host.timers.done(timer)
    return await host.games.get(game.id)


@pytest.mark.both_databases
async def test_the_newest_card_of_a_finished_game_is_kept(host: Host, clock: SettableClock) -> None:
    game = await finish_game(host)
    before = await count_rows(host)
    newest = await host.outbox.last_sent(game.id)
    assert newest is not None
    clock.advance(POST_RETENTION.total_seconds())
    assert await host.retention.work() == {}
    clock.advance(60)
    deleted = await host.retention.work()
    assert deleted["posts"] == before["outbox"] - 1 > 0
    assert set(deleted) == {"posts", "interactions"}
    clock.advance(PAST_RETENTION_SECONDS)
    assert await host.retention.work() == {"lobbies": 1}
    after = await count_rows(host)
    assert (after["outbox"], after["lobbies"], after["lobby_members"]) == (1, 0, 0)
    assert (after["actions"], after["seats"]) == (before["actions"], before["seats"])
    assert await host.outbox.last_sent(game.id) == newest
    assert await host.retention.work() == {}
    with expect_error(ErrorCode.UNKNOWN_LOBBY):
        await host.lobbies.get(1)
    assert not await host.games.epochs.has_unknown_card(game, [CardSeen(0, 3), CardSeen(0, game.revision)])
    assert await host.games.epochs.has_unknown_card(game, [CardSeen(0, game.revision + 1)])


async def test_a_sent_final_card_deletes_all_but_the_last_two_posts(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await post_all(host)
    for _ in range(4):
        clock.advance(600)
        await play_plies(host, game.id, 1)
        await post_all(host)
    last = await host.outbox.last_sent(game.id)
    assert last is not None
    clock.advance(600)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    assert (await count_rows(host))["outbox"] == 6, "the final card is not sent yet"
    await post_all(host)
    final = await host.outbox.last_sent(game.id)
    assert final is not None
    assert (await count_rows(host))["outbox"] == 2
    before = await host.outbox.sent_before(final)
    assert before is not None
    assert before.id == last.id, "its buttons still have to be removed"
    finished = await host.games.get(game.id)
    assert not await host.games.epochs.has_unknown_card(finished, [CardSeen(0, 1), CardSeen(0, finished.revision)])


async def test_posts_of_the_minute_before_the_final_card_are_kept(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await post_all(host)
    clock.advance(600)
    await play_plies(host, game.id, 5)
    await post_all(host)
    clock.advance(59)
    before = (await count_rows(host))["outbox"]
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await post_all(host)
    assert (await count_rows(host))["outbox"] == before, "the first is deleted, and the final card is added"


@pytest.mark.both_databases
async def test_all_posts_of_a_running_game_are_kept(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await play_plies(host, game.id, 5)
    await post_all(host)
    waiting = await open_lobby(host)
    before = await count_rows(host)
    clock.advance(PAST_RETENTION_SECONDS)
    assert await host.retention.work() == {"interactions": before["processed_interactions"]}
    after = await count_rows(host)
    assert {**after, "processed_interactions": 0} == {**before, "processed_interactions": 0}
    assert (await host.lobbies.get(waiting.id)).state is LobbyState.OPEN


@pytest.mark.both_databases
async def test_closed_and_expired_lobbies_are_deleted(host: Host, clock: SettableClock) -> None:
    closed, expired = await open_lobby(host), await open_lobby(host, owner=BEN)
    await host.lobbies.leave(closed.id, ADA.user_id, click_id())
    for days in (15, 7, 1):
        clock.advance(days * 24 * 3600)
        for notice in await host.lobbies.closing_soon():
            await host.lobbies.record_notice(notice)
    assert [lobby.id for lobby in await host.lobbies.expire()] == [expired.id]
    assert set(await host.retention.work()) == {"interactions"}
    clock.advance(PAST_RETENTION_SECONDS)
    assert (await host.retention.work())["lobbies"] == 2


async def test_many_rows_are_deleted_in_batches(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinning, "ROW_BATCH_SIZE", 2)
    monkeypatch.setattr(thinning, "BATCH_PAUSE", 0)
    for _ in range(3):
        await open_lobby(host)
    for user_id in range(5):
        assert await host.quotas.take(user_id, timedelta(seconds=30)) is None
    clock.advance(PAST_RETENTION_SECONDS)
    assert (await host.retention.work())["interactions"] == 3


@pytest.mark.postgresql
async def test_one_process_at_a_time_runs_the_retention_job(new_host: NewHost, clock: SettableClock) -> None:
    first, second = await new_host(), await new_host()
    await open_lobby(first)
    clock.advance(PAST_RETENTION_SECONDS)
    assert await first.processes.take(RETENTION_LEASE)
    assert await second.retention.work() == {}
    await first.processes.give_back(RETENTION_LEASE)
    assert await second.retention.work() == {"interactions": 1}
    clock.advance(PAST_RETENTION_SECONDS)
    assert await first.retention.work() == {}
