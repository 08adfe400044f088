"""Taking a move back, and publishing it before its time: [Undo], [Publish Now], ``/carc undo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands
from discord.ext import commands

from cogs.click.looks import forget_look
from cogs.click.replies import acknowledge, guarded
from cogs.click.tables import find_game
from cogs.commands.autocomplete import complete_game
from cogs.commands.play import go_on, open_decision
from cogs.desk.interaction import Ack, Handling
from cogs.presenting.ids import Key, Op
from cogs.texts import t

if TYPE_CHECKING:
    from cogs.desk.interaction import Interaction


class UndoCommands(commands.Cog):
    """``/carc undo``."""

    @app_commands.command(name="undo", description=t("command.undo.description"))
    @app_commands.describe(game=t("command.game"))
    @app_commands.autocomplete(game=complete_game)
    async def undo(self, interaction: Interaction, game: str = "") -> None:
        """Take back the move that waits to be published."""
        await guarded(interaction, _undo(interaction, game))


async def _undo(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        game = await find_game(interaction, code, own=True, op=Op.UNDO)
        await _take_back(interaction, game.code, game.revision)


async def press_undo(interaction: Interaction, key: Key) -> None:
    """Take the move back that this panel shows."""
    await _take_back(interaction, key.ref, key.revision)


async def _take_back(interaction: Interaction, ref: str, revision: int) -> None:
    """Take a move back in silence, and think again where it was planned."""
    await interaction.client.host.think_again(ref, interaction.user.id, revision, interaction.id)
    forget_look(interaction)
    await open_decision(interaction, ref)


async def press_publish(interaction: Interaction, key: Key) -> None:
    """Publish the move that waits; whoever has to lay the next tile too goes on in the same panel."""
    outcome = await interaction.client.host.publish(key.ref, interaction.user.id, key.revision)
    forget_look(interaction)
    interaction.client.publisher.moved_on(outcome)
    await go_on(interaction, outcome)


HANDLINGS: Final = {Op.UNDO: Handling(Ack.UPDATE, press_undo), Op.PUBLISH: Handling(Ack.UPDATE, press_publish)}
