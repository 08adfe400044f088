"""Where on their tiles figures stand."""

from __future__ import annotations

from engine.carcassonne import FeatureKind, Position, bridge_on
from engine.tiles import Segment
from engine.views import Standing
from renderers.carcassonne.layout import anchor
from renderers.carcassonne.values import Ghost, Trial
from renderers.shapes import Point
from renderers.values import Choice


def place_of(position: Position, figure: Standing, trial: Trial | None = None) -> Point:
    """Where on its tile a figure stands; ``trial`` is a bridge not built yet.

    Raises:
        ValueError: there is no such tile.
    """
    tile = position.tile_at(figure.cell)
    if tile is None:
        raise ValueError(f"a figure without a tile: {figure.cell.label}")
    bridge = trial[1] if trial is not None and trial[0] == tile.cell else bridge_on(tile)
    return anchor(tile.tile, tile.rotation, figure.segment, bridge)


def place_on(ghost: Ghost, choice: Choice) -> Point:
    """Where on the tile that is being tried out a figure would stand."""
    return anchor(ghost.tile, ghost.rotation, choice.segment, ghost.own_bridge)


def lies(segment: Segment) -> bool:
    """Whether a figure there lies, as farmers do."""
    return segment.kind == FeatureKind.FIELD
