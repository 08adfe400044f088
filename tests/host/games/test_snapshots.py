"""Cached snapshots of games, which are used only if the game's header row in the database agrees with them.

A snapshot is what a request needs of a game: its record, its replayed table if that is cached, and the user's
preferences. The tests change rows by SQL, as another process would, and look at the next snapshot.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from engine import Pass
from host import CardSeen, ErrorCode, Game, Host, Person, Preferences, Venue
from store import GameStatus, games
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CHANNEL, CLEO, STRANGER, click_id, expect_error, play_random_action, start_game
from tests.host.test_plans import record_statements


@pytest.fixture
async def cached_game(host: Host) -> Game:
    """A game that the host has cached."""
    game = await start_game(host)
    await play_random_action(host, game.id, Random(1))
    return (await host.games.table(game.id)).game


async def execute(host: Host, statement: str, **values: object) -> None:
    """Execute an SQL statement behind the host's back."""
    async with host._store.writing() as tx:
        await tx.execute(text(statement), values)


async def test_a_press_needs_one_statement(host: Host, cached_game: Game) -> None:
    await host.preferences.set(BEN.user_id, Preferences(confirm=False, choices={"theme": "night"}))
    with record_statements(host._store) as statements:
        snapshot = await host.games.snapshot(cached_game.code, BEN.user_id)
    assert len([text for text, _ in statements if not text.startswith("BEGIN")]) == 1
    assert snapshot.game == cached_game
    assert snapshot.table is not None
    assert snapshot.table.position.ply == cached_game.ply
    assert snapshot.preferences == Preferences(confirm=False, choices={"theme": "night"})


async def test_a_snapshot_without_a_cached_table_has_none(cached_game: Game, new_host: NewHost) -> None:
    other_host = await new_host()
    snapshot = await other_host.games.snapshot(cached_game.code.lower(), ADA.user_id)
    assert (snapshot.game, snapshot.table, snapshot.preferences) == (cached_game, None, None)
    assert (await other_host.games.table(cached_game.code)).game == cached_game


async def test_changes_by_another_process_are_seen(host: Host, cached_game: Game, new_host: NewHost) -> None:
    other_host = await new_host()
    await other_host.seats.rename(cached_game, Person(BEN.user_id, "Benedikt"))
    await other_host.places.move_here(cached_game.id, ADA.user_id, Venue(CHANNEL + 1))
    snapshot = await host.games.snapshot(cached_game.id, BEN.user_id)
    assert snapshot.table is not None
    assert (snapshot.game.place, snapshot.game.seats[1].name) == (CHANNEL + 1, "Benedikt")
    await play_random_action(other_host, cached_game.id, Random(2))
    assert (await host.games.snapshot(cached_game.id, BEN.user_id)).table is None
    assert await host.games.get(cached_game.id) == await other_host.games.get(cached_game.id)
    assert (await host.games.table(cached_game.id)).position.ply == cached_game.ply + 1


@pytest.mark.both_databases
async def test_a_replaced_player_is_a_stranger_at_once(host: Host, cached_game: Game) -> None:
    replace_player = "UPDATE seats SET user_id = :user, name = 'Zoe' WHERE game_id = :game AND seat = 1"
    await execute(host, replace_player, user=STRANGER.user_id, game=cached_game.id)
    assert (await host.games.snapshot(cached_game.id, BEN.user_id)).game.seat_of(BEN.user_id) is None
    assert (await host.games.snapshot(cached_game.id, STRANGER.user_id)).game.seat_of(STRANGER.user_id) == 1


async def test_a_frozen_game_is_not_played_from_the_cache(host: Host, cached_game: Game, new_host: NewHost) -> None:
    table, other = await host.games.table(cached_game.id), await new_host()
    mover = cached_game.seats[table.position.player].user_id
    async with other._store.writing() as tx:
        assert await games.set_status(tx, cached_game.id, GameStatus.RUNNING, GameStatus.FROZEN)
    with expect_error(ErrorCode.FROZEN):
        await host.moves.act(cached_game.id, mover, cached_game.ply, [Pass()], click_id())
    with expect_error(ErrorCode.FROZEN):
        await host.games.table(cached_game.id)


async def test_a_card_has_the_epoch_that_another_process_began(
    host: Host, cached_game: Game, new_host: NewHost
) -> None:
    table, other = await host.games.table(cached_game.id), await new_host()
    assert await other.games.epochs.begin(cached_game, [CardSeen(0, cached_game.ply + 5)], cached_game.ply)
    mover, action = cached_game.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    outcome = await host.moves.act(cached_game.id, mover, cached_game.ply, [action], click_id())
    assert outcome.game.epoch == (await other.games.get(cached_game.id)).epoch > 0
    nonces = [post.nonce for post in await send_and_collect(host)]
    assert nonces[-1] == f"{cached_game.code}.{outcome.game.epoch}-{outcome.ply}"


async def send_and_collect(host: Host) -> list[Any]:
    """Send all due posts and return them in order."""
    snapshots = []
    while posts := await host.outbox.due():
        for post in posts:
            await host.outbox.record_sent(post.id, 1)
        snapshots += posts
    return snapshots


async def test_a_move_from_the_cache_reads_nothing_and_is_stored_alike(
    host: Host, cached_game: Game, new_host: NewHost
) -> None:
    table = await host.games.table(cached_game.id)
    mover, action = cached_game.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    with record_statements(host._store) as statements:
        outcome = await host.moves.act(cached_game.code, mover, cached_game.ply, [action], click_id())
    assert [text for text, _ in statements if text.startswith("SELECT")] == []
    other_host = await new_host()
    assert (await other_host.games.table(cached_game.id)).game == outcome.game
    assert (await other_host.games.table(cached_game.id)).log == (await host.games.table(cached_game.id)).log


async def test_a_move_that_the_cache_refuses_is_judged_by_the_database(
    host: Host, cached_game: Game, new_host: NewHost
) -> None:
    """Let another process play on, so that the cached turn is another player's."""
    other_host = await new_host()
    while (await other_host.games.get(cached_game.id)).person_to_act == cached_game.person_to_act:
        await play_random_action(other_host, cached_game.id, Random(3))
    table = await other_host.games.table(cached_game.id)
    mover, action = table.game.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    outcome = await host.moves.act(cached_game.id, mover, table.game.ply, [action], click_id())
    assert (outcome.before_ply, outcome.ply) == (table.game.ply, table.game.ply + 1)
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.moves.act(cached_game.id, STRANGER.user_id, outcome.ply, [action], click_id())


async def test_too_small_a_cache_is_logged_once(new_host: NewHost, caplog: pytest.LogCaptureFixture) -> None:
    host = await new_host(table_bytes=1)
    first, second = [await start_game(host, ADA, CLEO) for _ in range(2)]
    for game in (first, second) * 3:
        assert replace((await host.games.table(game.id)).game, updated_at=game.updated_at) == game
    warnings = [record for record in caplog.records if "too little memory" in record.message]
    assert len(warnings) == 1
