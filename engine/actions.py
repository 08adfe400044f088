"""The actions that every game knows: one frozen value for each decision, with a text form that can be read back.

A game's log stores ``str(action)``, such as ``M12/90`` for a tile laid on cell M12 and turned by 90 degrees;
:func:`engine.games.parse_action` reads it back. The actions of a single game are in that game's own ``actions`` module,
together with their text forms. Codes such as BA-09 are rules of the rule digest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NewType

from engine.geometry import Cell

Seat = NewType("Seat", int)
"""A player, identified by the number of their seat, from 0."""
NO_SEAT: Final = Seat(-1)
"""The seat number for no player, or for the bank."""
FIRST_SEAT: Final = Seat(0)
"""The seat of the first player."""
FOLLOWER: Final = "follower"
"""The ordinary figure, and the name of its supply."""
CELL: Final = r"(-?[A-Z]{1,2}-?\d{1,3})"
"""Regular expression for a cell in a text form."""
SEGMENT: Final = r"([a-z]+(?:\.[A-Z]{1,2})?)"
"""Regular expression for the name of a segment in a text form."""


def seats(players: int, after: Seat = NO_SEAT) -> list[Seat]:
    """Return all seats clockwise, beginning with the one after ``after``."""
    order: Sequence[Seat] = range(players)  # type: ignore[assignment]  # seats are numbers; a cast would be a call
    return [*order[after + 1 :], *order[: after + 1]]


class Action:
    """Anything that :meth:`engine.position.Position.apply` takes."""

    __slots__ = ()

    @property
    def group(self) -> str:
        """The text under which perft counts the action: the same for actions that differ only in an amount."""
        return str(self)


class Form(NamedTuple):
    """A text form: the pattern that the whole text has to match, and the function that makes an action from its groups.

    ``build`` raises ``ValueError`` where a group cannot be read.
    """

    pattern: re.Pattern[str]
    build: Callable[..., Action]


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Lay the tile in hand, turned clockwise by ``rotation`` degrees.

    ``aid`` is the action that makes the tile fit with a piece of an expansion (BR-12).
    """

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


class Instead(Action):
    """The base of actions that a player takes instead of deploying a figure."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Decline an optional action, such as deploying a figure."""

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
    """Skip a turn that was not taken in time. No player decides this, so it is never among the legal actions."""

    def __str__(self) -> str:
        return "skip"


@dataclass(frozen=True, slots=True)
class Adjudicate(Action):
    """End a game whose time is over and score it as it stands. No player decides this.

    ``ranked_last`` is the player who kept the others waiting and ranks last whatever their score. It counts from 0, the
    text form from 1.
    """

    ranked_last: Seat | None = None

    def __str__(self) -> str:
        return "adjudicate" if self.ranked_last is None else f"adjudicate:{self.ranked_last + 1}"


INTERVENTIONS: Final = (Resign, Skip, Adjudicate)
"""Actions that apply whatever the current step is; they are never among the legal actions."""


def constant_form(action: Action) -> Form:
    """Return the text form of an action without parameters."""
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
