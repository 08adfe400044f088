"""A database that goes away for a while: whoever moved is told what is true."""

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
from tests.host.games.test_pending_moves import decide, mover
from tests.host.games.test_standing_orders import others, plan, to_an_auction
from tests.host.people import ADA, BEN, SettableClock, click, open_lobby, play, start_game
from tests.host.test_in_events import TINA, belongs
from tests.host.votes.test_undoing import turns
from tests.store.begun import begun


def failing(
    host: Host, monkeypatch: pytest.MonkeyPatch, *errors: Exception, stored: bool, by: Store | None = None
) -> None:
    """Let writing fail so often, before anything is stored or when it is and only the answer gets lost."""
    writer = by or host.outbox
    writing, left = writer.writing, list(errors)

    @asynccontextmanager
    async def fails(*names: str, **about: Any) -> AsyncIterator[Transaction]:
        if left and not stored:
            raise left.pop()
        async with writing(*names, **about) as tx:
            yield tx
        if left:
            raise left.pop()

    monkeypatch.setattr(writer, "writing", fails)


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("error", [UnavailableError("lost"), CollisionError("40P01")])
async def test_a_move_is_made_once_whatever_happened_to_its_answer(
    host: Host, monkeypatch: pytest.MonkeyPatch, error: Exception, stored: bool
) -> None:
    game = await start_game(host)
    failing(host, monkeypatch, error, stored=stored)
    outcome = await play(host, game.id, Random(1))
    assert (outcome.repeated, outcome.ply) == (stored, 1)
    assert len((await host.games.table(game.id)).log) == 1


@pytest.mark.parametrize("stored", [True, False])
async def test_whatever_else_is_done_is_done_once(host: Host, monkeypatch: pytest.MonkeyPatch, *, stored: bool) -> None:
    """An answer that got lost is found by its interaction, not told as a refusal: one cannot join twice."""
    lobby = await open_lobby(host, capacity=2)
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored)
    assert len((await host.lobbies.join(lobby.id, BEN, click())).members) == 2
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored)
    game = await host.lobbies.start(lobby.id, ADA.user_id, click())
    await play(host, game.id, Random(1))
    asks = (await host.games.table(game.id)).log[0].user_id
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored)
    asked = await host.undo.request(game.id, asks, None, click())
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored)
    await host.votes.answer(game.id, asked.id, asked.voters[0], click(), agrees=True)
    assert (await host.games.get(game.id)).ply == 0


@pytest.mark.parametrize("stored", [True, False])
async def test_a_plan_is_kept_once(host: Host, monkeypatch: pytest.MonkeyPatch, *, stored: bool) -> None:
    game = await to_an_auction(host)
    *_, last = await others(host, game)
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored)
    outcome = await plan(host, game, last)
    assert (outcome.before_ply, outcome.ply) == (game.ply, game.ply)
    assert await host.moves.planned(game, last) != ""


@pytest.mark.parametrize("stored", [True, False])
async def test_thinking_again_takes_back_one_move(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch, *, stored: bool
) -> None:
    host = await new_host(publish_window=timedelta(minutes=1))
    game = await start_game(host)
    user_id = await mover(host, game)
    await decide(host, game)
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored, by=host._store)
    assert await host.pending_moves.retract(game.id, user_id, 0, click()) == game
    assert await host.pending_moves.find(game.id, user_id) is None


@pytest.mark.parametrize("stored", [True, False])
async def test_an_organiser_undoes_one_decision(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch, *, stored: bool
) -> None:
    game = await start_game(host)
    await turns(host, game, clock, 4)
    belongs(host, rated=True)
    game = await host.games.get(game.id)
    last = (await host.games.table(game.id)).log[-1].user_id
    failing(host, monkeypatch, UnavailableError("lost"), stored=stored)
    done = await host.undo.order(game.id, TINA, game.revision, click())
    assert (done.user_id, (await host.games.get(game.id)).revision) == (last, game.revision + 1)


async def test_in_the_end_it_is_said(host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await start_game(host)
    host = await new_host(patience=timedelta(seconds=0.2))
    failing(host, monkeypatch, *[UnavailableError("lost")] * 9, stored=False)
    with pytest.raises(UnavailableError):
        await play(host, game.id, Random(1))
    assert (await host.games.get(game.id)).ply == 0


@pytest.mark.postgresql
async def test_after_the_server_was_restarted_the_next_look_works(location: str, postgresql: Cluster) -> None:
    """Every connection of the pool is dead, and nobody is told."""
    store: Store = await begun(location)
    number = click()
    async with store.reading() as one, store.reading() as other:
        assert await moves.interaction_by_id(one, number) is await moves.interaction_by_id(other, number) is None
    postgresql.stop()
    postgresql.start()
    for _ in range(4):
        async with store.reading() as tx:
            assert await moves.interaction_by_id(tx, number) is None
    async with store.writing() as tx:
        assert await moves.interaction_by_id(tx, number) is None
    await store.close()


@pytest.mark.postgresql
async def test_a_server_that_is_gone_is_said_to_be(location: str, postgresql: Cluster) -> None:
    store: Store = await begun(location)
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
