"""The sheet that a board is painted on, with its coordinates, frames and badges, and the tiles shown beside it.

A spot is a cell where the drawn tile may be placed. A tile on trial, also called the ghost, is shown in a cell before
the player confirms the move. The rim around the board holds the names of columns and rows.

A sheet is painted directly in the palette of its file (then it is "flat"), or in all colours.

Most sprites are converted to the palette when they are drawn (:mod:`renderers.palette`). Pasting them then moves one
byte a pixel, and the finished picture needs no conversion. Colours are mixed only at soft edges: those few pixels are
converted to RGB, blended, and converted back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from engine.caching import thread_safe_lru_cache
from engine.geometry import Cell, Side
from renderers import pieces
from renderers.boards.view import (
    CELL_SIZES,
    NAME_SHARE,
    NEAR_LONGEST_SIDE,
    PHONE_DISC,
    PHONE_TYPE,
    View,
    Window,
    column_and_row,
    is_hand_below,
    on_phone,
    panel_view,
    phone_window,
    window_around,
    window_near,
    window_within,
)
from renderers.buildings import tower
from renderers.caches import MASK_KEY, cached_sprite, trimmed
from renderers.canvas import VEIL_STRENGTH, Canvas, Point, distance, rectangle, rotated
from renderers.lettering import largest_size, placed_text, text_mask, text_width
from renderers.marks import PLAYER_MARKS
from renderers.palette import blank_palette_image, blend_each_over, blend_over, colour_indices, paste_flat, to_palette
from renderers.theme import Colour, Theme
from renderers.values import Guides, Mark


class Sheet:
    """A picture being painted.

    Args:
        size: pixels across and down.
        theme: the colours.
        ground: the colour of the whole sheet at first.
        flat: True to paint in the theme's palette.
        pixels: pixels that have already been painted, in place of the ground.
    """

    def __init__(
        self, size: tuple[int, int], theme: Theme, ground: Colour, *, flat: bool, pixels: Image.Image | None = None
    ) -> None:
        self.theme = theme
        self.flat = flat
        self.pixels = pixels or (blank_palette_image(theme, size, ground) if flat else Image.new("RGB", size, ground))
        self.draw = ImageDraw.Draw(self.pixels)

    def ink(self, colour: Colour) -> Colour | int:
        """Return a colour in the form that ``draw`` takes: a palette index if the sheet is flat."""
        return colour_indices(self.theme)[colour] if self.flat else colour

    def fill(self, area: tuple[int, int, int, int], colour: Colour) -> None:
        """Fill an area: left, top, right and bottom, the last two exclusive."""
        self.pixels.paste(self.ink(colour), area)

    def put(self, picture: Image.Image, corner: tuple[int, int], mask: Image.Image | None = None) -> None:
        """Paste a picture, with hard edges if it has a mask."""
        if self.flat:
            paste_flat(self.pixels, to_palette(picture, self.theme), corner, mask)
        else:
            self.pixels.paste(picture, corner, mask)

    def lay(self, sprite: Image.Image, corner: tuple[int, int]) -> None:
        """Blend a sprite with soft edges."""
        inner, (left, top) = trimmed(sprite)
        self._blend(inner, (corner[0] + left, corner[1] + top), inner)

    def lay_each(self, sprites: Iterable[tuple[Image.Image, tuple[int, int]]]) -> None:
        """Blend sprites with soft edges, in this order; those that do not touch are blended at once, to save time."""
        if not self.flat:
            for sprite, corner in sprites:
                self.lay(sprite, corner)
            return
        for run in _disjoint_runs(sprites):
            blend_each_over(self.pixels, run, self.theme)

    def write(
        self, text: str, at: tuple[float, float], letters: int, colour: Colour, *, ground: Colour | None = None
    ) -> None:
        """Write a word with its middle at a point; pass ``ground`` if the word is on a single colour."""
        if not text:
            return
        corner = placed_text(text, at, letters)
        if self.flat and ground is not None:
            paste_flat(self.pixels, _label_sprite(self.theme, text, letters, colour, ground), corner)
            return
        self._blend(colour, corner, text_mask(text, letters))

    def _blend(self, source: Image.Image | Colour, corner: tuple[int, int], mask: Image.Image) -> None:
        """Blend a sprite or a colour through a mask."""
        if self.flat:
            blend_over(self.pixels, source, corner, mask, self.theme)
        else:
            self.pixels.paste(source, corner, mask)


def _disjoint_runs(
    sprites: Iterable[tuple[Image.Image, tuple[int, int]]],
) -> Iterator[list[tuple[Image.Image, tuple[int, int]]]]:
    """Yield the trimmed sprites with their corners, in runs in which no two touch."""
    run: list[tuple[Image.Image, tuple[int, int]]] = []
    boxes: list[tuple[int, int, int, int]] = []
    for sprite, (x, y) in sprites:
        inner, (left, top) = trimmed(sprite)
        left, top = x + left, y + top
        right, bottom = left + inner.width, top + inner.height
        if any(left < east and west < right and top < south and north < bottom for west, north, east, south in boxes):
            yield run
            run, boxes = [], []
        run.append((inner, (left, top)))
        boxes.append((left, top, right, bottom))
    if run:
        yield run


@thread_safe_lru_cache(1024)
def _label_sprite(theme: Theme, text: str, letters: int, colour: Colour, ground: Colour) -> Image.Image:
    """Draw a word on a ground of one colour, in the palette."""
    mask = text_mask(text, letters)
    image = Image.new("RGB", mask.size, ground)
    image.paste(colour, (0, 0), mask)
    return to_palette(image, theme)


class BoardImage(Sheet):
    """A picture of a board being painted, with the view that says where cells lie on it."""

    def __init__(self, view: View, theme: Theme, *, flat: bool = False, pixels: Image.Image | None = None) -> None:
        super().__init__((view.width, view.height), theme, theme.table, flat=flat, pixels=pixels)
        self.view = view

    def stamp(self, sprite: Image.Image, cell: Cell, middle: Point = (0.5, 0.5)) -> None:
        """Blend a sprite with its middle on a point of a cell."""
        self.lay(sprite, self._corner(sprite, cell, middle))

    def stamp_each(self, stamps: Iterable[tuple[Image.Image, Cell, Point]]) -> None:
        """Blend several sprites, each with its middle on a point of a cell, in this order."""
        self.lay_each((sprite, self._corner(sprite, cell, middle)) for sprite, cell, middle in stamps)

    def _corner(self, sprite: Image.Image, cell: Cell, middle: Point) -> tuple[int, int]:
        """Return the pixel of the upper left corner of a sprite with its middle on a point of a cell."""
        x, y = self.view.at(cell, middle)
        return (x - sprite.width // 2, y - sprite.height // 2)

    def tint(self, cell: Cell, colour: Colour, strength: float) -> None:
        """Tint a whole cell; ``strength`` is the opacity from 0 to 1."""
        size = self.view.size
        self._blend(colour, self.view.at(cell), Image.new("L", (size, size), round(255 * strength)))

    def in_all_colours(self) -> BoardImage:
        """Return a copy in RGB, to be painted on with colours that are not in the palette."""
        image = BoardImage(self.view, self.theme)
        image.pixels.paste(self.pixels)
        return image


MARGIN: Final = 0.06
"""Margin around a tile in a panel, in tiles."""
_LETTER_DISC_WIDTH: Final = 0.165
"""Width of the disc with a letter, in tiles: few places on a tile are nearer to each other."""
_LETTER_OFFSET: Final = 0.28
"""Distance from the middle of a figure to the middle of its letter, in tiles."""
TRIAL_CELLS: Final = 5
"""Cells across and down that show the board around a tile on trial."""
GHOST_SIDE: Final = 4.5
"""Side of the enlarged tile on trial beside the board, in cells."""
TURN_SIDE: Final = 1.7
"""Side of each rotation of that tile below the board, in cells."""
_TRIAL_GAP: Final = 0.2
"""Gap between the parts of the picture of a trial, in cells."""
_TURN_DISC: Final = 0.7
"""Width of the disc with the number of a rotation, in cells."""


SEAL_WIDTH: Final = 0.54
"""Width of the round seal in the middle of a tile's back, in tiles."""


