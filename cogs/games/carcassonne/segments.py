"""Where something is on the board, for whoever tells of it."""

from __future__ import annotations

from cogs.texts import t
from cogs.words.names import segment_words
from engine import Cell, tiles
from engine.carcassonne import Position, Segment


def segment_on(position: Position, cell: Cell, name: str) -> Segment:
    """The segment of a laid tile, or of what was built on it, with this name.

    Raises:
        LookupError: there is none.
    """
    placed = position.tile_at(cell)
    for _, part in position.land.segments(placed) if placed else ():
        if part.is_named(name):
            return part
    raise LookupError(f"{cell.label}.{name}")


def place_of(position: Position, cell: Cell, name: str) -> str:
    """A segment in words, with its tile."""
    return t("segment.at", segment=segment_words(segment_on(position, cell, name)), cell=cell.label)


def shape(segment: tiles.Segment) -> str:
    """``edge``, ``corner``, ``through``, ``three`` or ``all``: how the sides of a segment lie."""
    match len(segment.places):
        case 1:
            return "edge"
        case 2:
            return "through" if (segment.places[1] - segment.places[0]) % 2 == 0 else "corner"
        case 3:
            return "three"
        case _:
            return "all"
