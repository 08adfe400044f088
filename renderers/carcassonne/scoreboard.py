"""Draw the scores of a running game: a track of fifty stones with each player's badge, and the remaining supplies.

Sizes are in pixels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Icon
from renderers.carcassonne.figures import figure, reach_of
from renderers.land import pasture
from renderers.lettering import fitted, printable, signed, write, write_left, write_right
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import Picture

LAP_POINTS: Final = 50
"""Points of one lap of the track."""
_COLUMNS: Final = 16
"""Stones along the upper and the lower side of the track."""
_ROWS: Final = 11
"""Stones along the other two sides: 50 in all."""
_STONE_SIZE: Final = 76
"""Side of a stone."""
_GRASS: Final = 104
"""Side of a cell of the meadow below the track."""
_MARGIN: Final = 14
"""Margin around the track."""
_LINE_HEIGHT: Final = 104
"""Height of one player's line."""
_MIN_TYPE: Final = 41
"""The size of numbers: 11 CSS pixels on a phone, which shows the picture 340 wide."""
_NAME_TYPE: Final = 44
"""The size of names."""
_SUPPLY_WIDTH: Final = 780
"""Space between the mark and the points of a player."""
_MAX_KINDS_BESIDE_NAME: Final = 3
"""Kinds of pieces that fit beside a name."""
_PIECE_WIDTH: Final = 104
"""Width of a piece with its number at full size."""
_READABLE_SCALE: Final = 0.75
"""The least scale of pieces beside which there is room for numbers that a phone shows legibly: of six kinds."""
_LEAST_GAP: Final = 16
"""Gap beside a piece; it stays the same when the piece shrinks."""
ICONS: Final[Mapping[str, Icon]] = {name: icon for box in BOXES.values() for name, icon in box.icons.items()}
"""Icons of the expansions' supplies other than figures, by name."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The points of one player, and the number of each piece or other thing in their supply (``left``), by name."""

    seat: int
    name: str
    points: int
    left: Mapping[str, int]
    next: bool = False
    """True if this player has to decide now."""


def score_panel(tallies: Sequence[Tally], *, theme: Theme = DAY) -> Picture:
    """Draw the track and, within it, a line for each player."""
    size = (2 * _MARGIN + _COLUMNS * _STONE_SIZE, 2 * _MARGIN + _ROWS * _STONE_SIZE)
    image = pasture(theme, size, _GRASS)
    _paint_stones(image, theme)
    inner = (_MARGIN + _STONE_SIZE + 12, _MARGIN + _STONE_SIZE + 12)
    image.paste(theme.panel, (*inner, size[0] - inner[0], size[1] - inner[1]))
    top = (size[1] - len(tallies) * _LINE_HEIGHT) // 2
    for number, tally in enumerate(tallies):
        _paint_line(image, (inner[0], top + number * _LINE_HEIGHT), size[0] - 2 * inner[0], tally, theme)
    _paint_markers(image, tallies, theme)
    return encode_png(image, theme, "track")


def stone_of(points: int) -> tuple[int, int]:
    """Return the column and row of the stone for a number of points; 0 is the upper left, then clockwise."""
    step = points % LAP_POINTS
    right, down = _COLUMNS - 1, _ROWS - 1
    if step < right:
        return step, 0
    if step < right + down:
        return right, step - right
    if step < 2 * right + down:
        return 2 * right + down - step, down
    return 0, LAP_POINTS - step


def _paint_stones(image: Image.Image, theme: Theme) -> None:
    """Paint the stones of the track with their numbers; every fifth stands out."""
    draw = ImageDraw.Draw(image)
    for points in range(LAP_POINTS):
        column, row = stone_of(points)
        left, top = _MARGIN + column * _STONE_SIZE, _MARGIN + row * _STONE_SIZE
        fifth = points % 5 == 0
        area = (left + 4, top + 4, left + _STONE_SIZE - 5, top + _STONE_SIZE - 5)
        draw.rounded_rectangle(area, 18, theme.road_edge)
        inner = tuple(a + b for a, b in zip(area, (4, 4, -4, -4), strict=True))
        draw.rounded_rectangle(inner, 14, theme.square if fifth else theme.road)
        write(image, str(points), (left + _STONE_SIZE / 2, top + _STONE_SIZE / 2), _MIN_TYPE, theme.ink)


