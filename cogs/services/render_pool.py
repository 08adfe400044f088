"""Run drawing in worker threads, and drop what nobody waits for any more.

What the table waits for (cards, panels of those who are moving) has threads of its own, and goes first: nothing else is
begun meanwhile, for a while. What one person wants to look at beside the game has one thread, and films and records
another: there a person has one thing done at a time, however many they ask for, and others come between. Both
leave the cores to the rest where they are wanted.
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
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakValueDictionary

from cogs.texts.languages import taking_along
from cogs.words.refusals import RefusedError
from host.observability import DRAWING, timing
from renderers import DAY, SizedCache, Theme

if TYPE_CHECKING:
    from cogs.presenting.presenter import AltPicture


log = logging.getLogger(__name__)

T = TypeVar("T")

THREADS: Final = 2
_WARM: Final = object()
_OVERTAKEN: Final = object()
LOOK: Final = timedelta(seconds=1)
FILM: Final = timedelta(seconds=20)
"""What a picture to look at, a film and a record cost of somebody's share."""
NOTHING: Final = timedelta(0)
"""The cost of what was paid for already, and of suggestions: of several only the newest is made."""
Taking = Callable[[int, timedelta], Awaitable[datetime | None]]
"""Takes what costs so much out of the share of a person; when he may ask for it, if not now."""
Warming = Mapping[str, Callable[..., Iterator[None]]]
"""How each game, by its name, draws ahead what cards of a theme show, and of some boxes if these are said."""
NOTHING_AHEAD: Final[Warming] = MappingProxyType({})
GIVES_WAY: Final = 2.0
"""Seconds that what one person wants to see waits at most for the table: threads share one interpreter."""
BEHIND: Final = 10
"""How much nicer to all others a thread is that works for one person alone."""
MAX_WAITING_REPLAYS: Final = 8
"""So many things a person may have asked for that are not there yet."""
FILM_BYTES: Final = 48 * 2**20
"""Of films that are kept: a few dozen, since one of a long game is one or two MiB."""


class SupersededError(Exception):
    """Somebody else has done, or will do, what was asked for; there is nothing left to do or to say."""


def _step_back() -> None:
    """Let this thread have less of a machine on which all cores are at work; Linux tells threads apart."""
    if sys.platform == "linux":
        with suppress(OSError):  # what may not be done here makes nothing wrong
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.nice(0) + BEHIND)


