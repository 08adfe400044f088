"""Encoding pictures with the palette that all of them share.

A palette picture stores an index of one byte for each pixel; all pictures of a theme share their colours.
"""

from __future__ import annotations

from PIL import Image, ImageChops, ImageStat

from renderers import PLAYER_MARKS
from renderers.carcassonne.inset import tile_picture
from renderers.palette import palette_colours
from renderers.png import encode_png
from renderers.theme import DAY, mixed
from tests.renderers.image_checks import TILES, rgb_image


def test_the_palette_has_no_duplicates_and_contains_every_players_colour() -> None:
    colours = palette_colours(DAY)
    assert len(set(colours)) == len(colours) <= 256
    assert {mark.colour for mark in PLAYER_MARKS} <= set(colours)


def test_tiles_lose_little_by_the_palette() -> None:
    for kind in TILES:
        image = tile_picture(DAY, kind, 0, 96)
        loss = ImageStat.Stat(ImageChops.difference(image, rgb_image(encode_png(image, DAY, "x"))))
        assert max(loss.mean) < 3.5, kind.id


def test_mixed_weights_two_colours() -> None:
    assert mixed((0, 100, 200), (100, 100, 0), 0.25) == (25, 100, 150)


def test_the_file_is_a_png_of_the_given_name() -> None:
    picture = encode_png(Image.new("RGB", (30, 20), DAY.table), DAY, "board")
    assert picture.filename == "board.png"
    assert picture.data.startswith(b"\x89PNG")
    assert (picture.width, picture.height) == (30, 20)
