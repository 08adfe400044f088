"""Double turns: extending the road or city of one's builder grants a second tile (TB-03, BZ-44), never a third.

A builder stands beside a follower of its player on a road or in a city. Whoever extends that feature lays a second tile
in the same turn, the second half of a double turn. Codes such as TB-03 are rules of the rule digest; each test is named
by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Pass, Resign
from engine.carcassonne import Decline, Position
from engine.carcassonne.double_turns import SecondTile, first_tile
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle
from engine.carcassonne.options import PRESETS, Options
from engine.events import GameOver, TileDiscarded, TileDrawn
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    events_of,
    legal_bridges,
    legal_placements,
    legal_segments_for,
    place_tile,
    play_turn,
)
from tests.scenarios.vocabulary_builders import BLUE_BUILDER, BLUE_ROAD, BUILDERS_ONLY, WITH_BAZAARS, arrange_builders
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    castle_points,
    lords,
    points_by_seat,
    tile_to_place,
    unfinished_road,
)

PER_TURN = Options(bridge_limit_scope="per_turn")
"""The option that allows one bridge in a turn instead of one with each tile."""
NEXT_TURN = Options(castle_first_score="next_turn")
"""The option with which a new castle scores from the next turn on."""


def test_TB_03_extending_the_road_of_ones_builder_grants_a_second_tile() -> None:
    position = arrange_builders(hand="base/U", pile=["base/V", "base/B", "base/B"])
    events = play_turn(position, "2,0")
    assert tile_to_place(position) == (RED, "base/V")
    assert [event.player for event in events_of(TileDrawn, events)] == [RED]
    play_turn(position, "0,1", 270)
    assert tile_to_place(position) == (BLUE, "base/B")


def test_BZ_44_extending_a_city_without_completing_it_is_enough() -> None:
    position = arrange(
        tiles=["base/E 0,0 90", "base/G 1,0"],
        followers=["0 0,0 city.E", "0 1,0 city.W builder"],
        hand="base/G",
        expansions=BUILDERS_ONLY,
    )
    play_turn(position, "2,0")
    assert position.player == RED
    assert position.supply["builder"] == [0, 1, 1]


def test_BZ_44_completing_a_city_is_enough_and_frees_the_builder() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0", "base/U 0,5"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder", "0 0,5 road.E"],
        hand="base/A",
        pile=["base/U", "base/B"],
        expansions=BUILDERS_ONLY,
    )
    assert points_by_seat(play_turn(position, "2,0", 90)) == {RED: 3}
    assert tile_to_place(position) == (RED, "base/U")
    place_tile(position, "1,5")
    assert legal_segments_for(position, "builder") == {"road.E"}


def test_TB_04_the_second_tile_grants_no_third() -> None:
    position = arrange_builders(hand="base/U", pile=["base/U", "base/B", "base/B"])
    play_turn(position, "2,0")
    play_turn(position, "3,0")
    assert tile_to_place(position) == (BLUE, "base/B")


def test_TB_03_the_next_turn_may_be_double_again() -> None:
    position = arrange_builders(players=2, hand="base/U", pile=["base/U", "base/B", "base/U", "base/U", "base/B"])
    play_turn(position, "2,0")
    play_turn(position, "3,0")
    play_turn(position, "0,1")
    play_turn(position, "4,0")
    assert tile_to_place(position) == (RED, "base/U")


def test_TB_03_another_players_builder_grants_nothing() -> None:
    position = arrange_builders(player=BLUE, hand="base/U", pile=["base/B", "base/B"])
    play_turn(position, "2,0")
    assert tile_to_place(position) == (GREEN, "base/B")


def test_TB_03_ones_builder_on_another_feature_grants_nothing() -> None:
    position = arrange_builders(
        tiles=BLUE_ROAD, followers=BLUE_BUILDER, player=BLUE, hand="base/U", pile=["base/B", "base/B"]
    )
    play_turn(position, "2,0")
    assert tile_to_place(position) == (GREEN, "base/B")
    assert first_tile(position) < 0


def test_TB_03_a_tile_elsewhere_does_not_count() -> None:
    position = arrange_builders(hand="base/B", pile=["base/B", "base/B"])
    play_turn(position, "0,1")
    assert position.player == BLUE


def test_TB_03_the_tile_on_which_the_builder_is_deployed_does_not_count() -> None:
    position = arrange(
        tiles=["base/U 0,0"],
        followers=["0 0,0 road.E"],
        hand="base/U",
        pile=["base/B", "base/B"],
        expansions=BUILDERS_ONLY,
    )
    play_turn(position, "1,0", deploy="builder@road.E")
    assert position.player == BLUE


def test_TB_05_a_follower_may_be_deployed_in_each_half() -> None:
    position = arrange_builders(hand="base/W", pile=["base/U", "base/B"])
    play_turn(position, "2,0", 180, deploy="road.N")
    play_turn(position, "2,-1", 90)
    assert position.supply["follower"] == [5, 7, 7]
    assert position.player == BLUE


def test_TB_05_everything_is_scored_before_the_second_tile_is_drawn() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder"],
        hand="base/A",
        pile=["base/B", "base/B"],
        expansions=BUILDERS_ONLY,
    )
    events = play_turn(position, "2,0", 90)
    assert [type(event).__name__ for event in events][-4:] == ["Scored", "Returned", "Returned", "TileDrawn"]


def test_BA_14_a_follower_returned_in_the_first_half_is_available_in_the_second() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder"],
        hand="base/A",
        supply={"follower": [0, 7]},
        players=2,
        pile=["base/B", "base/B"],
        expansions=BUILDERS_ONLY,
    )
    play_turn(position, "2,0", 90)
    assert position.player == RED
    play_turn(position, "2,1", deploy="monastery")
    assert position.supply["follower"] == [0, 7]


def test_BA_08_TB_05_a_second_tile_that_fits_nowhere_is_replaced() -> None:
    position = arrange_builders(hand="base/U", pile=["base/C", "base/V", "base/B"])
    play_turn(position, "2,0")
    assert tile_to_place(position) == (RED, "base/V")


def test_BA_24_TB_05_without_a_second_tile_the_game_ends() -> None:
    position = arrange_builders(hand="base/U", pile=[])
    assert isinstance(play_turn(position, "2,0")[-1], GameOver)


def test_BA_24_without_a_second_tile_that_fits_the_game_ends() -> None:
    position = arrange_builders(hand="base/U", pile=["base/C", "base/C"])
    assert isinstance(play_turn(position, "2,0")[-1], GameOver)
    assert first_tile(position) < 0


ALL_ROADS = ["base/X 0,0", "base/U 1,0", "base/X 1,-1", "base/X 1,1"]
"""A board on which every open cell touches a road; the road on (1, 0) is open to the east."""


def test_BR_13_a_declined_second_tile_is_replaced_by_another_second_tile() -> None:
    position = arrange(
        tiles=ALL_ROADS,
        followers=["0 0,0 road.E", "0 1,0 road.E builder"],
        hand="base/X",
        pile=["base/B", "base/X", "base/X", "base/X"],
        expansions=WITH_BAZAARS,
    )
    play_turn(position, "2,0")
    assert tile_to_place(position) == (RED, "base/B")
    position.apply(Decline())
    assert tile_to_place(position) == (RED, "base/X")
    assert first_tile(position) == 4
    play_turn(position, "3,0")
    assert tile_to_place(position) == (BLUE, "base/X")


def test_a_resigned_player_draws_no_second_tile() -> None:
    position = arrange_builders(
        tiles=BLUE_ROAD, followers=BLUE_BUILDER, hand="base/U", pile=["base/V", *["base/B"] * 5]
    )
    place_tile(position, "2,0")
    events = position.apply(Resign(RED))
    assert [event.player for event in events_of(TileDrawn, events)] == [BLUE]
    assert events_of(TileDiscarded, events) == []
    assert tile_to_place(position) == (BLUE, "base/V")
    assert first_tile(position) < 0


# Bridges in a double turn: BR-02, O-21.


def second_half(options: Options, *, build: str | None) -> Position:
    """Return Red's double turn with the second tile in hand; ``build`` is a bridge built with the first."""
    position = arrange_builders(hand="base/U", pile=["base/B", "base/B", "base/B"], options=options)
    play_turn(position, "2,0", build=build)
    assert tile_to_place(position) == (RED, "base/B")
    return position


