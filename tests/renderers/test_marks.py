"""Six players are told apart by colour, by shape, in greyscale and by people who see colours differently."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from renderers import PLAYER_MARKS, PlayerMark
from renderers.figures import follower, within_tile
from renderers.marks import shape_polygon
from renderers.theme import DAY

PAIRS = list(combinations(PLAYER_MARKS, 2))
# Linear RGB as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1), and as grey.
SIGHT = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    "greyscale": ((0.2126, 0.7152, 0.0722),) * 3,
}


def lab(mark: PlayerMark, sight: str) -> tuple[float, float, float]:
    """CIE L*a*b* of a mark's colour as somebody sees it."""
    linear = [_linear(value / 255) for value in mark.colour]
    red, green, blue = (
        min(max(sum(part * value for part, value in zip(row, linear, strict=True)), 0.0), 1.0) for row in SIGHT[sight]
    )
    x = _cube((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _cube(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _cube((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _cube(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


@pytest.mark.parametrize(
    ("sight", "least"), [*((name, 25.0) for name in SIGHT if name != "greyscale"), ("greyscale", 12.0)]
)
def test_colours_keep_apart(sight: str, least: float) -> None:
    for one, other in PAIRS:
        assert dist(lab(one, sight), lab(other, sight)) >= least, (one.name, other.name)


def test_every_mark_differs_in_everything() -> None:
    for attribute in ("name", "colour", "shape", "symbol"):
        assert len({getattr(mark, attribute) for mark in PLAYER_MARKS}) == 6


def test_writing_on_a_mark_is_legible() -> None:
    for mark in PLAYER_MARKS:
        ink = PlayerMark(mark.name, mark.ink, mark.ink, mark.shape, mark.symbol)
        assert abs(lab(mark, "normal")[0] - lab(ink, "normal")[0]) >= 45, mark.name


def outline(mark: PlayerMark) -> Image.Image:
    image = Image.new("L", (60, 60))
    points = shape_polygon(mark.shape, (0.5, 0.5), 0.38)
    ImageDraw.Draw(image).polygon([(x * 60, y * 60) for x, y in points], fill=255)
    return image


def test_shapes_keep_apart() -> None:
    """Of what two shapes cover together, at least an eighth is covered by one alone."""
    for one, other in PAIRS:
        both = ImageStat.Stat(ImageChops.lighter(outline(one), outline(other))).sum[0]
        only = ImageStat.Stat(ImageChops.difference(outline(one), outline(other))).sum[0]
        assert only / both >= 0.125, (one.shape, other.shape)


def test_silhouettes_of_figures_keep_apart_on_a_phone() -> None:
    """On a tile of 42 pixels, six figures have six outlines."""
    figures = [follower(DAY, seat, 42).getchannel("A") for seat in range(6)]
    for one, other in combinations(figures, 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).sum[0] > 255 * 12


def test_farmers_lie() -> None:
    for seat in range(6):
        standing, lying = (_body(follower(DAY, seat, 128, lying=lying)) for lying in (False, True))
        assert standing[3] - standing[1] > standing[2] - standing[0]
        assert lying[2] - lying[0] > lying[3] - lying[1]


def _body(figure: Image.Image) -> tuple[int, int, int, int]:
    """The bounds of a figure without its shadow."""
    box = figure.getchannel("A").point(lambda value: 255 * (value > 200)).getbbox()
    assert box is not None
    return box


def test_figures_keep_to_their_tile() -> None:
    for lying in (False, True):
        for corner in ((0.0, 0.0), (1.0, 1.0)):
            figure = _body(follower(DAY, 0, 100, lying=lying))
            x, y = (100 * part for part in within_tile(corner, lying=lying))
            half = follower(DAY, 0, 100, lying=lying).width / 2
            assert min(x - half + figure[0], y - half + figure[1]) >= -6
            assert max(x - half + figure[2], y - half + figure[3]) <= 106
