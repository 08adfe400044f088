"""A position as an image: the table, the tiles, and the pieces on them in the order in which they cover each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from PIL import Image, ImageDraw

from engine.carcassonne import castles_of
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.position import Position
from engine.carcassonne.tiles import FeatureKind, TileKind
from engine.geometry import Axis, Cell
from renderers import pieces
from renderers.land import meadow
from renderers.outline import CORNERS
from renderers.plan import anchor, plan_of
from renderers.scenery import tile_sprite
from renderers.shapes import Point
from renderers.theme import Colour, Theme
from renderers.view import View, Window


class BoardImage:
    """A picture being painted: the pixels, and where cells lie on them."""

    def __init__(self, view: View, theme: Theme) -> None:
        self.view = view
        self.theme = theme
        self.pixels = Image.new("RGB", (view.width, view.height), theme.table)
        self.draw = ImageDraw.Draw(self.pixels)

    def stamp(self, sprite: Image.Image, cell: Cell, middle: Point = (0.5, 0.5)) -> None:
        """Lay a sprite with its middle on a point of a cell."""
        x, y = self.view.at(cell, middle)
        self.pixels.paste(sprite, (x - sprite.width // 2, y - sprite.height // 2), sprite)

    def tint(self, cell: Cell, colour: Colour, strength: float) -> None:
        """Colour a whole cell; ``strength`` 1 covers it."""
        size = self.view.size
        self.pixels.paste(colour, self.view.at(cell), Image.new("L", (size, size), round(255 * strength)))

    def lay(self, cell: Cell, tile: TileKind, rotation: int) -> None:
        """Paint a tile."""
        size, corner = self.view.size, self.view.at(cell)
        self.pixels.paste(meadow(self.theme, cell, size), corner)
        sprite = tile_sprite(self.theme, tile, rotation, size)
        self.pixels.paste(sprite, corner, sprite)

    def build_bridge(self, cell: Cell, axis: Axis) -> None:
        """Paint a bridge."""
        sprite = pieces.bridge(self.theme, axis, self.view.size)
        self.pixels.paste(sprite, self.view.at(cell), sprite)


def paint_board(position: Position, view: View, theme: Theme) -> BoardImage:
    """The tiles, castles, bridges and followers of a position, without a rim."""
    image = paint_tiles(position, view, theme)
    paint_followers(image, position)
    return image


def paint_tiles(position: Position, view: View, theme: Theme) -> BoardImage:
    """The tiles of a position with their castles and bridges."""
    image = BoardImage(view, theme)
    tiles = [tile for tile in position.placed() if tile.cell in view.window]
    _paint_table(image, tiles)
    for tile in tiles:
        image.lay(tile.cell, tile.tile, tile.rotation)
    _paint_corner_towers(image, position.placed())
    _paint_castles(image, position)
    for tile in tiles:
        if tile.bridge is not None:
            image.build_bridge(tile.cell, tile.bridge)
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


def paint_followers(image: BoardImage, position: Position) -> None:
    """The followers, those in the south in front."""
    standing = sorted(position.standing(), key=lambda follower: (follower.cell.y, follower.cell.x))
    for follower in standing:
        tile = position.tile_at(follower.cell)
        if tile is None or follower.cell not in image.view.window:
            continue
        kind = follower.segment.kind
        sprite = pieces.follower(image.theme, follower.player, image.view.size, lying=kind is FeatureKind.FIELD)
        place = anchor(tile.tile, tile.rotation, follower.segment, tile.bridge)
        image.stamp(sprite, follower.cell, pieces.within_tile(place, lying=kind is FeatureKind.FIELD))
