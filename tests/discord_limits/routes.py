"""The checks that a request has to pass, selected by its method and path."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from tests.discord_limits.limits import (
    Delivery,
    Upload,
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
    """A request as discord.py sends it; `path` excludes the prefix `/api/v10`."""

    method: str
    path: str
    payload: Any
    files: tuple[Upload, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


Check = Callable[[Any, Sequence[Upload]], list[str]]


def request_problems(request: Request) -> list[str]:
    """Return all violations of a request; a payload to an unknown route is a violation as well."""
    for method, pattern, schema, check in _ROUTES:
        if method == request.method and re.fullmatch(pattern, request.path):
            problems = [*check(request.payload, request.files), *schema_problems(schema, request.payload)]
            return [f"{request}: {problem}" for problem in problems]
    if request.payload is None:
        return []
    return [f"{request}: no checks are known for this route"]


def _message_problems(payload: Any, files: Sequence[Upload]) -> list[str]:
    return message_problems(payload, files, delivery=Delivery.CHANNEL)


def _edit_problems(payload: Any, files: Sequence[Upload]) -> list[str]:
    return message_problems(payload, files, delivery=Delivery.EDIT)


def _response_problems(payload: Any, files: Sequence[Upload]) -> list[str]:
    return message_problems(payload, files, delivery=Delivery.RESPONSE)


def _callback_problems(payload: Any, files: Sequence[Upload]) -> list[str]:
    data = payload.get("data") or {}
    match payload.get("type"):
        case Callback.MESSAGE:
            return message_problems(data, files, delivery=Delivery.RESPONSE)
        case Callback.UPDATE:
            return message_problems(data, files, delivery=Delivery.EDIT)
        case Callback.DEFERRED_MESSAGE | Callback.DEFERRED_UPDATE:
            return message_problems(data, files, delivery=Delivery.DEFER)
        case Callback.AUTOCOMPLETE:
            return autocomplete_problems(data)
        case Callback.MODAL:
            return modal_problems(data)
        case other:
            return [f"type: {other!r} is no callback type that the bot uses"]


def _command_problems(payload: Any, _files: Sequence[Upload]) -> list[str]:
    return commands_problems(payload)


def _thread_problems(payload: Any, _files: Sequence[Upload]) -> list[str]:
    return thread_problems(payload)


def _no_limits(_payload: Any, _files: Sequence[Upload]) -> list[str]:
    return []


# Method, pattern of the path, key of its schema in `openapi.REQUEST_PATHS`, check of the documented limits.
_ROUTES: Final[Sequence[tuple[str, str, str, Check]]] = (
    ("PUT", r"/applications/\d+/(guilds/\d+/)?commands", "commands", _command_problems),
    ("POST", r"/interactions/\d+/[^/]+/callback", "callback", _callback_problems),
    ("POST", r"/webhooks/\d+/[^/]+", "followup", _response_problems),
    ("PATCH", r"/webhooks/\d+/[^/]+/messages/(@original|\d+)", "followup edit", _edit_problems),
    ("POST", r"/channels/\d+/messages", "message", _message_problems),
    ("PATCH", r"/channels/\d+/messages/\d+", "message edit", _edit_problems),
    ("POST", r"/channels/\d+/threads", "thread", _thread_problems),
    ("POST", r"/channels/\d+/messages/\d+/threads", "thread on message", _thread_problems),
    ("PATCH", r"/channels/\d+", "channel edit", _no_limits),
    ("POST", r"/users/@me/channels", "direct channel", _no_limits),
    ("POST", r"/guilds/\d+/scheduled-events", "scheduled event", _no_limits),
    ("PATCH", r"/guilds/\d+/scheduled-events/\d+", "scheduled event edit", _no_limits),
)
