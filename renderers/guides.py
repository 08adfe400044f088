"""What is laid over the board to help reading it: whose a field is, and which cells no tile fits any more.

All of it is patterned, so that it can be read without telling colours apart, and all of it can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from PIL import Image

from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.tiles import TileKind
from engine.geometry import Axis, Cell
from engine.tiles import Segment
from renderers.canvas import SOWN, Canvas
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.plan import Plan, plan_of, segment_index
from renderers.shapes import Point
from renderers.sheet import BoardImage
from renderers.sprites import kept
from renderers.theme import Theme, mixed
from renderers.values import Guides, Held

_SEEDS: Final = 3
"""Marks across one tile of a field."""
_SEED: Final = 0.05
"""Their radius."""
_HATCH: Final = 0.2
_LINE: Final = 0.028
"""Distance and width of the lines across a dead cell."""


def paint_fields(image: BoardImage, tiles: Mapping[Cell, PlacedTile], fields: Iterable[Held]) -> None:
    """Sow each field with the marks of those who hold it, by turns where it is several."""
    for field in fields:
        for cell, segment in field.parts:
            placed = tiles.get(cell)
            if placed is None:
                continue
            face = (placed.tile, placed.rotation, placed.bridge)
            sprite = _sown(image.theme, field.owners, face, segment, image.view.size)
            image.pixels.paste(sprite, image.view.at(cell), sprite)


@kept
def _sown(
    theme: Theme, owners: tuple[int, ...], face: tuple[TileKind, int, Axis | None], field: Segment, size: int
) -> Image.Image:
    """The marks upon one segment, in the same rows on all tiles, so that they run on from one to the next."""
    canvas = Canvas(size, theme)
    tile, rotation, bridge = face
    plan, index = plan_of(tile, rotation, bridge), segment_index(tile, rotation, field)
    for row in range(_SEEDS):
        for column in range(_SEEDS):
            at = ((column + 0.25 + 0.5 * (row % 2)) / _SEEDS, (row + 0.5) / _SEEDS)
            if _lies_within(plan, index, at):
                mark = PLAYER_MARKS[owners[(row + column) % len(owners)]]
                canvas.polygon(shape_polygon(mark.shape, at, _SEED), mixed(mark.colour, theme.meadow, SOWN))
    return canvas.finished()


def _lies_within(plan: Plan, index: int, at: Point) -> bool:
    """Whether a whole mark fits there."""
    reach = ((0.0, 0.0), (_SEED, 0.0), (-_SEED, 0.0), (0.0, _SEED), (0.0, -_SEED))
    return all(plan.ground.owner((at[0] + dx, at[1] + dy)) == index for dx, dy in reach)


def paint_dead(image: BoardImage, guides: Guides) -> None:
    """Cross out the cells that no tile left fits, and hatch those that one fits only with a bridge."""
    for cells, crossed in ((guides.dead, True), (guides.aided, False)):
        sprite = _hatched(image.theme, image.view.size, crossed=crossed)
        for cell in sorted(cells):
            if cell in image.view.window:
                image.stamp(sprite, cell)


@kept
def _hatched(theme: Theme, size: int, *, crossed: bool) -> Image.Image:
    canvas = Canvas(size, theme)
    count = round(2 / _HATCH)
    for step in range(1, count):
        reach = step * _HATCH
        start, end = (max(0.0, reach - 1), min(1.0, reach)), (min(1.0, reach), max(0.0, reach - 1))
        canvas.stroke((start, end), _LINE, theme.dead)
        if crossed:
            canvas.stroke(((1 - start[0], start[1]), (1 - end[0], end[1])), _LINE, theme.dead)
    return canvas.finished()
