"""Commands about a seat or the place of a game: ``/carc resign``, ``/carc absent`` and ``/carc here``.

A player may resign, after a confirmation. For an absent player, a substitute or a computer may take over the seat, or
the game may continue without them, if the other players agree. A button of the card gives a player the seat back from
a computer. ``/carc here`` moves a game to the channel in which it is used; the players are told in both places.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import discord
from discord import ButtonStyle, app_commands
from discord.ext import commands

from cogs.commands.autocomplete import complete_player
from cogs.commands.slash import command
from cogs.interactions.admission import admitted, asker_of, deserted_game, on_game, person_of
from cogs.interactions.context import table_of
from cogs.interactions.replies import Press, button, is_panel
from cogs.interactions.selection import find_game, run_operation
from cogs.interactions.threads import current_venue, players_in_server, players_unable_to_see, require_table_permissions
from cogs.messages import layout, notice, rows
from cogs.panels.deciding import show_done
from cogs.presenting.ids import Key, Op, parse_id
from cogs.services.bot import Ack, Handler, Interaction
from cogs.services.lookups import CONNECTION_BROKEN, sees
from cogs.texts import t
from cogs.texts.languages import folded, speaking
from cogs.words.asking import offers_words, outcome_words
from cogs.words.names import level_words, link, player_name, safe
from cogs.words.refusals import RefusedError
from host import (
    INVITED_USER,
    LEVELS,
    QUICK,
    STAND_IN_LEVEL,
    Game,
    HostError,
    Person,
    Request,
    RequestKind,
    RequestState,
    check_playing,
)
from host.notifications import OCCASIONS, Occasion
from host.observability import game_fields

log = logging.getLogger(__name__)


class TableCommands(commands.Cog):
    """``/carc resign``, ``/carc here``."""

    @command("resign", direct=True)
    async def resign(self, interaction: Interaction, game: str = "") -> None:
        """Ask the player to confirm that they resign."""
        await run_operation(interaction, game, Op.RESIGNING, own=True)

    @command("here")
    async def here(self, interaction: Interaction, game: str = "") -> None:
        """Continue a game in this channel, even if the bot has left its server."""
        deserted = await deserted_game(interaction, game) if game else None
        await _move_here(interaction, deserted or await find_game(interaction, game, own=True, op=Op.HERE))


async def ask_to_resign(interaction: Interaction, game: Game) -> None:
    """Ask the player privately to confirm, so that no single word or tap ends their game.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen`` or ``resigned``.
    """
    check_playing(game, interaction.user.id)
    position = (await table_of(interaction, game.code)).position
    last = position.withdrawn.count(False) <= 2 or len(game.players) == 1
    stands_in = interaction.client.host.moves.stand_in_of(game, interaction.user.id) is not None
    key = "resign.ask_stand_in" if stands_in else "resign.ask_last" if last else "resign.ask"
    text = t(key, name=game.name, code=game.code)
    confirm = button(Op.RESIGN, game.code, game.revision, t("button.resign"), style=ButtonStyle.danger)
    await interaction.edit_original_response(view=layout(text, rows([confirm])))


async def press_resign(interaction: Interaction, key: Key) -> None:
    """Resign from the game; at some tables a computer plays on."""
    client = interaction.client
    outcome = await client.host.moves.resign(key.ref, interaction.user.id, interaction.id)
    client.publisher.move_made(outcome)
    if outcome.game.seat_of(interaction.user.id) is None and is_panel(interaction):
        text = t("resign.stood_in", name=outcome.game.name, code=outcome.game.code)
        await interaction.edit_original_response(view=notice(text))
        return
    await show_done(interaction, outcome)


async def _move_here(interaction: Interaction, game: Game) -> None:
    """Move the game to this place, which all its players must be able to see, and announce that.

    The place may be in another server, of which all players are members.
    """
    client, user_id = interaction.client, interaction.user.id
    check_playing(game, user_id)
    if game.settings.lesson:
        raise RefusedError("lesson_stays")
    if interaction.guild_id is None:
        raise RefusedError("other_server")
    require_table_permissions(interaction)
    members: frozenset[int] = frozenset()
    if interaction.guild_id != game.guild_id:
        members = await players_in_server(interaction, game)
    place = current_venue(interaction, await players_unable_to_see(interaction, game))
    place = replace(place, guild_id=interaction.guild_id, members=members)
    relocation = await client.host.places.move_here(game.code, user_id, place)
    if relocation.place != game.place:
        await _announce(interaction, game, relocation)
    client.publisher.wake()
    await client.publisher.show_again(relocation, before=game.place)
    key = "here.copied" if relocation.place == game.place else "here.done"
    await interaction.edit_original_response(view=notice(t(key, name=game.name, code=game.code)))


async def _announce(interaction: Interaction, before: Game, relocation: Game) -> None:
    """Announce the move: mention the players in the new place, and leave a link in the old one."""
    values = {"player": safe(person_of(interaction).name), "name": relocation.name, "code": relocation.code}
    players = " ".join(f"<@{person.user_id}>" for person in relocation.players)
    other_players = [person.user_id for person in relocation.players if person.user_id != interaction.user.id]
    quiet_users = await interaction.client.host.deferred_notifications.defer_quiet(relocation, other_players)
    pinged = OCCASIONS[Occasion.MOVED].pinged([person.user_id for person in relocation.players], quiet_users)
    awake = [discord.Object(user_id) for user_id in pinged]
    same_server = before.guild_id == relocation.guild_id  # a channel of another server cannot be mentioned
    old_place = f"<#{before.place}>" if same_server else link(before.guild_id, before.place)
    new_place = f"<#{relocation.place}>" if same_server else link(relocation.guild_id, relocation.place)
    with speaking(relocation.settings.language):
        moved_in = t("here.moved_in", place=old_place, players=players, **values)
        moved_out = t("here.moved_out", place=new_place, **values)
    await _send_to_place(interaction, relocation, moved_in, discord.AllowedMentions(users=awake))
    await _send_to_place(interaction, before, moved_out, discord.AllowedMentions.none())


async def _send_to_place(interaction: Interaction, game: Game, text: str, mentions: discord.AllowedMentions) -> None:
    """Send a message to the place of a game; a place that is gone or closed to the bot is skipped."""
    channel = interaction.client.get_partial_messageable(game.place, guild_id=game.guild_id)
    try:
        await channel.send(view=notice(text), allowed_mentions=mentions)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info("could not announce that a game has moved: %s", error, extra=game_fields(game))


NO_SUBSTITUTE: Final = 0
"""The number in place of a substitute's user id if the game is to continue without one."""


