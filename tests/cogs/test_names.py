"""Names in messages."""

import pytest

from cogs.ui.names import MARKS, safe
from tests.cogs.positions import LONG_NAMES


@pytest.mark.parametrize(
    "name",
    ["**bold**", "`code`", "[x](https://example.org)", "<@123456789012345678>", "# head", "||hidden||", "<t:0:R>"],
)
def test_nothing_in_a_name_formats_or_mentions(name: str) -> None:
    shown = safe(name)
    for sign in "*`[]()<#|_~":
        for index, letter in enumerate(shown):
            assert letter != sign or shown[index - 1] == "\\"


def test_nobody_is_called_everyone() -> None:
    assert "@everyone" not in safe("@everyone")
    assert "@here" not in safe("@here")


def test_ordinary_names_stay() -> None:
    assert safe("Ana Nováková 7") == "Ana Nováková 7"


def test_a_long_name_at_most_doubles() -> None:
    assert all(len(safe(name)) <= 64 for name in LONG_NAMES)


def test_six_different_marks() -> None:
    assert len(set(MARKS)) == 6
