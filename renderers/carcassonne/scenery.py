"""Draw the sprite of a tile: everything on it except the meadow, which continues from tile to tile.

The places of everything come from the layout of the tile (:mod:`renderers.carcassonne.faces.layout`); boxes draw their
own prints. A piece of a box can span a tile from side to side, and what it would cover moves beside it; ``span`` is its
axis, None without one.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from engine.caching import thread_safe_lru_cache
from engine.carcassonne import Position, TileKind
from engine.geometry import Axis, Cell
from renderers import buildings
from renderers.boards.sheet import Sheet
from renderers.boards.view import CELL_SIZES
from renderers.caches import MASK_KEY, cached_sprite
from renderers.canvas import (
    SHADOW_OFFSET,
    SHADOW_STRENGTH,
    VEIL_STRENGTH,
    Canvas,
    Polyline,
    ellipse,
    length,
    point_along,
    shifted,
    stroke_polygon,
)
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.faces import landmarks
from renderers.carcassonne.faces.layout import PLAZA_RADIUS, Layout, trimmed_road
from renderers.carcassonne.faces.lines import ROAD_WIDTH, CityOutline, RoadEnd
from renderers.carcassonne.figures import layout_of, span_sprite
from renderers.land import flat_meadow
from renderers.masks import decoration_rng
from renderers.palette import nearest_colour_index, to_palette
from renderers.theme import Theme

WALL_WIDTH: Final = 0.04
"""Width of a city wall, in cells."""
WALL_HEIGHT: Final = 0.035
"""Height of a city wall as it is seen from the south, in cells."""
_ROAD_EDGE_WIDTH: Final = 0.018
"""Width of the line on either side of a road, in cells."""
_SURFACE_WIDTH: Final = ROAD_WIDTH - 2 * _ROAD_EDGE_WIDTH
"""Width of a road between these lines, in cells."""
_SHORT_WALL: Final = 0.2
"""Length of a wall between two cities that leaves no room for towers, in cells."""
_LARGE_PIXELS: Final = 150
"""Pixels of a tile from which twice the size is enough for smooth edges: unlike figures, it has no outlines."""
_FADED_REACH: Final = 1.26
"""Size of the patch that fades a print, as a multiple of the print."""


def tile_sprite(theme: Theme, tile: TileKind, rotation: int, size: int, span: Axis | None = None) -> Image.Image:
    """Draw the tile rotated clockwise by ``rotation`` degrees, on meadow of one colour, in the theme's palette.

    A piece across it is not drawn, but a village or monastery that it would cover is moved beside it.
    """
    first, gives_way = _canonical_look(tile, rotation, span)
    return _cached_tile(theme, tile, first, size, gives_way)


def flat_tile(theme: Theme, tile: TileKind, rotation: int, size: int, span: Axis | None) -> Image.Image:
    """Draw the tile on its meadow with the piece across it, in the theme's palette."""
    return _flat_tile(theme, tile, _canonical_look(tile, rotation, None)[0], size, span)


