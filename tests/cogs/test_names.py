"""Names in messages."""

import pytest

from cogs.texts import t
from cogs.ui.names import MARKS, pictured_names, plain_names, safe
from engine.carcassonne import Position, new_setup
from tests.cogs.positions import LONG_NAMES, game_of


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


def test_a_name_that_no_font_can_write_gives_way_to_the_number_of_the_seat_in_pictures() -> None:
    position = Position(new_setup(players=3, seed="1"))
    game = game_of(position, ("李小龙", "💥", "Ana 💥"))
    assert pictured_names(game) == ["李小龙", t("picture.player", number=2), "Ana 💥"]
    assert plain_names(game) == ["李小龙", "💥", "Ana 💥"]
