"""Bots in processes of their own, which tests start, stop and kill while the loopback Discord runs on.

`BotProcess` starts a fresh interpreter; `ForkedBot` forks one that has already imported everything, which saves most
of a start.
"""

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
from tests.loopback.server import DEFAULT_TIMEOUT, LoopbackDiscord

FORK_SERVER_SCRIPT = Path(__file__).with_name("fork_server.py")
PRELOAD = "from renderers import DAY; from renderers.carcassonne import warm_up; list(warm_up(DAY))"
"""Code for the slow part of a start, run once in the fork server."""
POLL_SECONDS = 0.01
"""Interval of the checks whether a process has ended."""


class BotExitedError(RuntimeError):
    """The bot ended before it was ready; the message is its output."""


class BotProcess:
    """A process `python SCRIPT` with an environment that points the bot at a loopback server.

    The output of all its starts is appended to `log`.
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
        self._pid = 0
        self._exited: asyncio.Task[int] | None = None
        self._environment = {
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "CASTELLAN_API_BASE": server.base_url,
            "CASTELLAN_GATEWAY": server.gateway_url,
            "CASTELLAN_DATABASE": str(database),
            "CASTELLAN_CREATE": "1",
            "CASTELLAN_GUILD_ID": "",  # overrides a developer's .env
            "CASTELLAN_PUBLISH_SECONDS": "0",
            "CASTELLAN_PRESSES_PER_SECOND": "0",  # no limit: test members press quickly
            "CASTLE_TILES": "",
            "DISCORD_TOKEN": server.token,
            **(environment or {}),
        }

    @property
    def output(self) -> str:
        """The output of the bot so far, over all its starts."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._exited is not None
        return self._pid

    @property
    def alive(self) -> bool:
        """True while the bot runs."""
        return self._exited is not None and not self._exited.done()

    async def start(self, *, timeout: float = DEFAULT_TIMEOUT) -> None:  # noqa: ASYNC109  # ends a test
        """Start the bot and wait until it has identified at the gateway. Raises `BotExitedError`, `TimeoutError`."""
        before = self._server.gateway.identifies
        self._pid, self._exited = await self._launch()
        listening = asyncio.create_task(self._server.wait_for_bot(after=before, timeout=timeout))
        await asyncio.wait({listening, self._exited}, return_when=asyncio.FIRST_COMPLETED)
        if not listening.done():
            listening.cancel()
            raise BotExitedError(self.output)
        listening.result()

    async def _launch(self) -> tuple[int, asyncio.Task[int]]:
        """Start a process; return its id and a task that returns its exit code."""
        process = await self._spawn(str(self._script))
        return process.pid, asyncio.create_task(process.wait())

    async def _spawn(self, *arguments: str, **pipes: Any) -> asyncio.subprocess.Process:
        """Start a Python process whose output goes to the log."""
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                *arguments,
                cwd=self._script.parent,
                env=self._environment,
                stderr=log,
                **{"stdout": log, **pipes},
            )

    def _send_signal(self, number: signal.Signals) -> None:
        """Send a signal, if the process runs."""
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self._pid, number)

    def send_sigkill(self) -> None:
        """Send SIGKILL without waiting for the end; call `kill` afterwards to wait."""
        self._send_signal(signal.SIGKILL)

    async def kill(self) -> None:
        """End the bot by SIGKILL, and wait until it has ended."""
        self.send_sigkill()
        if self._exited is not None:
            await self._exited

    async def stop(self) -> int:
        """End the bot by SIGTERM, and return its exit code."""
        assert self._exited is not None
        self._send_signal(signal.SIGTERM)
        return await self._exited

    async def close(self) -> None:
        """End the bot for the last time."""
        await self.kill()


class ForkedBot(BotProcess):
    """A bot that is started often: each start is a fork of a process that has done the imports.

    `prepare` is Python code that runs first in each new process.
    """

    def __init__(self, *arguments: Any, prepare: str = "", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._prepare = prepare
        self._starts = count()

    async def _launch(self) -> tuple[int, asyncio.Task[int]]:
        """Start the bot; return its process id and a task that ends with its exit code."""
        ended = self._log.with_suffix(f".{next(self._starts)}.ended")
        pid = await asyncio.to_thread(
            fork_server(self._script).start_bot,
            {"environment": self._environment, "prepare": self._prepare, "log": str(self._log), "ended": str(ended)},
        )
        return pid, asyncio.create_task(_wait_for_exit_code(ended))


async def _wait_for_exit_code(ended: Path) -> int:
    """Wait until the fork server has written the exit code."""
    while (code := _read_exit_code(ended)) is None:  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(POLL_SECONDS)
    return code


def _read_exit_code(ended: Path) -> int | None:
    """Return the exit code, or None while the process runs."""
    return int(ended.read_text(encoding="utf-8")) if ended.exists() else None


class ForkServer:
    """A fork server (see ``fork_server.py``), which lives as long as this process."""

    def __init__(self, script: Path) -> None:
        process = subprocess.Popen(  # noqa: S603 - a program of ours
            [sys.executable, str(FORK_SERVER_SCRIPT), str(script), PRELOAD],
            cwd=script.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._requests, self._answers = process.stdin, process.stdout
        self._lock = threading.Lock()
        process.wait()  # the server has detached itself; only its first process ends here

    def start_bot(self, request: Mapping[str, Any]) -> int:
        """Start a bot and return its process id. Raises `BotExitedError`."""
        with self._lock:
            self._requests.write(f"{json.dumps(request)}\n")
            self._requests.flush()
            answer = self._answers.readline()
        if not answer:
            raise BotExitedError("the fork server has ended")
        return int(answer)


@thread_safe_cache
def fork_server(script: Path) -> ForkServer:
    """Return the fork server of a script; it is started at the first call."""
    return ForkServer(script)
