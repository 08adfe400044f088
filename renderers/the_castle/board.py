"""A position as an image: the castle from above, its tiles, and the pieces in the order in which they cover others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from PIL import Image

from engine.geometry import Cell, Side
from engine.the_castle.position import Position
from engine.the_castle.tiles import Face, FeatureKind
from engine.the_castle.wall import TRACK, wall
from renderers import figures
from renderers.canvas import SHADOW_STRENGTH, Canvas
from renderers.land import meadow
from renderers.shapes import Point, rectangle, turned_line
from renderers.sheet import BoardImage
from renderers.sprites import kept
from renderers.text import write
from renderers.the_castle import tokens
from renderers.the_castle.labels import half_owners
from renderers.the_castle.layout import anchor
from renderers.the_castle.scenery import tile_sprite
from renderers.the_castle.values import Ghost
from renderers.the_castle.wall import (
    Stretch,
    beyond,
    corner_sprite,
    portal_sprite,
    space_places,
    start_sprite,
    stretches,
    wall_sprite,
)
from renderers.theme import Theme
from renderers.view import View

FIGURE: Final = 0.94
"""The size of figures, since towers and houses are often narrow; of those that mark points, less."""
_MARKER: Final = 0.8
_WALL_TILE: Final = 0.42
"""Width of a wall tile on its corner tower, in cells."""
_FIFTH: Final = 0.27
_OTHER: Final = 0.19
"""The height of the numbers on the track, in cells: every fifth, and the others."""
_SHADOW: Final = 0.05
"""How far the shadow of the wall falls, in cells."""
_ASIDE: Final = 0.13
"""How far from the middle of a space two markers stand that share it."""


def paint_castle(position: Position, view: View, theme: Theme, ghost: Ghost | None = None) -> BoardImage:
    """The wall and the tiles of a position, without anything that lies or stands on the tiles."""
    image = BoardImage(view, theme)
    faces = _faces(position, ghost)
    tiles = [cell for cell in faces if cell not in stretches()]
    _paint_ground(image)
    _paint_wall(image, faces)
    for cell in tiles:
        _lay(image, faces, cell)
    _paint_shadows(image, tiles)
    _paint_portals(image, faces)
    _paint_track(image, position)
    return image


def paint_pieces(image: BoardImage, position: Position) -> None:
    """Figures and keeps, those in the south in front; with the markers on the track."""
    size = image.view.size
    sprites: list[tuple[Cell, Point, Image.Image]] = []
    for figure in position.standing():
        tile = position.tile_at(figure.cell)
        if tile is not None:
            kind = FeatureKind(figure.segment.kind)
            lying = kind is FeatureKind.COURT
            sprite = figures.follower(image.theme, figure.player, round(size * FIGURE), lying=lying)
            place = within_tile(anchor(tile.tile, tile.rotation, figure.segment), kind)
            sprites.append((figure.cell, place, sprite))
    for seat in range(position.players):
        found = keep_place(position, seat)
        if found is not None:
            sprites.append((*found, tokens.keep(image.theme, seat, size)))
    for cell, place, sprite in sorted(sprites, key=lambda found: (found[0].y + found[1][1], found[0].x)):
        if cell in image.view.window:
            image.stamp(sprite, cell, place)


def within_tile(place: Point, kind: FeatureKind) -> Point:
    """The point moved so that hardly anything of a figure reaches over its tile, though a herald's feet stay put."""
    match kind:
        case FeatureKind.COURT:
            across, up, down = 0.23, 0.14, 0.14
        case FeatureKind.PATH:
            across, up, down = 0.16, 0.1, 0.24
        case _:
            across, up, down = 0.16, 0.22, 0.24
    return (min(max(place[0], across), 1 - across), min(max(place[1], up), 1 - down))


def keep_place(position: Position, seat: int) -> tuple[Cell, Point] | None:
    """Where a player's keep stands: on the part of its house that has most room, the first laid of several."""
    house = position.house_of(seat)
    if house is None:
        return None
    tiles = [(position.tile_at(cell), segment) for cell, segment in house.parts]
    numbered = [(len(segment.places), -tile.number, tile, segment) for tile, segment in tiles if tile is not None]
    _, _, tile, segment = max(numbered, key=lambda part: part[:2])
    x, y = anchor(tile.tile, tile.rotation, segment)
    return tile.cell, (min(max(x, 0.24), 0.76), min(max(y, 0.27), 0.73))


# ---------------------------------------------------------------- tiles


