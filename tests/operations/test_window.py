"""The window: who lives is told from who stands still, and what is stuck by its name."""

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
from tests.operations.test_start import process_on


@pytest.fixture
def health() -> Health:
    return Health()


@pytest.fixture
def window(health: Health) -> Iterator[MetricsServer]:
    window = MetricsServer(Settings(), health)
    yield window
    window.close()


def look(port: int, path: str) -> tuple[int, str]:
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_what_is_stuck_is_named_and_is_no_reason_to_be_restarted(window: MetricsServer, health: Health) -> None:
    assert look(window.port, "/live") == (200, '{"ok": true, "stuck": {}}')
    assert look(window.port, "/ready") == (503, '{"ok": false, "stuck": {"start": "not connected yet"}}')
    health.note({})
    assert look(window.port, "/ready") == (200, '{"ok": true, "stuck": {}}')
    health.note({"database": "OperationalError"})
    assert look(window.port, "/live")[0] == 200
    assert json.loads(look(window.port, "/ready")[1])["stuck"] == {"database": "OperationalError"}


def test_a_loop_that_stands_still_does_not_live(window: MetricsServer, health: Health) -> None:
    health.seen = time.monotonic() - health_of.LOOP_STALLED_AFTER - 1
    assert look(window.port, "/live")[0] == 503
    assert "the event loop stands still" in look(window.port, "/ready")[1]


def test_meters_are_told_and_nothing_else(window: MetricsServer) -> None:
    LOOP_LAG.observe(0.02)
    status, text = look(window.port, "/metrics")
    assert status == 200
    assert "castellan_loop_lag_seconds_bucket" in text
    assert look(window.port, "/")[0] == 404


def test_a_port_that_is_taken_is_told(window: MetricsServer, health: Health) -> None:
    with pytest.raises(SettingsError, match=f"CASTELLAN_METRICS_PORT: 127.0.0.1:{window.port}: cannot be opened"):
        MetricsServer(Settings(metrics_port=window.port), health)


def test_errors_are_counted_by_who_logs_them() -> None:
    logger = logging.getLogger("a_room.inside")
    handler = CountingHandler(("a_room",), logging.ERROR)
    before = ERRORS.labels("a_room")._value.get()
    logger.addHandler(handler)
    logger.warning("not counted")
    logger.error("counted")
    logger.removeHandler(handler)
    assert ERRORS.labels("a_room")._value.get() == before + 1


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


async def test_the_bot_tells_how_it_is(tmp_path: Path) -> None:
    port = free_port()
    async with LoopbackDiscord() as server:
        process = process_on(server, tmp_path, CASTELLAN_METRICS_PORT=str(port))
        await process.start()
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(_ready, port):  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)
        status, text = await asyncio.to_thread(look, port, "/metrics")
        assert status == 200
        assert 'castellan_games{status="running"} 0.0' in text
        assert 'castellan_discord_requests_total{status="200"}' in text
        assert await process.stop() == 0


def _ready(port: int) -> bool:
    try:
        return look(port, "/ready")[0] == 200
    except OSError:
        return False
