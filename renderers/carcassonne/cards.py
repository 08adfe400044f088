"""The pictures of a position: the turn card, the composer, and the replay of the whole game.

The turn card is the message about a turn; its picture shows the board, or its part around the newest tile, with the
drawn tile beside it. The composer is the panel in which a player puts a move together: a spot is a cell where the drawn
tile fits, the ghost is the tile while it is being tried out on a spot. Sprites that the first cards after a start would
have to draw are drawn in advance (:func:`warm_up`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Final

from PIL import Image

from engine.carcassonne import Position, tile_set
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS, REGISTRY
from engine.carcassonne.tiles import BASE_SET, KNOWN_SETS, TileKind
from engine.geometry import Axis, Cell
from engine.views import StandingFigure
from renderers import pieces
from renderers.animation import animated
from renderers.boards import sheet
from renderers.boards.view import (
    CARD_RATIO,
    CELL_SIZES,
    HAND_SIDE,
    LOW_CARD_RATIO,
    View,
    Window,
    card_view,
    common_size_below,
    fitting_view,
    window_around,
)
from renderers.caches import SizedCache
from renderers.canvas import Point
from renderers.carcassonne.board import paint_board, paint_figures, paint_tiles
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.figures import (
    Ghost,
    figure,
    is_lying,
    layout_of,
    place_of,
    place_on,
    span_of,
    span_sprite,
    within_figure_tile,
)
from renderers.carcassonne.inset import STRIP_WIDTH, drawn_tile, lettered_inset, loose_tile, with_drawn_tile
from renderers.carcassonne.scenery import fade_idle_prints, flat_tile, lay_tile, tile_sprite
from renderers.land import TEXTURE_PERIOD, flat_meadow
from renderers.marks import PLAYER_MARKS
from renderers.pieces import follower
from renderers.png import encode_png
from renderers.theme import DAY, Theme
from renderers.values import NO_GUIDES, FigurePlace, Guides, Mark, Picture

PANEL_REUSE_SECONDS: Final = 2.0
"""Seconds within which a panel is often followed by another one with the same board."""
_BOARDS: Final = SizedCache[Image.Image](
    3 * 2**20, lambda pixels: pixels.width * pixels.height, "boards of panels", reuse_seconds=PANEL_REUSE_SECONDS
)
PANEL_PICTURES: Final = SizedCache[Picture](
    2 * 2**20, lambda picture: len(picture.data), "pictures of panels", reuse_seconds=PANEL_REUSE_SECONDS
)
"""Caches of what open panels show: about six boards with a tile on trial, and two dozen files."""
_COMPOSER_CELLS: Final = 7
"""Minimum cells each way around spots on the composer's board."""


def turn_card(
    position: Position, marks: Sequence[Mark] = (), *, theme: Theme = DAY, guides: Guides = NO_GUIDES, low: bool = False
) -> Picture:
    """Draw the picture of a turn card: the board, or its part around the newest tile, and the tile to be placed.

    Each player's last tile is framed and marked. With ``low`` the picture is lower if no tile is to be placed.
    """
    view = focus_view(position, theme, low=low)
    pixels = paint_card(position, view, marks, theme, guides).pixels
    return encode_png(with_drawn_tile(pixels, position, theme, view.size), theme, "focus")


def focus_view(position: Position, theme: Theme = DAY, *, low: bool = False) -> View:
    """Return the view of a turn card, with room for the drawn tile beside it; ``low`` as in :func:`turn_card`."""
    beside = STRIP_WIDTH if position.hand is not None else 0.0
    ratio = LOW_CARD_RATIO if low and position.hand is None else CARD_RATIO
    return card_view(whole_window(position), newest_cell(position), beside=beside, ratio=ratio, longest=theme.longest)


def whole_board(
    position: Position, marks: Sequence[Mark] = (), *, theme: Theme = DAY, guides: Guides = NO_GUIDES
) -> Picture:
    """Draw the whole board, with each player's last tile framed and marked."""
    view = fitting_view(whole_window(position), longest=theme.longest)
    return encode_png(paint_card(position, view, marks, theme, guides).pixels, theme, "board")


