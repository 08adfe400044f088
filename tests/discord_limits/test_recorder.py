"""The recorder records every request that a bot sends to simcord, without changing it."""

from __future__ import annotations

from io import BytesIO

import discord
import pytest
import simcord
from discord import app_commands
from discord.ext import commands

from tests.discord_limits.limits import Upload
from tests.discord_limits.recorder import Recorder


class Parrot(commands.Bot):
    """A bot with one command, which answers privately with a file and posts to the channel."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))

    async def setup_hook(self) -> None:
        @self.tree.command(description="Say it again")
        async def say(interaction: discord.Interaction, words: str) -> None:
            await interaction.response.defer(ephemeral=True)
            await interaction.followup.send("Done", file=discord.File(BytesIO(b"picture"), "board.png"))
            channel = interaction.channel
            assert isinstance(channel, discord.TextChannel)
            await channel.send(words, nonce="K7QF-12")

        @say.autocomplete("words")
        async def words(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name=f"{current}{n}", value=str(n)) for n in range(int(current or 1))]

        await self.tree.sync()


def create_channel_and_member(env: simcord.Env) -> tuple[simcord.ChannelHandle, simcord.MemberActor]:
    """Create a server with a text channel and a member."""
    guild = env.create_guild()
    return guild.create_text_channel("table"), guild.add_member(env.create_user("ana"))


async def test_every_request_is_recorded_with_payload_and_files(recorder: Recorder) -> None:
    async with simcord.run(Parrot()) as env:
        channel, ana = create_channel_and_member(env)
        result = await ana.slash(channel, "say", words="Hello")
        assert result.response is not None
        assert (
            env.backend.cdn.get(result.response.attachments[0].url) == b"picture"
        )  # the recorder has measured the file without consuming it
    (registered,) = recorder.requests_to("PUT", "/commands")
    assert [command["name"] for command in registered.payload] == ["say"]
    (deferred,) = recorder.requests_to("POST", "/callback")
    assert deferred.payload == {"type": 5, "data": {"flags": 64}}
    (posted,) = recorder.requests_to("POST", f"/channels/{channel.id}/messages")
    assert (posted.payload["content"], posted.payload["nonce"]) == ("Hello", "K7QF-12")
    (followup,) = (request for request in recorder.requests if request.files)
    assert followup.path.startswith("/webhooks/")
    assert followup.files == (Upload("board.png", len(b"picture")),)
    assert recorder.problems() == []


async def test_a_violation_that_simcord_accepts_is_a_problem(recorder: Recorder) -> None:
    async with simcord.run(Parrot()) as env:
        channel, ana = create_channel_and_member(env)
        assert len(await ana.autocomplete(channel, "say", "words", "26")) == 26
    assert any("choices: 26 items, at most 25" in problem for problem in recorder.problems())


@pytest.mark.logs_errors
async def test_failing_requests_and_requests_after_a_restart_are_recorded(recorder: Recorder) -> None:
    async with simcord.run(Parrot()) as env:
        channel, ana = create_channel_and_member(env)
        env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
        await ana.slash(channel, "say", words="one")
        assert [type(error) for error in env.errors] == [app_commands.CommandInvokeError]
        await env.restart_bot(Parrot())
        await ana.slash(channel, "say", words="two")
    posted = recorder.requests_to("POST", f"/channels/{channel.id}/messages")
    assert [request.payload["content"] for request in posted] == ["one", "two"]


async def test_requests_after_the_with_block_are_not_recorded() -> None:
    with Recorder().recording() as recorder:
        pass
    async with simcord.run(Parrot()):
        assert recorder.requests == []