class Bench:
    """One thread for what takes long: of each person one piece of work at a time, in the order in which they came."""

    def __init__(self, name: str, table_is_served: asyncio.Event) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=_step_back)
        self._table_is_served = table_is_served
        self._meter = DRAWING.labels(name)
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[int] = Counter()

    async def run(self, person: int, work: Callable[[], T]) -> T:
        """The result of some work for a person (user id); it waits for whatever he has asked for before.

        Raises:
            RefusedError: too much of his waits already.
        """
        if self._waiting[person] >= MAX_WAITING_REPLAYS:
            raise RefusedError("too_much_at_once")
        self._waiting[person] += 1
        try:
            async with self._turns.setdefault(person, asyncio.Lock()):
                with timing(self._meter):
                    await self._give_way()
                    return await asyncio.get_running_loop().run_in_executor(self._thread, taking_along(work))
        finally:
            self._waiting[person] -= 1
            self._waiting += Counter()  # forgets who waits for nothing

    async def _give_way(self) -> None:
        """Begin nothing while the table waits for a picture, but not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GIVES_WAY):
                await self._table_is_served.wait()

    def close(self) -> None:
        """Let the thread end; what has not begun is dropped."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class RenderPool:
    """A pool of worker threads for drawing."""

    def __init__(self, take: Taking | None = None, warming: Warming = NOTHING_AHEAD) -> None:
        self._take, self._warming = take, warming
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="render")
        self._table_is_served = asyncio.Event()
        self._table_is_served.set()
        self._looks, self._films = Bench("looks", self._table_is_served), Bench("films", self._table_is_served)
        self._newest: dict[Hashable, object] = {}
        self._kept: SizedCache[Sequence[AltPicture]] = SizedCache(FILM_BYTES, _weight, "films")
        self._drawn_now: dict[Hashable, asyncio.Task[Sequence[AltPicture]]] = {}
        self._gate = Lock()
        """Before what the event loop and the threads both look at when something is drawn ahead."""
        self._ahead: deque[Iterator[None]] = deque()
        self._stepping = False
        self._waited_for = 0
        self._warmed: set[Hashable] = set()

    # -- what the table waits for -------------------------------------------------------------------------------

    async def draw(self, work: Callable[[], T]) -> T:
        """The result of some drawing."""
        self._waited_for += 1
        self._table_is_served.clear()
        try:
            with timing(DRAWING.labels("table")):
                return await asyncio.get_running_loop().run_in_executor(self._threads, taking_along(work))
        finally:
            self._waited_for -= 1
            if not self._waited_for:
                self._table_is_served.set()
            self._go_on()

    async def draw_newest(self, place: Hashable, work: Callable[[], T]) -> T:
        """The result, unless another drawing for the same place is asked for before it is there.

        Raises:
            SupersededError: it was; what had not begun is not drawn at all.
        """
        return await self._while_newest(place, work, self.draw)

    # -- what one person wants to see ---------------------------------------------------------------------------

    async def look(
        self, person: int, work: Callable[[], T], *, place: Hashable | None = None, cost: timedelta = LOOK
    ) -> T:
        """The result of what a person (user id) looks up beside the game: a board, hints, completions.

        Raises:
            SupersededError: something newer was asked for at the same place before it was there.
            RefusedError: he has looked at much lately, or much of his waits.
        """
        await self._share(person, cost)
        run = partial(self._looks.run, person)
        return await (run(work) if place is None else self._while_newest(place, work, run))

    async def read(self, person: int, work: Callable[[], T]) -> T:
        """The result of reading what a person has sent, which may take as long as it is allowed to."""
        await self._share(person, LOOK)
        return await self._films.run(person, work)

    async def film(self, person: int, name: Hashable, work: Callable[[], Sequence[AltPicture]]) -> Sequence[AltPicture]:
        """Pictures that are drawn once and kept: those of this name, which several may ask for at the same time."""
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        drawing = self._drawn_now.get(name)
        if drawing is None:
            await self._share(person, FILM)
            drawing = self._drawn_now.get(name)
        if drawing is None:
            drawing = self._drawn_now[name] = asyncio.create_task(self._kept_film(person, name, work), name="film")
        return await asyncio.shield(drawing)

    async def _share(self, person: int, cost: timedelta) -> None:
        """Make sure that others come to their pictures, too.

        Raises:
            RefusedError: a person has asked for his share; the sentence says when he may go on.
        """
        again = await self._take(person, cost) if self._take is not None and cost else None
        if again is not None:
            raise RefusedError("too_much_lately", when=math.ceil(again.timestamp()))

    async def _kept_film(
        self, person: int, name: Hashable, work: Callable[[], Sequence[AltPicture]]
    ) -> Sequence[AltPicture]:
        try:
            film = await self._films.run(person, work)
            self._kept.put(name, film)
            return film
        finally:
            del self._drawn_now[name]

    # -- of several drawings the newest -------------------------------------------------------------------------

    async def _while_newest(
        self, place: Hashable, work: Callable[[], T], run: Callable[[Callable[[], Any]], Awaitable[Any]]
    ) -> T:
        request = object()
        self._newest[place] = request

        def checked() -> object:
            return work() if self._newest.get(place) is request else _OVERTAKEN

        try:
            result: Any = await run(checked)
            if result is _OVERTAKEN or self._newest.get(place) is not request:
                raise SupersededError
            return result  # type: ignore[no-any-return]  # what the work returned
        finally:
            if self._newest.get(place) is request:
                del self._newest[place]

    # -- drawing ahead ------------------------------------------------------------------------------------------

    def warm_up(self, theme: Theme = DAY) -> None:
        """Draw ahead what the first cards of a theme show, one sprite at a time while nobody waits for a picture."""
        self._draw_ahead(chain.from_iterable(ahead(theme) for ahead in self._warming.values()))

    def warm_for(self, game: str, boxes: Collection[str], theme: Theme) -> None:
        """Draw ahead what further cards of a game with these boxes show; once for each of these and theme."""
        key = game, frozenset(boxes), theme.name
        if key not in self._warmed and game in self._warming:
            self._warmed.add(key)
            self._draw_ahead(self._warming[game](theme, boxes))

    def _draw_ahead(self, steps: Iterator[None]) -> None:
        with self._gate:
            self._ahead.append(steps)
        self._go_on()

    def _go_on(self) -> None:
        """Draw the next sprite, unless one is being drawn or somebody waits for a picture."""
        with self._gate:
            if self._stepping or self._waited_for or not self._ahead:
                return
            self._stepping = True
        with suppress(RuntimeError):  # closed meanwhile
            self._threads.submit(self._step)

    def _step(self) -> None:
        try:
            over = next(self._ahead[0], _WARM) is _WARM
        except Exception:  # whoever needs it will hear of it
            log.exception("what is drawn ahead could not be drawn")
            over = True
        with self._gate:
            self._stepping = False
            if over:
                self._ahead.popleft()
        self._go_on()

    def drop(self, place: Hashable) -> None:
        """What is being drawn for a place is no longer wanted."""
        self._newest.pop(place, None)

    def close(self) -> None:
        """Let the threads end; drawings that have not begun are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._looks.close()
        self._films.close()


def _weight(film: Sequence[AltPicture]) -> int:
    return sum(len(shown.picture.data) for shown in film)
