"""Lobbies, in which the players of a game gather before it begins: ``/carc new``, the lobby's card, and [Rematch].

The *card* is the public message that shows the members and the rules; its buttons let users join, leave and start the
game, which is played in a thread of its own or in the channel. In the private panel [Seats] the owner of the table or a
manager of the server removes a member, lets them in again, or closes the table. [Rematch] on the last card of a game
opens a lobby for the same players.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands import autocomplete
from cogs.commands.slash import command
from cogs.games.presenters import PRESENTERS
from cogs.interactions.admission import admitted, asker_of, lobby_id, number_of, person_of
from cogs.interactions.context import language_of_new_table
from cogs.interactions.replies import Press, acknowledge, button, publish, tell
from cogs.interactions.threads import (
    current_venue,
    open_thread,
    require_table_permissions,
    require_thread_permissions,
    venue_of,
)
from cogs.messages import layout, notice, rows
from cogs.panels.own_settings import NO_TABLE
from cogs.presenting.ids import HERE, LOBBY, Key, Op
from cogs.services.bot import Ack, BotServices, Handler, Interaction
from cogs.texts import listed, t
from cogs.texts.languages import speaking
from cogs.words.names import (
    MARKS,
    isolate,
    level_words,
    link,
    owner_name,
    player_names,
    safe,
    seat_name,
    seat_names,
    table_link,
)
from cogs.words.punctuality import player_line
from cogs.words.refusals import RefusedError
from cogs.words.story import seats_and_places
from cogs.words.table_options import options_words, settings_words, with_boxes
from engine import DEFAULT_GAME, GAMES, Position
from host import (
    LEVELS,
    LOBBY_LIFE,
    MAX_DAYS_AHEAD,
    QUICK,
    Asker,
    ClosingNotice,
    Game,
    GuildSettings,
    Lobby,
    LobbyState,
    NewLobby,
    PunctualityRecord,
    computers_named,
    is_manager,
    people_of,
    rotated_seats,
    unique_names,
)
from host.events.views import EventView
from host.notifications import OCCASIONS, Occasion

UNKNOWN_MESSAGE: Final = 10008
"""Discord's error code for a message that was deleted."""


class LobbyCommands(commands.Cog):
    """``/carc new``."""

    @command("new", ack=None, game="new.game")
    @app_commands.autocomplete(rules=autocomplete.complete_preset, expansions=autocomplete.complete_expansions)
    @app_commands.choices(game=autocomplete.GAME_CHOICES)
    async def new(
        self,
        interaction: Interaction,
        game: str = DEFAULT_GAME,
        players: app_commands.Range[int, autocomplete.MIN_PLAYERS, autocomplete.MAX_PLAYERS] | None = None,
        rules: str = "",
        expansions: str = "",
        computers: app_commands.Range[int, 1, autocomplete.MAX_PLAYERS - 1] | None = None,
        ends: app_commands.Range[int, 1, MAX_DAYS_AHEAD] | None = None,
    ) -> None:
        """Open a table for others to join."""
        require_table_permissions(interaction)
        boxes = autocomplete.expansions_of(game, expansions, PRESENTERS[game].default_expansions)
        new = NewLobby(
            guild_id=interaction.guild_id or 0,
            channel_id=interaction.channel_id or 0,
            owner=person_of(interaction),
            game=game,
            capacity=autocomplete.capacity_of(game, players, computers or 0),
            expansions=boxes,
            options=autocomplete.options_of(game, rules) if rules else with_boxes(game, (), boxes, {}),
            computers=computers_named([QUICK] * (computers or 0)),
        )
        if not await acknowledge(interaction, Ack.PANEL):
            return
        settings = await interaction.client.host.servers.usual_settings(new.guild_id)
        await open_lobby(interaction, replace(new, settings=replace(settings, ends_after=ends or 0)))


async def open_lobby(interaction: Interaction, new: NewLobby) -> None:
    """Open a lobby and post its card, in the language of the place; a challenge pings those who are challenged."""
    client = interaction.client
    new = replace(new, settings=replace(new.settings, language=language_of_new_table(interaction, new.settings)))
    lobby = await client.host.lobbies.open(new, interaction.id, current_venue(interaction), asker_of(interaction))
    async with client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        lobby = await client.host.lobbies.get(lobby.id)
        if lobby.message_id is not None:  # the command was delivered twice
            return
        await interaction.edit_original_response(view=notice(t("lobby.opening")))
        pinged = OCCASIONS[Occasion.CHALLENGE].pinged(*await client.host.challenges.called(lobby))
        message = await publish(interaction, lobby_card(lobby), pinged=pinged)
        await client.host.lobbies.set_message(lobby.id, message.id)


