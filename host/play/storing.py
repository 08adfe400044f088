"""The transaction in which something happens to a game whose card may begin to be sent with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.play.outbox import Outbox
    from host.values import Post
    from store import Transaction


@dataclass(slots=True)
class Storing:
    """A transaction, and the card whose first attempt begins in it; whoever stores that card says so."""

    tx: Transaction
    begun: Post | None = None


@asynccontextmanager
async def storing(messages: Outbox, game_id: int) -> AsyncIterator[Storing]:
    """Store what happens to a game; the sender in this process has what was begun after it.

    If the block fails, what was begun is given back: a commit that was interrupted may have happened.
    """
    under_way: Storing | None = None
    try:
        async with messages.writing(game=game_id) as tx:
            under_way = Storing(tx)
            yield under_way
    except BaseException:
        messages.hand_over(None if under_way is None else under_way.begun, stored=False)
        raise
    messages.hand_over(under_way.begun)
