"""Tiles, segments and figures by name: ``M12.city.N`` is the segment of the tile on M12 that touches its north side."""

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
    """The tile with this id.

    Raises:
        ValueError: no set has it.
    """
    try:
        return tile(tile_id)
    except KeyError as error:
        raise ValueError(f"unknown tile {tile_id!r}") from error


def read_cell(text: str) -> Cell:
    """The cell of an arrangement: ``x,y``."""
    x, y = text.split(",")
    return Cell(int(x), int(y))


def follower_text(land: Landscape, follower: Follower) -> str:
    """A figure where it stands: ``2@M12.city.N``, and ``2NAME@M12.road.N`` for one that is no ordinary follower."""
    figure = "" if follower.figure == FOLLOWER else follower.figure
    return f"{seat_text(follower.player)}{figure}@{segment_text(land, follower.segment)}"


def read_follower(position: Tabletop, text: str) -> Follower:
    """What :func:`follower_text` wrote.

    Raises:
        ValueError: there is no such figure, seat or segment.
    """
    who, _, where = text.partition("@")
    figure = who[1:] or FOLLOWER
    if figure not in position.supply:
        raise ValueError(f"no figure {figure!r}")
    return Follower(read_player(position, who[:1]), figure, read_segment(position.land, where))


TILE: Final[FieldCodec[Position, TileKind]] = FieldCodec(lambda _, kind: kind.id, lambda _, text: read_tile(text))
"""How a tile is written on the agenda."""
