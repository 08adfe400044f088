"""A bridge is a road: followers on it (BR-16 … BR-19), length and completion, and features below it (BR-23 … BR-27).

A bridge carries a road across a tile. It is written ``"1,0 WE"``: the cell, and the axis from west to east. A tile is
``"base/D 1,0 90"``, by kind, cell (x grows east, y south) and rotation, a follower ``"0 1,0 road.E"``, by seat, cell
and segment. Codes such as BR-16 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Deploy
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import bridge_on
from engine.carcassonne.tiles import FeatureKind
from engine.events import Completed, Returned, Scored
from engine.geometry import Axis
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    RED,
    assert_illegal,
    cell,
    events_of,
    feature,
    legal_segments,
    legal_segments_for,
    place_tile,
    play_turn,
    points,
    standing_followers,
    tile_count,
)
from tests.scenarios.vocabulary_builders import WITH_BAZAARS

SPARE_TILES = ["base/U"] * 3
"""Tiles in the pile, so that the game does not end."""


def features_on(position: Position, where: str, kind: FeatureKind) -> list[int]:
    """Return the sizes in tiles of the features of one kind on a cell."""
    return sorted(
        tile_count(entry)
        for entry in position.features()
        if entry.kind is kind and cell(where) in {place for place, _ in entry.parts}
    )


def test_BR_16_a_follower_may_stand_on_a_bridge() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0", build="1,0 NS")
    assert legal_segments(position) == {"monastery", "field.NL", "road.N"}
    assert [bridge_on(placed) for placed in position.placed()] == [None, Axis.NS]
    position.apply(Deploy("road.N"))

    assert feature(position, "1,0", "road.N").owners == (RED,)
    assert standing_followers(position) == {(RED, "1,0", "road.N")}
    assert position.supply["follower"] == [6, 7]


def test_BR_16_without_a_bridge_there_is_no_road() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0")

    assert legal_segments(position) == {"monastery", "field.NL"}
    assert_illegal(position, Deploy("road.N"))


def test_BR_17_no_follower_on_the_bridge_of_a_neighbour() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0", "base/B 0,1 0"], hand="base/U", pile=SPARE_TILES)

    place_tile(position, "1,1", aid="0,1 WE")
    assert legal_segments(position) == {"road.E", "field.NL", "field.ER"}
    position.apply(Deploy("road.E"))

    assert standing_followers(position) == {(RED, "1,1", "road.E")}


def test_BR_17_no_follower_on_a_separate_bridge_of_a_neighbour() -> None:
    position = arrange(players=2, tiles=["base/B 0,0 0"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0", build="0,0 NS")

    assert legal_segments(position) == {"monastery", "field.NL"}


def test_BR_18_figures_that_stand_on_roads_stand_on_bridges() -> None:
    """Put a follower on a bridge with a new road, and Red's builder on one that extends Red's road."""
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/A", pile=SPARE_TILES)
    assert "road.N" in legal_segments(place_tile(position, "1,0", 90, build="1,0 NS"))

    position = arrange(
        players=2,
        tiles=["base/U 0,0", "base/U 1,0"],
        followers=["0 0,0 road.E"],
        hand="base/B",
        pile=SPARE_TILES,
        expansions=WITH_BAZAARS,
    )
    place_tile(position, "2,0", aid="2,0 WE")
    assert legal_segments_for(position, "builder") == {"road.E"}
    position.apply(Deploy("road.E", "builder"))
    assert (RED, "2,0", "road.E") in standing_followers(position)
    assert position.supply["builder"] == [0, 1]


def test_BR_19_an_occupied_road_blocks_the_bridge() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], followers=["1 0,0 road.E"], hand="base/B", pile=SPARE_TILES)

    place_tile(position, "1,0", aid="1,0 WE")

    assert legal_segments(position) == {"monastery", "field.NL"}


def test_BR_20_a_bridge_counts_like_a_printed_road() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/G 1,0 90"],
        bridges=["1,0 WE"],
        followers=["1 0,0 road.E"],
        hand="base/A",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "2,0", 90)

    assert points(events) == [(BLUE, 3)]
    assert [(event.kind, len(event.cells)) for event in events_of(Completed, events)] == [("road", 3)]


def test_BR_20_followers_on_bridges_count_for_the_majority() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/B 1,0 0", "base/B 3,0 0"],
        bridges=["1,0 WE", "3,0 WE"],
        followers=["1 0,0 road.E", "1 1,0 road.E", "0 3,0 road.E"],
        hand="base/U",
        pile=SPARE_TILES,
    )

    play_turn(position, "2,0")

    assert feature(position, "2,0", "road.E").owners == (BLUE,)


def test_BR_21_a_bridge_is_part_of_a_long_road() -> None:
    row = ["base/A 0,0 270", *(f"base/U {x},0 0" for x in (1, 2)), "base/E 3,0 0", "base/U 4,0 0"]
    position = arrange(
        players=2, tiles=row, bridges=["3,0 WE"], followers=["0 1,0 road.E"], hand="base/A", pile=SPARE_TILES
    )

    assert points(play_turn(position, "5,0", 90)) == [(RED, 6)]


def test_BR_22_a_tile_counts_once_for_a_road() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 0", "base/V 0,1 90", "base/V -1,1 180", "base/V -1,0 270"],
        bridges=["0,0 WE"],
        followers=["0 0,0 road.S"],
        hand="base/W",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "1,0")

    assert points(events) == [(RED, 5)]  # not 6
    assert tile_count(feature(position, "1,0", "road.W")) == 5


def test_BR_23_no_junction_over_a_printed_road() -> None:
    position = arrange(
        players=2,
        tiles=["base/U 0,0 90"],
        bridges=["0,0 WE"],
        followers=["1 0,0 road.N"],
        hand="base/U",
        pile=SPARE_TILES,
    )

    assert features_on(position, "0,0", FeatureKind.ROAD) == [1, 1]
    assert feature(position, "0,0", "road.N").owners == (BLUE,)
    assert feature(position, "0,0", "road.E").owners == ()
    place_tile(position, "1,0")
    assert "road.E" in legal_segments(position)  # the road over the bridge is free


def test_BR_23_either_road_may_be_taken() -> None:
    position = arrange(players=2, tiles=["base/A 0,0 270"], followers=["1 0,0 road.E"], hand="base/U", pile=SPARE_TILES)

    place_tile(position, "1,0", 90, aid="1,0 WE")

    assert "road.N" in legal_segments(position)
    assert "road.E" not in legal_segments(position)


def test_BR_24_the_field_below_stays_one() -> None:
    position = arrange(
        players=2,
        tiles=["base/B 0,0 0"],
        bridges=["0,0 WE"],
        followers=["0 0,0 field.NL"],
        player=BLUE,
        hand="base/B",
        pile=SPARE_TILES,
    )

    assert features_on(position, "0,0", FeatureKind.FIELD) == [1]
    place_tile(position, "0,1")

    assert legal_segments(position) == {"monastery"}


def test_BR_25_the_city_below_stays_one() -> None:
    position = arrange(
        players=2,
        tiles=["base/G 0,0 90", "base/E 0,-1 180"],
        bridges=["0,0 WE"],
        followers=["0 0,0 city.N"],
        hand="base/E",
        pile=SPARE_TILES,
    )

    assert features_on(position, "0,0", FeatureKind.CITY) == [2]
    events = play_turn(position, "0,1")

    assert [(event.player, event.points, event.kind) for event in events_of(Scored, events)] == [(RED, 6, "city")]


def test_BR_26_a_bridge_may_span_an_occupied_tile() -> None:
    position = arrange(
        players=2,
        tiles=["base/D 0,0 0", "base/B 0,1 0"],
        followers=["1 0,1 monastery"],
        hand="base/U",
        pile=SPARE_TILES,
    )

    place_tile(position, "1,1", aid="0,1 WE")

    assert standing_followers(position) == {(BLUE, "0,1", "monastery")}
    assert feature(position, "0,1", "monastery").owners == (BLUE,)


def monastery_with_seven_neighbours(bridges: Sequence[str]) -> Position:
    """Return Blue's monastery at (0,0) without its ninth tile, which Red has in hand."""
    return arrange(
        players=2,
        tiles=[
            "base/B 0,0 0",
            "base/U -1,-1 0",
            "base/U 0,-1 0",
            "base/U 1,-1 0",
            "base/U -1,0 0",
            "base/U 1,0 0",
            "base/U -1,1 0",
            "base/U 0,1 0",
        ],
        bridges=list(bridges),
        followers=["1 0,0 monastery"],
        hand="base/U",
        pile=SPARE_TILES,
    )


