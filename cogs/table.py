"""A player's place at the table: leaving the game, and moving the table to another channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.autocomplete import complete_game
from cogs.texts import t
from cogs.ui.acting import show_done
from cogs.ui.answers import Ack, acknowledge, guarded
from cogs.ui.ids import Key, Op
from cogs.ui.layouts import layout, notice, rows
from cogs.ui.places import require_table_permissions
from cogs.ui.press import Handling, button
from cogs.ui.refusals import RefusedError
from cogs.ui.tables import find_game
from host import ErrorCode, HostError

if TYPE_CHECKING:
    from cogs.client import Interaction
    from host import Game


class TableCommands(commands.Cog):
    """``/carc resign``, ``/carc here``."""

    @app_commands.command(name="resign", description=t("command.resign.description"))
    @app_commands.describe(game=t("command.game"))
    @app_commands.autocomplete(game=complete_game)
    async def resign(self, interaction: Interaction, game: str = "") -> None:
        """Ask whether the player really means to leave."""
        await guarded(interaction, _ask_to_resign(interaction, game))

    @app_commands.command(name="here", description=t("command.here.description"))
    @app_commands.describe(game=t("command.game"))
    @app_commands.autocomplete(game=complete_game)
    async def here(self, interaction: Interaction, game: str = "") -> None:
        """Go on with a game in this channel."""
        await guarded(interaction, _move_here(interaction, game))


async def _ask_to_resign(interaction: Interaction, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    await ask_to_resign(interaction, await find_game(interaction, code, own=True))


async def ask_to_resign(interaction: Interaction, game: Game) -> None:
    """Ask in the private answer; leaving a game is never done with one word or one tap.

    Raises:
        HostError: not_a_player.
    """
    if game.seat_of(interaction.user.id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER)
    position = (await interaction.client.host.table(game.id)).position
    last = position.withdrawn.count(False) <= 2
    text = ui.TextDisplay[ui.LayoutView](t("resign.ask_last" if last else "resign.ask", name=game.name, code=game.code))
    confirm = button(Op.RESIGN, game.code, game.ply, t("button.resign"), style=ButtonStyle.danger)
    await interaction.edit_original_response(view=layout(text, rows([confirm])))


async def press_resign(interaction: Interaction, key: Key) -> None:
    """Leave the game."""
    client = interaction.client
    outcome = await client.host.resign(key.ref, interaction.user.id, interaction.id)
    client.publisher.moved_on(outcome)
    await show_done(interaction, outcome)


async def _move_here(interaction: Interaction, code: str) -> None:
    require_table_permissions(interaction)
    if not await acknowledge(interaction, Ack.PANEL):
        return
    client = interaction.client
    game = await find_game(interaction, code, own=True)
    if game.guild_id != interaction.guild_id:
        raise RefusedError("other_server")
    moved = await client.host.move_here(game.code, interaction.user.id, interaction.channel_id or 0)
    client.publisher.wake()
    await client.publisher.show_again(moved, before=game.place)
    await interaction.edit_original_response(view=notice(t("here.done", name=game.name, code=game.code)))


HANDLINGS: Final = {Op.RESIGN: Handling(Ack.UPDATE, press_resign)}
