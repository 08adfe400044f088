"""Pixels to bytes: a PNG with the palette that all pictures of a theme share (:mod:`renderers.palette`)."""

from __future__ import annotations

from PIL import Image

from renderers.files.png import png
from renderers.palette import flattened
from renderers.theme import Theme
from renderers.values import Picture


def encoded(image: Image.Image, theme: Theme, name: str, *, veiled: bool = False) -> Picture:
    """The picture as a PNG file.

    Args:
        image: its pixels, in the theme's palette or to be brought into it.
        theme: whose colours they become.
        name: of the file.
        veiled: part of it lies behind the veil, for which there are more colours.
    """
    return Picture(png(flattened(image, theme, veiled=veiled)), f"{name}.png", image.width, image.height)
