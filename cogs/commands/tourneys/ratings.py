"""Ratings: ``/carc leaderboard`` and ``/carc profile``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.interactions.replies import acknowledge, guarded
from cogs.panels.events.ratings import leaderboard_page, profile_page
from cogs.presenting.presenter import attachments, private_theme
from cogs.services.bot import Ack
from cogs.texts import t
from tournaments.lasting.ratings import Scale

if TYPE_CHECKING:
    from cogs.services.bot import Interaction

SCALES: Final = [app_commands.Choice(name=t(f"rating.scale.{scale}"), value=str(scale)) for scale in Scale]
EVERYWHERE: Final = 0


class RatingCommands(commands.Cog):
    """``/carc leaderboard``, ``/carc profile``."""

    @app_commands.command(name="leaderboard", description=t("command.leaderboard.description"))
    @app_commands.describe(scale=t("command.leaderboard.scale"))
    @app_commands.choices(scale=SCALES)
    async def leaderboard(self, interaction: Interaction, scale: str = Scale.MULTIPLAYER) -> None:
        """The list of a scale in this server."""
        await guarded(interaction, _leaderboard(interaction, Scale(scale)))

    @app_commands.command(name="profile", description=t("command.profile.description"))
    @app_commands.describe(player=t("command.profile.player"))
    async def profile(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Somebody's ratings, and one's record against him."""
        await guarded(interaction, _profile(interaction, player or interaction.user))


async def _leaderboard(interaction: Interaction, scale: Scale) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    client = interaction.client
    found = await client.host.events.ratings.leaderboard(interaction.guild_id or EVERYWHERE, scale)
    place = interaction.guild.name if interaction.guild else ""
    theme = private_theme(await client.host.preferences.get(interaction.user.id))
    draw = partial(leaderboard_page, place, scale, found, theme)
    view, pictures = await client.render_pool.look(interaction.user.id, draw)
    await interaction.edit_original_response(view=view, attachments=attachments(pictures))


async def _profile(interaction: Interaction, player: discord.User | discord.Member) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    ratings, own = interaction.client.host.events.ratings, interaction.user.id
    everywhere = await ratings.profile(EVERYWHERE, player.id)
    here = await ratings.profile(interaction.guild_id or EVERYWHERE, player.id)
    against = {} if player.id == own else {scale: await ratings.head_to_head(own, player.id, scale) for scale in Scale}
    view = profile_page(player.display_name, everywhere, here, {str(scale): each for scale, each in against.items()})
    await interaction.edit_original_response(view=view)
