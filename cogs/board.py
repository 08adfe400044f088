"""Looking at the table: ``/carc board`` and [Board]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.autocomplete import complete_game
from cogs.presenters import presenter_of
from cogs.texts import t
from cogs.ui.answers import Ack, acknowledge, guarded
from cogs.ui.hint_panels import hint_buttons
from cogs.ui.ids import Key, Op
from cogs.ui.layouts import layout, rows
from cogs.ui.links import table_link
from cogs.ui.names import seat_names
from cogs.ui.pictures import board_pictures
from cogs.ui.press import Handling
from cogs.ui.scores import score_table
from cogs.ui.shown import attachments, gallery
from cogs.ui.tables import find_game
from cogs.ui.themes import private_theme
from cogs.ui.words import pile_words

if TYPE_CHECKING:
    from cogs.client import Interaction
    from engine import Position
    from host import Game


class BoardCommands(commands.Cog):
    """``/carc board``."""

    @app_commands.command(name="board", description=t("command.board.description"))
    @app_commands.describe(game=t("command.game"))
    @app_commands.autocomplete(game=complete_game)
    async def board(self, interaction: Interaction, game: str = "") -> None:
        """Show the whole board privately."""
        await guarded(interaction, _board(interaction, game))


async def _board(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        table = await interaction.client.host.table((await find_game(interaction, code, own=False)).id)
        await _show(interaction, table.game, table.position)


async def press_board(interaction: Interaction, key: Key) -> None:
    """Show the board as it was on the card; an old card says where the game goes on."""
    game = await find_game(interaction, key.ref, own=False)
    ply = min(key.ply, game.ply)
    moment = await interaction.client.host.moment(game.id, ply, ply)
    await _show(interaction, moment.game, moment.after)


async def _show(interaction: Interaction, game: Game, position: Position) -> None:
    presenter = presenter_of(position)
    theme = private_theme(await interaction.client.host.preferences.get(interaction.user.id), game)
    pictures = await interaction.client.atelier.draw(lambda: board_pictures(presenter, game, position, theme))
    names = seat_names(game)
    lines = [t("board.title", name=game.name, code=game.code)]
    if position.ply < game.ply:
        link = await table_link(interaction.client.host, game)
        lines.append(t("board.old", ply=position.ply, current=game.ply, link=link))
    if position.player >= 0:
        lines.append(presenter.headline(names, position, names[position.player]))
    lines += [presenter.details(names, position), score_table(presenter, game, position), pile_words(position)]
    buttons = [] if position.is_over or position.ply < game.ply else hint_buttons(game, position.ply)
    view = layout(gallery(pictures), ui.TextDisplay("\n".join(filter(None, lines))), rows(buttons))
    await interaction.edit_original_response(view=view, attachments=attachments(pictures))


HANDLINGS: Final = {Op.BOARD: Handling(Ack.PANEL, press_board)}
