"""Placements that need a bridge on the tile or a neighbour (BR-09 … BR-13); times of building (BR-15, BR-37).

A bridge carries a road across a tile. It is written ``"1,0 WE"``: the cell, and the axis from west to east. A tile is
``"base/D 1,0 90"``, by kind, cell (x grows east, y south) and rotation, a follower ``"0 1,0 road.E"``, by seat, cell
and segment. Codes such as BR-09 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Deploy, Pass, Place
from engine.carcassonne import Decline
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarOpened, Bid, BridgeBuilt, SelectLot, Sell
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import tile
from engine.events import TileDiscarded, TileDrawn, TilePlaced
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    assert_illegal,
    cell,
    events_of,
    feature,
    fits_without_bridge,
    legal_bridges,
    legal_placements,
    may_decline,
    place_tile,
    placement,
    play_turn,
    tile_count,
)

SPARE_TILES = ["base/U"] * 3
"""Tiles in the pile, so that the game does not end."""
CROSSING = ["base/X 0,0 0"]
"""A crossing of four roads alone. Beside it, a tile with only fields needs a bridge."""


def test_BR_09_placed_tile_carries_the_bridge() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/B", pile=["base/U", "base/V"])

    assert_illegal(position, placement("1,0", 0))
    place_tile(position, "1,0", aid="1,0 WE")

    road = feature(position, "0,0", "road.E")
    assert tile_count(road) == 2
    assert road.open_ends == 2
    position.apply(Pass())
    assert "0" in legal_placements(position, "2,0")  # the bridge continues there: a straight road fits


@pytest.mark.parametrize("where", ["0,0", "5,5"])
def test_BR_09_a_bridge_brings_no_tile_where_none_may_lie(where: str) -> None:
    """The cell is occupied, or touches no tile."""
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/B", pile=SPARE_TILES)

    assert_illegal(position, placement(where, 0, aid=f"{where} WE"))


def test_BR_10_a_neighbour_carries_the_bridge() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0", "base/B 0,1 0"], hand="base/U", pile=SPARE_TILES)

    assert legal_placements(position, "1,1") == {"0 with 0,1 WE", "90", "180 with 0,1 WE", "270"}
    assert_illegal(position, placement("1,1", 0))
    place_tile(position, "1,1", aid="0,1 WE")

    road = feature(position, "1,1", "road.E")
    assert (tile_count(road), road.open_ends) == (2, 2)
    assert feature(position, "0,1", "road.E") == road


@pytest.mark.parametrize(
    ("far_bridge", "option"), [([], {"90", "270"}), (["-1,1 WE"], {"0 with 0,1 WE", "90", "180 with 0,1 WE", "270"})]
)
def test_BR_10_the_far_end_of_the_bridge_must_rest_too(far_bridge: list[str], option: set[str]) -> None:
    """A field on the tile beyond the far end forbids the bridge (BR-07). Another bridge on that tile permits it."""
    position = arrange(
        players=2,
        tiles=["base/D 0,0 0", "base/B 0,1 0", "bcb/FFFF -1,1 0"],
        bridges=far_bridge,
        hand="base/U",
        pile=SPARE_TILES,
    )

    assert legal_placements(position, "1,1") == option


def test_BR_11_one_bridge_cannot_serve_two_axes() -> None:
    around = ["base/A 0,0 0", "base/B -1,0 0", "base/A -1,1 270"]
    position = arrange(players=2, tiles=around, hand="base/B", pile=SPARE_TILES)

    assert legal_placements(position, "0,1") == set()
    for spot in ("0,1 NS", "0,1 WE"):
        assert_illegal(position, placement("0,1", 0, aid=spot))


def test_BR_11_one_bridge_serves_both_ends_of_its_axis() -> None:
    around = ["base/A 0,0 270", "base/A 2,0 90"]
    position = arrange(players=2, tiles=around, hand="base/B", pile=SPARE_TILES)

    assert {option for option in legal_placements(position, "1,0") if option.startswith("0")} == {"0 with 1,0 WE"}


def test_BR_11_bridges_on_two_tiles_are_not_allowed() -> None:
    around = ["base/B 0,0 0", "base/B 2,0 0"]
    position = arrange(players=2, tiles=around, hand="base/U", pile=SPARE_TILES)

    assert legal_placements(position, "1,0") == {"90", "270"}
    assert_illegal(position, placement("1,0", 0, aid="0,0 WE"))
    assert_illegal(position, placement("1,0", 0, aid="2,0 WE"))


def test_BR_11_the_other_edges_must_match() -> None:
    around = ["base/D 0,0 0", "base/B 1,1 0"]
    position = arrange(players=2, tiles=around, hand="base/E", pile=SPARE_TILES)

    # The bridge carries the road from the west; the cap may look north only, for a field lies in the south.
    assert legal_placements(position, "1,0") == {"0 with 1,0 WE"}
    assert_illegal(position, placement("1,0", 180, aid="1,0 WE"))


def test_BR_12_the_promised_bridge_is_built_with_the_tile() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/B", pile=SPARE_TILES)

    assert_illegal(position, placement("1,0", 0))  # the bridge has to be named with the placement
    events = position.apply(placement("1,0", 0, aid="1,0 WE"))

    assert [type(event) for event in events] == [TilePlaced, BridgeBuilt]
    assert isinstance(position.step, DeployFollower)
    assert position.supply["bridge"] == [2, 3]


def test_BR_12_only_the_bridge_that_is_needed_will_do() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0", "base/B 0,1 0"], hand="base/B", pile=SPARE_TILES)

    assert_illegal(position, placement("1,0", 0, aid="1,0 NS"))
    assert_illegal(position, placement("1,0", 0, aid="0,1 WE"))


def test_BR_13_saving_a_tile_is_voluntary() -> None:
    position = arrange(players=2, tiles=CROSSING, hand="base/B", pile=["base/V", "base/U"])

    assert not fits_without_bridge(position)
    assert legal_placements(position, "1,0")
    assert may_decline(position)
    events = position.apply(Decline())

    assert events_of(TileDiscarded, events) == [TileDiscarded(RED, tile("base/B"), declined=True)]
    assert events_of(TileDrawn, events) == [TileDrawn(RED, tile("base/V"))]
    assert (position.player, position.hand) == (RED, tile("base/V"))
    assert position.supply["bridge"] == [3, 3]


def test_BR_13_a_tile_that_fits_without_a_bridge_cannot_be_declined() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/B", pile=SPARE_TILES)

    assert legal_placements(position, "1,0")
    assert_illegal(position, Decline())


def test_BR_13_a_declined_bazaar_triggers_nothing() -> None:
    position = arrange(players=2, tiles=CROSSING, hand="bcb/FFFF", pile=SPARE_TILES)

    events = list(position.apply(Decline()))
    events += play_turn(position, "1,0")

    assert not events_of(BazaarOpened, events)
    assert isinstance(position.step, PlaceTile)
    assert position.player == BLUE


def test_BR_13_the_next_tile_may_be_declined_as_well() -> None:
    position = arrange(players=2, tiles=CROSSING, hand="base/B", pile=["base/B", "base/U"])

    position.apply(Decline())
    assert (position.player, position.hand) == (RED, tile("base/B"))
    position.apply(Decline())

    assert (position.player, position.hand) == (RED, tile("base/U"))


def test_BR_15_no_bridge_after_the_follower() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/A", pile=SPARE_TILES)

    place_tile(position, "1,0")
    assert legal_bridges(position) == {"0,0 NS"}
    position.apply(Deploy("road.S"))

    assert legal_bridges(position) == set()
    assert position.player == BLUE


def test_BR_28_bridges_may_continue_each_other() -> None:
    position = arrange(
        players=2, tiles=["base/B 0,0 0"], bridges=["0,0 WE"], hand="base/B", pile=["base/B", *SPARE_TILES]
    )

    place_tile(position, "1,0", aid="1,0 WE").apply(Pass())
    road = feature(position, "0,0", "road.E")
    assert (tile_count(road), road.open_ends) == (2, 2)
    place_tile(position, "2,0", aid="2,0 WE")

    assert tile_count(feature(position, "0,0", "road.E")) == 3
    assert position.supply["bridge"] == [2, 2]


def test_BR_31_a_field_may_not_face_the_end_of_a_bridge() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], bridges=["0,0 WE"], hand="base/E", pile=SPARE_TILES)

    assert not [option for option in legal_placements(position, "1,0") if option.startswith("90")]  # field W, city E
    assert_illegal(position, placement("1,0", 90))


def test_BR_31_a_field_may_face_it_if_a_bridge_continues() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], bridges=["0,0 WE"], hand="base/E", pile=SPARE_TILES)

    assert legal_placements(position, "1,0") == {"0 with 1,0 WE", "180 with 1,0 WE"}


def test_BR_31_a_road_may_face_the_end_of_a_bridge() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], bridges=["0,0 WE"], hand="base/U", pile=SPARE_TILES)

    assert {option for option in legal_placements(position, "1,0") if "with" not in option} == {"0", "180"}
    assert {option for option in legal_placements(position, "0,1") if "with" not in option} == {
        "0",
        "180",
    }  # still a field


def test_BR_35_a_bridge_may_span_a_new_part_of_a_city() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/B 0,-1 0", "base/E 1,-1 180"],
        followers=["0 1,-1 city.S"],
        hand="base/G",
        pile=SPARE_TILES,
    )

    place_tile(position, "1,0", 90, aid="1,0 WE")

    city = feature(position, "1,0", "city.N")
    assert (tile_count(city), city.owners) == (2, (RED,))
    road = feature(position, "0,0", "road.E")
    assert (tile_count(road), road.open_ends) == (2, 1)


def test_BR_37_a_bought_tile_may_need_a_bridge_like_any_other() -> None:
    position = arrange(
        players=2, tiles=["base/D 0,0 0"], scores=[10, 10], hand="bcb/FFFF", pile=["base/B", "base/U", *SPARE_TILES]
    )

    play_turn(position, "0,1")
    position.apply(SelectLot(2, 0))
    position.apply(Bid(1))
    position.apply(Sell())  # Red takes the straight road, Blue the monastery
    assert (position.player, position.hand) == (BLUE, tile("base/B"))
    assert "0 with 1,0 WE" in legal_placements(position, "1,0")
    place_tile(position, "1,0", aid="1,0 WE")

    assert position.supply["bridge"] == [3, 2]
    assert legal_bridges(position) == set()


def test_BR_37_each_player_of_a_bazaar_round_may_build_one() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="bcb/FFFF", pile=["base/B", "base/B", *SPARE_TILES])

    place_tile(position, "1,0", aid="1,0 WE").apply(Pass())
    position.apply(SelectLot(1, 0))
    position.apply(Pass())
    play_turn(position, "2,0", aid="2,0 WE")
    play_turn(position, "3,0", aid="3,0 WE")

    assert position.supply["bridge"] == [1, 2]
    assert tile_count(feature(position, "0,0", "road.E")) == 4


def test_BR_38_without_a_bridge_the_tile_has_no_place() -> None:
    position = arrange(
        players=2,
        tiles=CROSSING,
        supply={"bridge": [0, 3]},
        player=BLUE,
        hand="base/X",
        pile=["base/B", "base/V", "base/U"],
    )

    events = play_turn(position, "1,0")

    assert events_of(TileDiscarded, events) == [TileDiscarded(RED, tile("base/B"), declined=False)]
    assert (position.player, position.hand) == (RED, tile("base/V"))


def test_BR_38_with_a_bridge_the_player_chooses() -> None:
    position = arrange(
        players=2,
        tiles=CROSSING,
        supply={"bridge": [1, 3]},
        player=BLUE,
        hand="base/X",
        pile=["base/B", "base/V", "base/U"],
    )

    events = play_turn(position, "1,0")

    assert not events_of(TileDiscarded, events)
    assert (position.player, position.hand) == (RED, tile("base/B"))
    assert may_decline(position)
    placements = [action for action in position.legal_actions if isinstance(action, Place)]
    around = ("-1,0", "0,-1", "0,1", "1,-1", "1,1", "2,0")
    assert {action.cell for action in placements} == {cell(where) for where in around}
    assert all(action.aid is not None for action in placements)