@cached_sprite
def _flat_tile(theme: Theme, tile: TileKind, rotation: int, size: int, span: Axis | None) -> Image.Image:
    """Draw the tile; if it is larger than on any board, only this form of it is cached."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=True)
    sprite = (_cached_tile if size <= CELL_SIZES[0] else _draw_tile)(
        theme, tile, rotation, size, _canonical_look(tile, rotation, span)[1]
    )
    sheet.put(flat_meadow(theme, Cell(0, 0), size), (0, 0))
    sheet.put(sprite, (0, 0), sprite.info[MASK_KEY])
    if span is not None:
        sheet.lay(span_sprite(theme, span, size), (0, 0))
    return sheet.pixels


def lay_tile(
    sheet: Sheet, corner: tuple[int, int], cell: Cell, face: tuple[TileKind, int, Axis | None], size: int
) -> None:
    """Paint the meadow of a cell, and the sprite of its tile without meadow on it."""
    tile, rotation, span = face
    sprite = tile_sprite(sheet.theme, tile, rotation, size, span)
    sheet.put(flat_meadow(sheet.theme, cell, size), corner)
    sheet.put(sprite, corner, sprite.info[MASK_KEY])


def fade_idle_prints(
    sheet: Sheet, corner: tuple[int, int], face: tuple[TileKind, int, Axis | None], size: int, position: Position
) -> None:
    """Fade what is printed on a tile but does not count in this game, such as the inn of a box that is not in play."""
    layout = layout_of(*face)
    for print_ in (print_ for box in BOXES.values() for print_ in box.idle_prints(layout, position)):
        left, top, right, bottom = print_.bounds
        patch = _patch(sheet.theme, size, round(right - left, 3), round(bottom - top, 3))
        x, y = (round(size * middle) for middle in ((left + right) / 2, (top + bottom) / 2))
        sheet.lay(patch, (corner[0] + x - patch.width // 2, corner[1] + y - patch.height // 2))


@cached_sprite
def _patch(theme: Theme, size: int, width: float, height: float) -> Image.Image:
    """Draw a patch of thin meadow over a print of this width and height."""
    across, down = width * _FADED_REACH, height * _FADED_REACH
    canvas = Canvas(size, theme, across, down)
    canvas.polygon(ellipse((across / 2, down / 2), across / 2, down / 2), theme.meadow)
    sprite = canvas.finished()
    sprite.putalpha(sprite.getchannel("A").point(lambda opacity: round(opacity * VEIL_STRENGTH)))
    return sprite


@thread_safe_lru_cache(2048)
def _canonical_look(tile: TileKind, rotation: int, span: Axis | None) -> tuple[int, Axis | None]:
    """Return the smallest rotation in which a tile looks the same, and the piece across it if that moves anything.

    Fewer sprites are drawn and cached that way. Upright buildings do not turn with a tile, and below most bridges there
    is nothing but grass and a road.
    """
    looks = [frozenset(face.segments) for face in tile.faces]
    first = 90 * looks.index(looks[rotation // 90])
    unmoved = span is None or layout_of(tile, first, span).drawn == layout_of(tile, first, None).drawn
    return first, None if unmoved else span


@cached_sprite
def _cached_tile(theme: Theme, tile: TileKind, rotation: int, size: int, span: Axis | None) -> Image.Image:
    """Draw the tile, and cache its sprite."""
    return _draw_tile(theme, tile, rotation, size, span)


def _draw_tile(theme: Theme, tile: TileKind, rotation: int, size: int, span: Axis | None) -> Image.Image:
    """Draw everything on a tile, from what lies flat to what stands upright."""
    layout = layout_of(tile, rotation, span)
    canvas = Canvas(size, theme, large=_LARGE_PIXELS, ground=theme.meadow)
    for box in BOXES.values():
        box.draw_ground_prints(canvas, layout)
    _draw_roads(canvas, layout)
    for city in layout.features.cities:
        _draw_streets(canvas, layout, city)
    if layout.features.hub is not None:
        for width, colour in ((ROAD_WIDTH, theme.road_edge), (_SURFACE_WIDTH, theme.square)):
            for alley in layout.features.alleys:
                canvas.stroke(alley, width, colour)
        landmarks.square(canvas, layout.features.hub)
    walls = [*(wall for city in layout.features.cities for wall in city.walls), *layout.barriers]
    _draw_shadows(canvas, layout, walls)
    _draw_buildings(canvas, layout, walls)
    sprite = to_palette(canvas.finished(), theme)
    # Pasting with a hard mask, of everything but meadow, takes half the time of blending every pixel.
    meadow = nearest_colour_index(theme, theme.meadow)
    sprite.info[MASK_KEY] = sprite.point([255 * (ink != meadow) for ink in range(256)], "1")
    return sprite


def _draw_roads(canvas: Canvas, layout: Layout) -> None:
    """Draw the roads with their edges and the worn middle."""
    theme = canvas.theme
    lines = [trimmed_road(road) for road in layout.features.roads if road.segment != layout.features.overpass]
    layers = ((ROAD_WIDTH, theme.road_edge), (_SURFACE_WIDTH, theme.road), (ROAD_WIDTH * 0.3, theme.road_worn))
    for width, colour in layers:
        for line in lines:
            canvas.stroke(line, width, colour)
    for road in layout.features.roads:
        if road.segment == layout.features.overpass:
            _draw_overpass(canvas, road.line)


def _draw_overpass(canvas: Canvas, line: Polyline) -> None:
    """Draw a road that crosses another one on a stone bridge, with its shadow."""
    theme = canvas.theme
    arch = tuple(point_along(line, part) for part in (0.34, 0.42, 0.5, 0.58, 0.66))
    canvas.shade([shifted(stroke_polygon(arch, ROAD_WIDTH + 0.05), *SHADOW_OFFSET)], 0.4)
    canvas.stroke(line, ROAD_WIDTH, theme.road_edge)
    canvas.stroke(arch, ROAD_WIDTH + 0.06, theme.ink)
    canvas.stroke(arch, ROAD_WIDTH + 0.044, theme.stone_light)
    canvas.stroke(arch, ROAD_WIDTH - 0.01, theme.stone_dark)
    canvas.stroke(line, _SURFACE_WIDTH, theme.road)
    canvas.stroke(line, ROAD_WIDTH * 0.3, theme.road_worn)


def _draw_streets(canvas: Canvas, layout: Layout, city: CityOutline) -> None:
    """Draw the ground of a city, worn where a figure may stand."""
    theme = canvas.theme
    canvas.polygon(city.ground, theme.street)
    canvas.disc(layout.anchors[city.segment], PLAZA_RADIUS - 0.03, theme.street_worn)


def _draw_shadows(canvas: Canvas, layout: Layout, walls: list[Polyline]) -> None:
    """Draw the shadows of walls, houses and trees at once."""
    shadows = [shifted(stroke_polygon(wall, WALL_WIDTH), *SHADOW_OFFSET) for wall in walls]
    shadows += [buildings.house_shadow(at) for at in layout.houses]
    shadows += [buildings.tree_shadow(at) for at in layout.trees]
    if shadows:
        canvas.shade(shadows, SHADOW_STRENGTH)


def _draw_buildings(canvas: Canvas, layout: Layout, walls: list[Polyline]) -> None:
    """Draw the buildings from north to south, so that those in front cover those behind."""
    rng = decoration_rng(f"{layout.features.face.rotation}")
    for wall in walls:
        _draw_wall(canvas, wall)
    for at in layout.houses:
        buildings.house(canvas, at, rng.randrange(12))
    for wall in walls:
        if wall not in layout.barriers and length(wall) < _SHORT_WALL:
            continue
        for at in sorted((point_along(wall, part) for part in (0.28, 0.72)), key=lambda point: point[1]):
            buildings.tower(canvas, at, 0.036, 0.05)
    for gate in [road.line[-1] for road in layout.features.roads if road.end is RoadEnd.GATE]:
        buildings.gate(canvas, gate)
    for portal in [road.line[-1] for road in layout.features.roads if road.end is RoadEnd.PORTAL]:
        buildings.portal(canvas, portal)
    for gate in [gate for city in layout.features.cities for gate in city.gates]:
        buildings.gate(canvas, gate)
    for at in sorted(layout.trees, key=lambda point: point[1]):
        buildings.tree(canvas, at, rng.randrange(6))
    _draw_landmarks(canvas, layout)


def _draw_landmarks(canvas: Canvas, layout: Layout) -> None:
    """Draw the village, the prints of boxes, the monastery and the shields."""
    if layout.features.hub is not None and layout.middle is None:
        landmarks.village(canvas, layout.features.hub)
    for box in BOXES.values():
        box.draw_prints(canvas, layout)
    if layout.monastery is not None:
        landmarks.monastery(canvas, layout.monastery, layout.monastery_size)
    for at in layout.shields:
        landmarks.shield(canvas, at)


def _draw_wall(canvas: Canvas, wall: Polyline) -> None:
    """Draw a wall seen from the south: its face hangs below its crest, which has battlements."""
    theme = canvas.theme
    steps = 6
    for step in range(steps + 1):
        down = WALL_HEIGHT * (steps - step) / steps
        canvas.stroke(shifted(wall, 0, down), WALL_WIDTH, theme.stone_dark)
    canvas.stroke(shifted(wall, 0, 0), WALL_WIDTH, theme.ink)
    canvas.stroke(wall, WALL_WIDTH - 0.012, theme.stone)
    count = max(round(length(wall) / 0.05), 1)
    for step in range(count):
        piece = tuple(point_along(wall, (step + part) / count) for part in (0.0, 0.25, 0.5))
        canvas.stroke(piece, WALL_WIDTH - 0.012, theme.stone_light)
