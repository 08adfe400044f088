"""The fairy beside castles: its moves and points (IX-14, IX-44), and the option ``castle_fairy`` (O-12).

The fairy stands beside a follower and belongs to no player. Its follower's player gets a point at the beginning of each
turn, and three points when the follower's feature scores. Codes such as IX-14 are rules of the rule digest; each test
is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine import parse_action
from engine.actions import Pass
from engine.carcassonne import Options, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ScoreTown, bazaar_of, castles_of
from engine.carcassonne.expansions.fairy import FairyMoved, MoveFairy, castle_with_fairy, companion_of, fairy_of
from engine.carcassonne.options import PRESETS
from engine.events import Event
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    assert_illegal,
    cell,
    events_of,
    legal_bridges,
    legal_segments,
    place_tile,
    play_turn,
    points,
)
from tests.scenarios.vocabulary_castles import SOUTH_CAP, TOWN, castle_points, lords, unfinished_road

EXPANSIONS = ("bridges-castles-bazaars", "fairy")
ALLOWED = Options(castle_fairy="allowed")
"""The option with which the fairy may stand in castles."""


def fairy_places(position: Position) -> set[str]:
    """Return the places to which the fairy may move now, as ``x,y segment``."""
    return {
        f"{action.cell.x},{action.cell.y} {action.segment}"
        for action in position.legal_actions
        if isinstance(action, MoveFairy)
    }


def move_fairy(position: Position, where: str) -> list[Event]:
    """Move the fairy to the follower on a segment; return the events."""
    place, segment = where.split()
    return list(position.apply(MoveFairy(cell(place), segment)))


def test_IX_14_the_fairy_goes_to_a_follower_of_the_player_instead_of_deploying_one() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/B 0,5"],
        followers=["0 0,0 road.E", "0 0,5 monastery", "1 0,5 field.NL"],
        hand="base/B",
        expansions=EXPANSIONS,
    )
    place_tile(position, "1,5")
    assert fairy_places(position) == {"0,0 road.E", "0,5 monastery"}
    events = move_fairy(position, "0,5 monastery")
    assert [(event.player, event.cell) for event in events_of(FairyMoved, events)] == [(RED, cell("0,5"))]
    assert fairy_of(position) is not None
    assert position.player == BLUE


def test_IX_14_the_fairy_cannot_stay_where_it_stands() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/B 0,5"],
        followers=["0 0,0 road.E", "0 0,5 monastery", "1 0,5 field.NL"],
        hand="base/B",
        pile=["base/B"] * 5,
        expansions=EXPANSIONS,
    )
    place_tile(position, "1,5")
    move_fairy(position, "0,0 road.E")
    play_turn(position, "2,5")
    place_tile(position, "3,5")
    assert fairy_places(position) == {"0,5 monastery"}


def test_IX_14_a_bridge_may_follow_the_fairy_if_it_may_follow_a_figure() -> None:
    position = arrange(
        tiles=["base/B 0,0"],
        followers=["0 0,0 monastery"],
        hand="base/B",
        expansions=EXPANSIONS,
        options=Options(bridge_timing="any_time"),
    )
    place_tile(position, "1,0")
    move_fairy(position, "0,0 monastery")
    assert position.player == RED
    assert legal_segments(position) == set()
    assert fairy_places(position) == set()
    assert legal_bridges(position) != set()


def test_IX_14_a_player_without_followers_on_the_board_cannot_move_the_fairy() -> None:
    position = arrange(tiles=["base/B 0,0"], hand="base/B", expansions=EXPANSIONS)
    place_tile(position, "1,0")
    assert_illegal(position, MoveFairy(cell("0,0"), "monastery"))


@pytest.mark.parametrize("text", ["fairy:M13.monastery", "fairy:M12.city.N", "fairy:-A2.castle"])
def test_the_action_round_trips_as_text(text: str) -> None:
    assert str(parse_action(text)) == text
    assert isinstance(parse_action(text), MoveFairy)


def position_with_fairy(*, followers: tuple[str, ...] = (), pile: tuple[str, ...] = ("base/B",) * 9) -> Position:
    """Return a position with the fairy at Red's follower, on a road open to the east, and Blue to move."""
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/U 1,0", "base/B 0,5"],
        followers=["0 0,0 road.E", *followers],
        hand="base/B",
        pile=pile,
        expansions=EXPANSIONS,
    )
    place_tile(position, "1,5")
    move_fairy(position, "0,0 road.E")
    return position


def test_IX_14_the_fairy_gives_a_point_at_the_beginning_of_the_turn() -> None:
    position = position_with_fairy()
    assert position.scores == [0, 0]
    assert points(play_turn(position, "2,5")) == [(RED, 1)]
    assert points(play_turn(position, "3,5")) == []
    assert points(play_turn(position, "4,5")) == [(RED, 1)]


def test_IX_14_the_fairy_gives_three_points_when_the_road_is_scored() -> None:
    position = position_with_fairy(pile=("base/A", "base/B", "base/B"))
    assert points(play_turn(position, "2,0", 90)) == [(RED, 3), (RED, 3)]
    assert companion_of(position) is None
    assert fairy_of(position) is not None


def test_IX_14_the_fairy_gives_them_even_without_the_majority() -> None:
    position = position_with_fairy(followers=("1 1,0 road.E", "1 1,0 road.W"), pile=("base/A", "base/B", "base/B"))
    assert points(play_turn(position, "2,0", 90)) == [(BLUE, 3), (RED, 3)]