def test_BR_26_the_monastery_scores_as_before() -> None:
    position = monastery_with_seven_neighbours(["0,0 WE"])

    assert points(play_turn(position, "1,1")) == [(BLUE, 9)]
    assert position.supply["follower"] == [7, 7]
    assert tile_count(feature(position, "0,0", "road.E")) == 3


def test_BR_27_bridges_may_span_monasteries_in_line() -> None:
    position = arrange(
        players=2,
        tiles=["bcb/FFFF 0,0 0", "base/B 1,0 0"],
        bridges=["0,0 WE", "1,0 WE"],
        followers=["1 1,0 monastery"],
        hand="base/U",
        pile=SPARE_TILES,
    )

    road = feature(position, "0,0", "road.E")
    assert tile_count(road) == 2
    assert feature(position, "1,0", "road.E") == road
    assert (road.open_ends, road.owners) == (2, ())
    assert feature(position, "1,0", "monastery").owners == (BLUE,)


def test_BR_27_bridges_over_monasteries_are_built_in_turn() -> None:
    position = arrange(players=2, tiles=["bcb/FFFF 0,0 0"], bridges=["0,0 WE"], hand="base/B", pile=["base/A"])

    play_turn(position, "1,0", aid="1,0 WE", deploy="monastery")

    assert tile_count(feature(position, "0,0", "road.E")) == 2
    assert standing_followers(position) == {(RED, "1,0", "monastery")}