@pytest.mark.parametrize(
    ("options", "build"),
    [(Options(), "2,0 NS"), (Options(), None), (PER_TURN, None)],
    ids=["per placement", "none before", "per turn, none before"],
)
def test_BR_02_a_bridge_in_the_second_half(options: Options, build: str | None) -> None:
    position = second_half(options, build=build)
    assert legal_placements(position, "3,0") == {f"{turn} with 3,0 WE" for turn in (0, 90, 180, 270)}
    place_tile(position, "0,1")
    assert "0,1 WE" in legal_bridges(position)


def test_BR_02_per_turn_one_in_both_halves_together() -> None:
    position = second_half(PER_TURN, build="2,0 NS")
    assert legal_placements(position, "3,0") == set()
    place_tile(position, "0,1")
    assert legal_bridges(position) == set()
    position.apply(Pass())
    assert tile_to_place(position) == (BLUE, "base/B")
    assert legal_placements(position, "3,0") == {f"{turn} with 3,0 WE" for turn in (0, 90, 180, 270)}


@pytest.mark.parametrize("name", PRESETS)
def test_BR_02_the_first_edition_allows_one_a_turn(name: str) -> None:
    """The standard rules and the second edition allow one for each tile (O-21)."""
    position = place_tile(second_half(PRESETS[name], build="2,0 NS"), "0,1")
    assert ("0,1 WE" in legal_bridges(position)) == (name in {"standard", "c2_hig", "c2_zmg"})


