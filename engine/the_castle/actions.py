"""The actions of The Castle beside laying tiles and deploying figures, with their text forms.

Wall tiles, with numbers from 1 to 9, are bonuses that players take from the castle wall. TC-47 and the like are rules
of the rule digest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.actions import CELL, Action, Form, constant_form
from engine.geometry import Cell


@dataclass(frozen=True, slots=True)
class ScoreFeature(Action):
    """Choose which of several completed features is scored next, named by one of its segments (TC-47)."""

    cell: Cell
    segment: str

    def __str__(self) -> str:
        return f"score:{self.cell.label}.{self.segment}"


@dataclass(frozen=True, slots=True)
class Double(Action):
    """Double the feature that is scored with a wall tile 2 or 3 (TC-65, TC-66)."""

    def __str__(self) -> str:
        return "double"


@dataclass(frozen=True, slots=True)
class Triple(Action):
    """Triple the feature that is scored with both wall tiles 2 or both 3 (TC-68)."""

    def __str__(self) -> str:
        return "triple"


@dataclass(frozen=True, slots=True)
class PlayAgain(Action):
    """Take another turn with a wall tile 1 (TC-63)."""

    def __str__(self) -> str:
        return "again"


FORMS: Final = (
    Form(re.compile(rf"score:{CELL}\.([a-z]+\.[A-Z]{{1,2}})"), lambda cell, name: ScoreFeature(Cell.parse(cell), name)),
    *(constant_form(action) for action in (Double(), Triple(), PlayAgain())),
)
"""The text forms of these actions."""
