"""All that the bot does about events, put together: the group ``/tourney`` and the table of its button operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from discord import app_commands
from discord.ext import commands

from cogs.commands.tourneys import managing as tourney_manage
from cogs.commands.tourneys import teams as tourney_teams
from cogs.commands.tourneys import tourney
from cogs.presenting.ids import Op, Operation
from cogs.services.bot import Ack, Handling
from cogs.texts import t

if TYPE_CHECKING:
    from cogs.services.bot import BotServices


@app_commands.guild_only()
class Tourney(
    tourney.TourneyCommands,
    tourney_manage.CreatingCommands,
    commands.GroupCog,
    group_name="tourney",
    group_description=t("command.tourney.group"),
):
    """The commands."""

    manage = tourney_manage.ManageEvents()
    team = tourney_teams.TeamGroup()
    ladder = tourney_teams.LadderGroup()

    def __init__(self, bot: BotServices) -> None:
        super().__init__()
        self.bot = bot


HANDLINGS: Final[Mapping[Operation, Handling]] = {
    Op.EVENT: Handling(
        Ack.PANEL, tourney.pressing({**tourney.ANSWERS, **tourney_manage.ANSWERS, **tourney_teams.ANSWERS})
    ),
    Op.EVENT_PAGE: Handling(
        Ack.UPDATE, tourney.pressing({**tourney.PAGES, **tourney_manage.PAGE_ANSWERS, **tourney_teams.PAGE_ANSWERS})
    ),
    Op.EVENT_FORM: Handling(Ack.MODAL, tourney_manage.press_form),
    Op.EVENT_TYPED: Handling(Ack.UPDATE, tourney_manage.submit_form),
}
