"""What a position has on its agenda, a stack.

A :class:`Step` on its top waits for somebody's decision; a :class:`Task` is carried out at once and may put others on
the stack: what is put there last comes first, so whoever puts several there begins with what comes last. Each game has
its own, and so may its expansions: both are generic in the position that they work on. What of the two something is
stands in ``waits``, which is asked at every turn of the engine and cheaper than ``isinstance``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, Literal, Never, TypeVar

from engine.actions import Action, Seat
from engine.errors import IllegalActionError

P_contra = TypeVar("P_contra", contravariant=True)
"""The position of a game."""


class Step(ABC, Generic[P_contra]):
    """Something that ``player`` has to decide."""

    __slots__ = ()
    needs_decision: ClassVar[Literal[True]] = True
    out_of_turn: ClassVar[bool] = False
    """Whether it is asked beside a turn, of whomever it falls to, as boxes do."""
    player: Seat

    @abstractmethod
    def actions(self, position: P_contra) -> Sequence[Action]:
        """Everything that the player may do, in a fixed order."""

    def default_action(self, position: P_contra) -> Action:
        """What is done for a player whose time has run out: usually the first of all actions."""
        return self.actions(position)[0]

    def allows(self, position: P_contra, action: Action) -> bool:
        """Whether the player may do this."""
        return action in self.actions(position)

    def skip(self, position: P_contra) -> None:
        """Go on without a turn that was not taken in time; only a tile that waits to be laid can be left like that.

        Raises:
            IllegalActionError: something else is to be decided.
        """
        raise IllegalActionError(f"nothing to skip: {type(self).__name__}")

    @abstractmethod
    def apply(self, position: P_contra, action: Never) -> None:
        """Carry out an action that is allowed: each step names its kinds. The step has been taken off the agenda."""

    @abstractmethod
    def forfeit(self, position: P_contra) -> None:
        """Go on without the player, who has resigned."""


class Task(ABC, Generic[P_contra]):
    """Something that happens without a decision."""

    __slots__ = ()
    needs_decision: ClassVar[Literal[False]] = False

    @abstractmethod
    def run(self, position: P_contra) -> None:
        """Carry it out. The task has been taken off the agenda."""
