"""The River II in words: its tiles, the tile that follows the lake, the herd of pigs among the points of a field."""

from __future__ import annotations

import pytest

from cogs.commands.table_options import pages
from cogs.games.carcassonne.words import sentence, tile_aloud, tile_words
from cogs.games.presenters import presenter_of
from cogs.presenting.ids import Op
from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from engine import parse_action
from engine.carcassonne import Options, Position, tile, tile_set
from engine.carcassonne.expansions import BCB, RIVER, RIVER_TWO, TRADERS_BUILDERS
from engine.carcassonne.expansions.river_two import VolcanoReached
from engine.events import Scored, Term
from gallery.built_positions import arrange
from tests.cogs.test_choosing_options import lobby_of
from tests.cogs.test_traders_builders import labels, panel

NAMES = ("Ana", "Ben", "Cleo")
"""Names of the seats 0, 1 and 2."""
LANGUAGES = [language.code for language in offered_languages()]
"""Codes of the offered languages."""


def at_the_lake() -> Position:
    """Return a position in which Ana lays the lake."""
    return arrange(
        tiles=["r2/FIFF 0,0", "r2/IIFI 1,0"], hand="r2/FFFI", pile=["base/B", "base/U"], expansions=(RIVER_TWO,)
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("r2/FIFF", "spring of the river"),
        ("r2/IIFI", "fork of the river"),
        ("r2/FFFI", "lake in which the river ends, volcano in the lake"),
        ("r2/FCFI", "semicircular city, river that ends at the city"),
        ("r2/IFFI", "bend of the river, herd of pigs on the larger field"),
        ("river/FFFI", "lake in which the river ends"),
    ],
)
def test_its_tiles_in_words(name: str, told: str) -> None:
    words = tile_words(tile(name))
    assert words == told or words.split(", ")[1:] == told.split(", ")[1:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_its_tiles_apart(language: str) -> None:
    with speaking(language):
        kinds = [*tile_set(RIVER_TWO).values(), tile("river/FFFI")]
        assert len({tile_words(kind) for kind in kinds}) == len(kinds)
        assert len({tile_aloud(kind, 0) for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_that_another_tile_follows(language: str) -> None:
    with speaking(language):
        assert "Ana" in sentence(NAMES, VolcanoReached(0))


def test_the_points_of_a_field_name_the_herd() -> None:
    score = Scored(0, 8, "field", (Term("cities", 2, 6), Term("pig-herd", 2, 2)), (), final=True)
    assert "the herd of pigs for 2 of them" in sentence(NAMES, score)


def test_the_composer_offers_no_figure_at_the_lake() -> None:
    laid = panel(at_the_lake(), "O13/0")
    (confirm,) = [label for label, argument in labels(laid).items() if argument.startswith("O13/0 pass")]
    assert confirm == t("button.no_follower")
    assert laid.figure_places == []
    assert laid.offers[-1][0].op is Op.GO


def test_the_move_tells_that_another_tile_follows() -> None:
    position = at_the_lake()
    told = [sentence(NAMES, event) for text in ("O13/0", "pass") for event in position.apply(parse_action(text))]
    assert t("story.another_tile", player="Ana") in told


@pytest.mark.parametrize("boxes", [(RIVER_TWO, TRADERS_BUILDERS), (TRADERS_BUILDERS, RIVER_TWO)])
def test_the_builder_is_not_thanked_for_the_tile_after_the_lake(boxes: tuple[str, ...]) -> None:
    """The lake is the second tile of a double turn; the tile after it is due to the lake (RT-12)."""
    position = arrange(
        tiles=["r2/FIFF 0,0", "r2/IIFI 1,0", "base/U 2,1 90"],
        followers=["0 2,1 road.N", "0 2,1 road.N builder"],
        hand="r2/CIRI",
        pile=["r2/FFFI", "base/B", "base/U"],
        expansions=boxes,
    )
    presenter = presenter_of(position)
    headlines = []
    for text in ("O13/0", "pass", "P13/0", "pass"):
        position.apply(parse_action(text))
        headlines.append(presenter.headline(NAMES, position, "Ana"))
    assert position.player == 0
    assert headlines[1] == t("headline.place_second", player="Ana", turn=2, tile=tile_words(tile("r2/FFFI")))
    assert headlines[3] == t("headline.place", player="Ana", turn=3, tile=tile_words(tile("base/B")))


def test_its_options_are_shown_with_the_box_alone() -> None:
    names = {"river2_last_tile", "pig_herd_needs_traders"}
    with_box = pages(lobby_of("carcassonne", expansions=(RIVER_TWO,)))
    without = pages(lobby_of("carcassonne", expansions=(BCB, RIVER)))
    assert names <= {name for page in with_box.values() for name in page}
    assert not names & {name for page in without.values() for name in page}


def test_its_rules_in_short_stand_beside_those_of_the_first_river() -> None:
    summary = list(presenter_of(at_the_lake()).rules_summary((RIVER, RIVER_TWO)))
    assert t("rules.river-two") in summary


@pytest.mark.parametrize(
    ("needs", "further", "idle"), [(True, (), True), (True, (TRADERS_BUILDERS,), False), (False, (), False)]
)
def test_a_herd_that_does_not_count_is_said_to_be_idle(*, needs: bool, further: tuple[str, ...], idle: bool) -> None:
    """Rule RT-17: by an option, a herd counts only where the pig is in play."""
    options = Options(pig_herd_needs_traders=needs)
    position = arrange(tiles=["r2/FIFF 0,0"], hand="r2/IFFI", options=options, expansions=(RIVER_TWO, *further))
    assert (t("panel.idle_herd") in panel(position, "").text) is idle
