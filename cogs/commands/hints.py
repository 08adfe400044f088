"""Hints: ``/carc hints`` and [Hints]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.games.presenters import presenter_of
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import layout, rows
from cogs.panels.hints import HintPanel, given, hint_panel, require, tiles_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, gallery, private_theme
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from engine.hints import Hint
from host import check_unfinished

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game


class HintCommands(commands.Cog):
    """``/carc hints``."""

    @app_commands.command(name="hints", description=t("command.hints.description"))
    @about_game
    async def hints(self, interaction: Interaction, game: str = "") -> None:
        """Tell privately what one could work out."""
        await guarded(interaction, _hints(interaction, game))


async def _hints(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        await _show(interaction, await find_game(interaction, code, own=False, op=Op.HINTS))


async def press_hints(interaction: Interaction, key: Key) -> None:
    """Tell privately what one could work out."""
    await _show(interaction, await find_game(interaction, key.ref, own=False))


async def _show(interaction: Interaction, game: Game) -> None:
    client = interaction.client
    position = (await table_of(interaction, game.code)).position
    if not given(game, position):
        require(game, Hint.PROJECTION)  # every game has it, so it is off here, and this says why nothing is told
    check_unfinished(game, position)
    seat = game.seat_of(interaction.user.id)
    theme = private_theme(await preferences_of(interaction), game)
    presenter = presenter_of(position)
    panel = await client.render_pool.look(
        interaction.user.id, lambda: hint_panel(presenter, game, position, seat, theme)
    )
    view = panel_view(game, game.revision, panel)
    await interaction.edit_original_response(view=view, attachments=attachments(panel.pictures))


def panel_view(game: Game, revision: int, panel: HintPanel) -> ui.LayoutView:
    """The message of the hints."""
    buttons = [button(Op.BOARD, game.code, revision, t("button.board")), *tiles_buttons(game, revision)]
    first, *texts = panel.texts
    heading: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(first)
    return layout(heading, gallery(panel.pictures), [ui.TextDisplay(text) for text in texts], rows(buttons))


HANDLINGS: Final = {Op.HINTS: Handling(Ack.PANEL, press_hints)}
