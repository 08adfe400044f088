"""What a box may bring to the pictures; all of it without effect where a box has none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.landscape import PlacedTile
from engine.geometry import Axis, Cell
from engine.views import StandingFigure
from renderers.boards.sheet import BoardImage
from renderers.canvas import Canvas
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import Prints
from renderers.pieces import FigureSprite
from renderers.shapes import Point
from renderers.theme import Theme

Trial = tuple[Cell, Axis]
"""A piece laid straight across a tile that is only being tried out: where, and how it lies."""
Icon = Callable[[Theme, int, float], Image.Image]
"""Draws, for a theme and a seat, what is counted behind a name; the last argument is 1 where there is room enough."""

AcrossSprite = Callable[[Theme, Axis, int], Image.Image]
"""Draws, for cells of so many pixels, what is laid straight across one."""
PlaceOf = Callable[[StandingFigure], Point]
"""Where on its tile a figure stands."""


class Drawings(Prints):
    """What one box adds to tiles, boards and scores."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({})
    """Its figures by the names that the engine has for them."""
    reaches: Mapping[str, float] = MappingProxyType({})
    """How many times as far as a follower those of its figures reach that are larger."""
    icons: Mapping[str, Icon] = MappingProxyType({})
    """What else a player may have of it, by the names of the supply and of goods."""

    across: AcrossSprite | None = None
    """What it lays straight across a tile, as a bridge."""

    def lies_across(self, tile: PlacedTile) -> Axis | None:  # noqa: ARG002 - what any box may need
        """How that lies which it has laid across a tile."""
        return None

    def print_under(self, canvas: Canvas, layout: Layout) -> None:
        """Draw what is printed on a tile below its roads and cities."""

    def print_on(self, canvas: Canvas, layout: Layout) -> None:
        """Draw what is printed on a tile, in front of its buildings, behind monasteries and shields."""

    def lay_on(
        self, image: BoardImage, position: Position, tiles: Mapping[Cell, PlacedTile], trial: Trial | None
    ) -> None:
        """Paint what lies on the tiles in the picture, below the figures; ``trial`` is a piece not built yet."""

    def stand_on(self, image: BoardImage, position: Position, place_of: PlaceOf) -> None:
        """Paint what belongs to nobody and stands on a board, in front of the figures."""
