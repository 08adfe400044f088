"""Server settings, for the managers of a server: ``/carc manage`` and its private panel.

The panel has pages for the server, for new tables, for open lobbies and for running games. The custom id of a button or
list names an action of :data:`ACTIONS`, followed by its details; each action returns the page to show next.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import discord
from discord import ButtonStyle, ChannelType, SelectOption, app_commands, ui
from discord.ext import commands

from cogs.commands.lobby import show_lobby
from cogs.commands.slash import command
from cogs.interactions.admission import asker_of
from cogs.interactions.replies import Press, button
from cogs.messages import chosen_values, layout, rows
from cogs.presenting.ids import Key, Op, parse_id
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import t
from cogs.texts.languages import choosable_codes, name_of, offered_language_of
from cogs.words.names import isolate, owner_name, player_name, safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from host import NO_PACE, PACES, Counts, Game, GameSummary, GuildSettings, Lobby, unique_name_of, unique_names
from host.observability import game_fields

log = logging.getLogger(__name__)


NO_TABLE: Final = "0"
"""The text that stands for the code of a game in custom ids, since the panel belongs to none."""
# Actions and values in the arguments of buttons and lists. They are part of posted messages, so they must not change.
HOME: Final = "home"
CHANNELS: Final = "channels"
EVERYWHERE: Final = "everywhere"
ROLE: Final = "role"
OPENING: Final = "opening"
OPENERS: Final = "openers"
ORGANISERS: Final = "organisers"
GAME_LIMIT: Final = "most"
ANY: Final = "any"
HINTS: Final = "aids"
PACE: Final = "pace"
USUAL: Final = "usual"
LANGUAGE: Final = "language"
ON: Final = "on"
OFF: Final = "off"
OFFERED_LIMITS: Final = (1, 2, 3, 5, 8, 12, 20, 30, 40, 50)
"""The limits of a member's simultaneous games that the list offers; any other one can be typed."""
TABLES: Final = "tables"
TABLE: Final = "table"
CLOSE: Final = "close"
GAMES: Final = "games"
GAME: Final = "game"
CONFIRM_REMOVAL: Final = "removing"
REMOVE: Final = "remove"
MAX_ENTRIES: Final = 25
"""The most entries that Discord allows in a list."""
MAX_ENTRY: Final = 100
"""The most characters that Discord allows in an entry."""


def home_page(settings: GuildSettings, counts: Counts) -> ui.LayoutView:
    """Return the first page: where games may be opened, who manages the server, and how many tables and games run."""
    where = t("manage.everywhere")
    if settings.channels:
        where = t("manage.channels", channels=", ".join(f"<#{number}>" for number in settings.channels))
    managers = t("manage.nobody_else")
    if settings.manager_role:
        managers = t("manage.role", role=f"<@&{settings.manager_role}>")
    lines = [t("manage.title"), where, managers, t("manage.counts", tables=counts.lobbies, games=counts.games)]
    pages = [_button(word, t(f"button.manage_{word}")) for word in (OPENING, TABLES, GAMES)]
    if settings.channels:
        pages.append(_button(EVERYWHERE, t("button.manage_everywhere")))
    menus = [rows([_channel_list(settings)]), rows([_role_list(ROLE, "manage.role_menu", settings.manager_role)])]
    return layout("\n".join(lines), *menus, rows(pages))


def opening_page(settings: GuildSettings) -> ui.LayoutView:
    """Return the page about new tables: who opens games and events, the limit of games, and the default settings."""
    openers, organisers, limit = settings.opener_role, settings.organiser_role, settings.games_of_member
    lines = [
        t("manage.opened_by", role=f"<@&{openers}>") if openers else t("manage.opened_by_all"),
        t("manage.events_by", role=f"<@&{organisers}>") if organisers else t("manage.events_by_managers"),
        t("manage.most_anywhere") if limit is None else t("manage.most", count=limit),
        t("manage.hints_on" if settings.hints else "manage.hints_off"),
    ]
    options = [SelectOption(label=t("manage.most_any"), value=ANY, default=limit is None)]
    for count in OFFERED_LIMITS:
        label = t("button.manage_most", count=count)
        options.append(SelectOption(label=label, value=str(count), default=count == limit))
    paces = [
        SelectOption(label=t(f"manage.pace_{pace}"), value=pace, default=pace == (settings.pace or USUAL))
        for pace in (USUAL, *PACES, NO_PACE)
    ]
    lines.append(t("manage.pace", pace=t(f"manage.pace_{settings.pace or USUAL}")))
    if choosable_codes():
        language = offered_language_of(settings.language)
        lines.append(t("manage.language", name=name_of(language)) if language else t("manage.language_discord"))
    opposite, label = (OFF, "button.manage_hints_on") if settings.hints else (ON, "button.manage_hints_off")
    lists = [
        _role_list(OPENERS, "manage.openers_menu", openers),
        _role_list(ORGANISERS, "manage.organisers_menu", organisers),
        _list(GAME_LIMIT, t("manage.most_menu"), options),
        _list(PACE, t("manage.pace_menu"), paces),
        *_language_list(settings),
    ]
    buttons = [_button(f"{HINTS} {opposite}", t(label)), _back()]
    return layout("\n".join(lines), *(rows([entry]) for entry in lists), rows(buttons))


