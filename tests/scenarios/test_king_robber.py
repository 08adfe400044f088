"""King and Robber Baron (KR-01 to KR-17), and their part in castles (IX-20, IX-23).

The King is a marker for whoever completed the largest city, the Robber Baron one for the longest road. In the texts
that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and rotation. Codes such as KR-05
are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from functools import partial

import pytest

from engine import replay, state_digest
from engine.actions import Resign
from engine.carcassonne import Position, new_setup, tile_set
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ScoreTown, castles_of
from engine.carcassonne.expansions.king_robber import (
    Holding,
    KingRobberTaken,
    Marker,
    completed_features,
    holding_of,
    markers_of,
)
from engine.carcassonne.options import Options
from engine.events import Event, Returned, Scored, Term
from engine.notation.positions import format_position, parse_position
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    GREEN,
    RED,
    events_of,
    feature,
    legal_segments,
    place_tile,
    play_turn,
    points,
    tile_count,
)
from tests.scenarios.vocabulary_castles import (
    auction_for_free,
    event_types,
    points_by_seat,
    tile_to_place,
    unfinished_city,
    unfinished_road,
)

BOX = "king-robber"
"""The name of the box."""
KING, ROBBER = Marker
CROSSING = "kr/CCCC"
"""The tile on which two cities cross."""

kr_game = partial(arrange, expansions=(BOX,))
"""An arranged position of the base game with this box."""
with_bridges = partial(arrange, expansions=(*BCB, BOX))
"""An arranged position with bridges, castles and bazaars beside it."""


def with_options(**values: str | bool) -> Options:
    """Return the default options with these changes."""
    return Options.of(values)


def markers_taken(events: list[Event]) -> list[tuple[int, Marker, int]]:
    """Return the markers that players took or kept: (seat, marker, tiles of the feature)."""
    return [(event.player, event.marker, event.size) for event in events_of(KingRobberTaken, events)]


def closing_city(middle: str, *, at: int = 0, **changes: object) -> Position:
    """Return a position in which ``base/E`` at 270 degrees closes a city in the row ``at``."""
    return kr_game(**{"tiles": unfinished_city(0, at, middle), "hand": "base/E", **changes})  # type: ignore[arg-type]


def close_city(position: Position, middle: str, *, at: int = 0) -> list[Event]:
    """Close the city of :func:`closing_city`."""
    return play_turn(position, f"{len(middle) + 1},{at}", 270)


# -- the box ----------------------------------------------------------------------------------------------------------


def test_KR_01_there_are_five_tiles() -> None:
    assert sum(kind.count for kind in tile_set(BOX).values()) == 5
    position = Position(new_setup(players=2, seed="1", expansions=(BOX,)))
    assert len(position.setup.pile) + 1 == 77


def test_KR_01_at_first_nobody_holds_a_marker() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=(BOX,)))
    assert [holding_of(position, marker) for marker in Marker] == [None, None]
    assert markers_of(position, RED) == ()


def test_KR_01_a_table_may_leave_the_five_tiles_out() -> None:
    setup = new_setup(players=2, seed="1", expansions=(BOX,), options=with_options(king_robber_tiles=False))
    assert len(setup.pile) + 1 == 72
    assert not [tile for tile in setup.pile if tile.startswith("kr/")]


def test_KR_02_the_crossing_shows_two_cities() -> None:
    position = kr_game(tiles=[f"{CROSSING} 0,0"])
    assert tile_count(feature(position, "0,0", "city.N")) == 1
    assert {segment.name for _, segment in feature(position, "0,0", "city.N").parts} == {"city.N"}
    assert feature(position, "0,0", "city.E") != feature(position, "0,0", "city.N")


def test_KR_02_the_two_cities_may_become_one_elsewhere() -> None:
    """The tile then counts once (BA-18)."""
    position = kr_game(tiles=[f"{CROSSING} 0,0", "base/N 0,-1 180", "base/N 1,-1 270", "base/N 1,0 0"])
    joined = feature(position, "0,0", "city.E")
    assert joined == feature(position, "0,0", "city.N")
    assert (tile_count(joined), joined.tiles) == (4, 4)


def test_KR_02_each_of_its_enclosed_fields_touches_both_cities_and_is_held_apart() -> None:
    position = place_tile(kr_game(tiles=["base/D 0,-1 180"], hand=CROSSING), "0,0")
    assert {"field.NW", "field.SE"} <= legal_segments(position)
    position.apply(next(action for action in position.legal_actions if str(action) == "@field.SE"))
    assert [figure.segment.name for figure in position.standing_figures()] == ["field.SE"]
    assert not feature(position, "0,0", "field.NW").followers


def test_KR_02_its_fields_turn_with_it() -> None:
    position = place_tile(kr_game(tiles=["base/D 0,-1 180"], hand=CROSSING), "0,0", 90)
    assert {"field.NE", "field.SW"} <= legal_segments(position)


# -- taking them ------------------------------------------------------------------------------------------------------


def test_KR_03_who_completes_the_first_city_takes_the_king_whoever_holds_it() -> None:
    position = closing_city("", followers=["1 0,0 city.E"])
    events = close_city(position, "")
    assert points(events) == [(BLUE, 4)]
    assert markers_taken(events) == [(RED, KING, 2)]
    assert holding_of(position, KING) == Holding((RED,), 2)


def test_KR_03_also_when_nobody_holds_it() -> None:
    position = closing_city("G")
    assert markers_taken(close_city(position, "G")) == [(RED, KING, 3)]
    assert markers_of(position, RED) == (KING,)


def test_KR_04_a_larger_city_takes_the_king_from_its_holder() -> None:
    position = closing_city("GGG", player=BLUE, king_robber=["king 0 4"])
    (event,) = events_of(KingRobberTaken, close_city(position, "GGG"))
    assert (event.player, event.size, event.kept, event.holders) == (BLUE, 5, False, (BLUE,))
    assert holding_of(position, KING) == Holding((BLUE,), 5)
    assert markers_of(position, RED) == ()


def test_KR_04_the_holder_keeps_it_with_a_larger_city_of_their_own() -> None:
    position = closing_city("GGGGG", player=BLUE, king_robber=["king 1 5"])
    (event,) = events_of(KingRobberTaken, close_city(position, "GGGGG"))
    assert (event.player, event.size, event.kept) == (BLUE, 7, True)
    assert holding_of(position, KING) == Holding((BLUE,), 7)


@pytest.mark.parametrize("size", [5, 6])
def test_KR_05_a_city_that_is_not_larger_changes_nothing(size: int) -> None:
    position = closing_city("GGG", player=BLUE, king_robber=[f"king 0 {size}"])
    assert markers_taken(close_city(position, "GGG")) == []
    assert holding_of(position, KING) == Holding((RED,), size)


def test_KR_05_by_the_option_equals_share_it() -> None:
    options = with_options(king_robber_tie="shared")
    position = closing_city("GGG", player=BLUE, king_robber=["king 0 5"], options=options, pile=[])
    events = close_city(position, "GGG")
    (event,) = events_of(KingRobberTaken, events)
    assert (event.player, event.kept, event.holders) == (BLUE, False, (RED, BLUE))
    assert points_by_seat(events) == {RED: 1, BLUE: 1}


def test_KR_05_who_shares_it_already_gains_nothing_by_another_one() -> None:
    options = with_options(king_robber_tie="shared")
    position = closing_city("GGG", player=BLUE, king_robber=["king 0 1 5"], options=options)
    assert markers_taken(close_city(position, "GGG")) == []


def test_KR_05_a_larger_city_ends_the_sharing() -> None:
    options = with_options(king_robber_tie="shared")
    position = closing_city("GGG", player=BLUE, king_robber=["king 0 1 4"], options=options)
    assert markers_taken(close_city(position, "GGG")) == [(BLUE, KING, 5)]
    assert holding_of(position, KING) == Holding((BLUE,), 5)


def test_KR_06_size_is_counted_in_tiles() -> None:
    """An F has a pennant: the city brings 8 points, and is no larger than any of three tiles."""
    position = closing_city("F", followers=["1 0,0 city.E"], king_robber=["king 2 4"])
    events = close_city(position, "F")
    assert points(events) == [(BLUE, 8)]
    assert markers_taken(events) == []


def test_KR_07_the_robber_baron_goes_by_roads() -> None:
    position = kr_game(tiles=unfinished_road(0, 0, 2), hand="base/A")
    assert markers_taken(play_turn(position, "1,0", 90)) == [(RED, ROBBER, 2)]
    assert holding_of(position, KING) is None


def test_KR_07_a_longer_road_takes_him_and_an_equal_one_does_not() -> None:
    longer = kr_game(tiles=unfinished_road(0, 0, 6), hand="base/A", player=BLUE, king_robber=["robber 0 2"])
    assert markers_taken(play_turn(longer, "5,0", 90)) == [(BLUE, ROBBER, 6)]
    equal = kr_game(tiles=unfinished_road(0, 0, 6), hand="base/A", player=BLUE, king_robber=["robber 0 6"])
    assert markers_taken(play_turn(equal, "5,0", 90)) == []


def test_KR_07_an_inn_does_not_make_a_road_longer() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "ic/FRFR-b 1,0"],
        followers=["0 0,0 road.E"],
        hand="base/A",
        expansions=("inns-cathedrals", BOX),
    )
    events = play_turn(position, "2,0", 90)
    assert points(events) == [(RED, 6)]
    assert markers_taken(events) == [(RED, ROBBER, 3)]


def test_IX_23_with_castles_the_robber_baron_has_nothing_to_do() -> None:
    """KR-07: the Robber Baron counts only roads, even if a road feeds a castle."""
    position = with_bridges(
        tiles=["base/E 0,0 180", "base/E 0,1 0", *unfinished_road(1, 0, 2)],
        castles=["0 0,0 0,1"],
        hand="base/A",
        player=BLUE,
    )
    events = play_turn(position, "2,0", 90)
    assert points(events) == [(RED, 2)]
    assert markers_taken(events) == [(BLUE, ROBBER, 2)]


# -- several at once, and when ----------------------------------------------------------------------------------------


def test_KR_08_of_several_cities_the_largest_counts() -> None:
    """An I closes a city of four tiles in the west and one of six in the south."""
    west = ["base/E -3,0 90", "base/G -2,0", "base/G -1,0"]
    south = ["base/G 0,1 90", "base/G 0,2 90", "base/G 0,3 90", "base/G 0,4 90", "base/E 0,5"]
    position = kr_game(tiles=[*west, *south], hand="base/I", player=BLUE, king_robber=["king 0 3"])
    assert markers_taken(play_turn(position, "0,0", 270)) == [(BLUE, KING, 6)]


def test_KR_08_king_and_robber_may_both_change_in_one_turn() -> None:
    """A D closes a city of two tiles in the north; its road goes on, and joins two ends."""
    tiles = ["base/E 0,-1 180", "base/A -1,0 270", "base/A 1,0 90"]
    position = kr_game(tiles=tiles, hand="base/D", king_robber=["king 1 1", "robber 2 2"])
    assert markers_taken(play_turn(position, "0,0")) == [(RED, KING, 2), (RED, ROBBER, 3)]
    assert markers_of(position, RED) == (KING, ROBBER)


def test_KR_09_they_change_hands_after_the_points_and_bring_none() -> None:
    position = closing_city("", followers=["0 0,0 city.E"])
    events = close_city(position, "")
    assert (
        event_types(events).index(Scored)
        < event_types(events).index(KingRobberTaken)
        < event_types(events).index(Returned)
    )
    assert position.scores == [4, 0, 0]


@pytest.mark.parametrize("boxes", [(*BCB, BOX), (BOX, *BCB)], ids=["last", "first"])
def test_KR_09_castles_are_paid_before_in_whatever_order_boxes_are_played(boxes: tuple[str, ...]) -> None:
    position = arrange(
        tiles=["base/E 0,0 180", "base/E 0,1 0", *unfinished_road(1, 0, 2)],
        castles=["0 0,0 0,1"],
        hand="base/A",
        expansions=boxes,
    )
    events = play_turn(position, "2,0", 90)
    assert [event.kind for event in events_of(Scored, events)] == ["castle"]
    assert event_types(events).index(Scored) < event_types(events).index(KingRobberTaken)


# -- who completes ----------------------------------------------------------------------------------------------------


def test_KR_10_a_bought_tile_counts_for_its_buyer() -> None:
    """Red opens the bazaar; Blue closes a city of eight tiles with the cap bought there."""
    position = with_bridges(
        tiles=unfinished_city(0, 5, "GGGGGG"),
        hand="bcb/FFFF",
        pile=["base/E", "base/B", "base/B", *["base/B"] * 9],
        king_robber=["king 2 2"],
    )
    play_turn(position, "0,6")
    auction_for_free(position)
    assert tile_to_place(position) == (BLUE, "base/E")
    assert markers_taken(play_turn(position, "7,5", 270)) == [(BLUE, KING, 8)]


def test_KR_10_a_road_closed_by_a_bridge_counts_for_who_built_it() -> None:
    """The builder of the bridge completes the road, even if another player holds it (BR-32)."""
    position = with_bridges(
        players=2,
        tiles=["base/A 0,0 270", "base/A 2,0 90", "base/B 1,-1 0", "base/B 1,1 0"],
        followers=["1 0,0 road.E"],
        hand="base/B",
    )
    events = play_turn(position, "1,0", aid="1,0 WE")
    assert points(events) == [(BLUE, 3)]
    assert markers_taken(events) == [(RED, ROBBER, 3)]


def test_KR_10_the_second_tile_of_a_builder_counts_for_its_player() -> None:
    position = arrange(
        tiles=[*unfinished_city(0, 0, "G"), *unfinished_road(0, 3, 3)],
        followers=["0 0,3 road.E", "0 0,3 road.E builder"],
        hand="base/U",
        pile=["base/E", "base/B"],
        expansions=("traders-builders", BOX),
    )
    play_turn(position, "2,3")
    assert position.player == RED
    assert markers_taken(play_turn(position, "2,0", 270)) == [(RED, KING, 3)]


# -- the end ----------------------------------------------------------------------------------------------------------


def play_to_end(**changes: object) -> tuple[Position, list[Event]]:
    """Return the end of a game with two completed cities, one completed road and unfinished ones, and its events."""
    cities = [*unfinished_city(0, 0, ""), "base/E 1,0 270", *unfinished_city(5, 0, "G"), "base/E 7,0 270"]
    roads = [*unfinished_road(0, 3, 2), "base/A 1,3 90"]
    tiles = [*cities, *roads, "base/U 5,3", "base/E 7,3"]
    position = kr_game(**{"tiles": tiles, "hand": "base/B", "pile": [], **changes})  # type: ignore[arg-type]
    return position, play_turn(position, "0,-1")


def test_KR_11_each_completed_city_and_road_brings_a_point() -> None:
    position, events = play_to_end(king_robber=["king 0 3", "robber 1 2"])
    assert completed_features(position, KING) == 2
    assert completed_features(position, ROBBER) == 1
    assert [
        (event.player, event.kind, event.points, event.terms, event.final) for event in events_of(Scored, events)
    ] == [(RED, "king", 2, (Term("cities", 2, 2),), True), (BLUE, "robber", 1, (Term("roads", 1, 1),), True)]
    assert position.scores == [2, 1, 0]


def test_KR_11_whoever_completed_or_held_them() -> None:
    """The players who hold the markers have completed none of the features."""
    _, events = play_to_end(king_robber=["king 2 3", "robber 2 2"])
    assert points_by_seat(events) == {GREEN: 3}


def test_KR_11_is_part_of_the_score_if_the_game_ended_now() -> None:
    position = kr_game(tiles=[*unfinished_city(0, 0, ""), "base/E 1,0 270"], king_robber=["king 1 2"])
    after, _ = position.concluded()
    assert after.scores == [0, 1, 0]


@pytest.mark.parametrize(
    ("markers", "gain"),
    [
        (["king 0 3"], {RED: 10}),
        (["king 0 3", "robber 1 2"], {RED: 10, BLUE: 10}),
        (["king 0 3", "robber 0 2"], {RED: 20}),
    ],
)
def test_KR_11_by_an_option_each_marker_brings_ten(markers: list[str], gain: dict[int, int]) -> None:
    _, events = play_to_end(king_robber=markers, options=with_options(king_robber_scoring="ten_each"))
    assert points_by_seat(events) == gain


@pytest.mark.parametrize(
    ("markers", "gain"),
    [
        (["robber 1 2"], {BLUE: 15}),
        (["king 0 3", "robber 1 2"], {RED: 15, BLUE: 15}),
        (["king 0 3", "robber 0 2"], {RED: 40}),
    ],
)
def test_KR_11_by_an_option_one_marker_brings_15_and_both_40(markers: list[str], gain: dict[int, int]) -> None:
    _, events = play_to_end(king_robber=markers, options=with_options(king_robber_scoring="fifteen_forty"))
    assert points_by_seat(events) == gain


def test_KR_11_by_an_option_the_holder_scores_in_each_round_before_the_change() -> None:
    options = with_options(king_robber_scoring="continuous")
    position = closing_city("GG", player=BLUE, king_robber=["king 0 2"], options=options, pile=[])
    events = close_city(position, "GG")
    score, change = events_of(Scored, events)[0], events_of(KingRobberTaken, events)[0]
    assert (score.player, score.kind, score.points, score.final) == (RED, "king", 1, False)
    assert events.index(score) < events.index(change)
    assert change.player == BLUE
    assert points_by_seat(events) == {RED: 1}, "nothing at the end"


def test_KR_11_by_that_option_the_first_city_brings_nobody_a_point() -> None:
    options = with_options(king_robber_scoring="continuous")
    assert points_by_seat(close_city(closing_city("", options=options), "")) == {}


def test_KR_11_by_that_option_each_city_of_a_round_counts() -> None:
    west, south = ["base/E -1,0 90"], ["base/E 0,1"]
    options = with_options(king_robber_scoring="continuous")
    position = kr_game(tiles=[*west, *south], hand="base/I", player=BLUE, king_robber=["king 2 5"], options=options)
    assert points_by_seat(play_turn(position, "0,0", 270)) == {GREEN: 2}


def test_KR_12_a_town_that_becomes_a_castle_does_not_win_the_king() -> None:
    position = with_bridges(tiles=["base/E 0,0 180"], followers=["1 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1")
    events = list(position.apply(BuildCastle()))
    assert markers_taken(events) == []
    assert holding_of(position, KING) is None


def test_KR_12_a_town_that_is_scored_is_a_city_of_two_tiles() -> None:
    position = with_bridges(tiles=["base/E 0,0 180"], followers=["1 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1")
    assert markers_taken(list(position.apply(ScoreTown()))) == [(RED, KING, 2)]


def test_IX_20_castles_do_not_count_for_the_king_at_the_end() -> None:
    """KR-12: three completed cities and two castles."""
    cities = [tile for x in (0, 4, 8) for tile in (*unfinished_city(x, 5, ""), f"base/E {x + 1},5 270")]
    castles = ["base/E 0,0 180", "base/E 0,1 0", "base/E 5,0 180", "base/E 5,1 0"]
    position = with_bridges(
        tiles=[*cities, *castles], castles=["1 0,0 0,1", "1 5,0 5,1"], hand="base/B", pile=[], king_robber=["king 0 2"]
    )
    assert points_by_seat(play_turn(position, "0,-1")) == {RED: 3}


def test_KR_14_a_bridge_counts_as_a_tile_of_the_road() -> None:
    """Four printed tiles and one with a bridge."""
    row = ["base/A 0,0 270", "base/U 1,0", "base/E 2,0 0", "base/U 3,0"]
    position = with_bridges(tiles=row, bridges=["2,0 WE"], hand="base/A")
    assert markers_taken(play_turn(position, "4,0", 90)) == [(RED, ROBBER, 5)]


def test_KR_14_a_tile_counts_once_for_a_road_that_passes_it_twice() -> None:
    """BR-22: the bridge crosses its own road."""
    position = with_bridges(
        tiles=["base/A 0,0 0", "base/V 0,1 90", "base/V -1,1 180", "base/V -1,0 270"], bridges=["0,0 WE"], hand="base/W"
    )
    assert markers_taken(play_turn(position, "1,0")) == [(RED, ROBBER, 5)]


def test_KR_14_a_tile_with_two_roads_counts_for_both() -> None:
    """The road below the bridge is completed first, the one over it is as long as the other."""
    tiles = ["base/A 0,-1 0", "base/U 0,0 90", "base/A -1,0 270"]
    position = with_bridges(tiles=tiles, bridges=["0,0 WE"], hand="base/A", pile=["base/A", *["base/B"] * 5])
    assert markers_taken(play_turn(position, "0,1", 180)) == [(RED, ROBBER, 3)]
    assert markers_taken(play_turn(position, "1,0", 90)) == []
    assert completed_features(position, ROBBER) == 2


def test_KR_15_their_points_feed_no_castle() -> None:
    position = with_bridges(
        tiles=["base/E 0,0 180", "base/E 0,1 0", *unfinished_city(5, 5, ""), "base/E 6,5 270"],
        castles=["0 0,0 0,1"],
        hand="base/B",
        pile=[],
        king_robber=["king 0 2"],
    )
    events = play_turn(position, "0,-1")
    assert [(event.kind, event.points) for event in events_of(Scored, events)] == [("castle", 0), ("king", 1)]
    assert [castle.scored for castle in castles_of(position)] == [False]


def test_KR_15_nor_do_those_in_the_middle_of_the_game() -> None:
    """A castle scores the 2 points of the city without those of the King's holder."""
    position = with_bridges(
        tiles=["base/E 0,0 180", "base/E 0,1 0", *unfinished_road(1, 0, 2)],
        castles=["0 0,0 0,1"],
        hand="base/A",
        king_robber=["robber 1 9"],
        options=with_options(king_robber_scoring="continuous"),
    )
    assert points_by_seat(play_turn(position, "2,0", 90)) == {RED: 2, BLUE: 1}


