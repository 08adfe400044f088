"""The phantom in the composer, on the card and in words: a question for a second figure on the tile just laid.

The plans place a tile on N13, beside the start tile on M13; "with:phantom" is the switch to the phantom alone.
"""

from __future__ import annotations

from typing import Any

import pytest

from cogs.games.presenters import presenter_of
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op
from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from cogs.words.names import capital
from cogs.words.story import score_table
from cogs.words.typed_moves import typed_actions, typed_moves
from engine import Pass, parse_action
from engine.carcassonne import Position
from engine.carcassonne.expansions import BCB, INNS_CATHEDRALS, PHANTOM, TRADERS_BUILDERS
from engine.carcassonne.expansions.phantom import DeployPhantom, PutPhantom
from gallery.built_positions import arrange
from renderers import DAY
from tests.cogs.positions import game_of
from tests.cogs.test_traders_builders import ROAD_NAME, labels, panel

LANGUAGES = [language.code for language in offered_languages()]
"""Codes of the offered languages."""
ROAD, NORTH, SOUTH = f"A {capital(ROAD_NAME)}", "C Field N", "D Field S"
"""Labels of the places beside a knight on the tile of the tests."""


def table(**changes: Any) -> Position:
    """Return a position in which the tile in hand completes an empty road and an empty city of the board."""
    values = {
        "players": 2,
        "tiles": ["base/A 0,0 270", "base/A 2,0 90", "base/E 1,-1 180"],
        "hand": "base/D",
        "pile": ["base/U"] * 3,
        "expansions": (PHANTOM,),
    }
    return arrange(**{**values, **changes})


def asked() -> Position:
    """Return the position in which the card asks for the phantom."""
    position = table()
    for action in ("N13/0", "@city.N"):
        position.apply(parse_action(action))
    assert isinstance(position.step, DeployPhantom)
    return position


def test_after_a_figure_the_composer_asks_for_the_phantom_with_the_letters_of_before() -> None:
    first = labels(panel(table(), "N13/0"))
    assert [label for label in first if label[:2] in ("A ", "B ", "C ", "D ")] == [
        f"A {capital(ROAD_NAME)} · +3",
        "B City N · +4",
        "C Field N",
        "D Field S",
    ]
    question = panel(table(), first["B City N · +4"])
    assert t("panel.phantom") in question.text
    assert labels(question) == {
        f"{ROAD} · +3": "N13/0 @city.N phantom:road.E",
        NORTH: "N13/0 @city.N phantom:field.EL",
        SOUTH: "N13/0 @city.N phantom:field.ER",
        t("button.no_phantom"): "N13/0 @city.N pass",
        t("button.leave_open"): "N13/0 @city.N",
        t("button.change"): "N13/0",
    }
    assert [(place.letter, place.segment.name, place.figure) for place in question.further_places] == [
        ("A", "road.E", ""),
        ("C", "field.EL", ""),
        ("D", "field.ER", ""),
    ]


def test_the_question_tells_what_the_move_scores_without_the_phantom() -> None:
    question = panel(table(), "N13/0 @city.N")
    assert "**Ana +4** for a city" in question.text
    assert "**Ana +3**" in panel(table(), "N13/0 @city.N phantom:road.E").text


def test_the_picture_shows_both_figures_and_says_so() -> None:
    position = table()
    presenter = presenter_of(position)
    (asking,) = presenter.composer_pictures(position, panel(position, "N13/0 @city.N"), DAY)
    (chosen,) = presenter.composer_pictures(position, panel(position, "N13/0 @city.N phantom:road.E"), DAY)
    assert asking.alt.endswith("with your follower: B, city N. Letters show where another figure can go")
    assert chosen.alt.endswith(f"with your follower: B, city N. Your phantom: A, {ROAD_NAME}")
    assert asking.picture.data != chosen.picture.data


def test_the_phantom_alone_is_chosen_by_a_switch_and_nothing_is_asked_after_it() -> None:
    switched = labels(panel(table(), "N13/0 with:phantom"))
    assert switched["B Phantom: City N · +4"] == "N13/0 phantom@city.N"
    confirming = panel(table(), "N13/0 phantom@city.N")
    assert labels(confirming)[t("button.confirm")] == "N13/0 phantom@city.N"


def test_without_a_figure_nothing_is_asked() -> None:
    assert labels(panel(table(), "N13/0 pass"))[t("button.confirm")] == "N13/0 pass"


def test_with_the_phantom_on_the_board_an_ordinary_move_takes_no_further_press() -> None:
    position = table(supply={PHANTOM: [0, 1]})
    assert labels(panel(position, "N13/0 @city.N"))[t("button.confirm")] == "N13/0 @city.N"


def test_the_card_asks_if_the_question_is_left_open() -> None:
    text = panel(table(), "N13/0 @city.N open").text
    assert t("panel.then_phantom_own") in text
    position = asked()
    presenter = presenter_of(position)
    assert presenter.headline(("Ana", "Ben"), position, "Ana") == "Ana may also place the phantom on N13"
    offers = presenter.offers(position)
    assert [offer.label for offer in offers] == [ROAD.removeprefix("A "), "Field N", "Field S", t("button.no_phantom")]
    assert presenter.commits_least(position, Pass())
    assert not presenter.commits_least(position, PutPhantom("road.E"))


def test_a_town_is_asked_about_after_the_phantom() -> None:
    position = table(expansions=(BCB, PHANTOM))
    question = panel(position, "N13/0 @city.N phantom:road.E")
    assert t("button.castle") in labels(question)


def test_the_move_is_told_with_both_figures() -> None:
    position = table()
    text = "N13/0 @city.N phantom:road.E"
    assert [move.text for move in typed_moves(presenter_of(position), position, "N13 follower city", 9)] == [
        "N13/0 @city.N"
    ]
    assert [str(action) for action in typed_actions(presenter_of(position), position, text)] == text.split()
    assert f"follower on city N, phantom on {ROAD_NAME}" in panel(position, text).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_the_question_and_its_answers(language: str) -> None:
    position = asked()
    presenter = presenter_of(position)
    with speaking(language):
        words = [presenter.action_words(position, action) for action in position.legal_actions]
        assert len(set(words)) == len(words) == 4
        assert len({offer.label for offer in presenter.offers(position)}) == 4
        assert "N13" in presenter.headline(("Ana", "Ben"), position, "Ana")


def test_players_who_listen_get_the_same_answers_in_the_same_order() -> None:
    seen = labels(panel(table(), "N13/0 @city.N"))
    with speaking("en", listens=True):
        heard = labels(panel(table(), "N13/0 @city.N"))
    assert list(heard.values()) == list(seen.values())
    assert list(heard)[:3] == ["Road east and west · +3", "Field north", "Field south"]


def test_the_score_table_says_whether_the_phantom_is_at_home() -> None:
    position = table(followers=["0 0,0 monastery phantom"])
    ana, ben = score_table(presenter_of(position), game_of(position), position).splitlines()
    assert t("piece.phantom_out") in ana
    assert t("piece.phantom_home") in ben


def test_every_button_fits_with_all_boxes() -> None:
    """The longest plan: a tile with a bridge, the longest figure, and the phantom."""
    position = table(expansions=(BCB, TRADERS_BUILDERS, INNS_CATHEDRALS, PHANTOM))
    for first in ("N13/0 ~N12WE big-follower@city.N", "N13/0 ~N12WE @field.EL"):
        for row in panel(position, first).offers:
            for offer in row:
                key = Key(Op.PLAN, "K7QX2", 1234, offer.argument)
                assert len(str(key)) <= MAX_CUSTOM_ID_LENGTH
