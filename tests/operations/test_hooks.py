"""Every hook that only one box or game uses names its next user in ``docs/architecture.md``, and no other does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from cogs.games.carcassonne.box import BOXES, BoxPresenter, Question
from cogs.games.presenters import PRESENTERS
from cogs.presenting.presenter import Presenter
from cogs.presenting.turn import Turn
from engine.carcassonne import REGISTRY
from engine.carcassonne.box import Box
from engine.carcassonne.table import Expansion
from engine.games import GAMES, GameKind
from renderers.carcassonne import boxes as drawings
from renderers.carcassonne.boxes import Drawings
from renderers.carcassonne.faces.prints import Prints

DOCUMENT = Path(__file__).parents[2] / "docs" / "architecture.md"
ROW = re.compile(r"^\| `(\w+)\.(.+?)` \| (.+) \| (.+) \|$", re.MULTILINE)
FACTS = {
    *("Box.years", "Box.offered", "Box.asks_everybody", "Box.rests_on", "Box.options", "Box.presets"),
    *("GameKind.asking_everybody", "Presenter.expansions"),
}
"""Entries that say something of a box or game itself; nobody is called by them."""


def filled(kind: type[Any], tables: Iterable[Any]) -> Iterator[tuple[str, int]]:
    """How many of these tables fill in each entry that they may leave out."""
    known = list(tables)
    for entry in fields(kind):
        if entry.default is MISSING and entry.default_factory is MISSING:
            continue
        empty = entry.default_factory() if entry.default_factory is not MISSING else entry.default
        yield f"{kind.__name__}.{entry.name}", sum(getattr(table, entry.name) != empty for table in known)


def overridden(base: type[Any], groups: Iterable[Iterable[Any]], *also: type[Any]) -> Iterator[tuple[str, int]]:
    """In how many groups, one a box, somebody says something else than the base."""
    known = [list(group) for group in groups]
    for name in (name for part in (base, *also) for name in vars(part) if not name.startswith("_")):
        own = [any(getattr(type(each), name) is not getattr(base, name) for each in group) for group in known]
        yield f"{base.__name__}.{name}", sum(own)


def hooks() -> Iterator[tuple[str, int]]:
    yield from overridden(Expansion, (box.mechanisms for box in REGISTRY.values()))
    yield from filled(Box, REGISTRY.values())
    yield from filled(GameKind, GAMES.values())
    yield from overridden(Drawings, ([each] for each in drawings.BOXES.values()), Prints)
    yield from filled(BoxPresenter, BOXES.values())
    yield from filled(Question, (question for box in BOXES.values() for question in box.questions.values()))
    yield from filled(Presenter, PRESENTERS.values())
    yield from filled(Turn, (presenter.turn for presenter in PRESENTERS.values()))


def listed() -> Iterator[str]:
    """The hooks in the first column: those behind the first of a row are of the same table."""
    for table, names, user, following in ROW.findall(DOCUMENT.read_text(encoding="utf-8")):
        assert user.strip()
        assert "*" in following or following.startswith("none known"), f"{table}.{names} names nobody"
        yield from (f"{table}.{name.strip(' `')}" for name in names.split(","))


def test_every_hook_with_one_user_names_the_next() -> None:
    named = list(listed())
    assert len(set(named)) == len(named)
    assert set(named) == {name for name, users in hooks() if users == 1} - FACTS


def test_no_hook_is_without_a_user() -> None:
    assert [name for name, users in hooks() if not users] == []
