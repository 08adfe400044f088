"""Who may do what, decided from what Discord vouches for, and how much may go on at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from engine import Position
from host.errors import ErrorCode, HostError
from host.naming import called_among, told_apart
from host.settings import HostSettings
from store import (
    BanKind,
    Game,
    GameStatus,
    GuildSettings,
    Lobby,
    NewLobby,
    Person,
    Store,
    Transaction,
    games,
    guilds,
    lobbies,
)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for something, in which server, with which roles, and whether with the permission to manage threads."""

    user_id: int
    guild_id: int
    roles: frozenset[int] = frozenset()
    manages: bool = False


def check_look(game: Game, user_id: int, *, member: bool, sees: bool) -> None:
    """Make sure that somebody may look at a game: a member of its server who plays it or sees where it is played.

    Raises:
        HostError: ``unknown_game``: to all others it does not exist.
    """
    if not (member and (sees or game.plays(user_id))):
        raise HostError(ErrorCode.UNKNOWN_GAME, ref=game.code)


def seat_in(game: Game, user_id: int) -> int:
    """The seat of somebody in a game, be it that he has left it.

    Raises:
        HostError: ``not_a_player``.
    """
    seat = game.seat_of(user_id)
    if seat is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
    return seat


def check_going_on(game: Game, user_id: int) -> int:
    """The seat of somebody in a game that is not over: what is checked before its table is looked at.

    Raises:
        HostError: ``not_a_player``, ``game_over``.
    """
    seat = seat_in(game, user_id)
    if game.status is GameStatus.FINISHED:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    return seat


def check_playing(game: Game, user_id: int) -> int:
    """The seat of somebody who plays a game that goes on; checked in the same order as every move.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
    """
    seat = check_going_on(game, user_id)
    if game.status is GameStatus.FROZEN:
        raise HostError(ErrorCode.FROZEN, code=game.code)
    if not game.plays(user_id):
        raise HostError(ErrorCode.RESIGNED, code=game.code)
    return seat


def check_revision(game: Game, revision: int | None) -> None:
    """Make sure that a game still stands where somebody has seen it.

    Raises:
        HostError: ``stale``.
    """
    if revision is not None and revision != game.revision:
        raise HostError(ErrorCode.STALE, revision=revision, current=game.revision)


def check_turn(game: Game, user_id: int, revision: int | None) -> int:
    """The seat of somebody who has to decide something in a game, at this revision if one is given.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``, ``not_your_turn``; looked for
            in this order, for every move and before one is thought of.
    """
    seat = check_playing(game, user_id)
    check_revision(game, revision)
    if game.seat_to_act is None:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    if seat != game.seat_to_act:
        raise HostError(ErrorCode.NOT_YOUR_TURN, player=told_apart(game.seats)[game.seat_to_act])
    return seat


def check_unfinished(game: Game, position: Position) -> None:
    """Make sure that there is something left to be decided in a game.

    Raises:
        HostError: ``game_over``.
    """
    if position.is_over:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)


def is_manager(asker: Asker, settings: GuildSettings) -> bool:
    """Whether somebody manages the server: by the permission, or by the role that was given it."""
    return asker.manages or (settings.manager_role is not None and settings.manager_role in asker.roles)


def require_manager(asker: Asker, settings: GuildSettings, guild_id: int) -> None:
    """Make sure that somebody manages this server.

    Raises:
        HostError: ``not_manager``.
    """
    if asker.guild_id != guild_id or not is_manager(asker, settings):
        raise HostError(ErrorCode.NOT_MANAGER)


def require_host_of(lobby: Lobby, asker: Asker, settings: GuildSettings) -> None:
    """Make sure that somebody may say who sits at a table that gathers: its owner, or who manages the server.

    Raises:
        HostError: ``unknown_lobby`` outside its server, ``not_owner``.
    """
    if asker.guild_id != lobby.guild_id:
        raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby.id)
    if lobby.owner_id != asker.user_id and not is_manager(asker, settings):
        raise not_owner(lobby)


def not_owner(lobby: Lobby) -> HostError:
    """The refusal that names whoever may."""
    return HostError(ErrorCode.NOT_OWNER, owner=called_among(lobby.members, lobby.owner_id))


