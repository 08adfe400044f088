"""Errors in a player's words: what is wrong and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from discord import ui

from cogs.texts import known, t
from cogs.ui.links import table_link
from cogs.ui.names import safe
from engine.carcassonne import bazaar_of
from host import ErrorCode, HostError

if TYPE_CHECKING:
    from cogs.client import Interaction
    from host import Game

GAME: Final = "game"
"""Where an interaction's ``extras`` say which game (code) it is about."""


class RefusedError(Exception):
    """What a cog itself refuses: a sentence under ``refusal``, its values, and perhaps a button that helps."""

    def __init__(self, key: str, /, *, offer: ui.Item[Any] | None = None, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.offer = offer
        self.values = values


async def words_for(interaction: Interaction, error: HostError | RefusedError) -> str:
    """The sentence that answers an error."""
    if isinstance(error, RefusedError):
        return t(f"refusal.{error.key}", **error.values)
    values = {name: safe(value) if isinstance(value, str) else value for name, value in error.values.items()}
    game = await _game_of(interaction)
    if game is None:
        return t(f"error.{error.code}", **values)
    if error.code is ErrorCode.NOT_YOUR_TURN and await _has_a_lot(interaction, game):
        return t("error.has_a_lot", **values)
    place = await table_link(interaction.client.host, game)
    key = f"error.{error.code}_at"
    return t(key if known(key) else f"error.{error.code}", link=place, **values)


async def _game_of(interaction: Interaction) -> Game | None:
    code = interaction.extras.get(GAME)
    if code is None:
        return None
    try:
        return await interaction.client.host.game(code)
    except HostError:
        return None


async def _has_a_lot(interaction: Interaction, game: Game) -> bool:
    """Whether the player wanted to bid though a lot is already his (BZ-15)."""
    table = await interaction.client.host.table(game.id)
    bazaar = bazaar_of(table.position)
    return bazaar is not None and bazaar.active >= 0 and game.seat_of(interaction.user.id) in bazaar.owners
