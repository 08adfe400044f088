"""Draw pictures in worker threads, so that the event loop stays free, and drop jobs whose result nobody wants any more.

There are three kinds of jobs. Those for which a game waits (its cards, and panels of the player to move) have two
threads and take precedence: while one of them runs, other jobs do not start, up to a time limit. Pictures that a single
user requests have one thread, and so have *films* (animations of whole games) and records. In these two threads each
user has one job at a time, so that nobody holds up the others, and they run at a lower priority.

While no game waits, parts of pictures that will be needed soon, the *sprites*, are drawn ahead.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from cogs.presenting.presenter import AltPicture
from cogs.texts.languages import in_current_language
from cogs.words.refusals import RefusedError
from host.observability import DRAWING, timed
from renderers import DAY, SizedCache, Theme

log = logging.getLogger(__name__)

T = TypeVar("T")

THREADS: Final = 2
"""The number of threads for the jobs that games wait for."""
_EXHAUSTED: Final = object()
"""A mark for the end of the sprites to draw ahead."""
_SUPERSEDED: Final = object()
"""The result of a job that a newer one has replaced before it started."""
LOOKUP_COST: Final = timedelta(seconds=1)
"""The cost of a picture, text or record, as time of the user's rate limit."""
FILM_COST: Final = timedelta(seconds=20)
"""The cost of a film, as time of the user's rate limit."""
NO_COST: Final = timedelta(0)
"""No cost, for a job that was charged before and for suggestions, since only the newest of them is made."""
ChargeUser = Callable[[int, timedelta], Awaitable[datetime | None]]
"""Charges a cost to a user's rate limit; returns None or, if the limit is exceeded, the time from which it is not."""
WarmUps = Mapping[str, Callable[..., Iterator[None]]]
"""Functions, by game, that draw the sprites of a theme's cards (and those of given expansions), one in each step."""
NO_WARM_UPS: Final[WarmUps] = MappingProxyType({})
"""For a pool that draws every sprite only when it is needed."""
MAX_DEFERRAL: Final = 2.0
"""The most seconds for which a user's job waits for the jobs of games."""
NICENESS: Final = 10
"""The value by which the priority of threads for single users is lower."""
MAX_PENDING_JOBS: Final = 8
"""The most unfinished jobs of a user in a thread."""
FILM_CACHE_BYTES: Final = 48 * 2**20
"""The size of the cache of films: a few dozen, since the film of a long game takes one or two MiB."""


class SupersededError(Exception):
    """A newer request has replaced this one, which gets no answer."""


def _lower_priority() -> None:
    """Lower the priority of the current thread; only Linux has priorities of threads."""
    if sys.platform == "linux":
        with suppress(OSError):  # not permitted in some containers, and not essential
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.nice(0) + NICENESS)


