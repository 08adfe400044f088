"""A whole game as one animated picture."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from engine.carcassonne import Position, new_setup
from engine.selfplay import random_action
from renderers import DAY, NIGHT, animation
from renderers.animation import FRAME_MILLISECONDS, LAST_FRAME_MILLISECONDS, MAX_BYTES
from renderers.carcassonne import replay

NAMES = ("Ana", "Ben with a very long name that does not fit", "Cléo 🏰", "Dan", "Eva", "Finn")


def turns(players: int, *, most: int) -> list[Position]:
    """The positions after each of the first turns of a random game."""
    position, random = Position(new_setup(players=players, seed="film")), Random(4)
    found = [position.copy()]
    while not position.is_over and len(found) < most:
        position.apply(random_action(position, random))
        if position.turn != found[-1].turn or position.is_over:
            found.append(position.copy())
    return found


def frames(data: bytes) -> list[Image.Image]:
    """The frames in full."""
    with Image.open(BytesIO(data)) as film:
        found = []
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            found.append(film.convert("RGB"))
        return found


@pytest.mark.parametrize("players", [2, 6])
def test_each_turn_is_a_frame_and_the_last_one_stays(players: int) -> None:
    positions = turns(players, most=12)
    picture = replay(positions, NAMES[:players])
    shown = frames(picture.data)
    assert len(shown) == len(positions)
    assert {frame.size for frame in shown} == {(picture.width, picture.height)}
    assert all(one.tobytes() != other.tobytes() for one, other in pairwise(shown))
    with Image.open(BytesIO(picture.data)) as film:
        assert film.info["duration"] == FRAME_MILLISECONDS
        film.seek(len(positions) - 1)
        assert film.info["duration"] == LAST_FRAME_MILLISECONDS


def test_a_whole_game_of_six_stays_far_below_discords_limit() -> None:
    positions = turns(6, most=1000)
    assert positions[-1].is_over
    picture = replay(positions, NAMES, theme=NIGHT)
    assert len(picture.data) < MAX_BYTES
    assert picture.filename == "replay.gif"
    assert max(picture.width, picture.height) <= 1000


def test_what_became_too_large_is_drawn_again_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = turns(2, most=6)
    usual = replay(positions, NAMES[:2])
    monkeypatch.setattr(animation, "MAX_BYTES", len(usual.data) - 1)
    smaller = replay(positions, NAMES[:2], theme=DAY)
    assert smaller.width < usual.width
    assert len(frames(smaller.data)) == len(positions)


def test_the_same_game_gives_the_same_bytes() -> None:
    assert replay(turns(3, most=5), NAMES[:3]).data == replay(turns(3, most=5), NAMES[:3]).data
