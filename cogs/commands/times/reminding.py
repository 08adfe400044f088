"""Answers to being called: ``/carc remind`` and ``/carc keep``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.interactions.admission import admitted, number_of
from cogs.interactions.replies import acknowledge, guarded, tell
from cogs.interactions.selection import find_game
from cogs.panels.side_messages import later_panel
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from host import LONGEST_REMINDER, check_turn

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game


class RemindingCommands(commands.Cog):
    """``/carc remind`` and ``/carc keep``."""

    @app_commands.command(name="remind", description=t("command.remind.description"))
    @app_commands.describe(hours=t("command.remind.hours"))
    @about_game
    async def remind(
        self, interaction: Interaction, hours: app_commands.Range[int, 0, LONGEST_REMINDER], game: str = ""
    ) -> None:
        """Be reminded again of what a game asks, or no more."""
        await guarded(interaction, _typed_remind(interaction, hours, game))

    @app_commands.command(name="keep", description=t("command.keep.description"))
    @about_game
    async def keep(self, interaction: Interaction, game: str = "") -> None:
        """Say that a table is not to be closed, though nobody has played for long."""
        await guarded(interaction, _typed_keep(interaction, game))


async def _typed_remind(interaction: Interaction, hours: int, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game = await find_game(interaction, code, own=True)
    if hours:
        await _remind(interaction, game, None, hours)
    else:
        await _hush(interaction, game, None)


async def press_later(interaction: Interaction, key: Key) -> None:
    """Ask in how many hours somebody is reminded again, or do what was answered."""
    game = await admitted(interaction, key.ref)
    if key.argument:
        await _remind(interaction, game, key.revision, number_of(key))
        return
    check_turn(game, interaction.user.id, key.revision)
    await interaction.edit_original_response(view=later_panel(game))


async def press_hush(interaction: Interaction, key: Key) -> None:
    """Remind somebody no more of this turn."""
    await _hush(interaction, await admitted(interaction, key.ref), key.revision)


async def _remind(interaction: Interaction, game: Game, revision: int | None, hours: int) -> None:
    at = await interaction.client.host.calls.remind_in(game, interaction.user.id, revision, hours)
    await tell(interaction, t("calls.remind", name=game.name, code=game.code, at=int(at.timestamp())))


async def _hush(interaction: Interaction, game: Game, revision: int | None) -> None:
    await interaction.client.host.calls.hush(game, interaction.user.id, revision)
    await tell(interaction, t("calls.hushed", name=game.name, code=game.code))


async def _typed_keep(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        await _keep(interaction, await find_game(interaction, code, own=True, op=Op.KEEP))


async def press_keep(interaction: Interaction, key: Key) -> None:
    """Keep the table."""
    await _keep(interaction, await admitted(interaction, key.ref))


async def _keep(interaction: Interaction, game: Game) -> None:
    closes = await interaction.client.host.idle.keep(game, interaction.user.id)
    await tell(interaction, t("calls.kept", name=game.name, code=game.code, at=int(closes.timestamp())))


HANDLINGS: Final = {
    Op.LATER: Handling(Ack.PANEL, press_later),
    Op.HUSH: Handling(Ack.PANEL, press_hush),
    Op.KEEP: Handling(Ack.PANEL, press_keep),
}
