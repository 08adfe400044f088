"""Interventions of operators: in single games, in bans and limits of servers, and in the data of people.

Every command may run while the bot is running. Commands that list or change games, bans and limits are added to the log
of operators' actions, with the name of the operator's account on this machine.
"""

from __future__ import annotations

import getpass
import json
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from engine.notation.records import Record, format_record
from host import Host, HostError, unique_names
from operations.database import open_existing
from operations.settings import Settings, SettingsError
from store import Allowance, BanKind, PlyConflictError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from operations.commands import Commands


def add(commands: Commands) -> None:
    """Declare the commands."""
    commands.new(
        "stuck",
        list_problems,
        "list frozen games, messages that cannot be sent and computers that do not decide, with the reasons",
    )
    _add_game(commands.new("freeze", freeze, "freeze a game and its clocks until it is thawed"), reason=True)
    _add_game(commands.new("thaw", thaw, "let a frozen game continue"))
    _add_game(commands.new("close", close, "end a game without a result, and announce that"), reason=True)
    _add_game(commands.new("export", export, "print the record of a game"))
    move_parser = commands.new("move", move, "post the cards of a game in another thread or channel")
    _add_game(move_parser)
    move_parser.add_argument("place", type=int, metavar="PLACE", help="the id of the thread or channel")
    ban_parser = commands.new(
        "ban", ban, "forbid a member or a server to open or join games; without one, list all bans"
    )
    ban_parser.add_argument("kind", nargs="?", choices=list(BanKind), help="the kind of ban")
    ban_parser.add_argument("id", nargs="?", type=int, metavar="ID")
    ban_parser.add_argument("--reason", default="", help="the reason, for the list of bans")
    unban_parser = commands.new("unban", unban, "lift the ban on a member or a server")
    unban_parser.add_argument("kind", choices=list(BanKind))
    unban_parser.add_argument("id", type=int, metavar="ID")
    limit_parser = commands.new(
        "limit", limit, "limit the games and lobbies of a server; without options, restore the defaults"
    )
    limit_parser.add_argument("server", type=int, metavar="SERVER")
    limit_parser.add_argument("--games", type=int, help="the most games at a time")
    limit_parser.add_argument("--lobbies", type=int, help="the most open lobbies at a time")
    limit_parser.add_argument(
        "--channels",
        type=int,
        nargs="*",
        metavar="CHANNEL",
        help="the channels in which games may be opened; none: all",
    )
    limit_parser.add_argument(
        "--opener", type=int, metavar="ROLE", help="the role whose members may open games; 0: everybody"
    )
    commands.new("deeds", list_actions, "list the actions of operators")
    forget_parser = commands.new(
        "forget", forget_user, "erase a person: their open games are resigned, their other seats stay empty"
    )
    _add_user(forget_parser)
    forget_parser.add_argument("--yes", action="store_true", help="do it; without this, only print the effects")
    _add_user(commands.new("data", print_user_data, "print everything that is stored about a person, as JSON"))


def _add_game(parser: ArgumentParser, *, reason: bool = False) -> None:
    """Add the argument for the code of a game, and the option for a reason."""
    parser.add_argument("game", metavar="GAME", help="the code of the game, four characters")
    if reason:
        parser.add_argument("--reason", default="", help="the reason, for the log of operators' actions")


def _add_user(parser: ArgumentParser) -> None:
    """Add the argument for the id of a person."""
    parser.add_argument("user", type=int, metavar="USER", help="the id on Discord, a number of about 18 digits")


@asynccontextmanager
async def _host(settings: Settings) -> AsyncIterator[Host]:
    """Open a host on the database of the settings; its refusals end the command with one line."""
    async with await open_existing(settings) as store:
        try:
            yield Host(store)
        except HostError as error:
            raise SettingsError(f"refused: {error}") from error
        except PlyConflictError as error:
            raise SettingsError("a move was quicker; nothing has changed, try again") from error


def _operator() -> str:
    """Return the name of the operator in the log: the account on this machine."""
    return f"{getpass.getuser()} on the command line"


async def list_problems(settings: Settings, _: Namespace) -> int:
    """List frozen games and messages that cannot be sent; return 1 if there are any."""
    async with _host(settings) as host:
        findings = await host.operators.faults()
        await host.operators.log_view(_operator(), "list")
    for finding in findings:
        print(finding)
    print(f"{len(findings) or 'no'} games or posts")
    return 1 if findings else 0


async def freeze(settings: Settings, chosen: Namespace) -> None:
    """Freeze a game and its clocks."""
    async with _host(settings) as host:
        game = await host.operators.freeze(chosen.game, _operator(), chosen.reason)
    print(f"{game.name} ({game.code}) rests at ply {game.ply}")


async def thaw(settings: Settings, chosen: Namespace) -> None:
    """Thaw a frozen game."""
    async with _host(settings) as host:
        game = await host.operators.thaw(chosen.game, _operator())
    print(f"{game.name} ({game.code}) goes on at ply {game.ply}")


