"""The palette of small files, in which colours that look alike are one."""

import pytest
from PIL import Image

from renderers import PLAYER_MARKS, THEMES
from renderers.palette import palette_colours, with_few_colours
from renderers.theme import Colour

MAX_DIFFERENCE = 18
"""Distance of a colour from the one that takes its place, of 255 for each channel."""


PLAYER_COLOURS = {mark.colour for mark in PLAYER_MARKS}
"""The colours of the six seats."""


def all_colours(theme: str, *, veiled: bool) -> list[tuple[Colour, Colour]]:
    """Return each colour of a theme's palette, and the one that takes its place in a small file."""
    colours = palette_colours(THEMES[theme], veiled=veiled)
    strip = Image.frombytes("P", (len(colours), 1), bytes(range(len(colours))))
    few = with_few_colours(strip, THEMES[theme], veiled=veiled).tobytes()
    return [(colour, colours[index]) for colour, index in zip(colours, few, strict=True)]


@pytest.mark.parametrize("veiled", [False, True])
@pytest.mark.parametrize("theme", list(THEMES))
def test_a_small_file_has_fewer_colours_and_each_looks_like_before(theme: str, *, veiled: bool) -> None:
    pairs = all_colours(theme, veiled=veiled)
    assert len({after for _, after in pairs}) <= 0.9 * len(pairs)
    for before, after in pairs:
        assert sum((one - other) ** 2 for one, other in zip(before, after, strict=True)) <= MAX_DIFFERENCE**2


@pytest.mark.parametrize("theme", list(THEMES))
def test_players_keep_their_colours_apart_in_a_small_file(theme: str) -> None:
    taken = {after for before, after in all_colours(theme, veiled=True) if before in PLAYER_COLOURS}
    assert len(taken) == len(PLAYER_COLOURS)
