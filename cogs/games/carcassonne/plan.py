"""A turn that is being planned: pure values between the composer's buttons and the engine's legal actions.

The text form of a plan is the argument of a composer button, so a button always leads to what it shows, however often
and in whatever order it is pressed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cogs.presenting.spots import laid
from engine import Action, Deploy, IllegalActionError, NotationError, Pass, Place, parse_action
from engine.carcassonne import (
    BuildBridge,
    BuildCastle,
    ChooseCastleSource,
    ChooseSource,
    DecideTown,
    Decline,
    DeployFollower,
    PlaceTile,
    Position,
    ScoreTown,
)
from engine.events import Event

_PAGE: Final = re.compile(r"p(\d{1,3})(b?)")
_OPEN: Final = "open"
_WITH: Final = re.compile(r"with:([a-z][a-z-]{0,19})")
ROOM: Final = 74
"""Characters of a custom id that are left for a plan."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A page of spots, a placement with the bridge and the figure that go with it, or letting the tile go."""

    page: int = 0
    aided: bool = False
    """Among the spots that need a bridge."""
    place: Place | None = None
    bridge: BuildBridge | None = None
    kind: str = ""
    """Which figure the places are for; the one that comes first to each when empty."""
    figure: Deploy | Pass | None = None
    answers: tuple[Action, ...] = ()
    """What is decided about castles that the move raises."""
    left_open: bool = False
    """What is still to be decided about them is asked on the card."""
    declined: bool = False
    """The tile is let go (BR-13)."""

    def __str__(self) -> str:
        if self.declined:
            return str(Decline())
        if self.place is None:
            return f"p{self.page}{'b' if self.aided else ''}"
        actions = (self.place, self.bridge, self.figure, *self.answers)
        tokens = [str(action) for action in actions if action is not None]
        asked_for = [f"with:{self.kind}"] if self.kind and self.figure is None else []
        return " ".join([*tokens, *asked_for, *([_OPEN] if self.left_open else [])])

    @staticmethod
    def parse(text: str) -> Plan:
        """Read the text form.

        Raises:
            NotationError: it is none.
        """
        page = _PAGE.fullmatch(text)
        if page is not None:
            return Plan(int(page[1]), aided=bool(page[2]))
        if text == str(Decline()):
            return Plan(declined=True)
        plan = Plan()
        *tokens, last = text.split() or [""]
        left_open, kind = last == _OPEN, _WITH.fullmatch(last)
        for token in tokens if left_open or kind else [*tokens, last]:
            match parse_action(token):
                case Place() as place if plan.place is None:
                    plan = replace(plan, place=place, aided=place.aid is not None)
                case BuildBridge() as bridge if plan.place and plan.bridge is None and plan.figure is None:
                    plan = replace(plan, bridge=bridge)
                case (Deploy() | Pass()) as figure if plan.place and plan.figure is None:
                    plan = replace(plan, figure=figure)
                case (BuildCastle() | ScoreTown() | ChooseSource()) as answer if plan.figure:
                    plan = replace(plan, answers=(*plan.answers, answer))
                case _:
                    raise NotationError(f"not a plan: {text!r}")
        if plan.place is None or (left_open and plan.figure is None) or (kind and plan.figure is not None):
            raise NotationError(f"not a plan: {text!r}")
        return replace(plan, left_open=left_open, kind=kind[1] if kind else "")


def placements(position: Position, *, aided: bool) -> list[Place]:
    """The placements that need a bridge, or those that need none; each look of the tile once."""
    step = position.step
    if not isinstance(step, PlaceTile):
        return []
    looks = step.tile.rotations
    return [
        action
        for action in position.legal_actions
        if isinstance(action, Place) and (action.aid is not None) is aided and action.rotation in looks
    ]


def optional_bridges(after: Position) -> list[BuildBridge]:
    """The bridges that may be built beside the tile just laid (BR-08)."""
    return [action for action in after.legal_actions if isinstance(action, BuildBridge)] if _asks(after) else []


def figures(position: Position, plan: Plan) -> list[Deploy]:
    """Which figure may be put where with this placement and bridge: figures and features first met first."""
    if plan.place is None:
        return []
    after = laid(position, plan.place)
    offered = _deployments(after)
    if plan.bridge is not None:
        after.apply(plan.bridge)
        offered = list(dict.fromkeys([*_deployments(after), *offered]))
    return [deploy for deploy in offered if complete(position, replace(plan, figure=deploy))]


def places(deploys: Sequence[Deploy]) -> dict[str, list[Deploy]]:
    """The figures that may be put on each segment of the tile, by its name.

    A builder or pig joins a follower, and a follower goes where nobody is; followers of two sizes share their places.
    """
    found: dict[str, list[Deploy]] = {}
    for deploy in deploys:
        found.setdefault(deploy.segment, []).append(deploy)
    return found


def others(deploys: Sequence[Deploy]) -> list[str]:
    """The figures that could stand in the place of one that comes first there: those for which there is a switch."""
    return list(dict.fromkeys(deploy.figure for _, *more in places(deploys).values() for deploy in more))


def complete(position: Position, plan: Plan) -> tuple[Action, ...]:
    """The actions of a whole turn by this plan; empty when the rules do not allow it in any order."""
    for order in _orders(plan):
        actions = _carried_out(position, order)
        if actions:
            return actions
    return ()


class Course(NamedTuple):
    """Where a whole turn leads, as far as its player decides it."""

    actions: tuple[Action, ...]
    after: Position
    events: tuple[Event, ...]
    asks: bool
    """Whether the same player has to decide something about a castle before anybody else has to do anything."""


def course(position: Position, plan: Plan) -> Course:
    """Carry out a plan with a figure on a copy.

    Raises:
        IllegalActionError: it is no legal turn.
    """
    laying = complete(position, plan)
    if not laying:
        raise IllegalActionError(f"no legal turn: {plan}")
    after, actions = position.copy(), (*laying, *plan.answers)
    events: list[Event] = []
    for number, action in enumerate(actions):
        if number >= len(laying) and not _asks_castle(after, position.player):
            raise IllegalActionError(f"nothing to be decided about a castle: {plan}")
        events += after.apply(action)
    return Course(actions, after, tuple(events), _asks_castle(after, position.player))


def _asks_castle(after: Position, player: int) -> bool:
    return isinstance(after.step, DecideTown | ChooseCastleSource) and after.step.player == player


def _orders(plan: Plan) -> Iterator[list[Action]]:
    """The bridge comes before the figure; after it only where the rules let it (BR-14)."""
    first: list[Action] = [plan.place] if plan.place else []
    bridge: list[Action] = [plan.bridge] if plan.bridge else []
    figure: list[Action] = [plan.figure or Pass()]
    yield first + bridge + figure
    if bridge and plan.figure:
        yield first + figure + bridge


def _carried_out(position: Position, actions: Sequence[Action]) -> tuple[Action, ...]:
    """These actions and the pass that may have to end the turn; empty when one of them is not legal."""
    after, player = position.copy(), position.player
    done: list[Action] = []
    for action in actions:
        try:
            after.apply(action)
        except IllegalActionError:
            return ()
        done.append(action)
    if _asks(after) and after.player == player and done[-1] != Pass():
        done.append(Pass())
    return tuple(done)


def _asks(after: Position) -> bool:
    return isinstance(after.step, DeployFollower)


def _deployments(after: Position) -> list[Deploy]:
    return [action for action in after.legal_actions if isinstance(action, Deploy)] if _asks(after) else []
