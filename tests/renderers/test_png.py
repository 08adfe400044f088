"""The encoder of PNG files: valid, lossless, deterministic and thread-safe.

The encoder compresses with ISA-L, a library that is faster than Pillow's own encoder.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from renderers.png import png_bytes


def random_image(seed: int, width: int = 70, height: int = 101) -> Image.Image:
    """Return a picture of random pixels in five colours."""
    image = Image.frombytes("P", (width, height), bytes(Random(seed).choices(range(5), k=width * height)))
    image.putpalette([10, 20, 30, 255, 255, 255, 0, 0, 0, 200, 100, 50, 1, 2, 3])
    return image


def decode(data: bytes) -> Image.Image:
    """Decode a file, checking every checksum."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (70, 101), (1600, 1200)])
def test_a_file_decodes_to_the_same_pixels(size: tuple[int, int], *, compact: bool) -> None:
    image = random_image(1, *size)
    data = png_bytes(image, compact=compact)
    with Image.open(BytesIO(data)) as file:
        file.verify()
    assert decode(data).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_encoding_is_deterministic() -> None:
    first_file = png_bytes(random_image(1))
    png_bytes(random_image(2))
    assert png_bytes(random_image(1)) == first_file


def test_threads_encode_the_same_file() -> None:
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: png_bytes(random_image(1)), range(32))) == {png_bytes(random_image(1))}
