"""Cleaning of display names: invisible and direction-changing characters are removed, breaks become blanks.

Each character is put before, into and behind a name.
"""

import pytest

from store import Person, clean_text

BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks, embeddings and isolates of bidirectional text."""
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164\u2800\u115f"
"""Characters that show nothing, or only an empty space."""
BREAKS = "\n\r\t\x0b\x00\x1b\x85\u2028\u2029\u00a0\u3000"
"""Line breaks, control characters and unusual blanks."""


@pytest.mark.parametrize("character", [*BIDI, *INVISIBLE], ids=ascii)
def test_direction_marks_and_invisible_characters_are_removed(character: str) -> None:
    assert clean_text(f"{character}A{character}na{character}") == "Ana"
    assert Person(7, f"A{character}na").name == "Ana"


@pytest.mark.parametrize("character", BREAKS, ids=ascii)
def test_line_breaks_and_control_characters_become_one_blank(character: str) -> None:
    assert clean_text(f"{character}Ana{character}{character}Nova{character}") == "Ana Nova"


@pytest.mark.parametrize("name", ["Ana Nováková 7", "李小龍", "يوسف", "Ольга", "नेहा", "🐉 Drake", "O\u0308zil"])
def test_names_of_every_script_are_unchanged(name: str) -> None:
    assert clean_text(name) == name


@pytest.mark.parametrize("name", ["", " ", "\u202e", "\u3164\u200b"])
def test_an_invisible_name_is_replaced_by_digits_of_the_id(name: str) -> None:
    assert Person(123456789, name).name == "#6789"
