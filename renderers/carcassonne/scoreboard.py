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
_SUPPLY_WIDTH: Final = 700
"""Space between the mark of a player and the laps behind the points."""
_MAX_KINDS_BESIDE_NAME: Final = 3
"""Kinds of pieces that fit beside a name."""
_MAX_KINDS_IN_ROW: Final = 7
"""Kinds of pieces that fit into a row below a name, with numbers that a phone shows legibly."""
_SMALL_SCALE: Final = 0.75
"""Scale of pieces below a name."""
_SUPPLY_ROW_HEIGHT: Final = 68
"""Height of each further row of pieces."""
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
    """Draw the track and a line for each player: within the track, or below it if the lines are too high."""
    width, track = 2 * _MARGIN + _COLUMNS * _STONE_SIZE, 2 * _MARGIN + _ROWS * _STONE_SIZE
    inner = _MARGIN + _STONE_SIZE + 12
    line_height = _LINE_HEIGHT + (_rows_below_names(tallies) - 1) * _SUPPLY_ROW_HEIGHT
    lines = len(tallies) * line_height
    is_below = lines > track - 2 * inner
    image = pasture(theme, (width, track + lines + _MARGIN if is_below else track), _GRASS)
    _paint_stones(image, theme)
    area = (inner, track, width - inner, track + lines) if is_below else (inner, inner, width - inner, track - inner)
    image.paste(theme.panel, area)
    top = (area[1] + area[3] - lines) // 2
    for number, tally in enumerate(tallies):
        _paint_line(image, (inner, top + number * line_height), (width - 2 * inner, line_height), tally, theme)
    _paint_markers(image, tallies, theme)
    return encode_png(image, theme, "track")


def _rows_below_names(tallies: Sequence[Tally]) -> int:
    """Return the number of rows that the pieces of a player take below their name, at least 1."""
    return max((ceil(len(tally.left) / _MAX_KINDS_IN_ROW) for tally in tallies), default=1) or 1


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


def _paint_line(image: Image.Image, corner: tuple[int, int], size: tuple[int, int], tally: Tally, theme: Theme) -> None:
    """Paint the mark, the name, the supplies, the points and the laps behind them."""
    (width, height), left, middle = size, corner[0], corner[1] + size[1] / 2
    if tally.next:
        area = (left + 8, corner[1] + 4, left + width - 8, corner[1] + height - 4)
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
        spacing, size, in_row = 136, 1.0, kinds
        start, name_width = left + _SUPPLY_WIDTH - kinds * spacing, _SUPPLY_WIDTH - kinds * spacing - 20
        name_middle = icons_middle = middle
    else:
        rows = ceil(kinds / _MAX_KINDS_IN_ROW)
        in_row = ceil(kinds / rows)
        spacing, size = min(_SUPPLY_WIDTH // in_row, 124), _SMALL_SCALE
        start, name_width = left, _SUPPLY_WIDTH
        upper = (rows - 1) * _SUPPLY_ROW_HEIGHT / 2
        name_middle, icons_middle = middle - 27 - upper, middle + 19 - upper
    name = fitted(printable(tally.name), _NAME_TYPE, name_width)
    write_left(image, name, (left, name_middle), _NAME_TYPE, theme.text)
    for number, (piece, count) in enumerate(tally.left.items()):
        sprite = icon(theme, piece, tally.seat, size)
        x = round(start + number % max(in_row, 1) * spacing)
        y = icons_middle + number // max(in_row, 1) * _SUPPLY_ROW_HEIGHT
        image.paste(sprite, (x, round(y) - sprite.height // 2), sprite)
        colour = theme.text if count else theme.muted_text
        write_left(image, str(count), (x + sprite.width + 6, y), _MIN_TYPE, colour)


def _lap_text(points: int) -> str:
    """Return the completed laps as points, and the stone."""
    return f"{signed(points // LAP_POINTS * LAP_POINTS)} + {points % LAP_POINTS}"


def icon(theme: Theme, piece: str, seat: int, size: float) -> Image.Image:
    """Draw a piece as an icon; large figures are scaled down, so that the lines stay apart."""
    if piece in ICONS:
        return ICONS[piece](theme, seat, size)
    return figure(theme, seat, round(120 * size / sqrt(reach_of(piece))), piece)
