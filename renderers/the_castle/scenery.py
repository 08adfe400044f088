"""Draw the sprite of a castle tile: everything except the grass of its courts, which continues from tile to tile.

The places of everything come from the layout of the tile (:mod:`renderers.the_castle.faces.layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Final

from PIL import Image

from engine.the_castle.tiles import FeatureKind, TileKind
from renderers import buildings
from renderers.canvas import CENTRE, SHADOW_STRENGTH, Canvas, Polyline
from renderers.masks import decoration_rng
from renderers.the_castle.faces import structures
from renderers.the_castle.faces.grounds import MAP_MARGIN, paint_grounds
from renderers.the_castle.faces.layout import (
    HOUSE_SIZE,
    PATH_WIDTH,
    WELL_RADIUS,
    Layout,
    Ways,
    layout_of,
    square_outline,
)
from renderers.theme import Theme

_PATH_EDGE_WIDTH: Final = 0.018
"""Width of the line on either side of a path, in cells."""


def tile_sprite(theme: Theme, tile: TileKind, rotation: int, size: int, closed: int) -> Image.Image:
    """Draw the tile rotated clockwise, transparent where grass shows; the caller caches it together with the grass.

    Args:
        theme: the colours.
        tile: the kind of tile.
        rotation: degrees clockwise.
        size: pixels a side.
        closed: one bit for each half-side, clockwise from the western half of the north, where a feature ends because
            another one or the wall lies beside it.
    """
    layout = layout_of(tile, rotation)
    canvas = Canvas(size, theme)
    scale = canvas.scale // 2
    areas = layout.labels(scale, round(MAP_MARGIN * scale), closed)
    paint_grounds(canvas, tile, areas, FeatureKind.HOUSE)
    paint_paths(canvas, [path.line for path in layout.ways.paths], layout.ways)
    paint_grounds(canvas, tile, areas, FeatureKind.TOWER)
    if tile.square:
        _paint_square(canvas)
    _paint_buildings(canvas, layout)
    return canvas.finished()


def paint_paths(canvas: Canvas, lines: list[Polyline], ways: Ways | None = None) -> None:
    """Draw paths with edges and a worn middle; with ``ways`` also their junction and the places around wells."""
    theme = canvas.theme
    wells = [] if ways is None else [at for _, at in ways.wells]
    junction = ways is not None and ways.junction
    for width, colour, radius in (
        (PATH_WIDTH, theme.road_edge, WELL_RADIUS + _PATH_EDGE_WIDTH),
        (PATH_WIDTH - 2 * _PATH_EDGE_WIDTH, theme.road, WELL_RADIUS),
    ):
        for line in lines:
            canvas.stroke(line, width, colour)
        for well in wells:
            canvas.disc(well, radius, colour)
        if junction:
            canvas.disc(CENTRE, width / 2, colour)
    for line in lines:
        canvas.stroke(line, PATH_WIDTH * 0.3, theme.road_worn)
    if junction:
        canvas.disc(CENTRE, PATH_WIDTH * 0.28, theme.road_worn)


def _paint_square(canvas: Canvas) -> None:
    """Draw a paved square with a kerb all around, which no path crosses, and a cross in its middle."""
    theme = canvas.theme
    for grow, colour in ((0.012, theme.ink), (0.0, theme.stone_light), (-0.03, theme.ink), (-0.04, theme.square)):
        canvas.polygon(square_outline(grow), colour)
    structures.paving(canvas, square_outline(-0.04))
    structures.market_cross(canvas, (0.5, 0.54))


def _paint_buildings(canvas: Canvas, layout: Layout) -> None:
    """Draw the buildings from north to south, so that those in front cover those behind."""
    shadows = [buildings.house_shadow(at, HOUSE_SIZE) for at in layout.houses]
    shadows += [buildings.tree_shadow(at) for at in layout.trees]
    shadows += [structures.turret_shadow(at, room) for at, room in layout.turrets]
    if shadows:
        canvas.shade(shadows, SHADOW_STRENGTH)
    order = count()
    for _, _, draw in sorted((foot, next(order), draw) for foot, draw in _upright(layout)):
        draw(canvas)


def _upright(layout: Layout) -> Iterator[tuple[float, Callable[[Canvas], None]]]:
    """Yield the drawing functions of everything that stands on the tile, each with the height of its foot."""
    rng = decoration_rng(layout.face.tile.id)
    for at in layout.houses:
        yield at[1], partial(buildings.house, at=at, kind=rng.randrange(12), size=HOUSE_SIZE)
    for at in layout.trees:
        yield at[1], partial(buildings.tree, at=at, kind=rng.randrange(6))
    for number, (at, room) in enumerate(layout.turrets):
        yield at[1], partial(structures.turret, at=at, room=room, kind=number)
    for at in layout.markets:
        yield at[1], partial(structures.market, at=at)
    for _, at in layout.ways.wells:
        yield at[1], partial(structures.well, at=at)
    for path in layout.ways.paths:
        if path.ends:
            yield path.line[-1][1], partial(buildings.gate, at=path.line[-1])
