"""Candidates: the actions that are compared, each with the parts of its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine import Action, Position


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action with its value, in points ahead of the rivals; ``parts`` say where it comes from.

    ``follow_up`` is the action that is expected after it in the same turn.
    """

    action: Action
    value: float
    parts: Mapping[str, float] = field(default_factory=dict)
    follow_up: Action | None = None


def best(candidates: Sequence[Candidate]) -> Candidate:
    """Return the best candidate: of several equal ones the first, so that the choice is always the same."""
    return max(candidates, key=lambda candidate: candidate.value)


def stakes_of(position: Position, seat: int) -> list[float]:
    """Return what a point of each player is worth to a player: their own 1, those of the others less than nothing.

    With several rivals, each for themselves, all of them count alike.
    """
    rivals = [other for other in range(position.players) if other != seat and not position.withdrawn[other]]
    each = 1 / len(rivals) if rivals else 0.0
    return [1.0 if other == seat else -each if other in rivals else 0.0 for other in range(position.players)]
