"""Still pictures go to the page as they are; everything else is left to simcord."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from simcord.preview._media import MediaError, MediaInfo, MediaWorker

from preview.pictures import OwnPictures


def encoded(kind: str, *, frames: int = 1) -> bytes:
    pictures = [Image.new("RGB", (30, 20), (40 * frame, 0, 0)) for frame in range(frames)]
    file = BytesIO()
    pictures[0].save(file, kind, save_all=frames > 1, append_images=pictures[1:])
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "content_type"), [("PNG", "image/png"), ("WEBP", "image/webp"), ("JPEG", "image/jpeg")]
)
async def test_a_still_picture_is_not_touched(kind: str, content_type: str) -> None:
    picture = encoded(kind)
    shown = await OwnPictures().validate("key", picture)
    assert shown.normalized == picture
    assert (shown.content_type, shown.width, shown.height) == (content_type, 30, 20)


async def test_an_animation_goes_the_way_of_simcord(monkeypatch: pytest.MonkeyPatch) -> None:
    inspected = []

    async def inspect(_: MediaWorker, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        inspected.append(key)
        raise MediaError(key)

    monkeypatch.setattr(MediaWorker, "validate", inspect)
    for key, blob in (("animation", encoded("GIF", frames=2)), ("text", b"no picture")):
        with pytest.raises(MediaError, match=key):
            await OwnPictures().validate(key, blob)
    assert inspected == ["animation", "text"]
