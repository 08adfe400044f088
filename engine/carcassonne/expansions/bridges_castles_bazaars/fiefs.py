"""Castles as values, with their tokens and their fiefs (CA-17, CA-21 to CA-23, CA-66).

A castle stands on two tiles. Its fief is the block of six cells around it: the next structure completed there scores
for the castle, too. A token is the piece that a player pays to build one. A root is the segment that represents a
feature, see :mod:`engine.board`. Codes in parentheses are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.actions import Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne.expansions.bridges_castles_bazaars.options import options_of
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Tabletop
from engine.geometry import Cell

CASTLE: Final = "castle"
"""The name of the supply, of the feature that a town becomes, and of the key in ``position.extra``."""
SHARED: Final = "shared castles"
"""Key in ``position.extra``: the roots of the castles with several builders, with the number of builders."""


class Castle(NamedTuple):
    """A castle on two tiles.

    ``player`` built it; ``followers`` are inside until it has scored. ``fief`` has the six cells of CA-21. ``root`` is
    the feature that it replaced, ``tile_number`` and ``turn`` are those of the tile that completed it.
    """

    player: Seat
    cells: tuple[Cell, Cell]
    fief: tuple[Cell, ...]
    followers: tuple[Follower, ...]
    root: SegmentNumber
    tile_number: int
    turn: int
    scored: bool = False


class Tokens(NamedTuple):
    """The number of tokens shown on a castle, and of those paid for it and removed from the game."""

    shown: int
    removed: int


def castles_of(position: Tabletop) -> tuple[Castle, ...]:
    """Return all castles, in the order of building."""
    castles: tuple[Castle, ...] = position.extra.get(CASTLE, ())
    return castles


def tokens_on(position: Tabletop, castle: Castle) -> Tokens:
    """Return the tokens paid for a castle, one by each builder, split into shown and removed (CA-66, HV-05)."""
    paid: int = dict(position.extra.get(SHARED, ())).get(castle.root, 1)
    shown = {"stack": paid, "single": 1}[options_of(position).castle_shared_token_display]
    return Tokens(shown, paid - shown)


def fief_of(first: Cell, second: Cell) -> tuple[Cell, ...]:
    """Return the block of 2 by 3 cells at right angles to the castle (CA-21, CA-22), in reading order."""
    if first.x == second.x:
        block = ((x, y) for y in sorted((first.y, second.y)) for x in (first.x - 1, first.x, first.x + 1))
    else:
        block = ((x, y) for y in (first.y - 1, first.y, first.y + 1) for x in sorted((first.x, second.x)))
    return tuple(Cell(x, y) for x, y in block)


def castle_by_side(land: Landscape, castle: Castle, cell: Cell) -> str:
    """Return the name of one of two castles on a tile, by its side: ``castle.N``."""
    tile = land.placed[cell.square]
    name = next(segment.name for number, segment in land.segments(tile) if land.find(number) == castle.root)
    return f"{CASTLE}.{name.partition('.')[2]}"


def fief_tiles(land: Landscape, fief: Iterable[Cell]) -> int:
    """Return the bit set of the numbers of the tiles in a fief (CA-23)."""
    tiles = 0
    for cell in fief:
        tile = land.placed.get(cell.square)
        if tile is not None:
            tiles |= 1 << tile.number
    return tiles
