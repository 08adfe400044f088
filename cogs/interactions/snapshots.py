"""What was found of a game when an interaction was let through to it: what is done next need not look again.

It counts for this one interaction, and only until that has changed something.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game, GameSnapshot, Preferences, Table

_LOOK: Final = "look"


def remember_snapshot(interaction: Interaction, look: GameSnapshot) -> None:
    """Remember what was found."""
    interaction.extras[_LOOK] = look


def forget_snapshot(interaction: Interaction) -> None:
    """The game has changed: whoever wants to know more looks anew."""
    interaction.extras.pop(_LOOK, None)


def known_game(interaction: Interaction, ref: str) -> Game | None:
    """The game with this code, if this is the one to which the interaction was let through."""
    look = _look(interaction)
    return look.game if look is not None and look.game.code == ref else None


async def snapshot_of(interaction: Interaction, ref: str) -> GameSnapshot:
    """What was found of a game, or what is found now.

    Raises:
        HostError: ``unknown_game``.
    """
    look = _look(interaction)
    if look is not None and look.game.code == ref:
        return look
    return await interaction.client.host.games.snapshot(ref, interaction.user.id)


async def table_of(interaction: Interaction, ref: str) -> Table:
    """The table of a game.

    Raises:
        HostError: ``unknown_game``, ``frozen``.
    """
    return await interaction.client.host.games.table(await snapshot_of(interaction, ref))


async def preferences_of(interaction: Interaction) -> Preferences:
    """How who asks wants to play."""
    look = _look(interaction)
    found = None if look is None else look.preferences
    return await interaction.client.host.preferences.get(interaction.user.id) if found is None else found


async def prefer(interaction: Interaction, preferences: Preferences) -> None:
    """Store how who asks wants to play from now on."""
    await interaction.client.host.preferences.set(interaction.user.id, preferences)
    look = _look(interaction)
    if look is not None:
        remember_snapshot(interaction, replace(look, preferences=preferences))


def _look(interaction: Interaction) -> GameSnapshot | None:
    return interaction.extras.get(_LOOK)
