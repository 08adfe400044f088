"""Shared modules of the presentation do not name any box (an expansion), and each box has all its texts and buttons.

So a box can be added or left out without changes elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import cogs.games.carcassonne
from cogs.commands import play
from cogs.games.carcassonne.box import BOXES
from cogs.games.presenters import PRESENTERS
from cogs.presenting.ids import Op, OwnOp
from cogs.texts import has_text
from engine.carcassonne import REGISTRY, Position, new_setup
from tests.cogs.box_texts import missing_texts
from tests.engine.box_words import lines_naming_a_box

CARCASSONNE_FOLDER = Path(cogs.games.carcassonne.__file__).parent
COGS_FOLDER = CARCASSONNE_FOLDER.parent.parent
WORDS_WITH_OTHER_MEANING = {"TOWN", "town", "sources", "_sources", "rulebook.sources", "branches", "_branches"}
"""Words with another meaning there: a user's town, the source documents of a rule, the branches of a sentence."""


def modules_shared_by_boxes() -> Iterator[Path]:
    """Yield the modules of Carcassonne that all expansions share."""
    return (
        path
        for path in sorted(CARCASSONNE_FOLDER.rglob("*.py"))
        if not path.is_relative_to(CARCASSONNE_FOLDER / "boxes")
    )


@pytest.mark.parametrize(
    "path", list(modules_shared_by_boxes()), ids=lambda path: path.relative_to(CARCASSONNE_FOLDER).as_posix()
)
def test_no_core_module_names_a_box(path: Path) -> None:
    assert lines_naming_a_box(path) == []


def modules_shared_by_games() -> Iterator[Path]:
    """Yield the modules that all games share."""
    for path in sorted(COGS_FOLDER.rglob("*.py")):
        if not path.is_relative_to(COGS_FOLDER / "games"):
            yield path


def test_no_module_shared_by_all_games_names_a_box() -> None:
    assert [
        name for path in modules_shared_by_games() for name in lines_naming_a_box(path, WORDS_WITH_OTHER_MEANING)
    ] == []


@pytest.mark.parametrize("name", list(REGISTRY))
def test_no_text_that_a_box_needs_is_missing(name: str) -> None:
    """Games are played as well; ``tests/boxes/`` checks the texts that can be derived from the box alone."""
    assert missing_texts(name) == set()


def test_the_ordinary_follower_has_texts() -> None:
    position = Position(new_setup(players=2, seed="1"))
    assert has_text("figure.follower")
    assert list(PRESENTERS["carcassonne"].belongings(position, 0))


def test_a_box_handles_its_own_operations_only() -> None:
    """Shared operations are handled by shared modules, which ask the presenter of the box."""
    assert [op for box in BOXES.values() for op in box.handlers if not isinstance(op, OwnOp)] == []
    assert Op.ORDERS in play.HANDLERS


def test_no_two_boxes_handle_the_same_kind() -> None:
    for part in ("actions", "events", "questions", "handlers"):
        handled_kinds = [kind for box in BOXES.values() for kind in getattr(box, part)]
        assert len(set(handled_kinds)) == len(handled_kinds)
    assert len([name for name, box in BOXES.items() if box.piece is not None]) == 1
