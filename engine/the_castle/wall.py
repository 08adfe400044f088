"""The castle wall (TC-07, TC-08, TC-10): its outline, score track, corner towers and start spaces, and the wall tiles.

There are eighteen wall tiles, two of each kind; thirteen of them lie face down on the corner towers (TC-02, TC-10).
Players take them during the game and use them for bonuses. Start spaces are squares of the wall with printed features,
which tiles continue. Codes such as TC-07 are rules of the rule digest.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from importlib import resources
from typing import Final

from engine.caching import thread_safe_cache
from engine.geometry import STEP, Cell, Side, Square
from engine.the_castle.tilefile import parse_segment
from engine.the_castle.tiles import FeatureKind, TileKind

TRACK_SPACES: Final = 100
"""The number of spaces of the score track, a closed ring (TC-07)."""
NO_CORNER: Final = -1
"""The entry of a track space without a corner tower."""
_UPPER_LEFT: Final = Cell.parse("A1")
"""The first cell of the map of the wall in the data file."""
_WALL: Final = frozenset("0+#S")
"""The characters of the wall on the map: the first corner tower, the others, plain wall, and start spaces."""


@dataclass(frozen=True, slots=True)
class WallSquare:
    """A square of the wall with its first track space; ``corner`` is true if a corner tower stands there."""

    cell: Cell
    space: int
    corner: bool

    @property
    def spaces(self) -> tuple[int, int]:
        """The two spaces of the score track on the square."""
        return self.space, self.space + 1


@dataclass(frozen=True, slots=True)
class StartSpace:
    """A square of the wall with features at the ``side`` that faces the cell ``inside`` (TC-08).

    ``kind`` describes the features like a tile that is never turned.
    """

    cell: Cell
    space: int
    side: Side
    inside: Cell
    kind: TileKind


@dataclass(frozen=True, slots=True)
class Wall:
    """The assembled wall; everything is in the order of the track."""

    squares: tuple[WallSquare, ...]
    starts: tuple[StartSpace, ...]
    corners: tuple[int, ...]
    """The corner towers on which wall tiles lie, each named by the first of its spaces (TC-10)."""
    pieces: tuple[tuple[int, int], ...]
    """The pieces of the wall by their first and last space."""
    interior: tuple[Cell, ...]
    """The cells within the wall, in reading order (TC-23)."""
    corner_at: tuple[int, ...]
    """The corner tower of each space of the track, or -1 if there is none."""
    inside: frozenset[Square] = field(repr=False)
    """The cells within the wall as engine integers."""


@thread_safe_cache
def wall() -> Wall:
    """Return the wall of the published game."""
    text = resources.files("engine.the_castle.data").joinpath("wall.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    grid = _grid(values["map"])
    squares = _around(grid)
    corners = tuple(square.space for square in squares if grid[square.cell] == "+")
    interior = tuple(cell for cell, mark in grid.items() if mark == ".")
    starts = [_start(square, **values["starts"][square.cell.label]) for square in squares if grid[square.cell] == "S"]
    corner_at = [NO_CORNER] * TRACK_SPACES
    for corner in corners:
        corner_at[corner] = corner_at[corner + 1] = corner
    return Wall(
        squares,
        tuple(starts),
        corners,
        tuple((first, last) for first, last in values["pieces"]),
        interior,
        tuple(corner_at),
        frozenset(cell.square for cell in interior),
    )


def _grid(text: str) -> Mapping[Cell, str]:
    """Return the characters of the map by cell, without the outside."""
    return {
        Cell(_UPPER_LEFT.x + column, _UPPER_LEFT.y + row): mark
        for row, line in enumerate(text.splitlines())
        for column, mark in enumerate(line)
        if mark != " "
    }


def _around(grid: Mapping[Cell, str]) -> tuple[WallSquare, ...]:
    """Return the squares of the wall clockwise, from the corner of spaces 0 and 1, where the track begins northward."""
    ring = {cell.square: mark for cell, mark in grid.items() if mark in _WALL}
    order = [next(square for square, mark in ring.items() if mark == "0")]
    while len(order) < len(ring):
        neighbours = (Square(order[-1] + step) for step in STEP)
        order.append(next(square for square in neighbours if square in ring.keys() - set(order)))
    return tuple(
        WallSquare(Cell.at(square), 2 * number, corner=ring[square] in "0+") for number, square in enumerate(order)
    )


def _start(square: WallSquare, faces: str, segments: Iterable[str]) -> StartSpace:
    """Return the start space on a square of the wall, as the data file describes it."""
    side = Side[faces]
    kind = TileKind(f"start/{square.cell.label}", 1, tuple(map(parse_segment, segments)))
    return StartSpace(square.cell, square.space, side, square.cell.beside(side), kind)


# -- wall tiles -------------------------------------------------------------------------------------------------------


class WallTile(IntEnum):
    """The kinds of wall tiles by their printed numbers (TC-61, TC-63 to TC-80)."""

    HIDDEN = 0
    """An unseen wall tile in a preview; it has no effect."""
    EXTRA_TURN = 1
    """Another complete turn (TC-63)."""
    DOUBLE_TOWER = 2
    """Doubles a completed tower (TC-65)."""
    DOUBLE_HOUSE = 3
    """Doubles a completed house (TC-66)."""
    OPEN_PATH = 4
    """Scores an incomplete path at the end (TC-73)."""
    OPEN_TOWER = 5
    """Scores an incomplete tower at the end (TC-74)."""
    OPEN_HOUSE = 6
    """Scores an incomplete house at the end (TC-75)."""
    MARKETS = 7
    """4 points instead of 3 for each market of a court (TC-77)."""
    LARGER_KEEP = 8
    """Makes the player's keep 2 tiles larger (TC-79)."""
    FIVE_POINTS = 9
    """5 points at the end (TC-80)."""


COPIES_PER_KIND: Final = 2
"""The number of wall tiles of each kind (TC-02)."""
ALL_WALL_TILES: Final = tuple(kind for kind in WallTile if kind for _ in range(COPIES_PER_KIND))
"""All wall tiles, in the order of their numbers."""
DOUBLING_WALL_TILE: Final[Mapping[str, WallTile]] = {
    FeatureKind.TOWER: WallTile.DOUBLE_TOWER,
    FeatureKind.HOUSE: WallTile.DOUBLE_HOUSE,
}
"""The wall tile that doubles a completed feature, by the feature's kind (TC-65, TC-66)."""
SCORED_WHEN_INCOMPLETE: Final[Mapping[WallTile, FeatureKind]] = {
    WallTile.OPEN_PATH: FeatureKind.PATH,
    WallTile.OPEN_TOWER: FeatureKind.TOWER,
    WallTile.OPEN_HOUSE: FeatureKind.HOUSE,
}
"""The kind of incomplete feature that a wall tile scores at the end (TC-71)."""
