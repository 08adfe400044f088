"""Which font has which letter: names come in all the scripts of the world, the font of the pictures has some of them.

The others are asked in turn. What none of them has is left out, or written in the plain letters that it stands for (as
the ornate ones of mathematics do); scripts whose letters join or stack need a layout that Pillow may lack, and are left
out without it.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from PIL import ImageFont, features

from engine.once import once, recent

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


class Run(NamedTuple):
    """Letters that stand side by side in one font; ``joined`` where they need a layout of their own."""

    font: str
    text: str
    joined: bool


@recent(64)
def font_of(font: str, size: int, *, joined: bool = False) -> ImageFont.FreeTypeFont:
    """A font at a size; only to be used while holding :data:`DRAWING`.

    It is opened by its path: of a file that is handed over each size would keep two copies.
    """
    layout = ImageFont.Layout.RAQM if joined else ImageFont.Layout.BASIC
    return ImageFont.truetype(_FILES / f"{font}.ttf", size, layout_engine=layout)


@once
def can_join() -> bool:
    """Whether this Pillow can lay out letters that join."""
    return bool(features.check("raqm"))


@recent(4096)
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


@recent(1024)
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
