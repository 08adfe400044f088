"""Rows that nothing needs any more are deleted by age; rows that others refer to stay."""

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

LATER = (LOBBY_RETENTION + timedelta(days=1)).total_seconds()


async def rows(host: Host) -> dict[str, int]:
    async with host._store.reading() as tx:
        return await whole_database.counts(tx)


async def played(host: Host) -> Game:
    """A game that is over, with a card of each turn."""
    game = await start_game(host, ADA, BEN)
    await post_all(host)
    await play_plies(host, game.id, 5)
    await post_all(host)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await post_all(host)
    for timer in await host.timers.due():
        await host.timers.done(timer)
    return await host.games.get(game.id)


async def test_of_a_finished_game_the_newest_card_stays(host: Host, clock: SettableClock) -> None:
    game = await played(host)
    before = await rows(host)
    newest = await host.outbox.last_sent(game.id)
    assert newest is not None
    clock.advance(POST_RETENTION.total_seconds())
    assert await host.retention.work() == {}
    clock.advance(60)
    done = await host.retention.work()
    assert done["posts"] == before["outbox"] - 1 > 0
    assert set(done) == {"posts", "interactions"}
    clock.advance(LATER)
    assert await host.retention.work() == {"lobbies": 1}
    after = await rows(host)
    assert (after["outbox"], after["lobbies"], after["lobby_members"]) == (1, 0, 0)
    assert (after["actions"], after["seats"]) == (before["actions"], before["seats"])
    assert await host.outbox.last_sent(game.id) == newest
    assert await host.retention.work() == {}
    with expect_error(ErrorCode.UNKNOWN_LOBBY):
        await host.lobbies.get(1)
    assert not await host.games.epochs.is_ahead(game, [CardSeen(0, 3), CardSeen(0, game.revision)])
    assert await host.games.epochs.is_ahead(game, [CardSeen(0, game.revision + 1)])


async def test_with_its_final_card_all_before_the_last_two_goes(host: Host, clock: SettableClock) -> None:
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
    assert (await rows(host))["outbox"] == 6, "as long as it is not posted"
    await post_all(host)
    final = await host.outbox.last_sent(game.id)
    assert final is not None
    assert (await rows(host))["outbox"] == 2
    before = await host.outbox.sent_before(final)
    assert before is not None
    assert before.id == last.id, "whose buttons are taken away now"
    over = await host.games.get(game.id)
    assert not await host.games.epochs.is_ahead(over, [CardSeen(0, 1), CardSeen(0, over.revision)])


async def test_what_was_posted_in_the_minute_before_the_final_card_stays(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await post_all(host)
    clock.advance(600)
    await play_plies(host, game.id, 5)
    await post_all(host)
    clock.advance(59)
    before = (await rows(host))["outbox"]
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await post_all(host)
    assert (await rows(host))["outbox"] == before, "the first goes, and there is a final card"


async def test_of_a_game_that_goes_on_everything_stays(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await play_plies(host, game.id, 5)
    await post_all(host)
    open_one = await open_lobby(host)
    before = await rows(host)
    clock.advance(LATER)
    assert await host.retention.work() == {"interactions": before["processed_interactions"]}
    after = await rows(host)
    assert {**after, "processed_interactions": 0} == {**before, "processed_interactions": 0}
    assert (await host.lobbies.get(open_one.id)).state is LobbyState.OPEN


async def test_tables_at_which_nobody_sat_down_go(host: Host, clock: SettableClock) -> None:
    closed, expired = await open_lobby(host), await open_lobby(host, owner=BEN)
    await host.lobbies.leave(closed.id, ADA.user_id, click_id())
    for days in (15, 7, 1):
        clock.advance(days * 24 * 3600)
        for notice in await host.lobbies.closing_soon():
            await host.lobbies.record_notice(notice)
    assert [lobby.id for lobby in await host.lobbies.expire()] == [expired.id]
    assert set(await host.retention.work()) == {"interactions"}
    clock.advance(LATER)
    assert (await host.retention.work())["lobbies"] == 2


async def test_much_is_taken_out_a_little_at_a_time(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinning, "ROW_BATCH_SIZE", 2)
    monkeypatch.setattr(thinning, "BATCH_PAUSE", 0)
    for _ in range(3):
        await open_lobby(host)
    for user_id in range(5):
        assert await host.quotas.take(user_id, timedelta(seconds=30)) is None
    clock.advance(LATER)
    assert (await host.retention.work())["interactions"] == 3


@pytest.mark.postgresql
async def test_one_process_thins_out_at_a_time(new_host: NewHost, clock: SettableClock) -> None:
    one, other = await new_host(), await new_host()
    await open_lobby(one)
    clock.advance(LATER)
    assert await one.processes.take(RETENTION_LEASE)
    assert await other.retention.work() == {}
    await one.processes.give_back(RETENTION_LEASE)
    assert await other.retention.work() == {"interactions": 1}
    clock.advance(LATER)
    assert await one.retention.work() == {}
