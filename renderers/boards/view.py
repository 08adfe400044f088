"""The cells that a picture shows, and their positions on it.

A window is a rectangle of cells. A view adds the size of a cell in pixels and the rim with the coordinates. Pictures
have to be readable on a phone, which scales them down to its width; such limits are in CSS pixels, the units of a
screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, inf
from typing import Final

from engine.caching import thread_safe_cache, thread_safe_lru_cache
from engine.geometry import Cell
from renderers.canvas import Point
from renderers.lettering import text_width
from renderers.theme import LONGEST_SIDE

CELL_SIZES: Final = (112, 96, 80, 72, 64, 56, 48, 40, 32, 28, 24, 20, 16, 12, 8, 6, 4)
"""The sizes of a cell in pixels: few, so that sprites are reused from board to board."""
NEAR_LONGEST_SIDE: Final = 1200
"""The longest side of a picture of one region, and of any picture in a panel: a phone shows no more pixels."""


PHONE_WIDTH: Final = 340
"""Width of a picture on a phone, in CSS pixels; wider pictures are scaled down to it."""
PHONE_TYPE: Final = 11
"""Smallest type that is readable on a phone, in CSS pixels."""
PHONE_DISC: Final = 22
"""Smallest disc that can be found on a phone, in CSS pixels."""
PHONE_CELL: Final = 28
"""Smallest cell in which a player may choose a spot on a phone, in CSS pixels."""
CARD_RATIO: Final = 1.4135
"""Width of a card's picture to its height: on a phone it then takes 240 of 600 CSS pixels, two fifths."""
LOW_CARD_RATIO: Final = 1.54
"""The same for a picture above the buttons of a decision, where long names take the room."""
CARD_HEIGHT: Final = PHONE_WIDTH / CARD_RATIO
"""Height of a card's picture on a phone, in CSS pixels."""
MAX_PANEL_HEIGHT: Final = 372
"""Height of a panel's picture on a phone, in CSS pixels: the text and five rows of buttons fill the rest of 640."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of cells."""

    left: int
    top: int
    columns: int
    rows: int

    @property
    def cells(self) -> Iterable[Cell]:
        """All cells, row by row."""
        xs, ys = range(self.left, self.left + self.columns), range(self.top, self.top + self.rows)
        return (Cell(x, y) for y in ys for x in xs)

    @property
    def borders(self) -> Iterator[tuple[Cell, tuple[int, int]]]:
        """Each side of a cell that ends the window: the cell, and the step right and down that leads out."""
        right, bottom = self.left + self.columns - 1, self.top + self.rows - 1
        for x in range(self.left, right + 1):
            yield Cell(x, self.top), (0, -1)
            yield Cell(x, bottom), (0, 1)
        for y in range(self.top, bottom + 1):
            yield Cell(self.left, y), (-1, 0)
            yield Cell(right, y), (1, 0)

    def grown(self, by: int) -> Window:
        """Return a window with this many more cells on each side."""
        return Window(self.left - by, self.top - by, self.columns + 2 * by, self.rows + 2 * by)

    def nearest(self, cell: Cell) -> Cell:
        """Return the cell of the window that is nearest to a cell."""
        return Cell(
            min(max(cell.x, self.left), self.left + self.columns - 1),
            min(max(cell.y, self.top), self.top + self.rows - 1),
        )

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell.x - self.left < self.columns and 0 <= cell.y - self.top < self.rows


