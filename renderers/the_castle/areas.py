"""Highlighted features, each with the letter of its button; everything else is veiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageFilter

from engine.geometry import Cell
from engine.the_castle.position import Position
from engine.the_castle.wall import StartSpace, wall
from engine.the_castle.ward import PlacedTile
from engine.tiles import Segment
from renderers import pieces
from renderers.boards.sheet import BoardImage
from renderers.canvas import VEIL_STRENGTH
from renderers.lettering import write
from renderers.shapes import Point, distance
from renderers.the_castle.board import Area, keep_place, paint_markers, paint_pieces
from renderers.the_castle.faces.layout import anchor, layout_of
from renderers.the_castle.wall import yard_mask, yard_middle

_OUTLINE_WIDTH: Final = 0.045
"""Width of the line around a feature, in cells."""
_DISC_WIDTH: Final = 0.5
_CANDIDATES_PER_SIDE: Final = 12
"""Candidate points for a letter, along one side of a tile."""


def highlight_areas(image: BoardImage, position: Position, areas: Sequence[Area]) -> None:
    """Veil the castle except some features, outline these, paint all pieces, and letter the features."""
    theme, size = image.theme, image.view.size
    bright = image.pixels.copy()
    veiled = Image.blend(bright, Image.new("RGB", bright.size, theme.panel), VEIL_STRENGTH)
    image.pixels.paste(veiled)
    for area in areas:
        mask = Image.new("L", bright.size)
        for cell, segment in area.parts:
            if cell in image.view.window:
                mask.paste(_segment_mask(position, cell, segment, size), image.view.at(cell))
        wide = mask.filter(ImageFilter.BoxBlur(round(_OUTLINE_WIDTH * size))).point([0] + [255] * 255)
        dark = wide.filter(ImageFilter.BoxBlur(2)).point([0] + [255] * 255)
        image.pixels.paste(theme.highlight_dark, (0, 0), ImageChops.subtract(dark, mask))
        image.pixels.paste(theme.highlight, (0, 0), ImageChops.subtract(wide, mask))
        image.pixels.paste(bright, (0, 0), mask)
    paint_pieces(image, position)
    paint_markers(image, position)
    taken: list[tuple[Cell, Point]] = occupied_places(position)
    for area in (area for area in areas if area.letter):
        place = free_place(position, area, taken)
        taken.append(place)
        _paint_letter(image, area.letter, place)


def _segment_mask(position: Position, cell: Cell, segment: Segment, size: int) -> Image.Image:
    """Return the points of a segment on its cell as a mask."""
    tile = position.tile_at(cell)
    if tile is None:
        return yard_mask(_start_at(cell), segment, size)
    layout = layout_of(tile.tile, tile.rotation)
    return layout.labels(size).area(layout.index_of(segment))


def _start_at(cell: Cell) -> StartSpace:
    return next(start for start in wall().starts if start.cell == cell)


def occupied_places(position: Position) -> list[tuple[Cell, Point]]:
    """Return the places of figures and keeps."""
    places = []
    for figure in position.standing_figures():
        tile = position.tile_at(figure.cell)
        if tile is not None:
            places.append((figure.cell, anchor(tile.tile, tile.rotation, figure.segment)))
    keeps = (keep_place(position, seat) for seat in range(position.players))
    return places + [place for place in keeps if place is not None]


def free_place(position: Position, area: Area, taken: Sequence[tuple[Cell, Point]]) -> tuple[Cell, Point]:
    """Return a place for a letter: on the feature, far from the taken places, within the wall if possible."""
    tiles = [(cell, position.tile_at(cell), segment) for cell, segment in area.parts]
    places = [(cell, anchor(tile.tile, tile.rotation, segment)) for cell, tile, segment in tiles if tile is not None]
    places = places or [(cell, yard_middle(_start_at(cell))) for cell, _ in area.parts]

    def room(place: tuple[Cell, Point]) -> float:
        return min((distance(_board_point(place), _board_point(other)) for other in taken), default=9.0)

    best = max(places, key=room)
    if room(best) > _DISC_WIDTH:
        return best
    inside = [
        (cell, point) for cell, tile, segment in tiles if tile is not None for point in _candidate_points(tile, segment)
    ]

    def preference(place: tuple[Cell, Point]) -> tuple[float, float]:
        return min(room(place), _DISC_WIDTH), -distance(_board_point(place), _board_point(best))

    return max(inside, key=preference, default=best)


def _candidate_points(tile: PlacedTile, segment: Segment) -> Iterator[Point]:
    """Yield a grid of points of a segment on its tile."""
    layout = layout_of(tile.tile, tile.rotation)
    labels, index = layout.labels(_CANDIDATES_PER_SIDE * 4), layout.index_of(segment)
    for column, row in product(range(_CANDIDATES_PER_SIDE), repeat=2):
        point = ((column + 0.5) / _CANDIDATES_PER_SIDE, (row + 0.5) / _CANDIDATES_PER_SIDE)
        if labels.owner(point) == index:
            yield point


def _board_point(place: tuple[Cell, Point]) -> Point:
    (cell, (x, y)) = place
    return (cell.x + x, cell.y + y)


def _paint_letter(image: BoardImage, letter: str, place: tuple[Cell, Point]) -> None:
    theme, size = image.theme, image.view.size
    image.stamp(pieces.disc(theme, max(round(size * _DISC_WIDTH), 8), theme.highlight, theme.highlight_dark), *place)
    write(image.pixels, letter, image.view.at(*place), round(size * 0.34), theme.highlight_dark)
