"""Whatever the boxes bring has a drawing, and nothing is drawn as something else."""

from __future__ import annotations

import pytest

from cogs.games.carcassonne.box import BOXES as PRESENTERS
from engine import Cell
from engine.carcassonne import REGISTRY, Position, new_setup, tile
from renderers import DAY, NumberedPlace
from renderers.carcassonne import Ghost, Tally, composer, score_panel
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.figures import FIGURES, figure
from renderers.carcassonne.scoreboard import ICONS
from tests.renderers.carcassonne.boards import small_board


def with_all_boxes() -> Position:
    return Position(new_setup(players=2, seed="drawn", expansions=tuple(REGISTRY)))


def test_everything_that_a_player_may_have_is_drawn() -> None:
    """Figures, pieces, and what presenters count, with all boxes; ``tests/boxes/`` looks at each by itself."""
    position = with_all_boxes()
    counted = {what for box in PRESENTERS.values() for what in box.counted(position, 0)}
    assert {*position.supply, *counted} <= {*FIGURES, *ICONS}
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


def test_it_is_one_in_every_picture() -> None:
    ghost = Ghost(Cell(1, -1), tile("base/D"), 0)
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        composer(small_board(), (), ghost, [NumberedPlace(1, ghost.tile.faces[0].segments[0], "dragon")])
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        score_panel([Tally(0, "Ana", 0, {"dragon": 1})])
