"""Retries of writes while the database is unavailable: each request is carried out exactly once.

`stored` is True if a write is committed and only the answer is lost, False if nothing is written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from host import Host
from store import CollisionError, Store, Transaction, UnavailableError, moves
from tests.cluster import Cluster
from tests.host.conftest import NewHost
from tests.host.games.test_pending_moves import decide_pending, mover_id
from tests.host.games.test_standing_orders import other_player_ids, play_to_auction, set_plan
from tests.host.people import ADA, BEN, SettableClock, click_id, open_lobby, play_random_action, start_game
from tests.host.test_in_events import EVENT_ORGANISER, put_in_event
from tests.host.votes.test_undoing import take_turns
from tests.store.empty_database import open_store


def make_writes_fail(
    host: Host, monkeypatch: pytest.MonkeyPatch, *errors: Exception, stored: bool, by: Store | None = None
) -> None:
    """Make the next writes raise these errors, before they store anything or (`stored`) after the commit."""
    writer = by or host.outbox
    writing, remaining = writer.writing, list(errors)

    @asynccontextmanager
    async def failing_writing(*names: str, **about: Any) -> AsyncIterator[Transaction]:
        """Open a transaction and fail before its statements or after its commit."""
        if remaining and not stored:
            raise remaining.pop()
        async with writing(*names, **about) as tx:
            yield tx
        if remaining:
            raise remaining.pop()

    monkeypatch.setattr(writer, "writing", failing_writing)


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("error", [UnavailableError("lost"), CollisionError("40P01")])
async def test_a_move_is_made_once_even_if_its_answer_is_lost(
    host: Host, monkeypatch: pytest.MonkeyPatch, error: Exception, stored: bool
) -> None:
    game = await start_game(host)
    make_writes_fail(host, monkeypatch, error, stored=stored)
    outcome = await play_random_action(host, game.id, Random(1))
    assert (outcome.repeated, outcome.ply) == (stored, 1)
    assert len((await host.games.table(game.id)).log) == 1


@pytest.mark.parametrize("stored", [True, False])
async def test_joins_starts_and_votes_are_carried_out_once(
    host: Host, monkeypatch: pytest.MonkeyPatch, *, stored: bool
) -> None:
    """Find a lost answer by its interaction instead of refusing the retry: a player cannot join twice."""
    lobby = await open_lobby(host, capacity=2)
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored)
    assert len((await host.lobbies.join(lobby.id, BEN, click_id())).members) == 2
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored)
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    await play_random_action(host, game.id, Random(1))
    asker_id = (await host.games.table(game.id)).log[0].user_id
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored)
    request = await host.undo.request(game.id, asker_id, None, click_id())
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored)
    await host.votes.answer(game.id, request.id, request.voters[0], click_id(), agrees=True)
    assert (await host.games.get(game.id)).ply == 0


@pytest.mark.parametrize("stored", [True, False])
async def test_a_plan_is_stored_once(host: Host, monkeypatch: pytest.MonkeyPatch, *, stored: bool) -> None:
    game = await play_to_auction(host)
    *_, last = await other_player_ids(host, game)
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored)
    outcome = await set_plan(host, game, last)
    assert (outcome.before_ply, outcome.ply) == (game.ply, game.ply)
    assert await host.moves.planned(game, last) != ""


@pytest.mark.parametrize("stored", [True, False])
async def test_a_retraction_takes_back_one_move(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch, *, stored: bool
) -> None:
    host = await new_host(publish_window=timedelta(minutes=1))
    game = await start_game(host)
    user_id = await mover_id(host, game)
    await decide_pending(host, game)
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored, by=host._store)
    assert await host.pending_moves.retract(game.id, user_id, 0, click_id()) == game
    assert await host.pending_moves.find(game.id, user_id) is None


@pytest.mark.parametrize("stored", [True, False])
async def test_an_undo_by_an_organiser_is_done_once(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch, *, stored: bool
) -> None:
    game = await start_game(host)
    await take_turns(host, game, clock, 4)
    put_in_event(host, rated=True)
    game = await host.games.get(game.id)
    last = (await host.games.table(game.id)).log[-1].user_id
    make_writes_fail(host, monkeypatch, UnavailableError("lost"), stored=stored)
    undone = await host.undo.order(game.id, EVENT_ORGANISER, game.revision, click_id())
    assert (undone.user_id, (await host.games.get(game.id)).revision) == (last, game.revision + 1)


async def test_the_error_is_raised_after_the_deadline(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_game(host)
    host = await new_host(patience=timedelta(seconds=0.2))
    make_writes_fail(host, monkeypatch, *[UnavailableError("lost")] * 9, stored=False)
    with pytest.raises(UnavailableError):
        await play_random_action(host, game.id, Random(1))
    assert (await host.games.get(game.id)).ply == 0


@pytest.mark.postgresql
async def test_reads_work_after_a_restart_of_the_server(location: str, postgresql: Cluster) -> None:
    """Read and write although every pooled connection is dead; no request fails."""
    store: Store = await open_store(location)
    number = click_id()
    async with store.reading() as first, store.reading() as second:
        assert await moves.interaction_by_id(first, number) is await moves.interaction_by_id(second, number) is None
    postgresql.stop()
    postgresql.start()
    for _ in range(4):
        async with store.reading() as tx:
            assert await moves.interaction_by_id(tx, number) is None
    async with store.writing() as tx:
        assert await moves.interaction_by_id(tx, number) is None
    await store.close()


@pytest.mark.postgresql
async def test_a_stopped_server_raises_unavailable_error(location: str, postgresql: Cluster) -> None:
    store: Store = await open_store(location)
    postgresql.stop()
    try:
        with pytest.raises(UnavailableError):
            async with store.reading():
                pass
    finally:
        postgresql.start()
    async with store.reading() as tx:
        assert await moves.interaction_by_id(tx, 1) is None
    await store.close()
