"""The checks that a request has to pass, by its method and path."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from tests.discord_limits.limits import (
    Upload,
    Where,
    autocomplete_problems,
    commands_problems,
    message_problems,
    modal_problems,
    thread_problems,
)
from tests.discord_limits.openapi import schema_problems


class Callback(IntEnum):
    """Types of answers to an interaction."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    AUTOCOMPLETE = 8
    MODAL = 9


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it goes over the wire; `path` begins after `/api/v10`."""

    method: str
    path: str
    payload: Any
    files: tuple[Upload, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


Check = Callable[[Any, Sequence[Upload]], list[str]]


def request_problems(request: Request) -> list[str]:
    """Everything that Discord would object to; a payload on an unknown route is a problem, too."""
    for method, pattern, schema, check in _ROUTES:
        if method == request.method and re.fullmatch(pattern, request.path):
            by_schema = schema_problems(schema, request.payload)
            return [f"{request}: {it}" for it in [*check(request.payload, request.files), *by_schema]]
    if request.payload is None:
        return []
    return [f"{request}: no checks are known for this route"]


def _channel_message(payload: Any, files: Sequence[Upload]) -> list[str]:
    return message_problems(payload, files, where=Where.CHANNEL)


def _edit(payload: Any, files: Sequence[Upload]) -> list[str]:
    return message_problems(payload, files, where=Where.EDIT)


def _response(payload: Any, files: Sequence[Upload]) -> list[str]:
    return message_problems(payload, files, where=Where.RESPONSE)


def _callback(payload: Any, files: Sequence[Upload]) -> list[str]:
    data = payload.get("data") or {}
    match payload.get("type"):
        case Callback.MESSAGE:
            return message_problems(data, files, where=Where.RESPONSE)
        case Callback.UPDATE:
            return message_problems(data, files, where=Where.EDIT)
        case Callback.DEFERRED_MESSAGE | Callback.DEFERRED_UPDATE:
            return message_problems(data, files, where=Where.DEFER)
        case Callback.AUTOCOMPLETE:
            return autocomplete_problems(data)
        case Callback.MODAL:
            return modal_problems(data)
        case other:
            return [f"type: {other!r} is no answer that the bot should give"]


def _commands(payload: Any, _files: Sequence[Upload]) -> list[str]:
    return commands_problems(payload)


def _thread(payload: Any, _files: Sequence[Upload]) -> list[str]:
    return thread_problems(payload)


def _schema_only(_payload: Any, _files: Sequence[Upload]) -> list[str]:
    return []


# Method, path, schema in `openapi.ROOTS`, limits.
_ROUTES: Final[Sequence[tuple[str, str, str, Check]]] = (
    ("PUT", r"/applications/\d+/(guilds/\d+/)?commands", "commands", _commands),
    ("POST", r"/interactions/\d+/[^/]+/callback", "callback", _callback),
    ("POST", r"/webhooks/\d+/[^/]+", "followup", _response),
    ("PATCH", r"/webhooks/\d+/[^/]+/messages/(@original|\d+)", "followup edit", _edit),
    ("POST", r"/channels/\d+/messages", "message", _channel_message),
    ("PATCH", r"/channels/\d+/messages/\d+", "message edit", _edit),
    ("POST", r"/channels/\d+/threads", "thread", _thread),
    ("POST", r"/channels/\d+/messages/\d+/threads", "thread on message", _thread),
    ("PATCH", r"/channels/\d+", "channel edit", _schema_only),
    ("POST", r"/users/@me/channels", "direct channel", _schema_only),
)
