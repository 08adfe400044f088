"""A bot in a process of its own, started and killed against the same server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from engine.caching import thread_safe_cache
from tests.loopback.server import PATIENCE, LoopbackDiscord

NURSERY = Path(__file__).with_name("nursery.py")
AHEAD = "from renderers import DAY; from renderers.carcassonne import warm_up; list(warm_up(DAY))"
"""Slow work of a start, done once in the parent of all forked bots."""
LOOK_SECONDS = 0.01
"""Seconds between two checks whether a process has ended."""


class BotExitedError(RuntimeError):
    """The bot ended before it listened; the message is what it wrote."""


class BotProcess:
    """`python SCRIPT` with the environment that points it at a loopback server.

    Everything it writes goes to `log`, over all its lives.
    """

    def __init__(
        self,
        server: LoopbackDiscord,
        script: Path,
        *,
        database: Path | str,
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._server = server
        self._script = script
        self._log = log
        self._number = 0
        self._exited: asyncio.Task[int] | None = None
        self._environment = {
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "CASTELLAN_API_BASE": server.base_url,
            "CASTELLAN_GATEWAY": server.gateway_url,
            "CASTELLAN_DATABASE": str(database),
            "CASTELLAN_CREATE": "1",
            "CASTELLAN_GUILD_ID": "",  # hides what somebody's own .env says
            "CASTELLAN_PUBLISH_SECONDS": "0",
            "CASTELLAN_PRESSES_PER_SECOND": "0",  # members of tests are quick
            "CASTLE_TILES": "",
            "DISCORD_TOKEN": server.token,
            **(environment or {}),
        }

    @property
    def output(self) -> str:
        """The output of the bot so far."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._exited is not None
        return self._number

    @property
    def alive(self) -> bool:
        """True while the bot runs."""
        return self._exited is not None and not self._exited.done()

    async def start(self, *, timeout: float = PATIENCE) -> None:  # noqa: ASYNC109  # ends a test
        """Start the bot and wait until it listens. Raises `BotExitedError`, `TimeoutError`."""
        before = self._server.gateway.identifies
        self._number, self._exited = await self._begin()
        listening = asyncio.create_task(self._server.wait_for_bot(after=before, timeout=timeout))
        await asyncio.wait({listening, self._exited}, return_when=asyncio.FIRST_COMPLETED)
        if not listening.done():
            listening.cancel()
            raise BotExitedError(self.output)
        listening.result()

    async def _begin(self) -> tuple[int, asyncio.Task[int]]:
        """A new process: its id, and what will be its exit code."""
        process = await self._spawn(str(self._script))
        return process.pid, asyncio.create_task(process.wait())

    async def _spawn(self, *arguments: str, **pipes: Any) -> asyncio.subprocess.Process:
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                *arguments,
                cwd=self._script.parent,
                env=self._environment,
                stderr=log,
                **{"stdout": log, **pipes},
            )

    def _send(self, number: signal.Signals) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self._number, number)

    def strike(self) -> None:
        """Send SIGKILL at this very moment; follow with `kill` to wait for the end."""
        self._send(signal.SIGKILL)

    async def kill(self) -> None:
        """End the bot by SIGKILL."""
        self.strike()
        if self._exited is not None:
            await self._exited

    async def stop(self) -> int:
        """Ask the bot to end by SIGTERM and return its exit code."""
        assert self._exited is not None
        self._send(signal.SIGTERM)
        return await self._exited

    async def close(self) -> None:
        """End the bot, which is not started again."""
        await self.kill()


class ForkedBot(BotProcess):
    """A bot that is started often: each of its lives is forked from a process that has its imports done.

    `prepare` is Python that is carried out at the beginning of each life.
    """

    def __init__(self, *arguments: Any, prepare: str = "", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._prepare = prepare
        self._lives = count()

    async def _begin(self) -> tuple[int, asyncio.Task[int]]:
        ended = self._log.with_suffix(f".{next(self._lives)}.ended")
        number = await asyncio.to_thread(
            nursery(self._script).begin,
            {"environment": self._environment, "prepare": self._prepare, "log": str(self._log), "ended": str(ended)},
        )
        return number, asyncio.create_task(_exit_code(ended))


async def _exit_code(ended: Path) -> int:
    while (code := _written(ended)) is None:  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(LOOK_SECONDS)
    return code


def _written(ended: Path) -> int | None:
    return int(ended.read_text(encoding="utf-8")) if ended.exists() else None


class Nursery:
    """A process that forks bots, for as long as this process lives."""

    def __init__(self, script: Path) -> None:
        process = subprocess.Popen(  # noqa: S603 - a program of ours
            [sys.executable, str(NURSERY), str(script), AHEAD],
            cwd=script.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._orders, self._answers = process.stdin, process.stdout
        self._one_at_a_time = threading.Lock()
        process.wait()  # it goes on without a parent

    def begin(self, order: Mapping[str, Any]) -> int:
        """Start a bot; the id of its process. Raises `BotExitedError`."""
        with self._one_at_a_time:
            self._orders.write(f"{json.dumps(order)}\n")
            self._orders.flush()
            answer = self._answers.readline()
        if not answer:
            raise BotExitedError("what starts bots has ended")
        return int(answer)


@thread_safe_cache
def nursery(script: Path) -> Nursery:
    """The one of a script."""
    return Nursery(script)
