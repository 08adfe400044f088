"""A click that another process has acknowledged: this process carries out moves silently and nothing else.

Discord delivers a press to both processes while they share a shard; the later one cannot answer any more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NoReturn

import discord
import pytest
from simcord.http.client import FakeWebhookAdapter

from cogs.presenting.ids import Key, Op
from engine import read_setup
from host import LobbyState
from store import UnavailableError
from tests.e2e.raw_interactions import SentInteraction, send_press
from tests.e2e.screen import localized
from tests.e2e.table import Table, open_table
from tests.e2e.test_hostile_clicks import clean_sequence

pytestmark = pytest.mark.usefixtures("random_language")

NO_TABLE = "NONE"
"""A code that no game has."""


async def already_acknowledged(*_: Any, **__: Any) -> NoReturn:
    """Raise the error with which Discord refuses a second acknowledgement."""
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    raise discord.HTTPException(response, {"code": 40060, "message": "already acknowledged"})


@pytest.fixture
async def table(tmp_path: Path, no_drawing: None) -> AsyncIterator[Table]:
    """Yield members in a channel."""
    async with open_table(tmp_path / "games.sqlite3", seed="two") as table:
        yield table


def acknowledge_elsewhere(table: Table, monkeypatch: pytest.MonkeyPatch, *, alone: bool = False) -> None:
    """Let Discord refuse every acknowledgement as late; ``alone`` means that no other process can have sent one."""

    async def is_shared(_: int) -> bool:
        """Return whether another process serves the shard, too."""
        return not alone

    monkeypatch.setattr(table.bot.host.processes, "is_shared", is_shared)
    for answer in ("defer", "send_message", "send_modal"):
        monkeypatch.setattr(discord.InteractionResponse, answer, already_acknowledged)


async def press_card(table: Table, member: int, custom_id: str) -> SentInteraction:
    """Press a button with this custom id on the newest card."""
    sent = send_press(table.env, table.members[member], table.card().handle, custom_id)
    await table.env.settle()
    return sent


async def test_only_moves_are_carried_out_and_silently(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start(2)
    game = table.stored()
    (decision,), _ = clean_sequence(read_setup(game.setup), Random(1), 1)
    mover = game.seats[decision.seat]
    acknowledge_elsewhere(table, monkeypatch)
    for op in (Op.PLAY, Op.BOARD, Op.DAYS, Op.RESIGNING, Op.UNDO):
        assert (await press_card(table, mover, str(Key(op, game.code, 0)))).answers == []
    assert (await press_card(table, mover, f"c1:newer:{game.code}:0:")).answers == []
    assert (await press_card(table, game.seats[1 - decision.seat], decision.custom_id(game.code))).answers == []
    assert table.stored().log == ()
    sent = await press_card(table, mover, decision.custom_id(game.code))
    assert sent.answers == []
    assert table.stored().log == tuple(decision.argument.split())
    assert len(table.cards()) == 2


async def test_a_single_process_continues_with_a_repeated_click(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start(2)
    game = table.stored()
    acknowledge_elsewhere(table, monkeypatch, alone=True)
    assert (await press_card(table, game.seats[0], f"c1:newer:{game.code}:0:")).answers != []


async def test_no_game_is_started_and_no_thread_opened(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = table.actors
    await first.slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    assert lobby is not None
    await second.click(lobby, label=localized("button.join"))
    table.place = table.channel
    acknowledge_elsewhere(table, monkeypatch)
    assert (await press_card(table, first.id, str(Key(Op.START, "1", 0)))).answers == []
    assert list(table.channel.threads) == []
    (lobby_left,) = await table.bot.host.lobbies.open_in(table.bot.guilds[0].id)
    assert lobby_left.state is LobbyState.OPEN


async def test_late_suggestions_are_no_error(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py would log an error, which fails this test."""
    await table.start(2)
    mover = table.members[table.stored().seats[0]]
    assert await mover.autocomplete(table.place, "carc play", "move", "")
    monkeypatch.setattr(FakeWebhookAdapter, "request", already_acknowledged)
    assert not await mover.autocomplete(table.place, "carc play", "move", "")


async def test_suggestions_without_a_database_are_empty(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start(2)
    mover = table.members[table.stored().seats[0]]

    async def unavailable(*_: Any, **__: Any) -> NoReturn:
        """Fail like a database that does not answer."""
        raise UnavailableError("the database is down")

    host = table.bot.host
    for service, asked in (
        (host.game_lists, "of_user"),
        (host.game_lists, "in_channel"),
        (host.games, "get"),
        (host.games, "table"),
    ):
        monkeypatch.setattr(service, asked, unavailable)
    assert not await mover.autocomplete(table.place, "carc play", "move", "")
    assert not await mover.autocomplete(table.place, "carc play", "game", "")
