"""The scores of a running game: a track of fifty stones with everybody's mark, and what each has left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from types import MappingProxyType
from typing import Final

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Icon
from renderers.carcassonne.figures import figure, reach_of
from renderers.land import pasture
from renderers.lettering import fitted, printable, signed, write
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

LAP: Final = 50
"""Points of one round."""
_COLUMNS: Final = 16
_ROWS: Final = 11
"""Stones along the sides of the track: 50 in all."""
_STONE: Final = 76
_GRASS: Final = 104
"""Pixels of a cell of the meadow below the track."""
_EDGE: Final = 14
_ROW: Final = 104
_LEFT: Final = 780
"""Pixels between the mark and the points of a player."""
_BEHIND: Final = 3
"""Kinds of pieces for which there is room behind a name."""
_ACROSS: Final = 128
"""Pixels that a piece and its number take at full size."""
ICONS: Final[Mapping[str, Icon]] = MappingProxyType(
    {name: icon for box in BOXES.values() for name, icon in box.icons.items()}
)
"""What the boxes have to be counted beside figures."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player has: points, pieces left by name (``follower``, ``bridge``, ``castle``), and goods by theirs."""

    seat: int
    name: str
    points: int
    left: Mapping[str, int]
    next: bool = False
    """Whether this player has to decide now."""


def score_panel(tallies: Sequence[Tally], *, theme: Theme = DAY) -> Picture:
    """The track and, within it, a line for each player."""
    size = (2 * _EDGE + _COLUMNS * _STONE, 2 * _EDGE + _ROWS * _STONE)
    image = pasture(theme, size, _GRASS)
    _paint_stones(image, theme)
    inner = (_EDGE + _STONE + 12, _EDGE + _STONE + 12)
    image.paste(theme.panel, (*inner, size[0] - inner[0], size[1] - inner[1]))
    top = (size[1] - len(tallies) * _ROW) // 2
    for number, tally in enumerate(tallies):
        _paint_line(image, (inner[0], top + number * _ROW), size[0] - 2 * inner[0], tally, theme)
    _paint_markers(image, tallies, theme)
    return encode_png(image, theme, "track")


def stone(points: int) -> tuple[int, int]:
    """The column and row of the stone on which a number of points stands; 0 is the upper left, then clockwise."""
    step = points % LAP
    right, down = _COLUMNS - 1, _ROWS - 1
    if step < right:
        return step, 0
    if step < right + down:
        return right, step - right
    if step < 2 * right + down:
        return 2 * right + down - step, down
    return 0, LAP - step


def _paint_stones(image: Image.Image, theme: Theme) -> None:
    draw = ImageDraw.Draw(image)
    for points in range(LAP):
        column, row = stone(points)
        left, top = _EDGE + column * _STONE, _EDGE + row * _STONE
        fifth = points % 5 == 0
        area = (left + 4, top + 4, left + _STONE - 5, top + _STONE - 5)
        draw.rounded_rectangle(area, 18, theme.road_edge)
        draw.rounded_rectangle(tuple(a + b for a, b in zip(area, (4, 4, -4, -4), strict=True)), 14, theme.road)
        if fifth:
            draw.rounded_rectangle(tuple(a + b for a, b in zip(area, (4, 4, -4, -4), strict=True)), 14, theme.square)
        write(image, str(points), (left + _STONE / 2, top + _STONE / 2), 34 if fifth else 26, theme.ink)


def _paint_markers(image: Image.Image, tallies: Sequence[Tally], theme: Theme) -> None:
    """The marks on their stones; those that share one stand side by side."""
    sharing: dict[tuple[int, int], list[Tally]] = defaultdict(list)
    for tally in tallies:
        sharing[stone(tally.points)].append(tally)
    for (column, row), here in sharing.items():
        across = ceil(sqrt(len(here)))
        down = ceil(len(here) / across)
        size = (_STONE - 6) // across
        for number, tally in enumerate(here):
            x = _EDGE + (column + 0.5) * _STONE + (number % across - across / 2) * size
            y = _EDGE + (row + 0.5) * _STONE + (number // across - down / 2) * size
            badge = pieces.badge(theme, tally.seat, size)
            image.paste(badge, (round(x), round(y)), badge)


def _paint_line(image: Image.Image, corner: tuple[int, int], width: int, tally: Tally, theme: Theme) -> None:
    """Mark, name, what is left, points, and the rounds behind them."""
    left, middle = corner[0], corner[1] + _ROW / 2
    if tally.next:
        area = (left + 8, corner[1] + 4, left + width - 8, corner[1] + _ROW - 4)
        ImageDraw.Draw(image).rounded_rectangle(area, 16, outline=theme.highlight, width=5)
    mark = pieces.shape_sprite(theme, tally.seat, 72)
    image.paste(mark, (left + 24, round(middle) - 36), mark)
    _paint_left(image, (left + 112, middle), tally, theme)
    right, laps = left + width - 28, bool(tally.points // LAP)
    points = signed(tally.points)
    write(image, points, (right, middle - 12 * laps), 52, theme.text, anchor=(1.0, 0.5))
    if laps:
        write(image, _laps(tally.points), (right, middle + 32), 24, theme.muted_text, anchor=(1.0, 0.5))


def _paint_left(image: Image.Image, at: tuple[float, float], tally: Tally, theme: Theme) -> None:
    """The name, and behind it the pieces left; when there are many kinds they stand below it."""
    (left, middle), kinds = at, len(tally.left)
    if kinds <= _BEHIND:
        across, size = 150, 1.0
        start, room = left + _LEFT - kinds * across, _LEFT - kinds * across - 20
        top = below = middle
    else:
        across, size = beside_each_other(kinds)
        start, room = left, _LEFT
        top, below = middle - 27, middle + 19
    write(image, fitted(printable(tally.name), 38, room), (left, top), 38, theme.text, anchor=(0.0, 0.5))
    for number, (piece, count) in enumerate(tally.left.items()):
        sprite = icon(theme, piece, tally.seat, size)
        x = round(start + number * across)
        image.paste(sprite, (x, round(below) - sprite.height // 2), sprite)
        colour = theme.text if count else theme.muted_text
        write(image, str(count), (x + sprite.width + 6, below), round(36 * size**0.5), colour, anchor=(0.0, 0.5))


def beside_each_other(kinds: int) -> tuple[int, float]:
    """How many pixels a kind of piece has with its number below a name, and the size at which both fit into them."""
    across = min(_LEFT // kinds, 124)
    return across, min(0.75, across / _ACROSS)


def _laps(points: int) -> str:
    """The rounds behind a player, as points, and the stone."""
    return f"{signed(points // LAP * LAP)} + {points % LAP}"


def icon(theme: Theme, piece: str, seat: int, size: float) -> Image.Image:
    """A piece as it is counted; large figures are hardly larger than others here, so that lines keep apart."""
    if piece in ICONS:
        return ICONS[piece](theme, seat, size)
    return figure(theme, seat, round(120 * size / sqrt(reach_of(piece))), piece)
