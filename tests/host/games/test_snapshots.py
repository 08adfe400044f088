"""A snapshot in memory is trusted as far as the game's header row agrees, and no further."""

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
async def known(host: Host) -> Game:
    """A game that a host has in memory."""
    game = await start_game(host)
    await play_random_action(host, game.id, Random(1))
    return (await host.games.table(game.id)).game


async def execute(host: Host, statement: str, **values: object) -> None:
    async with host._store.writing() as tx:
        await tx.execute(text(statement), values)


async def test_one_statement_reads_all_that_a_press_needs(host: Host, known: Game) -> None:
    await host.preferences.set(BEN.user_id, Preferences(confirm=False, choices={"theme": "night"}))
    with record_statements(host._store) as statements:
        look = await host.games.snapshot(known.code, BEN.user_id)
    assert len([text for text, _ in statements if not text.startswith("BEGIN")]) == 1
    assert look.game == known
    assert look.table is not None
    assert look.table.position.ply == known.ply
    assert look.preferences == Preferences(confirm=False, choices={"theme": "night"})


async def test_a_table_that_is_not_in_memory_is_read(known: Game, new_host: NewHost) -> None:
    other = await new_host()
    look = await other.games.snapshot(known.code.lower(), ADA.user_id)
    assert (look.game, look.table, look.preferences) == (known, None, None)
    assert (await other.games.table(known.code)).game == known


async def test_what_another_process_changed_is_seen(host: Host, known: Game, new_host: NewHost) -> None:
    other = await new_host()
    await other.seats.rename(known, Person(BEN.user_id, "Benedikt"))
    await other.places.move_here(known.id, ADA.user_id, Venue(CHANNEL + 1))
    found = await host.games.snapshot(known.id, BEN.user_id)
    assert found.table is not None
    assert (found.game.place, found.game.seats[1].name) == (CHANNEL + 1, "Benedikt")
    await play_random_action(other, known.id, Random(2))
    assert (await host.games.snapshot(known.id, BEN.user_id)).table is None
    assert await host.games.get(known.id) == await other.games.get(known.id)
    assert (await host.games.table(known.id)).position.ply == known.ply + 1


async def test_whoever_lost_his_seat_is_a_stranger_at_once(host: Host, known: Game) -> None:
    taken = "UPDATE seats SET user_id = :user, name = 'Zoe' WHERE game_id = :game AND seat = 1"
    await execute(host, taken, user=STRANGER.user_id, game=known.id)
    assert (await host.games.snapshot(known.id, BEN.user_id)).game.seat_of(BEN.user_id) is None
    assert (await host.games.snapshot(known.id, STRANGER.user_id)).game.seat_of(STRANGER.user_id) == 1


async def test_a_game_that_rests_is_not_moved_from_memory(host: Host, known: Game, new_host: NewHost) -> None:
    table, other = await host.games.table(known.id), await new_host()
    mover = known.seats[table.position.player].user_id
    async with other._store.writing() as tx:
        assert await games.set_status(tx, known.id, GameStatus.RUNNING, GameStatus.FROZEN)
    with expect_error(ErrorCode.FROZEN):
        await host.moves.act(known.id, mover, known.ply, [Pass()], click_id())
    with expect_error(ErrorCode.FROZEN):
        await host.games.table(known.id)


async def test_a_card_carries_the_epoch_that_another_process_began(host: Host, known: Game, new_host: NewHost) -> None:
    table, other = await host.games.table(known.id), await new_host()
    assert await other.games.epochs.begin(known, [CardSeen(0, known.ply + 5)], known.ply)
    mover, action = known.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    outcome = await host.moves.act(known.id, mover, known.ply, [action], click_id())
    assert outcome.game.epoch == (await other.games.get(known.id)).epoch > 0
    nonces = [post.nonce for post in await unsent(host)]
    assert nonces[-1] == f"{known.code}.{outcome.game.epoch}-{outcome.ply}"


async def unsent(host: Host) -> list[Any]:
    """Return the posts that a sender would send, one after another."""
    found = []
    while posts := await host.outbox.due():
        for post in posts:
            await host.outbox.sent(post.id, 1)
        found += posts
    return found


async def test_a_move_from_memory_is_as_good_as_one_that_was_read(host: Host, known: Game, new_host: NewHost) -> None:
    table = await host.games.table(known.id)
    mover, action = known.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    with record_statements(host._store) as statements:
        outcome = await host.moves.act(known.code, mover, known.ply, [action], click_id())
    assert [text for text, _ in statements if text.startswith("SELECT")] == []
    other = await new_host()
    assert (await other.games.table(known.id)).game == outcome.game
    assert (await other.games.table(known.id)).log == (await host.games.table(known.id)).log


async def test_what_memory_refuses_is_looked_up(host: Host, known: Game, new_host: NewHost) -> None:
    """The other process has moved on, so that it is somebody else's turn than this one thinks."""
    other = await new_host()
    while (await other.games.get(known.id)).person_to_act == known.person_to_act:
        await play_random_action(other, known.id, Random(3))
    table = await other.games.table(known.id)
    mover, action = table.game.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    outcome = await host.moves.act(known.id, mover, table.game.ply, [action], click_id())
    assert (outcome.before_ply, outcome.ply) == (table.game.ply, table.game.ply + 1)
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.moves.act(known.id, STRANGER.user_id, outcome.ply, [action], click_id())


async def test_too_little_memory_is_told_once(new_host: NewHost, caplog: pytest.LogCaptureFixture) -> None:
    host = await new_host(table_bytes=1)
    first, second = [await start_game(host, ADA, CLEO) for _ in range(2)]
    for game in (first, second) * 3:
        assert replace((await host.games.table(game.id)).game, updated_at=game.updated_at) == game
    told = [record for record in caplog.records if "too little memory" in record.message]
    assert len(told) == 1
