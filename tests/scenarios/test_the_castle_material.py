"""Components and set-up of The Castle (TC-01 … TC-13): players, tiles, the wall with its track, and wall tiles.

Two players lay tiles within a castle wall, on whose squares the score track runs. Cells are named by labels such as
``E2``, tiles by ids such as ``D20``; ``"D20 E2 180"`` is a tile, its cell and its rotation (see
``vocabulary_the_castle.py``).

Wall tiles, numbered from 1 to 9, are bonuses that lie on the corner towers of the wall; the player whose score marker
stops there takes one. Codes such as TC-01 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine import GAMES, NotationError, begin
from engine.events import TileDrawn
from engine.the_castle import FeatureKind, Position, WallTile, default_tile_set, new_setup, wall
from engine.the_castle.wall import ALL_WALL_TILES
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary import events_of
from tests.scenarios.vocabulary_the_castle import BLACK, cell, feature, feature_counts, play_turn

CASTLE = GAMES["the-castle"]
"""The game."""


@pytest.mark.parametrize("players", [0, 1, 3, 6])
def test_TC_01_only_two_can_play(players: int) -> None:
    assert list(CASTLE.players) == [2]
    with pytest.raises(NotationError, match="only 2 can play"):
        new_setup(players=players, seed="x")


def test_TC_02_components() -> None:
    position = Position(new_setup(seed="x"))
    assert len(wall().pieces) == 10
    assert len(default_tile_set().kinds) == 60
    assert Counter(ALL_WALL_TILES) == dict.fromkeys((WallTile(number) for number in range(1, 10)), 2)
    assert sum(position.supply["follower"]) + len(position.scores) == 14
    assert sum(position.supply["keep"]) == 2


def test_TC_02_the_pieces_of_the_wall_cover_the_track() -> None:
    spaces = [space % 100 for first, last in wall().pieces for space in range(first, last + 1 + 100 * (last < first))]
    assert sorted(spaces) == list(range(100))


def test_TC_03_every_castle_tile_exists_once() -> None:
    assert {kind.count for kind in default_tile_set().kinds.values()} == {1}
    assert sorted(new_setup(seed="x").pile) == sorted(default_tile_set().kinds)


def test_TC_04_features_on_tiles() -> None:
    assert set(FeatureKind) == {"path", "house", "tower", "court"}
    segments = [segment for kind in default_tile_set().kinds.values() for segment in kind.segments]
    assert {segment.kind for segment in segments} == set(FeatureKind)
    assert any(segment.markets for segment in segments if segment.kind is FeatureKind.COURT)
    assert any(segment.well for segment in segments if segment.kind is FeatureKind.PATH)
    assert any(kind.square for kind in default_tile_set().kinds.values())


def test_TC_05_a_square_splits_the_path_and_a_fountain_does_not() -> None:
    square = arrange(tiles=["D49 G8"])
    assert feature_counts(square, "G8")[FeatureKind.PATH] == 3
    assert [len(feature(square, "G8", f"path.{side}").parts[0][1].places) for side in "NES"] == [1, 1, 1]
    fountain = arrange(tiles=["D46 G8"])
    assert feature_counts(fountain, "G8")[FeatureKind.PATH] == 1
    assert feature(fountain, "G8", "path.N") == feature(fountain, "G8", "path.E") == feature(fountain, "G8", "path.S")
    assert feature(fountain, "G8", "path.N").marks == 1


def test_TC_06_other_drawings_have_no_meaning() -> None:
    """People, animals and objects on the tiles mean nothing, so the data file does not mention them."""
    assert {flag for kind in default_tile_set().kinds.values() for flag in kind.flags} == {"square"}


def test_TC_07_the_track_is_a_ring_of_100_spaces() -> None:
    squares = wall().squares
    assert [space for square in squares for space in square.spaces] == list(range(100))
    for square, following in zip(squares, squares[1:] + squares[:1], strict=True):
        assert abs(square.cell.x - following.cell.x) + abs(square.cell.y - following.cell.y) == 1
    assert squares[0].cell.label == "B14"
    assert squares[1].cell.label == "B13"


def test_TC_07_a_marker_moves_from_99_to_0() -> None:
    position = arrange(tiles=["D03 C12"], hand="D22", scores=(99, 0), wall_tiles={12: 9})
    play_turn(position, "C13", 0, deploy="house.SR")
    assert position.scores == [100, 0]


def test_TC_08_start_spaces_carry_features() -> None:
    starts = wall().starts
    assert len(starts) == 7
    assert [(start.cell.label, start.inside.label) for start in starts] == [
        ("B11", "C11"),
        ("D7", "E7"),
        ("D2", "E2"),
        ("H1", "H2"),
        ("K4", "J4"),
        ("J9", "I9"),
        ("E14", "E13"),
    ]
    assert all(start.kind.segments for start in starts)
    position = arrange(tiles=["D01 E7"])
    assert feature(position, "E7", "tower.NL").tiles == 2


def test_TC_09_tiles_come_face_down_in_random_order() -> None:
    """The stack from which a player draws does not matter, so there is one pile in the order of the seed."""
    setup = new_setup(seed="one")
    assert setup.pile == new_setup(seed="one").pile != new_setup(seed="two").pile
    position = Position(setup)
    drawn = [position.hand]
    for tile_id in setup.pile[:2]:
        assert drawn[-1] is setup.tiles[tile_id]
        where = next(iter(position.legal_actions))
        position.apply(where)
        drawn += [event.tile for event in events_of(TileDrawn, position.apply(next(iter(position.legal_actions))))]


def test_TC_10_thirteen_wall_tiles_lie_on_the_corner_towers() -> None:
    position = Position(new_setup(seed="x"))
    assert position.corners == wall().corners == (12, 16, 20, 26, 32, 38, 42, 56, 64, 66, 82, 88, 90)
    assert 0 not in position.corners
    for corner in position.corners:
        assert wall().corner_at[corner] == wall().corner_at[corner + 1] == corner
    assert sum(corner >= 0 for corner in wall().corner_at) == 26
    assert {square.cell for square in wall().squares if square.corner} - {cell("B14")} == {
        square.cell for square in wall().squares if square.space in position.corners
    }


def test_TC_10_their_order_does_not_follow_from_that_of_the_castle_tiles() -> None:
    """The order of the drawn tiles must not tell where the wall tiles lie."""
    setup = new_setup(seed="x")
    tiles = sorted(default_tile_set().kinds)
    order = [tiles.index(tile_id) for tile_id in setup.pile if tiles.index(tile_id) < len(ALL_WALL_TILES)]
    assert [ALL_WALL_TILES[index] for index in order] != list(setup.wall_tiles)


def test_TC_11_no_player_sees_the_five_remaining_wall_tiles() -> None:
    setup = new_setup(seed="x")
    assert len(setup.wall_tiles) == 18
    reordered = replace(setup, wall_tiles=(*setup.wall_tiles[:13], *reversed(setup.wall_tiles[13:])))
    assert reordered != setup
    assert repr(reordered) == repr(setup)
    assert repr(begin(reordered)) == repr(begin(setup))
    assert begin(reordered).corners == begin(setup).corners


def test_TC_12_pieces_of_a_player() -> None:
    position = Position(new_setup(seed="x"))
    assert position.supply == {"follower": [6, 6], "keep": [1, 1]}
    assert position.scores == [0, 0]
    assert position.hands == [(), ()]


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_TC_13_the_first_seat_begins(seed: str) -> None:
    """The ages of the players are unknown, so the seed assigns the seats and the first seat begins."""
    assert Position(new_setup(seed=seed)).player == BLACK
