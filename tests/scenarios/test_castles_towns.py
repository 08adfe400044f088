"""The towns that may become castles (CA-01 … CA-06), and the players who decide (CA-07 … CA-13).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. In the texts that describe positions, ``"base/E 0,1 90"`` is tile E of the base game, with its cell and
rotation. Codes such as CA-01 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ScoreTown, castles_of
from engine.carcassonne.tiles import FeatureKind, tile_set
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    assert_illegal,
    cell,
    feature,
    play_turn,
    points,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    TOWN,
    castle,
    completed_structures,
    lords,
    pending_town,
    town_points,
)


def test_CA_01_the_owner_of_a_completed_town_of_two_caps_decides() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1", 0)
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})
    assert set(position.legal_actions) >= {BuildCastle(), ScoreTown()}
    assert position.player == RED
    assert town_points(position) == 4


def test_CA_01_a_closed_city_of_three_tiles_is_scored_without_a_question() -> None:
    position = arrange(tiles=[SOUTH_CAP, "base/G 0,1 90"], followers=["0 0,0 city.S"], hand="base/E")
    events = play_turn(position, "0,2", 0)
    assert pending_town(position) is None
    assert points(events) == [(RED, 6)]
    assert castles_of(position) == ()


def test_CA_02_a_town_with_the_triangular_piece_is_scored_without_a_question() -> None:
    position = arrange(tiles=["base/E 0,0 90"], followers=["0 0,0 city.E"], hand="bcb/FRFC")
    events = play_turn(position, "1,0", 0)
    assert pending_town(position) is None
    assert points(events) == [(RED, 4)]
    assert castles_of(position) == ()


def test_CA_02_the_other_tile_with_the_same_edges_has_an_ordinary_cap() -> None:
    position = arrange(tiles=["base/E 0,0 90"], followers=["0 0,0 city.E"], hand="bcb/CFRF")
    play_turn(position, "1,0", 270)
    assert pending_town(position) == (RED, {cell("0,0"), cell("1,0")})


def test_CA_03_a_city_on_one_edge_is_a_cap_unless_triangular() -> None:
    pieces = [
        (kind.id, segment.cap)
        for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS)
        for kind in tile_set(name).values()
        for segment in kind.segments
        if segment.kind is FeatureKind.CITY and len(segment.places) == 1
    ]
    assert {tile_id for tile_id, cap in pieces if not cap} == {
        *("bcb/FRFC", "bcb/FRFC+garden", "ic/CFFF"),
        *("am/CCFC", "am/FFFC"),
    }
    assert {tile_id.partition("/")[0] for tile_id, cap in pieces if cap} >= {"base", "bcb", "ic", "tb"}


def test_CA_03_a_piece_on_several_edges_is_no_cap() -> None:
    assert not any(
        segment.cap and len(segment.places) != 1
        for name in OFFERED_TILE_SETS
        for kind in tile_set(name).values()
        for segment in kind.segments
    )


def test_CA_06_an_empty_town_is_neither_asked_about_nor_scored() -> None:
    position = arrange(tiles=[SOUTH_CAP], hand="base/E")
    events = play_turn(position, "0,1", 0)
    assert completed_structures(events) == [("city", 4)]
    assert points(events) == []
    assert pending_town(position) is None
    assert position.player == BLUE
    assert castles_of(position) == ()


def test_CA_07_the_occupier_decides_even_on_another_players_tile() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], player=BLUE, hand="base/E")
    play_turn(position, "0,1", 0)
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})
    position.apply(BuildCastle())
    assert castle(position, "0,0").player == RED
    assert position.supply["castle"] == [2, 3, 3]
    assert position.player == GREEN


def test_CA_09_a_follower_deployed_on_the_closing_half_may_build() -> None:
    position = arrange(tiles=[SOUTH_CAP], hand="base/E")
    play_turn(position, "0,1", 0, deploy="city.N")
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})
    position.apply(BuildCastle())
    assert lords(position, "0,0") == [RED]


def test_CA_10_scoring_the_town_gives_four_points_and_takes_no_token() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1", 0)
    events = position.apply(ScoreTown())
    assert points(events) == [(RED, 4)]
    assert position.scores == [4, 0, 0]
    assert position.supply["follower"] == [7, 7, 7]
    assert position.supply["castle"] == [3, 3, 3]
    assert castles_of(position) == ()
    assert feature(position, "0,0", "city.S").complete


def test_CA_10_a_town_that_was_scored_counts_as_a_completed_city_on_farms() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S", "1 0,0 field.NL"], hand="base/E", pile=[])
    play_turn(position, "0,1", 0)
    position.apply(ScoreTown())
    assert position.step is None
    assert position.scores == [4, 3, 0]


def test_CA_11_the_knight_of_the_town_is_the_lord_of_the_castle() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1", 0)
    position.apply(BuildCastle())
    assert lords(position, "0,0") == [RED]
    assert [follower.figure for follower in castle(position, "0,0").followers] == ["follower"]


def test_CA_12_converting_costs_a_token_and_binds_the_follower() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/E")
    play_turn(position, "0,1", 0)
    position.apply(BuildCastle())
    assert position.supply["castle"] == [2, 3, 3]
    (built,) = castles_of(position)
    assert set(built.cells) == {cell("0,0"), cell("0,1")}
    assert lords(position, "0,0") == [RED]
    assert position.supply["follower"] == [6, 7, 7]


def test_CA_13_without_a_token_the_town_can_only_be_scored() -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], supply={"castle": [0, 3, 3]}, hand="base/E")
    events = play_turn(position, "0,1", 0)
    assert pending_town(position) is None
    assert points(events) == [(RED, 4)]
    assert position.supply["castle"] == [0, 3, 3]


def test_CA_13_the_owners_token_is_needed_not_the_active_players() -> None:
    position = arrange(
        tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], supply={"castle": [3, 0, 3]}, player=BLUE, hand="base/E"
    )
    play_turn(position, "0,1", 0)
    assert pending_town(position) == (RED, {cell("0,0"), cell("0,1")})


@pytest.mark.parametrize("action", [BuildCastle(), ScoreTown()])
def test_CA_01_no_player_decides_about_an_incomplete_town(action: BuildCastle | ScoreTown) -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["0 0,0 city.S"], hand="base/B")
    assert_illegal(position, action)
    play_turn(position, "1,0", 0)
    assert_illegal(position, action)
    assert standing_followers(position) == {(RED, "0,0", "city.S")}


def test_CA_01_a_town_that_was_complete_before_is_not_asked_about_again() -> None:
    position = arrange(tiles=TOWN, hand="base/B")
    play_turn(position, "1,0", 0)
    assert pending_town(position) is None
