"""Drawings of *The River II*: a volcano in its lake, and the herd of pigs in a field.

The river itself, with its fork and its end at a city, is drawn as that of the first box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.carcassonne import Position
from engine.carcassonne.expansions.river_two import PIG_HERD, VOLCANO, herds_count
from engine.carcassonne.tiles import Segment
from renderers import masks
from renderers.canvas import CENTRE, Canvas, Point
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.faces.ground import Features
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import Bounds, LowPrint
from renderers.drawings import Colours, read_drawings

_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of the volcano and of the herd."""
_PIG_COLOURS: Final[Colours] = MappingProxyType({"pig": (244, 180, 176), "pig_dark": (214, 128, 130)})
"""The colours of the pigs, which belong to no player: light and dark, in all themes."""


@dataclass(frozen=True, slots=True)
class Herd(LowPrint):
    """A herd of pigs: its middle, and the attribute of its field, which tells herds of different boxes apart."""

    attribute: str

    @property
    def radius(self) -> float:
        """The radius of the disc that covers it."""
        return 0.2

    @property
    def bounds(self) -> Bounds:
        """The bounds of the pigs."""
        x, y = self.at
        return (x - 0.2, y - 0.13, x + 0.22, y + 0.11)


def herds(features: Features, attribute: str) -> Iterable[Herd]:
    """Yield the herd of each field with this attribute, where the field has most room."""
    for index, segment in enumerate(features.face.segments):
        if segment.shows(attribute) is not None:
            (x, y), _ = masks.roomiest_point(features.ground.area(index))
            yield Herd((min(max(x, 0.22), 0.76), min(max(y, 0.15), 0.87)), attribute)


def herds_of(layout: Layout, attribute: str) -> Iterable[Herd]:
    """Return the herds on a tile that are drawn for this attribute."""
    return (herd for herd in layout.printed(Herd) if herd.attribute == attribute)


class RiverTwo(Drawings):
    """The volcano and the herd."""

    def low(self, features: Features, standing: Sequence[Point] | None) -> Iterable[LowPrint]:  # noqa: ARG002
        """Yield the herds."""
        return herds(features, PIG_HERD)

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:
        """Yield the word for a herd, which comes after all other words of the segment."""
        if segment.shows(PIG_HERD) is not None:
            yield 7, "pig_herd=True"

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the volcano in the middle of its lake, and the herds, those of other boxes as well."""
        if layout.features.face.tile.id == VOLCANO:
            _DRAWINGS["volcano"].paint(canvas, CENTRE)
        for herd in layout.printed(Herd):
            _DRAWINGS["pig-herd"].paint(canvas, herd.at, colours=_PIG_COLOURS)

    def idle_prints(self, layout: Layout, position: Position) -> Iterable[LowPrint]:
        """Return the herds where they need a pig that nobody has (RT-17)."""
        return () if herds_count(position) else herds_of(layout, PIG_HERD)
