"""The checker of boxes: everything that a box lacks on any floor, found without playing.

Each module beside this one asks for what one floor needs; the tests of the floors ask the same functions, so that a
lack has one definition. ``docs/adding-a-box.md`` tells what to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cogs.games.carcassonne.box import BOXES as PRESENTERS
from engine.carcassonne import REGISTRY
from renderers.carcassonne.boxes import BOXES as DRAWINGS
from tests.boxes import drawings, papers, rules, words


class Lack(NamedTuple):
    """Something that a box lacks: the floor that asks for it, and what to write."""

    floor: str
    what: str


def lacks(name: str) -> list[Lack]:
    """Return everything that a box lacks, floor by floor; an empty list if it is complete."""
    found = [Lack("to write", what) for what in papers.left_to_write(name)]
    if name not in REGISTRY:
        return [*found, Lack("engine", "not registered in engine/carcassonne/expansions/__init__.py")]
    if name not in DRAWINGS:
        found.append(Lack("renderers", "not registered in renderers/carcassonne/boxes/__init__.py"))
    if name not in PRESENTERS:
        found.append(Lack("cogs", "not registered in cogs/games/carcassonne/boxes/__init__.py"))
    for floor, ask in FLOORS:
        if (floor != "renderers" or name in DRAWINGS) and (floor not in ("cogs", "texts") or name in PRESENTERS):
            found += [Lack(floor, what) for what in ask(name)]
    return found


def _without_icon(name: str) -> Iterator[str]:
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
"""The questions of the checker, each with its floor, in the order in which a box is built."""
