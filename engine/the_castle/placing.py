"""Where a castle tile fits (TC-16 to TC-23): asked for one place, for any, or for all of them."""

from __future__ import annotations

from engine.actions import Action, Place
from engine.geometry import Cell, Square
from engine.listing import Listing
from engine.the_castle.tiles import TileKind
from engine.the_castle.ward import Ward


def fits(ward: Ward, kind: TileKind, cell: Cell, rotation: int) -> bool:
    """Whether a tile may lie there: beside another one or a start space, path to path."""
    wanted = ward.frontier.get(cell.square)
    return wanted is not None and rotation in kind.fits[wanted]


def fitting(ward: Ward, kind: TileKind) -> list[tuple[Square, int]]:
    """All places, each with a rotation; rotations that look the same count each."""
    rotations = kind.fits
    return [(place, rotation) for place, wanted in ward.frontier.items() for rotation in rotations[wanted]]


def fits_somewhere(ward: Ward, kind: TileKind) -> bool:
    """Whether there is a place: stops at the first, which is what makes replaying cheap."""
    rotations = kind.fits
    return any(rotations[wanted] for wanted in ward.frontier.values())


class Placements(Listing):
    """The placements of a tile, listed when somebody looks at them as a list, made into actions one at a time."""

    __slots__ = ("_kind", "_places", "_ward")

    def __init__(self, ward: Ward, kind: TileKind) -> None:
        self._ward = ward
        self._kind = kind
        self._places: list[tuple[Square, int]] | None = None

    @property
    def _listed(self) -> list[tuple[Square, int]]:
        if self._places is None:
            self._places = fitting(self._ward, self._kind)
        return self._places

    def __len__(self) -> int:
        return len(self._listed)

    def action(self, index: int) -> Action:
        """The placement with this number."""
        place, rotation = self._listed[index]
        return Place(Cell.at(place), rotation)

    def __contains__(self, action: object) -> bool:
        match action:
            case Place(cell=cell, rotation=rotation, aid=None):
                return fits(self._ward, self._kind, cell, rotation)
            case _:
                return False
