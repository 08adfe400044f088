"""Looking at pictures: decoded pixels, and which thing of the theme a pixel shows."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageSequence

from engine import Cell
from engine.carcassonne import TileKind, tile_set
from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS
from renderers import Picture
from renderers.boards.view import View
from renderers.theme import DAY, Colour

ROTATIONS = (0, 90, 180, 270)
TILES: tuple[TileKind, ...] = tuple(
    kind for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS) for kind in tile_set(name).values()
)
MEADOWS = (DAY.meadow, DAY.meadow_light, DAY.meadow_dark)


def every_face() -> Iterator[tuple[TileKind, int]]:
    return ((kind, rotation) for kind in TILES for rotation in ROTATIONS)


def pixels(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(picture.data))
    assert image.size == (picture.width, picture.height)
    return image.convert("RGB")


def drawn(picture: Picture) -> bytes:
    """Return the content of a picture, as :func:`drawn_in`, after checking its size."""
    assert Image.open(BytesIO(picture.data)).size == (picture.width, picture.height)
    return drawn_in(picture.data)


def drawn_in(file: bytes) -> bytes:
    """Return the pixels of a file, frame by frame; its bytes may differ (:func:`renderers.png.png_bytes`)."""
    frames = ImageSequence.Iterator(Image.open(BytesIO(file)))
    return b"".join(bytes(frame.getpalette() or ()) + frame.tobytes() for frame in frames)


def crop_of(image: Image.Image, view: View, cell: Cell) -> Image.Image:
    x, y = view.at(cell)
    return image.crop((x, y, x + view.size, y + view.size))


def colour_at(image: Image.Image, x: float, y: float) -> Colour:
    value = image.getpixel((min(int(x), image.width - 1), min(int(y), image.height - 1)))
    assert isinstance(value, tuple)
    red, green, blue = value[:3]
    return (int(red), int(green), int(blue))


def gap(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return the distance of two colours in the worst of the three channels."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def shown(image: Image.Image, colour: Colour, tolerance: int = 12) -> int:
    """Return the number of pixels that have a colour, or nearly so."""
    counted = image.convert("RGB").getcolors(image.width * image.height) or []
    return sum(count for count, value in counted if isinstance(value, tuple) and gap(value, colour) <= tolerance)


def is_meadow(colour: Colour) -> bool:
    return min(gap(colour, meadow) for meadow in MEADOWS) <= 24


def is_road(colour: Colour) -> bool:
    return min(gap(colour, road) for road in (DAY.road, DAY.road_worn)) <= 20


def pieces(cells: set[tuple[int, int]]) -> int:
    """Into how many pieces an area falls: cells hang together that share a side."""
    left, count = set(cells), 0
    while left:
        count += 1
        reached = {left.pop()}
        while reached:
            x, y = reached.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            reached |= near
    return count
