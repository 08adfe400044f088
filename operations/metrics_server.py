"""The HTTP server for monitoring, which answers on a port of its own and in threads of its own.

``/metrics`` has the metrics in the format of Prometheus. ``/live`` and ``/ready`` answer 200 or 503, with the problems
as JSON. Hosting services restart a process that is not live; therefore ``/live`` fails only when the event loop hangs,
which a restart mends, and ``/ready`` also fails when, for example, the database does not answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from http import HTTPStatus
from socketserver import ThreadingMixIn
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import make_wsgi_app

from operations.settings import SettingsError

if TYPE_CHECKING:
    from host.admin.checks import Health
    from operations.settings import Settings

_JSON_HEADER: Final = ("Content-Type", "application/json; charset=utf-8")
StartResponse = Callable[[str, list[tuple[str, str]]], object]
"""The function that WSGI, Python's interface of web servers, passes to begin an answer with status and headers."""


class _Server(ThreadingMixIn, WSGIServer):
    """A server with a thread for each request, none of which keeps the process alive."""

    daemon_threads = True


class _Handler(WSGIRequestHandler):
    """A handler of requests that does not log them."""

    timeout = 10  # seconds without data after which a connection is closed

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as its base class has it
        """Log nothing: monitoring asks several times a minute."""


class MetricsServer:
    """The running server, which answers until it is closed.

    Raises:
        SettingsError: the port of the settings cannot be opened.
    """

    def __init__(self, settings: Settings, health: Health) -> None:
        self._health = health
        self._metrics = make_wsgi_app()
        address = (settings.metrics_host, settings.metrics_port)
        try:
            self._server = make_server(*address, self._answer, server_class=_Server, handler_class=_Handler)
        except OSError as error:
            setting = f"CASTELLAN_METRICS_PORT: {address[0]}:{address[1]}"
            raise SettingsError(f"{setting}: cannot be opened: {error.strerror}; choose another one") from error
        self.port: int = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the server and its thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, environ: dict[str, Any], respond: StartResponse) -> Iterable[bytes]:
        """Answer a request, as a WSGI application."""
        match environ.get("PATH_INFO"):
            case "/metrics":
                body: Iterable[bytes] = self._metrics(environ, respond)
                return body
            case "/live":
                return _json(respond, {}, ok=self._health.live())
            case "/ready":
                problems = dict(self._health.problems)
                if not self._health.live():
                    problems["loop"] = "the event loop stands still"
                return _json(respond, problems, ok=not problems)
            case _:
                return _json(respond, {"path": "/metrics, /live or /ready"}, status=HTTPStatus.NOT_FOUND)


def _json(
    respond: StartResponse, problems: dict[str, str], *, ok: bool = False, status: HTTPStatus | None = None
) -> Iterable[bytes]:
    """Answer with JSON: whether all is well, and the problems by name."""
    status = status or (HTTPStatus.OK if ok else HTTPStatus.SERVICE_UNAVAILABLE)
    respond(f"{status.value} {status.phrase}", [_JSON_HEADER])
    return [json.dumps({"ok": ok, "stuck": problems}).encode()]
