"""The replay of a game as an animated picture: a frame for each turn, with the scores below the board.

Consecutive frames differ by little more than a tile. GIF stores only the difference, so the file stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from typing import Final, TypeVar

from PIL import Image

from engine import Position
from renderers import pieces
from renderers.boards.sheet import BoardImage, paint_rim
from renderers.boards.view import View, Window, fitting_view
from renderers.lettering import fitted, printable, signed, write_left, write_right
from renderers.palette import to_palette
from renderers.theme import Theme
from renderers.values import Picture

P = TypeVar("P", bound=Position)
"""The position of a game."""

MAX_BYTES: Final = 7 * 1024 * 1024
"""Discord accepts 8 MiB from every user; a larger picture is drawn again at the next smaller size."""
LONGEST_SIDES: Final = (840, 640, 480, 320)
"""Lengths of the board's longer side in pixels, in the order in which they are tried."""
FRAME_MILLISECONDS: Final = 700
"""The duration of each frame but the last."""
LAST_FRAME_MILLISECONDS: Final = 6000
"""The duration of the last frame, long enough to read the scores."""
_STRIP_HEIGHT: Final = 34
"""The height of one row of scores, in pixels."""
_MARGIN: Final = 8
"""The space between the parts of a row, in pixels."""


def animated(
    positions: Sequence[P],
    names: Sequence[str],
    window: Window,
    paint: Callable[[P, View, Theme], BoardImage],
    theme: Theme,
) -> Picture:
    """Return the replay as a GIF, in the largest size that Discord accepts.

    Args:
        positions: the positions to show, first to last.
        names: the players by seat.
        window: the cells that all frames show.
        paint: paints the board of one position, without the rim.
        theme: the colours.
    """

    def film(longest: int) -> Picture:
        """Draw all frames with boards of this longer side."""
        view = fitting_view(window, longest=longest)
        frames = (_frame(paint(position, view, theme), position.scores, names) for position in positions)
        return _encoded(frames, len(positions), theme)

    *larger, smallest = LONGEST_SIDES
    for longest in larger:
        picture = film(longest)
        if len(picture.data) <= MAX_BYTES:
            return picture
    return film(smallest)


def _frame(painted: BoardImage, scores: Sequence[int], names: Sequence[str]) -> Image.Image:
    """Return the board with its rim, and a strip below it: each player's badge, name and points."""
    paint_rim(painted)
    board, theme = painted.pixels, painted.theme
    rows = list(_rows(board.width, len(names)))
    image = Image.new("RGB", (board.width, board.height + len(rows) * _STRIP_HEIGHT), theme.panel)
    image.paste(board, (0, 0))
    for row, seats in enumerate(rows):
        width = board.width // len(rows[0])
        for place, seat in enumerate(seats):
            left, middle = place * width + _MARGIN, board.height + row * _STRIP_HEIGHT + _STRIP_HEIGHT / 2
            badge = pieces.badge(theme, seat, _STRIP_HEIGHT - _MARGIN)
            image.paste(badge, (left, round(middle - badge.height / 2)), badge)
            points = signed(scores[seat])
            space = width - badge.width - 4 * _MARGIN - 14 * len(points)
            write_right(image, points, (left + width - 2 * _MARGIN, middle), 20, theme.text)
            name = fitted(printable(names[seat]), 18, max(space, 10))
            write_left(image, name, (left + badge.width + _MARGIN, middle), 18, theme.text)
    return image


def _rows(width: int, players: int) -> Iterator[range]:
    """Yield the seats of each row of scores; no row has more players than there is room for names."""
    columns = max(min(width // 200, players), 1)
    for start in range(0, players, columns):
        yield range(start, min(start + columns, players))


def _encoded(frames: Iterable[Image.Image], count: int, theme: Theme) -> Picture:
    """Return the frames as one GIF file, the last frame shown longest."""
    flat = (to_palette(frame, theme) for frame in frames)
    first = next(flat)
    durations = [FRAME_MILLISECONDS] * (count - 1) + [LAST_FRAME_MILLISECONDS]
    data = BytesIO()
    # With disposal 1 a frame stays on the screen, so Pillow stores only the part in which the next one differs.
    first.save(
        data, "GIF", save_all=True, append_images=chain(flat), duration=durations, loop=0, optimize=False, disposal=1
    )
    return Picture(data.getvalue(), "replay.gif", first.width, first.height)
