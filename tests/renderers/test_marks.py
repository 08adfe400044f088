"""The marks and figures of six players differ by colour and by shape, also in greyscale and to the colour-blind.

A mark is the colour and the shape of one seat, such as a red circle.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import dist

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from renderers import DAY, PLAYER_MARKS, THEMES, PlayerMark, Theme
from renderers.carcassonne.boxes.fairy import fairy_sprite
from renderers.carcassonne.boxes.traders_builders import builder, pig
from renderers.carcassonne.figures import figure
from renderers.marks import shape_polygon
from renderers.pieces import FIGURE_SIZE, follower, within_tile
from renderers.png import encode_png
from renderers.theme import Colour
from tests.renderers.colour_vision import VISION_MATRICES, perceived_lab
from tests.renderers.image_checks import colour_at, count_pixels, rgb_image

PAIRS = list(combinations(PLAYER_MARKS, 2))
"""All pairs of players' marks."""


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("sight", VISION_MATRICES)
def test_figures_differ_on_a_phone_for_every_kind_of_vision(sight: str, theme: Theme) -> None:
    """Draw each figure on a meadow of 42 pixels, the size of a cell on a phone, and compare their main colours."""
    perceived = [perceived_lab(most_frequent_colour(seat, theme), sight) for seat in range(6)]
    for (first_seat, first), (second_seat, second) in combinations(enumerate(perceived), 2):
        assert dist(first, second) >= (12.0 if sight == "greyscale" else 25.0), (first_seat, second_seat)


def most_frequent_colour(seat: int, theme: Theme) -> Colour:
    """Return the colour that fills most of a follower's body."""
    image = Image.new("RGB", (42, 42), theme.meadow)
    sprite = follower(theme, seat, 42, lying=False)
    image.paste(sprite, (8, 8), sprite)
    body = rgb_image(encode_png(image, theme, "figure")).crop((15, 12, 26, 29))
    counted = Counter(colour_at(body, x, y) for x in range(body.width) for y in range(body.height))
    return counted.most_common(1)[0][0]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_halo_or_outline_contrasts_with_every_ground(theme: Theme) -> None:
    """A figure has a light ring, the halo, and a dark outline. At least one of them is visible on any ground."""
    for ground in (theme.meadow, theme.meadow_light, theme.meadow_dark, theme.road, theme.street, theme.square):
        rings = [
            abs(perceived_lab(ring, "greyscale")[0] - perceived_lab(ground, "greyscale")[0])
            for ring in (theme.halo, theme.ink)
        ]
        assert max(rings) >= 40, ground


def test_marks_differ_in_name_colour_shape_and_symbol() -> None:
    for attribute in ("name", "colour", "shape", "symbol"):
        assert len({getattr(mark, attribute) for mark in PLAYER_MARKS}) == 6


def test_text_on_a_mark_is_legible() -> None:
    for mark in PLAYER_MARKS:
        assert abs(perceived_lab(mark.colour, "normal")[0] - perceived_lab(mark.ink, "normal")[0]) >= 45, mark.name


def draw_outline(mark: PlayerMark) -> Image.Image:
    """Draw the shape of a mark, white on black."""
    image = Image.new("L", (60, 60))
    points = shape_polygon(mark.shape, (0.5, 0.5), 0.38)
    ImageDraw.Draw(image).polygon([(x * 60, y * 60) for x, y in points], fill=255)
    return image


def test_shapes_of_marks_differ() -> None:
    """Of the area covered by two shapes, at least an eighth belongs to only one of them."""
    for first, second in PAIRS:
        overlap = ImageStat.Stat(ImageChops.lighter(draw_outline(first), draw_outline(second))).sum[0]
        difference = ImageStat.Stat(ImageChops.difference(draw_outline(first), draw_outline(second))).sum[0]
        assert difference / overlap >= 0.125, (first.shape, second.shape)


def test_silhouettes_of_figures_differ_on_a_phone() -> None:
    """The figures are drawn on a tile of 42 pixels."""
    figures = [follower(DAY, seat, 42, lying=False).getchannel("A") for seat in range(6)]
    for first, second in combinations(figures, 2):
        assert ImageStat.Stat(ImageChops.difference(first, second)).sum[0] > 255 * 12


def test_farmers_are_drawn_lying() -> None:
    for seat in range(6):
        standing, lying = (_bounds_without_shadow(follower(DAY, seat, 128, lying=lying)) for lying in (False, True))
        assert standing[3] - standing[1] > standing[2] - standing[0]
        assert lying[2] - lying[0] > lying[3] - lying[1]


def _bounds_without_shadow(figure: Image.Image) -> tuple[int, int, int, int]:
    """Return the bounds of a figure without its shadow."""
    box = figure.getchannel("A").point(lambda value: 255 * (value > 200)).getbbox()
    assert box is not None
    return box


def test_figures_stay_within_their_tile() -> None:
    for lying in (False, True):
        for corner in ((0.0, 0.0), (1.0, 1.0)):
            figure = _bounds_without_shadow(follower(DAY, 0, 100, lying=lying))
            x, y = (100 * part for part in within_tile(corner, lying=lying))
            half = follower(DAY, 0, 100, lying=lying).width / 2
            assert min(x - half + figure[0], y - half + figure[1]) >= -6
            assert max(x - half + figure[2], y - half + figure[3]) <= 106


def test_builders_pigs_and_the_fairy_have_outlines_of_their_own() -> None:
    for seat in range(6):
        shapes = [
            sprite.getchannel("A")
            for sprite in (
                *(follower(DAY, seat, 42, lying=False), follower(DAY, seat, 42, lying=True)),
                *(builder(DAY, seat, 42), pig(DAY, seat, 42), fairy_sprite(DAY, 42)),
            )
        ]
        for first, second in combinations(shapes, 2):
            assert ImageStat.Stat(ImageChops.difference(first, second)).sum[0] > 255 * 40, seat


def test_each_players_pig_and_builder_show_colour_and_shape() -> None:
    for draw in (builder, pig):
        sprites = [draw(DAY, seat, 128) for seat in range(6)]
        for seat, mark in enumerate(PLAYER_MARKS):
            assert count_pixels(sprites[seat], mark.colour, 4) > 600, mark.name
        greys = [sprite.convert("L").point(lambda value: 255 * (value > 128)) for sprite in sprites]
        assert all(ImageChops.difference(first, second).getbbox() for first, second in combinations(greys, 2))


def test_figures_are_found_by_their_names_in_the_engine() -> None:
    for name, draw in (("builder", builder), ("pig", pig)):
        assert figure(DAY, 2, 64, name) is draw(DAY, 2, 64)
    for lying in (False, True):
        assert figure(DAY, 2, 64, "follower", lying=lying) is follower(DAY, 2, 64, lying=lying)
    assert follower(DAY, 2, 100, lying=False).size == (round(100 * FIGURE_SIZE),) * 2
