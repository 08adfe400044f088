"""A position as an image: the table, the tiles, and the pieces on them in the order in which they cover each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from engine.carcassonne import Castle, castles_of, fairy_of, tokens_on
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.position import Position
from engine.carcassonne.tiles import FeatureKind
from engine.geometry import Axis, Cell
from engine.views import Standing
from renderers import figures, pieces
from renderers.boards.sheet import BoardImage
from renderers.boards.view import View, Window
from renderers.carcassonne.fields import paint_dead, paint_fields
from renderers.carcassonne.outline import CORNERS
from renderers.carcassonne.plan import anchor, plan_of
from renderers.shapes import CENTRE, Point
from renderers.theme import Theme
from renderers.values import NO_GUIDES, Guides


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
    near = {cell: tile for cell in view.window.grown(1).cells if (tile := position.tile_at(cell)) is not None}
    shown = {cell: tile for cell, tile in near.items() if cell in view.window}
    bridges = {cell: tile.bridge for cell, tile in shown.items()} | dict([trial] if trial else [])
    _paint_table(image, shown)
    for cell, tile in shown.items():
        image.lay(cell, tile.tile, tile.rotation, bridges[cell])
    paint_fields(image, shown, guides.fields)
    paint_dead(image, guides)
    _paint_corner_towers(image, near)
    _paint_castles(image, position)
    for cell, bridge in bridges.items():
        if bridge is not None and cell in shown:
            image.build_bridge(cell, bridge)
    return image


def _paint_table(image: BoardImage, cells: Collection[Cell]) -> None:
    """The grid of the empty cells, and the shadow upon it of all tiles that do not lie before others."""
    view, theme, draw = image.view, image.theme, image.draw
    window: Window = view.window
    for x in range(window.columns + 1):
        column = view.rim + x * view.size
        draw.line((column, 0, column, view.height), fill=theme.grid)
    for y in range(window.rows + 1):
        row = view.rim + y * view.size
        draw.line((0, row, view.width, row), fill=theme.grid)
    depth = max(view.size // 16, 1)
    for cell in cells:
        if all(Cell(cell.x + dx, cell.y + dy) in cells for dx, dy in ((1, 0), (0, 1), (1, 1))):
            continue
        left, top = view.at(cell)
        draw.rectangle((left, top, left + view.size + depth - 1, top + view.size + depth - 1), fill=theme.rim)


def _paint_corner_towers(image: BoardImage, tiles: Mapping[Cell, PlacedTile]) -> None:
    """A tower at each corner that a city fills on some, but not all, of the four tiles that meet there."""
    filled: Counter[Cell] = Counter()
    for cell, tile in tiles.items():
        for city in plan_of(tile.tile, tile.rotation).cities:
            for corner in city.corners:
                x, y = CORNERS[corner]
                filled[Cell(cell.x + int(x), cell.y + int(y))] += 1
    tower = pieces.corner_tower(image.theme, image.view.size)
    window = image.view.window
    for at in sorted((at for at, count in filled.items() if count < 4), key=lambda at: (at.y, at.x)):
        if 0 <= at.x - window.left <= window.columns and 0 <= at.y - window.top <= window.rows:
            image.stamp(tower, at, (0.0, 0.0))


def _paint_castles(image: BoardImage, position: Position) -> None:
    """The castles, further tokens of one showing behind it, and the badges of those who share in it."""
    theme, size = image.theme, image.view.size
    for castle in castles_of(position):
        one, other = castle.cells
        axis = Axis.NS if one.x == other.x else Axis.WE
        sprite = pieces.castle(theme, castle.player, axis, size, scored=castle.scored)
        x, y = _castle_middle(castle)
        for behind in reversed(range(tokens_on(position, castle).shown)):
            image.stamp(sprite, one, (x + 0.05 * behind, y - 0.05 * behind))
        guests = sorted({follower.player for follower in castle.followers} - {castle.player})
        for number, player in enumerate(guests):
            badge = pieces.badge(theme, player, max(round(size * 0.3), 8))
            image.stamp(badge, one, (x + 0.3 * (number - (len(guests) - 1) / 2), y + 0.3))


def _castle_middle(castle: Castle) -> Point:
    """The middle of its two cells, seen from the first of them."""
    one, other = castle.cells
    return (0.5 + (other.x - one.x) / 2, 0.5 + (other.y - one.y) / 2)


def paint_followers(image: BoardImage, position: Position, *, trial: tuple[Cell, Axis] | None = None) -> None:
    """The followers, those in the south in front, and the fairy by hers."""
    standing = sorted(position.standing(), key=lambda follower: (follower.cell.y, follower.cell.x))
    for follower in standing:
        if follower.cell in image.view.window:
            lying = follower.segment.kind == FeatureKind.FIELD
            sprite = figures.figure(image.theme, follower.player, image.view.size, follower.figure, lying=lying)
            place = _place_of(position, follower, trial)
            image.stamp(sprite, follower.cell, figures.within_tile(place, lying=lying))
    fairy = fairy_of(position)
    if fairy is not None and fairy.cell in image.view.window:
        places = [_castle_middle(castle) for castle in castles_of(position) if castle.cells[0] == fairy.cell]
        hers = (follower for follower in standing if follower.cell == fairy.cell)
        places += [
            _place_of(position, follower, trial) for follower in hers if follower.player == fairy.follower.player
        ]
        x, y = places[0] if places else CENTRE
        image.stamp(
            figures.fairy(image.theme, image.view.size), fairy.cell, (x + (0.24 if x < 0.6 else -0.24), y - 0.06)
        )


def _place_of(position: Position, follower: Standing, trial: tuple[Cell, Axis] | None) -> Point:
    """Where on its tile a follower stands.

    Raises:
        ValueError: there is no such segment.
    """
    tile = position.tile_at(follower.cell)
    if tile is None:
        raise ValueError(f"a follower without a tile: {follower.cell.label}")
    bridge = trial[1] if trial is not None and trial[0] == tile.cell else tile.bridge
    return anchor(tile.tile, tile.rotation, follower.segment, bridge)
