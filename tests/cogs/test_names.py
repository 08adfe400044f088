"""Display names in messages: escaping, isolation of right-to-left text, truncation, marks, and namesakes.

Two players of the same name get the last four digits of their user ids, as in "Ana #1234".
"""

import unicodedata
from dataclasses import replace

import pytest

from cogs.commands.records import read_bytes, record_of, shown_game
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.names import (
    MARKS,
    others_at,
    pictured_names,
    plain_names,
    player_name,
    safe,
    safe_title,
    seat_name,
    seat_names,
)
from cogs.words.story import aloud
from engine import begin
from engine.carcassonne import Position, new_setup
from engine.notation.records import format_record
from host import Person, Table, setup_of
from tests.cogs.positions import LONG_NAMES, game_of


@pytest.mark.parametrize(
    "name",
    ["**bold**", "`code`", "[x](https://example.org)", "<@123456789012345678>", "# head", "||hidden||", "<t:0:R>"],
)
def test_markup_and_mentions_in_a_name_are_escaped(name: str) -> None:
    escaped = safe(name)
    for character in "*`[]()<#|_~":
        for index, letter in enumerate(escaped):
            assert letter != character or escaped[index - 1] == "\\"


def test_the_name_everyone_is_escaped() -> None:
    assert "@everyone" not in safe("@everyone")
    assert "@here" not in safe("@here")


def test_ordinary_names_are_unchanged() -> None:
    assert safe("Ana Nováková 7") == "Ana Nováková 7"


def test_escaping_at_most_doubles_a_name() -> None:
    assert all(len(safe(name)) <= 64 for name in LONG_NAMES)


def test_the_marks_of_six_players_differ() -> None:
    assert len(set(MARKS)) == 6


def test_an_unrenderable_name_is_replaced_by_the_seat_number_in_pictures() -> None:
    position = Position(new_setup(players=3, seed="1"))
    game = game_of(position, ("李小龙", "💥", "Ana 💥"))
    assert pictured_names(game) == ["李小龙", t("picture.player", number=2), "Ana 💥"]
    assert plain_names(game) == ["李小龙", "💥", "Ana 💥"]


def test_control_characters_in_a_name_are_removed() -> None:
    assert safe("A\u202en\u2066a\n\u200b# x") == r"Ana \# x"


@pytest.mark.parametrize("name", ["يوسف", "דנה 7", "Ana يوسف"])
def test_a_right_to_left_name_does_not_reorder_adjacent_text(name: str) -> None:
    isolated = f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    assert safe(name) == isolated
    for language in languages():
        with speaking(language):
            text = t("story.scored", player=safe(name), count=4, kind=t("feature.city"), reason="")
            assert isolated in text
            assert aloud(text) == text


def test_names_are_cleaned_in_messages_alt_texts_pictures_and_records() -> None:
    """All texts take names from the game, which stores them cleaned."""
    names = ["A\u202ena", "B\u2067e\nn"]
    game = replace(game_of(Position(new_setup(players=2, seed="1"))), seats=tuple(map(Person, (1, 2), names)))
    assert seat_names(game) == plain_names(game) == pictured_names(game) == ["Ana", "Be n"]
    table = Table(game, begin(setup_of(game)), ())
    text = format_record(record_of(table))
    assert not [character for character in text if unicodedata.category(character) == "Cf"]
    forged = text.replace('"Ana"', '"A\u202ena\u200f"')
    assert forged != text
    opened = read_bytes(forged.encode())
    assert opened.names == ("Ana", "Be n")
    assert plain_names(shown_game(opened)) == ["Ana", "Be n"]


def test_players_of_one_name_are_distinguished_by_numbers() -> None:
    game = replace(
        game_of(Position(new_setup(players=3, seed="1"))),
        seats=(Person(81234, "Ana"), Person(95678, "ana"), Person(3, "Ben")),
    )
    distinct_names = ["Ana #1234", "ana #5678", "Ben"]
    assert plain_names(game) == pictured_names(game) == distinct_names
    assert seat_names(game) == [safe(name) for name in distinct_names]
    assert [seat_name(game, seat) for seat in range(3)] == seat_names(game)
    assert others_at(game, 81234) == distinct_names[1:]
    assert [player_name(game, person.user_id) for person in game.seats] == distinct_names
    assert player_name(game, 4) == ""
    assert safe(distinct_names[1]) in safe_title(game, 3)
    assert player_name(replace(game, seats=game.seats[1:]), 95678) == "ana"
