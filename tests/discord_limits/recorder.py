"""A recorder of all requests that a bot sends to simcord, an in-process Discord, for the validators."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

import discord
from discord.http import Route
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

from tests.discord_limits.limits import Upload
from tests.discord_limits.routes import Request, request_problems

API_PREFIX: Final = "/api/v10"


class Recorder:
    """Records requests at the two methods by which discord.py passes a request to simcord.

    These are called before simcord's own checks, so requests that simcord refuses, or that a test makes fail, are
    recorded as well. One recorder covers all bots of a test, including those before a restart.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def problems(self) -> list[str]:
        """Return the violations of Discord's limits and schemas by all recorded requests, each sentence once."""
        return list(dict.fromkeys(problem for request in self.requests for problem in request_problems(request)))

    def requests_to(self, method: str, path_end: str) -> list[Request]:
        """Return the recorded requests with this method whose path has this ending."""
        return [request for request in self.requests if request.method == method and request.path.endswith(path_end)]

    @contextmanager
    def recording(self) -> Iterator[Recorder]:
        """Record until the end of the `with` block."""
        with self._patched(FakeHTTPClient, "form", "json"), self._patched(FakeWebhookAdapter, "multipart", "payload"):
            yield self

    def _patched(self, transport: type, form: str, body: str) -> mock._patch[Any]:
        """Wrap a transport's `request` method.

        `form` and `body` are the names of its parameters for multipart and JSON payloads.
        """
        original = transport.request  # type: ignore[attr-defined]

        async def request(transport_self: Any, route: Route, *args: Any, **kwargs: Any) -> Any:
            payload = _form_payload(kwargs.get(form) or ()) or kwargs.get(body)
            self.requests.append(_request(route, payload, kwargs.get("files") or ()))
            return await original(transport_self, route, *args, **kwargs)

        return mock.patch.object(transport, "request", request)


def _request(route: Route, payload: Any, files: Sequence[discord.File]) -> Request:
    path = route.url.partition("?")[0].partition(API_PREFIX)[2]
    uploads = tuple(Upload(file.filename, _file_size(file)) for file in files)
    return Request(route.method, path, json.loads(json.dumps(payload)), uploads)


def _form_payload(parts: Sequence[dict[str, Any]]) -> Any:
    for part in parts:
        if part["name"] == "payload_json":
            return json.loads(part["value"])
    return None


def _file_size(file: discord.File) -> int:
    """Return the number of unread bytes of a file, without moving its read position."""
    position = file.fp.tell()
    end = file.fp.seek(0, 2)
    file.fp.seek(position)
    return end - position