def _faces(position: Position, ghost: Ghost | None) -> Mapping[Cell, Face]:
    """What is drawn on each cell: start spaces, tiles, and the tile that is being tried out."""
    faces = {start.cell: start.kind.faces[0] for start in wall().starts}
    faces |= {placed.cell: placed.tile.faces[placed.rotation // 90] for placed in position.placed()}
    if ghost is not None:
        faces[ghost.cell] = ghost.tile.faces[ghost.rotation // 90]
    return faces


def closed_sides(faces: Mapping[Cell, Face], cell: Cell) -> int:
    """One bit for each half-side of a cell at which its tower or house ends: the wall or something else lies beside.

    Half-sides are numbered clockwise from the western half of the north. Courts look the same everywhere.
    """
    closed = 0
    for half, segment in enumerate(half_owners(faces[cell])):
        kind = None if segment < 0 else faces[cell].kinds[segment]
        if kind is not None and kind is not FeatureKind.COURT:
            closed |= _ends(faces, cell, half, kind) << half
    return closed


def _ends(faces: Mapping[Cell, Face], cell: Cell, half: int, kind: FeatureKind) -> bool:
    """Whether there is something else beyond a half-side; nothing at all keeps it open."""
    other = beyond(cell, Side(half // 2))
    if other not in faces:
        return other in stretches()
    index = half_owners(faces[other])[(half // 2 + 2) % 4 * 2 + 1 - half % 2]
    return index < 0 or faces[other].kinds[index] is not kind


def _lay(image: BoardImage, faces: Mapping[Cell, Face], cell: Cell) -> None:
    if cell not in image.view.window:
        return
    size, corner, face = image.view.size, image.view.at(cell), faces[cell]
    sprite = tile_sprite(image.theme, face.tile, face.rotation, size, closed_sides(faces, cell))
    image.pixels.paste(meadow(image.theme, cell, size), corner)
    image.pixels.paste(sprite, corner, sprite)


# ---------------------------------------------------------------- the wall


def _paint_ground(image: BoardImage) -> None:
    """The table within the wall with its grid and the shadow of the wall on it, and the dark outside."""
    view, theme, draw = image.view, image.theme, image.draw
    draw.rectangle((0, 0, view.width, view.height), fill=theme.rim)
    depth = round(_SHADOW * view.size)
    for cell in wall().interior:
        if cell in view.window:
            (left, top), (right, bottom) = view.at(cell), view.at(cell, (1.0, 1.0))
            draw.rectangle((left, top, right - 1, bottom - 1), fill=theme.table, outline=theme.grid)
            if beyond(cell, Side.N) in stretches():
                draw.rectangle((left, top, right, top + depth - 1), fill=theme.rim)
            if beyond(cell, Side.W) in stretches():
                draw.rectangle((left, top, left + depth - 1, bottom), fill=theme.rim)


def _paint_wall(image: BoardImage, faces: Mapping[Cell, Face]) -> None:
    view, theme, size = image.view, image.theme, image.view.size
    starts = {start.cell: start for start in wall().starts}
    for cell, stretch in stretches().items():
        if cell not in view.window:
            continue
        if cell in starts:
            image.pixels.paste(meadow(theme, cell, size), view.at(cell))
            sprite = start_sprite(theme, starts[cell], size, closed_sides(faces, cell))
        else:
            sprite = _wall_square(theme, stretch, size)
        image.pixels.paste(sprite, view.at(cell), sprite)


def _wall_square(theme: Theme, stretch: Stretch, size: int) -> Image.Image:
    if stretch.inward is None:
        return corner_sprite(theme, size, rising=stretch.rising, arrow=stretch.square.space == 0)
    return wall_sprite(theme, stretch.inward, size)


def _write_numbers(image: BoardImage, stretch: Stretch) -> None:
    size = image.view.size
    for space, place in zip(stretch.square.spaces, stretch.places, strict=True):
        fifth = space % 5 == 0 and stretch.inward is not None
        height = round(size * (_FIFTH if fifth else _OTHER))
        write(image.pixels, str(space), image.view.at(stretch.square.cell, place), height, image.theme.ink)


def _paint_shadows(image: BoardImage, tiles: Iterable[Cell]) -> None:
    """What the wall darkens of the tiles beside it: the light comes from the north-west."""
    size = image.view.size
    for cell in tiles:
        for side in (Side.N, Side.W):
            if beyond(cell, side) in stretches() and cell in image.view.window:
                sprite = _shadow(image.theme, side, size)
                image.pixels.paste(sprite, image.view.at(cell), sprite)


@kept
def _shadow(theme: Theme, side: Side, size: int) -> Image.Image:
    canvas = Canvas(size, theme)
    canvas.shade([turned_line(rectangle(0.0, 0.0, 1.0, _SHADOW), side)], SHADOW_STRENGTH)
    return canvas.finished()


def _paint_portals(image: BoardImage, faces: Mapping[Cell, Face]) -> None:
    """A gate in the wall wherever a path ends at it."""
    for cell, face in faces.items():
        for side in Side:
            square = beyond(cell, side)
            plain = square in stretches() and square not in faces
            if plain and face.paths >> side & 1 and cell not in stretches() and square in image.view.window:
                image.stamp(portal_sprite(image.theme, side, image.view.size), square)


# ---------------------------------------------------------------- the track


def _paint_track(image: BoardImage, position: Position) -> None:
    """Wall tiles face down, which all look alike, and the numbers of the spaces."""
    theme, size = image.theme, image.view.size
    back = tokens.wall_tile_back(theme, round(size * _WALL_TILE))
    for corner in position.corners:
        cell, _ = space_places()[corner]
        if cell in image.view.window:
            image.stamp(back, cell)
    for cell, stretch in stretches().items():
        if cell in image.view.window:
            _write_numbers(image, stretch)


def paint_markers(image: BoardImage, position: Position) -> None:
    """The figures that mark the points; those that have passed the last space lie (TC-46)."""
    theme, size = image.theme, image.view.size
    spaces = [points % TRACK for points in position.scores]
    for seat, points in enumerate(position.scores):
        cell, (x, y) = space_places()[spaces[seat]]
        if cell not in image.view.window:
            continue
        if spaces.count(spaces[seat]) > 1:
            x += _ASIDE * (2 * seat - position.players + 1)
        lying = points >= TRACK
        sprite = figures.follower(theme, seat, round(size * _MARKER), lying=lying)
        image.stamp(sprite, cell, (x, y))
        if lying:
            laps = f"+{points - spaces[seat]}"
            write(image.pixels, laps, image.view.at(cell, (x, y + 0.22)), round(size * 0.2), theme.ink)
