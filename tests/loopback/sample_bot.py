"""A small bot that uses every feature of the loopback server; after each start it posts its cards again.

It replaces the real bot in the tests of the server itself. A card is a message with one button. Its number (`ply`) is
stored in a file, the outbox, from which a restarted bot posts the card again.
"""

import io
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import aiohttp
import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket

discord.http.Route.BASE = os.environ["CASTELLAN_API_BASE"]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["CASTELLAN_GATEWAY"])
OUTBOX = Path(os.environ["CASTELLAN_DATABASE"])
"""The file that stores the cards, so that they outlive a restart."""


async def refuse_elsewhere(_: object, __: SimpleNamespace, request: aiohttp.TraceRequestStartParams) -> None:
    """Fail requests to any address but loopback."""
    if request.url.host != "127.0.0.1":
        raise RuntimeError(f"NOT LOOPBACK: {request.url}")


class PlaceButton(ui.DynamicItem[ui.Button[Any]], template=r"place:(?P<ply>\d+)"):
    """A persistent button, which works after a restart of the bot."""

    def __init__(self, ply: int) -> None:
        super().__init__(ui.Button(label=f"Place {ply}", custom_id=f"place:{ply}"))
        self.ply = ply

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction, __: ui.Item[Any], match: re.Match[str]) -> Self:
        """Read the number of the card from the id of its button."""
        return cls(int(match["ply"]))

    async def callback(self, interaction: discord.Interaction) -> Any:
        """Record the next card, acknowledge the click, post the card, and answer the member."""
        assert interaction.channel_id is not None
        record_card(interaction.channel_id, self.ply + 1)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await post_card(interaction.client, interaction.channel_id, self.ply + 1)
        await interaction.followup.send(f"placed {self.ply}", ephemeral=True)


class Bid(ui.Modal, title="Bid"):
    """A modal with one field."""

    amount: ui.TextInput[Self] = ui.TextInput(label="Points", custom_id="amount")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Answer with the amount."""
        await interaction.response.send_message(f"bid {self.amount.value}", ephemeral=True)


def record_card(channel_id: int, ply: int) -> None:
    """Write a card to the outbox file, durably, so that it is posted even after a kill."""
    with OUTBOX.open("a", encoding="utf-8") as outbox:
        outbox.write(f"{channel_id} {ply}\n")
        outbox.flush()
        os.fsync(outbox.fileno())


def recorded_cards() -> list[tuple[int, int]]:
    """Return the channel and number (`ply`) of every card in the outbox."""
    lines = OUTBOX.read_text(encoding="utf-8").splitlines() if OUTBOX.exists() else []
    return [(int(channel_id), int(ply)) for channel_id, ply in map(str.split, lines)]


async def post_card(client: discord.Client, channel_id: int, ply: int) -> discord.Message:
    """Post the card with this number, a picture and a button."""
    view = ui.LayoutView(timeout=None)
    gallery: ui.MediaGallery[Any] = ui.MediaGallery(
        discord.MediaGalleryItem("attachment://board.png", description="the board")
    )
    view.add_item(ui.Container(ui.TextDisplay(f"ply {ply}"), gallery, ui.ActionRow(PlaceButton(ply))))
    picture = discord.File(io.BytesIO(b"picture %d" % ply), "board.png", description="the board")
    channel: Any = await client.fetch_channel(channel_id)
    message: discord.Message = await channel.send(view=view, file=picture, nonce=f"card:{ply}")
    return message


class SampleBot(discord.Client):
    """A bot with slash commands, a button and a modal."""

    async def setup_hook(self) -> None:
        """Register the commands and the button."""
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(CarcCommands())
        self.add_dynamic_items(PlaceButton)
        await self.tree.sync()

    async def before_identify_hook(self, _: int | None, *, initial: bool = False) -> None:
        """Identify at once, also for the second time (discord.py would wait five seconds)."""

    async def on_ready(self) -> None:
        """Post all recorded cards again; their nonces prevent duplicates."""
        for channel_id, ply in recorded_cards():
            await post_card(self, channel_id, ply)


class CarcCommands(app_commands.Group, name="carc", description="Carcassonne"):
    """The slash commands."""

    @app_commands.command(description="open a table")
    @app_commands.choices(preset=[app_commands.Choice(name="Quick", value="quick")])
    async def new(self, interaction: discord.Interaction, players: int, preset: str = "quick") -> None:
        """Open a thread with the first card in it."""
        await interaction.response.send_message(f"{players} players, {preset}")
        thread = await (await interaction.original_response()).fetch()
        opened = await thread.create_thread(name="table", auto_archive_duration=10080)
        record_card(opened.id, 1)
        await post_card(interaction.client, opened.id, 1)

    @app_commands.command(description="make a bid")
    async def bid(self, interaction: discord.Interaction) -> None:
        """Show the modal."""
        await interaction.response.send_modal(Bid())

    @app_commands.command(description="read a spot")
    async def read(self, interaction: discord.Interaction, spot: str, member: discord.Member) -> None:
        """Answer with the values of both options."""
        await interaction.response.send_message(f"{spot} of {member.name}", ephemeral=True)

    @read.autocomplete("spot")
    async def spots(self, _: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Autocomplete: offer the spots that begin with the text."""
        return [app_commands.Choice(name=s, value=s) for s in ("M12", "M13", "N13") if s.startswith(current)]


if __name__ == "__main__":
    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(refuse_elsewhere)
    bot = SampleBot(intents=discord.Intents(guilds=True), guild_ready_timeout=0.1, http_trace=trace)
    bot.run(os.environ["DISCORD_TOKEN"])
