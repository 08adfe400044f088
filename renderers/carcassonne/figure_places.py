"""Where on their tiles figures stand."""

from __future__ import annotations

from engine.carcassonne import FeatureKind, Position
from engine.carcassonne.landscape import PlacedTile
from engine.geometry import Axis
from engine.tiles import Segment
from engine.views import Standing
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.tile_layouts import anchor
from renderers.carcassonne.values import Ghost, Trial
from renderers.shapes import Point
from renderers.values import NumberedPlace


def place_of(position: Position, figure: Standing, trial: Trial | None = None) -> Point:
    """Where on its tile a figure stands; ``trial`` is a piece not built yet.

    Raises:
        ValueError: there is no such tile.
    """
    tile = position.tile_at(figure.cell)
    if tile is None:
        raise ValueError(f"a figure without a tile: {figure.cell.label}")
    return anchor(tile.tile, tile.rotation, figure.segment, across(tile, trial))


def across(tile: PlacedTile, trial: Trial | None = None) -> Axis | None:
    """How that lies which some box has laid straight across a tile; ``trial`` is a piece not built yet."""
    if trial is not None and trial[0] == tile.cell:
        return trial[1]
    if not tile.added:
        return None
    return next((axis for box in BOXES.values() if (axis := box.lies_across(tile)) is not None), None)


def place_on(ghost: Ghost, choice: NumberedPlace) -> Point:
    """Where on the tile that is being tried out a figure would stand."""
    return anchor(ghost.tile, ghost.rotation, choice.segment, ghost.across)


def lies(segment: Segment) -> bool:
    """Whether a figure there lies, as farmers do."""
    return segment.kind == FeatureKind.FIELD
