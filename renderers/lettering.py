"""Write words in many scripts: each word is drawn once as a mask, in the bundled fonts, and cached.

The main font has the letters of some scripts; the other fonts are tried in turn. A letter that no font has is replaced
by the plain letters of its compatibility form (as ornate mathematical letters are), or left out. Scripts whose letters
join or stack need a complex text layout, which Pillow may lack; without it they are left out.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont, features

from engine.caching import thread_safe_cache, thread_safe_lru_cache
from renderers.theme import Colour

FONT_LOCK: Final = Lock()
"""Guards the fonts: a font is a cursor into its file, so only one thread at a time may use one."""
MAIN_FONT: Final = "DejaVuSans-Bold"
"""The font of all text; the others are for characters that it lacks."""
FONTS: Final = (
    MAIN_FONT,
    "DroidSansFallback",
    *(f"NotoSans{script}-Bold" for script in ("Thai", "Devanagari", "Bengali", "Tamil")),
)
"""Fonts in the order in which they are tried."""
STROKE_WIDTHS: Final = {"DroidSansFallback": 0.025}
"""Width of the stroke that makes a font without a bold face bold, as a share of the letters' height."""
_COMPLEX_FONTS: Final = FONTS[2:]
"""The fonts of scripts whose letters join or stack."""
_MISSING_CHARACTER: Final = "\uffff"
"""A character that no font has: drawing it gives the box for missing glyphs."""
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
"""Unicode classes of letters and digits that are written from right to left."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible characters that control whether their neighbours join."""
_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Unicode categories without a visible glyph, among them the controls that change the direction of text."""
_FONT_FOLDER: Final = Path(__file__).with_name("fonts")
"""The folder of the font files, beside this module."""
_PROBE_SIZE: Final = 24
"""Size in pixels at which fonts are probed for a letter."""
_KEPT_SUFFIX: Final = re.compile(r"(?<=.) (#[0-9]+|\(\w{1,12}\))$")
"""The end of a name that is never cut: the number that tells equal names apart, or a mark such as "(CPU)"."""
_WORD_ENDS: Final = re.compile(r"[\s_.-]+")
"""Separators between the words of a name."""
TIMES_SIGN: Final = "\N{MULTIPLICATION SIGN}"
"""Written before the number of pieces or tiles that are left."""


class Run(NamedTuple):
    """Consecutive letters in one font; ``joined`` if they need a complex text layout."""

    font: str
    text: str
    joined: bool


@thread_safe_lru_cache(64)
def font_of(font: str, size: int, *, joined: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font at a size; use it only while holding :data:`FONT_LOCK`.

    It is opened by path: opened from a file object, each size would keep two copies of the file in memory.
    """
    layout = ImageFont.Layout.RAQM if joined else ImageFont.Layout.BASIC
    return ImageFont.truetype(_FONT_FOLDER / f"{font}.ttf", size, layout_engine=layout)


@thread_safe_cache
def has_complex_layout() -> bool:
    """Return True if this Pillow supports complex text layout."""
    return bool(features.check("raqm"))


@thread_safe_lru_cache(4096)
def _fonts_with(letter: str) -> tuple[str, ...]:
    """Return the fonts that have a visible glyph for a letter; for a space, the fonts that have a space."""
    if unicodedata.category(letter) in _INVISIBLE_CATEGORIES:
        return ()
    with FONT_LOCK:
        return tuple(font for font in FONTS if _has_glyph(font_of(font, _PROBE_SIZE), letter))


def _has_glyph(font: ImageFont.FreeTypeFont, letter: str) -> bool:
    """Return True if a font draws a letter differently from its box for missing glyphs."""
    glyph = bytes(font.getmask(letter))
    return glyph != bytes(font.getmask(_MISSING_CHARACTER)) and (any(glyph) or letter.isspace())


def _needs_layout(letter: str) -> bool:
    """Return True if a letter joins or stacks with others, or is written from right to left."""
    return (
        letter in _JOINERS
        or unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT
        or unicodedata.category(letter).startswith("M")
        or any(font in _COMPLEX_FONTS for font in _fonts_with(letter)[:1])
    )


def _all_drawable(letters: str) -> bool:
    """Return True if all letters can be drawn."""
    return all(_fonts_with(letter) and (has_complex_layout() or not _needs_layout(letter)) for letter in letters)


