"""An operator's hand: looking for games that are stuck, freezing, closing, exporting, moving; keeping people out.

Each works beside the running bot, and is written down with the name of who did it.
"""

from __future__ import annotations

import getpass
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from engine.notation.records import Record, format_record
from host import Host, HostError, told_apart
from operations.database import current
from operations.settings import Settings, SettingsError
from store import Allowance, BanKind, PlyConflictError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from operations.commands import Commands


def add(commands: Commands) -> None:
    """Say what may be typed."""
    commands.new("stuck", stuck, "list games that rest and posts that are stuck, and why")
    _game(commands.new("freeze", frozen, "let a game and its clocks rest until it is thawed"), reason=True)
    _game(commands.new("thaw", thawed, "let a game go on that rests"))
    _game(commands.new("close", closed, "end a game without a result, with notice"), reason=True)
    _game(commands.new("export", exported, "print the record of a game"))
    moved_to = commands.new("move", moved, "let the cards of a game go to another thread or channel")
    _game(moved_to)
    moved_to.add_argument("place", type=int, metavar="PLACE", help="the id of the thread or channel")
    ban = commands.new("ban", banned, "let a member or a server open and join no games; without a name, list them")
    ban.add_argument("kind", nargs="?", choices=list(BanKind), help="whom")
    ban.add_argument("id", nargs="?", type=int, metavar="ID")
    ban.add_argument("--reason", default="", help="why, for who reads the list")
    unban = commands.new("unban", let_in, "let them in again")
    unban.add_argument("kind", choices=list(BanKind))
    unban.add_argument("id", type=int, metavar="ID")
    limit = commands.new("limit", limited, "say how much may go on in a server at once; by itself, as much as anywhere")
    limit.add_argument("server", type=int, metavar="SERVER")
    limit.add_argument("--games", type=int, help="games at once")
    limit.add_argument("--lobbies", type=int, help="tables that gather players at once")
    limit.add_argument(
        "--channels", type=int, nargs="*", metavar="CHANNEL", help="where games may be opened; none: all"
    )
    limit.add_argument("--opener", type=int, metavar="ROLE", help="the role that one needs to open games; 0: none")
    commands.new("deeds", deeds, "list what was done by hand, and by whom")


def _game(parser: ArgumentParser, *, reason: bool = False) -> None:
    parser.add_argument("game", metavar="GAME", help="the code of the game, four signs")
    if reason:
        parser.add_argument("--reason", default="", help="why, for who reads the list")


@asynccontextmanager
async def _host(settings: Settings) -> AsyncIterator[Host]:
    """The host on the database of the settings; what it refuses is a line."""
    store = await current(settings)
    try:
        yield Host(store)
    except HostError as error:
        raise SettingsError(f"refused: {error}") from error
    except PlyConflictError as error:
        raise SettingsError("a move was quicker; nothing has changed, try again") from error
    finally:
        await store.close()


def _me() -> str:
    """Who does it, by the name on this machine."""
    return f"{getpass.getuser()} on the command line"


async def stuck(settings: Settings, _: Namespace) -> int:
    """List what is wrong; 1 when something is."""
    async with _host(settings) as host:
        found = await host.operators.troubles()
        await host.operators.looked(_me(), "list")
    for finding in found:
        print(finding)
    print(f"{len(found) or 'no'} games or posts")
    return 1 if found else 0


async def frozen(settings: Settings, chosen: Namespace) -> int:
    """Let a game rest."""
    async with _host(settings) as host:
        game = await host.operators.freeze(chosen.game, _me(), chosen.reason)
    print(f"{game.name} ({game.code}) rests at ply {game.ply}")
    return 0


async def thawed(settings: Settings, chosen: Namespace) -> int:
    """Let a game go on."""
    async with _host(settings) as host:
        game = await host.operators.thaw(chosen.game, _me())
    print(f"{game.name} ({game.code}) goes on at ply {game.ply}")
    return 0


async def closed(settings: Settings, chosen: Namespace) -> int:
    """End a game without a result."""
    async with _host(settings) as host:
        game = await host.operators.close(chosen.game, _me(), chosen.reason)
    print(f"{game.name} ({game.code}) is closed at ply {game.ply}")
    return 0


async def exported(settings: Settings, chosen: Namespace) -> int:
    """Print the record of a game; of one that runs, nothing that lies face down."""
    async with _host(settings) as host:
        table = await host.games.table(chosen.game.upper())
        await host.operators.looked(_me(), "export", game=table.game.code)
    names = told_apart(table.game.seats)
    actions = [entry.action for entry in table.log]
    print(format_record(Record.of(table.position.setup, actions, names=names, title=table.game.name)), end="")
    return 0


async def moved(settings: Settings, chosen: Namespace) -> int:
    """Let the cards of a game go somewhere else."""
    async with _host(settings) as host:
        game = await host.operators.move(chosen.game, _me(), chosen.place)
    print(f"{game.name} ({game.code}) goes on in {chosen.place}; /carc play there shows its newest card")
    return 0


async def banned(settings: Settings, chosen: Namespace) -> int:
    """Keep somebody out, or list who is."""
    async with _host(settings) as host:
        if chosen.kind is not None and chosen.id is not None:
            await host.operators.keep_out(BanKind(chosen.kind), chosen.id, _me(), chosen.reason)
        elif chosen.kind is not None:
            raise SettingsError(f"say which {chosen.kind}: its id, a number of about 18 digits")
        kept_out = await host.operators.kept_out()
    for ban in kept_out:
        print(f"{ban.kind} {ban.subject}, since {ban.at:%F}: {ban.reason or 'no reason given'}")
    print(f"{len(kept_out) or 'nobody'} kept out")
    return 0


async def let_in(settings: Settings, chosen: Namespace) -> int:
    """Let somebody in again."""
    async with _host(settings) as host:
        if not await host.operators.let_in(BanKind(chosen.kind), chosen.id, _me()):
            raise SettingsError(f"{chosen.kind} {chosen.id} is not kept out; nothing has changed")
    print(f"{chosen.kind} {chosen.id} may play again")
    return 0


async def limited(settings: Settings, chosen: Namespace) -> int:
    """Say how much may go on in a server, where, and who may open it."""
    if min(chosen.games or 0, chosen.lobbies or 0) < 0:
        raise SettingsError("less than nothing cannot go on; 0 lets nothing be opened")
    counts, places = (chosen.games, chosen.lobbies), (chosen.channels, chosen.opener)
    said = []
    async with _host(settings) as host:
        if counts != (None, None) or places == (None, None):
            await host.operators.allow(chosen.server, Allowance(*counts), _me())
            games, lobbies = ("as many as anywhere" if most is None else most for most in counts)
            said += [f"games at once: {games}", f"open tables at once: {lobbies}"]
        if places != (None, None):
            channels = None if chosen.channels is None else tuple(chosen.channels)
            decided = await host.operators.open_to(chosen.server, _me(), channels=channels, opener=chosen.opener)
            said += [f"channels: {', '.join(map(str, decided.channels)) or 'all'}"]
            said += [f"who opens: {decided.opener_role or 'everybody'}"]
    print(f"server {chosen.server}: {'; '.join(said)}")
    return 0


async def deeds(settings: Settings, _: Namespace) -> int:
    """List what was done by hand."""
    async with _host(settings) as host:
        found = await host.operators.deeds()
    for deed in reversed(found):
        details = " ".join(f"{name}={value}" for name, value in deed.details.items() if value not in ("", None))
        print(f"{deed.at:%F %T}  {deed.by}: {deed.what} {details}")
    return 0
