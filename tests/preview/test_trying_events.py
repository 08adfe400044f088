"""An event can be tried in the preview, up to its games."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
import simcord

from bot import build_bot
from cogs.client import CastellanBot
from operations.settings import Settings
from preview.world import World, offline_discord

PATIENCE = 60.0
"""Seconds for what the bot does by itself, on however busy a machine."""


async def new_bot(folder: Path) -> CastellanBot:
    return await build_bot(Settings(preview_database=str(folder / "games.sqlite3")).for_preview())


async def typed(world: World, member: simcord.MemberActor, command: str, **values: str) -> str:
    """The private answer to a command."""
    result = await member.slash(world.channel, command, **values)
    answer = result.followups[-1] if result.followups else result.response
    assert answer is not None
    return str(answer.components)


async def test_an_event_is_planned_and_its_game_is_played_in_the_channel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows one channel and none of its threads."""
    monkeypatch.setattr("host.events.log.PACED", timedelta(0))
    bot = await new_bot(tmp_path)
    async with offline_discord(bot) as world, asyncio.timeout(PATIENCE):
        ana = world.members[0]
        await typed(world, ana, "tourney create", name="Cup", profile="duel-weekend")
        event = (await bot.host.events.reader.view(1)).code
        await typed(world, ana, "tourney manage do", what="announce", event=event)
        for member in world.members:
            assert "You are in" in await typed(world, member, "tourney join", event=event)
        await typed(world, ana, "tourney manage do", what="start", event=event)
        while not (games := await bot.host.game_lists.of_user(ana.id)):
            await world.env.settle()  # as every press does: what is due is done then
        await typed(world, ana, "carc here", game=games[0].code)
        game = await bot.host.games.get(games[0].code)
        assert game.place == world.channel.id
        while f"c1:play:{game.code}:" not in str(world.channel.history()[-1].components):
            await world.env.settle()
