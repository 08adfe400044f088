"""Every kind of action, step, task, figure and edge of every registered box has a text form.

Events have none in the engine. The layers above have similar tests: ``tests/cogs/test_core_words.py`` for the sentences
of events and the buttons of decisions, ``tests/renderers/carcassonne/test_boxes.py`` for the drawings of figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from typing import Any

import pytest

from engine import GAMES, Deploy, carcassonne, parse_action
from engine.actions import Action, Instead
from engine.agenda import Step, Task
from engine.board import Follower
from engine.carcassonne import REGISTRY, Position, TileKind, new_setup, tile_set
from engine.carcassonne.segments import follower_text, read_follower
from engine.carcassonne.table import ORDINARY
from engine.carcassonne.tiles import EDGE_KINDS, KNOWN_SETS, SURROUNDED_KINDS
from engine.cli.picture import picture
from engine.notation.positions import format_position, parse_position
from gallery.built_positions import arrange
from tests.engine.storage_formats import sample_action


def concrete_classes(*bases: type[Any]) -> list[type[Any]]:
    """Return the concrete subclasses of these bases in Carcassonne, its boxes, and the actions that all games share."""
    names = [module.name for module in walk_packages(carcassonne.__path__, "engine.carcassonne.")]
    modules = [import_module(name) for name in ("engine.actions", *names)]
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    selected = [kind for kind in classes if issubclass(kind, bases) and kind not in {*bases, Instead}]
    selected = [kind for kind in selected if not isabstract(kind)]
    return sorted(selected, key=lambda kind: kind.__name__)


def position_with_every_box() -> Position:
    """Return a new game with every box."""
    return Position(new_setup(players=2, seed="1", expansions=tuple(REGISTRY)))


@pytest.mark.parametrize("kind", concrete_classes(Action), ids=lambda kind: kind.__name__)
def test_every_action_has_its_text(kind: type[Any]) -> None:
    action = sample_action(kind)
    assert parse_action(str(action)) == action


@pytest.mark.parametrize("kind", concrete_classes(Step, Task), ids=lambda kind: kind.__name__)
def test_every_step_and_task_has_its_word(kind: type[Any]) -> None:
    assert [word.name for word in GAMES["carcassonne"].notation.words if word.kind is kind] != []


def test_words_and_tags_are_unique() -> None:
    names = [word.name for word in GAMES["carcassonne"].notation.words]
    assert len(names) == len(set(names))
    tags = [memory.tag for box in REGISTRY.values() for memory in box.extra_codecs]
    assert len(tags) == len(set(tags))


def figures() -> Iterator[str]:
    """Yield the names of all figures."""
    yield ORDINARY.name
    for box in REGISTRY.values():
        yield from (figure.name for mechanism in box.mechanisms for figure in mechanism.figures())


@pytest.mark.parametrize("name", list(figures()))
def test_every_figure_has_its_text(name: str) -> None:
    position = position_with_every_box()
    follower = Follower(1, name, 0)
    assert read_follower(position, follower_text(position.land, follower)) == follower
    assert parse_action(str(Deploy("road.N", name))) == Deploy("road.N", name)


def test_names_of_figures_are_unique() -> None:
    names = list(figures())
    assert len(names) == len(set(names))


def boxes_with_edge(edge: str) -> list[str]:
    """Return the boxes that introduce this kind of edge."""
    sets = {name: box.tiles for name, box in REGISTRY.items() if box.tiles is not None}
    return [name for name, tiles in sets.items() if EDGE_KINDS.get(edge) in tiles.edges]


def tiles_with_edge(edge: str) -> list[TileKind]:
    """Return the tiles of all boxes that show a feature of this kind."""
    sets = [box.tiles.name for box in REGISTRY.values() if box.tiles is not None]
    tiles = [kind for name in sets for kind in tile_set(name).values()]
    return [kind for kind in tiles if any(segment.kind == edge for segment in kind.segments)]


@pytest.mark.parametrize("name", list(SURROUNDED_KINDS))
def test_every_surrounded_kind_has_its_sign(name: str) -> None:
    sign = SURROUNDED_KINDS[name].sign
    tiles = [kind for known in KNOWN_SETS for kind in tile_set(known).values()]
    showing = [kind for kind in tiles if any(segment.kind == name for segment in kind.segments)]
    assert showing
    for kind in showing:
        position = arrange(players=2, tiles=[f"{kind.id} 0,0"], expansions=tuple(REGISTRY))
        assert sign in picture(position).partition(f"{sign} {name}")[0]
        assert format_position(parse_position(format_position(position))) == format_position(position)


@pytest.mark.parametrize("edge", list(EDGE_KINDS))
def test_every_kind_of_edge_has_its_sign(edge: str) -> None:
    """Each edge has a letter of its own in text pictures, and exactly one box introduces it."""
    notation = GAMES["carcassonne"].notation
    signs = [*notation.signs.values(), *notation.optional_signs.values()]
    assert len(EDGE_KINDS[edge].sign) == 1
    assert len(set(signs)) == len(signs)
    assert len(boxes_with_edge(edge)) == 1
    assert tiles_with_edge(edge)
    for kind in tiles_with_edge(edge):
        position = arrange(players=2, tiles=[f"{kind.id} 0,0"], expansions=tuple(REGISTRY))
        assert EDGE_KINDS[edge].sign in picture(position).partition(f"{EDGE_KINDS[edge].sign} {edge}")[0]
        assert format_position(parse_position(format_position(position))) == format_position(position)
