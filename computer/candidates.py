"""Candidates: legal actions with a value each, so that the best can be chosen and its value explained.

Values are points ahead of the rivals: an action worth 3.0 improves a player's lead by three points. They are compared
as :func:`comparable` has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import Action, Position

COMPARED_DECIMALS: Final = 6
"""The decimals of a value that decide. Machines and versions of Python differ in the last ones of a float: since Python
3.12, for example, the same numbers may have another sum."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action with its value in points ahead of the rivals.

    ``parts`` split the value by source, such as "cities" or "figures". ``follow_up`` is the action that the value
    assumes next in the same turn, such as deploying a figure; None if there is none.
    """

    action: Action
    value: float
    parts: Mapping[str, float] = field(default_factory=dict)
    follow_up: Action | None = None


def best(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the highest value; of equal ones the first, so that the choice is reproducible."""
    return max(candidates, key=lambda candidate: comparable(candidate.value))


def comparable(value: float) -> float:
    """Return a value as it is compared with others, so that equal ones are equal on every machine."""
    return round(value, COMPARED_DECIMALS)


def stakes_of(position: Position, seat: int) -> list[float]:
    """Return, by seat, what a point of each player is worth to the player on ``seat``.

    Their own points count 1. The points of all rivals together count -1, in equal parts. Those of resigned players
    count nothing.
    """
    rivals = [other for other in range(position.players) if other != seat and not position.withdrawn[other]]
    rival_stake = 1 / len(rivals) if rivals else 0.0
    return [1.0 if other == seat else -rival_stake if other in rivals else 0.0 for other in range(position.players)]
