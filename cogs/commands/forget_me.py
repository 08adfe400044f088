"""Everything about oneself, to see and to take out: ``/forget-me``, by direct message too."""

from __future__ import annotations

import io
import json
from datetime import datetime
from typing import TYPE_CHECKING

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.interactions.replies import acknowledge, button, guarded
from cogs.messages import layout, notice, rows
from cogs.panels.own_settings import NO_TABLE
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.services.rate_limits import Costly
from cogs.texts import t

if TYPE_CHECKING:
    from cogs.services.bot import BotServices, Interaction

FILE = "castellan-data.json"
"""The name of the file with everything."""


class ForgetMe(commands.Cog):
    """``/forget-me``, a command of its own, so that it needs no server."""

    def __init__(self, bot: BotServices) -> None:
        self.bot = bot

    @app_commands.command(name="forget-me", description=t("command.forget_me.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def forget_me(self, interaction: Interaction) -> None:
        """Say what would be taken out, and offer to do it."""
        await guarded(interaction, _ask(interaction))


async def _ask(interaction: Interaction) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        count = await interaction.client.host.forgetting.open_games(interaction.user.id)
        await interaction.edit_original_response(view=forget_panel(count))


def forget_panel(open_games: int) -> ui.LayoutView:
    """What would be taken out, with buttons that show everything and that do it."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("forget.ask", count=open_games))
    buttons = [
        button(Op.DATA, NO_TABLE, 0, t("button.all_data")),
        button(Op.FORGET, NO_TABLE, 0, t("button.forget_me"), style=ButtonStyle.danger),
    ]
    return layout(text, rows(buttons))


async def press_data(interaction: Interaction, _: Key) -> None:
    """Hand out everything that is known of who presses, as a file."""
    client, user_id = interaction.client, interaction.user.id
    client.pace.require(user_id, Costly.RECORD)
    known = await client.host.forgetting.everything(user_id)
    text = await client.render_pool.look(
        user_id, lambda: json.dumps(known, indent=1, default=_plain, ensure_ascii=False)
    )
    client.pace.rest(user_id, Costly.RECORD)
    file = discord.File(io.BytesIO(text.encode()), FILE)
    view = layout(ui.TextDisplay(t("forget.everything")), ui.File(f"attachment://{FILE}"))
    await interaction.followup.send(view=view, file=file, ephemeral=True)


async def press_forget(interaction: Interaction, _: Key) -> None:
    """Take who presses out of everything."""
    resigned = await interaction.client.host.forgetting.forget(interaction.user.id)
    interaction.client.publisher.wake()  # others are told that they left
    await interaction.edit_original_response(view=notice(t("forget.done", count=resigned)))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


HANDLINGS = {Op.DATA: Handling(Ack.UPDATE, press_data), Op.FORGET: Handling(Ack.UPDATE, press_forget)}
