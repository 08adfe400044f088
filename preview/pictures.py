"""Pictures reach the browser at once: this process drew them, so they need no inspection."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, UnidentifiedImageError
from simcord.preview._media import MediaInfo, MediaWorker


class OwnPictures(MediaWorker):
    """Hands still pictures through as they are.

    simcord decodes every upload in a new process, one after the other and again for every member. That is
    right for files from strangers; here, after twenty turns, it would cost half a minute at every change of
    seat.
    """

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """Describe a picture for the page; whatever is no still picture goes simcord's way."""
        return _still_picture(blob) or await super().validate(key, blob, media_time=media_time)


def _still_picture(blob: bytes) -> MediaInfo | None:
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
        memory_limited=True,  # nothing to limit here; False would put a warning beside every picture
    )
