"""The drawing hooks of a box (expansion); each does nothing unless the box overrides it.

Prints are what is printed on a tile itself. A piece across a tile spans it from side to side, as a bridge does. Neutral
pieces belong to no player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.tiles import Face
from engine.geometry import Axis, Cell
from engine.views import StandingFigure
from renderers.boards.sheet import BoardImage
from renderers.canvas import Canvas, Point
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.prints import ExpansionPrints, LowPrint
from renderers.pieces import FigureSprite
from renderers.theme import Theme

Trial = tuple[Cell, Axis]
"""A piece across a tile that is only being tried out: its cell and direction."""
Icon = Callable[[Theme, int, float], Image.Image]
"""A function that draws the icon of a supply, for a theme, a seat and a scale that is 1 if there is enough room."""

SpanningSprite = Callable[[Theme, Axis, int], Image.Image]
"""A function that draws the piece that spans a tile, for a theme, a direction and the pixels of a cell."""
PlaceOf = Callable[[StandingFigure], Point]
"""A function that returns the place of a figure on its tile."""


class Token(NamedTuple):
    """A neutral piece beside the board: its sprite, the seats of its holders, and the number that is shown with it.

    The number is left out while nobody holds the piece.
    """

    sprite: Image.Image
    holders: tuple[int, ...]
    number: int


class Drawings(ExpansionPrints):
    """The additions of one expansion to tiles, boards and scores."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({})
    """The expansion's figures by their names in the engine."""
    reaches: Mapping[str, float] = MappingProxyType({})
    """The reach of larger figures, from their middle to their edge, as multiples of a follower's."""
    corner_figures: Mapping[str, Point] = MappingProxyType({})
    """Figures that stand at a point of the cell of their segment, such as a corner, over the edges of tiles."""
    icons: Mapping[str, Icon] = MappingProxyType({})
    """Icons of the expansion's other supplies, by the names of the pieces and goods."""

    spanning_sprite: SpanningSprite | None = None
    """Draws the expansion's piece that spans a tile, such as a bridge; None if it has no such piece."""

    def spannable_axes(self, face: Face) -> Iterable[Axis]:  # noqa: ARG002 - used by some boxes
        """Return the directions in which the expansion's piece can span a tile."""
        return ()

    def spanning_axis(self, tile: PlacedTile) -> Axis | None:  # noqa: ARG002 - used by some boxes
        """Return the direction of the expansion's piece that spans a tile, None if there is none."""
        return None

    def draw_ground_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the expansion's prints on a tile below roads and cities."""

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw the expansion's prints on a tile in front of buildings, behind monasteries and shields."""

    def idle_prints(self, layout: Layout, position: Position) -> Iterable[LowPrint]:  # noqa: ARG002 - used by some boxes
        """Return the prints on a tile that do not count in this game, and are faded."""
        return ()

    def paint_flat_pieces(
        self, image: BoardImage, position: Position, tiles: Mapping[Cell, PlacedTile], trial: Trial | None
    ) -> None:
        """Paint the expansion's pieces below the figures; ``trial`` is a piece that is not built yet."""

    def paint_neutral_pieces(self, image: BoardImage, position: Position, place_of: PlaceOf) -> None:
        """Paint the pieces that belong to no player, such as the fairy, in front of the figures."""

    def tokens(self, position: Position, theme: Theme, size: int) -> Sequence[Token]:  # noqa: ARG002 - used by some boxes
        """Return the expansion's pieces beside the board, for cells of ``size`` pixels; called only in its games."""
        return ()
