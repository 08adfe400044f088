"""All that the bot does for a player, put together: the group ``/carc`` and the table of button operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from discord import app_commands
from discord.ext import commands

from cogs.commands import (
    board,
    decisions,
    forget_me,
    hints,
    in_words,
    info,
    manage,
    notes,
    play,
    proof,
    records,
    replay,
    reporting,
    settings,
    table,
    undo,
)
from cogs.commands.autocomplete import about_game
from cogs.commands.lobbies import lobby, lobby_options, lobby_seats, rematch
from cogs.commands.times import absent, giving, pausing, reminding, vacation
from cogs.commands.tourneys import ratings
from cogs.games import presenters
from cogs.presenting.ids import Operation
from cogs.services.bot import Handling, together
from cogs.texts import t

if TYPE_CHECKING:
    from cogs.services.bot import BotServices


@app_commands.guild_only()
class Carc(
    lobby.LobbyCommands,
    play.PlayCommands,
    board.BoardCommands,
    info.InfoCommands,
    hints.HintCommands,
    table.TableCommands,
    undo.UndoCommands,
    absent.AbsentCommands,
    replay.ReplayCommands,
    records.RecordCommands,
    ratings.RatingCommands,
    settings.SettingsCommands,
    vacation.VacationCommands,
    notes.NotesCommands,
    giving.TimeCommands,
    reminding.RemindingCommands,
    manage.ManageCommands,
    commands.GroupCog,
    group_name="carc",
    group_description=t("command.group"),
):
    """The commands, one class a file."""

    def __init__(self, bot: BotServices) -> None:
        super().__init__()
        self.bot = bot
        group = cast("app_commands.Group", self.app_command)
        for made in presenters.COMMANDS:
            group.add_command(made(about_game))


HANDLINGS: Final[Mapping[Operation, Handling]] = together(
    presenters.HANDLINGS,
    lobby.HANDLINGS,
    lobby_options.HANDLINGS,
    lobby_seats.HANDLINGS,
    play.HANDLINGS,
    decisions.HANDLINGS,
    board.HANDLINGS,
    in_words.HANDLINGS,
    info.HANDLINGS,
    hints.HANDLINGS,
    table.HANDLINGS,
    undo.HANDLINGS,
    absent.HANDLINGS,
    replay.HANDLINGS,
    rematch.HANDLINGS,
    proof.HANDLINGS,
    records.HANDLINGS,
    settings.HANDLINGS,
    vacation.HANDLINGS,
    manage.HANDLINGS,
    notes.HANDLINGS,
    reporting.HANDLINGS,
    giving.HANDLINGS,
    pausing.HANDLINGS,
    reminding.HANDLINGS,
    forget_me.HANDLINGS,
)
