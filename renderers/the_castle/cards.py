"""The pictures of a position: the turn card, the composer, the question about features, and the replay of the game.

The turn card is the message about a turn; its picture shows the castle around the newest tile, with the drawn tile
beside it. The composer is the panel in which a player puts a move together: a spot is a cell where the drawn tile fits,
the ghost is the tile while it is being tried out on a spot.

No sprite is drawn in advance. A tile of The Castle looks different with each neighbour at which its features end, and
is cached together with its meadow, so the sprites of a card cannot be predicted. The wall could be drawn in advance,
but it is only a sixth of the cost of a first card (a tenth of a second early in a game, half a second or more late in
one) and would take another 2 MiB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from PIL import Image

from engine.geometry import Cell
from engine.the_castle.position import Position
from renderers import pieces
from renderers.animation import animated
from renderers.boards import sheet
from renderers.boards.view import (
    CELL_SIZES,
    HAND_SIDE,
    View,
    Window,
    card_view,
    fitting_view,
    widened,
    window_around,
    window_within,
)
from renderers.canvas import Point
from renderers.png import encode_png
from renderers.the_castle.board import (
    Area,
    Ghost,
    chosen_figure,
    highlight_areas,
    lettered_inset,
    occupied_places,
    paint_castle,
    paint_markers,
    paint_pieces,
    tile_picture,
)
from renderers.the_castle.faces.layout import layout_of
from renderers.the_castle.strip import HAND_ROOM, STRIP_HEIGHT, paint_outside, paint_strips, with_drawn_tile
from renderers.the_castle.wall import stretches
from renderers.theme import DAY, Theme
from renderers.values import NO_GUIDES, FigurePlace, Guides, Mark, Picture

FOCUS_CELLS: Final = 7
"""Rows of a card's picture, and fewest cells each way around spots."""


def turn_card(
    position: Position, marks: Sequence[Mark] = (), *, guides: Guides = NO_GUIDES, theme: Theme = DAY
) -> Picture:
    """Draw the picture of a turn card: the castle around the newest tile, and the tile to be placed beside it.

    Each player's last tile is framed and marked.
    """
    view = focus_view(position, theme)
    image = _paint_marked(position, view, marks, guides, theme)
    return encode_png(with_drawn_tile(image, position), theme, "focus")


def focus_view(position: Position, theme: Theme = DAY) -> View:
    """Return the view of a turn card, with room for the drawn tile beside it."""
    whole = whole_window()
    newest = _newest_cell(position) or Cell(whole.left + whole.columns // 2, whole.top + whole.rows // 2)
    beside = HAND_ROOM if position.hand is not None else 0.0
    return card_view(whole, newest, beside=beside, rows=(FOCUS_CELLS,), longest=theme.longest)


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
    spots: Sequence[Cell] = (),
    ghost: Ghost | None = None,
    places: Sequence[FigurePlace] = (),
    turns: Sequence[int] = (),
    *,
    guides: Guides = NO_GUIDES,
    theme: Theme = DAY,
) -> Picture:
    """Draw the cells where the drawn tile fits, or the tile being tried out in its place.

    Args:
        position: the game.
        spots: the cells to choose from; all of them are in the picture, with the drawn tile beside it.
        ghost: the tile being tried out; shown in its place and, enlarged, beside the board.
        places: lettered places for a figure on the enlarged ghost; a figure that was chosen stands there.
        turns: the rotations in which the tile fits there, numbered from 1 in this order; the ghost has one of them.
        guides: hints beyond the pieces on the table.
        theme: the colours.
    """
    if ghost is None:
        view = sheet.spots_view(whole_window(), spots, cells=FOCUS_CELLS, longest=theme.longest)
    else:
        view = sheet.trial_view(whole_window(), ghost.cell, theme.longest)
    image = paint_castle(position, view, theme, ghost)
    sheet.paint_dead_cells(image, guides)
    paint_pieces(image, position)
    paint_markers(image, position)
    sheet.paint_cuts(image, _covered_cells(position))
    if ghost is None:
        pixels = sheet.spots_picture(image, spots, _hand_beside(position, view, theme), guides.elsewhere)
    else:
        _paint_ghost(image, ghost, places, position.player)
        enlarged = lettered_inset(ghost, places, round(view.size * sheet.GHOST_SIDE), theme, position.player)
        tiles = [tile_picture(theme, ghost.tile, turn, sheet.turn_side(view)) for turn in turns]
        turn = turns.index(ghost.rotation) if ghost.rotation in turns else 0
        pixels = sheet.trial_picture(image.pixels, view, enlarged, tiles, turn, theme)
    return encode_png(pixels, theme, "composer")


