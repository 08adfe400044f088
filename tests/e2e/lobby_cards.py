"""Lobbies of the offline Discord: opening one, and reading its card.

A lobby is a table whose game has not started; its card is a public message with buttons to join, to leave and to
choose the rules. A button's *argument* is the part of its custom id that says what it does.
"""

import simcord

from tests.e2e.player import Shown
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table


async def open_lobby(table: Table, players: int, seated: int) -> simcord.ResponseMessage:
    """Open a lobby and let some members join."""
    first, *rest = table.actors[:seated]
    open_lobby_of_two = await first.slash(table.channel, "carc new", players=players)
    (lobby,) = open_lobby_of_two.followups
    for actor in rest:
        await actor.click(lobby, label=localized("button.join"))
    return lobby


async def open_lobby_of_two(table: Table) -> Shown:
    """Let the first member open a lobby for two; return its card."""
    await table.actors[0].slash(table.channel, "carc new", players=2)
    (lobby,) = table.env.backend.messages[table.channel.id].values()
    return Shown(simcord.ResponseMessage(table.env, lobby), lobby.components)


def custom_id_for(shown: Shown, argument: str) -> str:
    """Return the custom id of the button with this argument."""
    return next(button.custom_id for button in buttons(shown.components) if button.key.argument == argument)


def lobby_text(table: Table) -> str:
    """Return the current text of the only public message, the lobby card."""
    (message,) = [
        message for message in table.env.backend.messages[table.channel.id].values() if message.visible_to(None)
    ]
    return words(message.components)
