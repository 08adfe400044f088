"""Settings of a server, for those who manage it: ``/carc manage`` and its private panel.

What a button does stands in its argument: a word, then its details.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import discord
from discord import ButtonStyle, ChannelType, SelectOption, app_commands, ui
from discord.ext import commands

from cogs.commands.lobby import show_lobby
from cogs.interactions.admission import asker_of
from cogs.interactions.replies import Press, acknowledge, button, guarded
from cogs.messages import chosen_values, layout, rows
from cogs.presenting.ids import Key, Op, number_in
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.texts.languages import choice, matched, name_of
from cogs.words.names import called, isolated, owner_name, safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from host import NO_PACE, PACES, called_among, told_apart
from host.observability import about

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Counts, Game, GameSummary, GuildSettings, Lobby

log = logging.getLogger(__name__)


NOBODY: Final = "0"
"""Where other ids name a game or a lobby."""
HOME: Final = "home"
CHANNELS: Final = "channels"
EVERYWHERE: Final = "everywhere"
ROLE: Final = "role"
OPENING: Final = "opening"
OPENERS: Final = "openers"
ORGANISERS: Final = "organisers"
GAME_LIMIT: Final = "most"
ANY: Final = "any"
AIDS: Final = "aids"
PACE: Final = "pace"
USUAL: Final = "usual"
LANGUAGE: Final = "language"
ON: Final = "on"
OFF: Final = "off"
GAMES_AT_A_TIME: Final = (1, 2, 3, 5, 8, 12, 20, 30, 40, 50)
"""What the list of limits offers; any other one can be typed."""
TABLES: Final = "tables"
TABLE: Final = "table"
CLOSE: Final = "close"
GAMES: Final = "games"
GAME: Final = "game"
REMOVING: Final = "removing"
REMOVE: Final = "remove"
MOST: Final = 25
"""Entries of a list."""
LONGEST: Final = 100
"""Characters of an entry."""


def home_page(settings: GuildSettings, counts: Counts) -> ui.LayoutView:
    """What is decided, and what goes on."""
    where = t("manage.everywhere")
    if settings.channels:
        where = t("manage.channels", channels=", ".join(f"<#{number}>" for number in settings.channels))
    who = t("manage.nobody_else")
    if settings.manager_role:
        who = t("manage.role", role=f"<@&{settings.manager_role}>")
    lines = [t("manage.title"), where, who, t("manage.counts", tables=counts.lobbies, games=counts.games)]
    pages = [_to(word, t(f"button.manage_{word}")) for word in (OPENING, TABLES, GAMES)]
    if settings.channels:
        pages.append(_to(EVERYWHERE, t("button.manage_everywhere")))
    menus = [rows([_channel_menu(settings)]), rows([_roles(ROLE, "manage.role_menu", settings.manager_role)])]
    return layout(ui.TextDisplay("\n".join(lines)), *menus, rows(pages))


def opening_page(settings: GuildSettings) -> ui.LayoutView:
    """Who opens games and creates events, how many games a member plays, and how tables begin."""
    who, organises, most = settings.opener_role, settings.organiser_role, settings.games_of_member
    lines = [
        t("manage.opened_by", role=f"<@&{who}>") if who else t("manage.opened_by_all"),
        t("manage.events_by", role=f"<@&{organises}>") if organises else t("manage.events_by_managers"),
        t("manage.most_anywhere") if most is None else t("manage.most", count=most),
        t("manage.hints_on" if settings.hints else "manage.hints_off"),
    ]
    options = [SelectOption(label=t("manage.most_any"), value=ANY, default=most is None)]
    for count in GAMES_AT_A_TIME:
        label = t("button.manage_most", count=count)
        options.append(SelectOption(label=label, value=str(count), default=count == most))
    paces = [
        SelectOption(label=t(f"manage.pace_{pace}"), value=pace, default=pace == (settings.pace or USUAL))
        for pace in (USUAL, *PACES, NO_PACE)
    ]
    lines.append(t("manage.pace", pace=t(f"manage.pace_{settings.pace or USUAL}")))
    if choice():
        known = matched(settings.language)
        lines.append(t("manage.language", name=name_of(known)) if known else t("manage.language_discord"))
    other, label = (OFF, "button.manage_hints_on") if settings.hints else (ON, "button.manage_hints_off")
    roles = [_roles(OPENERS, "manage.openers_menu", who), _roles(ORGANISERS, "manage.organisers_menu", organises)]
    limit, pace = _menu(GAME_LIMIT, t("manage.most_menu"), options), _menu(PACE, t("manage.pace_menu"), paces)
    buttons = [_to(f"{AIDS} {other}", t(label)), _back()]
    text, menus = ui.TextDisplay[ui.LayoutView]("\n".join(lines)), [*roles, limit, pace, *_languages(settings)]
    return layout(text, *(rows([menu]) for menu in menus), rows(buttons))


def _languages(settings: GuildSettings) -> list[Press]:
    """The list of languages in which tables may be told, where there are several."""
    codes, now = choice(), matched(settings.language)
    if not codes:
        return []
    named = [(USUAL, t("manage.language_usual")), *((code, name_of(code)) for code in codes)]
    options = [SelectOption(label=name, value=value, default=value == (now or USUAL)) for value, name in named]
    return [_menu(LANGUAGE, t("manage.language_menu"), options)]


def _channel_menu(settings: GuildSettings) -> Press:
    """The list of channels: those chosen are the only ones in which games may be opened."""
    menu = ui.ChannelSelect[ui.LayoutView](
        custom_id=_id(CHANNELS),
        placeholder=t("manage.channels_menu"),
        channel_types=[ChannelType.text, ChannelType.news, ChannelType.forum, ChannelType.category],
        min_values=0,
        max_values=MOST,
        default_values=[discord.Object(number) for number in settings.channels[:MOST]],
    )
    return Press(cast("Any", menu))


def _roles(word: str, key: str, role: int | None) -> Press:
    """The list of roles, of which one may be chosen."""
    menu = ui.RoleSelect[ui.LayoutView](
        custom_id=_id(word),
        placeholder=t(key),
        min_values=0,
        max_values=1,
        default_values=[discord.Object(role)] if role else [],
    )
    return Press(cast("Any", menu))


def tables_page(lobbies: Sequence[Lobby]) -> ui.LayoutView:
    """The tables that gather."""
    if not lobbies:
        return told_page(t("manage.no_tables"))
    owners = [lobby.owner for lobby in lobbies if lobby.owner]
    options = [
        SelectOption(label=isolated(called_among(owners, lobby.owner_id)) or str(lobby.id), value=str(lobby.id))
        for lobby in lobbies
    ]
    return layout(
        ui.TextDisplay(t("manage.tables")), rows([_menu(TABLE, t("manage.tables_menu"), options)]), rows([_back()])
    )


def table_page(lobby: Lobby) -> ui.LayoutView:
    """One of them, to be closed."""
    place, owner = f"<#{lobby.channel_id}>", owner_name(lobby) or str(lobby.id)
    seated = len(lobby.members)
    title = t("manage.table", owner=owner, seated=seated, capacity=lobby.capacity, place=place)
    members = [t("lobby.member", player=safe(name)) for name in told_apart(lobby.members)]
    asked = t("manage.closing", owner=owner)
    close = _to(f"{CLOSE} {lobby.id}", t("button.close"), ButtonStyle.danger)
    return layout(ui.TextDisplay("\n".join([title, *members, asked])), rows([close, _back()]))


def games_page(found: Sequence[GameSummary]) -> ui.LayoutView:
    """The games that go on; one more than are listed says that there are older ones."""
    if not found:
        return told_page(t("manage.no_games"))
    listed = found[:MOST]
    options = [SelectOption(label=_named(game), value=game.code) for game in listed]
    older = [_to(f"{GAMES} {listed[-1].game_id}", t("button.older_games"))] if len(found) > MOST else []
    menu = rows([_menu(GAME, t("manage.games_menu"), options)])
    return layout(ui.TextDisplay(t("manage.games")), menu, rows([*older, _back()]))


def _named(game: GameSummary) -> str:
    players = ", ".join(isolated(called(game, person.user_id)) for person in game.players)
    return clipped(f"{game.name} ({game.code}): {players}", LONGEST)


def game_page(shown: Game) -> ui.LayoutView:
    """One of them, with a button for each of its players."""
    text = t("manage.game", name=shown.name, code=shown.code, place=f"<#{shown.place}>")
    players = [(person.user_id, isolated(called(shown, person.user_id))) for person in shown.players]
    out = [_to(f"{REMOVING} {shown.code} {user_id}", t("button.take_out", player=name)) for user_id, name in players]
    return layout(ui.TextDisplay(text), rows(out), rows([_back()]))


def removing_page(shown: Game, user_id: int) -> ui.LayoutView:
    """The question before somebody is taken out.

    Raises:
        ValueError: nobody of this id plays.
    """
    if user_id not in {person.user_id for person in shown.players}:
        raise ValueError(user_id)
    player = called(shown, user_id)
    text = t("manage.removing", player=safe(player), name=shown.name, code=shown.code)
    label = t("button.take_out", player=isolated(player))
    out = _to(f"{REMOVE} {shown.code} {user_id}", label, ButtonStyle.danger)
    return layout(ui.TextDisplay(text), rows([out, _back()]))


def told_page(text: str) -> ui.LayoutView:
    """What came of it, and the way back."""
    return layout(ui.TextDisplay(text), rows([_back()]))


def _back() -> Press:
    return _to(HOME, t("button.manage"))


def _menu(word: str, placeholder: str, options: list[SelectOption]) -> Press:
    """A list; a press is whatever carries one of our ids."""
    menu = ui.Select[ui.LayoutView](custom_id=_id(word), placeholder=placeholder, options=options)
    return Press(cast("Any", menu))


def _to(argument: str, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    return button(Op.MANAGE, NOBODY, 0, label, argument=argument, style=style)


def _id(word: str) -> str:
    return str(Key(Op.MANAGE, NOBODY, 0, word))


MOST_GAMES: Final = 60
"""Games that a member may play at a time anywhere."""
Details: TypeAlias = tuple[str, ...]
"""What follows the first word of an argument, and what was chosen in a list."""


class ManageCommands(commands.Cog):
    """``/carc manage``."""

    @app_commands.command(name="manage", description=t("command.manage.description"))
    @app_commands.describe(
        openers=t("command.manage.openers"),
        organisers=t("command.manage.organisers"),
        most=t("command.manage.most"),
        aids=t("command.manage.aids"),
        pace=t("command.manage.pace"),
    )
    @app_commands.choices(
        pace=[app_commands.Choice(name=t(f"manage.pace_{name}"), value=name) for name in (USUAL, *PACES, NO_PACE)]
    )
    async def manage(
        self,
        interaction: Interaction,
        openers: discord.Role | None = None,
        organisers: discord.Role | None = None,
        most: app_commands.Range[int, 1, MOST_GAMES] | None = None,
        aids: bool | None = None,  # noqa: FBT001 - how a command has its options
        pace: str | None = None,
    ) -> None:
        """Open the panel of those who manage the server, or decide what is typed."""
        typed = {
            OPENERS: None if openers is None else str(openers.id),
            ORGANISERS: None if organisers is None else str(organisers.id),
            GAME_LIMIT: None if most is None else str(most),
            AIDS: None if aids is None else ON if aids else OFF,
            PACE: pace,
        }
        await guarded(interaction, _manage(interaction, typed))


async def _manage(interaction: Interaction, typed: Mapping[str, str | None]) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    decided = [(word, value) for word, value in typed.items() if value is not None]
    for word, value in decided or [(HOME, "")]:
        await _show(interaction, word, (value,))


async def press_manage(interaction: Interaction, key: Key) -> None:
    """Turn a page, or do what the button or list says."""
    word, *details = key.argument.split() or [HOME]
    await _show(interaction, word, (*details, *chosen_values(interaction)))


async def _show(interaction: Interaction, word: str, details: Details) -> None:
    """Do what is asked, and show what comes of it; whether it may be asked is looked at each time."""
    await interaction.client.host.servers.managed_by(asker_of(interaction))
    if word not in DEEDS:
        raise RefusedError("unknown_button")
    try:
        view = await DEEDS[word](interaction, details)
    except (ValueError, IndexError) as error:
        raise RefusedError("unknown_button") from error
    await interaction.edit_original_response(view=view)


async def _home(interaction: Interaction, _: Details = ()) -> ui.LayoutView:
    servers, guild_id = interaction.client.host.servers, interaction.guild_id or 0
    return home_page(await servers.get(guild_id), await servers.counts(guild_id))


async def _channels(interaction: Interaction, details: Details) -> ui.LayoutView:
    await interaction.client.host.servers.set_channels(asker_of(interaction), tuple(map(number_in, details)))
    return await _home(interaction)


async def _role(interaction: Interaction, details: Details) -> ui.LayoutView:
    role = number_in(details[0]) if details else None
    await interaction.client.host.servers.set_role(asker_of(interaction), role)
    return await _home(interaction)


async def _opening(interaction: Interaction, _: Details = ()) -> ui.LayoutView:
    return opening_page(await interaction.client.host.servers.get(interaction.guild_id or 0))


async def _openers(interaction: Interaction, details: Details) -> ui.LayoutView:
    role = number_in(details[0]) if details else None
    return opening_page(await interaction.client.host.servers.set_openers(asker_of(interaction), role))


async def _organisers(interaction: Interaction, details: Details) -> ui.LayoutView:
    role = number_in(details[0]) if details else None
    return opening_page(await interaction.client.host.servers.set_organisers(asker_of(interaction), role))


async def _most(interaction: Interaction, details: Details) -> ui.LayoutView:
    most = None if details[0] == ANY else number_in(details[0])
    return opening_page(await interaction.client.host.servers.set_games_of_member(asker_of(interaction), most))


async def _aids(interaction: Interaction, details: Details) -> ui.LayoutView:
    hints = (OFF, ON).index(details[0]) == 1
    return opening_page(await interaction.client.host.servers.set_hints(asker_of(interaction), hints=hints))


async def _pace(interaction: Interaction, details: Details) -> ui.LayoutView:
    pace = "" if details[0] == USUAL else details[0]
    return opening_page(await interaction.client.host.servers.set_pace(asker_of(interaction), pace))


async def _language(interaction: Interaction, details: Details) -> ui.LayoutView:
    if details[0] not in (USUAL, *choice()):
        raise ValueError(details[0])
    language = "" if details[0] == USUAL else details[0]
    return opening_page(await interaction.client.host.servers.set_language(asker_of(interaction), language))


async def _tables(interaction: Interaction, _: Details) -> ui.LayoutView:
    return tables_page(await interaction.client.host.lobbies.open_in(interaction.guild_id or 0))


async def _table(interaction: Interaction, details: Details) -> ui.LayoutView:
    return table_page(await _lobby(interaction, details[0]))


async def _close(interaction: Interaction, details: Details) -> ui.LayoutView:
    client, lobby = interaction.client, await _lobby(interaction, details[0])
    async with client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        closed = await client.host.lobbies.close(lobby.id, asker_of(interaction), interaction.id)
        await show_lobby(client, closed)
    log.info("a manager has closed a lobby", extra={"lobby": lobby.id, "by": interaction.user.id})
    return told_page(t("manage.closed"))


async def _games(interaction: Interaction, details: Details) -> ui.LayoutView:
    before = number_in(details[0]) if details else None
    return games_page(await interaction.client.host.game_lists.of_guild(interaction.guild_id or 0, MOST + 1, before))


async def _seats(interaction: Interaction, details: Details) -> ui.LayoutView:
    return game_page(await _game(interaction, details[0]))


async def _removing(interaction: Interaction, details: Details) -> ui.LayoutView:
    return removing_page(await _game(interaction, details[0]), number_in(details[1]))


async def _remove(interaction: Interaction, details: Details) -> ui.LayoutView:
    client, user_id = interaction.client, number_in(details[1])
    outcome = await client.host.substitutions.remove(details[0], asker_of(interaction), user_id, interaction.id)
    game = outcome.game
    client.publisher.moved_on(outcome)
    told = {**about(game), "player": user_id, "by": interaction.user.id}
    log.info("a manager has taken a player out", extra=told)
    return told_page(t("manage.removed", player=safe(called(game, user_id)), name=game.name, code=game.code))


async def _lobby(interaction: Interaction, number: str) -> Lobby:
    """A lobby of this server."""
    return await interaction.client.host.lobbies.get_in(interaction.guild_id, number_in(number))


async def _game(interaction: Interaction, code: str) -> Game:
    """A game of this server."""
    return await interaction.client.host.games.get_in(interaction.guild_id, code)


DEEDS: Final[Mapping[str, Callable[[Interaction, Details], Awaitable[ui.LayoutView]]]] = {
    HOME: _home,
    CHANNELS: _channels,
    EVERYWHERE: _channels,
    ROLE: _role,
    OPENING: _opening,
    OPENERS: _openers,
    ORGANISERS: _organisers,
    GAME_LIMIT: _most,
    AIDS: _aids,
    PACE: _pace,
    LANGUAGE: _language,
    TABLES: _tables,
    TABLE: _table,
    CLOSE: _close,
    GAMES: _games,
    GAME: _seats,
    REMOVING: _removing,
    REMOVE: _remove,
}
"""What a button or list does, by the first word of its argument: the page to which it leads, after its deed.

A ValueError or an IndexError says that no button of ours has these details.
"""
HANDLINGS: Final = {Op.MANAGE: Handling(Ack.UPDATE, press_manage)}
