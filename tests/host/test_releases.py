"""A newer release on the same database: rows that only it can read are left alone and not taken for damaged.

Each process stores its release and its *level*, a number that orders builds of the same release. The fixture `newer`
stores or removes such a row, as if a process of the next release ran.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select, text

from host import GameStatus, Host
from store import Process, games, outbox, processes, schema
from tests.host.people import SettableClock, start_game

SetNewerRelease = Callable[[bool], Awaitable[None]]
"""Starts (True) or ends (False) the process of the next release."""


@pytest.fixture
def newer(host: Host, clock: SettableClock) -> SetNewerRelease:
    """Return a function that starts or ends a process of the next release."""

    async def set_running(running: bool) -> None:
        """Store or remove the row of that process."""
        now = clock.now()
        process = Process(id="newer", release="0.1.0", level=processes.level() + 1, started_at=now, seen_at=now)
        async with host._store.writing() as tx:
            await (processes.save_process(tx, process) if running else processes.remove_process(tx, process.id))

    return set_running


@pytest.mark.parametrize(
    ("release", "level", "is_newer"),
    [("0.1.0", 0, False), ("0.1.0", 1, True), ("0.2.0", 0, True), ("0.10.0", 0, True), ("0.0.9", 0, False)],
)
def test_releases_are_ordered_by_version_and_then_by_level(
    clock: SettableClock, release: str, level: int, is_newer: bool
) -> None:
    at = {"started_at": clock.now(), "seen_at": clock.now()}
    this_process = Process(id="mine", release="0.1.0", level=5, **at)
    assert processes.is_newer(Process(id="other", release=release, level=5 + level, **at), this_process) == is_newer


@pytest.mark.postgresql
async def test_a_log_of_a_newer_release_is_unclear_and_not_frozen(host: Host, newer: SetNewerRelease) -> None:
    game = await start_game(host)
    async with host._store.writing() as tx:
        await tx.execute(text("INSERT INTO actions VALUES (:game, 0, 0, 101, 'newer:1', 0, false)"), {"game": game.id})
        await tx.execute(text("UPDATE games SET ply = 1 WHERE id = :game"), {"game": game.id})
    await newer(True)
    host.games.cache.evict(game.id)
    report = await host.game_checks.check_all()
    assert report.frozen == ()
    assert report.unclear == (game.id,)
    await newer(False)
    assert (await host.game_checks.check_all()).frozen == (game.code,)
    async with host._store.reading() as tx:
        assert (await games.get(tx, game.id)).status is GameStatus.FROZEN


@pytest.mark.postgresql
async def test_posts_of_a_game_of_a_newer_release_are_left_to_it(host: Host, newer: SetNewerRelease) -> None:
    game = await start_game(host)
    async with host._store.writing() as tx:
        await tx.execute(text("UPDATE games SET status = 'newer' WHERE id = :game"), {"game": game.id})
    await newer(True)
    assert await host.outbox.due() == []
    assert await parked_flags(host) == [False]
    async with host._store.reading() as tx:
        assert await outbox.next_due(tx, host.outbox.newer_releases.posts) is None, "no sender polls for them"
    await newer(False)
    await host.processes.beat()
    assert await host.outbox.due() == []
    assert await parked_flags(host) == [True]


async def parked_flags(host: Host) -> list[bool]:
    """Return for each post whether it is parked."""
    async with host._store.reading() as tx:
        return list(await tx.scalars(select(schema.play.outbox.c.parked)))


async def test_the_database_names_the_oldest_release(host: Host, clock: SettableClock) -> None:
    for before, after in ((None, processes.OLDEST_RELEASE), ("0001", processes.OLDEST_RELEASE), ("9999", "9999")):
        async with host._store.writing() as tx:
            await processes.drop_mark(tx, processes.RELEASE_MARK)
            if before is not None:
                await processes.save_mark(tx, processes.RELEASE_MARK, before, clock.now())
        await host.start()
        async with host._store.reading() as tx:
            assert await processes.mark_of(tx, processes.RELEASE_MARK) == after
