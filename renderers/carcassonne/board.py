"""Paint the board of a position: the table, the tiles, and the pieces in the order in which they cover each other.

Boxes (expansions) paint their own pieces, see :mod:`renderers.carcassonne.boxes.base`. A trial is a piece that a player
is only trying out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.landscape import PlacedTile
from engine.geometry import Cell
from engine.views import StandingFigure
from renderers.boards.sheet import BoardImage, paint_dead_cells
from renderers.boards.view import View, Window
from renderers.canvas import Point
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Trial
from renderers.carcassonne.faces.landmarks import corner_tower
from renderers.carcassonne.faces.lines import CORNERS
from renderers.carcassonne.fields import paint_fields
from renderers.carcassonne.figures import figure, is_lying, layout_of, place_of, span_of, within_figure_tile
from renderers.carcassonne.scenery import fade_idle_prints, lay_tile
from renderers.theme import Theme
from renderers.values import NO_GUIDES, Guides


def paint_board(
    position: Position, view: View, theme: Theme, *, guides: Guides = NO_GUIDES, trial: Trial | None = None
) -> BoardImage:
    """Paint the tiles of a position with all pieces, without the rim; ``trial`` is a piece that is not built yet."""
    image = paint_tiles(position, view, theme, guides=guides, trial=trial)
    paint_figures(image, position, trial=trial)
    return image


def paint_tiles(
    position: Position, view: View, theme: Theme, *, guides: Guides = NO_GUIDES, trial: Trial | None = None
) -> BoardImage:
    """Paint the tiles of a position with everything that lies flat on them, without figures."""
    image = BoardImage(view, theme, flat=True)
    enlarged = view.window.grown(1)
    placed = sorted(position.placed(), key=lambda tile: tile.square)  # row by row
    nearby = {cell: tile for tile in placed if (cell := tile.cell) in enlarged}
    visible = {cell: tile for cell, tile in nearby.items() if cell in view.window}
    _paint_table(image, visible)
    for cell, tile in visible.items():
        lay_tile(image, view.at(cell), cell, (tile.tile, tile.rotation, span_of(tile, trial)), view.size)
    for cell, tile in visible.items():
        fade_idle_prints(image, view.at(cell), (tile.tile, tile.rotation, span_of(tile, trial)), view.size, position)
    paint_fields(image, visible, guides.fields)
    paint_dead_cells(image, guides)
    _paint_corner_towers(image, nearby)
    for box in BOXES.values():
        box.paint_flat_pieces(image, position, visible, trial)
    return image


def _paint_table(image: BoardImage, cells: Collection[Cell]) -> None:
    """Paint the grid of the empty cells, and the shadow of the tiles at the southern and eastern edges."""
    view, draw = image.view, image.draw
    grid, shadow = image.ink(image.theme.grid), image.ink(image.theme.rim)
    window: Window = view.window
    for x in range(window.columns + 1):
        column = view.rim + x * view.size
        draw.line((column, 0, column, view.height), fill=grid)
    for y in range(window.rows + 1):
        row = view.rim + y * view.size
        draw.line((0, row, view.width, row), fill=grid)
    depth = max(view.size // 16, 1)
    for cell in cells:
        x, y = cell
        if (x + 1, y) in cells and (x, y + 1) in cells and (x + 1, y + 1) in cells:
            continue
        left, top = view.at(cell)
        draw.rectangle((left, top, left + view.size + depth - 1, top + view.size + depth - 1), fill=shadow)


def _paint_corner_towers(image: BoardImage, tiles: Mapping[Cell, PlacedTile]) -> None:
    """Paint a tower at each corner where cities fill some, but not all, of the four tiles that meet there."""
    filled: Counter[Cell] = Counter()
    near = image.view.window.grown(1)
    for cell, tile in ((cell, tile) for cell, tile in tiles.items() if cell in near):
        for city in layout_of(tile.tile, tile.rotation, None).features.cities:
            for corner in city.corners:
                x, y = CORNERS[corner]
                filled[Cell(cell.x + int(x), cell.y + int(y))] += 1
    tower = corner_tower(image.theme, image.view.size)
    window = image.view.window
    image.stamp_each(
        (tower, at, (0.0, 0.0))
        for at in sorted((at for at, count in filled.items() if count < 4), key=lambda at: (at.y, at.x))
        if 0 <= at.x - window.left <= window.columns and 0 <= at.y - window.top <= window.rows
    )


def paint_figures(image: BoardImage, position: Position, *, trial: Trial | None = None) -> None:
    """Paint the figures from north to south, and then the expansions' neutral pieces."""
    everywhere = sorted(position.standing_figures(), key=lambda standing: (standing.cell.y, standing.cell.x))
    visible = [(at, place_of(position, at, trial, everywhere)) for at in everywhere if at.cell in image.view.window]
    # Of two figures on one tile, the southern one stands in front.
    visible.sort(key=lambda figure: (figure[0].cell.y, figure[0].cell.x, figure[1][1]))
    image.stamp_each(_standing(image, at, place) for at, place in visible)
    for box in BOXES.values():
        box.paint_neutral_pieces(image, position, lambda at: place_of(position, at, trial))


def _standing(image: BoardImage, at: StandingFigure, place: Point) -> tuple[Image.Image, Cell, Point]:
    """Return the sprite of a figure, its cell and the point for its middle."""
    lying = is_lying(at.segment)
    sprite = figure(image.theme, at.player, image.view.size, at.figure, lying=lying)
    return sprite, at.cell, within_figure_tile(place, at.figure, lying=lying)
