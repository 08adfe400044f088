"""A whole game as one animated picture: a frame for each turn, the same board throughout, the scores below it.

A frame differs from the one before it by little more than a tile, and only what differs is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from typing import Final, TypeVar

from PIL import Image

from renderers import pieces
from renderers.lettering import fitted, printable, signed, write
from renderers.palette import flattened
from renderers.theme import Theme
from renderers.values import Picture

P = TypeVar("P")
Painter = Callable[[P], Image.Image]
"""Paints the board of one position; the same size for all positions of a game."""

MOST_BYTES: Final = 7 * 1024 * 1024
"""Discord takes 8 MiB from everybody; what is larger is drawn again, smaller."""
WIDEST: Final = (840, 640, 480, 320)
"""Pixels along the longer side, the next one where the picture became too large."""
FRAME: Final = 700
LAST_FRAME: Final = 6000
"""Milliseconds that a turn, and the end, are shown."""
_STRIP: Final = 34
_MARGIN: Final = 8


def animated(
    positions: Sequence[P],
    scores: Sequence[Sequence[int]],
    names: Sequence[str],
    painter: Callable[[int], Painter[P]],
    theme: Theme,
) -> Picture:
    """Frames of any game: ``painter`` is told how long the longer side may be, and paints a board."""

    def film(longest: int) -> Picture:
        paint = painter(longest)
        frames = (_frame(paint(position), at, names, theme) for position, at in zip(positions, scores, strict=True))
        return _encoded(frames, len(positions), theme)

    *larger, smallest = WIDEST
    for longest in larger:
        picture = film(longest)
        if len(picture.data) <= MOST_BYTES:
            return picture
    return film(smallest)


def _frame(board: Image.Image, scores: Sequence[int], names: Sequence[str], theme: Theme) -> Image.Image:
    """The board with a strip below it: each player's mark, name and points."""
    rows = list(_rows(board.width, len(names)))
    image = Image.new("RGB", (board.width, board.height + len(rows) * _STRIP), theme.panel)
    image.paste(board, (0, 0))
    for row, seats in enumerate(rows):
        width = board.width // len(rows[0])
        for place, seat in enumerate(seats):
            left, middle = place * width + _MARGIN, board.height + row * _STRIP + _STRIP / 2
            badge = pieces.badge(theme, seat, _STRIP - _MARGIN)
            image.paste(badge, (left, round(middle - badge.height / 2)), badge)
            points = signed(scores[seat])
            space = width - badge.width - 4 * _MARGIN - 14 * len(points)
            write(image, points, (left + width - 2 * _MARGIN, middle), 20, theme.text, anchor=(1, 0.5))
            name = fitted(printable(names[seat]), 18, max(space, 10))
            write(image, name, (left + badge.width + _MARGIN, middle), 18, theme.text, anchor=(0, 0.5))
    return image


def _rows(width: int, players: int) -> Iterator[range]:
    """The seats that stand side by side, so that each has room enough."""
    across = max(min(width // 200, players), 1)
    for start in range(0, players, across):
        yield range(start, min(start + across, players))


def _encoded(frames: Iterable[Image.Image], count: int, theme: Theme) -> Picture:
    flat = (flattened(frame, theme) for frame in frames)
    first = next(flat)
    durations = [FRAME] * (count - 1) + [LAST_FRAME]
    data = BytesIO()
    first.save(
        data, "GIF", save_all=True, append_images=chain(flat), duration=durations, loop=0, optimize=False, disposal=1
    )
    return Picture(data.getvalue(), "replay.gif", first.width, first.height)
