from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from store import Store, games
from tests.store.rows import NOW, new_game, stored_game


async def test_every_connection_is_durable_and_keeps_references(store: Store) -> None:
    async with store.reading() as first, store.reading() as second, store.writing() as third:
        for tx in (first, second, third):
            found = [
                (await tx.execute(text(f"PRAGMA {name}"))).scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
            assert found == ["wal", 2, 1, 5000]


async def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    async def write_and_fail() -> None:
        async with store.writing() as tx:
            await games.add(tx, new_game(), NOW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await write_and_fail()
    async with store.reading() as tx:
        assert await games.by_code(tx, "BCDF") is None


async def test_a_cancelled_transaction_leaves_nothing_and_frees_the_lock(store: Store) -> None:
    inside = asyncio.Event()

    async def write_forever() -> None:
        async with store.writing() as tx:
            await games.add(tx, new_game(), NOW)
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_forever())
    await inside.wait()
    task.cancel()
    await asyncio.wait([task])
    game_id = await asyncio.wait_for(stored_game(store), 2)
    async with store.reading() as tx:
        assert await games.unfinished(tx) == [game_id]


async def test_writers_take_turns(store: Store) -> None:
    """Each reads a number and writes one more; without the lock some would be lost."""
    async with store.writing() as tx:
        await tx.execute(text("CREATE TABLE counter (n INTEGER)"))
        await tx.execute(text("INSERT INTO counter VALUES (0)"))

    async def increase(writer: Store) -> None:
        async with writer.writing() as tx:
            seen = (await tx.execute(text("SELECT n FROM counter"))).scalar_one()
            await asyncio.sleep(0.001)
            await tx.execute(text("UPDATE counter SET n = :n"), {"n": seen + 1})

    other = await Store.open(store._engine.url.render_as_string())
    try:
        await asyncio.gather(*(increase(writer) for writer in (store, other) * 8))
    finally:
        await other.close()
    async with store.reading() as tx:
        assert (await tx.execute(text("SELECT n FROM counter"))).scalar_one() == 16


async def test_a_reader_sees_one_moment(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.unfinished(tx) == []
        game_id = await asyncio.wait_for(stored_game(store), 2)
        assert await games.unfinished(tx) == []
    async with store.reading() as tx:
        assert await games.unfinished(tx) == [game_id]


async def test_what_was_stored_is_there_after_reopening(store: Store, tmp_path: Path) -> None:
    game_id = await stored_game(store)
    again = await Store.open(tmp_path / "games.db")
    async with again.reading() as tx:
        assert (await games.get(tx, game_id)).code == "BCDF"
    await again.close()


async def test_a_path_with_a_percent_sign(tmp_path: Path) -> None:
    odd = await Store.open(tmp_path / "50% off.db")
    await stored_game(odd)
    await odd.close()
    assert (tmp_path / "50% off.db").exists()


async def test_references_are_enforced(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await tx.execute(text("INSERT INTO seats VALUES (99, 0, 1, 'nobody')"))
