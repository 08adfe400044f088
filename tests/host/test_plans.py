"""Query plans on SQLite: no statement of the host scans a table that grows with the number of finished games.

Each group of requests below runs on databases of different sizes while its statements are recorded; then SQLite
explains them, and counts the steps of its virtual machine.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event

from host import Asker, CardSeen, Host, Person, Preferences, Venue
from store import Store, Timer, TimerKind, games, retention, timers
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    CLEO,
    STRANGER,
    THREAD,
    SettableClock,
    click_id,
    open_lobby,
    play_random_action,
    start_game,
)
from tests.host.test_clocks import open_game
from tests.store.empty_database import open_store
from tests.store.many_games import add_games

GROWING_TABLES = (
    "games",
    "seats",
    "clocks",
    "actions",
    "outbox",
    "processed_interactions",
    "lobbies",
    "lobby_members",
    "playing",
    "shares",
)
"""Tables of which a full scan takes longer with every game."""
_SCAN = re.compile(rf"^SCAN (?:{'|'.join(GROWING_TABLES)}|older)\b")
"""SQLite's line for the scan of a whole growing table."""

Statement = tuple[str, Sequence[Any]]
"""A statement and its parameters."""


@contextmanager
def record_statements(store: Store) -> Iterator[list[Statement]]:
    """Collect the SQL statements that are executed within the block, with their parameters."""
    statements: list[Statement] = []

    def record(_c: object, _cursor: object, statement: str, parameters: Any, _x: object, many: bool) -> None:
        statements.append((statement, parameters[0] if many else parameters))

    engine = store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", record)
    yield statements
    event.remove(engine, "before_cursor_execute", record)


def find_scans(database: Path, statements: Sequence[Statement]) -> list[str]:
    """Return the steps of query plans that scan a growing table or a whole index of it, with their statements."""
    scans = []
    with closing(sqlite3.connect(database)) as file:
        for statement, parameters in dict.fromkeys((text, tuple(values)) for text, values in statements):
            if not statement.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
                continue
            plan = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            scans += [f"{step}: {statement}" for step in plan if _SCAN.match(step)]
    return scans


async def click_through_a_game(host: Host) -> None:
    """Make the requests of a player's clicks, up to the end of the game."""
    game = await start_game(host)
    await host.preferences.set(ADA.user_id, Preferences(confirm=False))
    for _ in range(3):
        await play_random_action(host, game.code, Random(1))
    await host.games.epochs.of(game.code)
    await host.game_lists.next_waiting_for(ADA.user_id, exclude=game.id)
    await host.preferences.get(ADA.user_id)
    await host.games.moment(game.id, 0, 1)
    await host.places.set_thread(game.id, THREAD)
    await host.places.move_here(game.id, ADA.user_id, Venue(CHANNEL))
    await host.seats.rename(game, Person(ADA.user_id, "Augusta"))
    for place in (1000, 100_001, CHANNEL):
        await host.game_lists.candidates(ADA.user_id, 1, place, own=False, thread=False)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    manager = Asker(STRANGER.user_id, game.guild_id, manages=True)
    await host.substitutions.remove(game.id, manager, BEN.user_id, click_id())  # and the game is over


async def send_posts(host: Host) -> None:
    """Make the requests of the sender: due posts, retries, refusals, cards ahead of the database."""
    game = await start_game(host)
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 1)
            await host.outbox.sent_before(post)
    await play_random_action(host, game.code, Random(1))
    [post] = await host.outbox.due()
    await host.outbox.record_failure(post.id, retry_after=0)
    await host.outbox.record_failure(post.id, refused=True, gone=True)
    await host.outbox.try_again()
    await host.outbox.try_again(place_id=CHANNEL)
    await host.outbox.try_again(guild_id=1)
    await host.outbox.record_sent(post.id, 1)
    await host.outbox.sent_again(post.id, 2)
    await host.outbox.last_sent(game.id)
    assert await host.games.epochs.has_unknown_card(game, [CardSeen(0, 1)], None) is False
    await host.games.epochs.begin(game, [CardSeen(0, 5)], 1)
    await host.outbox.wait()


async def complete_game_names(host: Host) -> None:
    """Make the requests of autocompletion."""
    for user in (5000, 5001, STRANGER.user_id):
        await host.game_lists.of_user(user, limit=25)
        await host.game_lists.of_user(user, guild_id=1)
    for place in (1000, 1001, 100_001, 109_999, CHANNEL):
        await host.game_lists.in_channel(place)


async def run_a_lobby(host: Host) -> None:
    """Make the requests of a lobby that is opened, changed, closed and expired."""
    game = await start_game(host)
    await host.games.get(game.id)
    manager = Asker(STRANGER.user_id, game.guild_id, manages=True)
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    await host.lobbies.remove(lobby.id, manager, BEN.user_id, click_id())
    await host.lobbies.close(lobby.id, manager, click_id())
    for notice in await host.lobbies.closing_soon():
        await host.lobbies.record_notice(notice)
    await host.lobbies.expire()
    await host.lobbies.open_in(1)
    await host.game_lists.of_guild(1, 25)
    await host.servers.counts(1)


