"""Games that an older version stored, replayed by this one.

That version's position digests cannot be computed any more, so the number of actions, the player to move, the scores
and the legal actions are compared.
"""

from __future__ import annotations

import json
import lzma
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

from engine import DIGEST_FORM, state_digest
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource
from host import ErrorCode, Game, GameStatus, Host, Table
from store import games
from store.schema.play import games as stored_games
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, click_id, expect_error, play_plies, play_random_action, start_game

STORED = Path(__file__).parents[1] / "stored"
"""Databases that older versions wrote."""
OLD_FORM = "5" * 64
"""A digest in the form of older versions, which this version can recognise but not compute."""
FURTHER_MOVES = 3
"""Moves that are made in each replayed game."""


@pytest.fixture
async def old(tmp_path: Path, new_host: NewHost) -> Host:
    """A host on a file of running games by the version of 21 November 2026."""
    packed = (STORED / "games-2026-11-22.sqlite3.xz").read_bytes()
    (tmp_path / "games.db").write_bytes(lzma.decompress(packed))
    return await new_host()


async def set_column(host: Host, game: Game, column: str, value: object) -> None:
    """Change a column of a stored game behind the host's back."""
    async with host._store.writing() as tx:
        await tx.execute(update(stored_games).where(stored_games.c.id == game.id).values({column: value}))


async def digest_of(host: Host, game_id: int) -> str:
    """Return the stored digest of a game."""
    async with host._store.reading() as tx:
        return (await games.get(tx, game_id)).digest


def summary(table: Table) -> list[object]:
    """Return the facts about a game that ``games-….json`` holds."""
    position = table.position
    texts = sorted(map(str, position.legal_actions))
    hashed = sha256("\n".join(texts).encode()).hexdigest()[:16]
    return [position.ply, position.player, position.scores, len(texts), hashed]


@pytest.mark.sqlite
async def test_every_game_of_an_older_version_continues(old: Host, new_host: NewHost) -> None:
    """Verify all games, compare their summaries, expect new digests, and play on."""
    expected = json.loads((STORED / "games-2026-11-22.json").read_text())
    report = await old.game_checks.check_all()
    assert (set(report.verified), report.frozen, report.thawed) == (set(expected), (), ())
    for code, stored_summary in expected.items():
        table = await old.games.table(code)
        setup = json.loads(table.game.setup_text)
        assert table.position.setup.rules == setup["rules"] == 1
        assert table.position.options.differences() == setup["options"], "even if presets have changed since"
        compared = 4 if isinstance(table.position.step, ChooseCastleSource) else 5
        assert summary(table)[:compared] == stored_summary[:compared], code
        assert await digest_of(old, table.game.id) == state_digest(table.position)
        rng = Random(code)
        for _ in range(FURTHER_MOVES):
            if (await old.games.get(code)).status is GameStatus.RUNNING:
                await play_random_action(old, code, rng)
    assert (await (await new_host()).game_checks.check_all()).frozen == ()


async def test_loading_a_game_replaces_its_old_digest(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 4)
    await set_column(host, game, "digest", OLD_FORM)
    table = await (await new_host()).games.table(game.id)
    assert await digest_of(host, game.id) == state_digest(table.position)
    assert state_digest(table.position).startswith(DIGEST_FORM)
    assert len(state_digest(table.position)) == 64


@pytest.mark.parametrize(("column", "value"), [("seat_to_act", 1), ("seat_to_act", None), ("ply", 3)])
async def test_a_game_with_an_old_digest_and_another_position_is_frozen(
    host: Host, new_host: NewHost, column: str, value: int | None
) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 4)
    assert (await host.games.table(game.id)).position.player != value
    await set_column(host, game, "digest", OLD_FORM)
    await set_column(host, game, column, value)
    restarted = await new_host()
    assert (await restarted.game_checks.check_all()).frozen == (game.code,)
    assert await digest_of(host, game.id) == OLD_FORM


async def test_a_finished_game_with_an_old_digest_has_no_player_to_act(host: Host, new_host: NewHost) -> None:
    game = await start_game(host, ADA, BEN)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await set_column(host, game, "digest", OLD_FORM)
    restarted = await new_host()
    assert (await restarted.games.table(game.id)).position.is_over
    await set_column(host, game, "digest", OLD_FORM)
    await set_column(host, game, "seat_to_act", 1)
    with expect_error(ErrorCode.FROZEN):
        await (await new_host()).games.table(game.id)
