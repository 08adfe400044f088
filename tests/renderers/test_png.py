"""PNG files in strips."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from renderers.files.png import PANELS, STRIP, STRIPS, Strips, png


def speckled(seed: int, width: int = 70, height: int = 3 * STRIP + 5) -> Image.Image:
    """A picture in five colours."""
    image = Image.frombytes("P", (width, height), bytes(Random(seed).choices(range(5), k=width * height)))
    image.putpalette([10, 20, 30, 255, 255, 255, 0, 0, 0, 200, 100, 50, 1, 2, 3])
    return image


def decoded(data: bytes) -> Image.Image:
    """The file as any reader of PNGs sees it; every checksum is looked at."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("height", [1, STRIP, STRIP + 1, 3 * STRIP])
def test_a_file_holds_the_pixels(height: int, lasting: bool) -> None:
    image = speckled(1, height=height)
    with Image.open(BytesIO(png(image, lasting=lasting))) as file:
        file.verify()
    assert decoded(png(image, lasting=lasting)).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_the_same_pixels_are_the_same_bytes_whether_strips_were_kept_or_not() -> None:
    STRIPS.clear()
    fresh = png(speckled(1), lasting=True)
    png(speckled(2), lasting=True)
    assert STRIPS.weight > 0
    assert png(speckled(1), lasting=True) == fresh
    STRIPS.clear()
    assert png(speckled(1), lasting=True) == fresh


def test_only_the_strips_that_changed_are_compressed_anew() -> None:
    STRIPS.clear()
    image = speckled(1)
    png(image, lasting=True)
    before = STRIPS.weight
    image.putpixel((3, STRIP + 7), 0 if image.getpixel((3, STRIP + 7)) else 1)
    png(image, lasting=True)
    assert before < STRIPS.weight < before * 1.5


def test_the_next_page_of_a_panel_costs_what_changed_and_pushes_out_no_board() -> None:
    STRIPS.clear()
    PANELS.clear()
    fresh = png(speckled(1), lasting=False, panel=True)
    before = PANELS.weight
    changed = speckled(1)
    changed.putpixel((3, STRIP + 7), 0 if changed.getpixel((3, STRIP + 7)) else 1)
    png(changed, lasting=False, panel=True)
    assert before < PANELS.weight < before * 1.5
    assert STRIPS.weight == 0
    assert png(speckled(1), lasting=False, panel=True) == fresh == png(speckled(1), lasting=False)


def test_no_more_is_kept_than_fits() -> None:
    strips = Strips(2_000)
    for seed in range(20):
        strips.compressed(memoryview(speckled(seed).tobytes()[:3_000]))
    assert 0 < strips.weight <= 2_000


def test_what_passes_is_not_kept() -> None:
    STRIPS.clear()
    png(speckled(1), lasting=False)
    assert STRIPS.weight == 0


def test_many_threads_make_the_same_file() -> None:
    STRIPS.clear()
    with ThreadPoolExecutor(8) as threads:
        files = set(threads.map(lambda _: png(speckled(1), lasting=True), range(32)))
    assert len(files) == 1
    assert STRIPS.weight < len(files.pop())
