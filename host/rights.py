"""Permissions: checks of what players, organisers and managers may do, and limits on games and lobbies.

A *manager* may manage the threads of a server, or has the role that its settings name. An *organiser* of a game
organises the event to which it belongs or, if it belongs to none, manages its server. A *revision* is the number of
actions that a game has seen, undone ones included; a button carries the revision at which it was shown.

Functions named ``check_`` or ``require_`` raise a :class:`HostError` if something is not allowed. All trust the user
id, roles and permissions that Discord reports with an interaction.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from engine import Position
from host.errors import ErrorCode, HostError
from host.naming import unique_name_of, unique_names
from host.settings import HostSettings
from store import games, guilds, lobbies
from store.connection.database import Store, Transaction
from store.guilds import BanKind, GuildSettings
from store.records import Game, GameStatus, Lobby, NewLobby, Person


@dataclass(frozen=True, slots=True)
class Asker:
    """The member of a server who makes a request, as Discord describes them."""

    user_id: int
    guild_id: int
    roles: frozenset[int] = frozenset()
    """The ids of the member's roles in this server."""
    manages: bool = False
    """True if the member may manage the threads of the server."""


def check_look(game: Game, user_id: int, *, member: bool, sees: bool) -> None:
    """Check that a user may view a game: a member of its server who plays in it or can see its channel.

    Raises:
        HostError: ``unknown_game``, the same as for a game that does not exist, so that nothing is revealed.
    """
    if not (member and (sees or game.plays(user_id))):
        raise HostError(ErrorCode.UNKNOWN_GAME, ref=game.code)


def seat_in(game: Game, user_id: int) -> int:
    """Return the seat of a user in a game, even if they have left it.

    Raises:
        HostError: ``not_a_player``.
    """
    seat = game.seat_of(user_id)
    if seat is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
    return seat


def check_going_on(game: Game, user_id: int) -> int:
    """Return the seat of a user in an unfinished game, even if they have left it.

    Raises:
        HostError: ``not_a_player``, ``game_over``.
    """
    seat = seat_in(game, user_id)
    if game.status is GameStatus.FINISHED:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    return seat


def check_playing(game: Game, user_id: int) -> int:
    """Return the seat of a user who still plays in a running game.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, checked in this order.
    """
    seat = check_going_on(game, user_id)
    if game.status is GameStatus.FROZEN:
        raise HostError(ErrorCode.FROZEN, code=game.code)
    if not game.plays(user_id):
        raise HostError(ErrorCode.RESIGNED, code=game.code)
    return seat


def check_revision(game: Game, revision: int | None) -> None:
    """Check that a game is still at the revision that the player saw; None accepts any revision.

    Raises:
        HostError: ``stale``.
    """
    if revision is not None and revision != game.revision:
        raise HostError(ErrorCode.STALE, revision=revision, current=game.revision)


def check_turn(game: Game, user_id: int, revision: int | None) -> int:
    """Return the seat of a user whose turn it is at this revision; None accepts any revision.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``, ``not_your_turn``, checked in
            this order.
    """
    seat = check_playing(game, user_id)
    check_revision(game, revision)
    if game.seat_to_act is None:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    if seat != game.seat_to_act:
        raise HostError(ErrorCode.NOT_YOUR_TURN, player=unique_names(game.seats)[game.seat_to_act])
    return seat


def check_unfinished(game: Game, position: Position) -> None:
    """Check that a position is not the end of its game.

    Raises:
        HostError: ``game_over``.
    """
    if position.is_over:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)


def is_manager(asker: Asker, settings: GuildSettings) -> bool:
    """Return whether a member manages the server, by permission or by its manager role."""
    return asker.manages or (settings.manager_role is not None and settings.manager_role in asker.roles)


def require_manager(asker: Asker, settings: GuildSettings, guild_id: int) -> None:
    """Check that a member manages this server.

    Raises:
        HostError: ``not_manager``.
    """
    if asker.guild_id != guild_id or not is_manager(asker, settings):
        raise HostError(ErrorCode.NOT_MANAGER)


def require_lobby_owner(lobby: Lobby, asker: Asker, settings: GuildSettings) -> None:
    """Check that a member may choose the players of a lobby: its owner, or a manager of the server.

    Raises:
        HostError: ``unknown_lobby`` outside the lobby's server, ``not_owner``.
    """
    if asker.guild_id != lobby.guild_id:
        raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby.id)
    if lobby.owner_id != asker.user_id and not is_manager(asker, settings):
        raise not_owner(lobby)


def not_owner(lobby: Lobby) -> HostError:
    """Return the error that names the lobby's owner."""
    return HostError(ErrorCode.NOT_OWNER, owner=unique_name_of(lobby.members, lobby.owner_id))


