"""Whose a field is, laid over the board: patterned, so that it can be read without telling colours apart."""

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
from renderers.canvas import FIELD_TRANSPARENCY, Canvas
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.figures import across, layout_of, segment_index
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.masks import roomiest_point
from renderers.shapes import Point
from renderers.theme import Theme
from renderers.values import HeldField

_ROWS: Final[tuple[Point, ...]] = ((0.27, 0.27), (0.73, 0.73))
"""Where marks stand on a tile that is nothing but field."""
_LARGE: Final = 0.15
_SMALL: Final = 0.04
"""Their radius, and the least of a mark where there is no room for one so large."""
_RING: Final = 0.04
"""The ring round a mark, which sets it off from the field."""
_STRIPE: Final = 0.25
"""Breadth of the stripes of a field that several hold, in tiles: as many to a tile as let them run on to the next."""


def paint_fields(image: BoardImage, tiles: Mapping[Cell, PlacedTile], fields: Iterable[HeldField]) -> None:
    """Sow each field with the marks of those who hold it, by turns where it is several."""
    for field in fields:
        for cell, segment in field.parts:
            placed = tiles.get(cell)
            if placed is None:
                continue
            face = (placed.tile, placed.rotation, across(placed))
            first = (cell.x + cell.y) % len(field.owners)
            owners = (*field.owners[first:], *field.owners[:first])
            sprite = _sown(image.theme, owners, face, segment, image.view.size)
            image.lay(sprite, image.view.at(cell))


@cached_sprite
def _sown(
    theme: Theme, owners: tuple[int, ...], face: tuple[TileKind, int, Axis | None], field: Segment, size: int
) -> Image.Image:
    """One segment in the colours of those who hold it, with their marks in the same rows on all tiles."""
    canvas = Canvas(size, theme)
    tile, rotation, lying = face
    layout, index = layout_of(tile, rotation, lying), segment_index(tile, rotation, field)
    for number, (at, radius) in enumerate(_seeds(layout, index)):
        mark = PLAYER_MARKS[owners[number % len(owners)]]
        shape = shape_polygon(mark.shape, at, radius)
        canvas.outline(shape, 2 * _RING, theme.ink if mark.colour == theme.halo else theme.halo)
        canvas.polygon(shape, mark.colour)
    marks = canvas.finished()
    washed = _wash(sorted(owners), layout.features.ground.area(index), size)
    washed.alpha_composite(marks)
    return washed


def _wash(owners: Sequence[int], area: Image.Image, size: int) -> Image.Image:
    """The area in the colour of its holder, in slanting stripes where it has several."""
    across = area.width
    colours = Image.new("RGB", area.size)
    draw = ImageDraw.Draw(colours)
    step = max(round(across * _STRIPE), 1)
    for number in range(2 * across // step):
        mark = PLAYER_MARKS[owners[number % len(owners)]]
        start = number * step
        draw.polygon(
            ((start, 0), (start + step, 0), (start + step - across, across), (start - across, across)), mark.colour
        )
    sprite = colours.resize((size, size), Image.Resampling.NEAREST)
    mask = area.resize((size, size), Image.Resampling.BICUBIC).point(
        lambda value: round((1 - FIELD_TRANSPARENCY) * 255) * (value >= 128)
    )
    sprite.putalpha(mask)
    return sprite


def _seeds(layout: Layout, index: int) -> Iterator[tuple[Point, float]]:
    """Where marks stand and how large they are: in the same rows on all tiles, or one where there is room."""
    places = [at for at in _ROWS if _lies_within(layout, index, at, _LARGE + _RING)]
    yield from ((at, _LARGE) for at in places)
    if not places:
        at, room = roomiest_point(layout.features.ground.area(index))
        if room - _RING >= _SMALL:
            yield at, min(room - _RING, _LARGE)


def _lies_within(layout: Layout, index: int, at: Point, radius: float) -> bool:
    """Whether a whole mark fits there."""
    near = radius * 0.7
    reach = ((0.0, 0.0), *((dx * radius, dy * radius) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))))
    slanting = ((dx * near, dy * near) for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1)))
    return all(layout.features.ground.owner((at[0] + dx, at[1] + dy)) == index for dx, dy in (*reach, *slanting))
