"""The replay of a game as an animated GIF with a frame for each turn.

Each frame shows the board, and the scores at that time below it.
"""

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
"""The names of the players, one of them too long."""


def play_turns(players: int, *, max_turns: int) -> list[Position]:
    """Return the positions before and after each of the first turns of a random game."""
    position, rng = Position(new_setup(players=players, seed="film")), Random(4)
    positions = [position.copy()]
    while not position.is_over and len(positions) < max_turns:
        position.apply(random_action(position, rng))
        if position.turn != positions[-1].turn or position.is_over:
            positions.append(position.copy())
    return positions


def decode_frames(data: bytes) -> list[Image.Image]:
    """Decode all frames of an animated picture."""
    with Image.open(BytesIO(data)) as film:
        positions = []
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            positions.append(film.convert("RGB"))
        return positions


@pytest.mark.parametrize("players", [2, 6])
def test_each_turn_is_a_frame_and_the_last_one_lasts_longer(players: int) -> None:
    positions = play_turns(players, max_turns=12)
    picture = replay(positions, NAMES[:players])
    frames = decode_frames(picture.data)
    assert len(frames) == len(positions)
    assert {frame.size for frame in frames} == {(picture.width, picture.height)}
    assert all(first.tobytes() != second.tobytes() for first, second in pairwise(frames))
    with Image.open(BytesIO(picture.data)) as film:
        assert film.info["duration"] == FRAME_MILLISECONDS
        film.seek(len(positions) - 1)
        assert film.info["duration"] == LAST_FRAME_MILLISECONDS


def test_a_whole_game_of_six_stays_far_below_discords_limit() -> None:
    positions = play_turns(6, max_turns=1000)
    assert positions[-1].is_over
    picture = replay(positions, NAMES, theme=NIGHT)
    assert len(picture.data) < MAX_BYTES
    assert picture.filename == "replay.gif"
    assert max(picture.width, picture.height) <= 1000


def test_a_film_that_is_too_large_is_drawn_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = play_turns(2, max_turns=6)
    original = replay(positions, NAMES[:2])
    monkeypatch.setattr(animation, "MAX_BYTES", len(original.data) - 1)
    smaller = replay(positions, NAMES[:2], theme=DAY)
    assert smaller.width < original.width
    assert len(decode_frames(smaller.data)) == len(positions)


def test_the_same_game_gives_the_same_bytes() -> None:
    assert replay(play_turns(3, max_turns=5), NAMES[:3]).data == replay(play_turns(3, max_turns=5), NAMES[:3]).data
