"""``/operator``: commands for the operators, who run the bot; they also work in direct messages.

Operators are the owner of the application on Discord and the developers in its team; all other users are refused. The
commands do the same as those of ``python -m operations``, and are logged like them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.commands.slash import command
from cogs.messages import notice
from cogs.services.bot import Interaction
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from host import Game

MAX_REASON: Final = 200
"""The most characters of a reason."""
MAX_LISTED: Final = 20
"""The most problems that are listed; ``python -m operations stuck`` lists all."""
Reason = app_commands.Range[str, 0, MAX_REASON]
Code = app_commands.Range[str, 4, 4]


@app_commands.default_permissions()
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class OperatorCommands(commands.GroupCog, group_name="operator", group_description=t("command.operator.group")):
    """The operator commands; Discord shows them to server administrators, and each command checks the user itself."""

    @command("list", "operator.list", direct=True)
    async def list_problems(self, interaction: Interaction) -> None:
        """List frozen games and messages that cannot be sent, each with the reason."""
        await _run_as_operator(interaction, lambda: _list_problems(interaction))

    @command("freeze", "operator.freeze", direct=True, game="operator.game", reason="operator.reason")
    async def freeze(self, interaction: Interaction, game: Code, reason: Reason = "") -> None:
        """Freeze a game and its clocks."""
        operators = interaction.client.host.operators
        await _change(interaction, "frozen", lambda by: operators.freeze(game, by, reason))

    @command("thaw", "operator.thaw", direct=True, game="operator.game")
    async def thaw(self, interaction: Interaction, game: Code) -> None:
        """Let a frozen game continue."""
        operators = interaction.client.host.operators
        await _change(interaction, "thawed", lambda by: operators.thaw(game, by))

    @command("close", "operator.close", direct=True, game="operator.game", reason="operator.reason")
    async def close(self, interaction: Interaction, game: Code, reason: Reason = "") -> None:
        """End a game without a result."""
        operators = interaction.client.host.operators
        await _change(interaction, "closed", lambda by: operators.close(game, by, reason))


async def _run_as_operator(interaction: Interaction, command: Callable[[], Awaitable[str]]) -> None:
    """Run a command and show the text it returns, if the user is an operator.

    Raises:
        RefusedError: ``not_operator``: Discord does not name the user as owner or developer of the application.
    """
    if not await interaction.client.lookups.runs_the_bot(interaction.user.id):
        raise RefusedError("not_operator")
    await interaction.edit_original_response(view=notice(await command()))


async def _list_problems(interaction: Interaction) -> str:
    """Return frozen games and messages that cannot be sent in words, and log that the operator has seen the list."""
    operators = interaction.client.host.operators
    problems = await operators.faults()
    await operators.log_view(operator_of(interaction.user), "list")
    if not problems:
        return t("operator.nothing")
    lines = [f"- {safe(str(finding))}" for finding in problems[:MAX_LISTED]]
    return "\n".join([t("operator.found", count=len(problems)), *lines])


async def _change(interaction: Interaction, result: str, change: Callable[[str], Awaitable[Game]]) -> None:
    """Run an operator's change of a game, and confirm it.

    ``change`` gets the name of the operator and returns the changed game; ``result`` names the confirming sentence.
    """

    async def command() -> str:
        game = await change(operator_of(interaction.user))
        interaction.client.publisher.wake()  # posts a notice in the game's thread, too
        return t(f"operator.{result}", name=safe(game.name), code=game.code, ply=game.ply)

    await _run_as_operator(interaction, command)


def operator_of(user: discord.User | discord.Member) -> str:
    """Return the name of an operator for the log of operator actions."""
    return f"{user.name} ({user.id}) on Discord"
