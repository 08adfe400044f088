"""Drawings of *Games Quarterly 11*: pigs on a field, drawn as the herd of *The River II*.

The river is drawn as that of the first river, with its spring.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.carcassonne import Position
from engine.carcassonne.expansions.games_quarterly import PIGS, pigs_are_herd
from engine.carcassonne.tiles import Segment
from renderers.canvas import Point
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.boxes.river_two import herds, herds_of
from renderers.carcassonne.faces.ground import Features
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import LowPrint


class GamesQuarterlyDrawings(Drawings):
    """The pigs."""

    def low(self, features: Features, standing: Sequence[Point] | None) -> Iterable[LowPrint]:  # noqa: ARG002
        """Yield the pigs."""
        return herds(features, PIGS)

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:
        """Yield the word for the pigs, which comes after all other words of the segment."""
        if segment.shows(PIGS) is not None:
            yield 7, "pigs=True"

    def idle_prints(self, layout: Layout, position: Position) -> Iterable[LowPrint]:
        """Return the pigs where they are no herd (GQ-04)."""
        return () if pigs_are_herd(position) else herds_of(layout, PIGS)
