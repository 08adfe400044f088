"""What a lobby has to be before it is opened, for the rematch of a game too, and before its game begins."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from engine import GAMES, EngineError
from host.errors import ErrorCode, HostError
from host.rights import not_owner
from host.values import setup_of
from store import GameStatus, Lobby, NewLobby, Person, Transaction, games


async def rematch_lobby(tx: Transaction, ref: str, person: Person) -> NewLobby:
    """A lobby like the one of a game that is over.

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
    setup = await asyncio.to_thread(lambda: setup_of(game))
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