def composer(
    position: Position,
    spots: Sequence[Cell] = (),
    ghost: Ghost | None = None,
    places: Sequence[FigurePlace] = (),
    turns: Sequence[int] = (),
    *,
    theme: Theme = DAY,
    guides: Guides = NO_GUIDES,
    state: str = "",
) -> Picture:
    """Draw the cells where the drawn tile fits, or the tile being tried out in its place.

    Args:
        position: the game.
        spots: the cells to choose from; all of them are in the picture, with the drawn tile beside it.
        ghost: the tile being tried out; shown in its place and, enlarged, beside the board.
        places: lettered places for a figure on the enlarged ghost; a figure that was chosen stands there.
        turns: the rotations in which the tile fits there, numbered from 1 in this order; the ghost has one of them.
        theme: the colours.
        guides: hints beyond the pieces on the table.
        state: a digest unique to the position; with it, boards and files are cached for the next panel.
    """
    key = (state, tuple(spots), ghost, tuple(places), tuple(turns), theme, guides)
    cached = PANEL_PICTURES.get(key) if state else None
    if cached is not None:
        return cached
    whole = whole_window(position)
    if ghost is None:
        view = sheet.spots_view(whole, spots, cells=_COMPOSER_CELLS, longest=theme.longest)
        image = paint_board(position, view, theme, guides=guides)
        sheet.paint_cuts(image, covered_cells(position))
        pixels = sheet.spots_picture(image, spots, _hand_beside(position, view, theme), guides.elsewhere)
    else:
        view = sheet.trial_view(whole, ghost.cell, theme.longest)
        image = _composer_board(position, view, ghost, theme, guides, state)
        _paint_chosen(image, ghost, places, position.player)
        enlarged = lettered_inset(ghost, places, round(view.size * sheet.GHOST_SIDE), theme, position)
        tiles = [loose_tile(theme, position, ghost.tile, turn, sheet.turn_side(view)) for turn in turns]
        turn = turns.index(ghost.rotation) if ghost.rotation in turns else 0
        pixels = sheet.trial_picture(image.pixels, view, enlarged, tiles, turn, theme)
    picture = encode_png(pixels, theme, "composer")
    return PANEL_PICTURES.put(key, picture) if state else picture


def _hand_beside(position: Position, view: View, theme: Theme) -> Image.Image | None:
    """Return the drawn tile as it is shown beside the spots, if there is one."""
    if position.hand is None:
        return None
    return loose_tile(theme, position, position.hand, 0, common_size_below(round(view.size * HAND_SIDE)))


def _composer_board(
    position: Position, view: View, ghost: Ghost, theme: Theme, guides: Guides, state: str
) -> sheet.BoardImage:
    """Return the board with the tile being tried out, without a figure on it.

    The panels that ask for a figure and that confirm it show the same board, so it is cached.
    """
    key = (state, view, ghost, theme, guides)
    cached = _BOARDS.get(key) if state else None
    if cached is not None:
        return sheet.BoardImage(view, theme, flat=True, pixels=cached.copy())
    image = paint_board(position, view, theme, guides=guides, trial=ghost.piece)
    sheet.paint_cuts(image, covered_cells(position))
    _paint_ghost(image, ghost, position)
    if state:
        _BOARDS.put(key, image.pixels.copy())
    return image


def newest_cell(position: Position) -> Cell:
    """Return the cell of the tile that was placed last."""
    *_, newest = position.placed()
    return newest.cell


def covered_cells(position: Position) -> set[Cell]:
    """Return the cells with a tile."""
    return {tile.cell for tile in position.placed()}


def whole_window(position: Position) -> Window:
    """Return the window of all tiles and the cells around them."""
    return window_around(tile.cell for tile in position.placed())


def paint_card(position: Position, view: View, marks: Sequence[Mark], theme: Theme, guides: Guides) -> sheet.BoardImage:
    """Paint a board with each player's last tile framed, the newest more strongly than the others."""
    newest = newest_cell(position)
    image = paint_tiles(position, view, theme, guides=guides)
    visible = sheet.visible_marks(marks, view.window, newest)
    sheet.paint_frames(image, visible, newest)
    paint_figures(image, position)
    standing = [
        follower for follower in position.standing_figures() if follower.cell in {mark.cell for mark in visible}
    ]
    sheet.paint_badges(image, visible, newest, lambda cell: _covered_places(position, cell, standing))
    sheet.paint_cuts(image, covered_cells(position))
    sheet.paint_rim(image)
    return image


def _covered_places(position: Position, cell: Cell, standing: Sequence[StandingFigure]) -> list[Point]:
    """Return the places on a tile that a badge should not cover: its followers, pennants and prints."""
    followers = [place_of(position, figure, None, standing) for figure in standing if figure.cell == cell]
    tile = position.tile_at(cell)
    if tile is None:
        return followers
    layout = layout_of(tile.tile, tile.rotation, span_of(tile))
    return [*followers, *layout.shields, *(print_.at for print_ in layout.prints)]


def _paint_ghost(image: sheet.BoardImage, ghost: Ghost, position: Position) -> None:
    """Paint the tile being tried out, tinted and framed, and the piece of a box that it needs."""
    theme, size = image.theme, image.view.size
    face = (ghost.tile, ghost.rotation, ghost.span)
    lay_tile(image, image.view.at(ghost.cell), ghost.cell, face, size)
    fade_idle_prints(image, image.view.at(ghost.cell), face, size, position)
    image.tint(ghost.cell, theme.highlight, 0.16)
    if ghost.piece is not None and ghost.piece[0] in image.view.window:
        cell, axis = ghost.piece
        if cell == ghost.cell:
            image.lay(span_sprite(theme, axis, size), image.view.at(cell))
        else:
            image.stamp(pieces.frame(theme, size, theme.timber_light, 0.03), cell)
    image.stamp(pieces.frame(theme, size, theme.highlight, 0.055), ghost.cell)