async def press_join(interaction: Interaction, key: Key) -> None:
    """Join the table."""
    lobby = await interaction.client.host.lobbies.join(lobby_id(key), person_of(interaction), interaction.id)
    await _redraw(interaction, lobby.id)


async def press_accept(interaction: Interaction, key: Key) -> None:
    """Accept a challenge. Once everybody has, the game starts; if it cannot, the card shows how to do it later."""
    lobby = await interaction.client.host.lobbies.join(lobby_id(key), person_of(interaction), interaction.id)
    await _redraw(interaction, lobby.id)
    if lobby.full:
        # The press is recorded as the answer to the challenge, so its start has an id of its own.
        await _begin(interaction, lobby, -interaction.id)


async def press_refuse(interaction: Interaction, key: Key) -> None:
    """Decline a challenge, or withdraw one's own."""
    host, number = interaction.client.host, lobby_id(key)
    lobby = await host.lobbies.get(number)
    if lobby.owner_id == interaction.user.id:
        await host.lobbies.close(number, asker_of(interaction), interaction.id)
    else:
        await host.challenges.decline(number, interaction.user.id, interaction.id)
    await _redraw(interaction, number)


async def press_leave(interaction: Interaction, key: Key) -> None:
    """Leave the table."""
    lobby = await interaction.client.host.lobbies.leave(lobby_id(key), interaction.user.id, interaction.id)
    await _redraw(interaction, lobby.id)


async def press_keep(interaction: Interaction, key: Key) -> None:
    """Keep the table open for longer, and update the notice and the lobby card."""
    client = interaction.client
    lobby = await client.host.lobbies.keep(lobby_id(key), interaction.user.id, interaction.id)
    with speaking(lobby.settings.language):
        name = unique_names([*lobby.members, person_of(interaction)])[-1]
        words = t("lobby.kept", player=safe(name), day=_last_day(lobby))
    await interaction.edit_original_response(view=layout(words))
    async with client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        await show_lobby(client, await client.host.lobbies.get(lobby.id))


async def _redraw(interaction: Interaction, lobby_id: int) -> None:
    """Show the current lobby on its card; the lock makes sure that the newest state is drawn last."""
    client = interaction.client
    async with client.lobby_edits.setdefault(lobby_id, asyncio.Lock()):
        lobby = await client.host.lobbies.get(lobby_id)
        if lobby.state is not LobbyState.STARTED:
            await interaction.edit_original_response(view=lobby_card(lobby))


async def press_start(interaction: Interaction, key: Key) -> None:
    """Start the game, in a thread of its own or in the channel."""
    lobby = await interaction.client.host.lobbies.get(lobby_id(key))
    await _begin(interaction, lobby, interaction.id, here=key.argument == HERE)


async def _begin(interaction: Interaction, lobby: Lobby, interaction_id: int, *, here: bool = False) -> None:
    """Start the game or match of a lobby; ``here`` starts it in the channel itself.

    ``interaction_id`` is what a repetition is recognised by.
    """
    client = interaction.client
    if lobby.state is not LobbyState.OPEN or not _may_start(lobby, interaction.user.id):
        await _start(interaction, lobby, interaction_id, in_thread=False)  # the host refuses with a reason
        return
    require_table_permissions(interaction)
    if lobby.is_match:
        event = await client.host.matches.begin(lobby.id, interaction.user.id, interaction_id)
        client.publisher.wake()
        await interaction.edit_original_response(view=match_card(lobby, event))
        return
    in_channel = client.table_in_channel or here or isinstance(interaction.channel, discord.Thread)
    if in_channel:
        await _start(interaction, lobby, interaction_id, in_thread=False)
        return
    require_thread_permissions(interaction, lobby.id)
    async with client.host.lobbies.starting(lobby.id, interaction_id) as claimed:
        if not claimed:
            raise RefusedError("lobby_starting")
        await _start(interaction, lobby, interaction_id, in_thread=True)


