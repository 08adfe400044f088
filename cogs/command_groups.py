"""The command groups ``/carc`` and ``/tourney``, and the table of the handlers of all buttons.

Each group is put together from the classes that the modules in ``cogs.commands`` define. A button's custom id names an
operation (:class:`Op`), for which :data:`HANDLERS` has the handler.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from discord import app_commands
from discord.ext import commands

from cogs.commands import board, clocks, info, lobby, manage, notes, play, records, settings, table, table_options
from cogs.commands.autocomplete import about_game
from cogs.commands.tourneys import managing, ratings, teams, tourney
from cogs.games import presenters
from cogs.presenting.ids import Op, Operation
from cogs.services.bot import Ack, Handler, merge_handlers
from cogs.texts import t


@app_commands.guild_only()
class Carc(
    lobby.LobbyCommands,
    play.PlayCommands,
    board.BoardCommands,
    info.InfoCommands,
    board.HintCommands,
    table.TableCommands,
    play.UndoCommands,
    table.AbsentCommands,
    board.ReplayCommands,
    records.RecordCommands,
    ratings.RatingCommands,
    settings.SettingsCommands,
    settings.VacationCommands,
    notes.NotesCommands,
    clocks.RemindingCommands,
    manage.ManageCommands,
    commands.GroupCog,
    group_name="carc",
    group_description=t("command.group"),
):
    """The ``/carc …`` commands, about games and tables."""

    time = clocks.TimeGroup()

    def __init__(self) -> None:
        super().__init__()
        group = cast("app_commands.Group", self.app_command)
        for factory in presenters.COMMANDS:
            group.add_command(factory(about_game))


@app_commands.guild_only()
class Tourney(
    tourney.TourneyCommands,
    managing.CreatingCommands,
    commands.GroupCog,
    group_name="tourney",
    group_description=t("command.tourney.group"),
):
    """The ``/tourney …`` commands, about events (tournaments and leagues)."""

    manage = managing.ManageEvents()
    team = teams.TeamGroup()
    ladder = teams.LadderGroup()


_EVENT_HANDLERS: Final = {
    Op.EVENT: Handler(
        Ack.PANEL, tourney.press_handler({**tourney.CARD_HANDLERS, **managing.CARD_HANDLERS, **teams.CARD_HANDLERS})
    ),
    Op.EVENT_PAGE: Handler(
        Ack.UPDATE, tourney.press_handler({**tourney.PANEL_HANDLERS, **managing.PANEL_HANDLERS, **teams.PANEL_HANDLERS})
    ),
    Op.EVENT_FORM: Handler(Ack.MODAL, managing.press_form),
    Op.EVENT_TYPED: Handler(Ack.UPDATE, managing.submit_form),
}
HANDLERS: Final[Mapping[Operation, Handler]] = merge_handlers(
    presenters.HANDLERS,
    lobby.HANDLERS,
    table_options.HANDLERS,
    play.HANDLERS,
    board.HANDLERS,
    info.HANDLERS,
    table.HANDLERS,
    records.HANDLERS,
    settings.HANDLERS,
    manage.HANDLERS,
    notes.HANDLERS,
    clocks.HANDLERS,
    _EVENT_HANDLERS,
)
"""The handler of every operation that a custom id can name."""
