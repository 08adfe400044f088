"""Moving figures between the players' supplies and the board, in every game."""

from __future__ import annotations

from engine.actions import Seat
from engine.board import Follower
from engine.errors import IllegalActionError
from engine.events import Deployed, Returned
from engine.geometry import Cell
from engine.position import Position


def deploy(position: Position, player: Seat, cell: Cell, name: str, figure: str) -> None:
    """Deploy a figure on the named segment of a tile.

    Raises:
        IllegalActionError: the tile has no such segment.
    """
    board = position.board
    try:
        number = board.number_of(cell, name)
    except KeyError as error:
        raise IllegalActionError(error.args[0]) from error
    board.holders[board.find(number)] += (Follower(player, figure, number),)
    position.supply[figure][player] -= 1
    position.emit(Deployed(player, cell, board.part(number)[1], figure))


def return_figure(position: Position, follower: Follower) -> None:
    """Return a figure to its owner's supply; the caller takes it off the board."""
    position.supply[follower.figure][follower.player] += 1
    position.emit(Returned(follower.player, Cell.at(position.board.home[follower.segment]), follower.figure))
