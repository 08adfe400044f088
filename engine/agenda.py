"""The agenda of a position: a stack of steps and tasks.

A :class:`Step` on top waits for a player's decision. A :class:`Task` runs at once and may push further entries. The
entry pushed last comes first, so code that pushes several begins with the one that comes last. After a tile is laid,
for example, the agenda holds, from below, the next turn, the scoring and the question where to deploy a figure. Games
and expansions define their own steps and tasks; both classes are generic in the position that they work on.

``needs_decision`` tells the two apart. The engine's main loop reads it constantly, and it is cheaper than
``isinstance``.
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
    """A decision that ``player`` has to make."""

    __slots__ = ()
    needs_decision: ClassVar[Literal[True]] = True
    out_of_turn: ClassVar[bool] = False
    """True if the step may come up in another player's turn, as some steps of boxes do."""
    player: Seat

    @abstractmethod
    def actions(self, position: P_contra) -> Sequence[Action]:
        """Return all legal actions of the player, in a fixed order."""

    def default_action(self, position: P_contra) -> Action:
        """Return the action taken for a player whose time has run out: usually the first of all."""
        return self.actions(position)[0]

    def allows(self, position: P_contra, action: Action) -> bool:
        """Return True if the action is legal."""
        return action in self.actions(position)

    def skip(self, position: P_contra) -> None:
        """Continue without a turn that was not taken in time; only laying a tile can be skipped.

        Raises:
            IllegalActionError: something else is to be decided.
        """
        raise IllegalActionError(f"nothing to skip: {type(self).__name__}")

    @abstractmethod
    def apply(self, position: P_contra, action: Never) -> None:
        """Carry out a legal action. The step has already been taken off the agenda.

        Each kind of step accepts its own types of actions only.
        """

    @abstractmethod
    def forfeit(self, position: P_contra) -> None:
        """Continue without the player, who has resigned."""


class Task(ABC, Generic[P_contra]):
    """A part of the game that needs no decision."""

    __slots__ = ()
    needs_decision: ClassVar[Literal[False]] = False

    @abstractmethod
    def run(self, position: P_contra) -> None:
        """Run the task, which has already been taken off the agenda."""
