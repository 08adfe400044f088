"""Positions outside the course of a game: unchecked actions (``push``), refused queries, and arranged positions.

``arrange`` builds a position from texts: ``"base/D 0,0"`` is a tile and its cell, ``"0 0,0 road.E"`` a follower by
seat, cell and segment. Codes such as BA-27 are rules of the rule digest.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import (
    GAMES,
    Action,
    Deploy,
    GameKind,
    IllegalActionError,
    NotationError,
    Pass,
    Resign,
    Skip,
    begin,
    state_digest,
)
from engine.carcassonne import Options, Position, Setup
from engine.carcassonne.expansions.bridges_castles_bazaars import Bid, BuildBridge, SelectLot, castles_of
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import limit_random_bid, running_bazaar
from engine.carcassonne.scoring import structure_points, structure_terms
from engine.carcassonne.tiles import _segment
from engine.geometry import Axis, Cell
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import base_game, place_tile, placement, play_turn
from tests.scenarios.vocabulary_castles import TOWN

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def test_only_a_placement_can_be_skipped_even_unchecked() -> None:
    position = arrange(tiles=["base/D 0,0 0"], hand="base/U")
    position.apply(next(iter(position.legal_actions)))
    assert position.hand is None
    with pytest.raises(IllegalActionError, match="nothing to skip: DeployFollower"):
        position.push(Skip())


def test_legal_actions_can_be_sliced() -> None:
    actions = arrange(hand="base/U").legal_actions
    assert actions[1:4] == list(actions)[1:4]
    assert actions[::-1] == list(actions)[::-1]


def test_push_does_not_check_legality() -> None:
    position = arrange(hand="base/B")
    digest = state_digest(position)
    position.push(placement("5,5", 0))
    assert position.tile_at(Cell(5, 5)) is not None
    position.pop()
    assert state_digest(position) == digest


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (BuildBridge(Cell(0, 0), Axis.NS), "no expansion in play knows the action ~M13NS"),
        (Deploy("city.N"), "no segment 'city.N' on M14"),
    ],
)
def test_push_refuses_actions_that_cannot_be_applied(action: Action, reason: str) -> None:
    position = place_tile(base_game(hand="base/B"), "0,1")
    with pytest.raises(IllegalActionError, match=reason):
        position.push(action)


@every_game
def test_push_is_refused_after_the_end(game: GameKind) -> None:
    position = begin(game.new_setup(players=game.players[0], seed="1"))
    position.apply(Resign(0))
    assert position.is_over
    assert position.winners() == (1,)
    with pytest.raises(IllegalActionError, match="nothing to decide: pass"):
        position.push(Pass())


def test_pop_needs_a_push() -> None:
    position = arrange()
    position.apply(position.legal_actions[0])
    with pytest.raises(IndexError):
        position.pop()


@every_game
def test_feature_at_refuses_an_unknown_segment(game: GameKind) -> None:
    position = begin(game.new_setup(players=game.players[0], seed="1"))
    for cell, name in ((Cell(0, 0), "river.N"), (Cell(40, 40), "road.N")):
        with pytest.raises(KeyError, match=f"no segment '{name}' on {cell.label}"):
            position.feature_at(cell, name)


def test_bazaar_and_scoring_round_are_refused_outside_them() -> None:
    position = arrange()
    with pytest.raises(LookupError, match="no bazaar is in progress"):
        running_bazaar(position)
    with pytest.raises(LookupError, match="no scoring round"):
        position.seats_from(0)


def test_only_roads_cities_and_monasteries_have_structure_points() -> None:
    """Fields and castles count only for farmers, at the end (BA-27, CA-56)."""
    position = arrange(tiles=[*TOWN, "base/L 1,0 0"], castles=["0 0,0 0,1"])
    land, (castle,) = position.land, castles_of(position)
    worth = {str(land.kind[number]): structure_points(position, land.find(number)) for number in range(len(land.kind))}
    assert worth == {"castle": 0, "field": 0, "city": 1, "road": 1}
    assert structure_terms(position, castle.root) == ()


def test_an_unknown_attribute_in_a_data_file_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown attribute 'moat' in 'city N; moat'"):
        _segment("city N; moat")


def test_a_position_not_begun_waits_without_tiles() -> None:
    position = Position(Setup(players=2, pile=("base/U",)), begin=False)
    assert position.is_over
    assert not list(position.placed())


def test_random_players_bid_like_people() -> None:
    """Random players outbid each other by at most three points, although bids up to 999 are legal."""
    position, rng = arrange(hand="bcb/FFFF", tiles=["base/B 0,0"]), Random(1)
    play_turn(position, "1,0")
    openings = [limit_random_bid(position, SelectLot(2, 900), rng) for _ in range(100)]
    assert set(openings) == {SelectLot(2, bid) for bid in (0, 1, 2, 3)}
    assert limit_random_bid(position, SelectLot(2, 0), rng) == SelectLot(2, 0)
    position.apply(SelectLot(2, 5))
    assert [limit_random_bid(position, Bid(bid), rng) for bid in (6, 8, 9, 900)] == [Bid(6), Bid(8), Bid(8), Bid(8)]
    assert limit_random_bid(position, Pass(), rng) == Pass()


# -- arranged positions -----------------------------------------------------------------------------------------------


def test_an_arranged_position_is_as_described() -> None:
    options = Options(farmers=False)
    position = arrange(
        players=2,
        tiles=["base/U 1,0 90", *TOWN, "base/B -1,0"],
        bridges=["-1,0 NS"],
        followers=["1 1,0 road.N"],
        castles=["0 0,0 0,1"],
        scores=[7, 5],
        supply={"bridge": [1, 0]},
        player=1,
        hand="base/V",
        pile=["base/W"],
        options=options,
    )
    assert [placed.cell for placed in position.placed()] == [(1, 0), (0, 0), (0, 1), (-1, 0)]
    assert (position.setup.start_tile, position.setup.start_rotation) == ("base/E", 180)
    assert [(figure.player, figure.cell, figure.segment.name) for figure in position.standing_figures()] == [
        (1, (1, 0), "road.N")
    ]
    assert position.feature_at(Cell(-1, 0), "road.S").tiles == 1
    assert position.scores == [7, 5]
    assert position.supply == {"follower": [6, 6], "bridge": [1, 0], "castle": [2, 3]}
    assert (position.player, position.hand and position.hand.id, position.pile_left) == (1, "base/V", 1)
    assert position.options == options


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ({"followers": ["0 0,0 city.S"]}, "no segment 'city.S' on M13"),
        ({"followers": ["0 3,0 city.N"]}, "no segment 'city.N' on P13"),
        ({"tiles": ["base/E 0,0", "base/E 0,1"], "castles": ["0 0,0 0,1"]}, "no town for a castle: '0 0,0 0,1'"),
    ],
)
def test_an_impossible_arrangement_is_refused(description: dict[str, list[str]], reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        arrange(**description)  # type: ignore[arg-type]
