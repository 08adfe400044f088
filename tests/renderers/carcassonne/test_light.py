"""The light comes from the north-west on every drawing, in every rotation of a tile.

Buildings do not turn with their tile; only their places do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.carcassonne import tile
from engine.carcassonne.expansions.traders_builders import Goods
from engine.geometry import Axis
from renderers import DAY, buildings, pieces
from renderers.canvas import SHADOW_COLOUR, Canvas, Point
from renderers.carcassonne.boxes.bridges_castles_bazaars import castle_sprite
from renderers.carcassonne.boxes.traders_builders import paint_goods
from renderers.carcassonne.faces import landmarks
from renderers.carcassonne.scenery import tile_sprite
from tests.renderers.image_checks import ROTATIONS

SIZE = 128
"""The side of a sprite in pixels."""
UPRIGHT_SPRITES = {
    "castle, tiles one above the other": castle_sprite(DAY, 5, Axis.NS, SIZE, scored=True),
    "castle, tiles side by side": castle_sprite(DAY, 5, Axis.WE, SIZE, scored=True),
    "tower": landmarks.corner_tower(DAY, SIZE),
    **{f"follower {seat}": pieces.follower(DAY, seat, SIZE, lying=False) for seat in (0, 1, 2, 4, 5)},
}
"""Sprites of things that stand upright, by name."""


@pytest.mark.parametrize("sprite", UPRIGHT_SPRITES.values(), ids=UPRIGHT_SPRITES)
def test_the_left_half_of_a_sprite_is_brighter_than_the_right(sprite: Image.Image) -> None:
    grey = Image.new("L", sprite.size, 128)
    grey.paste(sprite.convert("L"), (0, 0), sprite.getchannel("A").point(lambda alpha: 255 * (alpha > 200)))
    left, right = (ImageStat.Stat(grey.crop(half)).sum[0] for half in _halves(grey))
    assert left > right


def _halves(image: Image.Image) -> tuple[tuple[int, int, int, int], ...]:
    """Return the rectangles of the western and the eastern half of a picture."""
    middle = image.width // 2
    return (0, 0, middle, image.height), (middle, 0, 2 * middle, image.height)


DRAWINGS: dict[str, Callable[[Canvas, Point], None]] = {
    "monastery": landmarks.monastery,
    "village": landmarks.village,
    "market": buildings.market_stalls,
}
"""Functions that draw a thing on a canvas, by name."""


class ShadowlessCanvas(Canvas):
    """A canvas that draws no shadows."""

    def shade(self, polygons: Iterable[Sequence[Point]], strength: float) -> None:
        """Draw no shadow."""


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_shadows_fall_to_the_right(draw: Callable[[Canvas, Point], None]) -> None:
    """Draw on white ground; the mean column of the shadow lies to the right of that of the drawing."""
    shaded, bare = Canvas(SIZE, DAY), ShadowlessCanvas(SIZE, DAY)
    for canvas in (shaded, bare):
        canvas.box(0, 0, 1, 1, (255, 255, 255))
    draw(shaded, (0.5, 0.5))
    draw(bare, (0.5, 0.5))
    first, second = shaded.finished().convert("L"), bare.finished().convert("L")
    darkened = ImageChops.subtract(second, first)
    shape = ImageChops.invert(second)
    assert _mean_column(darkened) > _mean_column(shape)


def _mean_column(mask: Image.Image) -> float:
    """Return the mean column of a mask, weighted by brightness."""
    columns = list(mask.resize((mask.width, 1), Image.Resampling.BOX).tobytes())
    return sum(x * value for x, value in enumerate(columns)) / max(sum(columns), 1)


def test_the_shade_darkens_by_its_strength() -> None:
    canvas = Canvas(20, DAY)
    canvas.box(0, 0, 1, 1, (200, 200, 200))
    canvas.shade([((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0))], 0.5)
    image = canvas.finished().convert("RGB")
    assert image.getpixel((15, 10)) == (200, 200, 200)
    left = image.getpixel((4, 10))
    assert isinstance(left, tuple)
    assert all(abs(value - (200 + dark) / 2) <= 2 for value, dark in zip(left, SHADOW_COLOUR, strict=True))


@pytest.mark.parametrize("strength", [0.28, 0.3, 0.32, 0.35, 0.4, 1.0])
def test_a_shadow_on_coloured_ground_is_blended_pixel_by_pixel(strength: float) -> None:
    """Pillow's blending through a soft mask is the twin: every value of a channel becomes the same."""
    canvas = Canvas(64, DAY, large=0, ground=(0, 0, 0))
    side = canvas.image.width
    every_value = Image.frombytes("L", (side, side), bytes(number % 256 for number in range(side * side)))
    canvas.image = Image.merge("RGB", [every_value.rotate(90 * turn) for turn in range(3)])
    blended, mask = canvas.image.copy(), Image.new("L", (side, side))
    mask.paste(round(255 * strength), (side // 4, 0, side, side // 2))
    blended.paste(SHADOW_COLOUR, (0, 0), mask)
    canvas.shade([((0.25, 0.0), (1.2, 0.0), (1.2, 0.5 - 1 / side), (0.25, 0.5 - 1 / side))], strength)
    assert canvas.image.tobytes() == blended.tobytes()


def test_a_shadow_off_the_sheet_changes_nothing() -> None:
    canvas = Canvas(20, DAY)
    canvas.shade([((1.5, 0.0), (2.0, 0.0), (2.0, 1.0))], 0.5)
    assert canvas.finished().getbbox() is None


def test_shields_and_goods_look_the_same_in_every_place() -> None:
    """Turn the tile; only the places of shields and goods change."""
    for draw in (landmarks.shield, *(_goods(kind) for kind in Goods)):
        sheets = []
        for x, y in ((0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7)):
            canvas = Canvas(100, DAY)
            draw(canvas, (x, y))
            left, top = round(100 * x) - 25, round(100 * y) - 25
            sheets.append(canvas.finished().crop((left, top, left + 50, top + 50)))
        assert all(ImageChops.difference(first, second).getbbox() is None for first, second in pairwise(sheets))


def _goods(kind: Goods) -> Callable[[Canvas, Point], None]:
    """Return a function that draws goods of one kind."""
    return lambda canvas, at: paint_goods(canvas, at, kind)


def test_rotations_that_look_the_same_share_a_sprite() -> None:
    for tile_id in ("base/B", "base/X", "base/C", "bcb/FFFF"):
        assert len({id(tile_sprite(DAY, tile(tile_id), rotation, 64)) for rotation in ROTATIONS}) == 1