class GameLimits:
    """The limits that the settings name."""

    def __init__(self, store: Store, settings: HostSettings) -> None:
        self._store = store
        self._settings = settings

    async def check_opening(self, tx: Transaction, new: NewLobby) -> None:
        """Make sure that one more lobby may be opened.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_lobbies``, ``too_many_lobbies_here``,
                ``too_many_games``, ``too_many_games_here``.
        """
        settings = self._settings
        if await lobbies.count_open(tx, new.guild_id, new.owner.user_id) >= settings.lobbies_of_member:
            raise HostError(ErrorCode.TOO_MANY_LOBBIES, most=settings.lobbies_of_member)
        allowed = (await guilds.allowance_of(tx, new.guild_id)).lobbies
        most = settings.lobbies_of_guild if allowed is None else allowed
        if await lobbies.count_open(tx, new.guild_id) >= most:
            raise HostError(ErrorCode.TOO_MANY_LOBBIES_HERE, most=most)
        await self.check_player(tx, new.guild_id, new.owner)
        await self.check_guild(tx, new.guild_id)

    async def check_player(self, tx: Transaction, guild_id: int, person: Person, called: str = "") -> None:
        """Make sure that somebody, perhaps called otherwise among others, may play one more game in a server.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        kept_out = await guilds.banned(tx, person.user_id, guild_id)
        if kept_out is not None:
            raise HostError(ErrorCode.KEPT_OUT if kept_out is BanKind.USER else ErrorCode.SERVER_KEPT_OUT)
        most = self._settings.games_of_member
        decided = (await guilds.get(tx, guild_id)).games_of_member
        most = most if decided is None else min(most, decided)
        if await games.count_unfinished(tx, guild_id, person.user_id) >= most:
            raise HostError(ErrorCode.TOO_MANY_GAMES, player=called or person.name, most=most)

    async def check_player_now(self, guild_id: int, person: Person) -> None:
        """Like :meth:`check_player`, outside of a transaction.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        async with self._store.reading() as tx:
            await self.check_player(tx, guild_id, person)

    async def check_guild(self, tx: Transaction, guild_id: int) -> None:
        """Make sure that one more game may go on in a server.

        Raises:
            HostError: ``too_many_games_here``.
        """
        allowed = (await guilds.allowance_of(tx, guild_id)).games
        most = self._settings.games_of_guild if allowed is None else allowed
        if await games.count_unfinished(tx, guild_id) >= most:
            raise HostError(ErrorCode.TOO_MANY_GAMES_HERE, most=most)

    async def check_moving(self, tx: Transaction, guild_id: int, game: Game) -> None:
        """Make sure that a game may go on in another server.

        Raises:
            HostError: ``too_many_games``, ``too_many_games_here``.
        """
        await self.check_guild(tx, guild_id)
        for person in game.players:
            await self.check_player(tx, guild_id, person, called_among(game.seats, person.user_id))


@dataclass(frozen=True, slots=True)
class EventGame:
    """The event of which a game is part."""

    code: str
    rated: bool
    going: bool
    """Whether the event has begun and is not over: then its rules say who may move the game's end date."""
    organises: Callable[[Asker], bool]
    """Returns whether somebody organises the event."""


EventOf = Callable[[Game], Awaitable[EventGame | None]]
"""Returns the event of which a game is part, if there is one."""


class Organisers:
    """Decides who organises a game; nobody with a seat in it ever does."""

    def __init__(self, store: Store, event_of: EventOf) -> None:
        self._store = store
        self.event_of = event_of

    async def organises(self, game: Game, asker: Asker) -> bool:
        """Return whether somebody organises the game's event or, if it has none, manages its server."""
        if game.seat_of(asker.user_id) is not None:
            return False
        event = await self.event_of(game)
        if event is not None:
            return event.organises(asker)
        if asker.guild_id != game.guild_id:
            return False
        async with self._store.reading() as tx:
            return is_manager(asker, await guilds.get(tx, game.guild_id))

    async def organises_or_plays(self, game: Game, asker: Asker) -> bool:
        """Return whether somebody organises the game; False if they have a seat in it.

        Raises:
            HostError: ``not_organiser``: neither.
        """
        if game.seat_of(asker.user_id) is not None:
            return False
        if not await self.organises(game, asker):
            raise HostError(ErrorCode.NOT_ORGANISER, code=game.code)
        return True

    async def require_manager(self, game: Game, asker: Asker) -> None:
        """Make sure that somebody manages the server of a game.

        Raises:
            HostError: ``not_manager``.
        """
        async with self._store.reading() as tx:
            settings = await guilds.get(tx, game.guild_id)
        require_manager(asker, settings, game.guild_id)
