"""The comparison of pictures."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from tests.renderers.looking import drawn_in


def film(*colours: str) -> bytes:
    first, *others = [Image.new("RGB", (2, 2), colour) for colour in colours]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others)
    return file.getvalue()


def test_films_are_compared_frame_by_frame() -> None:
    assert drawn_in(film("red", "green")) == drawn_in(film("red", "green"))
    assert drawn_in(film("red", "green")) != drawn_in(film("red", "blue"))
    assert drawn_in(film("red")) != drawn_in(film("red", "blue"))
