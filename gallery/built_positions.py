"""Build positions of Carcassonne from descriptions, without playing: for scenarios and contact sheets.

``arrange(tiles=["base/D 0,0", "base/E 0,-1 180"], followers=["0 0,0 city.N"])`` makes a table with two tiles and a
follower of the first player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.actions import FIRST_SEAT, FOLLOWER, NO_SEAT, Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS, REGISTRY
from engine.carcassonne.options import Options
from engine.carcassonne.position import Position
from engine.carcassonne.segments import read_cell
from engine.carcassonne.setup import Setup
from engine.carcassonne.steps import Draw, NextTurn
from engine.carcassonne.tiles import tile
from engine.errors import NotationError
from engine.geometry import Cell
from engine.setup import RULES_VERSION

_PILE = ("base/U",) * 20
"""The tiles that lie face down by default: straight roads, enough for any scenario."""


def arrange(
    *,
    players: int = 3,
    tiles: Sequence[str] = ("base/D 0,0 0",),
    followers: Sequence[str] = (),
    scores: Sequence[int] | None = None,
    supply: Mapping[str, Sequence[int]] | None = None,
    player: Seat = FIRST_SEAT,
    hand: str = "base/B",
    pile: Sequence[str] = _PILE,
    options: BaseOptions | None = None,
    expansions: tuple[str, ...] = DEFAULT_EXPANSIONS,
    rules: int = RULES_VERSION,
    **pieces: Sequence[str],
) -> Position:
    """Build a position in which ``player`` has ``hand`` to place.

    Args:
        players: the number of seats.
        tiles: ``id x,y rotation`` (0 may be left out), laid in this order; edges are not checked.
        followers: ``seat x,y segment``, segments named as by :meth:`engine.tiles.Segment.is_named`, followed by the
            name of the figure if it is not an ordinary follower.
        scores: points by seat.
        supply: the pieces left by name and seat; by default all that are not on the table.
        player: the player to move.
        hand: the tile to place.
        pile: the tiles that lie face down, in the order of drawing.
        options: the options of the game.
        expansions: the expansions in play.
        rules: the rules version of the game.
        pieces: descriptions of the pieces of boxes, by the names of their arrangers.

    Raises:
        NotationError: a description cannot be read or does not fit the table.
    """
    entries = [_tile(text) for text in tiles]
    start, _, rotation = next((entry for entry in entries if entry[1] == Cell(0, 0)), entries[0])
    setup = Setup(
        players=players,
        pile=(hand, *pile),
        options=options or Options(),
        expansions=expansions,
        rules=rules,
        start_tile=start,
        start_rotation=rotation,
    )
    position = Position(setup, begin=False)
    for tile_id, cell, rotation in entries:
        position.land.place(cell.square, tile(tile_id).faces[rotation // 90], NO_SEAT)
    _arrange_pieces(position, pieces, stands=False)
    for text in followers:
        _put_follower(position, text)
    _arrange_pieces(position, pieces, stands=True)
    for piece, counts in (supply or {}).items():
        position.supply[piece] = list(counts)
    if scores is not None:
        position.scores = list(scores)
    position.land.touched.clear()
    position.agenda = [NextTurn(player), Draw(player)]
    position.resume()
    return position


def _tile(text: str) -> tuple[str, Cell, int]:
    """Read a tile of a description: its id, its cell and its rotation."""
    tile_id, cell, *rotation = text.split()
    return tile_id, read_cell(cell), int(rotation[0]) if rotation else 0


def _arrange_pieces(position: Position, pieces: Mapping[str, Sequence[str]], *, stands: bool) -> None:
    """Put the pieces of boxes on the table: those that stand on features, or those that do not."""
    arrangers = {name: arranger for box in REGISTRY.values() for name, arranger in box.arrangers.items()}
    for name, descriptions in pieces.items():
        if arrangers[name].stands is stands:
            for text in descriptions:
                arrangers[name].put(position, text)


def _segment(position: Position, cell: Cell, name: str) -> SegmentNumber:
    """Return the number of a segment, named by its cell and its own name."""
    try:
        return position.land.number_of(cell, name)
    except KeyError as error:
        raise NotationError(error.args[0]) from error


def _put_follower(position: Position, text: str) -> None:
    """Put a figure on a segment, out of its player's supply."""
    seat, cell, name, *figures = text.split()
    figure = figures[0] if figures else FOLLOWER
    number = _segment(position, read_cell(cell), name)
    player = Seat(int(seat))
    position.land.holders[position.land.find(number)] += (Follower(player, figure, number),)
    position.supply[figure][player] -= 1
