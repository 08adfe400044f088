"""The card of a move that this process begins to send with the move itself."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.host.conftest import NewHost
from tests.host.people import SettableClock, click_id, play_plies, play_random_action, start_game
from tests.host.test_plans import record_statements

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from host import Game, Host
    from store import Transaction


@pytest.fixture
async def game(host: Host) -> Game:
    """A game whose first card is there."""
    host.outbox.sends_here = True
    game = await start_game(host)
    [start] = await host.outbox.due()
    await host.outbox.sent(start.id, 1)
    await host.games.table(game.id)
    return game


async def test_a_move_is_stored_begun_in_four_statements(host: Host, game: Game) -> None:
    table = await host.games.table(game.id)
    action, mover = next(iter(table.position.legal_actions)), game.seats[table.position.player].user_id
    with record_statements(host._store) as statements:
        outcome = await host.moves.act(game.code, mover, 0, [action], click_id())
    assert len([text for text, _ in statements if not text.startswith("BEGIN")]) == 4
    assert outcome.begun is not None
    assert host.outbox.begun() == [outcome.begun]
    assert host.outbox.begun() == []
    post = outcome.begun
    assert (post.game, post.from_ply, post.ply, post.nonce) == (outcome.game, 0, outcome.ply, f"{game.code}-1")
    assert (post.attempts, post.first_attempt_at) == (0, None)


async def test_what_is_begun_belongs_to_nobody_else(
    host: Host, game: Game, new_host: NewHost, clock: SettableClock
) -> None:
    other = await new_host()
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.begun()
    assert await other.outbox.due() == []
    assert not await other.outbox.sending(begun.id)
    await host.outbox.sent(begun.id, 2)
    clock.advance(600)
    assert await other.outbox.due() == []


async def test_a_crash_after_the_move_leaves_an_attempt_to_look_for(
    host: Host, game: Game, new_host: NewHost, clock: SettableClock
) -> None:
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.begun()
    restarted = await new_host()
    await restarted.start()
    if not restarted.processes.is_alone:  # whoever had it may live
        clock.advance(30)
    [left] = await restarted.outbox.due()
    assert (left.id, left.attempts) == (begun.id, 1)
    assert left.first_attempt_at is not None


async def test_only_the_head_of_a_game_is_begun(host: Host, game: Game) -> None:
    await play_plies(host, game.id, 2)
    [begun] = host.outbox.begun()
    assert begun.ply == 1
    assert await host.outbox.due() == []
    await host.outbox.sent(begun.id, 2)
    [later] = await host.outbox.due()
    assert (later.ply, later.attempts) == (2, 0)


async def test_a_move_tries_again_what_was_refused(host: Host, game: Game) -> None:
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.begun()
    await host.outbox.failed(begun.id, gone=True)
    outcome = await play_random_action(host, game.id, Random(1))
    assert (outcome.silenced, outcome.begun) == (True, None)
    [again] = await host.outbox.due()
    assert again.id == begun.id


async def test_an_interrupted_commit_is_given_back(host: Host, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    writing = host.outbox.writing

    @asynccontextmanager
    async def interrupted(**about: Any) -> AsyncIterator[Transaction]:
        async with writing(**about) as tx:
            yield tx
        raise asyncio.CancelledError

    monkeypatch.setattr(host.outbox, "writing", interrupted)
    with pytest.raises(asyncio.CancelledError):
        await play_random_action(host, game.id, Random(1))
    monkeypatch.undo()
    assert host.outbox.begun() == []
    [left] = await host.outbox.due()
    assert (left.ply, left.attempts) == (1, 1)
    assert left.first_attempt_at is not None


async def test_giving_back_takes_nothing_from_who_has_it(
    host: Host, game: Game, monkeypatch: pytest.MonkeyPatch, clock: SettableClock
) -> None:
    """The move was not stored after all; another one has its number."""
    writing = host.outbox.writing

    @asynccontextmanager
    async def broken(**about: Any) -> AsyncIterator[Transaction]:
        async with writing(**about) as tx:
            yield tx
            raise ConnectionError

    monkeypatch.setattr(host.outbox, "writing", broken)
    with pytest.raises(ConnectionError):
        await play_random_action(host, game.id, Random(1))
    monkeypatch.undo()
    clock.advance(1)
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.begun()
    assert begun.ply == 1
    assert await host.outbox.due() == []