@thread_safe_lru_cache(1024)
def printable(text: str) -> str:
    """Return the text without letters that cannot be drawn, and with plain letters in place of ornate ones."""
    letters: list[str] = []
    for letter in unicodedata.normalize("NFC", text):
        if letter in _JOINERS or unicodedata.category(letter).startswith("M"):
            letters.append(letter if _can_combine(letters[-1:], letter) else "")
        else:
            plain = letter if _all_drawable(letter) else unicodedata.normalize("NFKC", letter)
            letters.append(plain if _all_drawable(plain) else "")
    return " ".join("".join(letters).split())


def _can_combine(before: list[str], mark: str) -> bool:
    """Return True if a combining mark or joiner can be drawn after the letter before it, if that is drawn itself."""
    if not any(before) or not has_complex_layout():
        return False
    return _needs_layout(before[0][-1]) if mark in _JOINERS else _all_drawable(mark)


def legible(text: str) -> bool:
    """Return True if enough of a name can be drawn to recognise it: at least one letter, and half of all letters."""
    letters = [letter for letter in unicodedata.normalize("NFKC", text) if letter.isalnum()]
    drawn = [letter for letter in printable(text) if not letter.isspace()]
    return bool(drawn) and 2 * sum(letter.isalnum() for letter in drawn) >= len(letters)


def runs(text: str) -> list[Run]:
    """Return the text split by font; letters that no font has are assigned to the main font."""
    if text.isascii() and text.isprintable():  # as names of cells and numbers are, which most pictures are full of
        return [Run(MAIN_FONT, text, joined=False)] if text else []
    result: list[Run] = []
    for letter in text:
        fonts = _fonts_with(letter)
        last = result[-1].font if result else MAIN_FONT
        stays = letter in _JOINERS or (last in fonts and (letter.isspace() or _needs_layout(letter)))
        font = last if stays else (*fonts, MAIN_FONT)[0]
        if result and font == last:
            result[-1] = Run(font, result[-1].text + letter, result[-1].joined or _needs_layout(letter))
        else:
            result.append(Run(font, letter, _needs_layout(letter)))
    return result


class _TypesetWord(NamedTuple):
    """The runs of a word with the pixel at which each starts; ``left`` and ``top`` are those of the bounds.

    Pixels count from the start of the word on the baseline.
    """

    runs: tuple[tuple[Run, float], ...]
    left: float
    top: float
    width: int
    height: int


@thread_safe_lru_cache(2048)
def _typeset(text: str, size: int) -> _TypesetWord:
    """Return the runs and exact bounds of a word, in pixels, without drawing it."""
    starts, boxes, start = [], [], 0.0
    parts = runs(text) or [Run(MAIN_FONT, "", joined=False)]
    with FONT_LOCK:
        for part in parts:
            font = font_of(part.font, size, joined=part.joined)
            left, top, right, bottom = font.getbbox(part.text, anchor="ls", stroke_width=_stroke(part, size))
            boxes.append((start + left, top, start + right, bottom))
            starts.append(start)
            start += font.getlength(part.text)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = min(lefts), min(tops)
    width, height = max(int(max(rights) - left), 1), max(int(max(bottoms) - top), 1)
    return _TypesetWord(tuple(zip(parts, starts, strict=True)), left, top, width, height)


def _stroke(part: Run, size: int) -> float:
    """Return the width of the stroke around the letters of a run, in pixels."""
    return size * STROKE_WIDTHS.get(part.font, 0.0)


def text_width(text: str, size: int) -> int:
    """Return the width in pixels of a word's mask; ``size`` is the font size in pixels."""
    return _typeset(text, size).width


def text_mask(text: str, size: int) -> Image.Image:
    """Return the word as a mask of its exact bounds; ``size`` is the font size in pixels."""
    return _mask_and_top(text, size)[0]


@thread_safe_lru_cache(2048)
def _mask_and_top(text: str, size: int) -> tuple[Image.Image, float]:
    """Return the mask of a word and the position of its top, relative to the baseline."""
    word = _typeset(text, size)
    mask = Image.new("L", (word.width, word.height))
    draw = ImageDraw.Draw(mask)
    with FONT_LOCK:
        for part, start in word.runs:
            font, at = font_of(part.font, size, joined=part.joined), (start - word.left, -word.top)
            draw.text(at, part.text, fill=255, font=font, anchor="ls", stroke_width=_stroke(part, size))
    return mask, word.top