def _paint_markers(image: Image.Image, tallies: Sequence[Tally], theme: Theme) -> None:
    """Paint the badges on their stones; those that share a stone are side by side."""
    sharing: dict[tuple[int, int], list[Tally]] = defaultdict(list)
    for tally in tallies:
        sharing[stone_of(tally.points)].append(tally)
    for (column, row), group in sharing.items():
        columns = ceil(sqrt(len(group)))
        rows = ceil(len(group) / columns)
        size = (_STONE_SIZE - 6) // columns
        for number, tally in enumerate(group):
            x = _MARGIN + (column + 0.5) * _STONE_SIZE + (number % columns - columns / 2) * size
            y = _MARGIN + (row + 0.5) * _STONE_SIZE + (number // columns - rows / 2) * size
            badge = pieces.badge(theme, tally.seat, size)
            image.paste(badge, (round(x), round(y)), badge)


def _paint_line(image: Image.Image, corner: tuple[int, int], width: int, tally: Tally, theme: Theme) -> None:
    """Paint the mark, the name, the supplies, the points and the laps behind them."""
    left, middle = corner[0], corner[1] + _LINE_HEIGHT / 2
    if tally.next:
        area = (left + 8, corner[1] + 4, left + width - 8, corner[1] + _LINE_HEIGHT - 4)
        ImageDraw.Draw(image).rounded_rectangle(area, 16, outline=theme.highlight, width=5)
    mark = pieces.shape_sprite(theme, tally.seat, 72)
    image.paste(mark, (left + 24, round(middle) - 36), mark)
    _paint_supply(image, (left + 112, middle), tally, theme)
    right, laps = left + width - 28, tally.points >= LAP_POINTS
    points = signed(tally.points)
    write_right(image, points, (right, middle - 20 * laps), 52, theme.text)
    if laps:
        write_right(image, _lap_text(tally.points), (right, middle + 26), _MIN_TYPE, theme.muted_text)


def _paint_supply(image: Image.Image, at: tuple[float, float], tally: Tally, theme: Theme) -> None:
    """Paint the name with the supplies beside it, or below it if there are many kinds."""
    (left, middle), kinds = at, len(tally.left)
    if kinds <= _MAX_KINDS_BESIDE_NAME:
        spacing, size = 150, 1.0
        start, name_width = left + _SUPPLY_WIDTH - kinds * spacing, _SUPPLY_WIDTH - kinds * spacing - 20
        name_middle = icons_middle = middle
    else:
        spacing, size = supply_spacing(kinds)
        start, name_width = left, _SUPPLY_WIDTH
        name_middle, icons_middle = middle - 27, middle + 19
    name = fitted(printable(tally.name), _NAME_TYPE, name_width)
    write_left(image, name, (left, name_middle), _NAME_TYPE, theme.text)
    for number, (piece, count) in enumerate(tally.left.items()):
        sprite = icon(theme, piece, tally.seat, size)
        x = round(start + number * spacing)
        image.paste(sprite, (x, round(icons_middle) - sprite.height // 2), sprite)
        colour = theme.text if count else theme.muted_text
        write_left(image, str(count), (x + sprite.width + 6, icons_middle), count_type(size), colour)


def supply_spacing(kinds: int) -> tuple[int, float]:
    """Return the pixels for each kind of piece with its number below a name, and the scale at which both fit."""
    spacing = min(_SUPPLY_WIDTH // kinds, 124)
    return spacing, min(_READABLE_SCALE, (spacing - _LEAST_GAP) / _PIECE_WIDTH)


def count_type(size: float) -> int:
    """Return the size of the type for the number of a piece that is drawn at this scale."""
    return _MIN_TYPE if size >= _READABLE_SCALE else round(36 * size**0.5)


def _lap_text(points: int) -> str:
    """Return the completed laps as points, and the stone."""
    return f"{signed(points // LAP_POINTS * LAP_POINTS)} + {points % LAP_POINTS}"


def icon(theme: Theme, piece: str, seat: int, size: float) -> Image.Image:
    """Draw a piece as an icon; large figures are scaled down, so that the lines stay apart."""
    if piece in ICONS:
        return ICONS[piece](theme, seat, size)
    return figure(theme, seat, round(120 * size / sqrt(reach_of(piece))), piece)