@dataclass(frozen=True, slots=True)
class View:
    """A window with its scale: ``size`` pixels a cell, and a ``rim`` for coordinates above and left of the cells.

    Wide boards have the coordinates on the other two sides as well.
    """

    window: Window
    size: int
    letter: int = field(init=False)
    """Height of the coordinates in pixels."""
    rim: int = field(init=False)
    """Width of the rim in pixels."""

    def __post_init__(self) -> None:
        letter = max(min(round(self.size * 0.56), 40), 6)
        object.__setattr__(self, "letter", letter)
        object.__setattr__(self, "rim", round(letter * 1.5))

    @property
    def far_rim(self) -> int:
        """Width of the rim below and right of the cells."""
        window = self.window
        return self.rim if max(window.columns, window.rows) > 12 else max(self.rim // 6, 1)

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self.rim + self.window.columns * self.size + self.far_rim

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.rim + self.window.rows * self.size + self.far_rim

    def at(self, cell: Cell, point: Point = (0.0, 0.0)) -> tuple[int, int]:
        """Return the pixel of a point of a cell, by default its upper left corner."""
        return (
            self.rim + round((cell.x - self.window.left + point[0]) * self.size),
            self.rim + round((cell.y - self.window.top + point[1]) * self.size),
        )


def common_size_below(size: int) -> int:
    """Return the largest size of cells on boards up to this one: a tile of that size is most likely cached."""
    return next((common for common in CELL_SIZES if common <= size), size)


def fitting_view(window: Window, longest: int = LONGEST_SIDE) -> View:
    """Return the largest view of a window within the longest side."""
    views = [View(window, size) for size in CELL_SIZES]
    return next((view for view in views if max(view.width, view.height) <= longest), views[-1])


def window_around(cells: Iterable[Cell], margin: int = 1, min_cells: int = 5) -> Window:
    """Return the smallest window with a margin around all cells, at least ``min_cells`` cells each way."""
    xs, ys = zip(*cells, strict=True)
    left, columns = _span(min(xs) - margin, max(xs) + margin, min_cells)
    top, rows = _span(min(ys) - margin, max(ys) + margin, min_cells)
    return Window(left, top, columns, rows)


def window_near(whole: Window, cell: Cell, max_cells: int) -> Window:
    """Return the part of a window around one cell, at most ``max_cells`` across and down."""
    left, columns = _centred_span(whole.left, whole.columns, cell.x, max_cells)
    top, rows = _centred_span(whole.top, whole.rows, cell.y, max_cells)
    return Window(left, top, columns, rows)


HAND_SIDE: Final = 1.7
"""Side of the drawn tile beside the spots, in cells."""
_HAND_ROOM: Final = 1.9
"""Room that the drawn tile takes with its margins, in cells."""
_RIM_ROOM: Final = 0.98
"""Room that both rims take, in cells."""
NAME_SHARE: Final = 0.96
"""Share of a cell's width that its name may take."""
_MEASURED_TYPE: Final = 40
"""Pixels of the type in which names are measured."""
_MAX_PANEL_COLUMNS: Final = 11
"""Columns of a panel's picture; with more, cells would be too small on a phone."""


def phone_window(cells: Collection[Cell], min_cells: int = 5) -> Window | None:
    """Return a window of these cells in which a phone shows each name in its cell; None if they lie too far apart.

    The drawn tile is beside it. If there is room, it includes the neighbours, and at least ``min_cells`` cells each
    way. It is as wide as a picture no taller than that of a card requires, or else as the lowest picture does, since
    on a wide screen the picture grows with its width.
    """
    around = window_around(cells, 0, 1)
    fitting = _phone_fit(around.columns, around.rows, _widest_name(cells), min_cells)
    if fitting is None:
        return None
    return Window(around.left + fitting.left, around.top + fitting.top, fitting.columns, fitting.rows)


@thread_safe_lru_cache(1024)
def _phone_fit(columns: int, rows: int, name_width: float, min_cells: int) -> Window | None:
    """Return the window that a phone shows legibly around a rectangle of spots with its corner at 0, 0.

    A panel of spots asks for a hundred rectangles, of few shapes, while it divides a board into parts.
    """
    corners = (Cell(0, 0), Cell(columns - 1, rows - 1))
    lowest: tuple[float, Window | None] = (inf, None)
    for margin, size in ((1, min_cells), (0, 1)):
        window = window_around(corners, margin, size)
        for across in range(window.columns, _MAX_PANEL_COLUMNS + 1):
            left = window.left - (across - window.columns) // 2
            wider = Window(left, window.top, across, window.rows)
            heights = [_height_on_phone(wider, name_width, below=below) for below in (False, True)]
            height = min(filter(None, heights), default=inf)
            if height <= CARD_HEIGHT:
                return wider
            if height < lowest[0]:
                lowest = (height, wider)
    return lowest[1]


def is_hand_below(window: Window, cells: Collection[Cell]) -> bool:
    """Return True if the drawn tile is below the window with these spots, False if it is to the right of it."""
    name_width = _widest_name(cells)
    beside, below = (_height_on_phone(window, name_width, below=is_below) for is_below in (False, True))
    if beside is None and below is None:
        return window.columns >= window.rows
    return beside is None or (below is not None and below < beside)


def _widest_name(cells: Collection[Cell]) -> float:
    """Return the width of the widest name of these cells in the smallest readable type, in CSS pixels."""
    return max(map(_name_width, cells), default=0.0)


@thread_safe_cache
def _name_width(cell: Cell) -> float:
    """Return the width of a cell's name in the smallest type, in CSS pixels; boards have a few hundred cells."""
    return text_width(cell.label, _MEASURED_TYPE) * PHONE_TYPE / _MEASURED_TYPE


def _height_on_phone(window: Window, name_width: float, *, below: bool) -> float | None:
    """Return the height of a panel's picture on a phone, in CSS pixels; None if cells or names do not fit there.

    ``below`` says that the drawn tile is below the window, not to the right of it.
    """
    cell = PHONE_WIDTH / (window.columns + _RIM_ROOM + (0 if below else _HAND_ROOM))
    height = cell * (window.rows + _RIM_ROOM + (_HAND_ROOM if below else 0))
    fits = cell >= max(PHONE_CELL, name_width / NAME_SHARE) and height <= MAX_PANEL_HEIGHT
    return height if fits else None


def panel_view(window: Window, *, below: bool, longest: int) -> View:
    """Return the largest view of a window with the drawn tile below it or to its right, within the longest side."""
    views = [View(window, size) for size in CELL_SIZES]

    def side(view: View) -> float:
        room = view.size * _HAND_ROOM
        return max(view.width + (0 if below else room), view.height + (room if below else 0))

    return next((view for view in views if side(view) <= longest), views[-1])


def on_phone(size: float, width: int) -> int:
    """Return the pixels, in a picture of this width, that a phone shows as ``size`` CSS pixels."""
    return ceil(size * max(width, PHONE_WIDTH) / PHONE_WIDTH)


CARD_ROWS: Final = (6, 7, 8, 9)
"""Rows of cells in a card's picture; with more a phone could not show the coordinates legibly."""
_NEAR_RIM_ROOM: Final = 0.98
"""Room, in cells, for the rims of a view with coordinates on two sides only."""


def card_view(
    whole: Window,
    newest: Cell,
    *,
    beside: float = 0.0,
    above: float = 0.0,
    rows: Sequence[int] = CARD_ROWS,
    ratio: float = CARD_RATIO,
    longest: int,
) -> View:
    """Return the view of a card's picture: the whole board if it is small enough, else its part around one cell.

    The window is as wide as the picture has to be, also beyond the board.

    Args:
        whole: the window of the whole board.
        newest: the cell around which a larger board is shown.
        beside: room for what is shown to the right of the board, in cells.
        above: room for what is shown above it, in cells.
        rows: the numbers of rows to choose from, the fewest first.
        ratio: the width of the picture to its height.
        longest: the theme's longest side of a picture, in pixels.
    """
    shapes = [(_card_columns(count + above, beside, ratio), count) for count in rows]
    columns, down = next(
        (shape for shape in shapes if whole.columns <= shape[0] and whole.rows <= shape[1]), shapes[-1]
    )
    left, across = _centred_span(whole.left, whole.columns, newest.x, columns)
    top, height = _centred_span(whole.top, whole.rows, newest.y, down)
    window = Window(left - (columns - across) // 2, top - (down - height) // 2, columns, down)
    views = [View(window, size) for size in CELL_SIZES]
    longest = min(NEAR_LONGEST_SIDE, longest)
    return next((view for view in views if view.width + round(view.size * beside) <= longest), views[-1])


def _card_columns(height: float, beside: float, ratio: float = CARD_RATIO) -> int:
    """Return how many columns fill the width of a card's picture of this height, in cells without the rims."""
    return int((height + _NEAR_RIM_ROOM) * ratio - _NEAR_RIM_ROOM - beside)


def widened(window: Window) -> Window:
    """Return the window with as many more columns on both sides as a card's picture needs for its width."""
    columns = max(window.columns, _card_columns(window.rows, 0.0) + 1)
    return Window(window.left - (columns - window.columns) // 2, window.top, columns, window.rows)


def card_width(height: int) -> int:
    """Return the pixels across of a card's picture of this height."""
    return ceil(height * CARD_RATIO)


def window_within(window: Window, whole: Window) -> Window:
    """Return the window moved into another one, and cut if it is larger."""
    left, columns = _moved(window.left, window.columns, whole.left, whole.columns)
    top, rows = _moved(window.top, window.rows, whole.top, whole.rows)
    return Window(left, top, columns, rows)


def column_and_row(cell: Cell) -> tuple[str, str]:
    """Return the column and the row of a cell's label, for the rim."""
    column = cell.label.rstrip("0123456789").rstrip("-")
    return column, cell.label.removeprefix(column)


def _span(first: int, last: int, min_cells: int) -> tuple[int, int]:
    """Return the start and the length of a span of at least ``min_cells``, grown on both sides if necessary."""
    missing = max(min_cells - (last - first + 1), 0)
    return first - missing // 2, last - first + 1 + missing


def _moved(start: int, size: int, first: int, count: int) -> tuple[int, int]:
    """Return the start and the length of a span moved into ``count`` cells from ``first``, and cut if it is longer."""
    size = min(size, count)
    return min(max(start, first), first + count - size), size


def _centred_span(first: int, count: int, middle: int, max_cells: int) -> tuple[int, int]:
    """Return the start and the length of a span around a middle, within ``count`` cells from ``first``."""
    size = min(count, max_cells)
    return _moved(middle - size // 2, size, first, count)
