"""The Castle's hints: tiles left, cells where the tile in hand fits, and what completes a feature."""

from __future__ import annotations

from engine import hints_on
from engine.hints import Hint
from engine.the_castle import Position, WallTile, new_setup, wall
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary_the_castle import PATH_OF_TWO, cell, feature, play_turn


def open_path() -> Position:
    """Red is on a path that lacks its end."""
    return arrange(tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29", pile=["D29", "D13"])


def test_what_is_left_is_counted_without_the_tile_in_hand() -> None:
    left = {found.kind.id: found.left for found in hints_on(open_path()).remaining()}
    assert left == {"castle/D13": 1, "castle/D29": 1}


def test_what_completes_a_path_is_found() -> None:
    position = open_path()
    hints = hints_on(position)
    (path,) = hints.open_features()
    assert path == feature(position, "E3", "path.N")
    missing = hints.completion(path)
    assert missing is not None
    assert [gap.cell for gap in missing.gaps] == [cell("E2")]
    assert [(found.kind.id, found.rotations, found.left) for found in missing.completing_tiles] == [
        ("castle/D29", (0, 180), 2)
    ]
    play_turn(position, "E2")
    assert hints_on(position).open_features() == ()


def test_where_two_tiles_meet_nothing_is_lacking() -> None:
    position = arrange(tiles=["D25 E3", "D25 E4"], figures=["0 E3 path.N"], hand="D29")
    (path,) = hints_on(position).open_features()
    missing = hints_on(position).completion(path)
    assert missing is not None
    assert {gap.cell for gap in missing.gaps} == {cell("E2"), cell("E5")}
    assert missing.completing_tiles == ()


def test_every_open_cell_within_the_wall_takes_what_is_left() -> None:
    position = open_path()
    open_cells = list(position.open_cells())
    assert cell("E2") in open_cells
    assert all(found.square in wall().inside and position.tile_at(found) is None for found in open_cells)
    dead, aided = hints_on(position).dead_cells()
    assert set(dead) < set(open_cells)
    assert aided == ()


def test_nothing_is_projected_before_the_end_pays() -> None:
    hints = hints_on(open_path())
    assert Hint.PROJECTION in hints.offers
    assert [(found.now, dict(found.gains)) for found in hints.projection()] == [(0, {}), (0, {})]


def test_whoever_thinks_ahead_knows_neither_the_order_nor_a_wall_tile() -> None:
    position = Position(new_setup(seed="1"))
    assert WallTile.HIDDEN not in position.setup.wall_tiles
    thought = position.veiled()
    assert thought.setup.seed == ""
    assert {*thought.setup.wall_tiles} == {WallTile.HIDDEN}
    seen = position.next_tile
    assert thought.setup.pile[:seen] == position.setup.pile[:seen]
    assert thought.setup.pile[seen:] == (*sorted(position.setup.pile[seen:]),)
    assert thought.setup.pile != position.setup.pile
