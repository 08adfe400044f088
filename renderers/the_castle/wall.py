"""Draw the castle wall: its walk with the score track, corner towers, and the yards on its start spaces.

A start space is a square of the wall with features on its inner part, the yard; tiles beside it continue them.

The module first computes where the squares of the wall lie, and on them the spaces of the track. Everything is then
drawn for a wall whose inner side looks south, and rotated; only the light does not rotate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, assert_never

from PIL import Image, ImageDraw

from engine.caching import thread_safe_cache
from engine.geometry import Cell, Side
from engine.the_castle.tiles import FeatureKind
from engine.the_castle.wall import StartSpace, WallSquare, wall
from engine.tiles import Segment
from renderers import buildings
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, Polyline, octagon, rectangle, rotated, rotated_line, stroke_polygon
from renderers.land import meadow
from renderers.lettering import text_width, write
from renderers.palette import to_palette
from renderers.the_castle import tokens
from renderers.the_castle.faces import structures
from renderers.the_castle.faces.grounds import MAP_MARGIN, masonry, paint_grounds
from renderers.the_castle.faces.layout import PATH_WIDTH, half_owners
from renderers.the_castle.scenery import paint_paths
from renderers.theme import Theme

_CORNER_SPACE_INSET: Final = 0.26
"""Distance of the middle of a corner tower's spaces from its sides."""


@dataclass(frozen=True, slots=True)
class WallStretch:
    """A square of the wall: its ``inward`` side, None for a corner tower, and the places of its two spaces."""

    square: WallSquare
    inward: Side | None
    places: tuple[Point, Point]

    @property
    def rising(self) -> bool:
        """True if the line between the spaces of a corner tower rises to the east."""
        (x, y), (ex, ey) = self.places
        return (ex - x) * (ey - y) > 0


@thread_safe_cache
def stretches() -> Mapping[Cell, WallStretch]:
    """Return all squares of the wall, in the order of the track."""
    squares = wall().squares
    inside = set(wall().interior)
    result = {}
    for number, square in enumerate(squares):
        before, after = squares[number - 1].cell, squares[(number + 1) % len(squares)].cell
        entry_side, exit_side = (
            next(side for side in Side if square.cell.beside(side) == adjacent) for adjacent in (before, after)
        )
        if square.corner:
            result[square.cell] = WallStretch(square, None, _corner_places(entry_side, exit_side))
        else:
            inward = next(side for side in Side if square.cell.beside(side) in inside)
            quarters = (inward - Side.S) % 4
            places = (rotated((0.25, 0.37), quarters), rotated((0.75, 0.37), quarters))
            result[square.cell] = WallStretch(square, inward, places)
    return MappingProxyType(result)


def _corner_places(entry_side: Side, exit_side: Side) -> tuple[Point, Point]:
    """Return the places of a corner tower's two spaces, towards where the track enters and leaves it."""
    x = _CORNER_SPACE_INSET if Side.W in (entry_side, exit_side) else 1 - _CORNER_SPACE_INSET
    y = _CORNER_SPACE_INSET if Side.N in (entry_side, exit_side) else 1 - _CORNER_SPACE_INSET
    sideways, upright = (x, 1 - y), (1 - x, y)
    return (sideways, upright) if entry_side in (Side.W, Side.E) else (upright, sideways)


@thread_safe_cache
def space_places() -> tuple[tuple[Cell, Point], ...]:
    """Return, for each space of the track, its square and the point in it."""
    return tuple((cell, place) for cell, stretch in stretches().items() for place in stretch.places)


@thread_safe_cache
def cells_at_wall() -> tuple[tuple[Cell, Side, Cell], ...]:
    """Return each cell within the wall beside a square of the wall, with the side and that square."""
    return tuple(
        (cell, side, cell.beside(side)) for cell in wall().interior for side in Side if cell.beside(side) in stretches()
    )


