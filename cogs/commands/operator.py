"""``/operator``: what whoever runs the bot may do to games, also by direct message; all others are refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.interactions.replies import acknowledge, guarded
from cogs.messages import notice
from cogs.services.bot import Ack
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError

if TYPE_CHECKING:
    from cogs.services.bot import BotServices, Interaction
    from host import Game

LONGEST_REASON: Final = 200
"""Characters of a reason that are kept."""
MOST: Final = 20
"""Findings that are listed; ``python -m operations stuck`` lists all."""
Reason = app_commands.Range[str, 0, LONGEST_REASON]
Code = app_commands.Range[str, 4, 4]


@app_commands.default_permissions()
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class OperatorCommands(commands.GroupCog, group_name="operator", group_description=t("command.operator.group")):
    """The commands; in servers Discord shows them to nobody but administrators, and asked is each of them."""

    def __init__(self, bot: BotServices) -> None:
        super().__init__()
        self.bot = bot

    @app_commands.command(name="list", description=t("command.operator.list"))
    async def stuck(self, interaction: Interaction) -> None:
        """Tell which games rest and which posts are stuck, and why."""
        await guarded(interaction, _answered(interaction, lambda: _list(interaction)))

    @app_commands.command(name="freeze", description=t("command.operator.freeze"))
    @app_commands.describe(game=t("command.operator.game"), reason=t("command.operator.reason"))
    async def freeze(self, interaction: Interaction, game: Code, reason: Reason = "") -> None:
        """Let a game rest, its clocks too."""
        hand = interaction.client.host.operators
        await guarded(interaction, _done(interaction, "frozen", lambda by: hand.freeze(game, by, reason)))

    @app_commands.command(name="thaw", description=t("command.operator.thaw"))
    @app_commands.describe(game=t("command.operator.game"))
    async def thaw(self, interaction: Interaction, game: Code) -> None:
        """Let a game go on that rests."""
        hand = interaction.client.host.operators
        await guarded(interaction, _done(interaction, "thawed", lambda by: hand.thaw(game, by)))

    @app_commands.command(name="close", description=t("command.operator.close"))
    @app_commands.describe(game=t("command.operator.game"), reason=t("command.operator.reason"))
    async def close(self, interaction: Interaction, game: Code, reason: Reason = "") -> None:
        """End a game without a result."""
        hand = interaction.client.host.operators
        await guarded(interaction, _done(interaction, "closed", lambda by: hand.close(game, by, reason)))


async def _answered(interaction: Interaction, answer: Callable[[], Awaitable[str]]) -> None:
    """Do it and tell what came of it, if who asks runs the bot.

    Raises:
        RefusedError: they do not, by what Discord says of the application.
    """
    if not await acknowledge(interaction, Ack.PANEL):
        return
    if not await interaction.client.lookups.runs_the_bot(interaction.user.id):
        raise RefusedError("not_operator")
    await interaction.edit_original_response(view=notice(await answer()))


async def _list(interaction: Interaction) -> str:
    hand = interaction.client.host.operators
    found = await hand.troubles()
    await hand.looked(operator_of(interaction.user), "list")
    if not found:
        return t("operator.nothing")
    lines = [f"- {safe(str(finding))}" for finding in found[:MOST]]
    return "\n".join([t("operator.found", count=len(found)), *lines])


async def _done(interaction: Interaction, done: str, do: Callable[[str], Awaitable[Game]]) -> None:
    async def answer() -> str:
        game = await do(operator_of(interaction.user))
        interaction.client.publisher.wake()  # it is said in the game's thread, too
        return t(f"operator.{done}", name=safe(game.name), code=game.code, ply=game.ply)

    await _answered(interaction, answer)


def operator_of(user: discord.User | discord.Member) -> str:
    """How somebody is named in the log of what operators did."""
    return f"{user.name} ({user.id}) on Discord"
