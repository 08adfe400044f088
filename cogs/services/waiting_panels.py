"""Panels that show a move which waits to be published: they say when it is, as long as Discord lets them be edited.

They are kept in memory alone: after a restart, or fifteen minutes, such a panel stays as it is, and its buttons answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from discord import ui

MOST: Final = 1024
"""Panels that are kept; the oldest goes first."""

Edit: TypeAlias = "Callable[[ui.LayoutView], Coroutine[Any, Any, object]]"
"""Puts something else in the place of what a panel shows."""


class ShownPanel(NamedTuple):
    """A panel as it was shown: at which revision of its game, and until when it can be edited."""

    revision: int
    expired: Callable[[], bool]
    edit: Edit
    context: Context
    """That of the press that showed it: it is edited as if by that press."""


class WaitingPanels:
    """The newest such panel of each player of each game."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._shown: OrderedDict[tuple[int, int], ShownPanel] = OrderedDict()

    def keep(self, game_id: int, user_id: int, shown: ShownPanel) -> None:
        """Remember a panel in place of the player's former one."""
        self._shown[game_id, user_id] = shown
        self._shown.move_to_end((game_id, user_id))
        if len(self._shown) > self._most:
            self._shown.popitem(last=False)

    def take(self, game_id: int, user_id: int, revision: int) -> ShownPanel | None:
        """The panel of a move that was made at a revision, if it can be edited still; it is not kept any longer."""
        shown = self._shown.pop((game_id, user_id), None)
        return None if shown is None or shown.revision != revision or shown.expired() else shown
