"""Processes in which computers think, so that neither the event loop nor the drawing of pictures waits for them.

A *worker* is a process that runs ``python -m computer play`` and is spoken to line by line. It is started when the
first decision is needed, steps back behind all other work of the machine, and ends after some minutes without one. It
is told nothing but what the player whose turn it is may know (:class:`Thought`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Final, Protocol, TypeVar, cast

from engine import Action, EngineError, Place, Position, parse_action
from host.observability import COMPUTER_THINKING, COMPUTER_WAITING, COMPUTER_WORKERS, timed
from host.settings import WorkerLimits

log = logging.getLogger(__name__)

T = TypeVar("T")

ROOT: Final = Path(__file__).parents[2]
"""The directory from which a worker imports the package of the computer."""
ADVICE: Final = "advice"
"""The name of advice among the levels of decisions, in metrics."""
LINE_LIMIT: Final = 2**16
"""The longest line, in bytes, that a worker may answer."""


class ThinkingError(Exception):
    """A worker did not decide: it took too long, ended, or answered something else than a decision."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The game as the player to move knows it, and how to decide: all that a worker is told."""

    setup: str
    """The setup, with all tiles that nobody has seen in an order that says nothing."""
    moves: str
    """The actions so far."""
    level: str
    seed: str
    version: int = 0
    """The version of the computer that decides; 0 for the newest."""

    @classmethod
    def of(cls, position: Position, actions: Sequence[object], level: str, seed: str = "", version: int = 0) -> Thought:
        """Return what a computer may know of a position that these actions led to."""
        return cls(position.veiled().setup.to_json(), " ".join(map(str, actions)), level, seed, version)

    def lines(self) -> str:
        """Return the lines that ask a worker for a decision."""
        version = f" version {self.version}" if self.version else ""
        return f"{self._game_line}go level {self.level}{version} seed {self.seed}\n"

    def explaining_lines(self, count: int) -> str:
        """Return the lines that ask a worker for the ``count`` best moves with the parts of their values."""
        return f"{self._game_line}explain {count} level {self.level}\n"

    @property
    def _game_line(self) -> str:
        """The line that sets up the game."""
        return f"game setup {self.setup} moves {self.moves}\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """An action that a computer has chosen, as text, and the version of the computer."""

    action: str
    version: int
    seconds: float = field(default=0.0, compare=False)
    """The time for which the worker has thought."""


_CANDIDATE: Final = re.compile(r"candidate value (\S+) line (.+) parts (\{.*\})")
"""A line in which a worker tells a move with the parts of its value."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move that a computer recommends: its actions, and its value in points ahead of the rivals, also by source."""

    actions: tuple[Action, ...]
    value: float
    parts: Mapping[str, float]

    @property
    def needs_piece(self) -> bool:
        """True if the tile only fits with an extra piece."""
        return any(isinstance(action, Place) and action.aid is not None for action in self.actions)

    @classmethod
    def parse(cls, line: str) -> Advice:
        """Read the line of a worker.

        Raises:
            ThinkingError: it is no such line.
        """
        match = _CANDIDATE.fullmatch(line)
        if match is None:
            raise ThinkingError(f"no candidate: {line!r}")
        value, moves, parts = match.groups()
        try:
            return cls(tuple(map(parse_action, moves.split())), float(value), json.loads(parts))
        except (EngineError, ValueError) as error:
            raise ThinkingError(f"no candidate: {line!r}") from error


class Thinker(Protocol):
    """Decides for computers, and advises people."""

    async def decide(self, thought: Thought, guild_id: int = 0) -> Answer:
        """Return the decision for a game of a server; 0 for a game in direct messages.

        Raises:
            ThinkingError: there is none.
        """

    async def explain(self, thought: Thought, count: int, guild_id: int = 0) -> Sequence[Advice]:
        """Return the ``count`` best moves in a game of a server, the best first.

        Raises:
            ThinkingError: there is no answer.
        """

    async def close(self) -> None:
        """End all processes."""


