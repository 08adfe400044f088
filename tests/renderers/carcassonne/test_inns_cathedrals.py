"""What Inns & Cathedrals puts on the table can be seen, and told apart from everything else."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import Image, ImageChops

from renderers import DAY, PLAYER_MARKS, THEMES, Theme
from renderers.carcassonne.figures import figure, kept_within
from tests.renderers.looking import gap

BIG = "big-follower"
LARGER = 1.25
"""So many times as large as a follower the big one is at least, in both directions."""
SEATS = range(len(PLAYER_MARKS))
PHONE = 42
"""Pixels of a cell on a phone, where a whole board is shown."""


def silhouette(theme: Theme, seat: int, name: str, size: int = 128, *, lying: bool = False) -> Image.Image:
    """What a figure covers, without its shadow."""
    covered = figure(theme, seat, size, name, lying=lying).getchannel("A").point(lambda alpha: 255 * (alpha > 200))
    return covered.crop(covered.getbbox())


@pytest.mark.parametrize("size", [128, PHONE])
@pytest.mark.parametrize(("seat", "lying"), list(product(SEATS, (False, True))))
def test_the_big_follower_is_larger_than_a_follower(seat: int, lying: bool, size: int) -> None:
    small, big = (silhouette(DAY, seat, name, size, lying=lying).size for name in ("follower", BIG))
    assert all(larger + 1 >= LARGER * other for larger, other in zip(big, small, strict=True))  # to a pixel


@pytest.mark.parametrize("seat", SEATS)
def test_it_has_an_outline_of_its_own(seat: int) -> None:
    """Enlarged, a follower would still not cover it."""
    big = silhouette(DAY, seat, BIG)
    for name in ("follower", "builder", "pig"):
        other = silhouette(DAY, seat, name).resize(big.size, Image.Resampling.NEAREST)
        apart = ImageChops.difference(big, other).histogram()[255]
        assert apart > 0.05 * big.width * big.height, name


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("seat", SEATS)
def test_two_bands_run_across_its_cloak_even_on_a_phone(seat: int, theme: Theme) -> None:
    sprite = figure(theme, seat, PHONE, BIG).convert("L")
    column = [sprite.getpixel((round(sprite.width * 0.4), y)) for y in range(sprite.height // 2, sprite.height)]
    values = [value for value in column if isinstance(value, int)]
    mark = PLAYER_MARKS[seat]
    ink, colour = (Image.new("RGB", (1, 1), value).convert("L").getpixel((0, 0)) for value in (mark.ink, mark.colour))
    assert isinstance(ink, int)
    assert isinstance(colour, int)
    near = "".join("i" if abs(value - ink) < abs(value - colour) else "c" for value in values)
    bands = [part for part in near.split("c") if part]
    assert len(bands) >= 2, near


@pytest.mark.parametrize("lying", [False, True])
def test_it_keeps_to_its_tile(lying: bool) -> None:
    size = 128
    for corner in product((0.0, 1.0), repeat=2):
        x, y = kept_within(corner, BIG, lying=lying)
        width, height = silhouette(DAY, 0, BIG, size, lying=lying).size
        assert -0.06 * size <= x * size - width / 2 <= x * size + width / 2 <= 1.06 * size
        assert -0.06 * size <= y * size - height / 2 <= y * size + height / 2 <= 1.06 * size
        assert gap((round(x * 100),), (round(kept_within(corner, "follower", lying=lying)[0] * 100),)) > 3
