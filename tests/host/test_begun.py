"""Cards that a process leases in the transaction of the move, so that it can post them without another query.

Such a post is called *begun*; `take_begun` hands it to the sender. A lease is the exclusive right to send a post, and a
post that is due again after a crash is a second attempt.
"""

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
    """A game whose first card is posted, on a host that sends its own cards."""
    host.outbox.sends_here = True
    game = await start_game(host)
    [start] = await host.outbox.due()
    await host.outbox.record_sent(start.id, 1)
    await host.games.table(game.id)
    return game


async def test_a_move_and_its_leased_card_take_four_statements(host: Host, game: Game) -> None:
    table = await host.games.table(game.id)
    action, mover = next(iter(table.position.legal_actions)), game.seats[table.position.player].user_id
    with record_statements(host._store) as statements:
        outcome = await host.moves.act(game.code, mover, 0, [action], click_id())
    assert len([text for text, _ in statements if not text.startswith("BEGIN")]) == 4
    assert outcome.begun is not None
    assert host.outbox.take_begun() == [outcome.begun]
    assert host.outbox.take_begun() == []
    post = outcome.begun
    assert (post.game, post.from_ply, post.ply, post.nonce) == (outcome.game, 0, outcome.ply, f"{game.code}-1")
    assert (post.attempts, post.first_attempt_at) == (0, None)


async def test_no_other_process_sends_a_leased_card(
    host: Host, game: Game, new_host: NewHost, clock: SettableClock
) -> None:
    other_host = await new_host()
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.take_begun()
    assert await other_host.outbox.due() == []
    assert not await other_host.outbox.lease(begun.id)
    await host.outbox.record_sent(begun.id, 2)
    clock.advance(600)
    assert await other_host.outbox.due() == []


async def test_after_a_crash_the_card_is_due_as_a_second_attempt(
    host: Host, game: Game, new_host: NewHost, clock: SettableClock
) -> None:
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.take_begun()
    restarted = await new_host()
    await restarted.start()
    if not restarted.processes.is_alone:  # the lease has to expire: its holder may be alive
        clock.advance(30)
    [due_post] = await restarted.outbox.due()
    assert (due_post.id, due_post.attempts) == (begun.id, 1)
    assert due_post.first_attempt_at is not None


async def test_only_the_oldest_card_of_a_game_is_leased(host: Host, game: Game) -> None:
    await play_plies(host, game.id, 2)
    [begun] = host.outbox.take_begun()
    assert begun.ply == 1
    assert await host.outbox.due() == []
    await host.outbox.record_sent(begun.id, 2)
    [later] = await host.outbox.due()
    assert (later.ply, later.attempts) == (2, 0)


async def test_a_move_retries_the_card_that_was_refused(host: Host, game: Game) -> None:
    await play_random_action(host, game.id, Random(1))
    [begun] = host.outbox.take_begun()
    await host.outbox.record_failure(begun.id, gone=True)
    outcome = await play_random_action(host, game.id, Random(1))
    assert (outcome.silenced, outcome.begun) == (True, None)
    [again] = await host.outbox.due()
    assert again.id == begun.id


async def test_a_card_is_released_when_its_commit_is_interrupted(
    host: Host, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert host.outbox.take_begun() == []
    [due_post] = await host.outbox.due()
    assert (due_post.ply, due_post.attempts) == (1, 1)
    assert due_post.first_attempt_at is not None


async def test_releasing_a_card_that_was_not_stored_leaves_the_next_leased(
    host: Host, game: Game, monkeypatch: pytest.MonkeyPatch, clock: SettableClock
) -> None:
    """Roll the first move back, so that the card of the second has the same id."""
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
    [begun] = host.outbox.take_begun()
    assert begun.ply == 1
    assert await host.outbox.due() == []
