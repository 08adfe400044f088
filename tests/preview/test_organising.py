"""In the preview Ana may manage the server, so that events and settings can be tried; Ben may not.

`python -m preview` runs the bot with an offline Discord (simcord), whose members Ana and Ben act through a web page.
The first member, Ana, owns the server.
"""

from __future__ import annotations

from pathlib import Path

from bot import build_bot
from operations.settings import Settings
from preview.world import offline_discord
from tests.e2e.screen import says, words


async def test_the_first_member_creates_events_and_manages_the_server(tmp_path: Path) -> None:
    settings = Settings(preview_database=str(tmp_path / "games.sqlite3")).for_preview()
    bot = await build_bot(settings)
    async with offline_discord(bot) as world:
        ana, ben, *_ = world.members
        created = (await ana.slash(world.channel, "tourney create", name="Village Cup")).response
        assert created is not None
        assert "Village Cup" in words(created.components)
        managed = (await ana.slash(world.channel, "carc manage")).response
        assert managed is not None
        assert not says(words(managed.components), "error.not_manager")
        refused = (await ben.slash(world.channel, "carc manage")).response
        assert refused is not None
        assert says(words(refused.components), "error.not_manager")