class AbsentCommands(commands.Cog):
    """``/carc absent``."""

    @command("absent")
    @app_commands.autocomplete(player=complete_player)
    async def absent(
        self, interaction: Interaction, player: str, substitute: discord.Member | None = None, game: str = ""
    ) -> None:
        """Show the effect of a substitute, or of a computer or an empty seat, and the players who have to agree."""
        selected = await find_game(interaction, game, own=False)
        user_id = _typed_player(selected, player)
        person = None if substitute is None else await _checked_substitute(interaction, selected, substitute)
        requests = await _drafts(interaction, selected, user_id, person)
        silent = await interaction.client.host.substitutions.silence_agrees(selected, user_id)
        silences = [silent and request.kind is RequestKind.REPLACE for request in requests]
        buttons = [press for request in requests for press in _ask_buttons(selected, request)]
        await interaction.edit_original_response(view=layout(offers_words(selected, requests, silences), rows(buttons)))


async def _drafts(interaction: Interaction, game: Game, user_id: int, substitute: Person | None) -> list[Request]:
    """Return the requests about a seat that the user may make.

    They name the substitute or, without one, they are to go on without the player, and to let a computer play.

    Raises:
        HostError: the user may make none of them.
    """
    draft = partial(interaction.client.host.substitutions.draft, game.code, asker_of(interaction), user_id)
    if substitute is not None:
        return [await draft(substitute=substitute)]
    requests, errors = list[Request](), list[HostError]()
    for level in ("", QUICK):
        try:
            requests.append(await draft(level=level))
        except HostError as error:
            errors.append(error)
    if not requests:
        raise errors[0]
    return requests


def _ask_buttons(game: Game, request: Request) -> Iterator[Press]:
    """Yield the buttons that submit a request: one for each level if it is about a computer."""
    if STAND_IN_LEVEL in request.details:
        for level in LEVELS:
            label = t("button.computer_seat", level=level_words(level))
            yield button(Op.SEAT, game.code, game.revision, label, argument=f"{request.subject} +{level}")
        return
    substitute_id = request.details.get(INVITED_USER, NO_SUBSTITUTE)
    label = t("button.ask" if request.kind is RequestKind.REPLACE else "button.withdraw")
    argument = f"{request.subject} {substitute_id}"
    yield button(Op.SEAT, game.code, game.revision, label, argument=argument, style=ButtonStyle.primary)


