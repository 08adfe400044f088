"""Lettering: masks of words in the font that is shipped along, drawn once and kept."""

from __future__ import annotations

from importlib import resources
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from engine.once import once, recent
from renderers.theme import Colour

_DRAWING: Final = Lock()
"""A font is a cursor into its file: only one thread at a time may set it to work."""
_UNKNOWN: Final = "\uffff"
"""A character that no font has: it shows as the box that stands for missing ones."""


@once
def _font_file() -> bytes:
    return resources.files("renderers.fonts").joinpath("DejaVuSans-Bold.ttf").read_bytes()


@recent(64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(_font_file()), size, layout_engine=ImageFont.Layout.BASIC)


@recent(2048)
def text_mask(text: str, size: int) -> Image.Image:
    """The word as a mask of its exact bounds, ``size`` pixels high in the sense of the font."""
    with _DRAWING:
        font = _font(size)
        left, top, right, bottom = font.getbbox(text)
        mask = Image.new("L", (max(int(right - left), 1), max(int(bottom - top), 1)))
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font)
    return mask


@recent(1024)
def printable(text: str) -> str:
    """The text without the characters that the font lacks."""
    with _DRAWING:
        font = _font(24)
        missing = bytes(font.getmask(_UNKNOWN))
        kept = "".join(letter for letter in text if bytes(font.getmask(letter)) != missing)
    return " ".join(kept.split())


def signed(value: int) -> str:
    """A number with a real minus sign."""
    return str(value) if value >= 0 else f"\N{MINUS SIGN}{-value}"


def fitted(text: str, size: int, width: int) -> str:
    """The text, cut short with an ellipsis so that it is at most so many pixels wide."""
    if text_mask(text, size).width <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        short = text[:end].rstrip() + "…"
        if text_mask(short, size).width <= width:
            return short
    return "…"


def write(
    image: Image.Image,
    text: str,
    at: tuple[float, float],
    size: int,
    colour: Colour,
    *,
    anchor: tuple[float, float] = (0.5, 0.5),
) -> None:
    """Write a word; ``anchor`` is its point that lies at ``at``, (0, 0) being the upper left.

    Up and down it goes by the height of capitals, so that words side by side stand on one line.
    """
    if not text:
        return
    mask = text_mask(text, size)
    x, y = round(at[0] - mask.width * anchor[0]), round(at[1] - text_mask("H", size).height * anchor[1])
    image.paste(colour, (x, y + _drop(text, size)), mask)


@recent(2048)
def _drop(text: str, size: int) -> int:
    """How much lower than a capital's the top of a word is."""
    with _DRAWING:
        font = _font(size)
        return round(font.getbbox(text)[1] - font.getbbox("H")[1])
