"""The abbot in words and buttons: taking him home in the composer, gardens in descriptions, and what a table gets.

*By ear* is a setting for players who use a screen reader: tiles are described in words.
"""

from __future__ import annotations

import pytest

from cogs.commands.table_options import BOX, BOXES, Target, pages
from cogs.games.carcassonne.words import sentence, tile_aloud, tile_words
from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.presenting.turn import Plan
from cogs.texts.languages import offered_languages, speaking
from cogs.words.story import score_table
from cogs.words.typed_moves import typed_moves
from engine import GAMES, parse_action
from engine.carcassonne import Position, tile
from engine.carcassonne.expansions import ABBOT, BCB
from engine.carcassonne.expansions.abbot import AbbotTakenHome, TakeAbbotHome
from engine.events import Event, Scored, Term
from engine.geometry import Cell
from gallery.built_positions import arrange
from host import Preferences
from tests.cogs.positions import game_of
from tests.cogs.test_choosing_options import lobby_of

NAMES = ("Ana", "Ben", "Cleo")
"""Names of the seats 0, 1 and 2."""
LANGUAGES = [language.code for language in offered_languages()]
"""Codes of the offered languages."""
MAX_BUTTON = 80
"""Characters of a button's label."""
HOME = "M12/0 abbot-home"
"""The plan that lays a tile north of the garden and takes the abbot home."""


def table(**values: object) -> Position:
    """Return a position in which Ana's abbot stands in a garden on M13, with five tiles around it."""
    around = [f"base/B {where}" for where in ("-1,-1", "1,-1", "1,0", "1,1", "-1,1")]
    return arrange(
        **{  # type: ignore[arg-type]  # the arguments of arrange
            "tiles": ["base/N+garden 0,0 180", *around],
            "followers": ["0 0,0 garden abbot"],
            "hand": "base/B",
            "expansions": (ABBOT,),
            **values,
        }
    )


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (AbbotTakenHome(0, Cell(0, 0), "garden"), "Ana takes the abbot home from M13."),
        (Scored(0, 7, "garden", (Term("tiles", 7, 7),), (Cell(0, 0),), final=False), "**Ana +7** for a garden at M13."),
        (
            Scored(1, 4, "garden", (Term("tiles", 4, 4),), (Cell(0, 0),), final=True),
            "**Ben +4** at the end for a garden at M13.",
        ),
        (
            Scored(2, 9, "castle", (Term("garden", 1, 9),), (Cell(0, 0), Cell(0, 1)), final=False),
            "**Cleo +9** for a castle at M13: a garden in the fief.",
        ),
    ],
)
def test_what_happens_is_told(event: Event, told: str) -> None:
    assert sentence(NAMES, event) == told


def test_the_composer_takes_the_abbot_home_and_says_for_how_many_points() -> None:
    position = table()
    panel = compose(presenter_of(position), game_of(position), position, "M12/0", Preferences(confirm=True))
    labels = {offer.argument: offer.label for row in panel.offers for offer in row}
    assert labels[HOME] == "Take the abbot home: garden at M13 · +7"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("listens", [False, True])
def test_its_button_fits_in_every_language_and_for_listeners(language: str, listens: bool) -> None:
    position = table()
    with speaking(language, listens=listens):
        panel = compose(presenter_of(position), game_of(position), position, "M12/0", Preferences(confirm=True))
    (label,) = [offer.label for row in panel.offers for offer in row if offer.argument == HOME]
    assert "+7" in label
    assert len(label) <= MAX_BUTTON


def test_the_confirmation_says_what_the_move_does() -> None:
    position = table()
    panel = compose(presenter_of(position), game_of(position), position, HOME, Preferences(confirm=True))
    assert "take the abbot home: garden at M13" in panel.text
    assert "Ana takes the abbot home from M13." in panel.text
    (confirm, *_) = panel.offers[0]
    assert [parse_action(text) for text in confirm.argument.split()][-1] == TakeAbbotHome()
    assert not panel.figure


def test_taking_him_home_can_be_typed() -> None:
    position = table()
    (move,) = typed_moves(presenter_of(position), position, "M12 abbot home", 10)
    assert move.text == HOME
    assert Plan.parse(HOME).figure == TakeAbbotHome()


def test_nothing_is_offered_while_he_is_at_home() -> None:
    position = table(followers=["0 0,0 garden"], hand="base/B")
    panel = compose(presenter_of(position), game_of(position), position, "M12/0", Preferences(confirm=True))
    assert not [offer for row in panel.offers for offer in row if "abbot-home" in offer.argument]


def test_a_garden_is_named_on_its_tile() -> None:
    kind = tile("base/E+garden")
    assert tile_words(kind) == f"{tile_words(tile('base/E'))}, garden"
    assert "; garden; " in tile_aloud(kind, 90)


def test_the_score_table_says_where_the_abbot_is() -> None:
    position = table()
    ana, ben, _ = score_table(presenter_of(position), game_of(position), position).splitlines()
    assert "abbot on the board" in ana
    assert "abbot on the board" not in ben
    assert "abbot" in ben


def test_a_table_that_adds_the_box_gets_the_tiles_with_gardens_and_loses_them_with_it() -> None:
    lobby = lobby_of("carcassonne", expansions=(BCB,))
    adding = Target(BOXES, BOX, ABBOT)
    assert adding.options(lobby) == {"tile_edition": "c2"}
    assert adding.changed(lobby) == {"tile_edition": ("c1", "c2")}
    added = lobby_of("carcassonne", expansions=adding.expansions(lobby), options=adding.options(lobby))
    assert adding.options(added) == {}
    assert adding.changed(added) == {}


def test_a_box_without_proposals_changes_no_option() -> None:
    lobby = lobby_of("carcassonne", expansions=(BCB,), options={"farmers": False})
    adding = Target(BOXES, BOX, "king-robber")
    assert adding.options(lobby) == {"farmers": False}
    assert adding.changed(lobby) == {}


def test_its_options_are_shown_with_the_box_alone() -> None:
    shown = {
        boxes: {name for page in pages(lobby_of("carcassonne", expansions=boxes)).values() for name in page}
        for boxes in ((ABBOT,), (BCB,), (BCB, ABBOT))
    }
    assert "tile_edition" in shown[ABBOT,]
    assert "castle_garden" not in shown[ABBOT,]
    assert not {"tile_edition", "castle_garden"} & shown[BCB,]
    assert {"tile_edition", "castle_garden"} <= shown[BCB, ABBOT]


def test_every_proposal_is_an_option_of_the_game() -> None:
    game = GAMES["carcassonne"]
    assert {name: dict(proposed) for name, proposed in game.proposals.items()} == {ABBOT: {"tile_edition": "c2"}}
