"""What a lobby has to be before it is opened, for the rematch of a game too, and before its game begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from engine import GAMES, EngineError
from host.errors import ErrorCode, HostError
from host.rights import not_owner
from host.values import setup_of
from store import Game, GameStatus, Lobby, LobbyState, NewLobby, Person, Transaction, UnreadableError, games, lobbies


async def finished_game(tx: Transaction, ref: str, person: Person) -> Game:
    """A game that is over, for who has played it.

    Raises:
        HostError: ``unknown_game``, ``not_a_player``, ``not_over``.
    """
    game = await games.by_code(tx, ref)
    if game is None:
        raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
    if game.seat_of(person.user_id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
    if game.status is not GameStatus.FINISHED:
        raise HostError(ErrorCode.NOT_OVER, code=game.code)
    return game


def rematch_lobby(game: Game, person: Person) -> NewLobby:
    """A lobby like the one of this game."""
    setup = setup_of(game)
    return NewLobby(
        guild_id=game.guild_id,
        channel_id=game.channel_id,
        owner=person,
        game=setup.game,
        capacity=setup.players,
        expansions=setup.expansions,
        options=setup.options.differences(),
        settings=game.settings,
        rematch_of=game.id,
    )


def check_rules(name: str, capacity: int, expansions: tuple[str, ...], options: Mapping[str, Any]) -> None:
    """Make sure that there is such a game, that so many can play it, and that it has such rules.

    Raises:
        HostError: ``bad_players``, ``bad_options``.
    """
    game = GAMES.get(name)
    if game is None:
        raise HostError(ErrorCode.BAD_OPTIONS, reason=f"unknown game {name!r}")
    if capacity not in game.players:
        raise HostError(ErrorCode.BAD_PLAYERS, capacity=capacity, least=game.players[0], most=game.players[-1])
    try:
        game.new_setup(players=capacity, seed="", options=game.options.of(options), expansions=expansions)
    except EngineError as error:
        raise HostError(ErrorCode.BAD_OPTIONS, reason=str(error)) from error


def check_start(lobby: Lobby, user_id: int) -> None:
    """Make sure that somebody may turn the lobby into a game now.

    Raises:
        HostError: ``not_in_lobby``, ``too_few_players``, ``not_owner``.
    """
    if lobby.member(user_id) is None:
        raise HostError(ErrorCode.NOT_IN_LOBBY)
    least = GAMES[lobby.game].players[0]
    if len(lobby.members) < least:
        raise HostError(ErrorCode.TOO_FEW_PLAYERS, players=len(lobby.members), least=least)
    if lobby.owner_id != user_id and not lobby.full:
        raise not_owner(lobby)


async def known_lobby(tx: Transaction, lobby_id: int) -> Lobby:
    """The lobby with this id, whatever became of it.

    Raises:
        HostError: ``unknown_lobby``.
    """
    try:
        lobby = await lobbies.get(tx, lobby_id)
    except UnreadableError as error:
        raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby_id) from error
    if lobby is None:
        raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby_id)
    return lobby


async def open_lobby(tx: Transaction, lobby_id: int) -> Lobby:
    """The lobby with this id, in which people still gather.

    Raises:
        HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``.
    """
    lobby = await known_lobby(tx, lobby_id)
    match lobby.state:
        case LobbyState.STARTED:
            raise HostError(ErrorCode.LOBBY_STARTED, game_id=lobby.game_id)
        case LobbyState.CLOSED | LobbyState.EXPIRED:
            raise HostError(ErrorCode.LOBBY_CLOSED)
        case LobbyState.OPEN:
            return lobby
        case never:
            assert_never(never)


async def remove_member(tx: Transaction, lobby: Lobby, user_id: int) -> None:
    """Take a seat away; the next one inherits the table, and an empty one is closed.

    Raises:
        HostError: ``not_in_lobby``.
    """
    if lobby.member(user_id) is None:
        raise HostError(ErrorCode.NOT_IN_LOBBY)
    await lobbies.remove_member(tx, lobby.id, user_id)
    left = [person for person in lobby.members if person.user_id != user_id]
    if not left:
        await lobbies.set_closed(tx, lobby.id)
    elif lobby.owner_id == user_id:
        await lobbies.set_owner(tx, lobby.id, left[0].user_id)
