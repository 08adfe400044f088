"""Find everything that is missing from a box (an expansion) on any floor, without playing a game.

The project's layers are called floors here: the engine, the renderers, the documents and so on. Each neighbouring
module contains the checks of one or two floors. The tests of those floors call the same checks.
``docs/adding-a-box.md`` explains how to write a box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cogs.games.carcassonne.box import BOXES as PRESENTERS
from engine.carcassonne import REGISTRY
from renderers.carcassonne.boxes import BOXES as DRAWINGS
from tests.boxes import drawings, papers, rules, words


class Lack(NamedTuple):
    """Something missing from a box: the floor that needs it, and a description for the author (``what``)."""

    floor: str
    what: str


def lacks(name: str) -> list[Lack]:
    """Return everything that a box lacks, floor by floor; an empty list if the box is complete."""
    missing = [Lack("to write", what) for what in papers.left_to_write(name)]
    if name not in REGISTRY:
        return [*missing, Lack("engine", "not registered in engine/carcassonne/expansions/__init__.py")]
    if name not in DRAWINGS:
        missing.append(Lack("renderers", "not registered in renderers/carcassonne/boxes/__init__.py"))
    if name not in PRESENTERS:
        missing.append(Lack("cogs", "not registered in cogs/games/carcassonne/boxes/__init__.py"))
    for floor, check in FLOORS:
        if (floor != "renderers" or name in DRAWINGS) and (floor not in ("cogs", "texts") or name in PRESENTERS):
            missing += [Lack(floor, what) for what in check(name)]
    return missing


def _without_icon(name: str) -> Iterator[str]:
    """Yield the belongings of a box that have no icon."""
    counted = PRESENTERS[name].counted(drawings.new_position(name), 0) if name in PRESENTERS else {}
    yield from drawings.belongings_without_icon(name, [*counted])


FLOORS: Final[tuple[tuple[str, Callable[[str], Iterator[str]]], ...]] = (
    ("engine", rules.missing),
    ("storage", rules.unpinned),
    ("renderers", drawings.missing),
    ("renderers", _without_icon),
    ("renderers", drawings.without_snapshot),
    ("cogs", words.missing),
    ("texts", words.without_text),
    ("rule book", words.without_page),
    ("scenarios", papers.without_scenario),
    ("documents", papers.missing),
    ("documents", papers.without_title),
)
"""The checks with their floors, in the order in which a box is written; each yields descriptions of what is missing."""
