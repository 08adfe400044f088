"""Planning for a bazaar with one command: ``/carc plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.sealed import (
    ASK,
    FIRST,
    LEAP,
    LEAST,
    MOST,
    OTHERWISE,
    PASSING,
    PRICE,
    RAISING,
    keep_plan,
    plan_words,
    planning,
)
from cogs.interactions.replies import acknowledge, guarded
from cogs.interactions.selection import find_game
from cogs.messages import notice
from cogs.presenting.ids import Op
from cogs.services.bot import Ack
from cogs.texts import t
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarPlan

if TYPE_CHECKING:
    from cogs.games.carcassonne.box import AboutGame, BoxCommand
    from cogs.services.bot import Interaction


def _choices(name: str, *values: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=t(f"modal.{name}_{value}"), value=value) for value in values]


@app_commands.describe(
    first=t("command.plan.first"),
    most=t("command.plan.most"),
    raising=t("command.plan.raising"),
    price=t("command.plan.price"),
    otherwise=t("command.plan.otherwise"),
    drop=t("command.plan.drop"),
)
@app_commands.choices(raising=_choices(RAISING, LEAST, LEAP), otherwise=_choices(OTHERWISE, ASK, PASSING))
async def plan(
    interaction: Interaction,
    first: str = "",
    most: str = "",
    raising: str = "",
    price: str = "",
    otherwise: str = "",
    drop: bool = False,  # noqa: FBT001, FBT002 - how a command has its options
    game: str = "",
) -> None:
    """Plan what is typed, in place of what was planned before; without anything, tell what is planned."""
    typed = {FIRST: first, MOST: most, RAISING: raising, PRICE: price, OTHERWISE: otherwise}
    await guarded(interaction, _plan(interaction, {} if drop else typed, game, drop=drop))


def plan_command(about_game: AboutGame) -> BoxCommand:
    """``/carc plan``."""
    return app_commands.Command(name="plan", description=t("command.plan.description"), callback=about_game(plan))


async def _plan(interaction: Interaction, typed: dict[str, str], code: str, *, drop: bool) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game = await find_game(interaction, code, own=True, op=Op.ORDERS)
    asked = await planning(interaction, game.code)
    if drop or any(typed.values()):
        await keep_plan(interaction, asked, typed)
        return
    nothing = asked.plan == BazaarPlan(bazaar=asked.number)
    words = t("plan.none", name=game.name, code=game.code) if nothing else plan_words(game, asked.plan)
    await interaction.edit_original_response(view=notice(words))
