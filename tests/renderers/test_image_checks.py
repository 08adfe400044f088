"""The comparison of pictures."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from tests.renderers.image_checks import file_pixel_bytes


def film(*colours: str) -> bytes:
    first, *others = [Image.new("RGB", (2, 2), colour) for colour in colours]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others)
    return file.getvalue()


def test_films_are_compared_frame_by_frame() -> None:
    assert file_pixel_bytes(film("red", "green")) == file_pixel_bytes(film("red", "green"))
    assert file_pixel_bytes(film("red", "green")) != file_pixel_bytes(film("red", "blue"))
    assert file_pixel_bytes(film("red")) != file_pixel_bytes(film("red", "blue"))
