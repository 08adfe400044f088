"""An event can be played in the preview, from its announcement to its games.

An event is a tournament; commands create, announce and start it, as an organiser would.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
import simcord

from bot import build_bot
from cogs.client import CastellanBot
from operations.settings import Settings
from preview.example_event import open_example_event
from preview.world import World, offline_discord

TEST_TIMEOUT = 60.0
"""Seconds within which the whole test has to end; generous, for busy machines."""


async def build_preview_bot(folder: Path) -> CastellanBot:
    """Build a bot with the settings of the preview."""
    return await build_bot(Settings(preview_database=str(folder / "games.sqlite3")).for_preview())


async def send_command(world: World, member: simcord.MemberActor, command: str, **values: str) -> str:
    """Send a command and return its private answer."""
    result = await member.slash(world.channel, command, **values)
    answer = result.followups[-1] if result.followups else result.response
    assert answer is not None
    return str(answer.components)


async def test_a_game_of_an_event_is_played_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.events.log.GAME_CREATION_SPACING", timedelta(0))
    bot = await build_preview_bot(tmp_path)
    async with offline_discord(bot) as world, asyncio.timeout(TEST_TIMEOUT):
        ana = world.members[0]
        await send_command(world, ana, "tourney create", name="Cup", profile="duel-weekend")
        event = (await bot.host.events.reader.view(1)).code
        await send_command(world, ana, "tourney manage do", what="announce", event=event)
        for member in world.members:
            assert "You have entered" in await send_command(world, member, "tourney join", event=event)
        await send_command(world, ana, "tourney manage do", what="start", event=event)
        while not (games := await bot.host.game_lists.of_user(ana.id)):
            await world.env.settle()  # after each press the bot does the work that is due
        game = await bot.host.games.get(games[0].code)
        thread = next(thread for thread in world.channel.threads if thread.id == game.place)
        while not any(f"c1:play:{game.code}:" in str(message.components) for message in thread.history()):
            await world.env.settle()


async def test_the_example_event_has_six_players_and_games_in_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.events.log.GAME_CREATION_SPACING", timedelta(0))
    monkeypatch.setattr("preview.example_event.GAME_WAIT_SECONDS", 0)
    bot = await build_preview_bot(tmp_path)
    async with offline_discord(bot) as world, asyncio.timeout(TEST_TIMEOUT):
        await open_example_event(bot, world)
        (event,) = await bot.host.events.reader.unfinished(world.guild.id)
        assert event.entries == len(world.members)
        tables = (await bot.host.events.reader.round(event.code)).tables
        seated = [person.user_id for table in tables for person in table.people if person]
        assert sorted(seated) == sorted(member.id for member in world.members)
        assert {thread.id for thread in world.channel.threads} == {table.place for table in tables}
        assert not any(message.flags.ephemeral for message in world.channel.history()), "private answers are dismissed"
        await open_example_event(bot, world)
        assert len(await bot.host.events.reader.unfinished(world.guild.id)) == 1, "it goes on at the next start"
