"""Paint the owners of fields over the board: patterns of their marks, readable without colours.

Each player's mark has a shape of its own. A field with several owners has stripes in their colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from PIL import Image, ImageDraw

from engine.carcassonne import TileKind
from engine.carcassonne.landscape import PlacedTile
from engine.geometry import Axis, Cell
from engine.tiles import Segment
from renderers.boards.sheet import BoardImage
from renderers.caches import cached_sprite
from renderers.canvas import FIELD_TRANSPARENCY, Canvas, Point
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.figures import layout_of, segment_index, span_of
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.masks import roomiest_point
from renderers.theme import Theme
from renderers.values import HeldField

_MARK_PLACES: Final[tuple[Point, ...]] = ((0.27, 0.27), (0.73, 0.73))
"""Places of marks on a tile that is nothing but field."""
_MARK_RADIUS: Final = 0.15
"""Radius of a mark, in tiles."""
_MIN_MARK_RADIUS: Final = 0.04
"""Radius below which a mark is left out, where a field is too narrow."""
_RING_WIDTH: Final = 0.04
"""Width of the ring around a mark, which sets it off from the field."""
_STRIPE_WIDTH: Final = 0.25
"""Width of the stripes of a field with several owners, in tiles; stripes continue on the next tile."""


def paint_fields(image: BoardImage, tiles: Mapping[Cell, PlacedTile], fields: Iterable[HeldField]) -> None:
    """Cover each field with the marks of its owners, in turns if there are several."""
    for field in fields:
        for cell, segment in field.parts:
            placed = tiles.get(cell)
            if placed is None:
                continue
            face = (placed.tile, placed.rotation, span_of(placed))
            first = (cell.x + cell.y) % len(field.owners)
            owners = (*field.owners[first:], *field.owners[:first])
            sprite = _field_sprite(image.theme, owners, face, segment, image.view.size)
            image.lay(sprite, image.view.at(cell))


@cached_sprite
def _field_sprite(
    theme: Theme, owners: tuple[int, ...], face: tuple[TileKind, int, Axis | None], field: Segment, size: int
) -> Image.Image:
    """Draw one field segment in the colours of its owners, with their marks in the same rows on all tiles."""
    canvas = Canvas(size, theme)
    tile, rotation, lying = face
    layout, index = layout_of(tile, rotation, lying), segment_index(tile, rotation, field)
    for number, (at, radius) in enumerate(_mark_places(layout, index)):
        mark = PLAYER_MARKS[owners[number % len(owners)]]
        shape = shape_polygon(mark.shape, at, radius)
        canvas.outline(shape, 2 * _RING_WIDTH, theme.ink if mark.colour == theme.halo else theme.halo)
        canvas.polygon(shape, mark.colour)
    marks = canvas.finished()
    tinted = _owner_colours(sorted(owners), layout.features.ground.area(index), size)
    tinted.alpha_composite(marks)
    return tinted


def _owner_colours(owners: Sequence[int], area: Image.Image, size: int) -> Image.Image:
    """Return the area in its owner's colour, in slanting stripes if there are several owners."""
    width = area.width
    colours = Image.new("RGB", area.size)
    draw = ImageDraw.Draw(colours)
    step = max(round(width * _STRIPE_WIDTH), 1)
    for number in range(2 * width // step):
        mark = PLAYER_MARKS[owners[number % len(owners)]]
        start = number * step
        draw.polygon(
            ((start, 0), (start + step, 0), (start + step - width, width), (start - width, width)), mark.colour
        )
    sprite = colours.resize((size, size), Image.Resampling.NEAREST)
    mask = area.resize((size, size), Image.Resampling.BICUBIC).point(
        lambda value: round((1 - FIELD_TRANSPARENCY) * 255) * (value >= 128)
    )
    sprite.putalpha(mask)
    return sprite


def _mark_places(layout: Layout, index: int) -> Iterator[tuple[Point, float]]:
    """Yield the places and radii of marks: in the same rows on all tiles, or one where there is room."""
    places = [at for at in _MARK_PLACES if _mark_fits(layout, index, at, _MARK_RADIUS + _RING_WIDTH)]
    yield from ((at, _MARK_RADIUS) for at in places)
    if not places:
        at, room = roomiest_point(layout.features.ground.area(index))
        if room - _RING_WIDTH >= _MIN_MARK_RADIUS:
            yield at, min(room - _RING_WIDTH, _MARK_RADIUS)


def _mark_fits(layout: Layout, index: int, at: Point, radius: float) -> bool:
    """Return True if a whole mark fits there."""
    diagonal = radius * 0.7
    reach = ((0.0, 0.0), *((dx * radius, dy * radius) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))))
    slanting = ((dx * diagonal, dy * diagonal) for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1)))
    return all(layout.features.ground.owner((at[0] + dx, at[1] + dy)) == index for dx, dy in (*reach, *slanting))
