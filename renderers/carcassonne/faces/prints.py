"""What boxes print on faces beside their features: the buildings and signs that only they have, and where these go."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from engine.carcassonne.tiles import Face, Segment
from renderers import masks
from renderers.carcassonne.faces.ground import Features, Tract
from renderers.pieces import LYING_REACH, STANDING_REACH, within_tile
from renderers.shapes import Point, rectangle

Room = tuple[Point, float]
"""A disc that something takes: its middle and its radius."""
_FEW: Final = 9
_FARMER_ROOM: Final = 0.06
"""How far a farmer should be from what bounds the field."""


@dataclass(frozen=True, slots=True)
class Print:
    """What a box has printed somewhere, the foot of it if it is upright; a box knows its own by their types."""

    at: Point

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The discs that it takes."""
        return ()


@dataclass(frozen=True, slots=True)
class Low(Print):
    """What is so low that followers before it would hide it."""

    @property
    @abstractmethod
    def room(self) -> float:
        """The radius of the disc that it takes."""

    @property
    @abstractmethod
    def box(self) -> tuple[float, float, float, float]:
        """Its left, top, right and bottom."""

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The one disc."""
        return ((self.at, self.room),)


class Prints:
    """What one box prints on faces, of whatever box these are; nothing where it does not say so."""

    def tracts(self, face: Face) -> Iterable[Tract]:  # noqa: ARG002 - what any box may need
        """The features of kinds of its own that run over a face."""
        return ()

    def fills_middle(self, face: Face) -> bool:  # noqa: ARG002
        """Whether it has something that stands where a village stands otherwise."""
        return False

    def upright(self, features: Features) -> Iterable[Print]:  # noqa: ARG002
        """What stands first, so that figures find their places beside it."""
        return ()

    def low(
        self,
        features: Features,  # noqa: ARG002
        standing: Sequence[Point] | None,  # noqa: ARG002
    ) -> Iterable[Low]:
        """What leaves followers on roads and in cities, who are ``standing`` already, in their places.

        None where it is too crowded for that: then it keeps to the corners.
        """
        return ()

    def signs(
        self,
        features: Features,  # noqa: ARG002
        taken: Sequence[Room],  # noqa: ARG002
        anchors: Sequence[Point],  # noqa: ARG002
        shields: Sequence[Point],  # noqa: ARG002
    ) -> Iterable[Print]:
        """What is shown last, beside figures and shields."""
        return ()

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:  # noqa: ARG002
        """What decorates a tile otherwise, with its place among what is said of a segment."""
        return ()


def hidden(low: Low, figure: Point, *, lying: bool) -> float:
    """How much of it a figure covers, as a part of it."""
    (left, top, right, bottom), (x, y) = low.box, figure
    across, tall = LYING_REACH if lying else STANDING_REACH
    wide = min(right, x + across) - max(left, x - across)
    high = min(bottom, y + tall) - max(top, y - tall)
    return max(wide, 0.0) * max(high, 0.0) / ((right - left) * (bottom - top))


def sparing(field: Image.Image, low: Collection[Low]) -> Image.Image:
    """The part of a field in which a farmer hides none of these, or as little as can be; all where there are none."""
    across, tall = LYING_REACH
    if not low:
        return field
    for share in (1.0, 0.75, 0.5):
        rest = field
        for each in low:
            left, top, right, bottom = each.box
            beside = (left - share * across, top - share * tall, right + share * across, bottom + share * tall)
            rest = masks.outside_outline(rest, rectangle(*beside))
        if masks.eroded(rest, _FARMER_ROOM).getbbox() is not None:
            return rest
    return _least_hiding(field, low)


def _least_hiding(field: Image.Image, low: Collection[Low]) -> Image.Image:
    """A few places in a field too narrow for a farmer and these, from which he hides least of them."""
    within = masks.eroded(field, _FARMER_ROOM)
    area = within if within.getbbox() is not None else field

    def hiding(at: Point) -> float:
        return sum(hidden(each, within_tile(at, lying=True), lying=True) for each in low)

    return masks.mask_of_points([at for _, at in sorted((hiding(at), at) for at in masks.cell_centres(area))[:_FEW]])
