"""The REST API on a socket: authorization, recording, rate limits and faults around simcord's routes.

Some routes are implemented here, because simcord lacks their details: nonces, archived threads, uploads. A nonce is a
client's id for a message: Discord answers a repeated one with the first message instead of posting again.
"""

import asyncio
import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web
from simcord.backend import serializers
from simcord.backend.errors import BackendError, invalid_form_body, missing_access, unknown_message
from simcord.http.router import dispatch

from tests.loopback.faults import Fault, FaultKind, Faults
from tests.loopback.limits import Limits, Verdict
from tests.loopback.requests import RecordedRequest, read_request
from tests.loopback.world import World, thread_archived

API_PREFIX = "/api/v10"
"""Path of the REST API and its version."""
ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024
"""Size limit of a file in bytes, for a server without boosts."""
MAX_FILES = 10
"""Number of files that Discord accepts with one message."""
MAX_NONCE_LENGTH = 25
"""Number of characters of a nonce that Discord accepts."""
SENT_AT_HEADER = "X-Sent"
"""A header that only tests use: the time at which a request was sent, by the monotonic clock of the machine."""
TOKEN_ROUTES = ("/interactions/", "/webhooks/")
"""Prefixes of paths that contain their own token and need no authorization header."""

Watcher = Callable[[str, RecordedRequest], None]
"""A callback: called with `"received"` before a request is served, and with `"done"` before its answer is sent."""


class RestApi:
    """The routes below `/api/v10`."""

    def __init__(self, world: World, *, token: str, gateway_url: str, nonce_window: float) -> None:
        self.faults = Faults()
        self.requests: list[RecordedRequest] = []
        self.problems: list[str] = []
        self.watchers: list[Watcher] = []
        self.limits: Limits | None = None
        """The rate limits; None enforces none."""
        self._world = world
        self._authorization = f"Bot {token}"
        self._gateway_url = gateway_url
        self._nonces = _Nonces(world, nonce_window)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one request, with its fault if it has one."""
        path = request.rel_url.raw_path.removeprefix(API_PREFIX)
        recorded = await read_request(request, path)
        self.requests.append(recorded)
        self._notify("received", recorded)
        sent_at = request.headers.get(SENT_AT_HEADER)
        at = None if sent_at is None else float(sent_at)
        verdict = self.limits.judge(recorded.method, path, at) if self.limits else Verdict(0.0)
        if verdict.retry_after:
            recorded.status = 429
            return _rate_limited(verdict.retry_after, is_global=verdict.is_global)
        fault = self.faults.next_fault(recorded.method, path)
        recorded.fault = fault.kind if fault else None
        early = await self._fault_before(request, fault)
        if early is not None:
            return early
        recorded.status, recorded.reply = self._serve(recorded)
        self._notify("done", recorded)
        late = await self._fault_after(request, fault)
        answer = late or _answer(recorded.status, recorded.reply)
        answer.headers.update(verdict.headers)
        return answer

    def _notify(self, stage: str, recorded: RecordedRequest) -> None:
        """Tell the watchers that a request has reached a stage."""
        for watcher in self.watchers:
            watcher(stage, recorded)

    async def _fault_before(self, request: web.Request, fault: Fault | None) -> web.Response | None:
        """Apply a fault that hits before the request is served."""
        match fault:
            case Fault(FaultKind.RATE_LIMIT):
                return _rate_limited(self.faults.retry_after)
            case Fault(FaultKind.SERVER_ERROR | FaultKind.BAD_GATEWAY as kind):
                return _answer(int(kind), {"message": kind.value, "code": 0})
            case Fault(FaultKind.DROPPED):
                return _cut(request)
            case Fault(FaultKind.SLOW, delay):
                await asyncio.sleep(delay)
        return None

    async def _fault_after(self, request: web.Request, fault: Fault | None) -> web.Response | None:
        """Apply a fault that hits after the request is served."""
        match fault:
            case Fault(FaultKind.LOST):
                return _cut(request)
            case Fault(FaultKind.LOST_500):
                return _answer(500, {"message": "500: Internal Server Error", "code": 0})
            case Fault(FaultKind.SLOW_REPLY, delay):
                await asyncio.sleep(delay)
        return None

    def _serve(self, recorded: RecordedRequest) -> tuple[int, Any]:
        """Return status and body; a request that this server does not support is recorded as a problem."""
        if not recorded.path.startswith(TOKEN_ROUTES) and recorded.authorization != self._authorization:
            return 401, {"message": "401: Unauthorized", "code": 0}
        try:
            _check_upload(recorded)
            reply = self._perform(recorded)
        except BackendError as error:
            if error.status == 501:
                self.problems.append(f"{recorded.line}: {error}")
            return error.status, error.to_json()
        except (LookupError, TypeError, ValueError, NotImplementedError) as error:
            self.problems.append(f"{recorded.line}: {error!r}")
            return 501, {"message": repr(error), "code": 0}
        return (204, None) if reply is None else (200, reply)

    def _perform(self, recorded: RecordedRequest) -> Any:
        """Serve a request, with our own version of some routes."""
        match [recorded.method, *recorded.path.strip("/").split("/")]:
            case ["POST", "channels", channel_id, "messages"]:
                return self._nonces.post_once(recorded, int(channel_id), lambda: self._dispatch(recorded))
            case ["PATCH", "channels", channel_id, "messages", _]:
                thread = self._world.get_channel(int(channel_id)).thread_metadata
                if thread is not None and thread.archived:
                    raise thread_archived()
            case ["PATCH", "channels", channel_id]:
                channel = self._world.get_channel(int(channel_id))
                if channel.is_thread:
                    return self._world.edit_thread(channel, recorded.payload)
            case [_, "applications", _, "guilds", guild_id, "commands"] if int(guild_id) not in self._world.guilds:
                raise missing_access()
            case ["GET", "gateway", "bot"]:
                limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
                return {"url": self._gateway_url, "shards": 1, "session_start_limit": limit}
        return self._dispatch(recorded)

    def _dispatch(self, recorded: RecordedRequest) -> Any:
        """Serve a request by simcord's route."""
        return dispatch(
            self._world,
            recorded.method,
            recorded.path,
            json=copy.deepcopy(recorded.payload),
            params=dict(recorded.query),
            files=list(recorded.files),
            reason=recorded.reason,
            message_content_access=False,
        )