def largest_size(words: Iterable[str], sizes: Iterable[int], width: float) -> int | None:
    """Return the first of the sizes at which all words are at most this many pixels wide; None if there is none."""
    words = list(words)
    return next((size for size in sizes if all(text_width(word, size) <= width for word in words)), None)


def signed(value: int) -> str:
    """Return a number with a typographic minus sign."""
    return str(value) if value >= 0 else f"\N{MINUS SIGN}{-value}"


def fitted(text: str, size: int, width: int) -> str:
    """Return the text, :func:`shortened` to at most this many pixels."""
    return shortened(text, lambda shorter: text_width(shorter, size) <= width)


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """Return the text, cut short with an ellipsis so that ``fits`` accepts it.

    A number that tells equal names apart (``Ana #1234``) or a word in brackets (``Adela (computer)``) is kept behind
    the ellipsis, if it fits.
    """
    if fits(text):
        return text
    suffix = kept_suffix(text)
    suffix = suffix if fits(f"…{suffix}") else ""
    name = text.removesuffix(suffix)
    ends = range(1, len(name))
    length = bisect_left(ends, 1, key=lambda end: not fits(_with_ellipsis(name, end) + suffix))
    return _with_ellipsis(name, length) + suffix


def told_apart(text: str, others: Collection[str], fits: Callable[[str], bool]) -> str:
    """Return the text, :func:`shortened`; if others would look the same, cut in the middle, so that it differs.

    It ends with the word in which it begins to differ from those that share its beginning ("Maxi…Berg", "Maxi…Burg").
    """
    short = shortened(text, fits)
    seen = short.removesuffix("…")
    rivals = [other for other in others if other != text and other.startswith(seen)]
    if short == text or kept_suffix(text) or not rivals:
        return short
    common = max(_common_length(text, rival) for rival in rivals)
    word = max((match.end() for match in _WORD_ENDS.finditer(text, 0, common)), default=common)
    for tail in (text[word:], text[common:]):
        cuts = [_with_ellipsis(text, end) + tail for end in range(len(text) - len(tail))]
        if cuts and fits(cuts[0]):
            return cuts[bisect_left(cuts, 1, key=lambda cut: not fits(cut)) - 1]
    return f"…{shortened(text[common:], lambda tail: fits(f'…{tail}'))}"


def _common_length(text: str, other: str) -> int:
    """Return with how many equal characters two texts begin."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((number for number, (own, its) in pairs if own != its), min(len(text), len(other)))


def kept_suffix(text: str) -> str:
    """Return the end of a name that is never cut, with the space before it; empty if it has none."""
    match = _KEPT_SUFFIX.search(text)
    return match[0] if match else ""


def _with_ellipsis(text: str, end: int) -> str:
    """Return the beginning of a text with an ellipsis behind it."""
    return text[:end].rstrip() + "…"


def wrapped(text: str, size: int, width: int) -> list[str]:
    """Return the text in lines of at most this many pixels, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [fitted(line, size, width) for line in lines]


def write(
    image: Image.Image, text: str, at: tuple[float, float], size: int, colour: Colour, *, anchor: float = 0.5
) -> None:
    """Write a word at a point.

    ``anchor`` says which part of the word lies there: 0 is its beginning, 0.5 its middle and 1 its end. Vertically it
    is the middle of the capitals, so that words side by side share a baseline.
    """
    if not text:
        return
    image.paste(colour, placed_text(text, at, size, anchor=anchor), text_mask(text, size))


def write_left(image: Image.Image, text: str, at: tuple[float, float], size: int, colour: Colour) -> None:
    """Write a word that begins at ``at``."""
    write(image, text, at, size, colour, anchor=0.0)


def write_right(image: Image.Image, text: str, at: tuple[float, float], size: int, colour: Colour) -> None:
    """Write a word that ends at ``at``."""
    write(image, text, at, size, colour, anchor=1.0)


def placed_text(text: str, at: tuple[float, float], size: int, *, anchor: float = 0.5) -> tuple[int, int]:
    """Return the upper left corner of a word's mask as :func:`write` places it."""
    capital = _typeset("H", size)
    x = round(at[0] - text_width(text, size) * anchor)
    y = round(at[1] - capital.height / 2)
    return x, y + round(_typeset(text, size).top - capital.top)  # below the top of a capital
