"""Lists of actions that are made only when somebody looks at them: some decisions have thousands."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload

from engine.actions import Action


class Listing(Sequence[Action]):
    """A sequence that makes its action number ``index`` on demand; subclasses say how, and how many there are."""

    __slots__ = ()

    @abstractmethod
    def action(self, index: int) -> Action:
        """The action with this number, from 0 to ``len - 1``."""

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
