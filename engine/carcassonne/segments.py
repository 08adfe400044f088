"""Read and write tiles, cells and figures as text: ``base/D``, ``0,-1``, ``2@M12.city.N``."""

from __future__ import annotations

from typing import Final

from engine.actions import FOLLOWER
from engine.board import Follower
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Tabletop
from engine.carcassonne.tiles import TileKind, tile
from engine.geometry import Cell
from engine.grammar.words import FieldCodec, read_player, read_segment, seat_text, segment_text
from engine.position import Position


def read_tile(tile_id: str) -> TileKind:
    """Return the tile with this id.

    Raises:
        ValueError: there is no such tile.
    """
    try:
        return tile(tile_id)
    except KeyError as error:
        raise ValueError(f"unknown tile {tile_id!r}") from error


def read_cell(text: str) -> Cell:
    """Read the cell of a built position: ``x,y``."""
    x, y = text.split(",")
    return Cell(int(x), int(y))


def follower_text(land: Landscape, follower: Follower) -> str:
    """Return a figure as text: ``2@M12.city.N``, or ``2NAME@M12.road.N`` if it is not an ordinary follower."""
    figure = "" if follower.figure == FOLLOWER else follower.figure
    return f"{seat_text(follower.player)}{figure}@{segment_text(land, follower.segment)}"


def read_follower(position: Tabletop, text: str) -> Follower:
    """Read what :func:`follower_text` wrote.

    Raises:
        ValueError: there is no such figure, seat or segment.
    """
    owner, _, place = text.partition("@")
    figure = owner[1:] or FOLLOWER
    if figure not in position.supply:
        raise ValueError(f"no figure {figure!r}")
    return Follower(read_player(position, owner[:1]), figure, read_segment(position.land, place))


TILE: Final[FieldCodec[Position, TileKind]] = FieldCodec(lambda _, kind: kind.id, lambda _, text: read_tile(text))
"""A tile by its id, in words of the agenda."""
