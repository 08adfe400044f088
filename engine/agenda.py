"""What a position has on its agenda, a stack.

A :class:`Step` on its top waits for somebody's decision; a :class:`Task` is carried out at once and may put others on
the stack. Expansions put their own steps and tasks there through their hooks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.actions import Action

if TYPE_CHECKING:
    from engine.position import Position


class Step(ABC):
    """Something that ``player`` has to decide."""

    __slots__ = ()
    player: int

    @abstractmethod
    def actions(self, position: Position) -> Sequence[Action]:
        """Everything that the player may do, in a fixed order."""

    def allows(self, position: Position, action: Action) -> bool:
        """Whether the player may do this."""
        return action in self.actions(position)

    @abstractmethod
    def apply(self, position: Position, action: Any) -> None:
        """Carry out an action that is allowed. The step has been taken off the agenda."""

    @abstractmethod
    def forfeit(self, position: Position) -> None:
        """Go on without the player, who has resigned."""


class Task(ABC):
    """Something that happens without a decision."""

    __slots__ = ()

    @abstractmethod
    def run(self, position: Position) -> None:
        """Carry it out. The task has been taken off the agenda."""
