"""Drawings of *King & Robber Baron*: the two markers, round with a crown and square with a masked face.

Whoever completed the largest city holds the King, whoever completed the longest road the Robber Baron. Markers are
shown beside the board, with the badges of their holders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.expansions.king_robber import Marker, holding_of
from renderers.caches import cached_sprite
from renderers.canvas import CENTRE, Canvas, Point
from renderers.carcassonne.boxes.base import Drawings, Icon, Token
from renderers.drawings import read_drawings
from renderers.theme import Theme

MARKER_SIZE: Final = 0.95
"""Side of a marker beside the board, in cells."""
_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of the markers."""
_MIDDLES: Final[Mapping[Marker, Point]] = {Marker.KING: (0.5, 0.49), Marker.ROBBER: CENTRE}
"""The point around which each marker is drawn."""


@cached_sprite
def marker_sprite(theme: Theme, marker: Marker, size: int) -> Image.Image:
    """Draw a marker: a crown on a round shield, or a masked face on a square one; ``size`` is its width in pixels."""
    canvas = Canvas(size, theme)
    _DRAWINGS[marker].paint(canvas, _MIDDLES[marker])
    return canvas.finished()


def _icon(marker: Marker, theme: Theme, _player: int, size: float) -> Image.Image:
    """Draw a marker as the icon of what a player holds."""
    return marker_sprite(theme, marker, round(64 * size))


class KingRobberDrawings(Drawings):
    """The markers beside the board, and among the belongings of their holders."""

    icons: Mapping[str, Icon] = MappingProxyType({marker.value: partial(_icon, marker) for marker in Marker})

    def tokens(self, position: Position, theme: Theme, size: int) -> Sequence[Token]:
        """Return both markers, with their holders and the tiles of the feature that won them."""
        side = round(size * MARKER_SIZE)
        return [
            Token(marker_sprite(theme, marker, side), *((), 0) if holding is None else (holding.holders, holding.size))
            for marker, holding in ((marker, holding_of(position, marker)) for marker in Marker)
        ]
