"""The effects of building a castle (CA-14 … CA-20): no points, a token on the town, and the follower as its lord.

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-14 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BuildCastle,
    CastleBuilt,
    ScoreTown,
    bridge_on,
    castles_of,
)
from engine.carcassonne.tiles import FeatureKind
from engine.events import Deployed, Returned, TileDrawn
from engine.geometry import Axis
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, RED, cell, events_of, legal_segments, play_turn, points, standing_followers
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    TOWN,
    castle,
    castle_points,
    event_types,
    lords,
    pending_town,
    points_by_seat,
    unfinished_road,
)


def test_CA_14_building_gives_no_points() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], scores=[10, 10, 10], hand="base/E")
    play_turn(position, "0,1", 0)
    assert points(position.apply(BuildCastle())) == []
    assert position.scores == [10, 10, 10]


def close_town_beside_blues_castle() -> Position:
    """Have Red complete a town that lies in the fief of Blue's castle."""
    position = arrange(
        tiles=["base/E -1,0 180", "base/E -1,1 0", SOUTH_CAP],
        castles=["1 -1,0 -1,1"],
        followers=["0 0,0 city.S"],
        hand="base/E",
    )
    play_turn(position, "0,1", 0)
    return position


def test_CA_15_a_converted_town_does_not_count_as_completed() -> None:
    position = close_town_beside_blues_castle()
    events = position.apply(BuildCastle())
    assert points(events) == []
    assert lords(position, "-1,0") == [BLUE]
    assert not castle(position, "-1,0").scored


def test_CA_15_a_scored_town_counts_as_completed() -> None:
    position = close_town_beside_blues_castle()
    events = position.apply(ScoreTown())
    assert points_by_seat(events) == {RED: 4, BLUE: 4}
    assert lords(position, "-1,0") == []
    assert castle(position, "-1,0").scored


def test_CA_16_conversion_belongs_to_the_scoring_and_uses_up_no_deployment() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], player=BLUE, hand="base/E", pile=["base/U"])
    events = play_turn(position, "0,1", 0, deploy="field.EL")
    events += position.apply(BuildCastle())
    order = event_types(events)
    assert order.index(Deployed) < order.index(CastleBuilt) < order.index(TileDrawn)
    assert (BLUE, "0,1", "field.EL") in standing_followers(position)
    assert position.supply["follower"] == [6, 6, 7]


def test_CA_16_no_figure_is_deployed_before_the_decision() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], player=BLUE, hand="base/E")
    play_turn(position, "0,1", 0)
    assert pending_town(position) is not None
    assert legal_segments(position) == set()


def test_CA_17_a_later_castle_takes_another_token() -> None:
    position = arrange(
        players=2,
        tiles=[*TOWN, *unfinished_road(1, 0, 2), "base/E 0,5 180"],
        castles=["0 0,0 0,1"],
        followers=["0 0,5 city.S"],
        hand="base/A",
        pile=["base/E", "base/U"],
    )
    assert castle_points(play_turn(position, "2,0", 90)) == [(RED, 2)]
    play_turn(position, "0,6", 0)
    position.apply(BuildCastle())
    assert position.supply["castle"] == [1, 3]
    assert [(candidate.player, candidate.scored) for candidate in castles_of(position)] == [(RED, True), (RED, False)]


def test_CA_17_the_token_stays_to_the_end_of_the_game() -> None:
    position = arrange(tiles=[*TOWN, *unfinished_road(1, 0, 2)], castles=["0 0,0 0,1"], hand="base/A", pile=[])
    play_turn(position, "2,0", 90)
    assert position.step is None
    assert set(castle(position, "0,0").cells) == {cell("0,0"), cell("0,1")}
    assert position.supply["castle"] == [2, 3, 3]


def test_CA_18_a_castle_is_no_longer_a_city() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E", pile=[])
    play_turn(position, "0,1", 0)
    position.apply(BuildCastle())
    assert position.step is None
    assert position.scores == [0, 0, 0]
    assert [feature for feature in position.features() if feature.kind == FeatureKind.CITY] == []


def close_two_towns(tokens: int) -> Position:
    """Have Red complete two towns of their own with one tile."""
    position = arrange(
        tiles=["base/E 0,0 90", "base/E 2,0 270"],
        followers=["0 0,0 city.E", "0 2,0 city.W"],
        supply={"castle": [tokens, 3, 3]},
        hand="base/H",
    )
    play_turn(position, "1,0", 90)
    return position


def test_CA_19_one_token_is_enough_for_the_first_of_two_towns_only() -> None:
    position = close_two_towns(1)
    assert pending_town(position) is not None
    events = position.apply(BuildCastle())
    assert points_by_seat(events) == {RED: 4}
    assert pending_town(position) is None
    assert len(castles_of(position)) == 1
    assert position.supply["castle"] == [0, 3, 3]
    assert position.supply["follower"] == [6, 7, 7]


def test_CA_19_one_token_may_be_kept_for_the_second() -> None:
    position = close_two_towns(1)
    _, first = pending_town(position) or (RED, set())
    position.apply(ScoreTown())
    _, second = pending_town(position) or (RED, set())
    assert first | second == {cell("0,0"), cell("1,0"), cell("2,0")}
    position.apply(BuildCastle())
    assert set(castles_of(position)[0].cells) == second
    assert position.scores == [4, 0, 0]


def test_CA_19_two_tokens_build_two_castles() -> None:
    position = close_two_towns(3)
    position.apply(BuildCastle())
    assert pending_town(position) is not None
    position.apply(BuildCastle())
    assert [candidate.player for candidate in castles_of(position)] == [RED, RED]
    assert position.supply["castle"] == [1, 3, 3]
    assert position.supply["follower"] == [5, 7, 7]


def test_CA_19_both_towns_may_be_scored() -> None:
    position = close_two_towns(3)
    position.apply(ScoreTown())
    position.apply(ScoreTown())
    assert position.scores == [8, 0, 0]
    assert position.supply["follower"] == [7, 7, 7]


def test_CA_20_a_town_under_a_bridge_may_be_converted_and_other_figures_stay() -> None:
    """Blue stands on the bridge and Green in the field; the road over the castle keeps its value."""
    position = arrange(
        tiles=[SOUTH_CAP],
        bridges=["0,0 WE"],
        followers=["0 0,0 city.S", "1 0,0 road.E", "2 0,0 field.NL"],
        hand="base/E",
        pile=["base/A"] * 3,
    )
    standing = standing_followers(position) - {(RED, "0,0", "city.S")}
    play_turn(position, "0,1", 0)
    assert pending_town(position) is not None
    events = position.apply(BuildCastle())
    assert events_of(Returned, events) == []
    assert lords(position, "0,0") == [RED]
    assert standing_followers(position) == standing
    assert [bridge_on(placed) for placed in position.placed()] == [Axis.WE, None]
    play_turn(position, "1,0", 90)
    assert points(play_turn(position, "-1,0", 270)) == [(BLUE, 3), (RED, 3)]