@cached_sprite
def tile_back(theme: Theme, size: int) -> Image.Image:
    """Draw a tile face down: a tower on a lattice."""
    canvas = Canvas(size, theme)
    canvas.box(0.0, 0.0, 1.0, 1.0, theme.timber_dark)
    canvas.box(0.03, 0.03, 0.97, 0.97, theme.spire_dark)
    for step in range(1, 12):
        reach = step / 6
        start, end = (max(0.0, reach - 1), min(1.0, reach)), (min(1.0, reach), max(0.0, reach - 1))
        canvas.stroke((start, end), 0.012, theme.spire)
        canvas.stroke(((1 - start[0], start[1]), (1 - end[0], end[1])), 0.012, theme.spire)
    for inset, colour in ((0.0, theme.timber_dark), (0.012, theme.timber), (0.045, theme.timber_dark)):
        for side in range(4):
            canvas.polygon(tuple(rotated(p, side) for p in rectangle(inset, inset, 1 - inset, 0.06)), colour)
    canvas.disc((0.5, 0.5), SEAL_WIDTH / 2, theme.timber_dark)
    canvas.disc((0.5, 0.5), SEAL_WIDTH / 2 - 0.02, theme.square)
    tower(canvas, (0.5, 0.66), 0.1, 0.16)
    return canvas.finished()