def test_BR_02_per_turn_a_bridge_that_the_first_tile_needed_counts_too() -> None:
    position = arrange(
        tiles=["base/U 0,0", "base/U 1,0"],
        followers=["0 0,0 road.E", "0 1,0 road.E builder"],
        hand="base/B",
        pile=["base/B", "base/B"],
        expansions=WITH_BAZAARS,
        options=PER_TURN,
    )
    play_turn(position, "2,0", aid="2,0 WE")
    assert tile_to_place(position) == (RED, "base/B")
    place_tile(position, "0,1")
    assert legal_bridges(position) == set()


def test_TB_08_a_bridge_that_continues_the_road_of_the_builder_extends_it() -> None:
    position = arrange_builders(hand="base/B", pile=["base/V", "base/B"])
    play_turn(position, "2,0", aid="2,0 WE")
    assert tile_to_place(position) == (RED, "base/V")


def test_TB_08_a_bridge_on_a_neighbour_extends_it_only_if_the_tile_joins_it() -> None:
    position = arrange_builders(tiles=["base/B 2,-1"], hand="base/B", pile=["base/V", "base/B"])
    play_turn(position, "2,-2", build="2,-1 WE")
    assert tile_to_place(position) == (BLUE, "base/V")


# Castles in a double turn: CA-35, CA-36, O-09.


CITY_BELOW = ["base/G 0,2 90", "base/G 0,3 90"]
"""A city south of the usual town, open at both ends."""


def castle_in_first_half(options: Options) -> Position:
    """Return Red's double turn after the first tile, which completed a castle and extended the city of their builder.

    The second tile can complete a road of 4 in the fief of the castle.
    """
    position = arrange(
        tiles=[SOUTH_CAP, *CITY_BELOW, *unfinished_road(1, 0, 4)],
        followers=["0 0,0 city.S", "0 0,3 city.N", "0 0,2 city.N builder"],
        hand="base/H",
        pile=["base/A", "base/A", "base/U"],
        expansions=WITH_BAZAARS,
        options=options,
    )
    play_turn(position, "0,1")
    position.apply(BuildCastle())
    assert tile_to_place(position) == (RED, "base/A")
    return position


def test_CA_35_a_castle_of_the_first_half_can_score_in_the_second() -> None:
    position = castle_in_first_half(Options())
    assert castle_points(play_turn(position, "4,0", 90)) == [(RED, 4)]
    assert lords(position, "0,0") == []


def test_CA_35_with_next_turn_a_castle_does_not_score_in_the_second_half() -> None:
    position = castle_in_first_half(NEXT_TURN)
    assert castle_points(play_turn(position, "4,0", 90)) == []
    assert lords(position, "0,0") == [RED]
    assert tile_to_place(position) == (BLUE, "base/A")


def test_CA_35_with_next_turn_a_castle_scores_in_the_next_turn() -> None:
    position = castle_in_first_half(NEXT_TURN)
    play_turn(position, "0,-1", 180)
    assert tile_to_place(position) == (BLUE, "base/A")
    assert castle_points(play_turn(position, "4,0", 90)) == [(RED, 4)]


def test_CA_35_an_older_castle_scores_in_the_second_half() -> None:
    position = arrange_builders(
        tiles=["base/E 0,9 180", "base/E 0,10 0", *unfinished_road(1, 9, 4)],
        castles=["0 0,9 0,10"],
        hand="base/U",
        pile=["base/A", "base/B"],
        options=NEXT_TURN,
    )
    play_turn(position, "2,0")
    assert castle_points(play_turn(position, "4,9", 90)) == [(RED, 4)]


@pytest.mark.parametrize(("options", "points"), [(Options(), [(RED, 4)]), (NEXT_TURN, [])])
def test_CA_36_a_second_tile_granted_otherwise_works_the_same_way(
    options: Options, points: list[tuple[int, int]]
) -> None:
    """No supported expansion grants a tile in another way, so the test itself puts the task on the agenda."""
    position = arrange(
        tiles=[SOUTH_CAP, *unfinished_road(1, 0, 4)],
        followers=["0 0,0 city.S"],
        hand="base/E",
        pile=["base/A", "base/B"],
        options=options,
    )
    position.agenda.insert(-1, SecondTile(RED, len(position.land.order)))
    play_turn(position, "0,1")
    position.apply(BuildCastle())
    assert tile_to_place(position) == (RED, "base/A")
    assert castle_points(play_turn(position, "4,0", 90)) == points


# Double turns in the other rules.


def test_BA_05_after_a_double_turn_the_next_player_moves() -> None:
    position = arrange_builders(player=GREEN, followers=[], hand="base/B", pile=["base/U", "base/B", "base/B"])
    play_turn(position, "0,1")
    assert tile_to_place(position) == (RED, "base/U")
    play_turn(position, "2,0")
    play_turn(position, "1,1")
    assert tile_to_place(position) == (BLUE, "base/B")
