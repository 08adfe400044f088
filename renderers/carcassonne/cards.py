"""The pictures of the board that every game has: the turn card, the composer, and the whole game as a film.

The sprites that the first cards after a start would otherwise wait for are drawn ahead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from PIL import Image

from engine.carcassonne import Position, tile_set
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS
from engine.carcassonne.tiles import BASE_SET, KNOWN_SETS
from engine.geometry import Axis, Cell
from engine.views import StandingFigure
from renderers import pieces
from renderers.animation import Painter, animated
from renderers.boards.inset import composer_view, with_inset
from renderers.boards.pointers import paint_badges, paint_frames, paint_rim, paint_spots, visible_marks
from renderers.boards.sheet import BoardImage
from renderers.boards.view import CELL_SIZES, NEAR_LONGEST_SIDE, View, Window, fitting_view, window_around, window_near
from renderers.caches import SizedCache
from renderers.carcassonne.board import paint_board, paint_figures, paint_tiles
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.figures import Ghost, across_sprite, figure, kept_within, lies, place_of, place_on
from renderers.carcassonne.inset import ROOM, drawn_tile, numbered_inset, with_drawn
from renderers.carcassonne.scenery import flat_tile, lay_tile, tile_sprite
from renderers.land import TEXTURE_PERIOD, flat_meadow
from renderers.marks import PLAYER_MARKS
from renderers.pieces import follower
from renderers.png import encode_png
from renderers.shapes import Point
from renderers.theme import DAY, Theme
from renderers.values import NO_GUIDES, Guides, Mark, NumberedPlace, Picture, Spot, TurnPictures

SOON: Final = 2.0
"""Seconds within which a panel is often followed by another one like it."""
_BOARDS: Final = SizedCache[Image.Image](
    3 * 2**20, lambda pixels: pixels.width * pixels.height, "boards of panels", reuse_seconds=SOON
)
_PICTURES: Final = SizedCache[Picture](
    2 * 2**20, lambda picture: len(picture.data), "pictures of panels", reuse_seconds=SOON
)
"""What open panels show: some half a dozen boards with a tile on trial, and two dozen files."""
FOCUS_CELLS: Final = 9
_SPARED: Final = 1
"""So many cells larger than the crop, the board is still shown as one picture: two would be all but the same."""
_COMPOSER_CELLS: Final = 7
"""The least part of the board that the composer shows, and all that it shows round a ghost."""
_INSET: Final = 3.0
_HAND: Final = 1.7
"""Sides of the enlarged ghost and of the drawn tile, in cells."""


def turn_card(
    position: Position, marks: Sequence[Mark] = (), *, theme: Theme = DAY, guides: Guides = NO_GUIDES
) -> TurnPictures:
    """The crop round the newest tile and the whole board, the last tile of each player framed and marked.

    The tile that has to be laid is shown beside the first of them.
    """
    near, whole = views_of(position, theme)
    crop, alone = paint_card(position, near, marks, theme, guides), near.window == whole.window
    window_near = encode_png(with_drawn(crop.pixels, position, theme, near.size), theme, "focus")
    if alone:
        return TurnPictures(window_near, replace(window_near, filename="board.png"))
    return TurnPictures(window_near, _encoded_board(position, whole, marks, theme, guides))


def views_of(position: Position, theme: Theme = DAY) -> tuple[View, View]:
    """What the two pictures of a turn card show; the first leaves room for the drawn tile."""
    whole = _whole(position)
    near = whole
    if max(whole.columns, whole.rows) > FOCUS_CELLS + _SPARED:
        near = window_near(whole, _newest(position), FOCUS_CELLS)
    return (
        fitting_view(near, beside=ROOM, longest=min(NEAR_LONGEST_SIDE, theme.longest)),
        fitting_view(whole, longest=theme.longest),
    )


def whole_board(
    position: Position, marks: Sequence[Mark] = (), *, theme: Theme = DAY, guides: Guides = NO_GUIDES
) -> Picture:
    """The second picture of the turn card alone."""
    _, whole = views_of(position, theme)
    return _encoded_board(position, whole, marks, theme, guides)


def _encoded_board(position: Position, view: View, marks: Sequence[Mark], theme: Theme, guides: Guides) -> Picture:
    return encode_png(paint_card(position, view, marks, theme, guides).pixels, theme, "board")


def composer(
    position: Position,
    spots: Sequence[Spot] = (),
    ghost: Ghost | None = None,
    numbers: Sequence[NumberedPlace] = (),
    *,
    theme: Theme = DAY,
    guides: Guides = NO_GUIDES,
    state: str = "",
) -> Picture:
    """Where the drawn tile may go, or how a tile looks that is being tried out.

    Args:
        position: the game.
        spots: lettered cells; all of them are in the picture, with the drawn tile beside it.
        ghost: the tile being tried out; shown in its place and, enlarged, beside the board.
        numbers: numbered places for a figure on the enlarged ghost; a figure that was chosen stands there.
        theme: the colours.
        guides: what is shown beyond what lies on the table.
        state: a digest of the position, no two of which have the same; with it, nothing is painted twice.
    """
    name = (state, tuple(spots), ghost, tuple(numbers), theme, guides)
    kept = _PICTURES.get(name) if state else None
    if kept is not None:
        return kept
    panel = _INSET if ghost is not None else _HAND
    cell = None if ghost is None else ghost.cell
    view = composer_view(_whole(position), spots, cell, cells=_COMPOSER_CELLS, panel=panel, longest=theme.longest)
    image = _composer_board(position, view, ghost, theme, guides, state)
    if ghost is not None:
        _paint_chosen(image, ghost, numbers, position.player)
    paint_spots(image, spots, cell)
    paint_rim(image)
    inset = _inset(position, ghost, numbers, round(view.size * panel), theme)
    pixels = image.pixels if inset is None else with_inset(image.pixels, inset, theme)
    picture = encode_png(pixels, theme, "composer")
    return _PICTURES.put(name, picture) if state else picture


def _composer_board(
    position: Position, view: View, ghost: Ghost | None, theme: Theme, guides: Guides, state: str
) -> BoardImage:
    """The board with the tile that is being tried out, on which nobody stands yet.

    The panel that asks for a figure and the one that confirms it show the same.
    """
    name = (state, view, ghost, theme, guides)
    kept = _BOARDS.get(name) if state and ghost is not None else None
    if kept is not None:
        return BoardImage(view, theme, flat=True, pixels=kept.copy())
    image = paint_board(position, view, theme, guides=guides, trial=ghost.piece if ghost is not None else None)
    if ghost is not None:
        _paint_ghost(image, ghost)
        if state:
            _BOARDS.put(name, image.pixels.copy())
    return image


def _newest(position: Position) -> Cell:
    """The tile that was laid last."""
    *_, newest = position.placed()
    return newest.cell


def _whole(position: Position) -> Window:
    """All tiles and the cells beside them."""
    return window_around(tile.cell for tile in position.placed())


def paint_card(position: Position, view: View, marks: Sequence[Mark], theme: Theme, guides: Guides) -> BoardImage:
    """A board with the last tile of each player framed, the newest more strongly than the others."""
    newest = _newest(position)
    image = paint_tiles(position, view, theme, guides=guides)
    shown = visible_marks(marks, view.window, newest)
    paint_frames(image, shown, newest)
    paint_figures(image, position)
    standing = [follower for follower in position.standing_figures() if follower.cell in {mark.cell for mark in shown}]
    paint_badges(image, shown, newest, lambda cell: _taken(position, cell, standing))
    paint_rim(image)
    return image


def _taken(position: Position, cell: Cell, standing: Iterable[StandingFigure]) -> list[Point]:
    """Where followers stand on a tile."""
    return [place_of(position, figure) for figure in standing if figure.cell == cell]


def _paint_ghost(image: BoardImage, ghost: Ghost) -> None:
    theme, size = image.theme, image.view.size
    face = (ghost.tile, ghost.rotation, ghost.across)
    lay_tile(image, image.view.at(ghost.cell), ghost.cell, face, size)
    image.tint(ghost.cell, theme.highlight, 0.16)
    if ghost.piece is not None and ghost.piece[0] in image.view.window:
        cell, axis = ghost.piece
        if cell == ghost.cell:
            image.lay(across_sprite(theme, axis, size), image.view.at(cell))
        else:
            image.stamp(pieces.frame(theme, size, theme.timber_light, 0.03), cell)
    image.stamp(pieces.frame(theme, size, theme.highlight, 0.055), ghost.cell)


def _paint_chosen(image: BoardImage, ghost: Ghost, numbers: Iterable[NumberedPlace], player: int) -> None:
    """The figure that will stand on the ghost."""
    for entry in numbers:
        if entry.figure:
            lying = lies(entry.segment)
            sprite = figure(image.theme, player, image.view.size, entry.figure, lying=lying)
            image.stamp(sprite, ghost.cell, kept_within(place_on(ghost, entry), entry.figure, lying=lying))


def _inset(
    position: Position, ghost: Ghost | None, numbers: Sequence[NumberedPlace], size: int, theme: Theme
) -> Image.Image | None:
    if ghost is not None:
        return numbered_inset(ghost, numbers, size, theme, position.player)
    return None if position.hand is None else flat_tile(theme, position.hand, 0, _drawn_often(size), None)


def _drawn_often(size: int) -> int:
    """The size of tiles on boards that is nearest below this one: there, the tile has most likely been drawn."""
    return next((often for often in CELL_SIZES if often <= size), size)


def replay(positions: Sequence[Position], names: Sequence[str], *, theme: Theme = DAY) -> Picture:
    """The game through these positions of it, first to last.

    Args:
        positions: in order; the last one says how large the board becomes.
        names: the players by seat.
        theme: the colours.
    """
    window = window_around(tile.cell for tile in positions[-1].placed())

    def painter(longest: int) -> Painter[Position]:
        view = fitting_view(window, longest=longest)

        def paint(position: Position) -> Image.Image:
            image = paint_board(position, view, theme)
            paint_rim(image)
            return image.pixels

        return paint

    scores = [position.scores for position in positions]
    return animated(positions, scores, names, painter, theme)


WARM_SIZES: Final = (96, 80, 112, 72, 64, 56)
"""The sizes of cells on most cards and panels, those used most first."""
CARD: Final = WARM_SIZES[0]
"""That of the cells round the newest tile, on all but small tables."""


def warm_up(theme: Theme = DAY, boxes: Collection[str] = DEFAULT_EXPANSIONS) -> Iterator[None]:
    """Draw what most cards show, one sprite at each step, so that pictures that somebody waits for can go between."""
    names = (BASE_SET, *(name for name in BOXES if name in boxes))
    for size in WARM_SIZES:
        yield from _everywhere(theme, size)
        for name in names:
            yield from _box(theme, size, name)
        if size == CARD:
            yield from _drawn_tiles(theme, names)


def _everywhere(theme: Theme, size: int) -> Iterator[None]:
    """The meadow, and the figures of every game."""
    for x, y in product(range(TEXTURE_PERIOD), repeat=2):
        flat_meadow(theme, Cell(x, y), size)
    yield
    for player in range(len(PLAYER_MARKS)):
        follower(theme, player, size, lying=False)
        follower(theme, player, size, lying=True)
        yield


def _drawn_tiles(theme: Theme, names: Iterable[str]) -> Iterator[None]:
    """What cards show beside them."""
    for name in names:
        for kind in tile_set(name).values() if name in KNOWN_SETS else ():
            drawn_tile(theme, kind, CARD)
            yield


def _box(theme: Theme, size: int, name: str) -> Iterator[None]:
    """The tiles and figures of a box, or of the base game."""
    for kind in tile_set(name).values() if name in KNOWN_SETS else ():
        for rotation in kind.rotations:
            tile_sprite(theme, kind, rotation, size)
            yield
    if name not in BOXES:
        return
    for axis in Axis if BOXES[name].across is not None else ():
        across_sprite(theme, axis, size)
    for piece, player in product(BOXES[name].figures, range(len(PLAYER_MARKS))):
        figure(theme, player, size, piece)
        yield
