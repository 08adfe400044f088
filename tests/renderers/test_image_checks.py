"""The helper that compares pictures by their pixels."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from tests.renderers.image_checks import file_pixel_bytes


def make_gif(*colours: str) -> bytes:
    """Return a film with one picture of each colour."""
    first, *others = [Image.new("RGB", (2, 2), colour) for colour in colours]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others)
    return file.getvalue()


def test_animations_are_compared_frame_by_frame() -> None:
    assert file_pixel_bytes(make_gif("red", "green")) == file_pixel_bytes(make_gif("red", "green"))
    assert file_pixel_bytes(make_gif("red", "green")) != file_pixel_bytes(make_gif("red", "blue"))
    assert file_pixel_bytes(make_gif("red")) != file_pixel_bytes(make_gif("red", "blue"))