_PARAPET_END: Final = 0.1
"""Inner edge of the parapet, from the outside of the wall, in cells."""
_WALK_END: Final = 0.62
"""Inner edge of the walk behind it, in cells."""
_COPING_END: Final = 0.67
"""Inner edge of the row of stones along the walk, in cells."""
YARD_DEPTH: Final = 0.36
"""Depth of the yard of a start space, in cells."""
_TEETH_PER_SQUARE: Final = 5
"""Teeth of the parapet on one square."""
_LINE_WIDTH: Final = 0.014
"""Width of outlines, in cells."""
_TOLERANCE: Final = 1e-6
"""Rounding error that is allowed for points on the diagonal of a corner tower."""
_FIFTH_NUMBER_SIZE: Final = 0.27
"""Height of every fifth number on the track, in cells."""
_NUMBER_SIZE: Final = 0.19
"""Height of the other numbers, in cells."""
_MAX_NUMBER_SIZE: Final = 0.34
"""Height up to which each number has room on its space, in cells; above it only every fifth is written."""
_WALL_TILE_WIDTH: Final = 0.42
"""Width of a wall tile on its corner tower."""


@cached_sprite
def square_sprite(
    theme: Theme, cell: Cell, size: int, closed: int, *, covered: bool, gates: int, min_type: int | None
) -> Image.Image:
    """Draw a square of the wall with its two numbers, filled to its sides, in the palette.

    Args:
        theme: the colours.
        cell: the cell of the square.
        size: pixels a side.
        closed: for a start space, the half-sides where its features end, see :func:`tile_sprite`.
        covered: True if a wall tile lies on it, face down.
        gates: one bit for each side at which a path ends at it, north lowest.
        min_type: pixels of the smallest readable type; numbers for which it leaves no room are left out, but every
            fifth is there except on corner towers. None leaves out all of them.
    """
    stretch = stretches()[cell]
    image = meadow(theme, cell, size).copy()
    start = next((start for start in wall().starts if start.cell == cell), None)
    layers = [_plain_sprite(theme, stretch, size) if start is None else start_sprite(theme, start, size, closed)]
    layers += [_gate_sprite(theme, side, size) for side in Side if gates >> side & 1]
    for layer in layers:
        image.paste(layer, (0, 0), layer)
    if covered:
        back = tokens.wall_tile_back(theme, round(size * _WALL_TILE_WIDTH))
        image.paste(back, ((size - back.width) // 2, (size - back.height) // 2), back)
    for space, (x, y) in zip(stretch.square.spaces, stretch.places, strict=True) if min_type is not None else ():
        number_size = _NUMBER_SIZE if space % 5 or stretch.inward is None else _FIFTH_NUMBER_SIZE
        height = max(round(size * number_size), min_type or 0)
        if height <= size * _MAX_NUMBER_SIZE or (space % 5 == 0 and stretch.inward is not None):
            half = text_width(str(space), height) / 2 + 1
            middle = min(max(x * size, half), size - half)  # the next square would cut a number that reaches into it
            write(image, str(space), (middle, y * size), height, theme.ink)
    return to_palette(image, theme)


def _plain_sprite(theme: Theme, stretch: WallStretch, size: int) -> Image.Image:
    """Draw a square of the wall without numbers: a corner tower, or a straight piece."""
    if stretch.inward is None:
        return _corner_tower_sprite(theme, size, rising=stretch.rising, arrow=stretch.square.space == 0)
    return _straight_sprite(theme, stretch.inward, size)


# ---------------------------------------------------------------- plain wall


@cached_sprite
def _straight_sprite(theme: Theme, inward: Side, size: int) -> Image.Image:
    """Draw a square of the wall without a yard."""
    canvas = Canvas(size, theme)
    _paint_walk(canvas, inward)
    quarters = (inward - Side.S) % 4
    _paint_face(canvas, inward, 1.0)
    for part in (0.25, 0.75):
        arch = (*rectangle(part - 0.05, 0.83, part + 0.05, 1.0),)
        canvas.polygon(rotated_line(arch, quarters), theme.ink)
        canvas.disc(rotated((part, 0.83), quarters), 0.05, theme.ink)
    canvas.polygon(rotated_line(rectangle(0.0, 1 - _LINE_WIDTH, 1.0, 1.0), quarters), theme.ink)
    return canvas.finished()


def _paint_walk(canvas: Canvas, inward: Side) -> None:
    """Paint the parapet on the outside and the two spaces of the track behind it."""
    theme, quarters = canvas.theme, (inward - Side.S) % 4

    def fill(left: float, top: float, right: float, bottom: float, colour: tuple[int, int, int]) -> None:
        canvas.polygon(rotated_line(rectangle(left, top, right, bottom), quarters), colour)

    fill(0.0, 0.0, 1.0, 1.0, theme.ink)
    fill(0.0, _LINE_WIDTH, 1.0, _PARAPET_END, theme.stone_dark)
    for tooth in range(_TEETH_PER_SQUARE):
        left = (tooth + 0.25) / _TEETH_PER_SQUARE
        fill(
            left - _LINE_WIDTH,
            0.0,
            left + 0.5 / _TEETH_PER_SQUARE + _LINE_WIDTH,
            _PARAPET_END + 2 * _LINE_WIDTH,
            theme.ink,
        )
        fill(left, _LINE_WIDTH, left + 0.5 / _TEETH_PER_SQUARE, _PARAPET_END + _LINE_WIDTH, theme.stone_light)
    for left, colour in ((0.0, theme.plaster), (0.5, theme.plaster_dark)):
        fill(left + _LINE_WIDTH / 2, _PARAPET_END + 2 * _LINE_WIDTH, left + 0.5 - _LINE_WIDTH / 2, _WALK_END, colour)
    fill(0.0, _WALK_END + _LINE_WIDTH, 1.0, _COPING_END, theme.stone_light)


def _paint_face(canvas: Canvas, inward: Side, depth: float) -> None:
    """Paint the inner side of the wall: lit if it looks north or west, else in the shade."""
    theme, quarters = canvas.theme, (inward - Side.S) % 4
    lit = inward in (Side.N, Side.W)
    mask = Image.new("L", canvas.image.size)
    area = rotated_line(rectangle(0.0, _COPING_END + _LINE_WIDTH, 1.0, depth), quarters)
    ImageDraw.Draw(mask).polygon([(x * canvas.scale, y * canvas.scale) for x, y in area], fill=255)
    stone = theme.stone if lit else theme.stone_dark
    canvas.image.paste(masonry(theme, canvas.scale, stone), (0, 0), mask)


@cached_sprite
def _gate_sprite(theme: Theme, side: Side, size: int) -> Image.Image:
    """Draw the gate in a square of the wall where a path comes to its side."""
    canvas = Canvas(size, theme)
    quarters = (side - Side.S) % 4
    for grow, colour in ((0.055, theme.ink), (0.04, theme.stone_light), (0.012, theme.ink)):
        canvas.polygon(rotated_line(rectangle(0.41 - grow, 0.83, 0.59 + grow, 1.0), quarters), colour)
        canvas.disc(rotated((0.5, 0.83), quarters), 0.09 + grow, colour)
    canvas.polygon(
        rotated_line(rectangle(0.5 - PATH_WIDTH * 0.35, 0.93, 0.5 + PATH_WIDTH * 0.35, 1.0), quarters), theme.road_edge
    )
    return canvas.finished()


# ---------------------------------------------------------------- start spaces


class _YardMap:
    """The map of a start space: its segments side by side, separated by a path if there is one."""

    def __init__(self, start: StartSpace, scale: int, margin: int, closed: int) -> None:
        self.margin = margin
        self._image = Image.new("L", (scale + 2 * margin,) * 2)
        draw = ImageDraw.Draw(self._image)
        face = start.kind.faces[0]
        quarters = (start.side - Side.S) % 4
        owners = half_owners(face)

        def fill(area: Polyline, value: int) -> None:
            points = rotated_line(area, quarters)
            draw.polygon([(x * scale + margin, y * scale + margin) for x, y in points], fill=value)

        outside = MAP_MARGIN + 1
        for second in (0, 1):
            half = start.side * 2 + second
            left, right = (-outside, 0.5) if second else (0.5, outside)
            bottom = 1.0 if closed >> half & 1 else outside
            fill(rectangle(max(left, 0.0), 1 - YARD_DEPTH, min(right, 1.0), bottom), owners[half] + 1)
        if face.paths:
            fill(stroke_polygon(((0.5, 1 - YARD_DEPTH), (0.5, outside)), PATH_WIDTH), 0)

    def area(self, segment: int) -> Image.Image:
        """Return the points of a segment as a mask."""
        return self._image.point([255 if value == segment + 1 else 0 for value in range(256)])


def yard_mask(start: StartSpace, segment: Segment, size: int) -> Image.Image:
    """Return the points of a segment (or of a path) of a start space on its square."""
    face = start.kind.faces[0]
    index = next(
        number
        for number, part in enumerate(face.segments)
        if part.places == segment.places and part.kind == segment.kind
    )
    if segment.kind == FeatureKind.PATH:
        mask = Image.new("L", (size, size))
        line = rotated_line(((0.5, 1 - YARD_DEPTH), (0.5, 1.0)), (start.side - Side.S) % 4)
        ImageDraw.Draw(mask).polygon([(x * size, y * size) for x, y in stroke_polygon(line, PATH_WIDTH)], fill=255)
        return mask
    return _YardMap(start, size, 0, 0).area(index)


def yard_middle(start: StartSpace) -> Point:
    """Return the middle of the yard of a start space."""
    return rotated((0.5, 1 - YARD_DEPTH / 2), (start.side - Side.S) % 4)


@cached_sprite
def start_sprite(theme: Theme, start: StartSpace, size: int, closed: int) -> Image.Image:
    """Draw a square of the wall with the yard that is drawn on it, transparent where grass shows."""
    canvas = Canvas(size, theme)
    _paint_walk(canvas, start.side)
    quarters = (start.side - Side.S) % 4
    corners = rotated_line(((0.0, 1 - YARD_DEPTH), (1.0, 1.0)), quarters)
    (left, right), (top, bottom) = (
        sorted(round(value * canvas.scale) for value in axis) for axis in zip(*corners, strict=True)
    )
    canvas.image.paste((0, 0, 0, 0), (left, top, right, bottom))
    scale = canvas.scale // 2
    areas = _YardMap(start, scale, round(MAP_MARGIN * scale), closed)
    paint_grounds(canvas, start.kind, areas, FeatureKind.HOUSE)
    if start.kind.faces[0].paths:
        paint_paths(canvas, [rotated_line(((0.5, 1 - YARD_DEPTH), (0.5, 1.0)), quarters)])
    paint_grounds(canvas, start.kind, areas, FeatureKind.TOWER)
    _paint_yard(canvas, start, quarters)
    return canvas.finished()


def _paint_yard(canvas: Canvas, start: StartSpace, quarters: int) -> None:
    """Paint the buildings in the yard, and the arrow that shows where the game may begin."""
    theme = canvas.theme
    face = start.kind.faces[0]
    owners = half_owners(face)
    for second in (0, 1):
        segment = face.segments[owners[start.side * 2 + second]]
        x, y = rotated((0.25 if second else 0.75, 1 - YARD_DEPTH / 2), quarters)
        _paint_building(canvas, segment.kind, (x, y), alone=len(segment.places) == 1)
    for segment in face.segments:
        if segment.kind is FeatureKind.COURT and segment.markets:
            x, y = rotated((0.5, 1 - YARD_DEPTH / 2), quarters)
            structures.market(canvas, (x, y))
    canvas.polygon(
        rotated_line(rectangle(0.0, 1 - YARD_DEPTH - _LINE_WIDTH, 1.0, 1 - YARD_DEPTH + _LINE_WIDTH), quarters),
        theme.ink,
    )
    arrow = ((0.46, 0.4), (0.54, 0.4), (0.54, 0.54), (0.62, 0.54), (0.5, 0.68), (0.38, 0.54), (0.46, 0.54))
    canvas.outline(rotated_line(arrow, quarters), 0.04, theme.halo)
    canvas.polygon(rotated_line(arrow, quarters), theme.ink)


def _paint_building(canvas: Canvas, kind: FeatureKind, at: Point, *, alone: bool) -> None:
    """Paint what stands on a start space: houses, a turret, or the trees of a court if it is alone there."""
    x, y = at
    match kind:
        case FeatureKind.HOUSE:
            for number, (dx, dy) in enumerate(((-0.09, 0.0), (0.09, 0.02), (0.0, 0.11))):
                buildings.house(canvas, (x + dx, y + dy), number + 1, 1.1)
        case FeatureKind.TOWER:
            structures.turret(canvas, (x, y), 0.11, 1)
        case FeatureKind.COURT:
            for number, (dx, dy) in enumerate(((-0.1, 0.02), (0.08, 0.08)) if alone else ()):
                buildings.tree(canvas, (x + dx, y + dy), number * 2)
        case FeatureKind.PATH:
            pass
        case never:
            assert_never(never)


# ---------------------------------------------------------------- corner towers


@cached_sprite
def _corner_tower_sprite(theme: Theme, size: int, *, rising: bool, arrow: bool) -> Image.Image:
    """Draw a corner tower from above: battlements around a floor with two spaces, and a line between them.

    The tower where the track begins has an arrow.
    """
    canvas = Canvas(size, theme)
    canvas.box(0.0, 0.0, 1.0, 1.0, theme.ink)
    canvas.box(_LINE_WIDTH, _LINE_WIDTH, 1 - _LINE_WIDTH, 1 - _LINE_WIDTH, theme.stone_dark)
    for side in range(4):
        for tooth in range(5):
            left = 0.03 + tooth * 0.21
            canvas.polygon(
                rotated_line(rectangle(left - _LINE_WIDTH, 0.0, left + 0.1 + _LINE_WIDTH, 0.125), side), theme.ink
            )
            canvas.polygon(rotated_line(rectangle(left, _LINE_WIDTH, left + 0.1, 0.11), side), theme.stone_light)
    floor = octagon(0.37, 0.31)
    canvas.polygon(octagon(0.385, 0.325), theme.ink)
    canvas.polygon(floor, theme.plaster)
    canvas.polygon(_lower_half(floor, rising=rising), theme.plaster_dark)
    if arrow:
        shaft = ((0.56, 0.68), (0.44, 0.68), (0.44, 0.48), (0.34, 0.48), (0.5, 0.3), (0.66, 0.48), (0.56, 0.48))
        canvas.outline(shaft, 0.04, theme.halo)
        canvas.polygon(shaft, theme.awning[0])
    return canvas.finished()


def _lower_half(outline: Polyline, *, rising: bool) -> Polyline:
    """Return the part of an octagon below its diagonal, which rises or falls to the east."""
    middles = [
        ((x + ex) / 2, (y + ey) / 2) for (x, y), (ex, ey) in zip(outline, (*outline[1:], outline[0]), strict=True)
    ]
    points = [point for pair in zip(outline, middles, strict=True) for point in pair]
    return tuple((x, y) for x, y in points if (x + y >= 1 - _TOLERANCE if rising else y >= x - _TOLERANCE))