@dataclass(eq=False)
class GameLimits:
    """Checks bans, and the limits on open lobbies and unfinished games.

    The limits are those of the host's settings. An operator can set others for a server, and a server's managers a
    lower one for each of its members.
    """

    _store: Store
    _settings: HostSettings

    async def check_opening(self, tx: Transaction, new: NewLobby) -> None:
        """Check that one more lobby may be opened.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_lobbies``, ``too_many_lobbies_here``,
                ``too_many_games``, ``too_many_games_here``.
        """
        settings = self._settings
        if await lobbies.count_open(tx, new.guild_id, new.owner.user_id) >= settings.lobbies_of_member:
            raise HostError(ErrorCode.TOO_MANY_LOBBIES, most=settings.lobbies_of_member)
        allowance = (await guilds.allowance_of(tx, new.guild_id)).lobbies
        limit = settings.lobbies_of_guild if allowance is None else allowance
        if await lobbies.count_open(tx, new.guild_id) >= limit:
            raise HostError(ErrorCode.TOO_MANY_LOBBIES_HERE, most=limit)
        await self.check_player(tx, new.guild_id, new.owner)
        await self.check_guild(tx, new.guild_id)

    async def check_player(self, tx: Transaction, guild_id: int, person: Person, name: str = "") -> None:
        """Check that a user may play one more game in a server.

        ``name`` is the name by which an error calls them; empty for their own.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self.check_ban(tx, guild_id, person.user_id)
        limit = self._settings.games_of_member
        server_limit = (await guilds.get(tx, guild_id)).games_of_member
        limit = limit if server_limit is None else min(limit, server_limit)
        if await games.count_unfinished(tx, guild_id, person.user_id) >= limit:
            raise HostError(ErrorCode.TOO_MANY_GAMES, player=name or person.name, most=limit)

    async def check_ban(self, tx: Transaction, guild_id: int, user_id: int) -> None:
        """Check that the operator lets a user play in a server.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``.
        """
        ban = await guilds.find_ban(tx, user_id, guild_id)
        if ban is not None:
            raise HostError(ErrorCode.KEPT_OUT if ban is BanKind.USER else ErrorCode.SERVER_KEPT_OUT)

    async def check_player_now(self, guild_id: int, person: Person) -> None:
        """Do the same as :meth:`check_player`, in a transaction of its own.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self._store.read(self.check_player, guild_id, person)

    async def check_guild(self, tx: Transaction, guild_id: int) -> None:
        """Check that a server may have one more unfinished game.

        Raises:
            HostError: ``too_many_games_here``.
        """
        allowance = (await guilds.allowance_of(tx, guild_id)).games
        limit = self._settings.games_of_guild if allowance is None else allowance
        if await games.count_unfinished(tx, guild_id) >= limit:
            raise HostError(ErrorCode.TOO_MANY_GAMES_HERE, most=limit)

    async def check_moving(self, tx: Transaction, guild_id: int, game: Game) -> None:
        """Check that a game may move to another server: neither that server nor any player exceeds a limit there.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``, ``too_many_games_here``.
        """
        await self.check_guild(tx, guild_id)
        for person in game.players:
            await self.check_player(tx, guild_id, person, unique_name_of(game.seats, person.user_id))


@dataclass(frozen=True, slots=True)
class EventGame:
    """The event to which a game belongs, reduced to the facts on which permissions depend."""

    code: str
    """The event's public code."""
    rated: bool
    """True if its games change the players' ratings."""
    going: bool
    """True while the event runs: then its rules decide who may move the game's end date."""
    organises: Callable[[Asker], bool]
    """Returns whether a member organises the event."""


EventOf = Callable[[Game], Awaitable[EventGame | None]]
"""Returns the event to which a game belongs, None if it belongs to none."""


@dataclass(eq=False)
class Organisers:
    """Decides who organises a game. A user with a seat in it never does, to keep organisers impartial."""

    _store: Store
    event_of: EventOf
    """Finds the event of a game; passed in by the events, on which this module does not depend."""

    async def organises(self, game: Game, asker: Asker) -> bool:
        """Return whether a member organises the game's event or, if it has none, manages its server."""
        if game.seat_of(asker.user_id) is not None:
            return False
        event = await self.event_of(game)
        if event is not None:
            return event.organises(asker)
        if asker.guild_id != game.guild_id:
            return False
        return is_manager(asker, await self._store.read(guilds.get, game.guild_id))

    async def organises_or_plays(self, game: Game, asker: Asker) -> bool:
        """Return True for an organiser of the game, False for a user with a seat in it.

        Raises:
            HostError: ``not_organiser`` if the member is neither.
        """
        if game.seat_of(asker.user_id) is not None:
            return False
        if not await self.organises(game, asker):
            raise HostError(ErrorCode.NOT_ORGANISER, code=game.code)
        return True

    async def require_manager(self, game: Game, asker: Asker) -> None:
        """Check that a member manages the server of a game.

        Raises:
            HostError: ``not_manager``.
        """
        settings = await self._store.read(guilds.get, game.guild_id)
        require_manager(asker, settings, game.guild_id)
