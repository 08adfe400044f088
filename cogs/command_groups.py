"""The command groups ``/carc`` and ``/tourney``, and the table of the handlers of all buttons.

Each group is put together from the classes that the modules in ``cogs.commands`` define. A button's custom id names an
operation (:class:`Op`), for which :data:`HANDLERS` has the handler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from discord import app_commands
from discord.ext import commands

from cogs.commands import (
    appointments,
    board,
    challenge,
    clocks,
    info,
    learn,
    lobby,
    manage,
    notes,
    play,
    records,
    settings,
    table,
    table_options,
)
from cogs.commands.autocomplete import about_game
from cogs.commands.tourneys import exchanging, managing, ratings, teams, tourney
from cogs.games import presenters
from cogs.presenting.ids import Op, Operation
from cogs.services.bot import Ack, Handler, merge_handlers
from cogs.texts import t

# Discord's clients show the commands of a group in the order in which they are registered.
TURN_COMMANDS: Final = (
    "new", "learn", "play", "games", "board", "rules", "settings", "undo", "hints", "tiles", "log", "challenge",
)  # fmt: skip
"""The first commands of ``/carc``: what a newcomer needs, and what belongs to an ordinary turn."""
RARE_COMMANDS: Final = (
    "notes", "here", "resign", "absent", "vacation", "time",
    "leaderboard", "profile", "replay", "export", "import",
    "manage",
)  # fmt: skip
"""The last commands of ``/carc``, behind those of boxes: a game's life, what is over, and what managers need."""
TOURNEY_COMMANDS: Final = (
    "list", "show", "join", "leave", "checkin",
    "ladder", "team", "explain", "report",
    "create", "manage",
)  # fmt: skip
"""The commands of ``/tourney``: what all players need, what few players need, and what organisers need."""


def _order(group: app_commands.Group, names: Sequence[str]) -> None:
    """Put the commands of a group into the order of their names."""
    for command in sorted(group.commands, key=lambda command: names.index(command.name)):
        group.remove_command(command.name)
        group.add_command(command)


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Carc(
    lobby.LobbyCommands,
    learn.LearnCommands,
    challenge.ChallengeCommands,
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
    manage.ManageCommands,
    commands.GroupCog,
    group_name="carc",
    group_description=t("command.group"),
):
    """The ``/carc …`` commands, about games and tables; those that a lesson needs also work in direct messages."""

    time = clocks.TimeGroup()

    def __init__(self) -> None:
        super().__init__()
        group = cast("app_commands.Group", self.app_command)
        of_boxes = [factory(about_game) for factory in presenters.COMMANDS]
        for command in of_boxes:
            group.add_command(command)
        _order(group, (*TURN_COMMANDS, *(command.name for command in of_boxes), *RARE_COMMANDS))


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

    def __init__(self) -> None:
        super().__init__()
        _order(cast("app_commands.Group", self.app_command), TOURNEY_COMMANDS)


_EVENT_HANDLERS: Final = {
    Op.EVENT: Handler(
        Ack.PANEL, tourney.press_handler({**tourney.CARD_HANDLERS, **managing.CARD_HANDLERS, **teams.CARD_HANDLERS})
    ),
    Op.EVENT_PAGE: Handler(
        Ack.UPDATE,
        tourney.press_handler(
            {**tourney.PANEL_HANDLERS, **managing.PANEL_HANDLERS, **exchanging.PANEL_HANDLERS, **teams.PANEL_HANDLERS}
        ),
    ),
    Op.EVENT_FORM: Handler(Ack.MODAL, managing.press_form),
    Op.EVENT_TYPED: Handler(Ack.UPDATE, managing.submit_form),
}
HANDLERS: Final[Mapping[Operation, Handler]] = merge_handlers(
    presenters.HANDLERS,
    lobby.HANDLERS,
    learn.HANDLERS,
    challenge.HANDLERS,
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
    appointments.HANDLERS,
    _EVENT_HANDLERS,
)
"""The handler of every operation that a custom id can name."""
