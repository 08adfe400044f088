"""A turn that is being planned: its actions one after the other, on a veiled copy of the game.

The text form of a plan is the argument of a composer button, so a button always leads to what it shows, however often
and in whatever order it is pressed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cogs.games.the_castle.standing import answer
from engine import Action, Deploy, NotationError, Pass, Place, parse_action
from engine.events import Event
from engine.the_castle import ChooseFeature, DeployFollower, DoubleFeature, ExtraTurn, PlaceTile, Position

FOLLOWING: Final = (DeployFollower, ChooseFeature, DoubleFeature, ExtraTurn)
"""What may have to be decided after a tile has been laid, in this order."""
ROOM: Final = 74
"""Characters of a custom id that are left for actions."""
_PAGE: Final = re.compile(r"p(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Plan:
    """A page of spots, or a placement, then the figure, then the answers to what the turn asks."""

    page: int = 0
    actions: tuple[Action, ...] = ()

    def __str__(self) -> str:
        return written(self.actions) if self.actions else f"p{self.page}"

    @staticmethod
    def parse(text: str) -> Plan:
        """Read the text form.

        Raises:
            NotationError: it is none.
        """
        page = _PAGE.fullmatch(text)
        if page is not None:
            return Plan(int(page[1]))
        actions = tuple(parse_action(token) for token in text.split())
        if not actions or not isinstance(actions[0], Place):
            raise NotationError(f"not a plan: {text!r}")
        return Plan(actions=actions)


class Course(NamedTuple):
    """Where planned actions lead, as far as their player can know it."""

    actions: tuple[Action, ...]
    """With those that follow without being asked for."""
    after: Position
    """The veiled position."""
    events: tuple[Event, ...]

    @property
    def asks(self) -> bool:
        """Whether something remains to be decided in this turn."""
        return isinstance(self.after.step, FOLLOWING)


def course(position: Position, decided: Sequence[Action], choices: Mapping[str, str]) -> Course:
    """Carry out a plan on a veiled copy, then whatever its player does not want to be asked about.

    Raises:
        IllegalActionError: it is none for this position.
    """
    after = position.veiled()
    events: list[Event] = []
    actions: list[Action] = []
    for action in decided:
        events += after.apply(action)
        actions.append(action)
    for action in following(after, choices):
        events += after.apply(action)
        actions.append(action)
    return Course(tuple(actions), after, tuple(events))


def following(position: Position, choices: Mapping[str, str]) -> tuple[Action, ...]:
    """What the player on turn does now without being asked; ends where he wants to be, or where his turn does."""
    after = position.copy()
    actions: list[Action] = []
    while isinstance(after.step, FOLLOWING):
        action = answer(after, choices)
        if action is None:
            break
        after.apply(action)
        actions.append(action)
    return tuple(actions)


def placements(position: Position) -> list[Place]:
    """Where the tile in hand may be laid; each look of the tile once."""
    step = position.step
    if not isinstance(step, PlaceTile):
        return []
    looks = step.tile.rotations
    return [action for action in position.legal_actions if isinstance(action, Place) and action.rotation in looks]


def deployments(after: Position) -> list[Deploy]:
    """What a figure may be put on."""
    if not isinstance(after.step, DeployFollower):
        return []
    return [action for action in after.legal_actions if isinstance(action, Deploy)]


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


def is_decided(actions: Sequence[Action]) -> bool:
    """Whether a plan goes beyond the tile."""
    return len(actions) > 1 and isinstance(actions[1], Deploy | Pass)