async def run_a_clock(host: Host) -> None:
    """Make the requests of clocks, heartbeats and due timers."""
    game = await open_game(host, ADA, BEN, CLEO)
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 1)
    await host.times.of(game)
    await host.gateway_monitor.beat()
    host._clock.advance(100)  # type: ignore[attr-defined]
    await host.gateway_monitor.beat()
    await play_random_action(host, game.code, Random(1))
    async with host._store.writing() as tx:
        await timers.save(tx, Timer(game.id, TimerKind.CLOCK, host._clock.now()))
    assert await host.timer_dispatcher.work()


async def purge_old_rows(host: Host) -> None:
    """Make the requests of the retention job."""
    await open_lobby(host)
    now = host._clock.now() + timedelta(days=1)
    async with host._store.writing() as tx:
        for drop in (retention.drop_interactions, retention.drop_quotas, retention.drop_closed_lobbies):
            await drop(tx, now, 20)
        ids = await retention.finished_games(tx, 3, 20)
        await retention.with_old_rows(tx, ids or [1], now, now)
        await retention.drop_posts(tx, ids, now)
        await retention.drop_lobbies(tx, ids or [1], now)


async def start_host(host: Host) -> None:
    """Make the requests of a start."""
    await host.start()
    async with host._store.reading() as tx:
        await games.unfinished_ids(tx)


def count_vm_steps(database: Path, statements: Sequence[Statement]) -> dict[str, int]:
    """Return the largest number of steps SQLite's virtual machine takes for each statement other than inserts."""
    counted: dict[str, int] = {}
    ticks = 0

    def tick() -> int:
        nonlocal ticks
        ticks += 1
        return 0

    with closing(sqlite3.connect(database, isolation_level=None)) as file:
        file.execute("BEGIN IMMEDIATE")
        file.set_progress_handler(tick, 1)
        for statement, parameters in statements:
            if statement.startswith(("SELECT", "UPDATE", "DELETE")):
                ticks = 0
                file.execute(statement, tuple(parameters)).fetchall()
                counted[statement] = max(counted.get(statement, 0), ticks)
        file.set_progress_handler(None, 0)
        file.execute("ROLLBACK")
    return counted


@pytest.mark.parametrize("analyze", [False, True])
async def test_no_statement_takes_more_steps_with_more_finished_games(
    tmp_path: Path, clock: SettableClock, *, analyze: bool
) -> None:
    """Compare steps, not plans alone: an index helps little if most rows it finds are of finished games."""
    step_counts = []
    for finished in (200, 4000):
        database = tmp_path / f"{finished}.db"
        store = await open_store(database)
        add_games(database, running=30, finished=finished, plies=4, players=5, channels=2, analyze=analyze)
        host = Host(store, clock=clock)
        with record_statements(store) as statements:
            for make_requests in (click_through_a_game, send_posts, complete_game_names, run_a_clock, start_host):
                await make_requests(host)
        step_counts.append(count_vm_steps(database, statements))
        await store.close()
    steps_among_few, steps_among_many = step_counts
    assert len(steps_among_many) > 40
    assert [
        (text, steps_among_few[text], steps_among_many[text])
        for text in steps_among_many
        if steps_among_many[text] > 2 * steps_among_few.get(text, 0) + 100
    ] == []


@pytest.mark.parametrize(
    "make_requests",
    [click_through_a_game, send_posts, complete_game_names, run_a_clock, run_a_lobby, purge_old_rows, start_host],
)
@pytest.mark.parametrize("filled", ["nothing", "filled", "analyzed", "nearly all over"])
async def test_no_statement_scans_a_growing_table(
    tmp_path: Path, clock: SettableClock, filled: str, make_requests: Callable[[Host], Awaitable[None]]
) -> None:
    database = tmp_path / "games.db"
    store = await open_store(database)
    if filled == "nearly all over":
        add_games(database, running=3, finished=3000, plies=4, analyze=True)
    elif filled != "nothing":
        add_games(database, running=100, finished=1000, plies=4, analyze=filled == "analyzed")
    host = Host(store, clock=clock)
    with record_statements(store) as statements:
        await make_requests(host)
    assert statements
    assert find_scans(database, statements) == []
    await store.close()


async def test_scans_of_whole_tables_are_found(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db")
    with record_statements(store) as statements:
        async with store.writing() as tx:
            await tx.exec_driver_sql("SELECT * FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 20")
            await tx.exec_driver_sql("SELECT count(*) FROM games WHERE status <> ?", ("finished",))
            await tx.exec_driver_sql("UPDATE outbox SET leased_until = NULL WHERE attempts = ?", (1,))
    assert len(find_scans(tmp_path / "games.db", statements)) == 3
    await store.close()
