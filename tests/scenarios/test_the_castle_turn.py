"""A turn in The Castle (TC-14, TC-15): placing tiles (TC-16 … TC-23) and deploying figures (TC-24 … TC-29).

Two players lay tiles within a castle wall, on whose squares the score track runs. Cells are named by labels such as
``E2``, tiles by ids such as ``D20``; ``"D20 E2 180"`` is a tile, its cell and its rotation (see
``vocabulary_the_castle.py``).

Only paths have to match at the sides of tiles; towers, houses (the buildings) and courts may lie beside any other
feature. Codes such as TC-14 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Deploy, Pass, Place
from engine.events import Completed, Deployed, Returned, Scored, TileDiscarded, TileDrawn, TilePlaced
from engine.the_castle import ROLES, DeployFollower, FeatureKind, PlaceTile, Position, new_setup, wall
from engine.the_castle.events import WallTileTaken
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary import assert_illegal, events_of, legal_segments
from tests.scenarios.vocabulary_the_castle import (
    BLACK,
    PATH_AND_HOUSE,
    PATH_OF_TWO,
    TOWER_OF_FOUR,
    TOWER_OF_THREE,
    WHITE,
    feature,
    legal_placements,
    place_tile,
    placement,
    play_turn,
    scores,
    standing_figures,
)

# -- the turn ---------------------------------------------------------------------------------------------------------


def test_TC_14_a_turn_places_deploys_scores_and_draws() -> None:
    position = arrange(tiles=PATH_OF_TWO, hand="D29", scores=(31, 0), wall_tiles={32: 9}, pile=["D03"])
    assert isinstance(position.step, PlaceTile)
    assert position.player == BLACK
    (placed,) = position.apply(placement("E2"))
    assert isinstance(placed, TilePlaced)
    assert isinstance(position.step, DeployFollower)
    events = position.apply(Deploy("path.N"))
    assert [type(event) for event in events] == [Deployed, Completed, Scored, WallTileTaken, Returned, TileDrawn]
    assert position.player == WHITE
    assert isinstance(position.step, PlaceTile)


def test_TC_14_each_feature_is_scored_before_the_next() -> None:
    position = arrange(
        tiles=PATH_AND_HOUSE,
        hand="D34",
        figures=["0 D12 path.S", "1 C13 house.NR"],
        scores=(31, 36),
        wall_tiles={32: 9, 38: 9},
    )
    events = play_turn(position, "D13")
    types = [type(event) for event in events if isinstance(event, Scored | WallTileTaken)]
    assert types == [Scored, WallTileTaken, Scored, WallTileTaken]


def test_TC_15_the_drawn_tile_is_shown() -> None:
    position = arrange(hand="D03", pile=["D29"])
    events = play_turn(position, "E7")
    (drawn,) = events_of(TileDrawn, events)
    assert drawn.player == WHITE
    assert drawn.tile is position.hand


def test_TC_16_the_first_tile_lies_at_a_start_space() -> None:
    position = arrange(hand="D03")
    assert_illegal(position, placement("G8"))
    assert legal_placements(position, "E7") == {0, 90, 180, 270}
    assert {action.cell.label for action in position.legal_actions} == {"E7", "E2", "J4", "E13"}


def test_TC_17_later_tiles_lie_at_a_tile_or_a_start_space() -> None:
    position = arrange(tiles=["D03 E7"], hand="D03")
    assert legal_placements(position, "J4")
    assert legal_placements(position, "F7")
    assert legal_placements(position, "E8")
    assert_illegal(position, placement("F8"))
    assert_illegal(position, placement("G7"))


def test_TC_18_tiles_do_not_touch_by_corners_alone() -> None:
    position = arrange(tiles=["D03 G8"], hand="D03")
    assert all(legal_placements(position, label) for label in ("G7", "H8", "G9", "F8"))
    assert not any(legal_placements(position, label) for label in ("F7", "H7", "F9", "H9"))


@pytest.mark.parametrize("neighbour", ["D01", "D02", "D03"], ids=["tower", "house", "court"])
@pytest.mark.parametrize("hand", ["D01", "D02", "D03"])
def test_TC_19_buildings_and_courts_meet_freely(neighbour: str, hand: str) -> None:
    position = arrange(tiles=[f"{neighbour} G8"], hand=hand)
    assert legal_placements(position, "G9") == {0, 90, 180, 270}


@pytest.mark.parametrize("neighbour", ["D01", "D02", "D03"], ids=["tower", "house", "court"])
def test_TC_19_a_path_meets_nothing_but_a_path(neighbour: str) -> None:
    position = arrange(tiles=[f"{neighbour} G8"], hand="D29")
    assert legal_placements(position, "G9") == {90, 270}
    assert_illegal(position, placement("G9", 0))


def test_TC_19_a_pathless_edge_does_not_meet_a_path() -> None:
    position = arrange(tiles=["D29 G8"], hand="D03")
    assert not legal_placements(position, "G9")
    assert legal_placements(position, "F8") == {0, 90, 180, 270}
    position = arrange(tiles=["D29 G8"], hand="D56")
    assert legal_placements(position, "G9") == {180}
    assert legal_placements(position, "G7") == {0}


@pytest.mark.parametrize("hand", ["D01", "D02", "D03"])
def test_TC_20_every_edge_may_touch_the_wall(hand: str) -> None:
    assert legal_placements(arrange(tiles=["D03 C12"], hand=hand), "C13")


def test_TC_20_the_wall_ends_a_path() -> None:
    position = arrange(tiles=["D03 D12"], hand="D56")
    assert 0 in legal_placements(position, "D13")
    place_tile(position, "D13", 0)
    assert feature(position, "D13", "path.S").complete


def test_TC_20_a_start_space_is_like_a_tile() -> None:
    assert legal_placements(arrange(hand="D56"), "C11") == {90}
    assert legal_placements(arrange(hand="D56"), "H2") == {180}
    assert legal_placements(arrange(hand="D56"), "E7") == {0, 180, 270}
    assert not legal_placements(arrange(hand="D03"), "C11")
    assert legal_placements(arrange(hand="D48"), "C11")
    assert not legal_placements(arrange(hand="D48"), "E7")


def test_TC_20_the_wall_beside_a_start_space_accepts_every_edge() -> None:
    """C10 and C12 lie beside plain wall, above and below the cell of a start space."""
    assert legal_placements(arrange(tiles=["D29 C11 90"], hand="D56"), "C12") == {0, 90, 270}


def test_TC_21_paths_that_meet_are_joined() -> None:
    position = arrange(tiles=["D29 G8", "D46 G9"])
    assert feature(position, "G8", "path.N") == feature(position, "G9", "path.E")


COURTS_AT_START_SPACES = [f"D03 {start.inside.label}" for start in wall().starts]
"""Courts at all start spaces, which a tile can touch only with a side without a path."""


def test_TC_22_a_tile_without_a_place_is_discarded() -> None:
    position = arrange(tiles=COURTS_AT_START_SPACES, hand="D03", pile=["D48", "D03"])
    events = play_turn(position, "E8")
    assert [type(event) for event in events] == [TilePlaced, TileDrawn, TileDiscarded, TileDrawn]
    (discarded,) = events_of(TileDiscarded, events)
    assert (discarded.player, discarded.tile.id) == (WHITE, "castle/D48")
    assert position.player == WHITE
    assert position.hand is not None
    assert position.hand.id == "castle/D03"
    assert position.pile_left == 0


def test_TC_22_the_turn_ends_when_no_tile_is_left() -> None:
    position = arrange(tiles=COURTS_AT_START_SPACES, hand="D03", pile=["D48", "D48"])
    events = play_turn(position, "E8")
    assert len(events_of(TileDiscarded, events)) == 2
    assert position.is_over


def test_TC_23_tiles_stay_within_the_wall() -> None:
    position = arrange(tiles=["D03 E7"], hand="D03")
    for square in wall().squares:
        assert_illegal(position, Place(square.cell, 0))
    assert_illegal(position, placement("C7"))
    assert_illegal(position, placement("A14"))
    assert_illegal(position, placement("-A1"))
    inside = set(wall().interior)
    assert len(inside) == 76
    assert all(action.cell in inside for action in position.legal_actions)


# -- figures ----------------------------------------------------------------------------------------------------------


def test_TC_24_one_figure_a_turn_on_the_tile_just_placed() -> None:
    position = place_tile(arrange(tiles=["D43 G8"], hand="D43", pile=["D07", "D03"]), "G9", 90)
    assert_illegal(position, Deploy("path.N"))
    position.apply(Deploy("tower.NL"))
    assert isinstance(position.step, PlaceTile)
    assert position.player == WHITE
    assert position.supply["follower"] == [5, 6]
    assert standing_figures(position) == {(BLACK, "G9", "tower.NL")}

    place_tile(position, "E7")
    assert legal_segments(position) == {"tower.NL", "court.ER"}, "nothing on G9, where three features are free"
    assert_illegal(position, Deploy("house.ER"))
    position.apply(Deploy("tower.NL"))
    assert position.supply["follower"] == [5, 5]
    assert standing_figures(position) == {(BLACK, "G9", "tower.NL"), (WHITE, "E7", "tower.NL")}


def test_TC_24_a_figure_comes_from_the_players_own_supply() -> None:
    position = place_tile(arrange(hand="D43", supply=(0, 6)), "E7")
    assert list(position.legal_actions) == [Pass()]
    assert_illegal(position, Deploy("tower.NL"))


def test_TC_25_a_role_for_each_kind_of_feature() -> None:
    position = place_tile(arrange(hand="D43"), "E7")
    assert legal_segments(position) == {"path.N", "tower.NL", "house.NR", "court.ER"}
    assert [ROLES[FeatureKind(spot.partition(".")[0])] for spot in sorted(legal_segments(position))] == [
        "merchant",
        "squire",
        "herald",
        "knight",
    ]


def test_TC_25_a_court_without_a_market_has_merchants_too() -> None:
    assert "court.NL" in legal_segments(place_tile(arrange(hand="D22"), "E7"))


def test_TC_26_a_held_feature_is_not_free_at_any_distance() -> None:
    tiles = ["D02 G8", "D02 H8", "D02 I8"]
    position = place_tile(arrange(tiles=tiles, figures=["1 I8 house.NL"], hand="D23"), "F8")
    assert legal_segments(position) == {"tower.NL", "court.SR"}


def test_TC_26_not_even_its_owner_joins_a_held_feature() -> None:
    position = place_tile(arrange(tiles=["D03 G8"], figures=["0 G8 court.NL"], hand="D22"), "F8")
    assert legal_segments(position) == {"house.SR"}


def test_TC_27_several_figures_meet_by_joining() -> None:
    position = place_tile(arrange(tiles=TOWER_OF_THREE, figures=["0 E2 tower.NR", "1 G2 tower.NL"], hand="D07"), "F2")
    knights = feature(position, "F2", "tower.NL").followers
    assert sorted(knight.player for knight in knights) == [BLACK, WHITE]
    assert legal_segments(position) == {"court.ER"}


def test_TC_28_without_figures_in_supply_none_is_deployed() -> None:
    position = place_tile(arrange(supply=(0, 6), hand="D43"), "E7")
    assert list(position.legal_actions) == [Pass()]


def test_TC_28_returned_figures_can_be_deployed_again() -> None:
    position = arrange(
        tiles=TOWER_OF_FOUR, figures=["0 F8 tower.ER"], supply=(0, 6), hand="D20", pile=["D03", "D22", "D03"]
    )
    play_turn(position, "G9", 90)
    play_turn(position, "E7")
    assert position.player == BLACK
    assert legal_segments(place_tile(position, "E6")) == {"court.NL", "house.SR"}


def test_TC_29_merchants_are_not_returned() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["0 F8 court.NL", "0 F8 tower.ER"], hand="D20", pile=["D03", "D03"])
    events = play_turn(position, "G9", 90)
    assert scores(events) == [(BLACK, "tower", 8)]
    assert standing_figures(position) == {(BLACK, "F8", "court.NL")}
    assert position.supply["follower"] == [5, 6]
    while not position.is_over:
        position.apply(position.legal_actions[0])
    assert (BLACK, "F8", "court.NL") in standing_figures(position)


def test_every_new_game_begins_with_a_tile_to_place() -> None:
    position = Position(new_setup(seed="a"))
    assert isinstance(position.step, PlaceTile)
    assert position.hand is position.step.tile
