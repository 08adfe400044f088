"""PNG files."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from renderers.png import png_bytes


def speckled(seed: int, width: int = 70, height: int = 101) -> Image.Image:
    """A picture in five colours."""
    image = Image.frombytes("P", (width, height), bytes(Random(seed).choices(range(5), k=width * height)))
    image.putpalette([10, 20, 30, 255, 255, 255, 0, 0, 0, 200, 100, 50, 1, 2, 3])
    return image


def decoded(data: bytes) -> Image.Image:
    """The file as any reader of PNGs sees it; every checksum is looked at."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (70, 101), (1600, 1200)])
def test_a_file_holds_the_pixels(size: tuple[int, int]) -> None:
    image = speckled(1, *size)
    with Image.open(BytesIO(png_bytes(image))) as file:
        file.verify()
    assert decoded(png_bytes(image)).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_the_same_pixels_are_the_same_bytes_whatever_was_written_before() -> None:
    fresh = png_bytes(speckled(1))
    png_bytes(speckled(2))
    assert png_bytes(speckled(1)) == fresh


def test_many_threads_make_the_same_file() -> None:
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: png_bytes(speckled(1)), range(32))) == {png_bytes(speckled(1))}
