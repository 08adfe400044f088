"""Display of the bot's pictures in the preview: they skip the inspection of uploads, and may be shown by their URL.

simcord, which simulates Discord, inspects every uploaded file before it shows it, since the file could be malicious.
Pictures of the bot are not. It also shows no picture in a message to which another file was attached; Discord does, and
a panel refers to the picture of its card by the URL.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import simcord
from PIL import Image, UnidentifiedImageError
from simcord.preview._assets import _Asset
from simcord.preview._media import MediaInfo, MediaWorker
from simcord.preview._pages import _Page

_resolve_own: Final = _Page._resolve_blob
"""Finds the bytes of a picture that a page shows, unless it is attached to another message."""


def trust_pictures(preview: simcord.Preview) -> None:
    """Let the page of a preview show the pictures of the bot, without inspection, and also by their URL."""
    preview._media_worker = TrustedPictures()
    _Page._resolve_blob = _resolve_linked  # type: ignore[method-assign, assignment]


def _resolve_linked(page: _Page, record: _Asset, metadata: Mapping[str, Any], source: tuple[Any, ...] | None) -> None:
    """Find the bytes of a picture, wherever it is attached."""
    _resolve_own(page, record, metadata, source)
    if not record.available and source is not None and source[0] == "message":
        _resolve_own(page, record, metadata, ("attachment", *source[1:]))


class TrustedPictures(MediaWorker):
    """A media worker that passes still pictures through unchanged.

    simcord's own worker decodes each upload in a new process, one after another and again for each member. That is
    right for files from strangers; here it would take half a minute, after twenty turns, whenever the viewer changes.
    """

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """Describe a still picture for the page; leave all other files to simcord."""
        return _still_picture(blob) or await super().validate(key, blob, media_time=media_time)


def _still_picture(blob: bytes) -> MediaInfo | None:
    """Describe a still picture in a format that browsers show; return None for all other files."""
    try:
        with Image.open(BytesIO(blob)) as picture:
            frames: int = getattr(picture, "n_frames", 1)
            kind, (width, height) = picture.format, picture.size
    except UnidentifiedImageError:
        return None
    if frames != 1 or kind not in Image.MIME:
        return None
    return MediaInfo(
        format=kind,
        width=width,
        height=height,
        frames=frames,
        decoded_bytes=width * height * len("RGBA"),
        normalized=blob,
        content_type=Image.MIME[kind],
        capture=blob,
        poster=blob,
        transformation="preserved",
        memory_limited=True,  # there is nothing to limit, but False would show a warning beside every picture
    )
