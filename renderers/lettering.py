"""Lettering: masks of words in the fonts that are shipped along, drawn once and kept, in whatever script a name is.

The font of the pictures has the letters of some scripts; the others are asked in turn. What none of them has is left
out, or written in the plain letters that it stands for (as the ornate ones of mathematics do); scripts whose letters
join or stack need a layout that Pillow may lack, and are left out without it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont, features

from engine.caching import thread_safe_cache, thread_safe_lru_cache
from renderers.theme import Colour

DRAWING: Final = Lock()
"""A font is a cursor into its file: only one thread at a time may set it to work."""
MAIN: Final = "DejaVuSans-Bold"
FONTS: Final = (
    MAIN,
    "DroidSansFallback",
    *(f"NotoSans{script}-Bold" for script in ("Thai", "Devanagari", "Bengali", "Tamil")),
)
"""The first that has a letter writes it."""
STROKES: Final = {"DroidSansFallback": 0.025}
"""What is laid round the letters of a font that is not bold, in parts of their height."""
_JOINING: Final = FONTS[2:]
_UNKNOWN: Final = "\uffff"
"""A character that no font has: it shows as the box that stands for missing ones."""
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_JOINERS: Final = frozenset("\u200c\u200d")
"""They say whether letters join, and cannot be seen themselves."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Categories of characters that are no letters; among them those that turn the direction of others."""
_FILES: Final = Path(__file__).with_name("fonts")
_TRIED: Final = 24
"""The size at which letters are looked up."""
_NUMBER: Final = re.compile(r"(?<=.) #[0-9]+$")
TIMES: Final = "\N{MULTIPLICATION SIGN}"
"""Written before the number of pieces or tiles that are left."""


class Run(NamedTuple):
    """Letters that stand side by side in one font; ``joined`` where they need a layout of their own."""

    font: str
    text: str
    joined: bool


@thread_safe_lru_cache(64)
def font_of(font: str, size: int, *, joined: bool = False) -> ImageFont.FreeTypeFont:
    """A font at a size; only to be used while holding :data:`DRAWING`.

    It is opened by its path: of a file that is handed over each size would keep two copies.
    """
    layout = ImageFont.Layout.RAQM if joined else ImageFont.Layout.BASIC
    return ImageFont.truetype(_FILES / f"{font}.ttf", size, layout_engine=layout)


@thread_safe_cache
def can_join() -> bool:
    """Whether this Pillow can lay out letters that join."""
    return bool(features.check("raqm"))


@thread_safe_lru_cache(4096)
def _fonts_with(letter: str) -> tuple[str, ...]:
    """The fonts in which a letter can be seen; of a space those that have one."""
    if unicodedata.category(letter) in _UNSEEN:
        return ()
    with DRAWING:
        return tuple(font for font in FONTS if _has(font_of(font, _TRIED), letter))


def _has(font: ImageFont.FreeTypeFont, letter: str) -> bool:
    drawn = bytes(font.getmask(letter))
    return drawn != bytes(font.getmask(_UNKNOWN)) and (any(drawn) or letter.isspace())


def _joins(letter: str) -> bool:
    """Whether a letter looks different beside others, or stands above or below them, or is written leftwards."""
    return (
        letter in _JOINERS
        or unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT
        or unicodedata.category(letter).startswith("M")
        or any(font in _JOINING for font in _fonts_with(letter)[:1])
    )


def _drawable(letters: str) -> bool:
    return all(_fonts_with(letter) and (can_join() or not _joins(letter)) for letter in letters)


@thread_safe_lru_cache(1024)
def printable(text: str) -> str:
    """The text without the letters that cannot be drawn; those that stand for plain ones are written as these."""
    kept: list[str] = []
    for letter in unicodedata.normalize("NFC", text):
        if letter in _JOINERS or unicodedata.category(letter).startswith("M"):
            kept.append(letter if _may_follow(kept[-1:], letter) else "")
        else:
            plain = letter if _drawable(letter) else unicodedata.normalize("NFKC", letter)
            kept.append(plain if _drawable(plain) else "")
    return " ".join("".join(kept).split())


def _may_follow(before: list[str], mark: str) -> bool:
    """Whether what belongs to a letter can be drawn with it: nothing does where that was left out."""
    if not any(before) or not can_join():
        return False
    return _joins(before[0][-1]) if mark in _JOINERS else _drawable(mark)


def legible(text: str) -> bool:
    """Whether enough of a name can be drawn to know whose it is: something, and half of its letters."""
    letters = [letter for letter in unicodedata.normalize("NFKC", text) if letter.isalnum()]
    drawn = [letter for letter in printable(text) if not letter.isspace()]
    return bool(drawn) and 2 * sum(letter.isalnum() for letter in drawn) >= len(letters)


def runs(text: str) -> list[Run]:
    """The text by fonts; what no font has is left to the first."""
    found: list[Run] = []
    for letter in text:
        fonts = _fonts_with(letter)
        last = found[-1].font if found else MAIN
        stays = letter in _JOINERS or (last in fonts and (letter.isspace() or _joins(letter)))
        font = last if stays else (*fonts, MAIN)[0]
        if found and font == last:
            found[-1] = Run(font, found[-1].text + letter, found[-1].joined or _joins(letter))
        else:
            found.append(Run(font, letter, _joins(letter)))
    return found


def text_mask(text: str, size: int) -> Image.Image:
    """The word as a mask of its exact bounds, ``size`` pixels high in the sense of the font."""
    return _laid(text, size)[0]


@thread_safe_lru_cache(2048)
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
