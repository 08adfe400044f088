"""The table in words: ``/carc board words:`` and [In Words]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands

from cogs.games.presenters import presenter_of
from cogs.interactions.context import table_of
from cogs.interactions.replies import acknowledge, suggesting
from cogs.interactions.selection import find_game
from cogs.messages import chosen_in
from cogs.panels.in_words import MENU, Chosen, suggestions, words_panel
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from host import HostError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

LONGEST: Final = 100
"""Characters of a suggestion."""


@suggesting
async def complete_words(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The parts that can be told of the game that is meant, and the cell that is typed."""
    try:
        game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=False)
        table = await table_of(interaction, game.code)
    except (HostError, RefusedError):
        return []
    found = suggestions(presenter_of(table.position), table, interaction.user.id, typed)
    return [app_commands.Choice(name=clipped(words, LONGEST), value=value) for words, value in found]


async def tell_board(interaction: Interaction, code: str, words: str) -> None:
    """Tell the part of a table that was typed."""
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game = await find_game(interaction, code, own=False, op=Op.WORDS)
    try:
        await tell(interaction, game, Chosen.typed(words))
    except RefusedError as error:
        raise RefusedError("no_part") from error


async def press_words(interaction: Interaction, key: Key) -> None:
    """Begin with what has happened since one's own last move."""
    await tell(interaction, await find_game(interaction, key.ref, own=False), Chosen())


async def press_tell(interaction: Interaction, key: Key) -> None:
    """Turn the page, or go to what was chosen in a list."""
    argument = chosen_in(interaction) if key.argument.partition(" ")[0] == MENU else key.argument
    await tell(interaction, await find_game(interaction, key.ref, own=False), Chosen.parse(argument))


async def tell(interaction: Interaction, game: Game, chosen: Chosen) -> None:
    """Show what is chosen in the private panel."""
    client, user_id = interaction.client, interaction.user.id
    table = await table_of(interaction, game.code)
    presenter = presenter_of(table.position)
    view = await client.render_pool.look(user_id, lambda: words_panel(presenter, table, user_id, chosen))
    await interaction.edit_original_response(view=view, attachments=[])


HANDLINGS: Final = {Op.WORDS: Handling(Ack.PANEL, press_words), Op.TELL: Handling(Ack.UPDATE, press_tell)}
