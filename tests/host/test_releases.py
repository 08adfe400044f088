"""A newer release beside this one: what it wrote is left to it, and nothing of it is taken for broken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select, text

from host import GameStatus, Host
from store import Process, games, outbox, processes, schema
from tests.host.people import SettableClock, start_game

Lives = Callable[[bool], Awaitable[None]]


@pytest.fixture
def newer(host: Host, clock: SettableClock) -> Lives:
    async def lives(does: bool) -> None:
        """A process of the next release comes, or goes."""
        now = clock.now()
        process = Process(id="newer", release="0.1.0", level=processes.level() + 1, started_at=now, seen_at=now)
        async with host._store.writing() as tx:
            await (processes.put(tx, process) if does else processes.end(tx, process.id))

    return lives


@pytest.mark.parametrize(
    ("release", "level", "is_newer"),
    [("0.1.0", 0, False), ("0.1.0", 1, True), ("0.2.0", 0, True), ("0.10.0", 0, True), ("0.0.9", 0, False)],
)
def test_which_release_is_newer(clock: SettableClock, release: str, level: int, is_newer: bool) -> None:
    at = {"started_at": clock.now(), "seen_at": clock.now()}
    mine = Process(id="mine", release="0.1.0", level=5, **at)
    assert processes.is_newer(Process(id="other", release=release, level=5 + level, **at), mine) == is_newer


@pytest.mark.postgresql
async def test_a_log_that_only_a_newer_release_reads_freezes_nothing(host: Host, newer: Lives) -> None:
    game = await start_game(host)
    async with host._store.writing() as tx:
        await tx.execute(text("INSERT INTO actions VALUES (:game, 0, 0, 101, 'newer:1', 0, false)"), {"game": game.id})
        await tx.execute(text("UPDATE games SET ply = 1 WHERE id = :game"), {"game": game.id})
    await newer(True)
    host.games.cache.forget(game.id)
    report = await host.game_checks.check_all()
    assert report.frozen == ()
    assert report.unclear == (game.id,)
    await newer(False)
    assert (await host.game_checks.check_all()).frozen == (game.code,)
    async with host._store.reading() as tx:
        assert (await games.get(tx, game.id)).status is GameStatus.FROZEN


@pytest.mark.postgresql
async def test_posts_of_a_game_that_only_a_newer_release_reads_are_left_to_it(host: Host, newer: Lives) -> None:
    game = await start_game(host)
    async with host._store.writing() as tx:
        await tx.execute(text("UPDATE games SET status = 'newer' WHERE id = :game"), {"game": game.id})
    await newer(True)
    assert await host.outbox.due() == []
    assert await parked(host) == [False]
    async with host._store.reading() as tx:
        assert await outbox.next_due(tx, host.outbox.newer.posts) is None, "nobody looks again and again"
    await newer(False)
    await host.processes.beat()
    assert await host.outbox.due() == []
    assert await parked(host) == [True]


async def parked(host: Host) -> list[bool]:
    async with host._store.reading() as tx:
        return list(await tx.scalars(select(schema.play.outbox.c.parked)))


async def test_the_database_names_the_oldest_release(host: Host, clock: SettableClock) -> None:
    for before, after in ((None, processes.OLDEST_RELEASE), ("0001", processes.OLDEST_RELEASE), ("9999", "9999")):
        async with host._store.writing() as tx:
            await processes.drop_mark(tx, processes.RELEASE_MARK)
            if before is not None:
                await processes.put_mark(tx, processes.RELEASE_MARK, before, clock.now())
        await host.start()
        async with host._store.reading() as tx:
            assert await processes.mark(tx, processes.RELEASE_MARK) == after
