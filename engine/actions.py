"""What a player decides in any game, one frozen value a decision, each with a text form that round-trips.

``str(action)`` is what a game's log holds; :func:`engine.games.parse_action` reads it back. What only one game knows
stands in that game's own ``actions`` module, with the forms in which it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NewType

from engine.geometry import Cell

Seat = NewType("Seat", int)
"""A player by his seat, from 0."""
NO_SEAT: Final = Seat(-1)
"""The seat that stands for nobody, or the bank."""
FIRST_SEAT: Final = Seat(0)
"""The seat that begins."""
FOLLOWER: Final = "follower"
"""The ordinary figure, and the name of its supply."""
CELL: Final = r"(-?[A-Z]{1,2}-?\d{1,3})"
"""A cell in a form's pattern."""
SEGMENT: Final = r"([a-z]+(?:\.[A-Z]{1,2})?)"
"""The name of a segment in a form's pattern."""


def seats(players: int, after: Seat = NO_SEAT) -> list[Seat]:
    """Those of so many players clockwise, beginning with the one after this."""
    order: Sequence[Seat] = range(players)  # type: ignore[assignment]  # seats are numbers; a cast would be a call
    return [*order[after + 1 :], *order[: after + 1]]


class Action:
    """Anything that :meth:`engine.position.Position.apply` takes."""

    __slots__ = ()

    @property
    def group(self) -> str:
        """Its text; of actions that differ in nothing but an amount one for all of them, as they are counted."""
        return str(self)


class Form(NamedTuple):
    """A text form: the pattern that a text has to match as a whole, and what makes the action of its groups.

    ``build`` raises ``ValueError`` where a group cannot be read.
    """

    pattern: re.Pattern[str]
    build: Callable[..., Action]


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Lay the tile in hand, turned clockwise by ``rotation`` degrees; ``aid`` is what makes it fit (BR-12)."""

    cell: Cell
    rotation: int
    aid: Action | None = None

    def __str__(self) -> str:
        return f"{self.cell.label}/{self.rotation}{self.aid or ''}"


@dataclass(frozen=True, slots=True)
class Deploy(Action):
    """Put a figure on a segment of the tile just laid, named as :attr:`engine.tiles.Segment.name` (BA-09, TC-24)."""

    segment: str
    figure: str = FOLLOWER

    def __str__(self) -> str:
        return f"{'' if self.figure == FOLLOWER else self.figure}@{self.segment}"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Not to do what may be done: no figure, no offer."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Resign(Action):
    """Leave the game; ``player`` counts from 0, the text from 1."""

    player: Seat

    def __str__(self) -> str:
        return f"resign:{self.player + 1}"


@dataclass(frozen=True, slots=True)
class Skip(Action):
    """A turn that was not taken in time: no player decides this, so it is never among the legal actions."""

    def __str__(self) -> str:
        return "skip"


@dataclass(frozen=True, slots=True)
class Adjudicate(Action):
    """The end of a game whose time is over: it is scored as it stands. No player decides this.

    ``last`` is who ranks last, whatever he has, since he kept the others waiting; it counts from 0, the text from 1.
    """

    ranked_last: Seat | None = None

    def __str__(self) -> str:
        return "adjudicate" if self.ranked_last is None else f"adjudicate:{self.ranked_last + 1}"


INTERVENTIONS: Final = (Resign, Skip, Adjudicate)
"""What is done to a game whatever it asks for: nobody decides it in his turn, and it is never a legal action."""


def constant_form(action: Action) -> Form:
    """The form of an action that is always written the same."""
    return Form(re.compile(re.escape(str(action))), lambda: action)


FORMS: Final = (
    Form(re.compile(rf"{CELL}/(0|90|180|270)"), lambda cell, rotation: Place(Cell.parse(cell), int(rotation))),
    Form(re.compile(rf"((?:[a-z]+(?:-[a-z]+)*)?)@{SEGMENT}"), lambda figure, name: Deploy(name, figure or FOLLOWER)),
    constant_form(Pass()),
    constant_form(Skip()),
    Form(re.compile(r"resign:([1-9])"), lambda seat: Resign(Seat(int(seat) - 1))),
    constant_form(Adjudicate()),
    Form(re.compile(r"adjudicate:([1-9])"), lambda seat: Adjudicate(Seat(int(seat) - 1))),
)
"""The forms that every game reads."""
