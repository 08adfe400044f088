"""Player names in many scripts: their letters are found in a font, joined, and drawn in the right direction.

Each font has the letters of some scripts only. A name is drawn with the first fonts that have its letters.
"""
# ruff: noqa: RUF001 - the names contain letters that look like Latin ones

from __future__ import annotations

from inspect import unwrap

import pytest
from PIL import Image, features

from renderers import legible, lettering
from renderers.carcassonne import Tally, score_panel
from renderers.lettering import FONTS, MAIN_FONT, Run, fitted, printable, runs, text_mask, text_width
from tests.renderers.image_checks import rgb_image

NAMES_BY_SCRIPT = {
    "Latin": "Łukasz Đặng",
    "Greek": "Αλέξης",
    "Cyrillic": "Марія",
    "Georgian": "გიორგი",
    "Armenian": "Արմեն",
    "Arabic": "محمد علي",
    "Persian": "پژمان",
    "Hebrew": "דוד",
    "Chinese": "李小龙",
    "Chinese, traditional": "劉備測試",
    "Japanese": "さくら・カナ",
    "Korean": "김철수",
    "Thai": "สมชาย",
    "Hindi": "प्रिया शर्मा",
    "Bengali": "সৌরভ",
    "Tamil": "தமிழ்",
    "full width": "Ａｎａ",
}
"""A name in each script."""
UNPRINTABLE_NAMES = ("አበበ", "💥🫠", "\u200b\u200d", "\u3164\u2800", "ᚠᚢ𓀀 x" * 2, "")
"""Names of characters that no font has."""


def missing_glyph_mask(font: str, size: int) -> bytes:
    """Return the mask of the box that a font draws for missing letters."""
    with lettering.FONT_LOCK:
        return bytes(lettering.font_of(font, size).getmask("\uffff"))


def test_no_loaded_font_keeps_its_file_in_memory() -> None:
    with lettering.FONT_LOCK:
        fonts = [lettering.font_of(font, 17) for font in FONTS]
    assert not any(hasattr(font, "font_bytes") for font in fonts)


@pytest.mark.parametrize("script", NAMES_BY_SCRIPT)
def test_a_name_in_any_script_is_drawn(script: str) -> None:
    name = NAMES_BY_SCRIPT[script]
    assert printable(name) == name
    assert legible(name)
    mask = text_mask(name, 38)
    assert text_width(name, 38) == mask.width
    ink_pixels = sum(value > 128 for value in mask.tobytes())
    assert ink_pixels > 40 * len(name.replace(" ", ""))
    missing_glyphs = [text_mask("\uffff" * count, 38).tobytes() for count in range(1, 12)]
    assert mask.tobytes() not in missing_glyphs
    for part in runs(name):
        assert part.font in FONTS
    panel = rgb_image(score_panel([Tally(0, name, 3, {"follower": 7}, next=True)]))
    other = rgb_image(score_panel([Tally(0, "", 3, {"follower": 7}, next=True)]))
    assert panel.tobytes() != other.tobytes()


def test_the_main_font_has_all_of_ascii() -> None:
    """A word of such letters is one run, whether it is looked at letter by letter or not."""
    letters = "".join(map(chr, range(32, 127)))
    for word in (letters, f"{letters}ж"):
        assert runs(word) == [Run(MAIN_FONT, word, joined=False)]


def test_joining_letters_are_joined() -> None:
    """Letters that are drawn together are narrower than side by side, and have no gap between them."""
    assert features.check("raqm")
    for letters in ("بببب", NAMES_BY_SCRIPT["Hindi"].split()[0]):
        joined, separate = text_mask(letters, 60), [text_mask(letter, 60) for letter in letters]
        assert joined.width < 0.75 * sum(mask.width for mask in separate)
        assert columns_without_ink(joined) == 0
    assert columns_without_ink(text_mask(NAMES_BY_SCRIPT["Arabic"].split()[0], 60)) == 0


def columns_without_ink(mask: Image.Image) -> int:
    """Count the columns without ink between the first and the last letter."""
    mask = mask.crop(mask.getbbox())
    return sum(mask.crop((x, 0, x + 1, mask.height)).getbbox() is None for x in range(mask.width))


def test_right_to_left_text_begins_at_the_right() -> None:
    broad, word = text_mask("ש", 60), text_mask("שי", 60)
    right = word.crop((word.width - broad.width + 3, 0, *word.size))
    left = word.crop((0, 0, broad.width - 3, word.height))
    assert columns_without_ink(right) == 0 < columns_without_ink(left)


@pytest.mark.parametrize("name", UNPRINTABLE_NAMES)
def test_a_name_without_printable_characters_is_not_legible(name: str) -> None:
    assert not legible(name)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Ana 💥", "Ana"),
        ("𝓐𝓷𝓪", "Ana"),
        ("Ⓐna", "Ana"),
        ("A\u202ena\u2066", "Ana"),
        ("👩\u200d💻 Eva\ufe0f", "Eva"),
        ("e\u0301va", "\u00e9va"),
        ("\u0301x", "x"),
        ("李 Ana", "李 Ana"),
    ],
)
def test_the_printable_part_of_a_name_is_kept(name: str, printed: str) -> None:
    assert printable(name) == printed
    assert legible(name)


def test_joining_scripts_are_not_printed_without_complex_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "has_complex_layout", lambda: False)
    printable_uncached = unwrap(lettering.printable)
    for script in ("Arabic", "Hebrew", "Thai", "Hindi"):
        assert printable_uncached(NAMES_BY_SCRIPT[script]) == ""
    assert printable_uncached(NAMES_BY_SCRIPT["Chinese"]) == NAMES_BY_SCRIPT["Chinese"]
    assert printable_uncached("Ana") == "Ana"


def test_plain_text_uses_the_main_font_alone() -> None:
    assert runs("Ana 12 −3 ×4 …") == [(MAIN_FONT, "Ana 12 −3 ×4 …", False)]


def test_a_name_of_two_scripts_stands_on_one_line() -> None:
    mixed, latin = text_mask("Ana 李", 40), text_mask("Ana", 40)
    assert latin.width < mixed.width < latin.width + 80
    assert [part.text for part in runs("Ana 李")] == ["Ana ", "李"]


@pytest.mark.parametrize("script", NAMES_BY_SCRIPT)
def test_a_long_name_is_cut_to_fit(script: str) -> None:
    fitted_name = fitted(NAMES_BY_SCRIPT[script] * 8, 32, 200)
    assert fitted_name.endswith("…")
    assert 100 < text_mask(fitted_name, 32).width <= 200
