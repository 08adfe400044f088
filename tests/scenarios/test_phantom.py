"""The phantom (PH-01 to PH-15), and its part in castles (IX-42).

The phantom is a follower that may come as the second figure on the tile just laid. Positions are arranged from texts:
``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0 road.E"``
a follower by seat, cell and segment. Codes such as PH-03 are rules of the rule digest; each test is named by the rule
that it shows.
"""

from __future__ import annotations

from functools import partial

import pytest

from engine import Pass, Resign, parse_action
from engine.actions import Deploy
from engine.carcassonne import DeployFollower, Options, Position, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, DecideTown, ScoreTown, castles_of
from engine.carcassonne.expansions.phantom import DeployPhantom, PutPhantom
from engine.events import Completed, Deployed, Event, Returned
from engine.notation.positions import format_position, parse_position
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    RED,
    assert_illegal,
    bridge,
    cell,
    events_of,
    feature,
    legal_bridges,
    legal_segments,
    legal_segments_for,
    place_tile,
    play_turn,
    points,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    auction_for_free,
    castle_points,
    event_types,
    lords,
    pending_town,
    points_by_seat,
    tile_to_place,
    unfinished_road,
)

PHANTOM = "phantom"
"""The name of the box and of the figure."""
BESIDE_A_ROAD = ["base/U 0,0"]
"""A road that ends open on the eastern side of (0, 0)."""

phantom_game = partial(arrange, expansions=(PHANTOM,))
"""An arranged position of the base game with this box."""
with_bridges = partial(arrange, expansions=(*BCB, PHANTOM))
"""An arranged position with bridges, castles and bazaars beside it."""


def phantom_places(position: Position) -> set[str]:
    """Return the segments on which the phantom may be put as the second figure; empty without that question."""
    if not isinstance(position.step, DeployPhantom):
        return set()
    return {action.segment for action in position.legal_actions if isinstance(action, PutPhantom)}


def phantoms(position: Position) -> list[tuple[int, str, str]]:
    """Return the phantoms on the board: seat, cell and segment."""
    return [
        (figure.player, figure.cell.label, figure.segment.name)
        for figure in position.standing_figures()
        if figure.figure == PHANTOM
    ]


def after(position: Position, where: str, rotation: int, first: str) -> Position:
    """Place the tile in hand, put the first figure, and stop at the next decision."""
    place_tile(position, where, rotation).apply(parse_action(first))
    return position


def put(position: Position, segment: str) -> list[Event]:
    """Put the phantom as the second figure; return the events."""
    return list(position.apply(PutPhantom(segment)))


# -- the figure -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
def test_PH_01_each_player_has_one_phantom_and_there_are_no_tiles(players: int) -> None:
    position = Position(new_setup(players=players, seed="1", expansions=(PHANTOM,)))
    assert position.supply["follower"] == [7] * players
    assert position.supply[PHANTOM] == [1] * players
    assert len(position.setup.pile) == 71


def test_PH_02_it_counts_like_a_follower_and_comes_home() -> None:
    """Red's phantom and Blue's thief share a road of 4."""
    position = phantom_game(
        tiles=unfinished_road(0, 0, 4), followers=["0 0,0 road.E phantom", "1 2,0 road.E"], hand="base/A"
    )
    assert position.supply[PHANTOM] == [0, 1, 1]
    events = play_turn(position, "3,0", 90)
    assert points(events) == [(RED, 4), (BLUE, 4)]
    assert position.supply[PHANTOM] == [1, 1, 1]


def test_PH_02_at_the_end_it_scores_what_is_unfinished() -> None:
    position = phantom_game(tiles=BESIDE_A_ROAD, followers=["0 0,0 road.E phantom"], hand="base/U", pile=[])
    events = play_turn(position, "1,0")
    assert points(events) == [(RED, 2)]


# -- the second figure ------------------------------------------------------------------------------------------------


