"""Fast display of pictures in the preview: those that the bot has drawn skip the inspection of uploads.

simcord, which simulates Discord, inspects every uploaded file before it shows it, since the file could be malicious.
Pictures of the bot are not.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image, UnidentifiedImageError
from simcord.preview._media import MediaInfo, MediaWorker


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
