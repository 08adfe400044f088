"""The name of a game is the same everywhere: name, code and players.

Two games have the same two players, so only name and code tell them apart.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import Kind, buttons_by_kind, localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield two games of the same two members."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def test_threads_of_the_same_players_have_different_names(table: Table) -> None:
    names = [thread.name for thread in table.channel.threads]
    assert len(set(names)) == 2
    stored = table.stored()
    game = await table.bot.host.games.get(stored.code)
    assert names[-1] == f"{game.name} · {game.code} · Ana, Ben"


async def test_panels_lists_and_suggestions_use_the_same_name(table: Table) -> None:
    stored = table.stored()
    game = await table.bot.host.games.get(stored.code)
    member = stored.seats[stored.replayed().player]
    other = stored.names[1 - stored.seats.index(member)]
    title = localized("game.title_against", name=game.name, code=game.code, players=other)
    panel = await table.press(member, table.card(), buttons_by_kind(table.card().components)[Kind.PLAY][0].custom_id)
    assert f"-# {title}" in words(panel.components)
    for kind in (Kind.SPOT, Kind.FOLLOWER):
        panel = await table.press(member, panel, buttons_by_kind(panel.components)[kind][0].custom_id)
        assert f"-# {title}" in words(panel.components)
    assert Kind.CONFIRM in buttons_by_kind(panel.components)
    listed = (await table.members[member].slash(table.channel, "carc games")).response
    assert listed is not None
    assert f"**{title}**" in words(listed.components)
    choices = await table.members[member].autocomplete(table.channel, "carc board", "game", game.code)
    assert [choice["name"] for choice in choices] == [
        localized("game.waiting", name=game.name, code=game.code, players=other)
    ]
    assert f"{game.name} · {game.code}" in words(table.card().components) or stored.ply == 0
