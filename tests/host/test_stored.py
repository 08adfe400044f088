"""Games that an older version stored: its digests cannot be made any more, so what they lead to is compared instead."""

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
OLD_FORM = "5" * 64
"""A digest as older versions wrote them; what it was made of is gone."""
MOVES_ON = 3


@pytest.fixture
async def old(tmp_path: Path, new_host: NewHost) -> Host:
    """A host on a file of running games by the version of 21 November 2026."""
    packed = (STORED / "games-2026-11-22.sqlite3.xz").read_bytes()
    (tmp_path / "games.db").write_bytes(lzma.decompress(packed))
    return await new_host()


async def change(host: Host, game: Game, column: str, value: object) -> None:
    async with host._store.writing() as tx:
        await tx.execute(update(stored_games).where(stored_games.c.id == game.id).values({column: value}))


async def digest_of(host: Host, game_id: int) -> str:
    async with host._store.reading() as tx:
        return (await games.get(tx, game_id)).digest


def offered(table: Table) -> list[object]:
    """Return the content of ``games-….json`` about a game."""
    position = table.position
    texts = sorted(map(str, position.legal_actions))
    hashed = sha256("\n".join(texts).encode()).hexdigest()[:16]
    return [position.ply, position.player, position.scores, len(texts), hashed]


@pytest.mark.sqlite
async def test_every_game_of_an_older_version_goes_on(old: Host, new_host: NewHost) -> None:
    """All are verified and none is frozen; each offers what it did, is stamped anew, and is played on."""
    expected = json.loads((STORED / "games-2026-11-22.json").read_text())
    report = await old.game_checks.check_all()
    assert (set(report.verified), report.frozen, report.thawed) == (set(expected), (), ())
    for code, offer in expected.items():
        table = await old.games.table(code)
        stored = json.loads(table.game.setup_text)
        assert table.position.setup.rules == stored["rules"] == 1
        assert table.position.options.differences() == stored["options"], "whatever the presets are by now"
        compared = 4 if isinstance(table.position.step, ChooseCastleSource) else 5
        assert offered(table)[:compared] == offer[:compared], code
        assert await digest_of(old, table.game.id) == state_digest(table.position)
        chance = Random(code)
        for _ in range(MOVES_ON):
            if (await old.games.get(code)).status is GameStatus.RUNNING:
                await play_random_action(old, code, chance)
    assert (await (await new_host()).game_checks.check_all()).frozen == ()


async def test_a_game_with_an_old_digest_is_stamped_anew_when_it_is_looked_at(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 4)
    await change(host, game, "digest", OLD_FORM)
    table = await (await new_host()).games.table(game.id)
    assert await digest_of(host, game.id) == state_digest(table.position)
    assert state_digest(table.position).startswith(DIGEST_FORM)
    assert len(state_digest(table.position)) == 64


@pytest.mark.parametrize(("column", "value"), [("seat_to_act", 1), ("seat_to_act", None), ("ply", 3)])
async def test_a_game_with_an_old_digest_that_leads_elsewhere_is_frozen(
    host: Host, new_host: NewHost, column: str, value: int | None
) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 4)
    assert (await host.games.table(game.id)).position.player != value
    await change(host, game, "digest", OLD_FORM)
    await change(host, game, column, value)
    restarted = await new_host()
    assert (await restarted.game_checks.check_all()).frozen == (game.code,)
    assert await digest_of(host, game.id) == OLD_FORM


async def test_a_finished_game_keeps_nobody_to_act(host: Host, new_host: NewHost) -> None:
    game = await start_game(host, ADA, BEN)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await change(host, game, "digest", OLD_FORM)
    restarted = await new_host()
    assert (await restarted.games.table(game.id)).position.is_over
    await change(host, game, "digest", OLD_FORM)
    await change(host, game, "seat_to_act", 1)
    with expect_error(ErrorCode.FROZEN):
        await (await new_host()).games.table(game.id)
