"""The requests a bot makes, as they are recorded."""

import json
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from aiohttp import BodyPartReader, web

from tests.loopback.faults import FaultKind


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came with a message."""

    filename: str
    data: bytes
    description: str | None

    @property
    def fp(self) -> BytesIO:
        """The contents as a stream, which is what simcord's routes read."""
        return BytesIO(self.data)


@dataclass(slots=True)
class RecordedRequest:
    """One REST request and what became of it.

    `path` is without `/api/v10` and the query. `status` and `reply` say what the server answered, or would have
    answered had the connection held; `status` is None while the request is being served and when it was dropped
    untouched.
    """

    method: str
    path: str
    query: dict[str, str]
    payload: Any
    files: tuple[UploadedFile, ...]
    authorization: str | None
    reason: str | None
    fault: FaultKind | None = None
    status: int | None = None
    reply: Any = None

    @property
    def line(self) -> str:
        """`METHOD /path`, what patterns are matched against."""
        return f"{self.method} {self.path}"

    @property
    def message(self) -> Any:
        """The message within the payload: its `data` in an interaction callback, else the payload itself."""
        if self.path.startswith("/interactions/") and isinstance(self.payload, dict):
            return self.payload.get("data") or {}
        return self.payload


async def read_request(request: web.Request, path: str) -> RecordedRequest:
    """Read a whole request, JSON or multipart."""
    if request.content_type.startswith("multipart/"):
        payload, parts = await _read_multipart(request)
    else:
        body = await request.read()
        payload, parts = (json.loads(body) if body else None), []
    recorded = RecordedRequest(
        method=request.method,
        path=path,
        query=dict(request.query),
        payload=payload,
        files=(),
        authorization=request.headers.get("Authorization"),
        reason=request.headers.get("X-Audit-Log-Reason"),
    )
    described = _descriptions(recorded.message)
    recorded.files = tuple(
        UploadedFile(filename, data, described.get(index)) for index, (filename, data) in enumerate(parts)
    )
    return recorded


async def _read_multipart(request: web.Request) -> tuple[Any, list[tuple[str, bytes]]]:
    payload: Any = None
    files: list[tuple[str, bytes]] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            payload = json.loads(data)
        else:
            files.append((part.filename or "", data))
    return payload, files


def _descriptions(message: Any) -> dict[int, str | None]:
    """Alt texts by index of the file: they come in the payload, not with the part."""
    if not isinstance(message, dict):
        return {}
    attachments = message.get("attachments") or []
    return {int(entry["id"]): entry.get("description") for entry in attachments}
