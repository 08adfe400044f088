"""Who may do what, decided from what Discord vouches for."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Position
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