class _Nonces:
    """The effect of `enforce_nonce`: posting again with the same nonce returns the first message."""

    def __init__(self, world: World, window: float) -> None:
        self._world = world
        self._window = window
        self._posted: dict[tuple[int, str], tuple[int, float]] = {}

    def post_once(
        self, recorded: RecordedRequest, channel_id: int, post: Callable[[], Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Post a message unless it was posted before; files need the bot's permission to attach them."""
        payload = recorded.payload or {}
        nonce = payload.get("nonce")
        if nonce is None:
            return self._post(recorded, channel_id, None, post)
        if len(str(nonce)) > MAX_NONCE_LENGTH:
            raise invalid_form_body(f"nonce: must be {MAX_NONCE_LENGTH} or fewer in length")
        if payload.get("enforce_nonce"):
            earlier = self._posted_earlier(channel_id, str(nonce))
            if earlier is not None:
                return {**earlier, "nonce": nonce}
        message = self._post(recorded, channel_id, nonce, post)
        self._posted[channel_id, str(nonce)] = int(message["id"]), self._now()
        return message

    def _post(
        self, recorded: RecordedRequest, channel_id: int, nonce: str | int | None, post: Callable[[], Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Post a message after checking its channel and uploads."""
        channel = self._world.get_channel(channel_id)
        if recorded.files and channel.guild_id is not None:
            bot = self._world.bot_user.id
            self._world.require_permissions(channel.guild_id, bot, channel_id, "attach_files")
        self._world.posting_nonce = nonce
        try:
            return {**post(), "nonce": nonce}
        finally:
            self._world.posting_nonce = None

    def _posted_earlier(self, channel_id: int, nonce: str) -> dict[str, Any] | None:
        """Return the message that was posted with this nonce, if it still counts."""
        message_id, posted_at = self._posted.get((channel_id, nonce), (0, 0.0))
        if self._now() - posted_at > self._window:
            return None
        try:
            message = self._world.get_message(channel_id, message_id)
        except BackendError as error:
            if error.code != unknown_message().code:
                raise
            return None
        return dict(serializers.message_payload(self._world, message))

    def _now(self) -> float:
        """Return the time of this Discord, in seconds."""
        return self._world.clock.now().timestamp()


def _check_upload(recorded: RecordedRequest) -> None:
    """Refuse too many or too large files."""
    if len(recorded.files) > MAX_FILES:
        raise invalid_form_body(f"attachments: must be {MAX_FILES} or fewer in length")
    if any(len(file.data) > ATTACHMENT_SIZE_LIMIT for file in recorded.files):
        raise BackendError(413, 40005, "Request entity too large")


def _answer(status: int | None, body: Any) -> web.Response:
    """Return a response without a charset, as Discord sends it: with one, discord.py would not parse the JSON."""
    if status is None or status == 204:
        return web.Response(status=204)
    return web.Response(status=status, body=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def _rate_limited(retry_after: float, *, is_global: bool = False) -> web.Response:
    """Return a 429 response; without the header `Via` discord.py would take it for a ban by Cloudflare and give up."""
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": is_global}
    response = _answer(429, body)
    response.headers.update({"Via": "1.1 loopback", "Retry-After": str(retry_after)})
    response.headers["X-RateLimit-Scope"] = "global" if is_global else "shared"
    return response


def _cut(request: web.Request) -> web.Response:
    """Cut the connection; aiohttp expects a response, but nothing of it is sent."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
