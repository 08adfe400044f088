"""A database that goes back while the bot runs, as after a failover: games begin a new epoch, and say so once."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import Pass
from host import ErrorCode, Game, Host, PostKind
from store import Store, Transaction, game_headers, whole_database
from tests.host.conftest import NewHost
from tests.host.people import click_id, expect_error, play_random_action, start_game
from tests.host.test_clocks import post_all
from tests.store.empty_database import empty_database_file, open_store

KEPT, LOST = 2, 3
"""Moves before the copy, and after it."""
Goes = Callable[[], Awaitable[None]]


@asynccontextmanager
async def copied(host: Host, folder: Path) -> AsyncIterator[Goes]:
    """A copy of all rows as they are now; what is yielded puts it back under the bot's feet."""
    file = folder / "copy.db"
    file.write_bytes(empty_database_file())
    copy = await open_store(str(file))

    async def fill(source: Store, target: Store) -> None:
        async with source.reading() as old, target.writing() as new:
            await whole_database.clear(new)
            await whole_database.copy_rows(old, new, lambda *_: None)

    await fill(host._store, copy)
    yield lambda: fill(copy, host._store)
    await copy.close()


@pytest.fixture
async def lost(host: Host, tmp_path: Path) -> Game:
    """A game as the host has it in memory, of which the database has lost the newest moves."""
    game = await start_game(host)
    for ply in range(KEPT):
        await play_random_action(host, game.id, Random(ply))
    await post_all(host)
    async with copied(host, tmp_path) as go_back:
        for ply in range(LOST):
            await play_random_action(host, game.id, Random(ply))
        await post_all(host)
        known = (await host.games.table(game.id)).game
        await go_back()
    assert known.revision == KEPT + LOST
    return known


async def said(host: Host) -> list[tuple[PostKind, str]]:
    """Send all due posts and return their kinds and nonces."""
    found = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, 5000 + post.id)
            found.append((post.kind, post.nonce))
    return found


async def looked(host: Host, game: Game) -> None:
    await host.games.snapshot(game.code, game.seats[0].user_id)


async def pressed(host: Host, game: Game) -> None:
    """On a card of what is lost: memory would let it through."""
    with expect_error(ErrorCode.STALE, revision=KEPT + LOST, current=KEPT):
        await host.moves.act(game.id, game.seats[game.seat_to_act or 0].user_id, game.revision, [Pass()], click_id())


async def checked(host: Host, game: Game) -> None:
    await host.game_checks.check(game.id)


@pytest.mark.parametrize("notice", [looked, pressed, checked])
async def test_a_table_in_memory_ahead_of_what_is_stored_begins_an_epoch(
    host: Host, new_host: NewHost, lost: Game, notice: Any, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []
    host.games.epochs.when_noticed = lambda: told.append("noticed")
    await notice(host, lost)
    stored = await host.games.get(lost.id)
    assert (stored.ply, stored.epoch > 0) == (KEPT, True)
    assert [kind for kind, _ in await said(host)] == [PostKind.WENT_BACK, PostKind.CARD]
    for again in (looked, pressed, checked):
        await again(host, lost)
    assert await said(host) == [], "it is said once"
    assert told == ["noticed"]
    assert [line.levelno for line in caplog.records if "went back" in line.getMessage()] == [logging.ERROR]
    made = await play_random_action(host, lost.id, Random(7))
    assert (made.before_ply, made.game.epoch) == (KEPT, stored.epoch)
    assert [nonce for _, nonce in await said(host)] == [f"{lost.code}.{stored.epoch}-{KEPT + 1}"]
    assert (await (await new_host()).game_checks.check_all()).frozen == ()


async def test_of_two_processes_that_know_more_one_says_so(host: Host, new_host: NewHost, tmp_path: Path) -> None:
    game, other = await start_game(host), await new_host()
    async with copied(host, tmp_path) as go_back:
        await play_random_action(host, game.id, Random(1))
        assert (await other.games.table(game.id)).game.revision == 1
        await go_back()
    for process in (host, other, host, other):
        assert (await process.games.table(game.id)).game.revision == 0
    kinds = [kind for kind, _ in await said(other)]
    assert kinds.count(PostKind.WENT_BACK) == 1


async def test_who_began_to_read_before_a_move_is_no_proof(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row that was read is older than the snapshot in memory by then."""
    game, get = await start_game(host), game_headers.get
    await host.games.table(game.id)

    async def overtaken(tx: Transaction, *about: int) -> Any:
        monkeypatch.setattr(game_headers, "get", get)
        found = await get(tx, *about)
        await play_random_action(host, game.id, Random(1))
        return found

    monkeypatch.setattr(game_headers, "get", overtaken)
    await looked(host, game)
    assert (await host.games.get(game.id)).epoch == 0