class FairThread:
    """A thread for jobs of users: each user has one job at a time, and all take turns."""

    def __init__(self, name: str, games_served: asyncio.Event) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=_lower_priority)
        self._games_served = games_served
        self._meter = DRAWING.labels(name)
        self._user_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._pending: Counter[int] = Counter()
        """The number of unfinished jobs, by user id."""

    async def run(self, person: int, work: Callable[[], T]) -> T:
        """Run a job of a user (by id) after the user's earlier jobs, and return its result.

        Raises:
            RefusedError: ``too_much_at_once``: the user has too many unfinished jobs.
        """
        if self._pending[person] >= MAX_PENDING_JOBS:
            raise RefusedError("too_much_at_once")
        self._pending[person] += 1
        try:
            async with self._user_locks.setdefault(person, asyncio.Lock()):
                with timed(self._meter):
                    await self._wait_for_games()
                    return await asyncio.get_running_loop().run_in_executor(self._thread, in_current_language(work))
        finally:
            self._pending[person] -= 1
            self._pending += Counter()  # drops zero counts

    async def _wait_for_games(self) -> None:
        """Wait while games wait for pictures, at most :data:`MAX_DEFERRAL`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_DEFERRAL):
                await self._games_served.wait()

    def close(self) -> None:
        """Let the thread end; jobs that have not started are dropped."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class RenderPool:
    """The worker threads for drawing, with the cache of films."""

    def __init__(self, charge: ChargeUser | None = None, warm_ups: WarmUps = NO_WARM_UPS) -> None:
        self._charge_user, self._warm_ups = charge, warm_ups
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="render")
        self._games_served = asyncio.Event()
        """Set while no game waits for a picture."""
        self._games_served.set()
        self._lookups, self._films = FairThread("looks", self._games_served), FairThread("films", self._games_served)
        self._newest: dict[Hashable, object] = {}
        """The newest request for each place, such as a panel."""
        self._film_cache: SizedCache[Sequence[AltPicture]] = SizedCache(FILM_CACHE_BYTES, _weight, "films")
        self._running_films: dict[Hashable, asyncio.Task[Sequence[AltPicture]]] = {}
        self._lock = Lock()
        """Guards the state of drawing ahead, which the event loop and the threads share."""
        self._ahead: deque[Iterator[None]] = deque()
        """Iterators that draw a sprite ahead in each step."""
        self._stepping = False
        """True while a sprite is being drawn ahead."""
        self._game_jobs = 0
        """The number of unfinished jobs that games wait for."""
        self._warmed: set[Hashable] = set()
        """The combinations of game, expansions and theme whose sprites were drawn ahead."""

    # -- jobs that games wait for -------------------------------------------------------------------------------

    async def draw(self, work: Callable[[], T]) -> T:
        """Run a job that a game waits for, and return its result."""
        self._game_jobs += 1
        self._games_served.clear()
        try:
            with timed(DRAWING.labels("table")):
                return await asyncio.get_running_loop().run_in_executor(self._threads, in_current_language(work))
        finally:
            self._game_jobs -= 1
            if not self._game_jobs:
                self._games_served.set()
            self._draw_next_sprite()

    async def draw_newest(self, place: Hashable, work: Callable[[], T]) -> T:
        """Run a job like :meth:`draw`, unless a newer one for the same place is requested before it is finished.

        Raises:
            SupersededError: a newer job was requested; a job that had not started is not run at all.
        """
        return await self._while_newest(place, work, self.draw)

    # -- jobs of single users -----------------------------------------------------------------------------------

    async def run_for(
        self, person: int, work: Callable[[], T], *, place: Hashable | None = None, cost: timedelta = LOOKUP_COST
    ) -> T:
        """Run a job for a user (by id), such as drawing a board, hints or suggestions, and return its result.

        Raises:
            SupersededError: a newer job for the same place was requested before this one was finished.
            RefusedError: the user's rate limit is exceeded, or too many of their jobs are unfinished.
        """
        await self._charge(person, cost)
        run = partial(self._lookups.run, person)
        return await (run(work) if place is None else self._while_newest(place, work, run))

    async def read(self, person: int, work: Callable[[], T]) -> T:
        """Run a job that reads a file from a user, in the thread for long jobs, and return its result."""
        await self._charge(person, LOOKUP_COST)
        return await self._films.run(person, work)

    async def film(self, person: int, name: Hashable, work: Callable[[], Sequence[AltPicture]]) -> Sequence[AltPicture]:
        """Return the film with this name from the cache, or draw it once for all users who request it meanwhile."""
        cached = self._film_cache.get(name)
        if cached is not None:
            return cached
        drawing = self._running_films.get(name)
        if drawing is None:
            await self._charge(person, FILM_COST)
            drawing = self._running_films.get(name)  # another user may have requested it meanwhile
        if drawing is None:
            drawing = self._running_films[name] = asyncio.create_task(self._draw_film(person, name, work), name="film")
        return await asyncio.shield(drawing)

    async def _charge(self, person: int, cost: timedelta) -> None:
        """Charge the cost of a job to the user's rate limit.

        Raises:
            RefusedError: ``too_much_lately``: the limit is exceeded; the sentence says until when.
        """
        free_at = await self._charge_user(person, cost) if self._charge_user is not None and cost else None
        if free_at is not None:
            raise RefusedError("too_much_lately", when=math.ceil(free_at.timestamp()))

    async def _draw_film(
        self, person: int, name: Hashable, work: Callable[[], Sequence[AltPicture]]
    ) -> Sequence[AltPicture]:
        """Draw a film and cache it."""
        try:
            film = await self._films.run(person, work)
            self._film_cache.put(name, film)
            return film
        finally:
            del self._running_films[name]

    # -- only the newest of several jobs ------------------------------------------------------------------------

    async def _while_newest(
        self, place: Hashable, work: Callable[[], T], run: Callable[[Callable[[], Any]], Awaitable[Any]]
    ) -> T:
        """Run a job with ``run``, unless a newer one for the same place is requested.

        Raises:
            SupersededError: a newer job was requested before this one was finished.
        """
        request = object()
        self._newest[place] = request

        def work_if_newest() -> object:
            return work() if self._newest.get(place) is request else _SUPERSEDED

        try:
            result: Any = await run(work_if_newest)
            if result is _SUPERSEDED or self._newest.get(place) is not request:
                raise SupersededError
            return result  # type: ignore[no-any-return]  # what the work returned
        finally:
            if self._newest.get(place) is request:
                del self._newest[place]

    # -- drawing ahead ------------------------------------------------------------------------------------------

    def warm_up(self, theme: Theme = DAY) -> None:
        """Draw ahead the sprites of the first cards in a theme, one at a time while no game waits for a picture."""
        self._draw_ahead(chain.from_iterable(warm_up(theme) for warm_up in self._warm_ups.values()))

    def warm_for(self, game: str, boxes: Collection[str], theme: Theme) -> None:
        """Draw ahead the sprites of a game with these expansions in a theme, unless that was done before."""
        key = game, frozenset(boxes), theme.name
        if key not in self._warmed and game in self._warm_ups:
            self._warmed.add(key)
            self._draw_ahead(self._warm_ups[game](theme, boxes))

    def _draw_ahead(self, steps: Iterator[None]) -> None:
        """Queue an iterator that draws a sprite in each step."""
        with self._lock:
            self._ahead.append(steps)
        self._draw_next_sprite()

    def _draw_next_sprite(self) -> None:
        """Draw the next sprite ahead, unless one is being drawn or a game waits for a picture."""
        with self._lock:
            if self._stepping or self._game_jobs or not self._ahead:
                return
            self._stepping = True
        with suppress(RuntimeError):  # the pool was closed meanwhile
            self._threads.submit(self._step)

    def _step(self) -> None:
        """Draw one sprite ahead, in a worker thread, and start the next."""
        try:
            finished = next(self._ahead[0], _EXHAUSTED) is _EXHAUSTED
        except Exception:  # a card that needs the sprite reports the error to its player
            log.exception("a sprite could not be drawn ahead")
            finished = True
        with self._lock:
            self._stepping = False
            if finished:
                self._ahead.popleft()
        self._draw_next_sprite()

    def drop(self, place: Hashable) -> None:
        """Drop the job for a place, whose result nobody wants any more."""
        self._newest.pop(place, None)

    def close(self) -> None:
        """Let the threads end; jobs that have not started are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._lookups.close()
        self._films.close()


def _weight(film: Sequence[AltPicture]) -> int:
    """Return the size of a film in bytes."""
    return sum(len(shown.picture.data) for shown in film)
