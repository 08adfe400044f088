"""Every figure and piece of every box (expansion) has a drawing of its own.

A box without drawings could be played but not be seen.
"""

from __future__ import annotations

import pytest

from cogs.games.carcassonne.box import BOXES as PRESENTERS
from engine import Cell
from engine.carcassonne import REGISTRY, Position, new_setup, tile
from renderers import DAY, FigurePlace
from renderers.carcassonne import Ghost, Tally, composer, score_panel
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.figures import FIGURES, figure
from renderers.carcassonne.scoreboard import ICONS
from tests.renderers.carcassonne.boards import small_board


def position_with_all_boxes() -> Position:
    """Return the position before the first move, with every box in play."""
    return Position(new_setup(players=2, seed="drawn", expansions=tuple(REGISTRY)))


def test_every_piece_of_a_player_is_drawn() -> None:
    """Check figures, pieces and counted goods with all boxes together; ``tests/boxes/`` checks each box separately."""
    position = position_with_all_boxes()
    counted_pieces = {name for box in PRESENTERS.values() for name in box.counted(position, 0)}
    assert {*position.supply, *counted_pieces} <= {*FIGURES, *ICONS}
    assert set(BOXES) == set(REGISTRY)


def test_no_two_figures_look_the_same() -> None:
    sprites = [figure(DAY, 0, 64, name).tobytes() for name in FIGURES]
    assert len(set(sprites)) == len(sprites)


def test_no_two_boxes_draw_the_same_thing() -> None:
    names = [name for box in BOXES.values() for name in (*box.figures, *box.icons)]
    assert len(set(names)) == len(names)


def test_a_figure_without_a_drawing_is_an_error() -> None:
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        figure(DAY, 0, 64, "dragon")


def test_a_figure_without_a_drawing_is_an_error_in_every_picture() -> None:
    ghost = Ghost(Cell(1, -1), tile("base/D"), 0)
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        composer(small_board(), (), ghost, [FigurePlace("A", ghost.tile.faces[0].segments[0], "dragon")])
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        score_panel([Tally(0, "Ana", 0, {"dragon": 1})])
