"""Helpers that decode pictures and check their pixels: colours, their distance and area, and whole contents.

A picture is compared by its decoded pixels, since equal pixels can be encoded in several ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageSequence

from engine import Cell
from engine.carcassonne import TileKind, tile_set
from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS
from renderers import Picture
from renderers.boards.sheet import GHOST_SIDE
from renderers.boards.view import View
from renderers.carcassonne.figures import figure
from renderers.theme import DAY, Colour, Theme

ROTATIONS = (0, 90, 180, 270)
"""All rotations, in degrees clockwise."""
TILES: tuple[TileKind, ...] = tuple(
    kind for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS) for kind in tile_set(name).values()
)
"""The tiles of all sets."""
MEADOWS = (DAY.meadow, DAY.meadow_light, DAY.meadow_dark)
"""The colours of grass."""
PHONE_CELL_PIXELS = 42
"""Size of a cell on a phone that shows a whole board."""


def all_faces() -> Iterator[tuple[TileKind, int]]:
    """Return every tile in every rotation."""
    return ((kind, rotation) for kind in TILES for rotation in ROTATIONS)


def rgb_image(picture: Picture) -> Image.Image:
    """Decode a picture, after checking its size."""
    image = Image.open(BytesIO(picture.data))
    assert image.size == (picture.width, picture.height)
    return image.convert("RGB")


def pixel_bytes(picture: Picture) -> bytes:
    """Return the pixels of a picture as :func:`file_pixel_bytes` does, after checking its size."""
    assert Image.open(BytesIO(picture.data)).size == (picture.width, picture.height)
    return file_pixel_bytes(picture.data)


def file_pixel_bytes(file: bytes) -> bytes:
    """Return the palette and pixels of each frame of an image file.

    Files with the same pixels may differ, because their compression may (:func:`renderers.png.png_bytes`).
    """
    frames = ImageSequence.Iterator(Image.open(BytesIO(file)))
    return b"".join(bytes(frame.getpalette() or ()) + frame.tobytes() for frame in frames)


def silhouette(theme: Theme, seat: int, name: str, size: int = 128, *, lying: bool = False) -> Image.Image:
    """Return the area of a figure without its shadow."""
    covered_share = (
        figure(theme, seat, size, name, lying=lying).getchannel("A").point(lambda alpha: 255 * (alpha > 200))
    )
    return covered_share.crop(covered_share.getbbox())


def crop_cell(image: Image.Image, view: View, cell: Cell) -> Image.Image:
    """Cut the area of a cell out of a picture of a board."""
    x, y = view.at(cell)
    return image.crop((x, y, x + view.size, y + view.size))


def crop_trial_cell(image: Image.Image, view: View, cell: Cell) -> Image.Image:
    """Cut a cell of the board out of the picture of a trial, where the board has no rim and is centred vertically."""
    x, y = view.at(cell)
    lower = max(0, (round(view.size * GHOST_SIDE) - view.window.rows * view.size) // 2)
    left, top = x - view.rim, y - view.rim + lower
    return image.crop((left, top, left + view.size, top + view.size))


def colour_at(image: Image.Image, x: float, y: float) -> Colour:
    """Return the colour of a pixel; coordinates beyond the last pixel mean the last one."""
    value = image.getpixel((min(int(x), image.width - 1), min(int(y), image.height - 1)))
    assert isinstance(value, tuple)
    red, green, blue = value[:3]
    return (int(red), int(green), int(blue))


def colour_distance(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return the largest difference of two colours in one channel."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def count_pixels(image: Image.Image, colour: Colour, tolerance: int = 12) -> int:
    """Count the pixels whose colour is within ``tolerance`` of this one."""
    colours = image.convert("RGB").getcolors(image.width * image.height) or []
    return sum(
        count for count, value in colours if isinstance(value, tuple) and colour_distance(value, colour) <= tolerance
    )


def is_meadow(colour: Colour) -> bool:
    """Return whether a colour is one of the day theme's meadow."""
    return min(colour_distance(colour, meadow) for meadow in MEADOWS) <= 24


def is_road(colour: Colour) -> bool:
    """Return whether a colour is one of the day theme's roads."""
    return min(colour_distance(colour, road) for road in (DAY.road, DAY.road_worn)) <= 20


def count_connected_areas(cells: set[tuple[int, int]]) -> int:
    """Count the connected parts of an area; cells are connected if they share a side."""
    remaining, count = set(cells), 0
    while remaining:
        count += 1
        reached = {remaining.pop()}
        while reached:
            x, y = reached.pop()
            neighbours = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & remaining
            remaining -= neighbours
            reached |= neighbours
    return count