async def _start(interaction: Interaction, lobby: Lobby, interaction_id: int, *, in_thread: bool) -> None:
    """Start the game of a lobby, in a new thread or in the channel."""
    client, label = interaction.client, await interaction.client.host.lobbies.free_label()
    thread_id = await open_thread(interaction, lobby, label) if in_thread else None
    game = await client.host.lobbies.start(
        lobby.id, interaction.user.id, interaction_id, thread_id=thread_id, label=label
    )
    client.publisher.wake()
    await _show_started(interaction, lobby, game, thread_id or game.channel_id)


async def show_lobby(client: BotServices, lobby: Lobby) -> bool:
    """Show the current lobby on its card; a deleted card is posted again while the lobby is open.

    Return False if that is impossible, because the channel is gone or closed to the bot.
    """
    if lobby.message_id is None:
        return False
    channel = client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
    try:
        await channel.get_partial_message(lobby.message_id).edit(view=lobby_card(lobby))
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE or lobby.state is not LobbyState.OPEN:
            return False
    except discord.Forbidden:
        return False
    else:
        return True
    try:
        message = await channel.send(view=lobby_card(lobby), allowed_mentions=discord.AllowedMentions.none())
    except (discord.NotFound, discord.Forbidden):
        return False
    await client.host.lobbies.set_message(lobby.id, message.id)
    return True


async def call_challenged(client: BotServices, lobby: Lobby) -> None:
    """Tell those who are challenged that somebody has changed the rules, and that they are asked again."""
    pinged = OCCASIONS[Occasion.CHALLENGE].pinged(*await client.host.challenges.called(lobby))
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in pinged])
    players = " ".join(f"<@{person.user_id}>" for person in lobby.challenged)
    url = link(lobby.guild_id, lobby.channel_id, lobby.message_id)
    with speaking(lobby.settings.language):
        words = t("challenge.changed", players=players, owner=owner_name(lobby), url=url)
    channel = client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
    with suppress(discord.NotFound, discord.Forbidden):  # the panel says that the card cannot be shown
        await channel.send(view=layout(words), allowed_mentions=mentions)


def _may_start(lobby: Lobby, user_id: int) -> bool:
    """Return whether the user can probably start the game, so that no thread is opened in vain; the host decides."""
    entitled = user_id == lobby.owner_id or (lobby.full and lobby.member(user_id) is not None)
    return entitled and len(lobby.players) >= GAMES[lobby.game].players[0]


async def _show_started(interaction: Interaction, lobby: Lobby, game: Game, place: int) -> None:
    """Turn the lobby card into a link to the game."""
    view = started_card(lobby, game, place)
    await interaction.edit_original_response(view=view)
    pressed_id = interaction.message.id if interaction.message else None
    if lobby.message_id not in (None, pressed_id):
        channel = interaction.client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        with suppress(discord.NotFound):  # the card was deleted; the game has started all the same
            await channel.get_partial_message(lobby.message_id).edit(view=view)


def lobby_card(lobby: Lobby, call: str = "") -> ui.LayoutView:
    """Return the lobby card: players, rules and buttons; ``call`` is an invitation shown above them."""
    if lobby.is_challenge:
        return challenge_card(lobby)
    fewest = GAMES[lobby.game].players[0]
    ref = str(lobby.id)
    join, start = ButtonStyle.primary, ButtonStyle.secondary
    if lobby.full:  # the next button to press is [Start]
        join, start = start, join
    with speaking(lobby.settings.language):
        if lobby.state in {LobbyState.CLOSED, LobbyState.EXPIRED}:
            return layout(_farewell(lobby))
        buttons = [
            button(Op.JOIN, ref, 0, t("button.join"), style=join, disabled=lobby.full),
            button(Op.LEAVE, ref, 0, t("button.leave")),
            button(Op.START, ref, 0, t("button.start"), style=start, disabled=len(lobby.players) < fewest),
            button(Op.RULING, ref, 0, t("button.ruling")),
            button(Op.SEATS, ref, 0, t("button.seats")),
            button(Op.COMPUTERS, ref, 0, t("button.computers")),
        ]
        return layout(call or None, _lobby_text(lobby), rows(buttons))


def challenge_card(lobby: Lobby) -> ui.LayoutView:
    """Return the card of a challenge: who has answered how, the rules, and buttons for the answers."""
    ref, primary = str(lobby.id), ButtonStyle.primary
    with speaking(lobby.settings.language):
        if lobby.state in {LobbyState.CLOSED, LobbyState.EXPIRED}:
            return layout(_farewell(lobby))
        op, label = (Op.START, "button.start") if lobby.full else (Op.ACCEPT, "button.accept")
        buttons = [
            button(op, ref, 0, t(label), style=primary),
            button(Op.REFUSE, ref, 0, t("button.refuse")),
            button(Op.RULING, ref, 0, t("button.ruling")),
            button(Op.SEATS, ref, 0, t("button.seats")),
        ]
        return layout(_challenge_text(lobby), rows(buttons))


