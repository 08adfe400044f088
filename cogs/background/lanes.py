"""Who posts when: each game with something due has a lane, in which its posts follow one another.

What this process has begun to send itself comes from memory. For all else the outbox is looked into: when somebody says
that something may be due, and after a lane behind whose post there may be another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from host import log_failure
from host.observability import work_apart

if TYPE_CHECKING:
    from host import Outbox, Post

log = logging.getLogger(__name__)

LANES: Final = 32
"""Games whose cards are posted at the same time; most of them wait for Discord."""
STOP_SECONDS: Final = 10.0
"""How long to wait at the end for what is being posted."""
BEGUN_SECONDS: Final = 120.0
"""What was begun and finds no lane for so long is left to whoever looks into the outbox: it is not ours much longer."""


class Lanes:
    """Hands out what is due, one post of a game at a time."""

    def __init__(self, outbox: Outbox, deliver: Callable[[Post, bool], Awaitable[None]]) -> None:
        self._outbox = outbox
        self._deliver = deliver
        self._pump: asyncio.Task[None] | None = None
        self._bell: asyncio.Future[None] | None = None
        self._rung = self._looking = self._more = False
        self._running: dict[int, asyncio.Task[None]] = {}
        self._begun: list[tuple[float, Post]] = []
        """What has no lane yet, and since when."""
        self._unsure: set[int] = set()
        """Games in whose lanes something runs behind which there may be more."""

    @property
    def busy(self) -> bool:
        """Whether anything is posted or about to be."""
        return bool(self._running or self._begun)

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What is under way."""
        return list(self._running.values())

    @property
    def pump(self) -> asyncio.Task[None] | None:
        """What runs until nothing is due."""
        return None if self._pump is None or self._pump.done() else self._pump

    def look(self) -> None:
        """Something may be due that nobody here has begun."""
        self._looking = True
        self._unsure |= self._running.keys()
        self.ring()

    def ring(self) -> None:
        """Something was begun."""
        now = asyncio.get_running_loop().time()
        self._begun += [(now, post) for post in self._outbox.begun()]
        self._rung = True
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)
        if self._pump is None or self._pump.done():
            # A context of its own: who happened to wake it is not what its lines in the log are about.
            self._pump = asyncio.create_task(self._drain(), name="publisher", context=work_apart())

    async def _drain(self) -> None:
        while self._rung or self._running:
            self._rung = False
            self._leave()  # not only when nothing rings any more: who rings without end would hold up what follows
            self._start_begun()
            if self._looking:
                await self._fill()
            if self._rung or not self._running:
                continue
            self._bell = asyncio.get_running_loop().create_future()
            await asyncio.wait((*self._running.values(), self._bell), return_when=asyncio.FIRST_COMPLETED)

    def _leave(self) -> None:
        """Clear the lanes that are done."""
        for game_id in [game_id for game_id, lane in self._running.items() if lane.done()]:
            del self._running[game_id]
            self._looking = self._looking or self._more or game_id in self._unsure
            self._unsure.discard(game_id)
            self._rung = True

    def _start_begun(self) -> None:
        waiting, self._begun = self._begun, []
        longest = asyncio.get_running_loop().time() - BEGUN_SECONDS
        for since, post in waiting:
            if self._is_free(post):
                self._start(post, begun=True)
            elif since > longest:
                self._begun.append((since, post))
            else:
                self._outbox.let_go(post.id)

    async def _fill(self) -> None:
        """Give each game with something due a lane, as far as there are any."""
        self._looking = self._more = False
        try:
            found = await self._outbox.due()
        except Exception as error:  # noqa: BLE001 - the next sweep looks again
            log_failure(log, "the outbox could not be read", error)
            return
        for post in found:
            if self._is_free(post):
                self._start(post, begun=False)
                self._unsure.add(post.game_id)
            else:
                self._more = True

    def _is_free(self, post: Post) -> bool:
        return post.game_id not in self._running and len(self._running) < LANES

    def _start(self, post: Post, *, begun: bool) -> None:
        about = work_apart(game=post.game.code, ply=post.ply, server=post.game.guild_id, **post.cause)
        lane = self._lane(post, begun=begun)
        self._running[post.game_id] = asyncio.create_task(lane, name=f"post {post.nonce}", context=about)

    async def _lane(self, post: Post, *, begun: bool) -> None:
        try:
            await self._deliver(post, begun)
        except Exception as error:  # noqa: BLE001 - the lease of the post runs out, and it is tried again
            log_failure(log, "the outbox could not be kept", error, {"game": post.game.code, "post": post.nonce})
        finally:
            self._outbox.let_go(post.id)
