"""How a player wants to play: ``/carc settings``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands
from discord.ext import commands

from cogs.click.replies import acknowledge, guarded
from cogs.desk.interaction import Ack, Handling
from cogs.games.presenters import PRESENTERS
from cogs.panels.own_settings import changed, settings_of, settings_panel
from cogs.presenting.ids import Key, Op
from cogs.texts import t

if TYPE_CHECKING:
    from cogs.desk.interaction import Interaction


SETTINGS: Final = settings_of(PRESENTERS.values())


class SettingsCommands(commands.Cog):
    """``/carc settings``."""

    @app_commands.command(name="settings", description=t("command.settings.description"))
    async def settings(self, interaction: Interaction) -> None:
        """Show what can be chosen, and what is."""
        await guarded(interaction, _settings(interaction))


async def _settings(interaction: Interaction) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        preferences = await interaction.client.host.preferences.get(interaction.user.id)
        await interaction.edit_original_response(view=settings_panel(SETTINGS, preferences))


async def press_setting(interaction: Interaction, key: Key) -> None:
    """Choose what the button says."""
    kept = interaction.client.host.preferences
    preferences = changed(SETTINGS, await kept.get(interaction.user.id), key.argument)
    await kept.set(interaction.user.id, preferences)
    await interaction.edit_original_response(view=settings_panel(SETTINGS, preferences))


HANDLINGS: Final = {Op.SETTING: Handling(Ack.UPDATE, press_setting)}
