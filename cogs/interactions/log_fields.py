"""What the log says of an interaction: which it is, where, whose, what was asked, and of which game at which ply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from cogs.interactions.refusals import GAME
from cogs.interactions.snapshots import known_game
from cogs.messages import custom_id_of
from cogs.presenting.ids import EVENT_OPS, LOBBY_OPS, parse_key
from host import observability

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

_TYPED: Final = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
_NOTHING: Final = "0"
"""What is named in a button that is about no game."""
_REFERENCE: Final = "reference"
_LONGEST: Final = 100
"""Characters of what somebody typed or sent."""


def circumstances(interaction: Interaction) -> dict[str, object]:
    """For ``extra``; nothing in it lets anybody act for somebody else."""
    found: dict[str, object] = {
        "interaction": interaction.id,
        "reference": interaction.extras.setdefault(_REFERENCE, observability.new_reference()),
        "server": interaction.guild_id,
        "channel": interaction.channel_id,
        "user": interaction.user.id,
    }
    custom_id = custom_id_of(interaction)
    if custom_id:
        found["pressed"] = custom_id[:_LONGEST]
    elif interaction.type in _TYPED:
        found["command"] = interaction.command.qualified_name if interaction.command else "unknown"
    key = parse_key(custom_id)
    named = _named(interaction) if key is None else key.ref
    if key is not None and key.op in LOBBY_OPS | EVENT_OPS:
        found["lobby" if key.op in LOBBY_OPS else "event"] = named
        return found
    game = interaction.extras.get(GAME) or named  # which it turned out to be, else was named
    if game and game != _NOTHING:
        found["game"] = str(game)[:_LONGEST]
        stored = known_game(interaction, str(game))
        if stored is not None:
            found["ply"] = stored.ply
        elif key is not None:
            found["revision"] = key.revision  # nobody has looked yet where it stands
    return found


def is_about(interaction: Interaction, game: Game) -> None:
    """From here on this interaction is about a game."""
    interaction.extras[GAME] = game.code
    observability.known(game=game.code, ply=game.ply)


def _named(interaction: Interaction) -> object:
    """The code of a game that was typed; what `/carc new` calls a game is which one to play."""
    command = interaction.command
    return None if command is not None and command.name == "new" else interaction.namespace.game
