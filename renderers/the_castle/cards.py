"""The pictures of a position: the turn card, the composer, the question about features, and the replay of the game.

No sprite is drawn in advance. A tile of The Castle looks different with each neighbour at which its features end, and
is cached together with its meadow, so the sprites of a card cannot be predicted. The wall can, but it is a sixth of the
cost of a first card (a tenth of a second when a game begins, half a second or more late in one) and would take another
2 MiB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from PIL import Image

from engine.geometry import Cell
from engine.the_castle.position import Position
from renderers import pieces
from renderers.animation import Painter, animated
from renderers.boards import sheet
from renderers.boards.view import CELL_SIZES, View, Window, fitting_view, window_around, window_near, window_within
from renderers.png import encode_png
from renderers.the_castle.board import (
    Area,
    Ghost,
    chosen_figure,
    highlight_areas,
    numbered_inset,
    occupied_places,
    paint_castle,
    paint_markers,
    paint_pieces,
    tile_picture,
)
from renderers.the_castle.strip import STRIP_HEIGHT, paint_outside, paint_strips
from renderers.the_castle.wall import stretches
from renderers.theme import DAY, Theme
from renderers.values import NO_GUIDES, Guides, Mark, NumberedPlace, Picture, Spot, TurnPictures

FOCUS_CELLS: Final = 7
_GHOST_SIDE: Final = 3.0
_HAND_SIDE: Final = 1.7
"""Sides of the enlarged ghost and of the drawn tile, in cells of the board."""


def turn_card(
    position: Position, marks: Sequence[Mark] = (), *, guides: Guides = NO_GUIDES, theme: Theme = DAY
) -> TurnPictures:
    """Draw the crop around the newest tile and the whole castle, with each player's last tile framed and marked."""
    board = whole_board(position, marks, guides=guides, theme=theme)
    newest = _newest_cell(position)
    if newest is None:
        return TurnPictures(board, board)
    near = _paint_marked(
        position,
        fitting_view(window_near(whole_window(), newest, FOCUS_CELLS), longest=theme.longest),
        marks,
        guides,
        theme,
    )
    return TurnPictures(encode_png(near.pixels, theme, "focus"), board)


def whole_board(
    position: Position, marks: Sequence[Mark] = (), *, guides: Guides = NO_GUIDES, theme: Theme = DAY
) -> Picture:
    """Draw the whole castle with the track, and below it the pieces and wall tiles of each player."""
    views = (View(whole_window(), size) for size in CELL_SIZES)
    view = next(
        view for view in views if view.height + round(position.players * STRIP_HEIGHT * view.size) <= theme.longest
    )
    image = _paint_marked(position, view, marks, guides, theme)
    paint_outside(image, position)
    return encode_png(paint_strips(image, position), theme, "board")


def composer(
    position: Position,
    spots: Sequence[Spot] = (),
    ghost: Ghost | None = None,
    numbers: Sequence[NumberedPlace] = (),
    *,
    guides: Guides = NO_GUIDES,
    theme: Theme = DAY,
) -> Picture:
    """Draw the cells where the drawn tile fits, or the tile being tried out in its place.

    Args:
        position: the game.
        spots: lettered cells; all of them are in the picture, with the drawn tile beside it.
        ghost: the tile being tried out; shown in its place and, enlarged, beside the board.
        numbers: numbered places for a figure on the enlarged ghost; a figure that was chosen stands there.
        guides: hints beyond the pieces on the table.
        theme: the colours.
    """
    cell, panel = (None, _HAND_SIDE) if ghost is None else (ghost.cell, _GHOST_SIDE)
    view = sheet.composer_view(whole_window(), spots, cell, cells=FOCUS_CELLS, panel=panel, longest=theme.longest)
    image = paint_castle(position, view, theme, ghost)
    sheet.paint_dead_cells(image, guides)
    paint_pieces(image, position)
    paint_markers(image, position)
    if ghost is not None:
        image.tint(ghost.cell, theme.highlight, 0.16)
        image.stamp(pieces.frame(theme, view.size, theme.highlight, 0.055), ghost.cell)
        for entry in numbers:
            if entry.figure:
                figure, place = chosen_figure(theme, position.player, ghost, entry, view.size)
                image.stamp(figure, ghost.cell, place)
    sheet.paint_spots(image, spots, cell)
    sheet.paint_rim(image)
    inset = _inset(position, ghost, numbers, view.size, theme)
    pixels = image.pixels if inset is None else sheet.with_inset(image.pixels, inset, theme)
    return encode_png(pixels, theme, "composer")


def order_question(position: Position, areas: Sequence[Area], *, theme: Theme = DAY) -> Picture:
    """Draw the features between which a player chooses, highlighted and lettered."""
    cells = [cell for area in areas for cell, _ in area.parts]
    window = window_within(window_around(cells, least=FOCUS_CELLS), whole_window())
    image = paint_castle(position, fitting_view(window, longest=theme.longest), theme)
    highlight_areas(image, position, areas)
    sheet.paint_rim(image)
    return encode_png(image.pixels, theme, "areas", veiled=True)


def whole_window() -> Window:
    """Return the window of the castle with its wall."""
    return window_around(stretches(), margin=0)


def _newest_cell(position: Position) -> Cell | None:
    cells = [tile.cell for tile in position.placed()]
    return cells[-1] if cells else None


def _paint_marked(
    position: Position, view: View, marks: Sequence[Mark], guides: Guides, theme: Theme
) -> sheet.BoardImage:
    """Paint a castle with each player's last tile framed, the newest more strongly than the others."""
    newest = _newest_cell(position)
    image = paint_castle(position, view, theme)
    sheet.paint_dead_cells(image, guides)
    shown = sheet.visible_marks(marks, view.window, newest)
    sheet.paint_frames(image, shown, newest)
    paint_pieces(image, position)
    paint_markers(image, position)
    taken = occupied_places(position)
    sheet.paint_badges(image, shown, newest, lambda cell: [place for at, place in taken if at == cell])
    sheet.paint_rim(image)
    return image


def _inset(
    position: Position, ghost: Ghost | None, numbers: Sequence[NumberedPlace], size: int, theme: Theme
) -> Image.Image | None:
    if ghost is not None:
        return numbered_inset(ghost, numbers, round(size * _GHOST_SIDE), theme, position.player)
    return None if position.hand is None else tile_picture(theme, position.hand, 0, round(size * _HAND_SIDE))


def replay(positions: Sequence[Position], names: Sequence[str], *, theme: Theme = DAY) -> Picture:
    """Draw the game as an animation of these positions.

    Args:
        positions: first to last.
        names: the players by seat.
        theme: the colours.
    """

    def painter(longest: int) -> Painter[Position]:
        view = fitting_view(whole_window(), longest=longest)

        def paint(position: Position) -> Image.Image:
            image = paint_castle(position, view, theme)
            paint_pieces(image, position)
            paint_markers(image, position)
            sheet.paint_rim(image)
            return image.pixels

        return paint

    return animated(positions, [position.scores for position in positions], names, painter, theme)


def warm_up(_theme: Theme = DAY, _boxes: Collection[str] = ()) -> Iterator[None]:
    """Yield nothing: no sprite can be drawn in advance."""
    return iter(())
