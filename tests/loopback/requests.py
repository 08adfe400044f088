"""Records of the REST requests that a bot makes.

Tests compare these records with what members should see: an answered request may have been lost on its way to the
bot, and a dropped one was never served.
"""

import json
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from aiohttp import BodyPartReader, web

from tests.loopback.faults import FaultKind


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that was uploaded with a message."""

    filename: str
    data: bytes
    description: str | None

    @property
    def fp(self) -> BytesIO:
        """The contents as a stream, as simcord's routes expect them."""
        return BytesIO(self.data)


@dataclass(slots=True)
class RecordedRequest:
    """One REST request and its outcome.

    `path` excludes `/api/v10` and the query. `status` and `reply` are the server's answer, even if the connection was
    cut before the bot received it; `status` is None while the request is being served, and if it was dropped unserved.
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
        """`METHOD /path`, against which patterns of faults are matched."""
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
    """Read a request with uploaded files; return its payload and the files."""
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
    """Return the alt texts by the index of the file; they are in the payload, not in the file's part."""
    if not isinstance(message, dict):
        return {}
    attachments = message.get("attachments") or []
    return {int(entry["id"]): entry.get("description") for entry in attachments}