def _language_list(settings: GuildSettings) -> list[Press]:
    """Return the list of languages for new tables, or nothing if there is no choice."""
    codes, now = choosable_codes(), offered_language_of(settings.language)
    if not codes:
        return []
    entries = [(USUAL, t("manage.language_usual")), *((code, name_of(code)) for code in codes)]
    options = [SelectOption(label=name, value=value, default=value == (now or USUAL)) for value, name in entries]
    return [_list(LANGUAGE, t("manage.language_menu"), options)]


def _channel_list(settings: GuildSettings) -> Press:
    """Return the list of channels; games may be opened only in the chosen ones."""
    menu = ui.ChannelSelect[ui.LayoutView](
        custom_id=_id(CHANNELS),
        placeholder=t("manage.channels_menu"),
        channel_types=[ChannelType.text, ChannelType.news, ChannelType.forum, ChannelType.category],
        min_values=0,
        max_values=MAX_ENTRIES,
        default_values=[discord.Object(number) for number in settings.channels[:MAX_ENTRIES]],
    )
    return Press(cast("Any", menu))


def _role_list(word: str, key: str, role: int | None) -> Press:
    """Return a list of roles, from which a manager chooses one or none."""
    menu = ui.RoleSelect[ui.LayoutView](
        custom_id=_id(word),
        placeholder=t(key),
        min_values=0,
        max_values=1,
        default_values=[discord.Object(role)] if role else [],
    )
    return Press(cast("Any", menu))


def tables_page(lobbies: Sequence[Lobby]) -> ui.LayoutView:
    """Return the page that lists the open lobbies."""
    if not lobbies:
        return result_page(t("manage.no_tables"))
    owners = [lobby.owner for lobby in lobbies if lobby.owner]
    options = [
        SelectOption(label=isolate(unique_name_of(owners, lobby.owner_id)) or str(lobby.id), value=str(lobby.id))
        for lobby in lobbies
    ]
    menu = _list(TABLE, t("manage.tables_menu"), options)
    return layout(t("manage.tables"), rows([menu]), rows([_back()]))


def table_page(lobby: Lobby) -> ui.LayoutView:
    """Return the page of a lobby, with a button that closes it."""
    place, owner = f"<#{lobby.channel_id}>", owner_name(lobby) or str(lobby.id)
    seated = len(lobby.members)
    title = t("manage.table", owner=owner, seated=seated, capacity=lobby.capacity, place=place)
    members = [t("lobby.member", player=safe(name)) for name in unique_names(lobby.members)]
    question = t("manage.closing", owner=owner)
    close_button = _button(f"{CLOSE} {lobby.id}", t("button.close"), ButtonStyle.danger)
    return layout("\n".join([title, *members, question]), rows([close_button, _back()]))


def games_page(games: Sequence[GameSummary]) -> ui.LayoutView:
    """Return the page that lists running games; if there is one more than fits, with a button to the older ones."""
    if not games:
        return result_page(t("manage.no_games"))
    listed = games[:MAX_ENTRIES]
    options = [SelectOption(label=_game_label(game), value=game.code) for game in listed]
    older = [_button(f"{GAMES} {listed[-1].id}", t("button.older_games"))] if len(games) > MAX_ENTRIES else []
    menu = rows([_list(GAME, t("manage.games_menu"), options)])
    return layout(t("manage.games"), menu, rows([*older, _back()]))


def _game_label(game: GameSummary) -> str:
    """Return the entry of a game in the list: its name, code and players."""
    players = ", ".join(isolate(player_name(game, person.user_id)) for person in game.players)
    return clip(f"{game.name} ({game.code}): {players}", MAX_ENTRY)


def game_page(game: Game) -> ui.LayoutView:
    """Return the page of a game, with a button that removes each player."""
    text = t("manage.game", name=game.name, code=game.code, place=f"<#{game.place}>")
    players = [(person.user_id, isolate(player_name(game, person.user_id))) for person in game.players]
    buttons = [
        _button(f"{CONFIRM_REMOVAL} {game.code} {user_id}", t("button.take_out", player=name))
        for user_id, name in players
    ]
    return layout(text, rows(buttons), rows([_back()]))