def test_PH_03_after_a_follower_it_may_go_to_another_feature_of_the_tile() -> None:
    position = after(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0", 0, "@city.N")
    assert phantom_places(position) == {"road.E", "field.EL", "field.ER"}
    put(position, "road.E")
    assert position.player == BLUE
    assert position.supply["follower"] == [6, 7, 7]
    assert position.supply[PHANTOM] == [0, 1, 1]
    assert sorted(standing_followers(position)) == [(RED, "1,0", "city.N"), (RED, "1,0", "road.E")]


def test_PH_03_a_parsed_position_asks_the_same() -> None:
    position = after(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0", 0, "@city.N")
    read = parse_position(format_position(position))
    assert list(read.legal_actions) == list(position.legal_actions)
    assert [parse_action(str(action)) for action in position.legal_actions] == list(position.legal_actions)


def test_PH_04_only_where_nobody_is() -> None:
    """Red's farmer has the only field of the monastery's tile."""
    position = after(phantom_game(tiles=["base/B 0,0"], hand="base/B"), "1,0", 0, "@monastery")
    assert phantom_places(position) == {"field.NL"}
    position = after(phantom_game(tiles=["base/B 0,0"], hand="base/B"), "1,0", 0, "@field.NL")
    assert phantom_places(position) == {"monastery"}


def test_PH_04_not_where_the_tile_joins_another_players_feature() -> None:
    position = phantom_game(tiles=BESIDE_A_ROAD, followers=["1 0,0 road.E"], hand="base/D")
    assert phantom_places(after(position, "1,0", 0, "@city.N")) == {"field.EL", "field.ER"}


def test_PH_04_without_a_free_feature_nothing_is_asked() -> None:
    """The tile shows nothing but a city on four sides, in which the follower now stands."""
    position = after(phantom_game(tiles=["base/E 0,0 90"], hand="base/C"), "1,0", 0, "@city.N")
    assert position.player == BLUE


def test_PH_05_it_may_stay_in_the_supply() -> None:
    position = after(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0", 0, "@city.N")
    position.apply(Pass())
    assert position.player == BLUE
    assert position.supply[PHANTOM] == [1, 1, 1]


def test_PH_05_it_may_be_the_only_figure() -> None:
    position = place_tile(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0")
    assert legal_segments_for(position, PHANTOM) == legal_segments(position)
    position.apply(Deploy("city.N", PHANTOM))
    assert position.player == BLUE
    assert position.supply["follower"] == [7, 7, 7]
    assert [where for _, *where in phantoms(position)] == [["N13", "city.N"]]


def test_PH_05_without_followers_left_the_phantom_is_still_there() -> None:
    position = phantom_game(tiles=["base/U 0,0"], hand="base/D", supply={"follower": [0, 7, 7]})
    place_tile(position, "1,0")
    assert legal_segments(position) == set()
    assert legal_segments_for(position, PHANTOM) == {"city.N", "road.E", "field.EL", "field.ER"}


def test_PH_06_nothing_is_scored_between_the_two_figures() -> None:
    """The tile completes Red's road of 2: the follower stands on it, the phantom on a field."""
    position = phantom_game(tiles=["base/A 0,0 270"], hand="base/A")
    events = list(place_tile(position, "1,0", 90).apply(Deploy("road.W")))
    assert points(events) == []
    events += put(position, "field.NL")
    order = event_types(events)
    assert order.index(Deployed) < len(order) - 1 - order[::-1].index(Deployed) < order.index(Completed)
    assert points(events) == [(RED, 2)]


def test_PH_06_a_town_is_decided_about_after_both_figures() -> None:
    position = with_bridges(tiles=[SOUTH_CAP], hand="base/E", pile=["base/U"] * 3)
    after(position, "0,1", 0, "@city.N")
    assert pending_town(position) is None
    put(position, "field.EL")
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})


@pytest.mark.parametrize("first", ["builder@road.E", "pig@field.EL", "big-follower@city.N", "@city.N"])
def test_PH_07_any_other_figure_may_come_first(first: str) -> None:
    position = arrange(
        tiles=BESIDE_A_ROAD,
        followers=["0 0,0 road.E", "0 0,0 field.NL"],
        hand="base/D",
        expansions=("traders-builders", "inns-cathedrals", PHANTOM),
    )
    position = after(position, "1,0", 0, first)
    assert phantom_places(position) == {"city.N", "field.ER"} - {first.partition("@")[2]}


def test_PH_07_the_fairy_may_be_moved_first() -> None:
    """She is moved instead of deploying a figure (IX-14)."""
    position = arrange(
        tiles=BESIDE_A_ROAD, followers=["0 0,0 road.E"], hand="base/D", expansions=(*BCB, "fairy", PHANTOM)
    )
    position = after(position, "1,0", 0, "fairy:M13.road.E")
    assert phantom_places(position) == {"city.N", "field.EL", "field.ER"}


def test_PH_07_after_nothing_it_is_not_offered_a_second_time() -> None:
    """The phantom alone is offered together with the other figures, so a pass declines it as well."""
    position = place_tile(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0")
    assert legal_segments_for(position, PHANTOM)
    position.apply(Pass())
    assert position.player == BLUE


def test_PH_08_only_on_the_tile_just_laid() -> None:
    """The fairy is moved to a follower on (0, 0), whose fields and city stay out of reach."""
    position = arrange(
        tiles=["base/D 0,0"], followers=["0 0,0 city.N"], hand="base/B", expansions=(*BCB, "fairy", PHANTOM)
    )
    position = after(position, "0,1", 0, "fairy:M13.city.N")
    assert phantom_places(position) == {"monastery", "field.NL"}
    assert_illegal(position, PutPhantom("road.E"))


def test_PH_09_in_a_double_turn_it_may_come_home_and_go_out_again() -> None:
    """Red's tile extends the builder's road, and completes a city of 2 tiles for the phantom."""
    position = arrange(
        tiles=["base/U 0,0", "base/E 1,-1 180"],
        followers=["0 0,0 road.E", "0 0,0 road.E builder"],
        hand="base/L",
        pile=["base/D", "base/U"],
        expansions=("traders-builders", PHANTOM),
    )
    after(position, "1,0", 0, "@road.S")
    assert points(put(position, "city.N")) == [(RED, 4)]
    assert position.supply[PHANTOM] == [1, 1, 1]
    assert tile_to_place(position) == (RED, "base/D")
    after(position, "2,0", 0, "@city.N")
    assert phantom_places(position) == {"road.E", "field.EL", "field.ER"}


def test_PH_10_a_bought_tile_is_laid_with_the_phantom() -> None:
    position = with_bridges(players=2, tiles=["base/U 0,0"], hand="bcb/FFFF", pile=["base/D", "base/D", "base/U"])
    play_turn(position, "0,1")
    auction_for_free(position)
    player, tile = tile_to_place(position)
    assert (player, tile) == (BLUE, "base/D")
    position = after(position, "1,0", 0, "@city.N")
    assert phantom_places(position) == {"road.E", "field.EL", "field.ER"}


# -- bridges and castles ----------------------------------------------------------------------------------------------


def bridged_crossing(**changes: object) -> Position:
    """Return a position in which Red's tile has a road from north to south below a bridge."""
    position = with_bridges(tiles=["base/U 0,0 90"], hand="base/U", **changes)  # type: ignore[arg-type]
    return place_tile(position, "0,1", 90, build="0,1 WE")


def test_PH_11_the_road_over_a_bridge_and_the_one_below_it_take_a_figure_each() -> None:
    position = bridged_crossing()
    assert {"road.N", "road.E"} <= legal_segments(position)
    position.apply(Deploy("road.N"))
    assert "road.E" in phantom_places(position)
    assert "road.N" not in phantom_places(position)
    put(position, "road.E")
    assert feature(position, "0,1", "road.E").owners == (RED,)


def test_PH_11_a_bridge_that_may_be_built_after_the_figure_comes_before_the_phantom() -> None:
    """Another order of building is an option (O-06)."""
    position = with_bridges(tiles=["base/U 0,0 90"], hand="base/U", options=Options(bridge_timing="any_time"))
    after(position, "0,1", 90, "@road.N")
    assert isinstance(position.step, DeployFollower)
    assert "0,1 WE" in legal_bridges(position)
    position.apply(bridge("0,1 WE"))
    assert "road.E" in phantom_places(position)


def two_towns() -> Position:
    """Return a position in which Red's tile closes two towns, with a knight in one and the phantom in the other."""
    position = with_bridges(players=2, tiles=["base/E 0,0 180", "base/E 0,2 0"], hand="base/H", pile=["base/U"] * 3)
    after(position, "0,1", 0, "@city.N")
    put(position, "city.S")
    return position


def test_PH_12_two_towns_of_one_tile_are_decided_about_one_by_one() -> None:
    position = two_towns()
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})
    position.apply(BuildCastle())
    assert pending_town(position) == (RED, {cell("0,1"), cell("0,2")})
    position.apply(BuildCastle())
    assert position.supply["castle"] == [1, 3]
    assert position.scores == [0, 0]


def test_PH_12_both_towns_may_be_scored() -> None:
    position = two_towns()
    position.apply(ScoreTown())
    events = position.apply(ScoreTown())
    assert points_by_seat(events) == {RED: 8}
    assert position.supply[PHANTOM] == [1, 1]


def test_IX_42_a_phantom_alone_in_a_town_may_turn_it_into_a_castle() -> None:
    position = with_bridges(
        players=2, tiles=[SOUTH_CAP], followers=["0 0,0 city.S phantom"], hand="base/E", pile=["base/U"] * 3
    )
    play_turn(position, "0,1", 0)
    assert isinstance(position.step, DecideTown)
    position.apply(BuildCastle())
    assert lords(position, "0,0") == [RED]
    assert [follower.figure for castle in castles_of(position) for follower in castle.followers] == [PHANTOM]
    assert position.supply[PHANTOM] == [0, 1]


def test_IX_42_a_castle_that_is_fed_sends_its_phantom_home() -> None:
    position = with_bridges(
        players=2,
        tiles=[SOUTH_CAP, *unfinished_road(1, 0, 2)],
        followers=["0 0,0 city.S phantom"],
        hand="base/E",
        pile=["base/A", "base/U"],
    )
    play_turn(position, "0,1", 0)
    position.apply(BuildCastle())
    events = play_turn(position, "2,0", 90)
    assert castle_points(events) == [(RED, 2)]
    assert position.supply[PHANTOM] == [1, 1]


def test_IX_44_a_castle_is_no_first_figure_for_the_phantom() -> None:
    """Converting a town is no deployment (CA-16): the phantom's question has come before, whoever holds the town."""
    position = with_bridges(
        players=2, tiles=[SOUTH_CAP], followers=["1 0,0 city.S"], hand="base/E", pile=["base/U"] * 3
    )
    play_turn(position, "0,1", 0)
    assert pending_town(position) == (BLUE, {cell("0,0"), cell("0,1")})
    position.apply(BuildCastle())
    assert tile_to_place(position) == (BLUE, "base/U")
    assert position.supply[PHANTOM] == [1, 1]


# -- where, and together with what ------------------------------------------------------------------------------------


def test_PH_13_it_stands_wherever_a_follower_may() -> None:
    for hand, first, expected in (
        ("base/B", "@field.NL", {"monastery"}),
        ("base/D", "@road.E", {"city.N", "field.EL", "field.ER"}),
    ):
        position = after(phantom_game(tiles=["base/B 0,0"], hand=hand), "0,-1", 0, first)
        assert phantom_places(position) == expected


def test_PH_13_without_farmers_it_is_no_farmer() -> None:
    position = phantom_game(tiles=["base/U 0,0"], hand="base/D", options=Options(farmers=False))
    assert phantom_places(after(position, "1,0", 0, "@city.N")) == {"road.E"}


def test_PH_14_no_builder_beside_a_phantom_of_the_same_placement() -> None:
    position = arrange(
        tiles=BESIDE_A_ROAD, hand="base/D", pile=["base/U"] * 9, players=2, expansions=("traders-builders", PHANTOM)
    )
    place_tile(position, "1,0")
    assert legal_segments_for(position, "builder") == set()
    position.apply(Deploy("city.N"))
    put(position, "road.E")
    play_turn(position, "0,-1")
    place_tile(position, "2,0")
    assert legal_segments_for(position, "builder") == {"road.E"}


def test_PH_15_both_figures_may_score_and_come_home_at_once() -> None:
    """The tile closes an empty city of 2 tiles and an empty road of 3."""
    position = phantom_game(
        tiles=["base/A 0,0 270", "base/A 2,0 90", "base/E 1,-1 180"], hand="base/D", pile=["base/U"] * 3
    )
    after(position, "1,0", 0, "@city.N")
    events = put(position, "road.E")
    assert sorted(points(events)) == [(RED, 3), (RED, 4)]
    assert sorted(event.figure for event in events_of(Returned, events)) == ["follower", PHANTOM]
    assert position.supply["follower"] == [7, 7, 7]
    assert position.supply[PHANTOM] == [1, 1, 1]


# -- leaving ----------------------------------------------------------------------------------------------------------


def test_a_player_who_resigns_keeps_the_phantom_off_the_board() -> None:
    position = after(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0", 0, "@city.N")
    position.apply(Resign(position.player))
    assert position.player == BLUE
    assert phantoms(position) == []


def test_a_player_whose_time_has_run_out_keeps_the_phantom() -> None:
    position = after(phantom_game(tiles=["base/U 0,0"], hand="base/D"), "1,0", 0, "@city.N")
    assert position.step is not None
    assert position.step.default_action(position) == Pass()
