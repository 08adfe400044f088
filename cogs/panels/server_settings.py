"""The private panel of those who manage a server.

What a button does stands in its argument: a word, then its details.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import discord
from discord import ButtonStyle, ChannelType, SelectOption, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from cogs.texts.languages import choice, matched, name_of
from cogs.words.names import called, isolated, owner_name, safe
from cogs.words.story import clipped
from host import NO_PACE, PACES, called_among, told_apart

if TYPE_CHECKING:
    from host import Counts, Game, GameSummary, GuildSettings, Lobby

NOBODY: Final = "0"
"""Where other ids name a game or a lobby."""
HOME: Final = "home"
CHANNELS: Final = "channels"
EVERYWHERE: Final = "everywhere"
ROLE: Final = "role"
OPENING: Final = "opening"
OPENERS: Final = "openers"
ORGANISERS: Final = "organisers"
MOST_GAMES: Final = "most"
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


def home(settings: GuildSettings, counts: Counts) -> ui.LayoutView:
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
    menus = [rows([_channels(settings)]), rows([_roles(ROLE, "manage.role_menu", settings.manager_role)])]
    return layout(ui.TextDisplay("\n".join(lines)), *menus, rows(pages))


def opening(settings: GuildSettings) -> ui.LayoutView:
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
    limit, pace = _menu(MOST_GAMES, t("manage.most_menu"), options), _menu(PACE, t("manage.pace_menu"), paces)
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


def _channels(settings: GuildSettings) -> Press:
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


def tables(lobbies: Sequence[Lobby]) -> ui.LayoutView:
    """The tables that gather."""
    if not lobbies:
        return told(t("manage.no_tables"))
    owners = [lobby.owner for lobby in lobbies if lobby.owner]
    options = [
        SelectOption(label=isolated(called_among(owners, lobby.owner_id)) or str(lobby.id), value=str(lobby.id))
        for lobby in lobbies
    ]
    return layout(
        ui.TextDisplay(t("manage.tables")), rows([_menu(TABLE, t("manage.tables_menu"), options)]), rows([_back()])
    )


def table(lobby: Lobby) -> ui.LayoutView:
    """One of them, to be closed."""
    place, owner = f"<#{lobby.channel_id}>", owner_name(lobby) or str(lobby.id)
    seated = len(lobby.members)
    title = t("manage.table", owner=owner, seated=seated, capacity=lobby.capacity, place=place)
    members = [t("lobby.member", player=safe(name)) for name in told_apart(lobby.members)]
    asked = t("manage.closing", owner=owner)
    close = _to(f"{CLOSE} {lobby.id}", t("button.close"), ButtonStyle.danger)
    return layout(ui.TextDisplay("\n".join([title, *members, asked])), rows([close, _back()]))


def games(found: Sequence[GameSummary]) -> ui.LayoutView:
    """The games that go on; one more than are listed says that there are older ones."""
    if not found:
        return told(t("manage.no_games"))
    listed = found[:MOST]
    options = [SelectOption(label=_named(game), value=game.code) for game in listed]
    older = [_to(f"{GAMES} {listed[-1].game_id}", t("button.older_games"))] if len(found) > MOST else []
    menu = rows([_menu(GAME, t("manage.games_menu"), options)])
    return layout(ui.TextDisplay(t("manage.games")), menu, rows([*older, _back()]))


def _named(game: GameSummary) -> str:
    players = ", ".join(isolated(called(game, person.user_id)) for person in game.players)
    return clipped(f"{game.name} ({game.code}): {players}", LONGEST)


def game(shown: Game) -> ui.LayoutView:
    """One of them, with a button for each of its players."""
    text = t("manage.game", name=shown.name, code=shown.code, place=f"<#{shown.place}>")
    players = [(person.user_id, isolated(called(shown, person.user_id))) for person in shown.players]
    out = [_to(f"{REMOVING} {shown.code} {user_id}", t("button.take_out", player=name)) for user_id, name in players]
    return layout(ui.TextDisplay(text), rows(out), rows([_back()]))


def removing(shown: Game, user_id: int) -> ui.LayoutView:
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


def told(text: str) -> ui.LayoutView:
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