@dataclass(eq=False)
class _Worker:
    """A process that thinks, and the versions of the computer that it can play."""

    process: Process
    stdin: StreamWriter
    stdout: StreamReader
    newest: int = 0
    versions: frozenset[int] = frozenset()

    @classmethod
    async def start(cls, niceness: int) -> _Worker:
        """Start a process, and wait until it has introduced itself."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "computer", "play", "--nice", str(niceness)),
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LINE_LIMIT,
        )
        COMPUTER_WORKERS.inc()
        worker = cls(process, cast("StreamWriter", process.stdin), cast("StreamReader", process.stdout))
        try:
            await worker.send("computer\n")
            while (line := await worker.read()) != "computerok":
                if line.startswith("id version "):
                    worker.newest = int(line.removeprefix("id version "))
                elif line.startswith("versions "):
                    worker.versions = frozenset(map(int, line.split()[1:]))
        except BaseException:
            await worker.end()
            raise
        return worker

    async def decide(self, thought: Thought) -> Answer:
        """Return the decision of the worker, by the newest version if it does not have the one that is asked for."""
        version = thought.version if thought.version in self.versions else self.newest
        start = perf_counter()
        await self.send(replace(thought, version=version).lines())
        while True:
            word, _, rest = (await self.read()).partition(" ")
            if word == "bestmove":
                return Answer(rest.split(" ", 1)[0], version, perf_counter() - start)
            if word == "error":
                raise ThinkingError(rest)

    async def explain(self, thought: Thought, count: int) -> Sequence[Advice]:
        """Return the best moves that the worker names."""
        await self.send(thought.explaining_lines(count))
        advice: list[Advice] = []
        while (line := await self.read()) != "explained":
            if line.startswith("error "):
                raise ThinkingError(line.removeprefix("error "))
            advice.append(Advice.parse(line))
        return advice

    async def send(self, text: str) -> None:
        """Send lines to the worker."""
        self.stdin.write(text.encode())
        with suppress(ConnectionError):  # reading finds that it has ended
            await self.stdin.drain()

    async def read(self) -> str:
        """Return the next line of the worker."""
        try:
            line = await self.stdout.readline()
        except ValueError as error:
            raise ThinkingError("the answer is too long") from error
        if not line:
            raise ThinkingError(f"the worker has ended with {await self.process.wait()}")
        return line.decode().rstrip("\n")

    async def end(self) -> None:
        """End the process at once."""
        COMPUTER_WORKERS.dec()
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class TurnQueue:
    """A queue for a number of places, in which servers take turns.

    So a server whose many games ask for long decisions delays a decision for another server by one of its own.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[int, deque[asyncio.Future[None]]] = {}
        """The requests that wait, by server; the server whose turn is next comes first."""

    @asynccontextmanager
    async def place(self, guild_id: int) -> AsyncIterator[None]:
        """Hold a place during the block, once it is the turn of this server."""
        if self._free:
            self._free -= 1
        else:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(guild_id, deque()).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if not turn.cancelled():  # the place was given to it at the same moment
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Give a place to the server whose turn is next; free it if nobody waits."""
        while self._waiting:
            guild_id, turns = next(iter(self._waiting.items()))
            del self._waiting[guild_id]
            turn = turns.popleft()
            if turns:
                self._waiting[guild_id] = turns  # at the end of the line
            if not turn.done():  # requests that were cancelled meanwhile are done
                turn.set_result(None)
                return
        self._free += 1


class WorkerPool:
    """Starts workers when they are needed, hands each one decision at a time, and ends them after a rest."""

    def __init__(self, limits: WorkerLimits | None = None) -> None:
        self._limits = limits or WorkerLimits()
        self._queue = TurnQueue(self._limits.workers)
        self._resting: list[_Worker] = []
        self._rest: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def resting(self) -> int:
        """The number of workers that wait for a decision."""
        return len(self._resting)

    async def decide(self, thought: Thought, guild_id: int = 0) -> Answer:
        """Let a worker decide, once one is free and it is the turn of this server.

        Raises:
            ThinkingError: there is no decision.
        """
        return await self._ask(guild_id, thought.level, lambda worker: worker.decide(thought))

    async def explain(self, thought: Thought, count: int, guild_id: int = 0) -> Sequence[Advice]:
        """Let a worker name the ``count`` best moves, once one is free and it is the turn of this server.

        Raises:
            ThinkingError: there is no answer.
        """
        return await self._ask(guild_id, ADVICE, lambda worker: worker.explain(thought, count))

    async def _ask(self, guild_id: int, kind: str, ask: Callable[[_Worker], Awaitable[T]]) -> T:
        """Ask a worker once it is the turn of this server; ``kind`` names the question in the metrics.

        Raises:
            ThinkingError: there is no answer.
        """
        if not self._limits.workers:
            raise ThinkingError("this bot offers no computers (CASTELLAN_COMPUTER_PROCESSES)")
        asked = perf_counter()
        async with self._queue.place(guild_id):
            COMPUTER_WAITING.observe(perf_counter() - asked)
            with timed(COMPUTER_THINKING.labels(kind)):
                return await self._ask_worker(ask)

    async def _ask_worker(self, ask: Callable[[_Worker], Awaitable[T]]) -> T:
        """Ask a worker, one that rests or a new one; it rests afterwards, or is ended if it has failed."""
        if self._rest is not None:
            self._rest.cancel()
        worker = None
        try:
            async with asyncio.timeout(self._limits.seconds):
                worker = self._resting.pop() if self._resting else await _Worker.start(self._limits.niceness)
                answer = await ask(worker)
        except BaseException as error:
            if worker is not None:
                await worker.end()
            if isinstance(error, TimeoutError):
                raise ThinkingError(f"no decision within {self._limits.seconds:g} seconds") from error
            if isinstance(error, OSError | ValueError):
                raise ThinkingError(str(error)) from error
            raise
        else:
            self._resting.append(worker)
            return answer
        finally:
            self._rest = asyncio.get_running_loop().call_later(self._limits.rest, self._end_resting)

    def _end_resting(self) -> None:
        """Begin to end the workers that have nothing to do."""
        while self._resting:
            task = asyncio.create_task(self._resting.pop().end(), name="end of a worker")
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all workers that are not thinking; a decision under way is cancelled by its own task."""
        if self._rest is not None:
            self._rest.cancel()
        self._end_resting()
        await asyncio.gather(*self._ending)