def _hand_beside(position: Position, view: View, theme: Theme) -> Image.Image | None:
    """Return the drawn tile as it is shown beside the spots, if there is one."""
    return None if position.hand is None else tile_picture(theme, position.hand, 0, round(view.size * HAND_SIDE))


def _covered_cells(position: Position) -> set[Cell]:
    """Return the cells with a tile or a part of the wall."""
    return {tile.cell for tile in position.placed()} | set(stretches())


def _paint_ghost(image: sheet.BoardImage, ghost: Ghost, places: Sequence[FigurePlace], player: int) -> None:
    """Tint and frame the tile on trial, and paint the figure that was chosen for it."""
    image.tint(ghost.cell, image.theme.highlight, 0.16)
    image.stamp(pieces.frame(image.theme, image.view.size, image.theme.highlight, 0.055), ghost.cell)
    for entry in places:
        if entry.figure:
            figure, place = chosen_figure(image.theme, player, ghost, entry, image.view.size)
            image.stamp(figure, ghost.cell, place)


def order_question(position: Position, areas: Sequence[Area], *, theme: Theme = DAY) -> Picture:
    """Draw the features between which a player chooses, with letters.

    The rim is left out, so that letters name features alone, and numbers the spaces of the track: the order decides
    where a marker rests.
    """
    cells = [cell for area in areas for cell, _ in area.parts]
    window = widened(window_within(window_around(cells), whole_window()))
    image = paint_castle(position, fitting_view(window, longest=theme.longest), theme, numbered=True)
    highlight_areas(image, position, areas)
    return encode_png(sheet.without_rim(image.pixels, image.view), theme, "areas", veiled=True)


def whole_window() -> Window:
    """Return the window of the castle with its wall."""
    return window_around(stretches(), margin=0)


def _newest_cell(position: Position) -> Cell | None:
    """Return the cell of the tile that was placed last; None before the first."""
    cells = [tile.cell for tile in position.placed()]
    return cells[-1] if cells else None


def _paint_marked(
    position: Position, view: View, marks: Sequence[Mark], guides: Guides, theme: Theme
) -> sheet.BoardImage:
    """Paint a castle with each player's last tile framed, the newest more strongly than the others."""
    newest = _newest_cell(position)
    image = paint_castle(position, view, theme)
    sheet.paint_dead_cells(image, guides)
    visible = sheet.visible_marks(marks, view.window, newest)
    sheet.paint_frames(image, visible, newest)
    paint_pieces(image, position)
    paint_markers(image, position)
    occupied = occupied_places(position)

    def covered(cell: Cell) -> list[Point]:
        """Return the places on a cell that a badge should not cover: figures, keeps and markets."""
        tile = position.tile_at(cell)
        markets = () if tile is None else layout_of(tile.tile, tile.rotation).markets
        return [*markets, *(place for occupied_cell, place in occupied if occupied_cell == cell)]

    sheet.paint_badges(image, visible, newest, covered)
    sheet.paint_cuts(image, _covered_cells(position))
    sheet.paint_rim(image)
    return image


def replay(positions: Sequence[Position], names: Sequence[str], *, theme: Theme = DAY) -> Picture:
    """Draw the game as an animation of these positions.

    Args:
        positions: first to last.
        names: the players by seat.
        theme: the colours.
    """
    return animated(positions, names, whole_window(), _paint_all, theme)


def _paint_all(position: Position, view: View, theme: Theme) -> sheet.BoardImage:
    """Paint a castle with all pieces, without the rim."""
    image = paint_castle(position, view, theme)
    paint_pieces(image, position)
    paint_markers(image, position)
    return image


def warm_up(_theme: Theme = DAY, _boxes: Collection[str] = ()) -> Iterator[None]:
    """Yield nothing: no sprite can be drawn in advance."""
    return iter(())
