"""Hints of The Castle: remaining tiles, open and dead cells, gaps of features, and the view without hidden cards.

A gap is an empty cell at which a feature is open; a dead cell is one on which no remaining tile fits.
"""

from __future__ import annotations

from engine import hints_on
from engine.hints import Hint
from engine.the_castle import Position, WallTile, new_setup, wall
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary_the_castle import PATH_OF_TWO, cell, feature, play_turn


def incomplete_path() -> Position:
    """Arrange a path that lacks one tile, with a figure of seat 0."""
    return arrange(tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29", pile=["D29", "D13"])


def test_remaining_does_not_count_the_tile_in_hand() -> None:
    counts = {count.kind.id: count.left for count in hints_on(incomplete_path()).remaining()}
    assert counts == {"castle/D13": 1, "castle/D29": 1}


def test_the_tiles_that_complete_a_path_are_found() -> None:
    position = incomplete_path()
    hints = hints_on(position)
    (path,) = hints.open_features()
    assert path == feature(position, "E3", "path.N")
    missing = hints.completion(path)
    assert missing is not None
    assert [gap.cell for gap in missing.gaps] == [cell("E2")]
    assert [(candidate.kind.id, candidate.rotations, candidate.left) for candidate in missing.completing_tiles] == [
        ("castle/D29", (0, 180), 2)
    ]
    play_turn(position, "E2")
    assert hints_on(position).open_features() == ()


def test_joined_ends_of_a_path_are_no_gaps() -> None:
    position = arrange(tiles=["D25 E3", "D25 E4"], figures=["0 E3 path.N"], hand="D29")
    (path,) = hints_on(position).open_features()
    missing = hints_on(position).completion(path)
    assert missing is not None
    assert {gap.cell for gap in missing.gaps} == {cell("E2"), cell("E5")}
    assert missing.completing_tiles == ()


def test_open_cells_lie_within_the_wall_and_not_all_are_dead() -> None:
    position = incomplete_path()
    open_cells = list(position.open_cells())
    assert cell("E2") in open_cells
    assert all(empty.square in wall().inside and position.tile_at(empty) is None for empty in open_cells)
    dead, aided = hints_on(position).dead_cells()
    assert set(dead) < set(open_cells)
    assert aided == ()


def test_the_projection_has_no_gains_before_anything_scores_at_the_end() -> None:
    hints = hints_on(incomplete_path())
    assert Hint.PROJECTION in hints.offers
    assert [(projection.now, dict(projection.gains)) for projection in hints.projection()] == [(0, {}), (0, {})]


def test_a_veiled_position_hides_the_order_of_the_pile_and_the_wall_tiles() -> None:
    position = Position(new_setup(seed="1"))
    assert WallTile.HIDDEN not in position.setup.wall_tiles
    veiled = position.veiled()
    assert veiled.setup.seed == ""
    assert {*veiled.setup.wall_tiles} == {WallTile.HIDDEN}
    seen = position.next_tile
    assert veiled.setup.pile[:seen] == position.setup.pile[:seen]
    assert veiled.setup.pile[seen:] == (*sorted(position.setup.pile[seen:]),)
    assert veiled.setup.pile != position.setup.pile
