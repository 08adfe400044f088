"""The places where a bridge may be built (BR-01 … BR-08, BR-29, BR-34, BR-36): its tile, its axis and its two ends.

A bridge carries a road across a tile. It is written ``"1,0 WE"``: the cell, and the axis from west to east. A tile is
``"base/D 1,0 90"``, by kind, cell (x grows east, y south) and rotation, a follower ``"0 1,0 road.E"``, by seat, cell
and segment. Codes such as BR-01 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine import NotationError, parse_action
from engine.actions import Pass
from engine.carcassonne.expansions.bridges_castles_bazaars import BridgeBuilt
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    assert_illegal,
    bridge,
    events_of,
    feature,
    legal_bridges,
    legal_placements,
    place_tile,
    placement,
    play_turn,
    tile_count,
)

SPARE_TILES = ["base/U"] * 3
"""Tiles in the pile, so that the game does not end."""


def test_BR_01_a_bridge_is_never_compulsory() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")
    assert legal_bridges(position)
    position.apply(Pass())

    assert position.player == BLUE
    assert position.supply["bridge"] == [3, 3]


@pytest.mark.parametrize("built", ["0,0 NS", "1,0 NS"])
def test_BR_02_one_bridge_a_turn(built: str) -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0", build=built)

    assert position.player == RED
    assert legal_bridges(position) == set()
    assert_illegal(position, bridge("0,0 NS" if built == "1,0 NS" else "1,0 NS"))


def test_BR_02_a_bridge_needed_by_the_placement_is_the_one_of_the_turn() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0", "base/B 0,1 0"], hand="base/U", pile=SPARE_TILES)

    place_tile(position, "1,1", aid="0,1 WE")

    assert legal_bridges(position) == set()


def test_BR_02_the_next_turn_allows_a_bridge_again() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=["base/B", "base/U"])

    play_turn(position, "1,0", build="1,0 NS")
    place_tile(position, "2,0")

    assert legal_bridges(position) == {"2,0 NS"}


def test_BR_03_a_bridge_comes_from_the_players_own_supply() -> None:
    position = arrange(
        players=2, tiles=["base/B 0,0 0"], supply={"bridge": [0, 3]}, hand="base/B", pile=["base/B", "base/U"]
    )

    place_tile(position, "1,0")
    assert legal_bridges(position) == set()
    assert_illegal(position, bridge("1,0 NS"))
    position.apply(Pass())

    place_tile(position, "2,0")
    assert legal_bridges(position) == {"1,0 NS", "2,0 NS"}  # Blue has some


@pytest.mark.parametrize(("player", "option"), [(RED, set()), (BLUE, {"0 with 1,0 WE"})])
def test_BR_03_without_a_bridge_a_placement_that_needs_one_is_illegal(player: int, option: set[str]) -> None:
    position = arrange(
        players=2, tiles=["base/D 0,0 0"], supply={"bridge": [0, 3]}, player=player, hand="base/B", pile=SPARE_TILES
    )

    assert {text for text in legal_placements(position, "1,0") if text.startswith("0")} == option


def test_BR_04_a_on_the_placed_tile_or_one_that_touches_it() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0", "base/B -1,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")

    assert legal_bridges(position) == {"1,0 NS", "0,0 NS"}  # not on (-1,0)


def test_BR_04_b_a_corner_does_not_touch() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0", "base/B 0,1 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")

    assert legal_bridges(position) == {"1,0 NS"}


TILES_AROUND_CORNER = ["base/B 0,0 0", "base/B 0,1 0", "base/B 1,1 0"]
"""Three tiles around the empty cell (1, 0). Most bridges on them have no room for their ends."""


def test_BR_04_c_a_bridge_may_have_no_place_at_all() -> None:
    position = arrange(players=2, tiles=TILES_AROUND_CORNER, hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")

    assert legal_bridges(position) == set()


def test_BR_04_c_needed_on_the_only_tile_that_can_carry_it() -> None:
    position = arrange(players=2, tiles=TILES_AROUND_CORNER, hand="base/V", pile=SPARE_TILES)

    assert {option for option in legal_placements(position, "1,0") if option.startswith("90")} == {"90 with 0,0 WE"}


def test_BR_05_no_end_on_a_city_or_a_road() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/D", pile=SPARE_TILES)

    place_tile(position, "1,0")

    assert legal_bridges(position) == set()


@pytest.mark.parametrize(("where", "rotation", "built"), [("1,0", 90, "0,0 WE"), ("0,1", 180, "0,0 NS")])
def test_BR_05_a_monastery_in_the_fields_takes_both_axes(where: str, rotation: int, built: str) -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/A", pile=SPARE_TILES)

    assert f"{rotation} with {built}" in legal_placements(position, where)
    place_tile(position, where, rotation, aid=built)

    assert position.supply["bridge"] == [2, 3]


def test_BR_06_a_bridge_does_not_bend() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/N", pile=SPARE_TILES)

    place_tile(position, "-1,0", 270)  # fields to the north and east, cities to the south and west

    assert legal_bridges(position) == {"0,0 NS"}  # nothing on the tile itself


@pytest.mark.parametrize("text", ["~M13NE", "~M13SW", "~M13N"])
def test_BR_06_a_bent_bridge_has_no_text_form(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)


def test_BR_07_no_end_at_the_field_of_a_placed_tile() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")

    assert "0,0 NS" in legal_bridges(position)
    assert_illegal(position, bridge("0,0 WE"))
    assert_illegal(position, bridge("1,0 WE"))


@pytest.mark.parametrize(
    ("neighbour", "turn", "fits"), [("base/A", 0, True), ("base/A", 180, False), ("base/E", 180, False)]
)
@pytest.mark.parametrize(
    ("where", "axis", "toward"), [("0,-1", "NS", 0), ("1,0", "WE", 90), ("0,1", "NS", 180), ("-1,0", "WE", 270)]
)
def test_BR_07_an_end_may_meet_a_road_and_nothing_else(
    where: str, axis: str, toward: int, neighbour: str, turn: int, fits: bool
) -> None:
    """On each side of (0, 0), try a tile whose road ends there, the same tile turned away, and one with a city."""
    tiles = ["base/B 0,0", f"{neighbour} {where} {(toward + turn) % 360}"]
    position = arrange(players=2, tiles=tiles, hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0" if axis == "NS" else "0,1")

    assert (f"0,0 {axis}" in legal_bridges(position)) == fits


def test_BR_07_holds_when_the_placement_needs_the_bridge() -> None:
    position = arrange(
        players=2, tiles=["base/D 0,0 0", "base/B 2,0 0", "base/B 2,1 0"], hand="base/B", pile=SPARE_TILES
    )

    assert legal_placements(position, "1,0") == set()
    assert_illegal(position, placement("1,0", 0, aid="1,0 WE"))


def test_BR_07_an_end_may_meet_a_bridge() -> None:
    position = arrange(
        players=2, tiles=["base/B 0,0 0", "base/B 2,0 0"], bridges=["0,0 WE", "2,0 WE"], hand="base/B", pile=SPARE_TILES
    )

    assert "0 with 1,0 WE" in legal_placements(position, "1,0")
    place_tile(position, "1,0", aid="1,0 WE")

    assert tile_count(feature(position, "1,0", "road.E")) == 3


def test_BR_08_both_ends_may_be_open() -> None:
    position = arrange(players=2, tiles=["base/E 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")
    assert_illegal(position, bridge("1,0 WE"))
    events = position.apply(bridge("1,0 NS"))

    assert [(event.player, event.cell, event.axis) for event in events_of(BridgeBuilt, events)] == [(RED, (1, 0), "NS")]
    road = feature(position, "1,0", "road.N")
    assert (tile_count(road), road.open_ends, road.complete) == (1, 2, False)


def test_BR_08_also_on_a_neighbour_and_not_towards_the_placed_tile() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0", "base/B -1,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0", build="0,0 NS")

    road = feature(position, "0,0", "road.N")
    assert (tile_count(road), road.open_ends) == (1, 2)


@pytest.mark.parametrize("second", ["0,0 NS", "0,0 WE"])
def test_BR_29_a_tile_carries_one_bridge(second: str) -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], bridges=["0,0 WE"], hand="base/A", pile=SPARE_TILES)

    place_tile(position, "1,0", 90)

    assert legal_bridges(position) == {"1,0 NS"}
    assert_illegal(position, bridge(second))


def test_BR_29_a_placement_cannot_use_a_second_bridge_on_a_tile() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], bridges=["0,0 WE"], hand="base/A", pile=SPARE_TILES)

    assert not [option for option in legal_placements(position, "0,1") if option.startswith("180")]
    assert_illegal(position, placement("0,1", 180, aid="0,0 NS"))


def test_BR_34_a_needed_bridge_cannot_end_on_a_road() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/A", pile=SPARE_TILES)

    assert not [option for option in legal_placements(position, "1,0") if option.startswith("270")]
    assert_illegal(position, placement("1,0", 270, aid="1,0 WE"))


def test_BR_34_an_optional_bridge_cannot_end_on_a_road() -> None:
    position = arrange(players=2, tiles=["base/E 0,0 0"], hand="base/A", pile=SPARE_TILES)

    place_tile(position, "0,1", 270)

    assert_illegal(position, bridge("0,1 WE"))
    assert legal_bridges(position) == {"0,0 WE"}


def test_BR_36_a_bridge_may_span_the_picture_of_a_bazaar() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="bcb/FFFF", pile=SPARE_TILES)

    assert "0 with 1,0 WE" in legal_placements(position, "1,0")
    place_tile(position, "1,0", aid="1,0 WE")

    assert tile_count(feature(position, "1,0", "road.E")) == 2
