"""The preview's media worker passes still pictures through unchecked; simcord inspects all other files.

`python -m preview` runs the bot with an offline Discord (simcord), whose members Ana and Ben act through a web page.
Inspecting each picture would be slow, and the bot's own pictures need no inspection.
"""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from simcord.preview._media import MediaError, MediaInfo, MediaWorker

from preview.pictures import TrustedPictures


def encode_picture(kind: str, *, frames: int = 1) -> bytes:
    """Return a picture in this format, animated if it has several frames."""
    pictures = [Image.new("RGB", (30, 20), (40 * frame, 0, 0)) for frame in range(frames)]
    file = BytesIO()
    pictures[0].save(file, kind, save_all=frames > 1, append_images=pictures[1:])
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "content_type"), [("PNG", "image/png"), ("WEBP", "image/webp"), ("JPEG", "image/jpeg")]
)
async def test_a_still_picture_is_passed_through(kind: str, content_type: str) -> None:
    picture = encode_picture(kind)
    described = await TrustedPictures().validate("key", picture)
    assert described.normalized == picture
    assert (described.content_type, described.width, described.height) == (content_type, 30, 20)


async def test_other_files_are_inspected_by_simcord(monkeypatch: pytest.MonkeyPatch) -> None:
    inspected = []

    async def record_and_refuse(_: MediaWorker, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """Record which file simcord would inspect."""
        inspected.append(key)
        raise MediaError(key)

    monkeypatch.setattr(MediaWorker, "validate", record_and_refuse)
    for key, blob in (("animation", encode_picture("GIF", frames=2)), ("text", b"no picture")):
        with pytest.raises(MediaError, match=key):
            await TrustedPictures().validate(key, blob)
    assert inspected == ["animation", "text"]