def _challenge_text(lobby: Lobby) -> str:
    """Return the text of a challenge: who has answered how, the rules, and until when it can be accepted."""
    game = t(f"rulebook.game.{lobby.game}")
    names = iter([safe(name) for name in unique_names([*lobby.members, *lobby.challenged, *lobby.declined])])
    lines = [t("challenge.title", owner=owner_name(lobby), game=game)]
    if lobby.is_match:
        lines.append(t(f"challenge.{'rated' if lobby.rated else 'unrated'}", count=lobby.best_of))
    for key, people in (("accepted", lobby.members), ("asked", lobby.challenged), ("declined", lobby.declined)):
        for person in people:
            name = next(names)
            if person.user_id == lobby.owner_id:
                lines.append(t("lobby.member", player=name))
            else:
                mention = f"<@{person.user_id}>" if key == "asked" else name
                lines.append(t(f"challenge.{key}", player=mention))
    lines += ["", _rules(lobby), "", *_meeting_line(lobby), *PRESENTERS[lobby.game].remarks()]
    if lobby.full:
        hints = [t("challenge.hint_full"), t("lobby.expires", day=_last_day(lobby))]
    else:
        hints = [t("challenge.hint"), t("challenge.expires", day=_last_day(lobby))]
    return "\n".join([*lines, *hints])


def _farewell(lobby: Lobby) -> str:
    """Return why a table was closed before its game started."""
    if lobby.is_challenge and lobby.state is LobbyState.CLOSED:
        owner = owner_name(lobby)
        if not lobby.declined:
            return t("challenge.withdrawn", owner=owner)
        return t("challenge.refused", owner=owner, players=listed([safe(person.name) for person in lobby.declined]))
    if lobby.state is LobbyState.EXPIRED:
        return t("lobby.expired", days=LOBBY_LIFE.days)
    return t("lobby.closed_by_hand" if lobby.members else "lobby.closed")


def _lobby_text(lobby: Lobby) -> str:
    """Return the text of the lobby card: title, members, free seats, rules, and when it closes."""
    seated, game = len(lobby.players), t(f"rulebook.game.{lobby.game}")
    title = t("lobby.title", owner=owner_name(lobby), game=game, seated=seated, capacity=lobby.capacity)
    names = [safe(name) for name in player_names([*lobby.players, *rotated_seats(lobby.former)])]
    rematch = [t("lobby.rematch", players=listed(names[seated:]))] if lobby.former else []
    members = [t("lobby.member", player=name) for name in names[:seated]]
    free = [t("lobby.free")] * (lobby.capacity - seated)
    remarks = PRESENTERS[lobby.game].remarks()
    expiry = t("lobby.expires", day=_last_day(lobby))
    parts = [title, *rematch, *members, *free, "", _rules(lobby), "", *_meeting_line(lobby), *remarks, _hint(lobby)]
    return "\n".join([*parts, expiry])


def _meeting_line(lobby: Lobby) -> list[str]:
    """Return the line about the time at which the people of a table have agreed to meet, if they have."""
    return [t("lobby.meets", at=int(lobby.meets_at.timestamp()))] if lobby.meets_at else []


def _hint(lobby: Lobby) -> str:
    """Return the sentence about how the game is started."""
    every_seat = lobby.capacity == GAMES[lobby.game].players[0]
    return t("lobby.hint_all" if every_seat else "lobby.hint")


def _last_day(lobby: Lobby) -> str:
    """Return the day on which an unchanged lobby will be closed, as a timestamp for Discord."""
    return f"<t:{int((lobby.changed_at + LOBBY_LIFE).timestamp())}:D>"


def closing_notice(notice: ClosingNotice) -> ui.LayoutView:
    """Return the notice to the members of an old lobby about when it closes, with a button to keep it open.

    The nonce in the button's custom id identifies the message in its channel.
    """
    lobby = notice.lobby
    with speaking(lobby.settings.language):
        players = " ".join(f"<@{person.user_id}>" for person in lobby.members)
        words = t("lobby.closing", players=players, owner=owner_name(lobby), day=_last_day(lobby))
        label, style = t("button.keep"), ButtonStyle.primary
        keep = button(Op.KEEP_GATHERING, str(lobby.id), 0, label, argument=notice.nonce, style=style)
        return layout(words, rows([keep]))


