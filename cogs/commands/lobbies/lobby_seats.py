"""Who sits at a table that gathers: the private panel behind the lobby card's [Seats] button.

Whoever has the table, or manages the server, takes somebody off it, lets them in again, or closes the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle, ui

from cogs.commands.lobbies.lobby import show_lobby
from cogs.interactions.admission import asker_of, lobby_id, number_of
from cogs.interactions.replies import Press, button, tell
from cogs.messages import layout, notice, rows
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.words.names import isolated, owner_name, safe
from host import LobbyState, is_manager, told_apart

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Asker, GuildSettings, Lobby

SURE: Final = "sure"
"""The argument of the button that closes a table without asking again."""
MOST_BARRED: Final = 10
"""Those removed last who can be let in again."""


async def press_seats(interaction: Interaction, key: Key) -> None:
    """Open the panel."""
    host = interaction.client.host
    await _show(interaction, await host.lobbies.get(lobby_id(key)))


async def press_remove(interaction: Interaction, key: Key) -> None:
    """Take somebody off the table."""
    client, number = interaction.client, lobby_id(key)
    async with client.lobby_edits.setdefault(number, asyncio.Lock()):
        lobbies = client.host.lobbies
        lobby = await lobbies.remove(number, asker_of(interaction), number_of(key), interaction.id)
        await _show_all(interaction, lobby)


async def press_readmit(interaction: Interaction, key: Key) -> None:
    """Let somebody join again."""
    lobbies = interaction.client.host.lobbies
    lobby = await lobbies.readmit(lobby_id(key), asker_of(interaction), number_of(key), interaction.id)
    await _show(interaction, lobby)


async def press_close(interaction: Interaction, key: Key) -> None:
    """Ask whether to close the table, then do it."""
    client, number = interaction.client, lobby_id(key)
    if key.argument != SURE:
        sure = button(Op.CLOSE, key.ref, 0, t("button.close"), argument=SURE, style=ButtonStyle.danger)
        text = ui.TextDisplay[ui.LayoutView](t("seats.close"))
        await interaction.edit_original_response(view=layout(text, rows([sure])))
        return
    async with client.lobby_edits.setdefault(number, asyncio.Lock()):
        await _show_all(interaction, await client.host.lobbies.close(number, asker_of(interaction), interaction.id))


async def _show_all(interaction: Interaction, lobby: Lobby) -> None:
    """Show what has changed on the card, then in the panel."""
    shown = await show_lobby(interaction.client, lobby)
    await _show(interaction, lobby)
    if not shown:
        await tell(interaction, t("lobby.unshown"))


async def _show(interaction: Interaction, lobby: Lobby) -> None:
    """Fill the panel."""
    if lobby.state is not LobbyState.OPEN:
        started = lobby.state is LobbyState.STARTED
        text = t("error.lobby_started" if started else "error.lobby_closed")
        await interaction.edit_original_response(view=notice(text))
        return
    settings = await interaction.client.host.servers.get(lobby.guild_id)
    await interaction.edit_original_response(view=seats_panel(lobby, asker_of(interaction), settings))


def seats_panel(lobby: Lobby, asker: Asker, settings: GuildSettings) -> ui.LayoutView:
    """Who sits at the table, and the buttons of whoever may change it."""
    called = told_apart([*lobby.members, *lobby.barred])
    lines = [t("seats.title"), *(t("lobby.member", player=safe(name)) for name in called[: len(lobby.members)])]
    if lobby.owner_id != asker.user_id and not is_manager(asker, settings):
        return layout(ui.TextDisplay("\n".join([*lines, t("seats.reading", owner=owner_name(lobby))])))
    text = ui.TextDisplay[ui.LayoutView]("\n".join([*lines, t("seats.hint")]))
    closing = button(Op.CLOSE, str(lobby.id), 0, t("button.close"), style=ButtonStyle.danger)
    return layout(text, rows(list(_people(lobby, asker))), rows([closing]))


def _people(lobby: Lobby, asker: Asker) -> Iterator[Press]:
    """A button for each member but oneself, and for those who were removed."""
    ref, people = str(lobby.id), [*lobby.members, *lobby.barred]
    named = [(str(person.user_id), isolated(name)) for person, name in zip(people, told_apart(people), strict=True)]
    for user_id, name in named[: len(lobby.members)]:
        if user_id != str(asker.user_id):
            yield button(Op.REMOVE, ref, 0, t("button.remove", player=name), argument=user_id)
    for user_id, name in named[len(lobby.members) :][-MOST_BARRED:]:
        yield button(Op.READMIT, ref, 0, t("button.readmit", player=name), argument=user_id)


HANDLINGS: Final = {
    Op.SEATS: Handling(Ack.PANEL, press_seats),
    Op.REMOVE: Handling(Ack.UPDATE, press_remove),
    Op.READMIT: Handling(Ack.UPDATE, press_readmit),
    Op.CLOSE: Handling(Ack.UPDATE, press_close),
}