def removal_page(game: Game, user_id: int) -> ui.LayoutView:
    """Return the page that asks for confirmation before a player is removed.

    Raises:
        ValueError: no player has this id.
    """
    if user_id not in {person.user_id for person in game.players}:
        raise ValueError(user_id)
    player = player_name(game, user_id)
    text = t("manage.removing", player=safe(player), name=game.name, code=game.code)
    label = t("button.take_out", player=isolate(player))
    confirm = _button(f"{REMOVE} {game.code} {user_id}", label, ButtonStyle.danger)
    return layout(text, rows([confirm, _back()]))


def result_page(text: str) -> ui.LayoutView:
    """Return the page with the result of an action, and a button back to the first page."""
    return layout(text, rows([_back()]))


def _back() -> Press:
    """Return the button back to the first page."""
    return _button(HOME, t("button.manage"))


def _list(word: str, placeholder: str, options: list[SelectOption]) -> Press:
    """Return a list to choose from; ``word`` is the action that it runs."""
    menu = ui.Select[ui.LayoutView](custom_id=_id(word), placeholder=placeholder, options=options)
    return Press(cast("Any", menu))


def _button(argument: str, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    """Return a button of this panel."""
    return button(Op.MANAGE, NO_TABLE, 0, label, argument=argument, style=style)


def _id(word: str) -> str:
    """Return the custom id of a list or modal of this panel."""
    return str(Key(Op.MANAGE, NO_TABLE, 0, word))


MAX_GAME_LIMIT: Final = 60
"""The highest limit of a member's simultaneous games that can be set."""
FIELDS_OF_HOME: Final = ("channels", "manager_role")
"""The fields of a server's settings that are changed on the first page; the others have a page of their own."""
Details: TypeAlias = tuple[str, ...]
"""The words of an argument after the action, followed by the values chosen in a list."""
Action: TypeAlias = Callable[[Interaction, Details], Awaitable[ui.LayoutView]]
"""A function that does what a button or list asks for, and returns the page to show then."""


class ManageCommands(commands.Cog):
    """``/carc manage``."""

    @command("manage")
    @app_commands.choices(
        pace=[app_commands.Choice(name=t(f"manage.pace_{name}"), value=name) for name in (USUAL, *PACES, NO_PACE)]
    )
    async def manage(
        self,
        interaction: Interaction,
        openers: discord.Role | None = None,
        organisers: discord.Role | None = None,
        most: app_commands.Range[int, 1, MAX_GAME_LIMIT] | None = None,
        aids: bool | None = None,  # noqa: FBT001 - an option of a slash command
        pace: str | None = None,
    ) -> None:
        """Open the managers' panel, after changing the typed settings."""
        typed = {
            OPENERS: None if openers is None else str(openers.id),
            ORGANISERS: None if organisers is None else str(organisers.id),
            GAME_LIMIT: None if most is None else str(most),
            HINTS: None if aids is None else ON if aids else OFF,
            PACE: pace,
        }
        decided = [(word, value) for word, value in typed.items() if value is not None]
        for word, value in decided or [(HOME, "")]:
            await _show(interaction, word, (value,))


async def press_manage(interaction: Interaction, key: Key) -> None:
    """Run the action of a button or list, and show the page it leads to."""
    word, *details = key.argument.split() or [HOME]
    await _show(interaction, word, (*details, *chosen_values(interaction)))


async def _show(interaction: Interaction, word: str, details: Details) -> None:
    """Run an action and show the page that it returns; the user's permission is checked each time.

    Raises:
        RefusedError: ``unknown_button``: there is no such action, or its details are malformed.
    """
    await interaction.client.host.servers.require_manager(asker_of(interaction))
    if word not in ACTIONS:
        raise RefusedError("unknown_button")
    try:
        view = await ACTIONS[word](interaction, details)
    except (ValueError, IndexError) as error:
        raise RefusedError("unknown_button") from error
    await interaction.edit_original_response(view=view)


async def _show_home(interaction: Interaction, _: Details = ()) -> ui.LayoutView:
    servers, guild_id = interaction.client.host.servers, interaction.guild_id or 0
    return home_page(await servers.get(guild_id), await servers.counts(guild_id))


async def _show_opening(interaction: Interaction, _: Details = ()) -> ui.LayoutView:
    return opening_page(await interaction.client.host.servers.get(interaction.guild_id or 0))


def _changing(field: str, read: Callable[[Details], object]) -> Action:
    """Return the action that sets a field of the server's settings to what is read from the details."""

    async def change(interaction: Interaction, details: Details) -> ui.LayoutView:
        settings = await interaction.client.host.servers.change(asker_of(interaction), **{field: read(details)})
        return await _show_home(interaction) if field in FIELDS_OF_HOME else opening_page(settings)

    return change


def _chosen_ids(details: Details) -> tuple[int, ...]:
    return tuple(map(parse_id, details))


def _chosen_role(details: Details) -> int | None:
    return parse_id(details[0]) if details else None


def _chosen_name(details: Details) -> str:
    """Return the chosen pace or language; an empty one means the default."""
    return "" if details[0] == USUAL else details[0]


def _chosen_language(details: Details) -> str:
    """Return the language of new tables; raise a ValueError if it is not offered."""
    if details[0] not in (USUAL, *choosable_codes()):
        raise ValueError(details[0])
    return _chosen_name(details)


async def _show_tables(interaction: Interaction, _: Details) -> ui.LayoutView:
    return tables_page(await interaction.client.host.lobbies.open_in(interaction.guild_id or 0))


async def _show_lobby(interaction: Interaction, details: Details) -> ui.LayoutView:
    return table_page(await _lobby(interaction, details[0]))


async def _close_lobby(interaction: Interaction, details: Details) -> ui.LayoutView:
    """Close a lobby for its members, as a manager."""
    client, lobby = interaction.client, await _lobby(interaction, details[0])
    async with client.lobby_edits.setdefault(lobby.id, asyncio.Lock()):
        closed_lobby = await client.host.lobbies.close(lobby.id, asker_of(interaction), interaction.id)
        await show_lobby(client, closed_lobby)
    log.info("a manager closed a lobby", extra={"lobby": lobby.id, "by": interaction.user.id})
    return result_page(t("manage.closed"))


async def _show_games(interaction: Interaction, details: Details) -> ui.LayoutView:
    """Show the running games, from the one after the last page on."""
    before = parse_id(details[0]) if details else None
    return games_page(
        await interaction.client.host.game_lists.of_guild(interaction.guild_id or 0, MAX_ENTRIES + 1, before)
    )


async def _show_game(interaction: Interaction, details: Details) -> ui.LayoutView:
    return game_page(await _game(interaction, details[0]))


async def _confirm_removal(interaction: Interaction, details: Details) -> ui.LayoutView:
    return removal_page(await _game(interaction, details[0]), parse_id(details[1]))


async def _remove_player(interaction: Interaction, details: Details) -> ui.LayoutView:
    """Remove a player from a game, as a manager."""
    client, user_id = interaction.client, parse_id(details[1])
    outcome = await client.host.substitutions.remove(details[0], asker_of(interaction), user_id, interaction.id)
    game = outcome.game
    client.publisher.move_made(outcome)
    log.info("a manager removed a player", extra={**game_fields(game), "player": user_id, "by": interaction.user.id})
    return result_page(t("manage.removed", player=safe(player_name(game, user_id)), name=game.name, code=game.code))


async def _lobby(interaction: Interaction, number: str) -> Lobby:
    """Return a lobby of this server."""
    return await interaction.client.host.lobbies.get_in(interaction.guild_id, parse_id(number))


async def _game(interaction: Interaction, code: str) -> Game:
    """Return a game of this server."""
    return await interaction.client.host.games.get_in(interaction.guild_id, code)


ACTIONS: Final[Mapping[str, Action]] = {
    HOME: _show_home,
    CHANNELS: _changing("channels", _chosen_ids),
    EVERYWHERE: _changing("channels", _chosen_ids),
    ROLE: _changing("manager_role", _chosen_role),
    OPENING: _show_opening,
    OPENERS: _changing("opener_role", _chosen_role),
    ORGANISERS: _changing("organiser_role", _chosen_role),
    GAME_LIMIT: _changing("games_of_member", lambda details: None if details[0] == ANY else parse_id(details[0])),
    HINTS: _changing("hints", lambda details: (OFF, ON).index(details[0]) == 1),
    PACE: _changing("pace", _chosen_name),
    LANGUAGE: _changing("language", _chosen_language),
    TABLES: _show_tables,
    TABLE: _show_lobby,
    CLOSE: _close_lobby,
    GAMES: _show_games,
    GAME: _show_game,
    CONFIRM_REMOVAL: _confirm_removal,
    REMOVE: _remove_player,
}
"""Actions by the first word of an argument; each returns the page it leads to.

An action raises ValueError or IndexError if its details are malformed, that is if the custom id is forged.
"""
HANDLERS: Final = {Op.MANAGE: Handler(Ack.UPDATE, press_manage)}