def spots_view(whole: Window, spots: Sequence[Cell], *, cells: int, longest: int) -> View:
    """Return the view of a board with spots to choose from, with room for the drawn tile beside it.

    Args:
        whole: the window of the whole board.
        spots: the cells to choose from; all of them are in the view.
        cells: the fewest cells each way.
        longest: the theme's longest side of a picture, in pixels.
    """
    window = whole
    if spots:
        window = phone_window(spots, min_cells=cells) or window_within(window_around(spots, min_cells=cells), whole)
    return panel_view(window, below=is_hand_below(window, spots), longest=min(NEAR_LONGEST_SIDE, longest))


def veil_mask(size: int) -> Image.Image:
    """Return the mask through which the colour of the surroundings veils a tile that no longer counts."""
    return Image.new("L", (size, size), round(255 * VEIL_STRENGTH))


def paint_figure(sheet: Sheet, figure: Image.Image, place: Point) -> Point:
    """Paint a figure entirely on an enlarged tile, and return the point beside it for its letter."""
    (x, y), size = place, sheet.pixels.width
    left, top, right, bottom = figure.getbbox() or (0, 0, *figure.size)
    corner = (
        min(max(round(x * size - figure.width / 2), -left), size - right),
        min(max(round(y * size - figure.height / 2), -top), size - bottom),
    )
    sheet.lay(figure, corner)
    reach = _LETTER_OFFSET if x < 0.5 else -_LETTER_OFFSET
    return (x + reach, y)


def paint_letter(sheet: Sheet, letter: str, place: Point) -> None:
    """Paint the letter of a place for a figure on an enlarged tile, as on its button, with its disc on the tile."""
    size, width = sheet.pixels.width, round(sheet.pixels.width * _LETTER_DISC_WIDTH)
    x, y = (min(max(along * size, width / 2), size - width / 2) for along in place)
    _paint_sign(sheet, letter, (x, y), width)


def _paint_sign(sheet: Sheet, sign: str, middle: tuple[float, float], width: int) -> None:
    """Paint a letter or a number on a disc."""
    theme, (x, y) = sheet.theme, middle
    sheet.lay(pieces.disc(theme, width, theme.halo, theme.ink), (round(x - width / 2), round(y - width / 2)))
    sheet.write(sign, (x, y), round(width * 0.76), theme.ink)


def trial_view(whole: Window, ghost: Cell, longest: int) -> View:
    """Return the view of the board around a tile on trial, in the scale of the whole picture."""
    window = window_near(whole, ghost, TRIAL_CELLS)
    columns = window.columns + GHOST_SIDE + 2 * _TRIAL_GAP
    longest = min(NEAR_LONGEST_SIDE, longest)
    return View(window, next((size for size in CELL_SIZES if size * columns <= longest), CELL_SIZES[-1]))


