"""The rules of a table before its game begins: the private panel behind the lobby card's [Rules] button."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cogs.commands.lobbies.lobby import show_lobby
from cogs.interactions.admission import lobby_id
from cogs.interactions.replies import tell
from cogs.panels.choosing_options import OptionPanels, Wish
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from host import TableRules

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Lobby


async def press_ruling(interaction: Interaction, key: Key) -> None:
    """Open the panel: what is going to be played; the owner can change it."""
    lobby = await interaction.client.host.lobbies.get(lobby_id(key))
    await interaction.edit_original_response(view=_panels(interaction, lobby).page(""))


async def press_change(interaction: Interaction, key: Key) -> None:
    """Turn to another page, or change what the button says."""
    client, shown = interaction.client, True
    async with client.lobby_edits.setdefault(lobby_id(key), asyncio.Lock()):
        lobby = await client.host.lobbies.get(lobby_id(key))
        wish = Wish.parse(key.argument, lobby)
        changed = wish.changed(lobby)
        if wish.changes:
            rules = TableRules(wish.expansions(lobby), wish.options(lobby), wish.settings(lobby))
            lobby = await client.host.lobbies.set_rules(lobby.id, interaction.user.id, rules, interaction.id)
            shown = await show_lobby(client, lobby)
    await interaction.edit_original_response(view=_panels(interaction, lobby).page(wish.page, changed))
    if not shown:
        await tell(interaction, t("lobby.unshown"))


def _panels(interaction: Interaction, lobby: Lobby) -> OptionPanels:
    """The pages for who has pressed."""
    return OptionPanels(interaction.client.presenters[lobby.game], lobby, interaction.user.id)


HANDLINGS: Final = {Op.RULING: Handling(Ack.PANEL, press_ruling), Op.CHANGE: Handling(Ack.UPDATE, press_change)}
