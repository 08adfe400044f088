"""Who may do what, decided from what Discord vouches for."""

from __future__ import annotations

from dataclasses import dataclass

from host.errors import ErrorCode, HostError
from host.naming import called_among, told_apart
from store import Game, GameStatus, GuildSettings, Lobby


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for something, in which server, with which roles, and whether with the permission to manage threads."""

    user_id: int
    guild_id: int
    roles: frozenset[int] = frozenset()
    manages: bool = False


def may_look(game: Game, user_id: int, *, member: bool, sees: bool) -> bool:
    """Whether somebody may look at a game: a member of its server who plays it or sees where it is played."""
    return member and (sees or game.plays(user_id))


def check_playing(game: Game, user_id: int) -> None:
    """Make sure that somebody plays a game that goes on; in the order in which every move is checked.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
    """
    if game.seat_of(user_id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
    if game.status is GameStatus.FINISHED:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    if game.status is GameStatus.FROZEN:
        raise HostError(ErrorCode.FROZEN, code=game.code)
    if not game.plays(user_id):
        raise HostError(ErrorCode.RESIGNED, code=game.code)


def check_revision(game: Game, revision: int | None) -> None:
    """Make sure that a game still stands where somebody has seen it.

    Raises:
        HostError: ``stale``.
    """
    if revision is not None and revision != game.revision:
        raise HostError(ErrorCode.STALE, revision=revision, current=game.revision)


def check_turn(game: Game, user_id: int, revision: int | None) -> None:
    """Make sure that somebody has to decide something in a game, at this revision if one is given: he may think of it.

    Raises:
        HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``, ``not_your_turn``; looked for
            in this order, as for every move.
    """
    check_playing(game, user_id)
    check_revision(game, revision)
    if game.seat_to_act is None:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    if game.seat_of(user_id) != game.seat_to_act:
        raise HostError(ErrorCode.NOT_YOUR_TURN, player=told_apart(game.seats)[game.seat_to_act])


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
