"""Select the game or event that a command is about: by its code, or by where it is typed and what the user plays."""

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
from cogs.words.names import isolated, others_at, player_name
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped, clipped_name
from engine import Action
from host import Game, GameSummary, HostError, Table
from host.events import EventView

MAX_CANDIDATES: Final = 10
"""Maximum number of games between which the user is asked to choose."""
MAX_LABEL: Final = 80
"""Maximum characters of a button's label."""
MAX_NAME_TO_ACT: Final = 20
"""Maximum width, in units, of the name of the player to move in a list of games."""


async def find_game(interaction: Interaction, code: str | None, *, own: bool, op: Op | None = None) -> Game:
    """Return the game with this code, or without a code the only game that can be meant here.

    With ``own`` only games that the user plays are candidates. If there are several candidates, the refusal asks which
    one is meant, with a button for each that runs ``op`` if one is given.

    Raises:
        HostError: ``unknown_game``, also for a game that the user neither plays nor may see.
        RefusedError: no game, or more than one, can be meant.
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
    """Do for a command what a button with this operation and argument does; see :func:`find_game` for its game."""
    game = await find_game(interaction, code, own=own, op=op)
    await interaction.client.handlers[op].run(interaction, Key(op, game.code, game.revision, argument))


async def game_here(interaction: Interaction) -> Game | None:
    """Return the only game that can be meant here, or None."""
    try:
        return await find_game(interaction, "", own=False)
    except (HostError, RefusedError):
        return None


async def _candidates(interaction: Interaction, *, own: bool) -> list[GameSummary]:
    place, thread = interaction.channel_id or 0, isinstance(interaction.channel, discord.Thread)
    games = await interaction.client.host.game_lists.candidates(
        interaction.user.id, interaction.guild_id or 0, place, own=own, thread=thread
    )
    return [game for game in games[:MAX_CANDIDATES] if game.playing or await sees_table(interaction, game)]


def _ask_which(games: Sequence[GameSummary], op: Op | None, user_id: int) -> RefusedError:
    """Return the refusal that asks which game is meant."""
    codes = ", ".join(game.code for game in games)
    if op is None:
        return RefusedError("which_game", codes=codes)
    labels = [game_label(game, user_id, MAX_LABEL) for game in games]
    pairs = zip(games, labels, strict=True)
    buttons: list[ui.Item[Any]] = [button(op, game.code, game.revision, label) for game, label in pairs]
    return RefusedError("which_game_pressed", codes=codes, offers=rows(buttons))


def game_label(game: GameSummary, user_id: int, longest: int) -> str:
    """Return the label of a game in a user's list, cut to ``longest`` units: its name and code come first."""
    key = "game.waiting" if game.waiting_for_me else "game.running"
    to_act = isolated(clipped_name(player_name(game, game.to_act.user_id), MAX_NAME_TO_ACT)) if game.to_act else ""
    players = ", ".join(isolated(name) for name in others_at(game, user_id))
    return clipped(t(key, name=game.name, code=game.code, player=to_act, players=players), longest)


async def table_to_move(
    interaction: Interaction, ref: str, revision: int | None = None, actions: Sequence[Action] = ()
) -> Table:
    """Return the table if the user has to move there, at this revision, and may do these actions.

    Raises:
        HostError: ``unknown_game``, and as for :meth:`host.games.moves.Moves.table_to_move`.
    """
    snapshot = await snapshot_of(interaction, ref)
    return await interaction.client.host.moves.table_to_move(snapshot, interaction.user.id, revision, actions)


Command = TypeVar("Command", bound=Callable[..., Awaitable[None]])


async def find_event(interaction: Interaction, code: str) -> EventView:
    """Return the event with this code, or without a code the server's only event that is not over, or else its newest.

    Raises:
        HostError: ``unknown_event``.
        RefusedError: more than one event can be meant.
    """
    if code:
        return await admitted_event(interaction, code.strip().upper())
    candidates = await interaction.client.host.events.reader.candidates(interaction.guild_id or 0)
    if len(candidates) > 1:
        raise RefusedError("which_event", codes=", ".join(event.code for event in candidates))
    return await admitted_event(interaction, candidates[0].code)


async def joinable_event(interaction: Interaction, code: str) -> EventView:
    """Return the event that the user wants to enter, also from another server if they can see the event's channel.

    Raises:
        HostError: ``unknown_event``.
        RefusedError: more than one event can be meant.
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
    """Suggest the events of this server, finished ones last."""
    events, guild_id = interaction.client.host.events, interaction.guild_id or 0
    views = [*await events.reader.unfinished(guild_id), *await events.reader.finished(guild_id)]
    names = [(clipped(t("event.choice", name=view.name, code=view.code), MAX_CHOICE_NAME), view.code) for view in views]
    return [(name, code) for name, code in names if folded(typed) in folded(name)]


def about_event(command: Command) -> Command:
    """Describe and complete the option ``event`` of a command."""
    described = app_commands.describe(event=t("command.tourney.event"))(command)
    return app_commands.autocomplete(event=complete_event)(described)


async def access(client: discord.Client, lookups: Lookups, guild_id: int, channel_id: int, user_id: int) -> bool | None:
    """Return whether a user sees the channel of an event.

    None if that is unknown: Discord does not answer, or the channel is gone or hidden from the bot.
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
