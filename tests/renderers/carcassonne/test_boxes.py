"""Whatever the boxes bring has a drawing, and nothing is drawn as something else."""

from __future__ import annotations

import pytest

from engine import Cell
from engine.carcassonne import REGISTRY, Position, new_setup, tile
from engine.carcassonne.expansions.traders_builders import goods_of
from engine.carcassonne.tiles import EDGE_KINDS
from renderers import DAY, NumberedPlace
from renderers.canvas import Canvas
from renderers.carcassonne import Ghost, Tally, composer, score_panel
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.figures import FIGURES, figure, layout_of
from renderers.carcassonne.scoreboard import ICONS
from tests.engine.test_every_kind import boxes_with_edge, tiles_with_edge
from tests.renderers.carcassonne.boards import small


def with_all_boxes() -> Position:
    return Position(new_setup(players=2, seed="drawn", expansions=tuple(REGISTRY)))


def test_every_box_of_the_engine_has_drawings() -> None:
    assert set(BOXES) == set(REGISTRY)


def test_everything_that_a_player_may_have_is_drawn() -> None:
    position = with_all_boxes()
    pieces = {*position.supply, *(str(kind) for kind in goods_of(position)[0])}
    assert pieces == {*FIGURES, *ICONS}


@pytest.mark.parametrize("edge", list(EDGE_KINDS))
def test_every_kind_of_edge_is_drawn(edge: str) -> None:
    """Each tile over which it runs has room for it, and its box paints it there."""
    drawings = [BOXES[name] for name in boxes_with_edge(edge)]
    for kind in tiles_with_edge(edge):
        layout = layout_of(kind, 0)
        running = [index for index, segment in enumerate(kind.faces[0].segments) if segment.kind == edge]
        assert [tract.segment for box in drawings for tract in box.tracts(layout.features.face)] == running
        canvas = Canvas(32, DAY)
        for box in drawings:
            box.print_under(canvas, layout)
        assert canvas.finished().getbbox() is not None, kind.id


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
        composer(small(), (), ghost, [NumberedPlace(1, ghost.tile.faces[0].segments[0], "dragon")])
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        score_panel([Tally(0, "Ana", 0, {"dragon": 1})])
