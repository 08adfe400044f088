"""A turn that is being planned: pure values between the composer's buttons and the engine's legal actions.

The text form of a plan is the argument of a composer button, so a button always leads to what it shows, however often
and in whatever order it is pressed:

    p2                                  the third page of spots; p2b of those that need a piece more
    decline                             the tile is let go
    M12/90 ~M13WE with:big-follower     the tile, what is built with it, which figure the places are for
    M12/90 ~M13WE @road.W castle open   with the figure, answers to what the turn asks then, and the rest left open
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import Action, Adjudicate, Deploy, NotationError, Pass, Place, Resign, Skip, parse_action

_PAGE: Final = re.compile(r"p(\d{1,3})(b?)")
_DECLINED: Final = "decline"
_OPEN: Final = "open"
_WITH: Final = re.compile(r"with:([a-z][a-z-]{0,19})")
ROOM: Final = 74
"""Characters of a custom id that are left for a plan, or for the actions of a move."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A page of spots, letting the tile go, or a placement with what goes with it."""

    page: int = 0
    aided: bool = False
    """Among the spots where the tile needs a piece more to fit."""
    place: Place | None = None
    built: Action | None = None
    """A piece that is built with the tile, though it would fit without."""
    kind: str = ""
    """Which figure the places are for; the one that comes first to each when empty."""
    figure: Deploy | Pass | None = None
    answers: tuple[Action, ...] = ()
    """What is decided about the questions that the move raises."""
    left_open: bool = False
    """What is still to be decided about them is asked on the card."""
    declined: bool = False
    """The tile is let go."""

    def __str__(self) -> str:
        if self.declined:
            return _DECLINED
        if self.place is None:
            return f"p{self.page}{'b' if self.aided else ''}"
        asked_for = [f"with:{self.kind}"] if self.kind and self.figure is None else []
        return " ".join([*map(str, self.actions), *asked_for, *([_OPEN] if self.left_open else [])])

    @property
    def actions(self) -> tuple[Action, ...]:
        """What has been decided, in the order of the text."""
        decided = (self.place, self.built, self.figure, *self.answers)
        return tuple(action for action in decided if action is not None)

    @property
    def laid(self) -> Plan:
        """The same as far as the tile and what is built with it."""
        return Plan(aided=self.aided, place=self.place, built=self.built)

    @property
    def piece(self) -> Action | None:
        """What is built with the tile, needed or not."""
        return self.built or (self.place.aid if self.place else None)

    @staticmethod
    def parse(text: str) -> Plan:
        """Read the text form; whether it is a turn of any game is for its position to say.

        Raises:
            NotationError: it is none.
        """
        page = _PAGE.fullmatch(text)
        if page is not None:
            return Plan(int(page[1]), aided=bool(page[2]))
        if text == _DECLINED:
            return Plan(declined=True)
        *tokens, last = text.split() or [""]
        left_open, kind = last == _OPEN, _WITH.fullmatch(last)
        plan = Plan()
        for token in tokens if left_open or kind else [*tokens, last]:
            plan = _with(plan, parse_action(token))
        if plan.place is None or (left_open and plan.figure is None) or (kind and plan.figure is not None):
            raise NotationError(f"not a plan: {text!r}")
        return replace(plan, left_open=left_open, kind=kind[1] if kind else "")


def _with(plan: Plan, action: Action) -> Plan:
    """The plan with one action more: first the tile, then what is built with it, the figure, the answers."""
    match action:
        case Place() if plan.place is None:
            return replace(plan, place=action, aided=action.aid is not None)
        case Deploy() | Pass() if plan.place and plan.figure is None:
            return replace(plan, figure=action)
        case Place() | Deploy() | Resign() | Skip() | Adjudicate():
            raise NotationError(f"no place in a plan: {action}")
        case _ if plan.figure:
            return replace(plan, answers=(*plan.answers, action))
        case _ if plan.place and plan.built is None:
            return replace(plan, built=action)
        case _:
            raise NotationError(f"no place in a plan: {action}")


def written(actions: Sequence[Action]) -> str:
    """Actions as the argument of a button."""
    return " ".join(map(str, actions))


def fitting(actions: Sequence[Action]) -> tuple[Action, ...]:
    """As many of the actions as a custom id has room for; what is left out is asked on the card.

    Only a tile that completes half a dozen features at once needs more.
    """
    count = len(actions)
    while len(written(actions[:count])) > ROOM:
        count -= 1
    return tuple(actions[:count])