def _rules(lobby: Lobby) -> str:
    """Return the rules and settings of the table in words; what clocks do is in the panel of its rules."""
    presenter = PRESENTERS[lobby.game]
    words = options_words(presenter, lobby.expansions, lobby.options, lobby.game)
    return "\n".join([words, *settings_words(presenter, lobby.settings, lobby.expansions, brief=True)])


def started_card(lobby: Lobby, game: Game, place: int) -> ui.LayoutView:
    """Return the lobby card of a game that has started."""
    with speaking(game.settings.language):
        players = listed(seat_names(game))
        text = t("lobby.started", name=game.name, code=game.code, players=players, place=f"<#{place}>")
        return layout(f"{text}\n{_rules(lobby)}")


def match_card(lobby: Lobby, event: EventView) -> ui.LayoutView:
    """Return the card of a challenge whose match has begun."""
    with speaking(lobby.settings.language):
        players = listed([safe(name) for name in unique_names(lobby.members)])
        return layout(t("challenge.match_begun", players=players, code=event.code))


def ended_card(lobby: Lobby, game: Game, position: Position | None) -> ui.LayoutView:
    """Return the lobby card of a game that is over, or was closed."""
    title = f"{game.name} · {game.code}"
    with speaking(game.settings.language):
        where = t("lobby.played_in", place=f"<#{game.place}>")
        if position is None or not position.is_over:  # closed before its end, without a result
            return layout("\n".join([t("lobby.game_closed", game=title), where, _rules(lobby)]))
        lines = [t("lobby.ended", game=title)]
        for seat, place in seats_and_places(position):
            points = position.scores[seat]
            key = "lobby.result_left" if position.withdrawn[seat] else "lobby.result"
            lines.append(t(key, place=place, mark=MARKS[seat], player=seat_name(game, seat), count=points))
        return layout("\n".join([*lines, where, _rules(lobby)]))


CONFIRMED: Final = "sure"
"""The argument of the button that closes a table, after the user was asked to confirm."""
MAX_BARRED: Final = 10
"""The most removed members whom the panel offers to let in again, the latest ones."""


async def press_seats(interaction: Interaction, key: Key) -> None:
    """Open the seats panel."""
    host = interaction.client.host
    await _show(interaction, await host.lobbies.get(lobby_id(key)))


async def press_remove(interaction: Interaction, key: Key) -> None:
    """Remove a member from the table."""
    client, number = interaction.client, lobby_id(key)
    async with client.lobby_edits.setdefault(number, asyncio.Lock()):
        lobbies = client.host.lobbies
        lobby = await lobbies.remove(number, asker_of(interaction), number_of(key), interaction.id)
        await _show_change(interaction, lobby)


async def press_readmit(interaction: Interaction, key: Key) -> None:
    """Let a removed member join again."""
    lobbies = interaction.client.host.lobbies
    lobby = await lobbies.readmit(lobby_id(key), asker_of(interaction), number_of(key), interaction.id)
    await _show(interaction, lobby)


async def press_close(interaction: Interaction, key: Key) -> None:
    """Close the table after a confirmation."""
    client, number = interaction.client, lobby_id(key)
    if key.argument != CONFIRMED:
        sure = button(Op.CLOSE, key.ref, 0, t("button.close"), argument=CONFIRMED, style=ButtonStyle.danger)
        await interaction.edit_original_response(view=layout(t("seats.close"), rows([sure])))
        return
    async with client.lobby_edits.setdefault(number, asyncio.Lock()):
        lobby = await client.host.lobbies.close(number, asker_of(interaction), interaction.id)
        await _show_change(interaction, lobby)


async def _show_change(interaction: Interaction, lobby: Lobby) -> None:
    """Show the changed lobby on its card, then in the panel."""
    is_shown = await show_lobby(interaction.client, lobby)
    await _show(interaction, lobby)
    if not is_shown:
        await tell(interaction, t("lobby.unshown"))


