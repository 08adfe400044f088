"""Sequences of actions that are created on demand.

Some decisions have thousands of legal actions, while callers often need only one of them, or the number of all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

from engine.actions import Action
from engine.agenda import Step

P = TypeVar("P")
"""The position of a game."""


class LazyActions(Sequence[Action]):
    """A sequence that creates each action on demand; subclasses define :meth:`action` and ``__len__``."""

    __slots__ = ()

    @abstractmethod
    def action(self, index: int) -> Action:
        """Return the action with this number, from 0 to ``len - 1``."""

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> list[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | list[Action]:
        if isinstance(index, slice):
            return [self.action(number) for number in range(*index.indices(len(self)))]
        length = len(self)
        if not -length <= index < length:
            raise IndexError(index)
        return self.action(index % length)


class LegalActions(Sequence[Action], Generic[P]):
    """The legal actions of a step; the list is created only when it is needed.

    Resigning, which every player may do at any time, is not among them; nor are skipping a turn and adjudicating the
    game, which no player decides.
    """

    __slots__ = ("_actions", "_position", "_step")

    def __init__(self, step: Step[P] | None, position: P) -> None:
        self._step = step
        self._position = position
        self._actions: Sequence[Action] | None = None

    def _listed(self) -> Sequence[Action]:
        """Return the actions of the step, listed on the first call."""
        if self._actions is None:
            self._actions = () if self._step is None else self._step.actions(self._position)
        return self._actions

    def __contains__(self, action: object) -> bool:
        return action in self._listed()

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def __bool__(self) -> bool:
        return self._step is not None

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> list[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | list[Action]:
        return [*self._listed()[index]] if isinstance(index, slice) else self._listed()[index]

    def __repr__(self) -> str:
        owner = "" if self._step is None else f" of player {self._step.player}"
        return f"<{len(self)} legal actions{owner}>"