def test_KR_16_a_marker_that_nobody_won_brings_nothing() -> None:
    position, events = play_to_end()
    assert events_of(Scored, events) == []
    assert position.scores == [0, 0, 0]


def test_KR_17_a_completed_monastery_is_neither_city_nor_road() -> None:
    around = [f"base/B {x},{y}" for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (1, 1)]
    position = kr_game(
        tiles=around, followers=["1 0,0 monastery"], hand="base/B", king_robber=["king 0 2", "robber 0 2"]
    )
    events = play_turn(position, "1,1")
    assert points_by_seat(events) == {BLUE: 9}
    assert markers_taken(events) == []
    assert [completed_features(position, marker) for marker in Marker] == [0, 0]


def test_KR_17_nor_is_the_river() -> None:
    river = ["river/FIFF 0,0 0", "river/FFFI 0,-1 270"]
    position = arrange(tiles=river, hand="base/B", pile=[], expansions=("river", BOX), king_robber=["robber 0 2"])
    assert points_by_seat(play_turn(position, "0,1")) == {}


# -- beside the rules -------------------------------------------------------------------------------------------------


def test_who_leaves_keeps_the_markers_and_their_points() -> None:
    position = kr_game(tiles=[*unfinished_city(0, 0, ""), "base/E 1,0 270"], king_robber=["king 1 2"])
    position.apply(Resign(BLUE))
    assert markers_of(position, BLUE) == (KING,)
    after, _ = position.concluded()
    assert after.scores == [0, 1, 0]