async def _show(interaction: Interaction, lobby: Lobby) -> None:
    """Fill the seats panel."""
    if lobby.state is not LobbyState.OPEN:
        await interaction.edit_original_response(view=_not_open(lobby))
        return
    host = interaction.client.host
    settings = await host.servers.get(lobby.guild_id)
    records = await host.punctuality.shown_by([person.user_id for person in (*lobby.members, *lobby.challenged)])
    await interaction.edit_original_response(view=seats_panel(lobby, asker_of(interaction), settings, records))


def seats_panel(
    lobby: Lobby, asker: Asker, settings: GuildSettings, records: Mapping[int, PunctualityRecord]
) -> ui.LayoutView:
    """Return the seats panel: the members, with the records that they show, and buttons for a user who may change them.

    That of a challenge has none of these buttons, and lists those who have not answered as well.
    """
    people = [*lobby.members, *lobby.challenged]
    names = unique_names([*people, *lobby.barred])
    players = [
        player_line(safe(name), records.get(person.user_id)) for person, name in zip(people, names, strict=False)
    ]
    lines = [t("seats.title"), *players, *([t("punctuality.hint")] if records else [])]
    meeting = button(Op.MEET, NO_TABLE, 0, t("button.meet"), argument=f"{LOBBY} {lobby.id}")
    if lobby.is_challenge:
        return layout("\n".join(lines), rows([meeting]))
    if lobby.owner_id != asker.user_id and not is_manager(asker, settings):
        return layout("\n".join([*lines, t("seats.reading", owner=owner_name(lobby))]), rows([meeting]))
    text = "\n".join([*lines, t("seats.hint")])
    closing = button(Op.CLOSE, str(lobby.id), 0, t("button.close"), style=ButtonStyle.danger)
    return layout(text, rows(list(_member_buttons(lobby, asker))), rows([meeting, closing]))


def _member_buttons(lobby: Lobby, asker: Asker) -> Iterator[Press]:
    """Yield a button for each member except the user, and for each removed member."""
    ref, people = str(lobby.id), [*lobby.members, *lobby.barred]
    members = [(str(person.user_id), isolate(name)) for person, name in zip(people, unique_names(people), strict=True)]
    for user_id, name in members[: len(lobby.members)]:
        if user_id != str(asker.user_id):
            yield button(Op.REMOVE, ref, 0, t("button.remove", player=name), argument=user_id)
    for user_id, name in members[len(lobby.members) :][-MAX_BARRED:]:
        yield button(Op.READMIT, ref, 0, t("button.readmit", player=name), argument=user_id)


async def press_computers(interaction: Interaction, key: Key) -> None:
    """Open the panel with the computers of a table."""
    lobby = await interaction.client.host.lobbies.get(lobby_id(key))
    await _show_computers(interaction, lobby)


async def press_computer(interaction: Interaction, key: Key) -> None:
    """Let a computer sit down or stand up, at the request of the owner."""
    client, number, (sign, which) = interaction.client, lobby_id(key), (key.argument[:1], key.argument[1:])
    async with client.lobby_edits.setdefault(number, asyncio.Lock()):
        change = {"+": client.host.lobbies.add_computer, "-": client.host.lobbies.remove_computer}.get(sign)
        if change is None:
            raise RefusedError("unknown_button")
        lobby = await change(number, interaction.user.id, which, interaction.id)
        is_shown = await show_lobby(client, lobby)
        await _show_computers(interaction, lobby)
        if not is_shown:
            await tell(interaction, t("lobby.unshown"))


async def _show_computers(interaction: Interaction, lobby: Lobby) -> None:
    """Fill the panel of computers."""
    offered = interaction.client.host.lobbies.offers_computers
    is_open = lobby.state is LobbyState.OPEN
    view = computers_panel(lobby, interaction.user.id, offered=offered) if is_open else _not_open(lobby)
    await interaction.edit_original_response(view=view)


def _not_open(lobby: Lobby) -> ui.LayoutView:
    """Return the answer that the game of a lobby has begun, or that the lobby is closed."""
    started = lobby.state is LobbyState.STARTED
    return notice(t("error.lobby_started" if started else "error.lobby_closed"))


