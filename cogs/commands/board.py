"""Looking at the table, as it is or as it was: ``/carc board`` and [Board], and going through the game from there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.in_words import complete_words, tell_board
from cogs.games.presenters import presenter_of
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import layout, rows
from cogs.panels.hints import hint_buttons
from cogs.panels.stepping import Stops, Walk, require_private, step_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, gallery, private_theme
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.words.names import table_link

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

MOST_TURNS: Final = 999
"""More turns than a game has."""


class BoardCommands(commands.Cog):
    """``/carc board``."""

    @app_commands.command(name="board", description=t("command.board.description"))
    @app_commands.describe(turn=t("command.board.turn"), words=t("command.board.words"))
    @app_commands.autocomplete(words=complete_words)
    @about_game
    async def board(
        self,
        interaction: Interaction,
        game: str = "",
        turn: app_commands.Range[int, 0, MOST_TURNS] | None = None,
        words: str = "",
    ) -> None:
        """Show the whole board privately, as it is or as it was when the tile of a turn lay; or tell it in words."""
        await guarded(interaction, tell_board(interaction, game, words) if words else _board(interaction, game, turn))


async def _board(interaction: Interaction, code: str, turn: int | None) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        game = await find_game(interaction, code, own=False, op=Op.BOARD)
        await _show(interaction, game, lambda stops: stops.last if turn is None else stops.of_turn(turn))


async def press_board(interaction: Interaction, key: Key) -> None:
    """Show the board as it was on the card; an old card says where the game goes on."""
    await _show(interaction, await find_game(interaction, key.ref, own=False), lambda _: key.revision)


async def press_step(interaction: Interaction, key: Key) -> None:
    """Go to another ply in the same panel; of several presses only the newest is drawn."""
    require_private(interaction)
    await _show(interaction, await find_game(interaction, key.ref, own=False), lambda _: key.revision, newest_only=True)


async def _show(
    interaction: Interaction, game: Game, where: Callable[[Stops], int], *, newest_only: bool = False
) -> None:
    client = interaction.client
    table = await table_of(interaction, game.code)
    actions = [entry.action for entry in table.log]
    walk = Walk(presenter_of(table.position), game, table.position.setup, actions, lasting=True)
    theme = private_theme(await preferences_of(interaction), game)
    message = interaction.message if newest_only else None
    work = partial(walk.step, where, theme)
    step = await client.render_pool.look(interaction.user.id, work, place=message.id if message else None)
    lines = [t("board.title", name=game.name, code=game.code)]
    if step.ply < step.stops.last:
        link = await table_link(client.host, game)
        lines.append(t("board.old_over" if table.position.is_over else "board.old", link=link))
    hints = [] if step.moment.after.is_over or step.ply < step.stops.last else hint_buttons(game, game.revision)
    text = ui.TextDisplay[ui.LayoutView]("\n".join([*lines, *walk.lines(step)]))
    steps = rows(step_buttons(Op.STEP, game.code, step))
    telling = button(Op.WORDS, game.code, game.revision, t("button.tell"))
    view = layout(gallery(step.pictures), text, steps, rows([telling, *hints]))
    await interaction.edit_original_response(view=view, attachments=attachments(step.pictures))


HANDLINGS: Final = {Op.BOARD: Handling(Ack.PANEL, press_board), Op.STEP: Handling(Ack.UPDATE, press_step)}
