"""Names in one line."""

import pytest

from store import Person, cleaned

BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164\u2800\u115f"
BREAKS = "\n\r\t\x0b\x00\x1b\x85\u2028\u2029\u00a0\u3000"


@pytest.mark.parametrize("sign", [*BIDI, *UNSEEN], ids=ascii)
def test_what_turns_or_hides_words_is_left_out(sign: str) -> None:
    assert cleaned(f"{sign}A{sign}na{sign}") == "Ana"
    assert Person(7, f"A{sign}na").name == "Ana"


@pytest.mark.parametrize("sign", BREAKS, ids=ascii)
def test_what_breaks_a_line_or_a_word_is_a_blank(sign: str) -> None:
    assert cleaned(f"{sign}Ana{sign}{sign}Nova{sign}") == "Ana Nova"


@pytest.mark.parametrize("name", ["Ana Nováková 7", "李小龍", "يوسف", "Ольга", "नेहा", "🐉 Drake", "O\u0308zil"])
def test_names_of_every_script_stay(name: str) -> None:
    assert cleaned(name) == name


@pytest.mark.parametrize("name", ["", " ", "\u202e", "\u3164\u200b"])
def test_who_has_no_name_that_is_seen_goes_by_a_number(name: str) -> None:
    assert Person(123456789, name).name == "#6789"