def computers_panel(lobby: Lobby, user_id: int, *, offered: bool) -> ui.LayoutView:
    """Return the panel of computers: those at the table, and for its owner buttons that add and remove them.

    If the bot offers none, the panel says so; those that were added before can be removed.
    """
    names = player_names(lobby.computers)
    lines = [
        t("lobby.computer", player=name, level=level_words(computer.level))
        for name, computer in zip(names, lobby.computers, strict=True)
    ]
    hint = t("computer.hint" if offered else "error.no_computers")
    text = "\n".join([t("computer.title"), *(lines or [t("computer.none")]), hint])
    if lobby.owner_id != user_id:
        return layout("\n".join([text, t("computer.reading", owner=owner_name(lobby))]))
    ref = str(lobby.id)
    adding = [
        button(Op.COMPUTER, ref, 0, t("button.add_computer", level=level_words(level)), argument=f"+{level}")
        for level in LEVELS
        if offered and not lobby.full
    ]
    removing = [
        button(Op.COMPUTER, ref, 0, t("button.remove", player=name), argument=f"-{computer.name}")
        for name, computer in zip(names, lobby.computers, strict=True)
    ]
    return layout(text, rows(adding), rows(removing))


async def press_rematch(interaction: Interaction, key: Key) -> None:
    """Open a table for a rematch in the channel of the game, or link to the one that is already open."""
    client = interaction.client
    game, guild = await admitted(interaction, key.ref), interaction.guild
    if guild is None or game.guild_id != guild.id:
        raise RefusedError("other_server")
    venue = venue_of(guild.get_channel_or_thread(game.channel_id), game.channel_id)
    person, asker = person_of(interaction), asker_of(interaction)
    lobby = await client.host.lobbies.rematch(key.ref, person, interaction.id, venue, asker)
    opened = lobby.message_id is None
    if opened:
        lobby = await _post_rematch(interaction, lobby)
    await interaction.edit_original_response(view=await _link_to_rematch(interaction, lobby, opened=opened))


async def _post_rematch(interaction: Interaction, lobby: Lobby) -> Lobby:
    """Post the lobby card once, with an invitation to the former players.

    Raises:
        RefusedError: the channel is gone, or closed to the bot.
    """
    host = interaction.client.host
    async with interaction.client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        lobby = await host.lobbies.get(lobby.id)
        if lobby.message_id is not None:
            return lobby
        invited = [person.user_id for person in people_of(lobby.former) if person.user_id != lobby.owner_id]
        with speaking(lobby.settings.language):
            call = t("lobby.invited", players=" ".join(f"<@{user_id}>" for user_id in invited))
        quiet_users = await host.deferred_notifications.defer_quiet(
            await host.games.get(lobby.rematch_of or 0), invited
        )
        awake = [discord.Object(user_id) for user_id in OCCASIONS[Occasion.REMATCH].pinged(invited, quiet_users)]
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=awake)
        channel = interaction.client.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        try:
            message = await channel.send(view=lobby_card(lobby, call), allowed_mentions=allowed)
        except (discord.NotFound, discord.Forbidden) as error:
            raise RefusedError("rematch_nowhere") from error
        await host.lobbies.set_message(lobby.id, message.id)
        return await host.lobbies.get(lobby.id)


async def _link_to_rematch(interaction: Interaction, lobby: Lobby, *, opened: bool) -> ui.LayoutView:
    """Return the private message with a link to the new table, or to its game."""
    if lobby.state is LobbyState.STARTED and lobby.game_id is not None:
        host = interaction.client.host
        url = await table_link(host, await host.games.get(lobby.game_id))
        text = t("rematch.begun")
    else:
        url = link(lobby.guild_id, lobby.channel_id, lobby.message_id)
        text = t("rematch.opened" if opened else "rematch.there")
    return notice(text, ui.ActionRow(ui.Button(style=ButtonStyle.link, label=t("button.to_table"), url=url)))


HANDLERS: Final = {
    Op.JOIN: Handler(Ack.UPDATE, press_join),
    Op.LEAVE: Handler(Ack.UPDATE, press_leave),
    Op.ACCEPT: Handler(Ack.UPDATE, press_accept),
    Op.REFUSE: Handler(Ack.UPDATE, press_refuse),
    Op.START: Handler(Ack.UPDATE, press_start),
    Op.KEEP_GATHERING: Handler(Ack.UPDATE, press_keep),
    Op.SEATS: Handler(Ack.PANEL, press_seats),
    Op.REMOVE: Handler(Ack.UPDATE, press_remove),
    Op.READMIT: Handler(Ack.UPDATE, press_readmit),
    Op.COMPUTERS: Handler(Ack.PANEL, press_computers),
    Op.COMPUTER: Handler(Ack.UPDATE, press_computer),
    Op.CLOSE: Handler(Ack.UPDATE, press_close),
    Op.REMATCH: Handler(Ack.PANEL, press_rematch),
}
