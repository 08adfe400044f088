"""The box, set-up and turn order of the base game (BA-01 … BA-06), and the winner (BA-34, BA-35).

A tile is named by its letter in the rule book's list. Codes such as BA-01 are rules of the rule digest; each test is
named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Deploy
from engine.carcassonne import Position, new_setup
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import FeatureKind, TileKind, tile, tile_set
from engine.events import Completed, Deployed, GameOver, Scored, TileDrawn, TilePlaced
from engine.geometry import Cell
from tests.scenarios.vocabulary import BLUE, GREEN, RED, base_game, events_of, placement, play_turn

KINDS = {
    # letter: (count, edges N E S W, pennants, monasteries)
    "A": (2, "FFRF", 0, 1),
    "B": (4, "FFFF", 0, 1),
    "C": (1, "CCCC", 1, 0),
    "D": (4, "CRFR", 0, 0),
    "E": (5, "CFFF", 0, 0),
    "F": (2, "FCFC", 1, 0),
    "G": (1, "FCFC", 0, 0),
    "H": (3, "CFCF", 0, 0),
    "I": (2, "CFFC", 0, 0),
    "J": (3, "CRRF", 0, 0),
    "K": (3, "CFRR", 0, 0),
    "L": (3, "CRRR", 0, 0),
    "M": (2, "CFFC", 1, 0),
    "N": (3, "CFFC", 0, 0),
    "O": (2, "CRRC", 1, 0),
    "P": (3, "CRRC", 0, 0),
    "Q": (1, "CCFC", 1, 0),
    "R": (3, "CCFC", 0, 0),
    "S": (2, "CCRC", 1, 0),
    "T": (1, "CCRC", 0, 0),
    "U": (8, "FRFR", 0, 0),
    "V": (9, "FFRR", 0, 0),
    "W": (4, "FRRR", 0, 0),
    "X": (1, "RRRR", 0, 0),
}
"""The tiles of the base game (BA-03), unrotated as in the data file."""

SEGMENTS = {
    # letter: segments that are (city, road, field)
    "C": (1, 0, 0),
    "D": (1, 1, 2),
    "F": (1, 0, 2),
    "G": (1, 0, 2),
    "H": (2, 0, 1),
    "I": (2, 0, 1),
    "L": (1, 3, 3),
    "M": (1, 0, 1),
    "N": (1, 0, 1),
    "P": (1, 1, 2),
    "S": (1, 1, 2),
    "U": (0, 1, 2),
    "V": (0, 1, 2),
    "W": (0, 3, 3),
    "X": (0, 4, 4),
}
"""Tiles whose edges alone do not determine their segments."""


def edges(kind: TileKind) -> str:
    """Return the edges N, E, S, W of a tile as letters."""
    letters = ["F"] * 4
    for segment in kind.segments:
        if segment.kind in {FeatureKind.CITY, FeatureKind.ROAD}:
            for side in segment.places:
                letters[side] = segment.kind.value[0].upper()
    return "".join(letters)


def count_segments(kind: TileKind, feature: FeatureKind) -> int:
    """Return the number of segments of one kind on a tile."""
    return sum(segment.kind is feature for segment in kind.segments)


def test_BA_01_each_player_has_seven_followers() -> None:
    position = Position(new_setup(players=5, seed="1", expansions=()))

    assert position.supply["follower"] == [7] * 5
    assert position.scores == [0] * 5
    assert sum(kind.count for kind in tile_set("base").values()) == 72


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_BA_02_two_to_six_may_play(players: int) -> None:
    position = Position(new_setup(players=players, seed="1", expansions=()))

    assert position.players == players


def test_BA_03_totals_of_the_tiles() -> None:
    kinds = tile_set("base").values()

    assert sum(kind.count for kind in kinds) == 72
    assert sum(kind.count * count_segments(kind, FeatureKind.MONASTERY) for kind in kinds) == 6
    assert sum(kind.count * segment.pennants for kind in kinds for segment in kind.segments) == 10


@pytest.mark.parametrize("letter", KINDS)
def test_BA_03_count_and_edges_of_each_tile(letter: str) -> None:
    kind = tile(f"base/{letter}")
    count, edge_letters, pennants, monasteries = KINDS[letter]

    assert (kind.count, edges(kind)) == (count, edge_letters)
    assert sum(segment.pennants for segment in kind.segments) == pennants
    assert count_segments(kind, FeatureKind.MONASTERY) == monasteries


@pytest.mark.parametrize("letter", SEGMENTS)
def test_BA_03_number_of_segments_of_each_tile(letter: str) -> None:
    kind = tile(f"base/{letter}")

    features = (FeatureKind.CITY, FeatureKind.ROAD, FeatureKind.FIELD)
    assert tuple(count_segments(kind, feature) for feature in features) == SEGMENTS[letter]


def test_BA_03_tiles_with_a_cap_that_may_become_a_castle() -> None:
    kinds = tile_set("base").values()
    capped = {kind.id[-1] for kind in kinds if kind.count and any(segment.cap for segment in kind.segments)}

    assert capped == set("DEHIJKL")


def test_BA_03_every_half_side_without_city_and_road_end_is_field() -> None:
    for kind in tile_set("base").values():
        for face in kind.faces:
            for side in range(4):
                city = face.side_segments[side] >= 0 and (
                    face.segments[face.side_segments[side]].kind is FeatureKind.CITY
                )
                halves = face.half_segments[2 * side : 2 * side + 2]
                assert all((half < 0) == city for half in halves), (kind.id, face.rotation, side)


def test_BA_04_start_tile_on_the_table_and_71_in_the_pile() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=()))

    (start,) = position.placed()
    assert (start.cell, start.tile.id, start.rotation) == (Cell(0, 0), "base/D", 0)
    assert position.hand is not None
    assert 1 + position.pile_left == 71


def test_BA_05_the_turn_goes_round_clockwise() -> None:
    position = base_game(players=3, tiles=["base/D 0,0 0"], hand="base/U", pile=["base/U"] * 5)

    seats = []
    for x in range(1, 6):
        seats.append(position.player)
        play_turn(position, f"{x},0")

    assert seats == [RED, BLUE, GREEN, RED, BLUE]


def test_BA_06_tile_then_follower_then_scoring() -> None:
    position = base_game(players=2, tiles=["base/A 0,0 270", "base/U 1,0 0"], hand="base/A", pile=["base/U"])

    before = position.step
    first = position.apply(placement("2,0", 90))
    between = position.step
    second = position.apply(Deploy("road.W"))

    assert isinstance(before, PlaceTile)
    assert isinstance(between, DeployFollower)
    assert between.player == RED
    assert [type(event) for event in first] == [TilePlaced]
    assert [type(event) for event in second if type(event) in {Deployed, Completed, Scored, TileDrawn}] == [
        Deployed,
        Completed,
        Scored,
        TileDrawn,
    ]
    assert position.player == BLUE


def test_BA_34_the_highest_total_wins() -> None:
    position = base_game(players=3, tiles=["base/D 0,0 0"], scores=[3, 20, 11], hand="base/U", pile=[])

    events = play_turn(position, "1,0")

    assert events_of(GameOver, events) == [GameOver((3, 20, 11))]
    assert [list(group) for group in position.ranking()] == [[BLUE], [GREEN], [RED]]


def test_BA_34_equal_totals_share_the_win() -> None:
    position = base_game(players=3, tiles=["base/D 0,0 0"], scores=[20, 3, 20], hand="base/U", pile=[])

    play_turn(position, "1,0")

    assert [sorted(group) for group in position.ranking()] == [[RED, GREEN], [BLUE]]


def test_BA_35_scores_continue_beyond_fifty() -> None:
    position = base_game(
        players=2,
        tiles=["base/A 0,0 270", "base/U 1,0"],
        followers=["0 0,0 road.E"],
        scores=[49, 0],
        hand="base/A",
        pile=["base/U"],
    )

    play_turn(position, "2,0", 90)

    assert position.scores == [52, 0]