async def close(settings: Settings, chosen: Namespace) -> None:
    """End a game without a result."""
    async with _host(settings) as host:
        game = await host.operators.close(chosen.game, _operator(), chosen.reason)
    print(f"{game.name} ({game.code}) is closed at ply {game.ply}")


async def export(settings: Settings, chosen: Namespace) -> None:
    """Print the record of a game, without hidden tiles while it is running."""
    async with _host(settings) as host:
        table = await host.games.table(chosen.game.upper())
        await host.operators.log_view(_operator(), "export", game=table.game.code)
    names = unique_names(table.game.seats)
    actions = [entry.action for entry in table.log]
    print(format_record(Record.of(table.position.setup, actions, names=names, title=table.game.name)), end="")


async def move(settings: Settings, chosen: Namespace) -> None:
    """Post the cards of a game in another thread or channel from now on."""
    async with _host(settings) as host:
        game = await host.operators.move(chosen.game, _operator(), chosen.place)
    print(f"{game.name} ({game.code}) goes on in {chosen.place}; /carc play there shows its newest card")


async def ban(settings: Settings, chosen: Namespace) -> None:
    """Ban a member or a server if one is named, and list all bans."""
    async with _host(settings) as host:
        if chosen.kind is not None and chosen.id is not None:
            await host.operators.ban(BanKind(chosen.kind), chosen.id, _operator(), chosen.reason)
        elif chosen.kind is not None:
            raise SettingsError(f"say which {chosen.kind}: its id, a number of about 18 digits")
        bans = await host.operators.bans()
    for entry in bans:
        print(f"{entry.kind} {entry.subject}, since {entry.at:%F}: {entry.reason or 'no reason given'}")
    print(f"{len(bans) or 'nobody'} kept out")


async def unban(settings: Settings, chosen: Namespace) -> None:
    """Lift a ban."""
    async with _host(settings) as host:
        if not await host.operators.unban(BanKind(chosen.kind), chosen.id, _operator()):
            raise SettingsError(f"{chosen.kind} {chosen.id} is not kept out; nothing has changed")
    print(f"{chosen.kind} {chosen.id} may play again")


async def limit(settings: Settings, chosen: Namespace) -> None:
    """Set how many games and lobbies a server may have, where games may be opened, and by which role."""
    if min(chosen.games or 0, chosen.lobbies or 0) < 0:
        raise SettingsError("less than nothing cannot go on; 0 lets nothing be opened")
    counts, places = (chosen.games, chosen.lobbies), (chosen.channels, chosen.opener)
    lines = []
    async with _host(settings) as host:
        if counts != (None, None) or places == (None, None):
            await host.operators.allow(chosen.server, Allowance(*counts), _operator())
            games, lobbies = ("as many as anywhere" if maximum is None else maximum for maximum in counts)
            lines += [f"games at once: {games}", f"open tables at once: {lobbies}"]
        if places != (None, None):
            channels = None if chosen.channels is None else tuple(chosen.channels)
            choices = await host.operators.open_to(chosen.server, _operator(), channels=channels, opener=chosen.opener)
            lines += [f"channels: {', '.join(map(str, choices.channels)) or 'all'}"]
            lines += [f"who opens: {choices.opener_role or 'everybody'}"]
    print(f"server {chosen.server}: {'; '.join(lines)}")


async def list_actions(settings: Settings, _: Namespace) -> None:
    """List the actions of operators, oldest first."""
    async with _host(settings) as host:
        actions = await host.operators.logged_actions()
    for action in reversed(actions):
        details = " ".join(f"{name}={value}" for name, value in action.details.items() if value not in ("", None))
        print(f"{action.at:%F %T}  {action.by}: {action.what} {details}")


async def forget_user(settings: Settings, chosen: Namespace) -> int:
    """Erase a person with ``--yes``; else print what would be done, and return 1."""
    async with _host(settings) as host:
        stored = await host.erasure.export(chosen.user)
        open_count = await host.erasure.count_open_games(chosen.user)
        if not any(stored.values()):
            raise SettingsError(f"nothing is known of {chosen.user}")
        if not chosen.yes:
            finished = len(stored["games"]) - open_count
            print(f"{open_count} open games would be resigned, {finished} finished ones keep an empty seat")
            print("nothing was changed; add --yes to do it")
            return 1
        resigned = await host.erasure.erase(chosen.user)
    print(f"{chosen.user} is forgotten; {resigned} open games were resigned")
    return 0


async def print_user_data(settings: Settings, chosen: Namespace) -> None:
    """Print everything that is stored of a person, as JSON."""
    async with _host(settings) as host:
        stored = await host.erasure.export(chosen.user)
    print(json.dumps(stored, indent=2, default=_as_text, ensure_ascii=False))


def _as_text(value: object) -> str:
    """Return a text for a value that JSON does not have."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
