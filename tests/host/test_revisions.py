"""Revisions of a game, which grow even where an undo lowers the ply, so that older buttons and cards are stale.

The ply is the number of actions in the log; the revision adds the number of actions that were undone. Each button
names the revision of its card.
"""

from __future__ import annotations

import lzma
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from engine import Action
from host import ErrorCode, Game, Host
from tests.host.conftest import NewHost
from tests.host.people import click_id, expect_error, play_plies, play_random_action, start_game

STORED = Path(__file__).parents[1] / "stored"
"""Databases that older versions wrote."""


async def count_as_undone(host: Host, game: Game, plies: int) -> None:
    """Put the revision this many plies ahead of the ply, as if they had been undone."""
    async with host._store.writing() as tx:
        await tx.execute(text("update games set taken_back = :plies where id = :id"), {"plies": plies, "id": game.id})


async def legal_move(host: Host, game: Game) -> tuple[int, Action]:
    """Return the id of the player to move and a legal action."""
    table = await host.games.table(game.id)
    return game.seats[table.position.player].user_id, next(iter(table.position.legal_actions))


async def test_every_action_increments_the_revision(host: Host) -> None:
    game = await start_game(host)
    assert game.revision == 0
    await play_plies(host, game.id, 3)
    assert (await host.games.get(game.id)).revision == 3


async def test_a_press_that_names_the_ply_instead_of_the_revision_is_stale(host: Host) -> None:
    game = await start_game(host)
    await count_as_undone(host, game, 4)
    user_id, action = await legal_move(host, game)
    with expect_error(ErrorCode.STALE, revision=0, current=4):
        await host.moves.act(game.id, user_id, 0, [action], click_id())
    outcome = await host.moves.act(game.id, user_id, 4, [action], click_id())
    assert (outcome.ply, outcome.before_revision, outcome.game.revision) == (1, 4, 5)
    assert (await host.games.get(game.id)).revision == 5


async def test_the_card_of_each_revision_has_its_own_nonce(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await play_random_action(host, game.id, Random(1))
    await count_as_undone(host, game, 4)
    other_host = await new_host()
    table = await other_host.games.table(game.id)
    user_id, action = await legal_move(other_host, game)
    await other_host.moves.act(game.id, user_id, table.game.revision, [action], click_id())
    nonces = []
    while posts := await other_host.outbox.due():
        for post in posts:
            nonces.append(post.nonce)
            moment = await other_host.games.moment_of(post)
            assert (moment.after.ply, moment.revision) == (post.ply, post.revision)
            await other_host.outbox.record_sent(post.id, 100 + post.id)
    assert nonces == [f"{game.code}-{revision}" for revision in (0, 1, 6)]


async def test_a_cached_table_belongs_to_one_revision(host: Host, new_host: NewHost) -> None:
    """Rebuild the table for a new revision although the ply is the same."""
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    cached = host.games.cache.find(game.id)
    assert cached is not None
    await count_as_undone(host, game, 2)
    assert (await host.games.table(game.id)).game.revision == 4
    rebuilt = host.games.cache.find(game.id)
    assert rebuilt is not None
    assert rebuilt.played is not cached.played


async def test_a_cached_table_ahead_of_the_database_is_loaded_again(host: Host, new_host: NewHost) -> None:
    """Undo in one process a move that another has cached; the other loads and judges the stored game."""
    game, other_host = await start_game(host), await new_host()
    user_id, action = await legal_move(host, game)
    await other_host.moves.act(game.id, user_id, 0, [action], click_id())
    ahead = other_host.games.cache.find(game.id)
    assert ahead is not None
    assert ahead.played.position.ply == 1
    request = await host.undo.request(game.id, user_id, None, click_id())
    for voter in request.voters:
        await host.votes.answer(game.id, request.id, voter, click_id(), agrees=True)
    seen = await other_host.games.table(game.id)
    assert (seen.game.ply, seen.game.revision, seen.position.ply, seen.log) == (0, 2, 0, ())
    with expect_error(ErrorCode.STALE, revision=1, current=2):
        await other_host.moves.act(game.id, user_id, 1, [action], click_id())
    assert (await other_host.moves.act(game.id, user_id, 2, [action], click_id())).game.revision == 3
    assert (await host.games.table(game.id)).log == (await other_host.games.table(game.id)).log


async def test_a_repeated_interaction_from_before_an_undo_has_no_events(host: Host) -> None:
    game = await start_game(host)
    user_id, action = await legal_move(host, game)
    press_id = click_id()
    first = await host.moves.act(game.id, user_id, 0, [action], press_id)
    assert first.events
    await count_as_undone(host, game, 2)
    again = await host.moves.act(game.id, user_id, 0, [action], press_id)
    assert (again.repeated, again.events) == (True, ())


@pytest.mark.sqlite
async def test_games_of_older_versions_have_their_ply_as_revision(tmp_path: Path, new_host: NewHost) -> None:
    (tmp_path / "games.db").write_bytes(lzma.decompress((STORED / "games-2026-11-22.sqlite3.xz").read_bytes()))
    host = await new_host()
    async with host._store.reading() as tx:
        plies = {row.code: row.ply for row in await tx.execute(text("select code, ply from games"))}
        for table in ("games", "outbox", "processed_interactions"):
            assert set(await tx.scalars(text(f"select distinct taken_back from {table}"))) <= {0}  # noqa: S608
    assert plies
    for code, ply in plies.items():
        assert (await host.games.get(code)).revision == ply
