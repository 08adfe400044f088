"""The ward of the castle: the tiles within the wall, the cells where further tiles fit, and how features join.

The start spaces of the wall are the first tiles of the ward; no player laid them. A port is a place where a segment
meets the neighbouring tile: three a side, see :data:`engine.the_castle.tiles.PORTS`. Codes such as TC-12 are rules of
the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple, Self, cast

from engine.actions import FOLLOWER, NO_SEAT, Action, Place, Seat
from engine.board import Board, Figure, SegmentNumber
from engine.caching import lazy_property
from engine.geometry import STEP, Cell, Square
from engine.lazy_actions import LazyActions
from engine.the_castle.tiles import Face, Segment, TileKind
from engine.the_castle.wall import wall

FIGURES: Final = MappingProxyType({FOLLOWER: Figure(FOLLOWER, 6)})
"""The kinds of figures: each player has six followers, beside the score marker (TC-12)."""


class PlacedTile(NamedTuple):
    """A castle tile within the wall, or a start space.

    ``number`` counts the start spaces before the tiles; ``base`` is the global number of the tile's first segment;
    ``ports`` are the global numbers of the segments at :attr:`engine.the_castle.tiles.Face.ports`.
    """

    square: Square
    face: Face
    player: Seat
    number: int
    base: SegmentNumber
    ports: tuple[SegmentNumber, ...]

    @property
    def cell(self) -> Cell:
        """The cell on which it lies."""
        return Cell.at(self.square)

    @property
    def tile(self) -> TileKind:
        """The kind of tile."""
        return self.face.tile

    @property
    def rotation(self) -> int:
        """The rotation in degrees clockwise."""
        return self.face.rotation


class Ward(Board):
    """The tiles within the wall and the features that they form; turns and points are kept elsewhere.

    The open ends of a feature are its ports that face an empty cell. Marks are the wells of a path and the markets of a
    court.
    """

    __slots__ = ("frontier", "placed")

    def __init__(self) -> None:
        super().__init__(FIGURES)
        self.placed: dict[int, PlacedTile] = {}
        """Start spaces and tiles by square, in the order of placing."""
        self.frontier: dict[Square, int] = {}
        """The empty cells where a tile may lie, each with its constraint on paths (TC-16, TC-17, TC-19).

        The lower 4 bits are a mask of the sides with a neighbour, the upper 4 bits the sides that need a path.
        """
        for start in wall().starts:
            self.place(start.cell.square, start.kind.faces[0], NO_SEAT)
        self.touched.clear()

    def copy(self) -> Self:
        """Return an independent ward in the same state."""
        duplicate = super().copy()
        duplicate.placed = self.placed.copy()
        duplicate.frontier = self.frontier.copy()
        return duplicate

    # -- laying ---------------------------------------------------------------------------------------------------

    def place(self, square: Square, face: Face, player: Seat) -> PlacedTile:
        """Lay a tile without checking its paths, and join its segments to those of its neighbours."""
        number = len(self.order)
        base = self.add_segments(square, face.kinds, face.ends, face.marks)
        ports = cast("tuple[SegmentNumber, ...]", tuple([base + index if index >= 0 else -1 for index in face.ports]))
        tile = PlacedTile(square, face, player, number, base, ports)
        self.placed[square] = tile
        self.frontier.pop(square, None)
        inside = wall().inside
        for side in (0, 1, 2, 3):
            neighbour = self.placed.get(square + STEP[side])
            if neighbour is not None:
                self._meet(tile, side, neighbour)
            elif (beyond := Square(square + STEP[side])) in inside:
                path = face.paths >> side & 1
                self.frontier[beyond] = self.frontier.get(beyond, 0) | (1 | path << 4) << (side + 2) % 4
            else:
                self._end_at_wall(tile, side)
        return tile

    def _meet(self, tile: PlacedTile, side: int, neighbour: PlacedTile) -> None:
        """Join segments of the same kind at a side, and close the ends of others (TC-35, TC-37)."""
        kind, last_port = self.kind, 3 * ((side + 2) % 4) + 2
        for index in (0, 1, 2):
            own, beyond = tile.ports[3 * side + index], neighbour.ports[last_port - index]
            if own >= 0 and beyond >= 0 and kind[own] == kind[beyond]:
                self.join_across(own, beyond)
                continue
            if own >= 0:
                self.ends[self.find(own)] -= 1
            if beyond >= 0:
                self.ends[self.find(beyond)] -= 1
                self.touched.append(beyond)

    def _end_at_wall(self, tile: PlacedTile, side: int) -> None:
        """Close the ends of all segments at the wall (TC-20)."""
        for port in tile.ports[3 * side : 3 * side + 3]:
            if port >= 0:
                self.ends[self.find(port)] -= 1

    def take_completed_segments(self) -> tuple[SegmentNumber, ...]:
        """Return a segment of each feature that the placement completed, and forget the placement.

        The segment belongs to the tile just laid where possible. Features of start spaces without a tile do not count.
        """
        finished: dict[SegmentNumber, SegmentNumber] = {}
        for segment in self.touched:
            root = self.find(segment)
            if not self.ends[root] and self.has_tile(root):
                finished.setdefault(root, segment)
        self.touched.clear()
        return tuple(finished.values())

    # -- queries ------------------------------------------------------------------------------------------------------

    @property
    def tiles_laid(self) -> Iterator[PlacedTile]:
        """The tiles in the order of placing, without the start spaces."""
        return islice(self.placed.values(), len(wall().starts), None)

    def has_tile(self, root: SegmentNumber) -> bool:
        """Return True if a castle tile is part of the feature."""
        return bool(self.tiles[root] >> len(wall().starts))

    def part(self, number: SegmentNumber) -> tuple[Cell, Segment]:
        """Return the cell and the board oriented segment with this global number."""
        tile = self.placed[self.home[number]]
        return tile.cell, tile.face.segments[number - tile.base]

    def numbers_at(self, square: Square) -> Sequence[SegmentNumber]:
        """Return the global numbers of the segments on a square; none if nothing lies there."""
        tile = self.placed.get(square)
        if tile is None:
            return ()
        return range(tile.base, tile.base + len(tile.face.segments))  # type: ignore[return-value]  # as in ``numbers``

    def size(self, root: SegmentNumber) -> int:
        """Return the number of tiles of a feature, start spaces included (TC-33)."""
        return self.tiles[root].bit_count()


# -- where a tile fits (TC-16 to TC-23) -------------------------------------------------------------------------------


def fits(ward: Ward, kind: TileKind, cell: Cell, rotation: int) -> bool:
    """Return True if a tile fits there: next to a tile or start space, with matching paths."""
    constraint = ward.frontier.get(cell.square)
    return constraint is not None and rotation in kind.fits[constraint]


def fitting(ward: Ward, kind: TileKind) -> list[tuple[Square, int]]:
    """Return all placements as squares and rotations, including rotations that look the same."""
    rotations = kind.fits
    return [(place, rotation) for place, constraint in ward.frontier.items() for rotation in rotations[constraint]]


def fits_somewhere(ward: Ward, kind: TileKind) -> bool:
    """Return True if a tile fits anywhere; the search stops at the first place, which makes replaying fast."""
    rotations = kind.fits
    return any(rotations[constraint] for constraint in ward.frontier.values())


class Placements(LazyActions):
    """The legal placements of a tile, computed when they are first listed; each becomes an action on demand."""

    def __init__(self, ward: Ward, kind: TileKind) -> None:
        self._ward = ward
        self._kind = kind

    @lazy_property
    def _places(self) -> list[tuple[Square, int]]:
        """The squares and rotations where the tile fits."""
        return fitting(self._ward, self._kind)

    def __len__(self) -> int:
        return len(self._places)

    def action(self, index: int) -> Action:
        """Return the placement with this number."""
        place, rotation = self._places[index]
        return Place(Cell.at(place), rotation)

    def __contains__(self, action: object) -> bool:
        match action:
            case Place(cell=cell, rotation=rotation, aid=None):
                return fits(self._ward, self._kind, cell, rotation)
            case _:
                return False
