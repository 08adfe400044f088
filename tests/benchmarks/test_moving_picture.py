"""The moving picture of the README: its frames, and the size of the stored file."""

from io import BytesIO

from PIL import Image, ImageSequence

from benchmarks import moving_picture
from benchmarks.moving_picture import FILE, LAST_MILLISECONDS, LOOK_MILLISECONDS, TAP_MILLISECONDS

MAX_BYTES = 1536 * 1024
"""The most bytes of the file: a reader on a phone loads it with the page."""


def message(colour: str, height: int) -> Image.Image:
    """Return the picture of a message."""
    return Image.new("RGB", (60, height), colour)


def test_a_message_is_shown_before_its_tap_and_the_last_two_together() -> None:
    scenes = [(message("navy", 80), (20.0, 20.0)), (message("green", 30), None), (message("maroon", 60), None)]
    picture = Image.open(BytesIO(moving_picture.moving_picture(scenes)))
    frames = [(frame.info["duration"], frame.convert("RGB")) for frame in ImageSequence.Iterator(picture)]
    assert [duration for duration, _ in frames] == [LOOK_MILLISECONDS, TAP_MILLISECONDS, LAST_MILLISECONDS]
    (_, shown), (_, tapped), (_, last) = frames
    assert shown.getpixel((50, 40)) == (0, 0, 128)
    assert shown.getpixel((40, 40)) != tapped.getpixel((40, 40))
    assert (last.getpixel((20, 20)), last.getpixel((20, 80))) == ((0, 128, 0), (128, 0, 0))


def test_the_stored_picture_is_small_and_moves() -> None:
    assert FILE.stat().st_size <= MAX_BYTES
    with Image.open(FILE) as picture:
        assert sum(1 for _ in ImageSequence.Iterator(picture)) > 6