def _paint_chosen(image: sheet.BoardImage, ghost: Ghost, places: Sequence[FigurePlace], player: int) -> None:
    """Paint the figure that was chosen for the ghost."""
    for entry in places:
        if entry.figure:
            lying = is_lying(entry.segment)
            sprite = figure(image.theme, player, image.view.size, entry.figure, lying=lying)
            image.stamp(
                sprite, ghost.cell, within_figure_tile(place_on(ghost, entry, places), entry.figure, lying=lying)
            )


def replay(positions: Sequence[Position], names: Sequence[str], *, theme: Theme = DAY) -> Picture:
    """Draw the game as an animation of these positions.

    Args:
        positions: first to last; the last one decides the size of the board.
        names: the players by seat.
        theme: the colours.
    """
    return animated(positions, names, whole_window(positions[-1]), paint_board, theme)


WARM_SIZES: Final = (80, 96, 112, 72, 64, 56, 48)
"""The sizes of cells on most cards and panels, the most common first."""
CARD_CELL_SIZE: Final = WARM_SIZES[0]
"""The size of the cells around the newest tile, on all but small tables."""


def warm_up(theme: Theme = DAY, boxes: Collection[str] = DEFAULT_EXPANSIONS) -> Iterator[None]:
    """Draw the sprites of most cards, one a step, so that requested pictures can be drawn between two steps."""
    names = (BASE_SET, *(name for name in BOXES if name in boxes))
    has_later_tiles = any(REGISTRY[name].edition is not None for name in boxes)
    kinds = {
        name: [kind for kind in tile_set(name).values() if kind.count or has_later_tiles] if name in KNOWN_SETS else []
        for name in names
    }
    for size in WARM_SIZES:
        yield from _warm_up_shared(theme, size)
        for name in names:
            yield from _warm_up_expansion(theme, size, name, kinds[name])
        for name, tiles in product(names[1:], kinds.values()):
            yield from _warm_up_spanned_tiles(theme, size, BOXES[name], tiles)
        if size == CARD_CELL_SIZE:  # the memory that enlarged tiles take while they are drawn is used by the next sizes
            yield from _warm_up_drawn_tiles(theme, chain.from_iterable(kinds.values()))
            yield from _warm_up_tiles_on_trial(theme, chain.from_iterable(kinds.values()))


def _warm_up_shared(theme: Theme, size: int) -> Iterator[None]:
    """Draw the meadow and the followers."""
    for x, y in product(range(TEXTURE_PERIOD), repeat=2):
        flat_meadow(theme, Cell(x, y), size)
    yield
    for player in range(len(PLAYER_MARKS)):
        follower(theme, player, size, lying=False)
        follower(theme, player, size, lying=True)
        yield


def _warm_up_drawn_tiles(theme: Theme, kinds: Iterable[TileKind]) -> Iterator[None]:
    """Draw tiles in the size in which cards show them beside the board."""
    for kind in kinds:
        drawn_tile(theme, kind, CARD_CELL_SIZE)
        yield


def _warm_up_tiles_on_trial(theme: Theme, kinds: Iterable[TileKind]) -> Iterator[None]:
    """Draw tiles in the sizes in which the composer shows them beside the board."""
    for kind, side in product(kinds, (sheet.GHOST_SIDE, sheet.TURN_SIDE)):
        for rotation in kind.rotations:
            flat_tile(theme, kind, rotation, round(CELL_SIZES[0] * side), None)
            yield


def _warm_up_spanned_tiles(theme: Theme, size: int, box: Drawings, kinds: Iterable[TileKind]) -> Iterator[None]:
    """Draw tiles as they look below the piece of a box that spans them."""
    for kind in kinds:
        for rotation in kind.rotations:
            for axis in box.spannable_axes(kind.faces[rotation // 90]):
                tile_sprite(theme, kind, rotation, size, axis)
                yield


def _warm_up_expansion(theme: Theme, size: int, name: str, kinds: Iterable[TileKind]) -> Iterator[None]:
    """Draw tiles of an expansion, or of the base game, and its figures."""
    for kind in kinds:
        for rotation in kind.rotations:
            tile_sprite(theme, kind, rotation, size)
            yield
    if name not in BOXES:
        return
    for axis in Axis if BOXES[name].spanning_sprite is not None else ():
        span_sprite(theme, axis, size)
    for piece, player in product(BOXES[name].figures, range(len(PLAYER_MARKS))):
        figure(theme, player, size, piece)
        yield
