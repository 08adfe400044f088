"""Names in the scripts of the world: never blank, never unjoined."""
# ruff: noqa: RUF001 - letters that look like others are what this is about

from __future__ import annotations

from inspect import unwrap

import pytest
from PIL import Image, features

from renderers import legible, lettering
from renderers.carcassonne import Tally, score_panel
from renderers.lettering import FONTS, MAIN_FONT, fitted, printable, runs, text_mask
from tests.renderers.image_checks import rgb_image

NAMES = {
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
UNKNOWN = ("አበበ", "💥🫠", "\u200b\u200d", "\u3164\u2800", "ᚠᚢ𓀀 x" * 2, "")


def box_of(font: str, size: int) -> bytes:
    """Return the mask of the box that replaces missing letters."""
    with lettering.FONT_LOCK:
        return bytes(lettering.font_of(font, size).getmask("\uffff"))


def test_no_size_of_a_font_keeps_its_file() -> None:
    with lettering.FONT_LOCK:
        fonts = [lettering.font_of(font, 17) for font in FONTS]
    assert not any(hasattr(font, "font_bytes") for font in fonts)


@pytest.mark.parametrize("script", NAMES)
def test_a_name_in_any_script_is_drawn_and_told_from_others(script: str) -> None:
    name = NAMES[script]
    assert printable(name) == name
    assert legible(name)
    mask = text_mask(name, 38)
    inked = sum(value > 128 for value in mask.tobytes())
    assert inked > 40 * len(name.replace(" ", ""))
    boxes = [text_mask("\uffff" * count, 38).tobytes() for count in range(1, 12)]
    assert mask.tobytes() not in boxes
    for part in runs(name):
        assert part.font in FONTS
    panel = rgb_image(score_panel([Tally(0, name, 3, {"follower": 7}, next=True)]))
    other = rgb_image(score_panel([Tally(0, "", 3, {"follower": 7}, next=True)]))
    assert panel.tobytes() != other.tobytes()


def test_letters_that_join_are_joined() -> None:
    """Drawn together they take less room than side by side, and there is no gap between them."""
    assert features.check("raqm")
    for letters in ("بببب", NAMES["Hindi"].split()[0]):
        together, apart = text_mask(letters, 60), [text_mask(letter, 60) for letter in letters]
        assert together.width < 0.75 * sum(mask.width for mask in apart)
        assert columns_without_ink(together) == 0
    assert columns_without_ink(text_mask(NAMES["Arabic"].split()[0], 60)) == 0


def columns_without_ink(mask: Image.Image) -> int:
    """Gaps between letters."""
    mask = mask.crop(mask.getbbox())
    return sum(mask.crop((x, 0, x + 1, mask.height)).getbbox() is None for x in range(mask.width))


def test_what_reads_from_right_to_left_begins_at_the_right() -> None:
    broad, word = text_mask("ש", 60), text_mask("שי", 60)
    right = word.crop((word.width - broad.width + 3, 0, *word.size))
    left = word.crop((0, 0, broad.width - 3, word.height))
    assert columns_without_ink(right) == 0 < columns_without_ink(left)


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_name_that_cannot_be_drawn_is_known_to_be_none(name: str) -> None:
    assert not legible(name)


@pytest.mark.parametrize(
    ("name", "written"),
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
def test_of_other_names_what_can_be_drawn_is(name: str, written: str) -> None:
    assert printable(name) == written
    assert legible(name)


def test_without_a_layout_for_them_letters_that_join_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "has_complex_layout", lambda: False)
    unkept = unwrap(lettering.printable)
    for script in ("Arabic", "Hebrew", "Thai", "Hindi"):
        assert unkept(NAMES[script]) == ""
    assert unkept(NAMES["Chinese"]) == NAMES["Chinese"]
    assert unkept("Ana") == "Ana"


def test_plain_words_are_written_in_the_one_font() -> None:
    assert runs("Ana 12 −3 ×4 …") == [(MAIN_FONT, "Ana 12 −3 ×4 …", False)]


def test_a_name_of_two_scripts_stands_on_one_line() -> None:
    mixed, latin = text_mask("Ana 李", 40), text_mask("Ana", 40)
    assert latin.width < mixed.width < latin.width + 80
    assert [part.text for part in runs("Ana 李")] == ["Ana ", "李"]


@pytest.mark.parametrize("script", NAMES)
def test_a_long_name_is_cut_to_fit(script: str) -> None:
    short = fitted(NAMES[script] * 8, 32, 200)
    assert short.endswith("…")
    assert 100 < text_mask(short, 32).width <= 200