async def press_seat(interaction: Interaction, key: Key) -> None:
    """Ask the others for the substitute or computer that the panel offers, or to continue without the player."""
    client = interaction.client
    player, _, wanted = key.argument.partition(" ")
    level = wanted[1:] if wanted.startswith("+") else ""
    try:
        user_id, substitute_id = parse_id(player), NO_SUBSTITUTE if level else parse_id(wanted)
    except ValueError as error:
        raise RefusedError("unknown_button") from error
    game = await admitted(interaction, key.ref)
    person = None
    if substitute_id != NO_SUBSTITUTE:
        member = await client.lookups.member(game.guild_id, substitute_id)
        if member is None:
            raise RefusedError("no_member")
        person = await _checked_substitute(interaction, game, member)
    asker = asker_of(interaction)
    request = await client.host.substitutions.request(
        key.ref, asker, user_id, interaction.id, substitute=person, level=level
    )
    client.publisher.wake()
    if request.state is RequestState.GRANTED:
        text = outcome_words(game, request, asker.user_id)
    else:
        text = t("asking.asked", at=int(request.lapses_at.timestamp()))
    await interaction.edit_original_response(view=notice(text), attachments=[])


async def press_take(interaction: Interaction, key: Key) -> None:
    """Ask the people at a table whether the user may take over the seat of the computer that does not decide."""
    client, member = interaction.client, interaction.user
    game = await admitted(interaction, key.ref)
    if not isinstance(member, discord.Member):
        raise RefusedError("no_member")
    person = await _checked_substitute(interaction, game, member)
    request = await client.host.substitutions.take(key.ref, person, key.revision, interaction.id)
    client.publisher.wake()
    text = t("asking.asked", at=int(request.lapses_at.timestamp()))
    await interaction.edit_original_response(view=notice(text), attachments=[])


async def press_return(interaction: Interaction, key: Key) -> None:
    """Give the user the seat back in which a computer plays for them."""
    client = interaction.client
    game = await client.host.seats.come_back(key.ref, person_of(interaction), interaction.id)
    client.publisher.wake()
    play = button(Op.PLAY, game.code, game.revision, t("button.play"), style=ButtonStyle.primary)
    is_to_move = game.person_to_act is not None and game.person_to_act.user_id == interaction.user.id
    text = t("computer.returned", name=game.name, code=game.code)
    await interaction.edit_original_response(view=notice(text, *rows([play] if is_to_move else [])))


def _typed_player(game: Game, typed: str) -> int:
    """Return the user id of the player that was typed: an id, as a suggestion gives it, or a name.

    Raises:
        RefusedError: no player of the game has this name.
    """
    query = folded(typed.strip().lstrip("@"))
    names = [(person.user_id, player_name(game, person.user_id)) for person in game.players]
    for user_id, name in names:
        if query in {str(user_id), f"<@{user_id}>", folded(name)}:
            return user_id
    raise RefusedError("no_such_player", players=", ".join(safe(name) for _, name in names))


async def _checked_substitute(interaction: Interaction, game: Game, member: discord.Member) -> Person:
    """Return the member as a person who can take over a seat: no bot, in the game's server, able to see its place.

    Raises:
        RefusedError: the member cannot take over, or Discord does not say.
    """
    lookups = interaction.client.lookups
    if member.guild.id != game.guild_id:
        raise RefusedError("no_member")
    if member.bot:
        raise RefusedError("no_bots")
    place = await lookups.place(member.guild, game.place, game.channel_id)
    if place is None or not await sees(lookups, member, place):
        raise RefusedError("sees_nothing", place=f"<#{game.place}>")
    return Person(member.id, member.display_name)


HANDLERS: Final = {
    Op.RESIGN: Handler(Ack.UPDATE, press_resign),
    Op.RESIGNING: Handler(Ack.PANEL, on_game(ask_to_resign)),
    Op.HERE: Handler(Ack.PANEL, on_game(_move_here)),
    Op.SEAT: Handler(Ack.UPDATE, press_seat),
    Op.RETURN: Handler(Ack.PANEL, press_return),
    Op.TAKE: Handler(Ack.PANEL, press_take),
}
