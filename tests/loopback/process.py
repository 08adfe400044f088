"""A bot in a process of its own, started and killed against the same server."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.loopback.server import LoopbackDiscord


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
        database: Path,
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._server = server
        self._script = script
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._environment = {
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "CASTELLAN_API_BASE": server.base_url,
            "CASTELLAN_GATEWAY": server.gateway_url,
            "CASTELLAN_DATABASE": str(database),
            "CASTELLAN_CREATE": "1",
            "CASTELLAN_GUILD_ID": "",  # hides what somebody's own .env says
            "CASTLE_TILES": "",
            "DISCORD_TOKEN": server.token,
            **(environment or {}),
        }

    @property
    def output(self) -> str:
        """What the bot has written so far."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._process is not None
        return self._process.pid

    async def start(self, *, timeout: float = 15.0) -> None:  # noqa: ASYNC109  # ends a test
        """Start the bot and wait until it listens. Raises `BotExitedError`, `TimeoutError`."""
        before = self._server.gateway.identifies
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(self._script),
                cwd=self._script.parent,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        listening = asyncio.create_task(self._server.wait_for_bot(after=before, timeout=timeout))
        exited = asyncio.create_task(self._process.wait())
        await asyncio.wait({listening, exited}, return_when=asyncio.FIRST_COMPLETED)
        exited.cancel()
        if not listening.done():
            listening.cancel()
            raise BotExitedError(self.output)
        listening.result()

    def strike(self) -> None:
        """Send SIGKILL at this very moment; follow with `kill` to wait for the end."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def kill(self) -> None:
        """End the bot by SIGKILL."""
        self.strike()
        if self._process is not None:
            await self._process.wait()

    async def stop(self) -> int:
        """Ask the bot to end by SIGTERM and return its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self._process.wait()
