"""Where players left off in the composer: a panel that was closed is opened there again.

A panel's buttons carry its plan, so pages are turned without this, and panels that stand open outlive any restart. What
is kept here is for panels that somebody has closed, in memory alone: a restart may cost such a plan, never a move.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

MOST: Final = 4096
"""Plans that are kept, a hundred bytes each; the longest untouched goes first."""


class Plans:
    """The newest plan of each player of each game."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._plans: OrderedDict[tuple[int, int], tuple[int, str]] = OrderedDict()

    def keep(self, game_id: int, user_id: int, revision: int, text: str) -> None:
        """Remember a plan in place of the player's former one."""
        self._plans[game_id, user_id] = revision, text
        self._plans.move_to_end((game_id, user_id))
        if len(self._plans) > self._most:
            self._plans.popitem(last=False)

    def find(self, game_id: int, user_id: int, revision: int) -> str:
        """The plan for the decision at this revision; empty if there is none."""
        known = self._plans.get((game_id, user_id))
        return known[1] if known is not None and known[0] == revision else ""
