"""The HTTP server for monitoring: `/live`, `/ready` and `/metrics`.

`/live` answers as long as the process runs, `/ready` fails while a part of the bot, such as its database, reports a
problem, and `/metrics` is read by Prometheus.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from host.admin import checks as health_of
from host.admin.checks import Health
from host.observability import ERRORS, LOOP_LAG
from operations.logs import CountingHandler
from operations.metrics_server import MetricsServer
from operations.settings import Settings, SettingsError
from tests.loopback import LoopbackDiscord
from tests.operations.test_start import bot_process


@pytest.fixture
def health() -> Health:
    """The health that the server reports."""
    return Health()


@pytest.fixture
def metrics_server(health: Health) -> Iterator[MetricsServer]:
    """A running server."""
    metrics_server = MetricsServer(Settings(), health)
    yield metrics_server
    metrics_server.close()


def fetch(port: int, path: str) -> tuple[int, str]:
    """Request a path; return status and body."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_a_stuck_part_makes_the_bot_unready_but_live(metrics_server: MetricsServer, health: Health) -> None:
    assert fetch(metrics_server.port, "/live") == (200, '{"ok": true, "stuck": {}}')
    assert fetch(metrics_server.port, "/ready") == (503, '{"ok": false, "stuck": {"start": "not connected yet"}}')
    health.note({})
    assert fetch(metrics_server.port, "/ready") == (200, '{"ok": true, "stuck": {}}')
    health.note({"database": "OperationalError"})
    assert fetch(metrics_server.port, "/live")[0] == 200
    assert json.loads(fetch(metrics_server.port, "/ready")[1])["stuck"] == {"database": "OperationalError"}


def test_a_stalled_event_loop_is_not_live(metrics_server: MetricsServer, health: Health) -> None:
    health.seen = time.monotonic() - health_of.LOOP_STALLED_AFTER - 1
    assert fetch(metrics_server.port, "/live")[0] == 503
    assert "the event loop stands still" in fetch(metrics_server.port, "/ready")[1]


def test_metrics_are_served_and_other_paths_are_not(metrics_server: MetricsServer) -> None:
    LOOP_LAG.observe(0.02)
    status, text = fetch(metrics_server.port, "/metrics")
    assert status == 200
    assert "castellan_loop_lag_seconds_bucket" in text
    assert fetch(metrics_server.port, "/")[0] == 404


def test_a_port_in_use_is_refused(metrics_server: MetricsServer, health: Health) -> None:
    with pytest.raises(
        SettingsError, match=f"CASTELLAN_METRICS_PORT: 127.0.0.1:{metrics_server.port}: cannot be opened"
    ):
        MetricsServer(Settings(metrics_port=metrics_server.port), health)


def test_errors_are_counted_by_logger() -> None:
    logger = logging.getLogger("a_room.inside")
    handler = CountingHandler(("a_room",), logging.ERROR)
    before = ERRORS.labels("a_room")._value.get()
    logger.addHandler(handler)
    logger.warning("not counted")
    logger.error("counted")
    logger.removeHandler(handler)
    assert ERRORS.labels("a_room")._value.get() == before + 1


def free_port() -> int:
    """Return a TCP port that is not in use."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


async def test_a_running_bot_serves_its_metrics(tmp_path: Path) -> None:
    port = free_port()
    async with LoopbackDiscord() as server:
        process = bot_process(server, tmp_path, CASTELLAN_METRICS_PORT=str(port))
        await process.start()
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(_ready, port):  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)
        status, text = await asyncio.to_thread(fetch, port, "/metrics")
        assert status == 200
        assert 'castellan_games{status="running"} 0.0' in text
        assert 'castellan_discord_requests_total{status="200"}' in text
        assert await process.stop() == 0


def _ready(port: int) -> bool:
    """Return whether the bot is ready; False while its server does not listen yet."""
    try:
        return fetch(port, "/ready")[0] == 200
    except OSError:
        return False
