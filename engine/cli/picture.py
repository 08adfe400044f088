"""A text picture of the board: each tile is three lines of five characters.

The characters around the middle stand for the sides and half-sides of a tile, so joined features touch each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.games import GAMES
from engine.geometry import Cell
from engine.position import Position
from engine.tiles import Segment
from engine.views import StandingFigure

TILE_WIDTH: Final = 5
TILE_HEIGHT: Final = 3
"""The characters of a line, and the lines, of one tile."""
TILE_GAP: Final = 1
"""The number of spaces between two tiles of a row."""
ROW_LABEL_WIDTH: Final = 5
"""The number of characters before the first tile of a row, for the row's number."""
SIDES: Final = ((0, 2), (1, 4), (2, 2), (1, 0))
"""The line and column of each side of a tile."""
HALVES: Final = ((0, 1), (0, 3), (0, 4), (2, 4), (2, 3), (2, 1), (2, 0), (0, 0))
"""The line and column of each half-side of a tile."""
MIDDLE: Final = (1, 2)
"""The line and column of the middle of a tile."""
_BESIDE_MIDDLE: Final = {1: (1, 3), 3: (1, 1)}
"""The line and column between the middle and the sides at the east and the west."""

Spot = tuple[int, int]
"""A line and a column of the characters of a tile."""


def picture(position: Position) -> str:
    """Return the tiles, the figures as the numbers of their seats, and a legend."""
    notation = GAMES[position.setup.game].notation
    kinds = {feature.kind for feature in position.features()}
    signs = {**notation.signs, **{kind: sign for kind, sign in notation.optional_signs.items() if kind in kinds}}
    tiles: dict[Cell, list[Segment]] = {placed.cell: [] for placed in position.placed()}
    for feature in position.features():
        for cell, segment in feature.parts:
            tiles.setdefault(cell, []).append(segment)
    characters = {cell: _tile(segments, signs) for cell, segments in tiles.items()}
    for standing in position.standing_figures():
        characters[standing.cell][_spot_of_figure(standing)] = str(standing.player + 1)
    legend = ", ".join(f"{sign} {kind}" for kind, sign in signs.items())
    return "\n".join([*_board(characters), "", f"{legend}; a number is the seat whose figure stands there"])


def _tile(segments: Iterable[Segment], signs: Mapping[str, str]) -> dict[Spot, str]:
    """Return the characters of one tile: first the half-sides, then the sides, then the spots still free."""
    spots: dict[Spot, str] = {}
    halves = [segment for segment in segments if segment.kind in segment.HALF_KINDS]
    sides = [segment for segment in segments if segment.kind not in segment.HALF_KINDS]
    for segment in halves:
        spots.update((HALVES[place], signs[segment.kind]) for place in segment.places)
    for segment in sides:
        sign = signs[segment.kind]
        for place in segment.places:
            spots[SIDES[place]] = sign
            spots.setdefault(HALVES[2 * place], sign)
            spots.setdefault(HALVES[2 * place + 1], sign)
            spots[_BESIDE_MIDDLE.get(place, SIDES[place])] = sign
    for place, spot in enumerate(SIDES):
        spots.setdefault(spot, spots.get(HALVES[2 * place], " "))
    spots[MIDDLE] = _middle([*sides, *halves], signs)
    for spot in _BESIDE_MIDDLE.values():
        spots.setdefault(spot, signs[halves[0].kind] if halves else spots[MIDDLE])
    return spots


def _middle(segments: list[Segment], signs: Mapping[str, str]) -> str:
    """Return the character in the middle of a tile: a building, or the segment that joins most sides."""
    for segment in segments:
        if not segment.places:
            return signs[segment.kind]
    widest = max(segments, key=lambda segment: len(segment.places))
    return signs[widest.kind]


def _spot_of_figure(standing: StandingFigure) -> Spot:
    """Return the spot of a figure on its tile: at the first side of its segment, or in the middle."""
    segment = standing.segment
    if not segment.places:
        return MIDDLE
    return (HALVES if segment.kind in segment.HALF_KINDS else SIDES)[segment.places[0]]


def _board(characters: Mapping[Cell, Mapping[Spot, str]]) -> Iterable[str]:
    """Yield the lines of the picture, with the letters of the columns above and the numbers of the rows."""
    columns = range(min(cell.x for cell in characters), max(cell.x for cell in characters) + 1)
    rows = range(min(cell.y for cell in characters), max(cell.y for cell in characters) + 1)
    letters = (Cell(x, 0).label.removesuffix(Cell(0, 0).label[1:]) for x in columns)
    yield (" " * ROW_LABEL_WIDTH + (" " * TILE_GAP).join(letter.center(TILE_WIDTH) for letter in letters)).rstrip()
    for y in rows:
        number = Cell(0, y).label[1:]
        for line in range(TILE_HEIGHT):
            head = number.rjust(ROW_LABEL_WIDTH - 2) + "  " if line == TILE_HEIGHT // 2 else " " * ROW_LABEL_WIDTH
            tiles = (_line(characters.get(Cell(x, y)), line) for x in columns)
            yield (head + (" " * TILE_GAP).join(tiles)).rstrip()


def _line(tile: Mapping[Spot, str] | None, line: int) -> str:
    """Return one line of a tile, or spaces for an empty cell."""
    if tile is None:
        return " " * TILE_WIDTH
    return "".join(tile.get((line, column), " ") for column in range(TILE_WIDTH))
