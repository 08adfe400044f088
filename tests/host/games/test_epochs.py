"""Databases that lose their newest moves while the bot runs, as after a failover.

A game's epoch is a number that grows each time the game loses moves. In a new epoch older buttons are stale, and the
loss is announced once.
"""

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

KEPT_MOVES, LOST_MOVES = 2, 3
"""Moves before the copy that is restored, and after it."""
Restore = Callable[[], Awaitable[None]]
"""Puts the database back to an earlier state."""


@asynccontextmanager
async def database_copy(host: Host, folder: Path) -> AsyncIterator[Restore]:
    """Copy all rows as they are now; yield a function that restores them while the host runs."""
    file = folder / "copy.db"
    file.write_bytes(empty_database_file())
    copy = await open_store(str(file))

    async def copy_rows(source: Store, target: Store) -> None:
        """Replace all rows of one store by those of another."""
        async with source.reading() as old, target.writing() as new:
            await whole_database.delete_all_rows(new)
            await whole_database.copy_rows(old, new, lambda *_: None)

    await copy_rows(host._store, copy)
    yield lambda: copy_rows(copy, host._store)
    await copy.close()


@pytest.fixture
async def lost(host: Host, tmp_path: Path) -> Game:
    """A game as the host has cached it; the database has lost its newest moves."""
    game = await start_game(host)
    for ply in range(KEPT_MOVES):
        await play_random_action(host, game.id, Random(ply))
    await post_all(host)
    async with database_copy(host, tmp_path) as go_back:
        for ply in range(LOST_MOVES):
            await play_random_action(host, game.id, Random(ply))
        await post_all(host)
        cached = (await host.games.table(game.id)).game
        await go_back()
    assert cached.revision == KEPT_MOVES + LOST_MOVES
    return cached


async def send_due_posts(host: Host) -> list[tuple[PostKind, str]]:
    """Send all due posts and return their kinds and nonces."""
    sent = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 5000 + post.id)
            sent.append((post.kind, post.nonce))
    return sent


async def read_snapshot(host: Host, game: Game) -> None:
    """Read the game as a press of a player would."""
    await host.games.snapshot(game.code, game.seats[0].user_id)


async def press_lost_card(host: Host, game: Game) -> None:
    """Press a button of a lost card; the cached position alone would accept it."""
    with expect_error(ErrorCode.STALE, revision=KEPT_MOVES + LOST_MOVES, current=KEPT_MOVES):
        await host.moves.act(game.id, game.seats[game.seat_to_act or 0].user_id, game.revision, [Pass()], click_id())


async def check_game(host: Host, game: Game) -> None:
    """Check the game as the check of all games does."""
    await host.game_checks.check(game.id)


@pytest.mark.parametrize("detect", [read_snapshot, press_lost_card, check_game])
async def test_a_cached_table_ahead_of_the_database_begins_an_epoch(
    host: Host, new_host: NewHost, lost: Game, detect: Any, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []
    host.games.epochs.on_restored = lambda: calls.append("noticed")
    await detect(host, lost)
    stored = await host.games.get(lost.id)
    assert (stored.ply, stored.epoch > 0) == (KEPT_MOVES, True)
    assert [kind for kind, _ in await send_due_posts(host)] == [PostKind.WENT_BACK, PostKind.CARD]
    for again in (read_snapshot, press_lost_card, check_game):
        await again(host, lost)
    assert await send_due_posts(host) == [], "it is announced once"
    assert calls == ["noticed"]
    assert [line.levelno for line in caplog.records if "went back" in line.getMessage()] == [logging.ERROR]
    made = await play_random_action(host, lost.id, Random(7))
    assert (made.before_ply, made.game.epoch) == (KEPT_MOVES, stored.epoch)
    assert [nonce for _, nonce in await send_due_posts(host)] == [f"{lost.code}.{stored.epoch}-{KEPT_MOVES + 1}"]
    assert (await (await new_host()).game_checks.check_all()).frozen == ()


async def test_one_of_two_processes_announces_the_new_epoch(host: Host, new_host: NewHost, tmp_path: Path) -> None:
    game, other_host = await start_game(host), await new_host()
    async with database_copy(host, tmp_path) as go_back:
        await play_random_action(host, game.id, Random(1))
        assert (await other_host.games.table(game.id)).game.revision == 1
        await go_back()
    for process in (host, other_host, host, other_host):
        assert (await process.games.table(game.id)).game.revision == 0
    kinds = [kind for kind, _ in await send_due_posts(other_host)]
    assert kinds.count(PostKind.WENT_BACK) == 1


async def test_a_read_overtaken_by_a_move_begins_no_epoch(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache a newer position while an older row is being read; that is no loss of moves."""
    game, get = await start_game(host), game_headers.get
    await host.games.table(game.id)

    async def overtaken_get(tx: Transaction, *about: int) -> Any:
        """Read the header, then let a move be made before it is used."""
        monkeypatch.setattr(game_headers, "get", get)
        record = await get(tx, *about)
        await play_random_action(host, game.id, Random(1))
        return record

    monkeypatch.setattr(game_headers, "get", overtaken_get)
    await read_snapshot(host, game)
    assert (await host.games.get(game.id)).epoch == 0
