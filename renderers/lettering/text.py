"""Lettering: masks of words in the fonts that are shipped along, drawn once and kept."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw

from engine.once import recent
from renderers.lettering.scripts import DRAWING, MAIN, STROKES, Run, font_of, printable, runs
from renderers.theme import Colour

__all__ = ["fitted", "placed_text", "printable", "shortened", "signed", "text_mask", "wrapped", "write"]

_NUMBER: Final = re.compile(r"(?<=.) #[0-9]+$")


def text_mask(text: str, size: int) -> Image.Image:
    """The word as a mask of its exact bounds, ``size`` pixels high in the sense of the font."""
    return _laid(text, size)[0]


@recent(2048)
def _laid(text: str, size: int) -> tuple[Image.Image, float]:
    """The mask of a word, and where its top is, seen from the line that it stands on."""
    parts = runs(text) or [Run(MAIN, "", joined=False)]
    with DRAWING:
        fonts = [font_of(part.font, size, joined=part.joined) for part in parts]
        lengths = [font.getlength(part.text) for font, part in zip(fonts, parts, strict=True)]
        starts = [sum(lengths[:number]) for number in range(len(parts))]
        strokes = [size * STROKES.get(part.font, 0.0) for part in parts]
        boxes = [
            font.getbbox(part.text, anchor="ls", stroke_width=stroke)
            for font, part, stroke in zip(fonts, parts, strokes, strict=True)
        ]
        left = min(start + box[0] for start, box in zip(starts, boxes, strict=True))
        right = max(start + box[2] for start, box in zip(starts, boxes, strict=True))
        top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
        mask = Image.new("L", (max(int(right - left), 1), max(int(bottom - top), 1)))
        draw = ImageDraw.Draw(mask)
        for start, font, part, stroke in zip(starts, fonts, parts, strokes, strict=True):
            at = (start - left, -top)
            draw.text(at, part.text, fill=255, font=font, anchor="ls", stroke_width=stroke)
    return mask, top


def signed(value: int) -> str:
    """A number with a real minus sign."""
    return str(value) if value >= 0 else f"\N{MINUS SIGN}{-value}"


def fitted(text: str, size: int, width: int) -> str:
    """The text, :func:`shortened` so that it is at most so many pixels wide."""
    return shortened(text, lambda shorter: text_mask(shorter, size).width <= width)


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """The text, cut short with an ellipsis so that it fits, whatever measures that.

    A number that tells a name apart (``Ana #1234``) stays behind it, where it fits at all.
    """
    if fits(text):
        return text
    found = _NUMBER.search(text)
    number = found[0] if found and fits(f"…{found[0]}") else ""
    name = text.removesuffix(number)
    ends = range(1, len(name))
    kept = bisect_left(ends, 1, key=lambda end: not fits(_cut(name, end) + number))
    return _cut(name, kept) + number


def _cut(text: str, end: int) -> str:
    return text[:end].rstrip() + "…"


def wrapped(text: str, size: int, width: int) -> list[str]:
    """The text in lines that are at most so many pixels wide, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_mask(longer, size).width <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [fitted(line, size, width) for line in lines]


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
    image.paste(colour, placed_text(text, at, size, anchor=anchor), text_mask(text, size))


def placed_text(
    text: str, at: tuple[float, float], size: int, *, anchor: tuple[float, float] = (0.5, 0.5)
) -> tuple[int, int]:
    """The upper left of a word's mask where :func:`write` writes it."""
    x = round(at[0] - text_mask(text, size).width * anchor[0])
    y = round(at[1] - text_mask("H", size).height * anchor[1])
    return x, y + _drop(text, size)


def _drop(text: str, size: int) -> int:
    """How much lower than a capital's the top of a word is."""
    return round(_laid(text, size)[1] - _laid("H", size)[1])
