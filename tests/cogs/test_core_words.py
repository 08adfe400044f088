"""Nothing in Discord names a box but what belongs to that box alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cogs.games.carcassonne
from cogs.commands import play
from cogs.games.carcassonne.box import BOXES
from cogs.games.presenters import PRESENTERS
from cogs.presenting.ids import Op, OwnOp
from cogs.texts import known
from engine.actions import Action
from engine.agenda import Step
from engine.carcassonne import REGISTRY, Position, new_setup
from engine.carcassonne.placing import Decline
from engine.carcassonne.tiles import EDGE_KINDS
from engine.events import Event
from tests.cogs.box_texts import lacking
from tests.engine.box_words import naming_a_box
from tests.engine.test_every_kind import bringing, crossed_by, kinds

ROOT = Path(cogs.games.carcassonne.__file__).parent
ROOMS = ROOT.parent.parent
OTHERWISE = {"TOWN", "town", "sources", "_sources", "rulebook.sources"}
"""Words that mean something else there: where somebody lives, and the documents behind a rule."""
TOLD_OTHERWISE = {"BazaarClosed"}
"""Events of boxes of which nothing is said."""


def core() -> Iterator[Path]:
    """The modules that every box shares."""
    return (path for path in sorted(ROOT.rglob("*.py")) if not path.is_relative_to(ROOT / "boxes"))


@pytest.mark.parametrize("path", list(core()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_names_a_box(path: Path) -> None:
    assert naming_a_box(path) == []


def shared() -> Iterator[Path]:
    """The modules that all games share."""
    for path in sorted(ROOMS.rglob("*.py")):
        if not path.is_relative_to(ROOMS / "games"):
            yield path


def test_what_all_games_share_names_no_box() -> None:
    assert [name for path in shared() for name in naming_a_box(path, OTHERWISE)] == []


def test_every_box_of_the_engine_is_presented() -> None:
    assert set(BOXES) == set(REGISTRY)


def of_boxes(base: type[Any]) -> list[type[Any]]:
    """The kinds of these that boxes bring."""
    return [kind for kind in kinds(base) if ".expansions." in kind.__module__]


@pytest.mark.parametrize("kind", of_boxes(Action), ids=lambda kind: kind.__name__)
def test_every_action_of_a_box_has_words(kind: type[Action]) -> None:
    assert kind is Decline or [name for name, box in BOXES.items() if kind in box.actions] != []


@pytest.mark.parametrize("kind", of_boxes(Event), ids=lambda kind: kind.__name__)
def test_every_event_of_a_box_has_words(kind: type[Event]) -> None:
    told = [name for name, box in BOXES.items() if kind in box.events]
    assert len(told) == (kind.__name__ not in TOLD_OTHERWISE)


@pytest.mark.parametrize("kind", of_boxes(Step), ids=lambda kind: kind.__name__)
def test_every_step_of_a_box_has_words_and_buttons(kind: type[Any]) -> None:
    assert len([name for name, box in BOXES.items() if kind in box.questions]) == 1


@pytest.mark.parametrize("name", list(REGISTRY))
def test_no_text_that_a_box_needs_is_missing(name: str) -> None:
    """Of each family: what it is called, its figures, pieces and tiles, its scores and their terms, what it asks."""
    assert lacking(name) == set()


def test_the_ordinary_follower_has_words() -> None:
    position = Position(new_setup(players=2, seed="1"))
    assert known("figure.follower")
    assert list(PRESENTERS["carcassonne"].belongings(position, 0))


def test_a_box_answers_for_its_own_operations_alone() -> None:
    """So a second one may have the like: what all know asks the presenter, as who plans is asked."""
    assert [op for box in BOXES.values() for op in box.handlers if not isinstance(op, OwnOp)] == []
    assert Op.ORDERS in play.HANDLERS


@pytest.mark.parametrize("edge", list(EDGE_KINDS))
def test_every_kind_of_edge_of_a_box_has_words(edge: str) -> None:
    """What it is called at the side of a tile, and what its box says of each tile over which it runs."""
    assert known(f"feature.{edge}")
    for kind in crossed_by(edge):
        assert any(list(BOXES[name].parts(kind)) for name in bringing(edge)), kind.id


def test_no_two_boxes_tell_of_the_same() -> None:
    for part in ("actions", "events", "questions", "handlers"):
        found = [kind for box in BOXES.values() for kind in getattr(box, part)]
        assert len(set(found)) == len(found)
    assert len([name for name, box in BOXES.items() if box.piece is not None]) == 1
