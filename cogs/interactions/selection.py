"""Find the game or event that a command is about.

Commands have an optional *code* of a game or event. Without it, the command is about the only game or event that the
user can mean, judging by the channel and by what they play. If there are several, the refusal asks which one is meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import discord
from discord import app_commands, ui

from cogs.interactions.admission import admitted, admitted_event, sees_table
from cogs.interactions.context import fall_back_to_language, snapshot_of
from cogs.interactions.replies import MAX_CHOICE_NAME, button, suggesting
from cogs.messages import rows
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Interaction
from cogs.services.lookups import Lookups, sees
from cogs.texts import t
from cogs.texts.languages import folded
from cogs.words.names import isolate, name_to_act, others_at, safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clip, clip_name, lines_within
from engine import Action
from host import Game, GameSummary, HostError, Table
from host.events import EventView

MAX_CANDIDATES: Final = 10
"""The most games from which the user is asked to choose."""
MAX_NAMED_EVENTS_LENGTH: Final = 1500
"""The most characters of the events from which the user is asked to choose."""
MAX_LABEL: Final = 80
"""The most characters of a button's label."""
MAX_NAME_TO_ACT: Final = 20
"""The most characters of the name of the player to move in a list of games."""


async def find_game(interaction: Interaction, code: str | None, *, own: bool, op: Op | None = None) -> Game:
    """Return the game with this code; without a code, the only game that the user can mean.

    With ``own`` these are only games that the user plays. If there are several, the refusal asks which one is meant; if
    ``op`` is given, it has a button for each that runs this operation.

    Raises:
        HostError: ``unknown_game``, also for a game that the user neither plays nor may see.
        RefusedError: the user can mean no game, or several.
    """
    if code:
        return await admitted(interaction, code)
    candidates = await _candidates(interaction, own=own)
    if not candidates:
        raise RefusedError("no_game")
    if len(candidates) > 1:
        raise _ask_which(candidates, op, interaction.user.id)
    return await admitted(interaction, candidates[0].code)


async def run_operation(interaction: Interaction, code: str, op: Op, argument: str = "", *, own: bool = False) -> None:
    """Do for a command what a button with this operation and argument does, in the game of :func:`find_game`."""
    game = await find_game(interaction, code, own=own, op=op)
    await interaction.client.handlers[op].run(interaction, Key(op, game.code, game.revision, argument))


async def game_here(interaction: Interaction) -> Game | None:
    """Return the only game that the user can mean without a code; None if there is none, or several."""
    try:
        return await find_game(interaction, "", own=False)
    except (HostError, RefusedError):
        return None


async def _candidates(interaction: Interaction, *, own: bool) -> list[GameSummary]:
    """Return the games that the user can mean without a code, and may see."""
    place, thread = interaction.channel_id or 0, isinstance(interaction.channel, discord.Thread)
    games = await interaction.client.host.game_lists.candidates(
        interaction.user.id, interaction.guild_id or 0, place, own=own, thread=thread
    )
    return [game for game in games[:MAX_CANDIDATES] if game.playing or await sees_table(interaction, game)]


def _ask_which(games: Sequence[GameSummary], op: Op | None, user_id: int) -> RefusedError:
    """Return the refusal that asks which of these games is meant."""
    codes = ", ".join(game.code for game in games)
    if op is None:
        return RefusedError("which_game", codes=codes)
    labels = [game_label(game, user_id, MAX_LABEL) for game in games]
    pairs = zip(games, labels, strict=True)
    buttons: list[ui.Item[Any]] = [button(op, game.code, game.revision, label) for game, label in pairs]
    return RefusedError("which_game_pressed", codes=codes, offers=rows(buttons))


def game_label(game: GameSummary, user_id: int, max_length: int) -> str:
    """Return the label of a game in a user's list, cut to a length: its name and code, and who has to move."""
    key = "game.waiting" if game.waiting_for_me else "game.running"
    to_act = isolate(clip_name(name_to_act(game), MAX_NAME_TO_ACT))
    players = ", ".join(isolate(name) for name in others_at(game, user_id))
    return clip(t(key, name=game.name, code=game.code, player=to_act, players=players), max_length)


async def table_to_move(
    interaction: Interaction, ref: str, revision: int | None = None, actions: Sequence[Action] = ()
) -> Table:
    """Return the table of a game if the user has to move there at this revision, and may do these actions.

    Raises:
        HostError: ``unknown_game``, and those of :meth:`host.games.moves.Moves.table_to_move`.
    """
    snapshot = await snapshot_of(interaction, ref)
    return await interaction.client.host.moves.table_to_move(snapshot, interaction.user.id, revision, actions)


Command = TypeVar("Command", bound=Callable[..., Awaitable[None]])


async def find_event(interaction: Interaction, code: str) -> EventView:
    """Return the event with this code; without a code, the server's only unfinished event, else the likeliest one.

    Raises:
        HostError: ``unknown_event``.
        RefusedError: the server has several unfinished events.
    """
    if code:
        return await admitted_event(interaction, code.strip().upper())
    candidates = await interaction.client.host.events.reader.candidates(interaction.guild_id or 0, interaction.user.id)
    if len(candidates) > 1:
        names = [t("event.choice", name=safe(event.name), code=event.code) for event in candidates]
        raise RefusedError("which_event", codes=lines_within(names, MAX_NAMED_EVENTS_LENGTH, ", "))
    return await admitted_event(interaction, candidates[0].code)


async def joinable_event(interaction: Interaction, code: str) -> EventView:
    """Return the event that a user wants to enter; with a code, also one of another server whose channel they can see.

    Raises:
        HostError: ``unknown_event``.
        RefusedError: the server has several unfinished events, and no code is given.
    """
    events = interaction.client.host.events
    if not code:
        return await find_event(interaction, code)
    view = await events.reader.view(code.strip().upper())
    if view.guild_id == interaction.guild_id:
        return await admitted_event(interaction, view.code)
    await events.reader.check_open_to(view, interaction.user.id)
    fall_back_to_language(interaction, view.plan.language)
    return view


@suggesting
async def complete_event(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest the events of this server that match what was typed: those of now, the user's drafts, finished ones."""
    reader, guild_id = interaction.client.host.events.reader, interaction.guild_id or 0
    drafts = await reader.drafts(guild_id, interaction.user.id)
    views = [*await reader.unfinished(guild_id), *drafts, *await reader.finished(guild_id)]
    names = [(clip(t("event.choice", name=view.name, code=view.code), MAX_CHOICE_NAME), view.code) for view in views]
    return [(name, code) for name, code in names if folded(typed) in folded(name)]


def about_event(command: Command) -> Command:
    """Describe and complete the option ``event`` of a command."""
    described = app_commands.describe(event=t("command.tourney.event"))(command)
    return app_commands.autocomplete(event=complete_event)(described)


async def sees_channel(
    client: discord.Client, lookups: Lookups, guild_id: int, channel_id: int, user_id: int
) -> bool | None:
    """Return whether a user can see the channel of an event.

    None if that is unknown, because Discord gives no answer, or because the bot cannot see the channel itself.
    """
    guild = client.get_guild(guild_id)
    if guild is None:
        return None
    try:
        member = await lookups.member(guild_id, user_id)
        place = await lookups.place(guild, channel_id, channel_id)
        if member is None:
            return False
        return None if place is None else await sees(lookups, member, place)
    except RefusedError:
        return None