def test_BR_30_a_bridge_stays() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/G 1,0 90"],
        bridges=["1,0 WE"],
        followers=["1 0,0 road.E"],
        supply={"bridge": [2, 3]},
        hand="base/A",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "2,0", 90)

    assert [home.player for home in events_of(Returned, events)] == [BLUE]
    placed = position.tile_at(cell("1,0"))
    assert placed is not None
    assert bridge_on(placed) is Axis.WE
    assert position.supply["bridge"] == [2, 3]


def test_BR_32_a_bridge_completes_a_road_of_another() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/A 2,0 90", "base/B 1,-1 0", "base/B 1,1 0"],
        followers=["1 0,0 road.E"],
        hand="base/B",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "1,0", aid="1,0 WE")

    assert points(events) == [(BLUE, 3)]
    assert [(home.player, home.cell) for home in events_of(Returned, events)] == [(BLUE, cell("0,0"))]
    assert [(event.kind, len(event.cells)) for event in events_of(Completed, events)] == [("road", 3)]


def test_BR_33_joined_roads_are_shared() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/U 1,0 0", "base/U 3,0 0", "base/A 4,0 90"],
        followers=["0 0,0 road.E", "1 4,0 road.W"],
        hand="base/B",
        pile=SPARE_TILES,
    )

    events = play_turn(position, "2,0", aid="2,0 WE")

    assert sorted(points(events)) == [(RED, 5), (BLUE, 5)]
    assert position.supply["follower"] == [7, 7]
