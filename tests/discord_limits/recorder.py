"""Everything that the bot sends under simcord, kept for the validators."""

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
    """Listens at the two places where discord.py hands a request over to simcord.

    These are above simcord's own checks: what it refuses, or a test makes fail, is recorded as well. One
    recorder hears all bots of a test, those of before a restart included.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def problems(self) -> list[str]:
        """Return the objections of Discord to everything recorded so far, each sentence once."""
        return list(dict.fromkeys(it for request in self.requests for it in request_problems(request)))

    def sent(self, method: str, path_end: str) -> list[Request]:
        """The recorded requests of a method whose path ends in a certain way."""
        return [it for it in self.requests if it.method == method and it.path.endswith(path_end)]

    @contextmanager
    def listening(self) -> Iterator[Recorder]:
        """Record until the end of the `with` block."""
        with self._hook(FakeHTTPClient, "form", "json"), self._hook(FakeWebhookAdapter, "multipart", "payload"):
            yield self

    def _hook(self, transport: type, form: str, body: str) -> mock._patch[Any]:
        """Wrap a transport's `request`; `form` and `body` are its names for multipart and plain payloads."""
        original = transport.request  # type: ignore[attr-defined]

        async def request(this: Any, route: Route, *args: Any, **kwargs: Any) -> Any:
            payload = _form_payload(kwargs.get(form) or ()) or kwargs.get(body)
            self.requests.append(_request(route, payload, kwargs.get("files") or ()))
            return await original(this, route, *args, **kwargs)

        return mock.patch.object(transport, "request", request)


def _request(route: Route, payload: Any, files: Sequence[discord.File]) -> Request:
    path = route.url.partition("?")[0].partition(API_PREFIX)[2]
    uploads = tuple(Upload(file.filename, _size(file)) for file in files)
    return Request(route.method, path, json.loads(json.dumps(payload)), uploads)


def _form_payload(parts: Sequence[dict[str, Any]]) -> Any:
    for part in parts:
        if part["name"] == "payload_json":
            return json.loads(part["value"])
    return None


def _size(file: discord.File) -> int:
    """Bytes of a file that is still to be read; it stands afterwards where it stood."""
    here = file.fp.tell()
    end = file.fp.seek(0, 2)
    file.fp.seek(here)
    return end - here