def trial_picture(
    board: Image.Image, view: View, ghost: Image.Image, turns: Sequence[Image.Image], turn: int, theme: Theme
) -> Image.Image:
    """Return the board around a tile on trial without its rim, the enlarged tile beside it, and its rotations below.

    The rim is left out so that numbers and letters mean one thing each: rotations, and places for figures. ``turn`` is
    the rotation on trial, from 0; a single rotation is not shown.
    """
    size, gap = view.size, round(view.size * _TRIAL_GAP)
    crop = without_rim(board, view)
    height = max(crop.height, ghost.height)
    side = min(round(size * TURN_SIDE), (crop.width + ghost.width) // max(len(turns), 1) - gap)
    strip = side + 2 * gap if len(turns) > 1 else 0
    sheet = Sheet((crop.width + ghost.width + 2 * gap, height + strip), theme, theme.panel, flat=board.mode == "P")
    sheet.put(crop, (0, (height - crop.height) // 2))
    _put_framed(sheet, ghost, (crop.width + gap, (height - ghost.height) // 2))
    for number, tile in enumerate(turns if strip else (), 1):
        corner = (gap + (number - 1) * (side + gap), height + gap)
        scaled = tile if tile.width == side else tile.resize((side, side))
        _put_framed(sheet, scaled, corner, theme.highlight if number == turn + 1 else theme.panel)
        disc_width = round(size * _TURN_DISC)
        _paint_sign(sheet, str(number), (corner[0] + disc_width / 2, corner[1] + disc_width / 2), disc_width)
    return sheet.pixels


def without_rim(board: Image.Image, view: View) -> Image.Image:
    """Return a board without the rim of its view."""
    return board.crop((view.rim, view.rim, view.width - view.far_rim, view.height - view.far_rim))


def turn_side(view: View) -> int:
    """Return the side of a tile in one of its rotations below a trial, in pixels."""
    return round(view.size * TURN_SIDE)


def _put_framed(sheet: Sheet, tile: Image.Image, corner: tuple[int, int], colour: Colour | None = None) -> None:
    """Put a tile on a sheet in a frame, by default in the colour that marks a question."""
    x, y, edge = *corner, max(tile.width // 40, 3)
    sheet.fill((x - edge, y - edge, x + tile.width + edge, y + tile.height + edge), colour or sheet.theme.highlight)
    sheet.put(tile, corner)


def spots_picture(
    image: BoardImage, spots: Sequence[Cell], hand: Image.Image | None, elsewhere: Sequence[Cell] = ()
) -> Image.Image:
    """Return the board with its rim and the spots, and with the drawn tile below or beside it if there is one.

    ``elsewhere`` are spots that cannot be chosen here, since they are in other parts of the board.
    """
    below = is_hand_below(image.view.window, spots)
    width = image.view.width + (0 if hand is None or below else _inset_room(hand))
    _paint_elsewhere(image, elsewhere, spots)
    paint_spots(image, spots, width)
    paint_rim(image)
    return image.pixels if hand is None else with_inset(image.pixels, hand, image.theme, below=below)


def _inset_room(inset: Image.Image) -> int:
    """Return the room that a tile beside the board takes with its margins, in pixels."""
    return inset.width + 2 * round(inset.width * MARGIN)


def with_inset(board: Image.Image, inset: Image.Image, theme: Theme, *, below: bool) -> Image.Image:
    """Return the board with a framed tile below it or to its right."""
    margin, space = round(inset.width * MARGIN), _inset_room(inset)
    size = (board.width + (0 if below else space), board.height + (space if below else 0))
    if below:
        corner = ((board.width - inset.width) // 2, board.height + margin)
    else:
        corner = (board.width + margin, (board.height - inset.height) // 2)
    sheet = Sheet(size, theme, theme.panel, flat=board.mode == "P")
    sheet.put(board, (0, 0))
    edge = max(margin // 3, 2)
    frame = (corner[0] - edge, corner[1] - edge, corner[0] + inset.width + edge, corner[1] + inset.height + edge)
    sheet.fill(frame, theme.highlight)
    sheet.put(inset, corner)
    return sheet.pixels


_LABEL_ROOM: Final = 0.78
"""Share of a cell's width that a column's label may take, so that neighbouring labels stay apart."""
_MIN_LABEL_SCALE: Final = 0.7
"""The least scale to which column letters shrink; where that is not enough, some columns have no label."""


def paint_rim(image: BoardImage) -> None:
    """Paint column letters above and row numbers at the left, on wide boards also below and at the right."""
    view, theme = image.view, image.theme
    right, bottom = view.width - view.far_rim, view.height - view.far_rim
    for area in (
        (0, 0, view.width, view.rim - 1),
        (0, 0, view.rim - 1, view.height),
        (right, 0, view.width, view.height),
        (0, bottom, view.width, view.height),
    ):
        image.draw.rectangle(area, fill=image.ink(theme.rim))
    window = view.window
    columns = {x: column_and_row(Cell(x, window.top))[0] for x in range(window.left, window.left + window.columns)}
    rows = {y: column_and_row(Cell(window.left, y))[1] for y in range(window.top, window.top + window.rows)}
    letters, spacing = _fit_labels(
        tuple(columns.values()), view.letter, view.size * _LABEL_ROOM, round(view.letter * _MIN_LABEL_SCALE)
    )
    for x, label in columns.items():
        if x % spacing == 0:
            above = (view.at(Cell(x, 0), (0.5, 0))[0], view.rim / 2)
            image.write(label, above, letters, theme.rim_text, ground=theme.rim)
    letters, _ = _fit_labels(tuple(rows.values()), view.letter, view.rim - 3, 1)
    for y, label in rows.items():
        if y % ceil(letters / view.size) == 0:
            aside = (view.rim / 2, view.at(Cell(0, y), (0, 0.5))[1])
            image.write(label, aside, letters, theme.rim_text, ground=theme.rim)
    if view.far_rim == view.rim:
        image.pixels.paste(image.pixels.crop((0, 0, view.width, view.rim)), (0, bottom))
        image.pixels.paste(image.pixels.crop((0, 0, view.rim, view.height)), (right, 0))


@thread_safe_lru_cache(256)
def _fit_labels(labels: tuple[str, ...], letters: int, room: float, min_letters: int) -> tuple[int, int]:
    """Return the size of the columns' labels, and their spacing in columns.

    The size is the largest in which every label fits. If even the smallest is too large, only every second label, or
    fewer, is shown.
    """
    size = largest_size(labels, range(letters, min_letters, -1), room)
    if size is not None:
        return size, 1
    return min_letters, ceil(max(text_width(label, min_letters) for label in labels) / room)


_MIDDLE: Final = (0.5, 0.5)
"""The middle of a cell."""
_CORNERS: Final = ((0.9, 0.1), (0.1, 0.1), (0.9, 0.9), (0.1, 0.9))
"""The points near the corners of a cell where a badge may be, the preferred one first."""
_MAX_NAME_HEIGHT: Final = 0.4
"""Height of the type of a spot's name, in cells, where there is room for it."""
_PLATE_STEP: Final = 8
"""Pixels by which the widths of plates differ."""
_PLATE_HEIGHT: Final = 0.66
"""Height of the plate under a spot's name, in cells, where that is enough for a phone."""
_PLATE_SUPERSAMPLING: Final = 4
"""Pixels of the plate drawn for each pixel of the sprite, for smooth edges."""
_SPOT_TINT: Final = 0.14
"""Opacity of a spot's colour over its cell."""
_DOT_WIDTH: Final = 0.3
"""Width of the dot on a spot of another part of the board, in cells."""
_ARROW_LENGTH: Final = 0.32
"""Length of the arrow to such a spot beyond the picture, in cells."""
_BESIDE_PLATE: Final = 0.14
"""Place of such an arrow along the edge of a cell whose middle is taken, in cells."""
_TEETH: Final = 5
"""Teeth of a torn edge along a cell."""
_TOOTH_DEPTH: Final = 0.1
"""Depth of these teeth, in cells."""
_HATCH_SPACING: Final = 0.2
"""The distance between the lines across a dead cell, in cells."""
_HATCH_WIDTH: Final = 0.028
"""The width of these lines, in cells."""


def visible_marks(marks: Iterable[Mark], window: Window, newest: Cell | None) -> list[Mark]:
    """Return the marks within a window, with that of the newest tile last, so that it covers the others."""
    return sorted((mark for mark in marks if mark.cell in window), key=lambda mark: mark.cell == newest)


def paint_frames(image: BoardImage, marks: Sequence[Mark], newest: Cell | None) -> None:
    """Frame the last tile of each player, the newest more strongly than the others."""
    for mark in marks:
        width = 0.055 if mark.cell == newest else 0.02
        frame = pieces.flat_frame(image.theme, image.view.size, PLAYER_MARKS[mark.player].colour, width)
        image.put(frame, image.view.at(mark.cell), frame.info[MASK_KEY])


def paint_badges(
    image: BoardImage, marks: Sequence[Mark], newest: Cell | None, occupied: Callable[[Cell], Sequence[Point]]
) -> None:
    """Paint each player's badge on their last tile, in the corner farthest from the ``occupied`` places on it.

    These are figures, and marks such as pennants and markets.
    """
    sizes = [round(image.view.size * (0.42 if mark.cell == newest else 0.3)) for mark in marks]
    window = image.view.window
    image.stamp_each(
        (pieces.badge(image.theme, mark.player, max(size, 8)), mark.cell, _free_corner(window, mark.cell, occupied))
        for mark, size in zip(marks, sizes, strict=True)
    )


def _free_corner(window: Window, cell: Cell, occupied: Callable[[Cell], Sequence[Point]]) -> Point:
    """Return the corner of a cell farthest from the occupied places, except corners where the rim would cut a badge."""
    places = occupied(cell)
    inner = [
        corner
        for corner in _CORNERS
        if cell.beside(Side.E if corner[0] > 0.5 else Side.W) in window
        and cell.beside(Side.S if corner[1] > 0.5 else Side.N) in window
    ]
    return max(inner or _CORNERS, key=lambda corner: min((distance(corner, place) for place in places), default=0.0))


def paint_outline(image: BoardImage, cells: Collection[Cell], width: float) -> None:
    """Draw a line around a group of cells."""
    theme, view = image.theme, image.view
    for border, colour in ((2, theme.highlight_dark), (0, theme.highlight)):
        half = max(round(width * view.size / 2), 1) + border
        for cell in cells:
            (left, top), (right, bottom) = view.at(cell), view.at(cell, (1.0, 1.0))
            sides = (
                (0, -1, (left, top, right, top)),
                (1, 0, (right, top, right, bottom)),
                (0, 1, (left, bottom, right, bottom)),
                (-1, 0, (left, top, left, bottom)),
            )
            for dx, dy, (x, y, ex, ey) in sides:
                if Cell(cell.x + dx, cell.y + dy) not in cells:
                    image.draw.rectangle((x - half, y - half, ex + half, ey + half), fill=colour)


def paint_spots(image: BoardImage, spots: Iterable[Cell], width: int) -> None:
    """Mark the spots in the picture with their names.

    Names too long for their cell at a size that is readable on a phone are left out, for the rim has them;
    ``width`` is that of the whole picture in pixels.
    """
    theme, view, min_letters = image.theme, image.view, on_phone(PHONE_TYPE, width)
    named = [(cell, _name_size(cell.label, view.size, min_letters)) for cell in spots if cell in view.window]
    image.stamp_each(
        (_spot_sprite(theme, view.size, *_plate_size(cell.label, letters, view.size, min_letters)), cell, _MIDDLE)
        for cell, letters in named
    )
    for cell, letters in named:
        if letters:
            image.write(cell.label, view.at(cell, _MIDDLE), letters, theme.highlight_dark)


def _plate_size(name: str, letters: int, size: int, min_letters: int) -> tuple[int, int]:
    """Return the width and height of the plate for a name; widths have steps, so that many names share a sprite."""
    min_height = max(letters * 3 // 2, min_letters * PHONE_DISC // PHONE_TYPE)
    height = max(round(size * _PLATE_HEIGHT), min(min_height, size), 8)
    width = text_width(name, letters) + letters // 2 if letters else 0
    return min(max(height, ceil(width / _PLATE_STEP) * _PLATE_STEP), size), height


@cached_sprite
def _spot_sprite(theme: Theme, size: int, width: int, height: int) -> Image.Image:
    """Draw a cell tinted yellow with a rounded plate for its name, without the name: there are hundreds of names."""
    spot = Image.new("RGBA", (size, size), (*theme.highlight, round(255 * _SPOT_TINT)))
    spot.alpha_composite(_plate(theme, width, height), ((size - width) // 2, (size - height) // 2))
    return spot


def _name_size(name: str, size: int, min_letters: int) -> int:
    """Return the size of the type for a name in a cell, or 0 if ``min_letters`` is too large for it."""
    largest = max(round(size * _MAX_NAME_HEIGHT), min_letters)
    return largest_size([name], range(largest, min_letters - 1, -1), size * NAME_SHARE) or 0


@cached_sprite
def _plate(theme: Theme, width: int, height: int) -> Image.Image:
    """Draw a disc, or a plate with round ends if it is wider than high."""
    plate, scale = Image.new("L", (width * _PLATE_SUPERSAMPLING, height * _PLATE_SUPERSAMPLING)), _PLATE_SUPERSAMPLING
    image = Image.new("RGBA", (width, height), (*theme.highlight_dark, 0))
    for inset, colour in ((0, theme.highlight_dark), (max(round(height * 0.07), 1), theme.highlight)):
        box = (inset * scale, inset * scale, (width - inset) * scale - 1, (height - inset) * scale - 1)
        plate.paste(0, (0, 0, *plate.size))
        ImageDraw.Draw(plate).rounded_rectangle(box, (height - 2 * inset) * scale // 2, fill=255)
        mask = plate.resize((width, height), Image.Resampling.LANCZOS)
        layer = Image.new("RGBA", (width, height), (*colour, 0))
        layer.putalpha(mask)
        image.alpha_composite(layer)
    return image


def _paint_elsewhere(image: BoardImage, cells: Sequence[Cell], spots: Collection[Cell]) -> None:
    """Show where the spots of other parts are: by dots, or by arrows at the edge of the picture.

    Their names would cover tiles and figures, and look as if the spots were there.
    """
    theme, window, size = image.theme, image.view.window, image.view.size
    nearest: dict[Cell, list[Cell]] = {}
    for cell in cells:
        nearest.setdefault(window.nearest(cell), []).append(cell)
    for edge, beyond in nearest.items():
        if edge in beyond:
            image.tint(edge, theme.highlight, _SPOT_TINT)
            image.stamp(pieces.disc(theme, round(size * _DOT_WIDTH), theme.highlight, theme.highlight_dark), edge)
            continue
        x, y = _direction(edge, beyond[0])
        along, inward = _BESIDE_PLATE if edge in spots else 0.5, 0.5 - _ARROW_LENGTH / 2
        middle = (0.5 + x * inward if x else along, 0.5 + y * inward if y else along)
        image.stamp(_arrow(theme, round(size * _ARROW_LENGTH), (x, y)), edge, middle)


def _direction(start: Cell, end: Cell) -> tuple[int, int]:
    """Return the direction, along the columns or along the rows, in which one cell is farther from another."""
    x, y = end.x - start.x, end.y - start.y
    return ((x > 0) - (x < 0), 0) if abs(x) >= abs(y) else (0, (y > 0) - (y < 0))


@cached_sprite
def _arrow(theme: Theme, size: int, direction: tuple[int, int]) -> Image.Image:
    """Draw a triangle that points in a direction."""
    canvas, (x, y) = Canvas(size, theme), direction
    for inset, colour in ((0.0, theme.highlight_dark), (0.14, theme.highlight)):
        tip, base, half = 0.5 - inset * 1.2, -0.5 + inset, 0.5 - inset * 1.5
        corners = ((tip, 0.0), (base, half), (base, -half))
        canvas.polygon(tuple((0.5 + x * a - y * b, 0.5 + y * a + x * b) for a, b in corners), colour)
    return canvas.finished()


def paint_cuts(image: BoardImage, covered: Collection[Cell]) -> None:
    """Paint a torn edge wherever the board goes on beyond the picture; ``covered`` are all cells of the board."""
    size = image.view.size
    ink, step, depth = image.ink(image.theme.rim), size / _TEETH, size * _TOOTH_DEPTH
    teeth = [(tooth * step / 2, depth if tooth % 2 else 0.0) for tooth in range(2 * _TEETH + 1)]
    for cell, (x, y) in image.view.window.borders:
        if Cell(cell.x + x, cell.y + y) in covered:
            left, top = image.view.at(cell)
            left, top = left + size * max(x, 0), top + size * max(y, 0)
            points = [(left + along * abs(y) - x * deep, top + along * abs(x) - y * deep) for along, deep in teeth]
            image.draw.polygon(points, fill=ink)


def paint_dead_cells(image: BoardImage, guides: Guides) -> None:
    """Cross out the cells that no remaining tile fits, and hatch those that one fits only with a bridge."""
    for cells, crossed in ((guides.dead, True), (guides.aided, False)):
        sprite = _hatching(image.theme, image.view.size, crossed=crossed)
        for cell in sorted(cells):
            if cell in image.view.window:
                image.stamp(sprite, cell)


@cached_sprite
def _hatching(theme: Theme, size: int, *, crossed: bool) -> Image.Image:
    """Draw slanting lines over a cell, in both directions if ``crossed``."""
    canvas = Canvas(size, theme)
    count = round(2 / _HATCH_SPACING)
    for step in range(1, count):
        reach = step * _HATCH_SPACING
        start, end = (max(0.0, reach - 1), min(1.0, reach)), (min(1.0, reach), max(0.0, reach - 1))
        canvas.stroke((start, end), _HATCH_WIDTH, theme.dead)
        if crossed:
            canvas.stroke(((1 - start[0], start[1]), (1 - end[0], end[1])), _HATCH_WIDTH, theme.dead)
    return canvas.finished()
