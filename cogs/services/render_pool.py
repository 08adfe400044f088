"""Run drawing in worker threads, and drop jobs whose result is no longer wanted.

Jobs for which a game waits (cards, panels of the players to move) have two threads and take precedence: while one of
them runs, other jobs do not start, up to a time limit. What a single user looks up has one thread, and films and
records have another. In these a user has one job at a time, so that no user holds up the others, and both threads run
at a lower priority.
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
"""Threads for the jobs that games wait for."""
_EXHAUSTED: Final = object()
"""Stands for the end of the sprites to draw ahead."""
_SUPERSEDED: Final = object()
"""Result of a job that a newer one has replaced before it started."""
LOOKUP_COST: Final = timedelta(seconds=1)
"""Cost of a picture, text or record, as time of the user's rate limit."""
FILM_COST: Final = timedelta(seconds=20)
"""Cost of a film."""
NOTHING: Final = timedelta(0)
"""Cost of a job that was paid for already, and of suggestions, of which only the newest is made."""
TakeShare = Callable[[int, timedelta], Awaitable[datetime | None]]
"""Takes a cost out of a user's rate limit; returns the time at which the user may ask again if it is exceeded."""
WarmUps = Mapping[str, Callable[..., Iterator[None]]]
"""Functions by game that draw ahead, sprite by sprite, what cards of a theme (and of expansions, if given) show."""
NO_WARM_UPS: Final[WarmUps] = MappingProxyType({})
MAX_DEFERRAL: Final = 2.0
"""Seconds that a user's job waits at most for the jobs of games; all threads share one interpreter."""
NICENESS: Final = 10
"""Added niceness of the threads that work for single users."""
MAX_PENDING_JOBS: Final = 8
"""Maximum number of unfinished jobs of a user in a thread."""
FILM_BYTES: Final = 48 * 2**20
"""Size of the cache of films: a few dozen, since one of a long game takes one or two MiB."""


class SupersededError(Exception):
    """A newer request has replaced this one, which is neither finished nor answered."""


def _lower_priority() -> None:
    """Lower the priority of the current thread; only Linux has priorities of threads."""
    if sys.platform == "linux":
        with suppress(OSError):  # not permitted in some containers, and not essential
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.nice(0) + NICENESS)


class FairThread:
    """A thread for jobs of users: one job of each user at a time, in the order of their requests."""

    def __init__(self, name: str, games_served: asyncio.Event) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=_lower_priority)
        self._games_served = games_served
        self._meter = DRAWING.labels(name)
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[int] = Counter()

    async def run(self, person: int, work: Callable[[], T]) -> T:
        """Run a job of a user (by id) after the user's earlier jobs, and return its result.

        Raises:
            RefusedError: ``too_much_at_once``: the user has too many unfinished jobs.
        """
        if self._waiting[person] >= MAX_PENDING_JOBS:
            raise RefusedError("too_much_at_once")
        self._waiting[person] += 1
        try:
            async with self._turns.setdefault(person, asyncio.Lock()):
                with timed(self._meter):
                    await self._wait_for_games()
                    return await asyncio.get_running_loop().run_in_executor(self._thread, in_current_language(work))
        finally:
            self._waiting[person] -= 1
            self._waiting += Counter()  # drops zero counts

    async def _wait_for_games(self) -> None:
        """Wait while games wait for pictures, at most :data:`MAX_DEFERRAL`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_DEFERRAL):
                await self._games_served.wait()

    def close(self) -> None:
        """Let the thread end; jobs that have not started are dropped."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class RenderPool:
    """A pool of worker threads for drawing."""

    def __init__(self, take: TakeShare | None = None, warming: WarmUps = NO_WARM_UPS) -> None:
        self._take, self._warming = take, warming
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="render")
        self._games_served = asyncio.Event()
        """Set while no game waits for a picture."""
        self._games_served.set()
        self._lookups, self._films = FairThread("looks", self._games_served), FairThread("films", self._games_served)
        self._newest: dict[Hashable, object] = {}
        """The newest request for each place."""
        self._kept: SizedCache[Sequence[AltPicture]] = SizedCache(FILM_BYTES, _weight, "films")
        self._running_films: dict[Hashable, asyncio.Task[Sequence[AltPicture]]] = {}
        self._lock = Lock()
        """Guards the state of drawing ahead, which the event loop and the threads share."""
        self._ahead: deque[Iterator[None]] = deque()
        """Sequences of sprites to draw ahead."""
        self._stepping = False
        """True while a sprite is being drawn ahead."""
        self._game_jobs = 0
        """Unfinished jobs that games wait for."""
        self._warmed: set[Hashable] = set()

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
        """Return the film with this name from the cache, or draw it once for all users who ask meanwhile."""
        cached = self._kept.get(name)
        if cached is not None:
            return cached
        drawing = self._running_films.get(name)
        if drawing is None:
            await self._charge(person, FILM_COST)
            drawing = self._running_films.get(name)  # another user may have asked meanwhile
        if drawing is None:
            drawing = self._running_films[name] = asyncio.create_task(self._draw_film(person, name, work), name="film")
        return await asyncio.shield(drawing)

    async def _charge(self, person: int, cost: timedelta) -> None:
        """Take the cost of a job out of the user's rate limit.

        Raises:
            RefusedError: ``too_much_lately``: the limit is exceeded; the sentence says until when.
        """
        free_at = await self._take(person, cost) if self._take is not None and cost else None
        if free_at is not None:
            raise RefusedError("too_much_lately", when=math.ceil(free_at.timestamp()))

    async def _draw_film(
        self, person: int, name: Hashable, work: Callable[[], Sequence[AltPicture]]
    ) -> Sequence[AltPicture]:
        try:
            film = await self._films.run(person, work)
            self._kept.put(name, film)
            return film
        finally:
            del self._running_films[name]

    # -- only the newest of several jobs ------------------------------------------------------------------------

    async def _while_newest(
        self, place: Hashable, work: Callable[[], T], run: Callable[[Callable[[], Any]], Awaitable[Any]]
    ) -> T:
        request = object()
        self._newest[place] = request

        def checked() -> object:
            return work() if self._newest.get(place) is request else _SUPERSEDED

        try:
            result: Any = await run(checked)
            if result is _SUPERSEDED or self._newest.get(place) is not request:
                raise SupersededError
            return result  # type: ignore[no-any-return]  # what the work returned
        finally:
            if self._newest.get(place) is request:
                del self._newest[place]

    # -- drawing ahead ------------------------------------------------------------------------------------------

    def warm_up(self, theme: Theme = DAY) -> None:
        """Draw ahead what the first cards of a theme show, one sprite at a time while no game waits for a picture."""
        self._draw_ahead(chain.from_iterable(warm(theme) for warm in self._warming.values()))

    def warm_for(self, game: str, boxes: Collection[str], theme: Theme) -> None:
        """Draw ahead what further cards of a game with these expansions show, once for each set and theme."""
        key = game, frozenset(boxes), theme.name
        if key not in self._warmed and game in self._warming:
            self._warmed.add(key)
            self._draw_ahead(self._warming[game](theme, boxes))

    def _draw_ahead(self, steps: Iterator[None]) -> None:
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
        """Drop the job for a place, whose result is no longer wanted."""
        self._newest.pop(place, None)

    def close(self) -> None:
        """Let the threads end; jobs that have not started are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._lookups.close()
        self._films.close()


def _weight(film: Sequence[AltPicture]) -> int:
    return sum(len(shown.picture.data) for shown in film)
