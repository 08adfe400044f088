"""Deferred answers are private: a public "is thinking" message would remain forever after a crash.

A deferred answer acknowledges an interaction within Discord's three seconds; the text follows later. An ephemeral
answer is shown to its member only, who can dismiss it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from host import Lobbies
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import buttons, localized
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")

EPHEMERAL = 1 << 6
"""The flag of a private answer."""
DEFERRED = 5
"""Discord's number of the response type that defers an answer."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield members in a channel; all deferred answers have to be ephemeral."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        yield table
    assert recorder.problems() == []
    answers = [it.payload for it in recorder.requests if it.path.endswith("/callback")]
    deferred = [answer for answer in answers if answer["type"] == DEFERRED]
    assert deferred
    assert all(answer["data"]["flags"] & EPHEMERAL for answer in deferred)


def public_ops(table: Table) -> list[list[Op]]:
    """Return the operations of the buttons of each public message in the channel."""
    stored = table.env.backend.messages.get(table.channel.id, {}).values()
    return [[button.key.op for button in buttons(it.components)] for it in stored if it.visible_to(None)]


async def test_a_lobby_card_is_posted_once_it_is_stored(table: Table) -> None:
    result = await table.actors[0].slash(table.channel, "carc new", players=2)
    (lobby,) = public_ops(table)
    assert Op.JOIN in lobby
    assert result.followups
    assert (await table.bot.host.lobbies.get(1)).message_id == result.followups[-1].id


@pytest.mark.logs_errors
async def test_a_crash_leaves_no_public_message(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def crash(*_: object) -> None:
        """Fail as a bug would."""
        raise ZeroDivisionError

    monkeypatch.setattr(Lobbies, "open", crash)
    result = await table.actors[0].slash(table.channel, "carc new", players=2)
    assert public_ops(table) == []
    assert result.response is not None
    assert result.response.ephemeral


async def test_a_shared_replay_is_posted_once_it_is_drawn(table: Table) -> None:
    await table.start(2)
    stored = table.stored()
    await table.bot.host.moves.resign(stored.code, stored.seats[0], 4242)
    before = len(public_ops(table))
    await table.actors[0].slash(table.channel, "carc replay", game=stored.code, share=True)
    assert len(public_ops(table)) == before + 1
    assert localized("replay.drawing") not in str(table.env.backend.messages[table.channel.id])
