"""Prints of expansions on faces: buildings and signs that only an expansion's tiles have, and their places.

Upright prints are tall buildings; they are placed first, and figures stand beside them. Low prints lie where no
follower hides them. Signs are placed last. Each expansion overrides the methods of :class:`ExpansionPrints` that it
needs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from engine.carcassonne.tiles import Face, Segment
from renderers import masks
from renderers.canvas import Point, rectangle
from renderers.carcassonne.faces.ground import Features, Tract
from renderers.pieces import LYING_REACH, STANDING_REACH, within_tile

Disc = tuple[Point, float]
"""A disc that something covers: its middle and its radius."""
Bounds = tuple[float, float, float, float]
"""The left, top, right and bottom of something on a tile."""
_FEWEST_PLACES: Final = 9
"""The number of places that remain for a farmer in a field where each place hides part of a print."""
_FARMER_DISTANCE: Final = 0.06
"""Desired distance of a farmer from the boundary of the field."""


@dataclass(frozen=True, slots=True)
class Print:
    """Something that an expansion has printed on a face; ``at`` is its foot if it is upright."""

    at: Point

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The discs that the print covers."""
        return ()

    @property
    def bounds(self) -> Bounds | None:
        """The bounds of the print; None if figures in front of it do no harm."""
        return None

    @property
    def segment(self) -> int:
        """The index of the segment whose figure stands on the print; -1 if it is a place of no segment."""
        return -1

    @property
    def place(self) -> Point:
        """The place of that figure."""
        return self.at


@dataclass(frozen=True, slots=True)
class LowPrint(Print):
    """A print so low that a follower in front of it would hide it."""

    @property
    @abstractmethod
    def radius(self) -> float:
        """The radius of the disc that the print covers."""

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The bounds of the print."""

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The one disc."""
        return ((self.at, self.radius),)


class ExpansionPrints:
    """The prints of one expansion on any face; nothing unless it overrides a method."""

    def tracts(self, face: Face) -> Iterable[Tract]:  # noqa: ARG002 - used by some boxes
        """Yield the features on a face that only this expansion has, such as water."""
        return ()

    def fills_middle(self, face: Face) -> bool:  # noqa: ARG002
        """Return True if the expansion prints something in the place of a village."""
        return False

    def upright(self, features: Features) -> Iterable[Print]:  # noqa: ARG002
        """Yield the prints that are placed first, before figures."""
        return ()

    def low(
        self,
        features: Features,  # noqa: ARG002
        standing: Sequence[Point] | None,  # noqa: ARG002
    ) -> Iterable[LowPrint]:
        """Yield the low prints, beside the followers on roads and in cities, whose places are ``standing``.

        ``standing`` is None on a crowded tile; prints then keep to the corners.
        """
        return ()

    def signs(
        self,
        features: Features,  # noqa: ARG002
        occupied: Sequence[Disc],  # noqa: ARG002
        anchors: Sequence[Point],  # noqa: ARG002
        shields: Sequence[Point],  # noqa: ARG002
    ) -> Iterable[Print]:
        """Yield the prints that are placed last, beside figures and shields."""
        return ()

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:  # noqa: ARG002
        """Yield the words that describe a segment for the seed of the decoration, each with its position."""
        return ()


def hidden_share(bounds: Bounds, figure: Point, *, lying: bool) -> float:
    """Return the share of a print that a figure covers."""
    (left, top, right, bottom), (x, y) = bounds, figure
    reach_x, reach_y = LYING_REACH if lying else STANDING_REACH
    overlap_width = min(right, x + reach_x) - max(left, x - reach_x)
    overlap_height = min(bottom, y + reach_y) - max(top, y - reach_y)
    return max(overlap_width, 0.0) * max(overlap_height, 0.0) / ((right - left) * (bottom - top))


def without_prints(field: Image.Image, low: Collection[LowPrint]) -> Image.Image:
    """Return the part of a field where a farmer hides as little of these prints as possible."""
    reach_x, reach_y = LYING_REACH
    if not low:
        return field
    for share in (1.0, 0.75, 0.5):
        free = field
        for print_ in low:
            left, top, right, bottom = print_.bounds
            hiding = (left - share * reach_x, top - share * reach_y, right + share * reach_x, bottom + share * reach_y)
            free = masks.outside_outline(free, rectangle(*hiding))
        if masks.eroded(free, _FARMER_DISTANCE).getbbox() is not None:
            return free
    return _least_hiding_places(field, low)


def _least_hiding_places(field: Image.Image, low: Collection[LowPrint]) -> Image.Image:
    """Return the few places that hide least, for a field too narrow for both a farmer and these prints."""
    within = masks.eroded(field, _FARMER_DISTANCE)
    area = within if within.getbbox() is not None else field

    def hiding(at: Point) -> float:
        return sum(hidden_share(print_.bounds, within_tile(at, lying=True), lying=True) for print_ in low)

    return masks.mask_of_points(
        [at for _, at in sorted((hiding(at), at) for at in masks.cell_centres(area))[:_FEWEST_PLACES]]
    )
