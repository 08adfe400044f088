"""Inns & Cathedrals, drawn: the two on tiles, of whatever box these are, and the big follower."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from engine.carcassonne.expansions.inns_cathedrals import has_inn
from engine.carcassonne.tiles import Segment
from renderers.canvas import Canvas
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.boxes.inns_cathedrals.big_follower import ROOM, big_follower
from renderers.carcassonne.boxes.inns_cathedrals.cathedrals import Cathedral, cathedrals, paint_cathedral
from renderers.carcassonne.boxes.inns_cathedrals.inns import Inn, inns, paint_inn
from renderers.carcassonne.faces.features import Features
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import Low, Print
from renderers.figures import FigureSprite
from renderers.shapes import Point


class InnsCathedrals(Drawings):
    """The big follower, inns by their roads, and cathedrals."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({"big-follower": big_follower})
    reaches: Mapping[str, float] = MappingProxyType({"big-follower": ROOM})

    def upright(self, features: Features) -> Iterable[Print]:
        """The cathedrals."""
        return cathedrals(features)

    def low(self, features: Features, standing: Sequence[Point] | None) -> Iterable[Low]:
        """The inns."""
        return inns(features, standing)

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:
        """Between the end of a city and the cities of a field."""
        yield 4, f"inn={has_inn(segment)!r}"

    def print_on(self, canvas: Canvas, layout: Layout) -> None:
        """Draw inns and cathedrals."""
        for cathedral in layout.printed(Cathedral):
            paint_cathedral(canvas, cathedral.at)
        for inn in layout.printed(Inn):
            paint_inn(canvas, inn)
