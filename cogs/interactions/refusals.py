"""Errors in a player's words: what is wrong and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.interactions.snapshots import snapshot_of, table_of
from cogs.texts import known, t
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError, refusal_words, shown_value
from host import ErrorCode, HostError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

GAME: Final = "game"
"""Where an interaction's ``extras`` say which game (code) it is about."""


async def words_for(interaction: Interaction, error: HostError | RefusedError) -> str:
    """The sentence that answers an error."""
    if isinstance(error, RefusedError):
        return t(f"refusal.{error.key}", **error.values)
    values = {name: shown_value(value) for name, value in error.values.items()}
    game = await _game_of(interaction)
    if game is None:
        return refusal_words(error.code, error.values)
    if error.code is ErrorCode.STALE and _is_ahead(error):
        interaction.client.publisher.doubt(game)
        return t("error.ahead", link=await table_link(interaction.client.host, game))
    better = await _out_of_turn(interaction, game) if error.code is ErrorCode.NOT_YOUR_TURN else ""
    if better:
        return t(f"error.{better}", **values)
    place = await table_link(interaction.client.host, game)
    key = f"error.{error.code}_at"
    return t(key if known(key) else f"error.{error.code}", link=place, **values)


def _is_ahead(error: HostError) -> bool:
    """Whether somebody holds a card of a move that the game does not know."""
    revision, current = error.values.get("revision"), error.values.get("current")
    return isinstance(revision, int) and isinstance(current, int) and revision > current


async def _game_of(interaction: Interaction) -> Game | None:
    code = interaction.extras.get(GAME)
    if code is None:
        return None
    try:
        return (await snapshot_of(interaction, code)).game
    except HostError:
        return None


async def _out_of_turn(interaction: Interaction, game: Game) -> str:
    """The key of what the game has to say to a player whose turn it is not, if it has anything to say."""
    position = (await table_of(interaction, game.code)).position
    seat = game.seat_of(interaction.user.id)
    return "" if seat is None else interaction.client.presenters[position.setup.game].out_of_turn(position, seat)
