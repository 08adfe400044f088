"""Options of the base rules and of bridges with values other than the default, and the presets (SU-12).

An option is a point on which editions of the rules differ; a preset has the options of one edition. Positions are
arranged from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation,
``"0 1,0 road.E"`` a follower by seat, cell and segment. Codes such as SU-12 are rules of the rule digest; each test is
named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Deploy, Pass
from engine.carcassonne import Options, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BridgeBuilt, SelectLot
from engine.carcassonne.options import PRESETS
from engine.carcassonne.scoring import field_scores
from engine.events import Deployed
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    assert_illegal,
    base_game,
    bridge,
    events_of,
    feature,
    legal_bridges,
    legal_segments,
    place_tile,
    placement,
    play_turn,
    points,
)

ANY_TIME = Options(bridge_timing="any_time")
"""The option with which bridges may be built at any time of the turn."""
OLD_TOWNS = Options(small_city_points=2)
"""The option by which a city of two tiles scores 2 points."""


def test_BA_17_small_city_points_2() -> None:
    position = base_game(
        players=2,
        options=OLD_TOWNS,
        tiles=["base/E 0,0 180"],
        followers=["1 0,0 city.S"],
        hand="base/E",
        pile=["base/U"],
    )

    assert points(play_turn(position, "0,1")) == [(BLUE, 2)]


def test_BA_17_small_city_points_2_leaves_larger_cities_alone() -> None:
    position = base_game(
        players=2,
        options=OLD_TOWNS,
        tiles=["base/E 0,0 90", "base/F 1,0 0"],
        followers=["1 0,0 city.E"],
        hand="base/E",
        pile=["base/U"],
    )

    assert points(play_turn(position, "2,0", 270)) == [(BLUE, 8)]


def play_last_tile_at_farms(farm_scoring: str, *followers: str, players: int = 2) -> Position:
    """Play the last tile of a game with fields north and south of one finished city; return the position."""
    position = base_game(
        players=players,
        options=Options.of({"farm_scoring": farm_scoring}),
        tiles=["base/E 0,0 90", "base/G 1,0 0", "base/E 2,0 270"],
        followers=list(followers),
        hand="base/B",
        pile=[],
    )
    play_turn(position, "3,0")
    return position


NORTH, SOUTH, WEST = "1,0 field.NL", "1,0 field.SL", "0,0 field.NL"
"""Three fields beside the same city."""


def test_BA_30_a_player_scores_a_city_once() -> None:
    assert play_last_tile_at_farms("farm3_once_per_city", f"0 {NORTH}", f"0 {SOUTH}").scores == [3, 0]


def test_BA_30_several_players_each_score_it() -> None:
    assert play_last_tile_at_farms("farm3_once_per_city", f"0 {NORTH}", f"1 {SOUTH}", f"1 {WEST}").scores == [3, 3]


def test_BA_31_four_to_the_majority_around_each_city() -> None:
    followers = [f"0 {NORTH}", f"0 {SOUTH}", f"1 {WEST}"]

    assert play_last_tile_at_farms("city4", *followers).scores == [4, 0]
    assert play_last_tile_at_farms("farm3", *followers).scores == [6, 3]


def test_BA_31_tied_farmers_both_score_a_city() -> None:
    assert play_last_tile_at_farms("city4", f"0 {NORTH}", f"1 {SOUTH}", players=3).scores == [4, 4, 0]


@pytest.mark.parametrize(("north", "south"), [(RED, BLUE), (BLUE, RED)])
def test_BA_31_each_score_names_the_field_of_its_farmer(north: int, south: int) -> None:
    position = play_last_tile_at_farms("city4", f"{north} {NORTH}", f"{south} {SOUTH}")
    fields = {score.player: position.land.segment_of(score.field)[1].name for score in field_scores(position)}
    assert fields == {north: "field.NL", south: "field.SL"}


def test_BA_31_the_majority_is_counted_for_each_city() -> None:
    position = base_game(
        players=2,
        options=Options(farm_scoring="city4"),
        tiles=["base/B 0,0 0", "base/E 1,0 90", "base/E 2,0 270", "base/E -1,0 270", "base/E -2,0 90"],
        followers=["0 0,0 field.NL", "1 2,0 field.NL", "1 2,0 field.NL"],
        hand="base/B",
        pile=[],
    )

    play_turn(position, "0,1")

    assert position.scores == [4, 4]  # Red the western town, Blue the eastern one


def test_BA_32_without_farmers_no_field_is_offered() -> None:
    position = base_game(
        players=2, options=Options(farmers=False), tiles=["base/D 0,0 0"], hand="base/A", pile=["base/U"]
    )

    place_tile(position, "1,0", 90)

    assert legal_segments(position) == {"monastery", "road.W"}
    assert_illegal(position, Deploy("field.NL"))


@pytest.mark.parametrize(("farm_scoring", "castle_points"), [("city4", 5), ("farm3", 4)])
def test_BA_39_a_castle_is_worth_one_more_than_a_city(farm_scoring: str, castle_points: int) -> None:
    position = arrange(
        players=2,
        options=Options.of({"farm_scoring": farm_scoring}),
        tiles=["base/E 0,0 180", "base/E 0,1 0"],
        castles=["1 0,0 0,1"],
        followers=["0 0,0 field.NL"],
        hand="base/B",
        pile=[],
    )

    play_turn(position, "0,2")

    assert position.scores == [castle_points, 0]


def test_BR_02_per_turn_a_bought_tile_is_a_turn_of_its_own() -> None:
    position = arrange(
        players=2,
        options=Options(bridge_limit_scope="per_turn"),
        tiles=["base/D 0,0 0"],
        hand="bcb/FFFF",
        pile=["base/B", "base/B", "base/U", "base/U"],
    )

    place_tile(position, "1,0", aid="1,0 WE")
    assert legal_bridges(position) == set()
    position.apply(Pass())
    auction_for_nothing(position)
    play_turn(position, "2,0", aid="2,0 WE")  # Blue
    play_turn(position, "3,0", aid="3,0 WE")  # Red again

    assert position.supply["bridge"] == [1, 2]


def auction_for_nothing(position: Position) -> None:
    """Finish a bazaar of two players: the selector takes the first lot for 0, the other player the second."""
    position.apply(SelectLot(1, 0))
    position.apply(Pass())


def test_BR_14_a_bridge_after_the_follower() -> None:
    position = arrange(players=2, options=ANY_TIME, tiles=["base/B 0,0 0"], hand="base/A", pile=["base/U"] * 3)

    place_tile(position, "1,0").apply(Deploy("road.S"))
    assert position.player == RED
    assert legal_bridges(position) == {"0,0 NS"}
    events = position.apply(bridge("0,0 NS"))

    assert events_of(BridgeBuilt, events)
    assert position.supply["bridge"] == [2, 3]


def test_BR_14_a_bridge_before_the_follower_as_well() -> None:
    position = arrange(players=2, options=ANY_TIME, tiles=["base/B 0,0 0"], hand="base/B", pile=["base/U"] * 3)

    events = play_turn(position, "1,0", build="1,0 NS", deploy="road.N")

    assert events_of(Deployed, events)
    assert feature(position, "1,0", "road.N").owners == (RED,)


def test_BR_14_one_bridge_before_or_after_the_follower() -> None:
    position = arrange(players=2, options=ANY_TIME, tiles=["base/B 0,0 0"], hand="base/B", pile=["base/U"] * 3)

    place_tile(position, "1,0", build="0,0 NS").apply(Deploy("monastery"))

    assert legal_bridges(position) == set()
    assert position.player == BLUE


def test_BR_14_a_bridge_needed_by_the_placement_cannot_wait() -> None:
    position = arrange(players=2, options=ANY_TIME, tiles=["base/D 0,0 0"], hand="base/B", pile=["base/U"] * 3)

    assert_illegal(position, placement("1,0", 0))


FIRST_EDITION = {"bridge_timing": "any_time", "bridge_limit_scope": "per_turn"}
"""The options of the first edition."""
SECOND_EDITION = {"tile_edition": "c2", "wagon_move": "c2"}
"""The options of other boxes in the second edition."""
EDITIONS = {
    "standard": {},
    "c1_hig": FIRST_EDITION,
    "c1_rgg": FIRST_EDITION,
    "c1_zmg": {
        "bazaar_bid_limit": "own_score",
        "bazaar_all_zero_fallback": "draft",
        "castle_town_shape": "city_ends",
        **FIRST_EDITION,
    },
    "bb3_rgg": {"bazaar_next_selector": "same_until_served", "castle_fairy": "allowed", **FIRST_EDITION},
    "pl_2010": FIRST_EDITION,
    "c2_hig": {**SECOND_EDITION, "castle_conversion_trigger": "own_tile_only", "castle_fairy": "allowed"},
    "c2_zmg": {
        **SECOND_EDITION,
        "castle_town_shape": "any_two_tiles",
        "castle_conversion_trigger": "own_tile_only",
        "castle_simultaneous_choice": "order_first",
        "castle_fairy": "allowed",
    },
}
"""The presets as differences from the defaults (section 9c of the rule digest, without options of messages)."""


@pytest.mark.parametrize("name", EDITIONS)
def test_SU_12_the_preset_of_an_edition(name: str) -> None:
    assert PRESETS[name].differences() == EDITIONS[name]


def test_SU_12_there_are_no_other_presets() -> None:
    assert PRESETS.keys() == EDITIONS.keys()