def test_IX_14_the_fairy_gives_nothing_for_another_road() -> None:
    position = arrange(
        tiles=["base/A 0,0 270", "base/U 1,0", "base/B 0,5"],
        followers=["1 0,0 road.E", "0 0,5 monastery"],
        hand="base/B",
        pile=["base/A", "base/B"],
        expansions=EXPANSIONS,
    )
    place_tile(position, "1,5")
    move_fairy(position, "0,5 monastery")
    assert points(play_turn(position, "2,0", 90)) == [(BLUE, 3)]


def position_with_castle(options: Options, **overrides: object) -> Position:
    """Return a position with Red's castle, a road of 6 without a tile in its fief, and Red to move the fairy."""
    position = arrange(
        tiles=[*TOWN, *unfinished_road(1, 0, 6), "base/B 0,5"],
        castles=["0 0,0 0,1"],
        followers=["0 0,5 monastery"],
        hand="base/B",
        pile=["base/A", "base/B", "base/B"],
        expansions=EXPANSIONS,
        options=options,
        **overrides,  # type: ignore[arg-type]
    )
    return place_tile(position, "1,5")


def test_IX_14_when_forbidden_the_fairy_cannot_go_to_a_castle() -> None:
    position = position_with_castle(Options())
    assert fairy_places(position) == {"0,5 monastery"}
    assert_illegal(position, MoveFairy(cell("0,0"), "castle"))


@pytest.mark.parametrize("options", [ALLOWED, PRESETS["bb3_rgg"], PRESETS["c2_hig"], PRESETS["c2_zmg"]])
def test_IX_14_when_allowed_the_fairy_gives_three_points_for_a_scoring_castle(options: Options) -> None:
    position = position_with_castle(options)
    assert fairy_places(position) == {"0,0 castle", "0,5 monastery"}
    sent = [
        castle_with_fairy(position, MoveFairy(cell(at), to)) for at, to in (("0,0", "castle"), ("0,5", "monastery"))
    ]
    assert sent == [*castles_of(position), None]
    move_fairy(position, "0,0 castle")
    if position.player == RED:
        position.apply(Pass())
    events = play_turn(position, "6,0", 90)
    assert castle_points(events) == [(RED, 6)]
    assert points(events) == [(RED, 6), (RED, 3)]
    assert companion_of(position) is None


def test_IX_14_when_allowed_the_fairy_at_a_castle_gives_a_point_each_turn() -> None:
    position = position_with_castle(ALLOWED)
    move_fairy(position, "0,0 castle")
    play_turn(position, "2,5", 180)
    assert position.player == GREEN
    assert points(play_turn(position, "3,5")) == [(RED, 1)]


@pytest.mark.parametrize(("options", "bonus"), [(Options(), []), (ALLOWED, [(RED, 3)])])
def test_IX_14_the_option_decides_if_the_fairy_follows_into_a_castle(
    options: Options, bonus: list[tuple[int, int]]
) -> None:
    position = arrange(
        players=2,
        tiles=[SOUTH_CAP, *unfinished_road(1, 0, 6), "base/B 0,5"],
        followers=["0 0,0 city.S"],
        hand="base/B",
        pile=["base/E", "base/A", "base/B", "base/B"],
        expansions=EXPANSIONS,
        options=options,
    )
    place_tile(position, "1,5")
    move_fairy(position, "0,0 city.S")
    play_turn(position, "0,1")
    position.apply(BuildCastle())
    assert (companion_of(position) is None) == (not bonus)
    assert lords(position, "0,0") == [RED]
    assert points(play_turn(position, "6,0", 90)) == [(RED, 6), *bonus]


def test_IX_14_a_scored_town_gives_the_fairys_points_with_either_option() -> None:
    position = arrange(
        players=2,
        tiles=[SOUTH_CAP, "base/B 0,5"],
        followers=["0 0,0 city.S"],
        hand="base/B",
        pile=["base/E", "base/B"],
        expansions=EXPANSIONS,
    )
    place_tile(position, "1,5")
    move_fairy(position, "0,0 city.S")
    play_turn(position, "0,1")
    assert points(position.apply(ScoreTown())) == [(RED, 4), (RED, 3)]


def test_IX_44_building_a_castle_does_not_use_up_the_move_of_the_fairy() -> None:
    position = arrange(
        tiles=[SOUTH_CAP, "base/B 0,5"],
        followers=["0 0,0 city.S", "0 0,5 monastery"],
        hand="base/E",
        expansions=EXPANSIONS,
    )
    place_tile(position, "0,1")
    move_fairy(position, "0,5 monastery")
    position.apply(BuildCastle())
    assert lords(position, "0,1") == [RED]


def test_IX_14_a_bought_tile_begins_no_turn() -> None:
    position = arrange(
        players=2,
        tiles=["base/B 0,5"],
        followers=["0 0,5 monastery"],
        hand="bcb/FFFF",
        pile=["base/B"] * 6,
        expansions=EXPANSIONS,
        options=Options(bazaar_mode="draft"),
    )
    place_tile(position, "1,5")
    move_fairy(position, "0,5 monastery")
    assert bazaar_of(position) is not None
    position.apply(position.legal_actions[0])
    assert points(play_turn(position, "2,5")) == []
    assert position.player == RED
    assert points(play_turn(position, "3,5")) == []
    assert position.player == BLUE
    assert points(play_turn(position, "4,5")) == [(RED, 1)]
