"""Processes in which computers think, so that neither the event loop nor the drawing of pictures waits for them.

A *worker* is a process that runs ``python -m computer play`` and is spoken to line by line. It is started when the
first decision is needed, steps back behind all other work of the machine, and ends after some minutes without one. It
is told nothing but what the player whose turn it is may know (:class:`Thought`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, cast

from engine import Position
from host.settings import WorkerLimits

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).parents[2]
"""The directory from which a worker imports the package of the computer."""
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

    @classmethod
    def of(cls, position: Position, actions: Sequence[object], level: str, seed: str) -> Thought:
        """Return what a computer may know of a position that these actions led to."""
        return cls(position.veiled().setup.to_json(), " ".join(map(str, actions)), level, seed)

    def lines(self) -> str:
        """Return the lines that a worker is sent."""
        return f"game setup {self.setup} moves {self.moves}\ngo level {self.level} seed {self.seed}\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """An action that a computer has chosen, as text, and the version of the computer."""

    action: str
    version: int


class Thinker(Protocol):
    """Decides for computers."""

    async def decide(self, thought: Thought) -> Answer:
        """Return the decision.

        Raises:
            ThinkingError: there is none.
        """

    async def close(self) -> None:
        """End all processes."""


@dataclass(eq=False)
class _Worker:
    """A process that thinks, and the version of the computer that it runs."""

    process: Process
    stdin: StreamWriter
    stdout: StreamReader
    version: int = 0

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
        worker = cls(process, cast("StreamWriter", process.stdin), cast("StreamReader", process.stdout))
        try:
            await worker.send("computer\n")
            while (line := await worker.read()) != "computerok":
                if line.startswith("id version "):
                    worker.version = int(line.removeprefix("id version "))
        except BaseException:
            await worker.end()
            raise
        return worker

    async def decide(self, thought: Thought) -> Answer:
        """Return the decision of the worker."""
        await self.send(thought.lines())
        while True:
            word, _, rest = (await self.read()).partition(" ")
            if word == "bestmove":
                return Answer(rest.split(" ", 1)[0], self.version)
            if word == "error":
                raise ThinkingError(rest)

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
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class WorkerPool:
    """Starts workers when they are needed, hands each one decision at a time, and ends them after a rest."""

    def __init__(self, limits: WorkerLimits | None = None) -> None:
        self._limits = limits or WorkerLimits()
        self._free = asyncio.Semaphore(self._limits.workers)
        self._resting: list[_Worker] = []
        self._rest: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def resting(self) -> int:
        """The number of workers that wait for a decision."""
        return len(self._resting)

    async def decide(self, thought: Thought) -> Answer:
        """Let a worker decide, once one is free.

        A worker that does not answer in time is ended.

        Raises:
            ThinkingError: there is no decision.
        """
        async with self._free:
            if self._rest is not None:
                self._rest.cancel()
            worker = None
            try:
                async with asyncio.timeout(self._limits.seconds):
                    worker = self._resting.pop() if self._resting else await _Worker.start(self._limits.niceness)
                    answer = await worker.decide(thought)
            except BaseException as error:
                if worker is not None:
                    await worker.end()
                if isinstance(error, TimeoutError):
                    raise ThinkingError(f"no decision within {self._limits.seconds:g} seconds") from error
                if isinstance(error, OSError | ValueError):
                    raise ThinkingError(str(error)) from error
                raise
            self._resting.append(worker)
            self._rest = asyncio.get_running_loop().call_later(self._limits.rest, self._end_resting)
            return answer

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