def test_a_town_that_is_settled_because_everyone_left_is_won_before_the_end() -> None:
    """The placement in progress is scored to its end, markers included."""
    position = with_bridges(players=2, tiles=["base/E 0,0 180"], followers=["1 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1")
    events = position.apply(Resign(BLUE))
    assert [(event.player, event.marker, event.size) for event in events_of(KingRobberTaken, events)] == [
        (RED, KING, 2)
    ]
    assert position.scores == [1, 4]


def test_an_undo_gives_the_markers_back() -> None:
    position = closing_city("GG", player=BLUE, king_robber=["king 0 2"])
    before, digest = holding_of(position, KING), state_digest(position)
    position.push(next(action for action in position.legal_actions if str(action) == "P13/270"))
    position.push(next(action for action in position.legal_actions if str(action) == "pass"))
    assert holding_of(position, KING) == Holding((BLUE,), 4)
    position.pop()
    position.pop()
    assert (holding_of(position, KING), state_digest(position)) == (before, digest)


def test_holders_and_sizes_are_written_and_read() -> None:
    position = kr_game(king_robber=["king 0 5", "robber 1 2 6"])
    text = format_position(position)
    assert '[KingRobber "king:5:1 robber:6:2/3"]' in text
    read = parse_position(text)
    assert isinstance(read, Position)
    assert [holding_of(read, marker) for marker in Marker] == [Holding((RED,), 5), Holding((BLUE, GREEN), 6)]
    assert format_position(read) == text


@pytest.mark.parametrize(
    "wrong", ["queen:5:1", "king:5", "king:5:9", "king:5:-", "king:x:1", "king:5:1/1", "king:5:2/1"]
)
def test_holders_that_cannot_be_are_refused(wrong: str) -> None:
    text = format_position(kr_game(king_robber=["king 0 5"])).replace("king:5:1", wrong)
    with pytest.raises(ValueError, match="KingRobber"):
        parse_position(text)


def test_a_game_that_is_replayed_ends_with_the_same_holders() -> None:
    setup = new_setup(players=3, seed="4", expansions=(BOX,))
    position, actions = Position(setup), []
    while position.step is not None:
        actions.append(next(iter(position.legal_actions)))
        position.apply(actions[-1])
    replayed = replay(setup, actions)
    assert isinstance(replayed, Position)
    assert holding_of(replayed, ROBBER) is not None
    assert [holding_of(replayed, marker) for marker in Marker] == [holding_of(position, marker) for marker in Marker]
    assert state_digest(replayed) == state_digest(position)
