"""What a message about an event is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.panels.events.announcement import Presenters
    from host.events.views.values import EventPost, EventView, RankView, RoundView


@dataclass(frozen=True, slots=True)
class Told:
    """What a message may need: the event, and where there are any the round and the standings."""

    post: EventPost
    presenters: Presenters
    found: RoundView | None = None
    standings: Sequence[RankView] = ()
    named: Sequence[int] = ()
    """Organisers to whom nobody may write directly, or whoever had quiet hours."""
    called: Sequence[int] = ()
    """Those of them who have no quiet hours now."""
    of: int | None = None
    """The message to which it leads, where it calls those who had quiet hours then."""

    @property
    def view(self) -> EventView:
        """The event."""
        return self.post.event
