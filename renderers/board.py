"""A position as an image: the table, the tiles, and the pieces on them in the order in which they cover each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.carcassonne import castles_of
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.position import Position
from engine.carcassonne.tiles import FeatureKind
from engine.geometry import Axis, Cell
from renderers import pieces
from renderers.guides import paint_dead, paint_fields
from renderers.outline import CORNERS
from renderers.plan import anchor, plan_of
from renderers.sheet import BoardImage
from renderers.theme import Theme
from renderers.values import NO_GUIDES, Guides
from renderers.view import View, Window


def paint_board(
    position: Position, view: View, theme: Theme, *, guides: Guides = NO_GUIDES, trial: tuple[Cell, Axis] | None = None
) -> BoardImage:
    """The tiles, castles, bridges and followers of a position, without a rim; ``trial`` is a bridge not built yet."""
    image = paint_tiles(position, view, theme, guides=guides, trial=trial)
    paint_followers(image, position, trial=trial)
    return image


def paint_tiles(
    position: Position, view: View, theme: Theme, *, guides: Guides = NO_GUIDES, trial: tuple[Cell, Axis] | None = None
) -> BoardImage:
    """The tiles of a position with their castles and bridges."""
    image = BoardImage(view, theme)
    tiles = [tile for tile in position.placed() if tile.cell in view.window]
    bridges = {tile.cell: tile.bridge for tile in tiles} | dict([trial] if trial else [])
    _paint_table(image, tiles)
    for tile in tiles:
        image.lay(tile.cell, tile.tile, tile.rotation, bridges[tile.cell])
    paint_fields(image, tiles, guides.fields)
    paint_dead(image, guides)
    _paint_corner_towers(image, position.placed())
    _paint_castles(image, position)
    for tile in tiles:
        bridge = bridges[tile.cell]
        if bridge is not None:
            image.build_bridge(tile.cell, bridge)
    return image


def _paint_table(image: BoardImage, tiles: Iterable[PlacedTile]) -> None:
    """The grid of the empty cells, and the shadow of all tiles upon it."""
    view, theme, draw = image.view, image.theme, image.draw
    window: Window = view.window
    for x in range(window.columns + 1):
        column = view.rim + x * view.size
        draw.line((column, 0, column, view.height), fill=theme.grid)
    for y in range(window.rows + 1):
        row = view.rim + y * view.size
        draw.line((0, row, view.width, row), fill=theme.grid)
    depth = max(view.size // 16, 1)
    for tile in tiles:
        left, top = view.at(tile.cell)
        draw.rectangle((left, top, left + view.size + depth - 1, top + view.size + depth - 1), fill=theme.rim)


def _paint_corner_towers(image: BoardImage, tiles: Iterable[PlacedTile]) -> None:
    """A tower at each corner that a city fills on some, but not all, of the four tiles that meet there."""
    filled: Counter[Cell] = Counter()
    for tile in tiles:
        for city in plan_of(tile.tile, tile.rotation).cities:
            for corner in city.corners:
                x, y = CORNERS[corner]
                filled[Cell(tile.cell.x + int(x), tile.cell.y + int(y))] += 1
    tower = pieces.corner_tower(image.theme, image.view.size)
    for at in sorted((at for at, count in filled.items() if count < 4), key=lambda at: (at.y, at.x)):
        image.stamp(tower, at, (0.0, 0.0))


def _paint_castles(image: BoardImage, position: Position) -> None:
    for castle in castles_of(position):
        one, other = castle.cells
        axis = Axis.NS if one.x == other.x else Axis.WE
        sprite = pieces.castle(image.theme, castle.player, axis, image.view.size, scored=castle.scored)
        image.stamp(sprite, one, (0.5 + (other.x - one.x) / 2, 0.5 + (other.y - one.y) / 2))


def paint_followers(image: BoardImage, position: Position, *, trial: tuple[Cell, Axis] | None = None) -> None:
    """The followers, those in the south in front."""
    standing = sorted(position.standing(), key=lambda follower: (follower.cell.y, follower.cell.x))
    for follower in standing:
        tile = position.tile_at(follower.cell)
        if tile is None or follower.cell not in image.view.window:
            continue
        kind = follower.segment.kind
        sprite = pieces.follower(image.theme, follower.player, image.view.size, lying=kind is FeatureKind.FIELD)
        bridge = trial[1] if trial is not None and trial[0] == tile.cell else tile.bridge
        place = anchor(tile.tile, tile.rotation, follower.segment, bridge)
        image.stamp(sprite, follower.cell, pieces.within_tile(place, lying=kind is FeatureKind.FIELD))
